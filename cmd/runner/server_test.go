package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// TestScriptsWithAService is the command line with --server: testdata/server. Nothing there may
// use a state directory.
func TestScriptsWithAService(t *testing.T) {
	params := scripts(t)
	params.Dir = "testdata/server"
	local := params.Setup
	params.Setup = func(env *testscript.Env) error {
		if err := local(env); err != nil {
			return err
		}
		env.Setenv("HOTCELL_STATE", filepath.Join(env.WorkDir, "no", "such", "state"))
		env.Setenv("HOTCELL_SERVER", startService(t))
		env.Setenv("HOTCELL_TOKEN", fakeToken)
		return nil
	}
	// waits and cancels take the id that a file has.
	params.Cmds["waits"] = func(ts *testscript.TestScript, _ bool, args []string) { withID(ts, "wait", args) }
	params.Cmds["cancels"] = func(ts *testscript.TestScript, _ bool, args []string) { withID(ts, "cancel", args) }
	testscript.Run(t, params)
}

func withID(ts *testscript.TestScript, command string, args []string) {
	id := strings.TrimSpace(ts.ReadFile(args[0]))
	ts.Check(ts.Exec("runner", append([]string{"runs", command, id}, args[1:]...)...))
}

// serverCommand is this binary as the command, which asks a service that the test has started.
func serverCommand(t *testing.T, args ...string) (command *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	testscriptCommand, err := os.Executable()
	require.NoError(t, err)
	command = exec.CommandContext(t.Context(), testscriptCommand, args...)
	command.Args[0] = "runner"
	command.Env = append(os.Environ(), "HOTCELL_SERVER="+startService(t), "HOTCELL_TOKEN="+fakeToken, "HOTCELL_STATE="+filepath.Join(t.TempDir(), "none"))
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	command.Stdout, command.Stderr = stdout, stderr
	return command, stdout, stderr
}

func TestSignalCancelsTheRunOfAService(t *testing.T) {
	for name, code := range map[string]string{"one that runs": "print begun\nsleep\n", "one that waits": "queued\n"} {
		t.Run(name, func(t *testing.T) {
			command, stdout, stderr := serverCommand(t, "run", "--policy", "study-analysis", "-")
			command.Stdin = strings.NewReader(code)
			require.NoError(t, command.Start())
			time.Sleep(time.Second)
			require.NoError(t, command.Process.Signal(syscall.SIGINT))
			err := command.Wait()
			require.Error(t, err)
			require.Equal(t, 9, command.ProcessState.ExitCode(), stderr.String())
			if strings.HasPrefix(code, "print") {
				require.Equal(t, "begun\n", stdout.String())
				require.Contains(t, stderr.String(), "✗ cancelled")
			} else {
				require.Contains(t, stderr.String(), "cancelled before the code ran")
			}
		})
	}
}

func TestWhatIsMissingOfAStreamIsTakenFromTheResult(t *testing.T) {
	piece := func(text string) api.Event {
		return api.Event{Type: api.EventStdout, Data: []byte(`{"text":"` + text + `"}`)}
	}
	gap := api.Event{Type: api.EventGap, Data: []byte(`{"from":2,"to":3}`)}
	for name, c := range map[string]struct {
		events      []api.Event
		whole, want string
		broken      bool
	}{
		"nothing is missing":         {[]api.Event{piece("a"), piece("b")}, "ab", "ab", false},
		"a piece in the middle":      {[]api.Event{piece("a"), gap, piece("c")}, "abc", "abc", false},
		"the beginning":              {[]api.Event{gap, piece("c")}, "abc", "abc", false},
		"all of it":                  {[]api.Event{gap}, "abc", "abc", false},
		"what came is another":       {[]api.Event{piece("x"), gap}, "abc", "x", true},
		"what came is more than all": {[]api.Event{piece("abcd"), gap}, "abc", "abcd", true},
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			told := &teller{events: runner.Events{Stdout: &got}}
			for _, event := range c.events {
				require.NoError(t, told.take(event))
			}
			err := told.finish(job.Result{Stdout: c.whole})
			require.Equal(t, c.broken, err != nil, "%v", err)
			require.Equal(t, c.want, got.String())
		})
	}
}

func TestARunThatCannotBeCancelledIsTold(t *testing.T) {
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	made, err := a.remote(serverFlags{server: startService(t), token: fakeToken})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = made.follow(ctx, job.NewID(time.Now()), runner.Events{}, true) // which there is not
	require.Error(t, err)
	require.NotErrorIs(t, err, context.Canceled, "it would be told as cancelled")
}
