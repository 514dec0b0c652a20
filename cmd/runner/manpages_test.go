package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/stretchr/testify/require"
)

// manDir is where the manual's pages are left, for scripts/package.sh. They are made by a test,
// so that what makes them is in no program that ships.
var manDir = flag.String("man", "", "the directory that gets the manual's pages")

// TestManPages: every command that a user can see has a page, with its synopsis, its text and
// an example.
func TestManPages(t *testing.T) {
	dir := *manDir
	if dir == "" {
		dir = t.TempDir()
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		seconds = 0
	}
	made := time.Unix(seconds, 0).UTC()
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	root := a.rootCommand()
	root.DisableAutoGenTag = true                                        // it has the day on which it was made
	root.PersistentFlags().Lookup("state").DefValue = "/var/lib/hotcell" // not of who makes it
	walkCommands(root, func(command *cobra.Command) { command.Long = markdown(command.Long) })
	header := &doc.GenManHeader{Section: "1", Date: &made, Source: "hotcell", Manual: "Hotcell"}
	require.NoError(t, doc.GenManTree(root, header, dir))
	walkCommands(root, func(command *cobra.Command) {
		if !command.IsAvailableCommand() && command != root {
			return // help
		}
		name := strings.ReplaceAll(command.CommandPath(), " ", "-") + ".1"
		page, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Contains(t, string(page), ".SH SYNOPSIS", name)
		require.Contains(t, string(page), ".SH EXAMPLE", name)
	})
}

// markdown is a text of ours in what the library reads: lines that are set out, and begin with
// blanks, stay as they are, and nothing else means anything.
func markdown(text string) string {
	var out strings.Builder
	within := false
	for line := range strings.Lines(text) {
		setOut := strings.HasPrefix(line, " ")
		if setOut != within {
			out.WriteString("\n")
		}
		if within = setOut || within && strings.TrimSpace(line) == ""; within {
			out.WriteString("    " + line)
		} else {
			out.WriteString(strings.NewReplacer("*", `\*`, "<", `\<`, "_", `\_`).Replace(line))
		}
	}
	return out.String()
}
