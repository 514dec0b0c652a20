package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestHelpHasOneVoice walks every command that a user can see. A command's help is an
// imperative: "Run a script …", not "Runs a script" and not "A script is run".
func TestHelpHasOneVoice(t *testing.T) {
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	walkCommands(a.rootCommand(), func(command *cobra.Command) {
		t.Run(command.CommandPath(), func(t *testing.T) {
			verb := firstWord(command.Short)
			require.True(t, unicode.IsUpper([]rune(command.Short)[0]), "Short begins with a capital: %q", command.Short)
			require.False(t, strings.HasSuffix(command.Short, "."), "Short has no full stop: %q", command.Short)
			require.False(t, strings.HasSuffix(verb, "s"), "Short begins with an imperative: %q", command.Short)
			require.NotContains(t, []string{"A", "An", "The", "This", "Help"}, verb, "Short begins with an imperative: %q", command.Short)
			if command.Long != "" {
				require.Equal(t, verb, firstWord(command.Long), "Long begins as Short does")
			}
			require.NotEmpty(t, command.Example, "help ends with an example")
			for line := range strings.Lines(command.Long) {
				require.LessOrEqual(t, len([]rune(line)), 91, "fits a terminal: %q", line)
			}
			command.Flags().VisitAll(func(flag *pflag.Flag) { requireFlagHelp(t, flag) })
		})
	})
}

// requireFlagHelp: "number of runs at the same time", with a word for the value.
func requireFlagHelp(t *testing.T, flag *pflag.Flag) {
	t.Helper()
	value, usage := pflag.UnquoteUsage(flag)
	require.NotEmpty(t, usage, "--%s", flag.Name)
	require.False(t, strings.HasSuffix(usage, "."), "--%s has a full stop: %q", flag.Name, usage)
	first := []rune(usage)
	require.False(t, unicode.IsUpper(first[0]) && unicode.IsLower(first[1]), "--%s begins with a capital: %q", flag.Name, usage)
	if flag.Value.Type() == "bool" {
		require.Empty(t, value, "--%s takes no value: %q", flag.Name, usage)
	} else {
		require.NotContains(t, []string{"string", "strings", "stringArray", "int", "float", "duration", ""}, value,
			"--%s: name its value in backquotes: %q", flag.Name, usage)
	}
}

func walkCommands(command *cobra.Command, visit func(*cobra.Command)) {
	command.InitDefaultHelpFlag()
	if !command.Hidden {
		visit(command)
	}
	for _, child := range command.Commands() {
		walkCommands(child, visit)
	}
}

func firstWord(text string) string {
	return strings.TrimRight(strings.Fields(text)[0], ",.:")
}
