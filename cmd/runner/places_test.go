package main

import (
	"bytes"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestEachCommandSaysWhereItLooks: with HOTCELL_SERVER nobody takes an answer about this machine
// for one about the service.
func TestEachCommandSaysWhereItLooks(t *testing.T) {
	left := places()
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	walkCommands(a.rootCommand(), func(command *cobra.Command) {
		at := looksAt(command)
		delete(left, command.CommandPath()[min(len(command.CommandPath()), len("runner ")):])
		if command.HasSubCommands() && at == "" {
			return // it prints its help
		}
		require.NotEmpty(t, at, "%s has no place", command.CommandPath())
		require.Equal(t, at == atService, command.Flags().Lookup("server") != nil, "%s takes --server if it asks a service", command.CommandPath())
	})
	require.Empty(t, left, "commands that there are not")
}

func TestACommandAboutThisMachineSaysSo(t *testing.T) {
	for server, said := range map[string]bool{"": false, "https://hotcell.example.org": true} {
		t.Setenv(serverVariable, server)
		var stdout, stderr bytes.Buffer
		a := &app{stdout: &stdout, stderr: &stderr}
		root := a.rootCommand()
		root.SetArgs([]string{"policy", "explain", "interpreter"})
		require.NoError(t, root.ExecuteContext(t.Context()))
		require.NotEmpty(t, stdout.String())
		require.Equal(t, said, bytes.Contains(stderr.Bytes(), []byte("is about this machine")))
		stderr.Reset()
		root.SetArgs([]string{"policy", "schema"})
		require.NoError(t, root.ExecuteContext(t.Context()))
		require.Empty(t, stderr.String())
	}
}
