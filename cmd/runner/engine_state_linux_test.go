package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// An engine process that lives has its state directory given away: nothing is begun for anybody
// until it has it back.
func TestAnEngineWhoseStateAnotherCouldChangeBeginsNothing(t *testing.T) {
	e := newFrontedEngine(t)
	request := job.Request{Policy: "interpreter", Code: []byte("1"), ScriptName: "script.py"}
	root, err := engineapi.Connect(t.Context(), e.state)
	require.NoError(t, err)
	defer func() { require.NoError(t, root.Close()) }()

	require.NoError(t, os.Chown(e.state, nobody, 0))
	resolved := e.front.Resolve(t.Context(), "user:anna", request)
	given := e.front.Start(t.Context(), job.NewID(time.Now()), "user:anna", request)
	_, opened := e.front.OpenSession(t.Context(), job.NewID(time.Now()), "user:anna", runner.Ask{Request: request})
	_, ran := root.Run(t.Context(), runner.Ask{Request: request})
	require.NoError(t, os.Chown(e.state, 0, 0))
	for what, err := range map[string]error{"resolve": resolved, "start": given, "session": opened} {
		require.ErrorIs(t, err, engineapi.ErrNotKept, what)
		require.ErrorContains(t, err, "belongs to nobody, and not to root", what)
	}
	require.ErrorContains(t, ran, "belongs to nobody, and not to root")
	e.runAsRoot()
}

func TestAStateThatAnotherCouldChangeIsRefusedByItsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives a directory away")
	}
	above := filepath.Join(t.TempDir(), "above")
	dir := filepath.Join(above, "state")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	commands := [][]string{{"engine"}, {"keygen"}, {"bundle", "ls"}, {"image", "ls"}, {"run", "--policy", "interpreter", "--cold", "-"}}
	refused := func(want string) {
		t.Helper()
		for _, command := range commands {
			var told strings.Builder
			code := execute(append([]string{"--state", dir}, command...), strings.NewReader("1"), new(strings.Builder), &told)
			require.Equal(t, job.ExitUsage, code, "%s: %s", command, told.String())
			require.Contains(t, told.String(), want, command)
			require.Contains(t, told.String(), "name another with --state", command)
		}
	}
	require.NoError(t, os.Chown(dir, nobody, 0))
	refused("directory " + dir + " belongs to nobody, and not to root")
	require.NoError(t, os.Chown(dir, 0, 0))
	require.NoError(t, os.Chmod(dir, 0o770))
	refused("can be written by its group or by others (mode 0770)")
	require.NoError(t, os.Chmod(dir, 0o700))
	require.NoError(t, os.Chown(above, nobody, 0))
	refused("is above it and belongs to user 65534")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries, "and nothing is made there")
}
