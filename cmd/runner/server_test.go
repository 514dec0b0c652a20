package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
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
func serverCommand(t *testing.T, args ...string) (command *exec.Cmd, stdout, stderr *spoken) {
	t.Helper()
	testscriptCommand, err := os.Executable()
	require.NoError(t, err)
	command = exec.CommandContext(t.Context(), testscriptCommand, args...)
	command.Args[0] = "runner"
	command.Env = append(os.Environ(), "HOTCELL_SERVER="+startService(t), "HOTCELL_TOKEN="+fakeToken, "HOTCELL_STATE="+filepath.Join(t.TempDir(), "none"))
	stdout, stderr = &spoken{}, &spoken{}
	command.Stdout, command.Stderr = stdout, stderr
	return command, stdout, stderr
}

func TestSignalCancelsTheRunOfAService(t *testing.T) {
	for name, code := range map[string]string{"one that runs": "print begun\nsleep\n", "one that waits": "queued\n"} {
		t.Run(name, func(t *testing.T) {
			command, stdout, stderr := serverCommand(t, "run", "--policy", "study-analysis", "-")
			command.Stdin = strings.NewReader(code)
			require.NoError(t, command.Start())
			if strings.HasPrefix(code, "print") {
				stdout.await(t, "begun")
			} else {
				awaitRun(t, asksSameService(t, command))
			}
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

func TestASecondSignalLeavesARunOfAService(t *testing.T) {
	command, _, stderr := serverCommand(t, "run", "--policy", "study-analysis", "-")
	command.Stdin = strings.NewReader("stubborn\n")
	require.NoError(t, command.Start())
	awaitRun(t, asksSameService(t, command))
	require.NoError(t, command.Process.Signal(syscall.SIGINT))
	time.Sleep(together + 500*time.Millisecond) // what comes sooner is the same signal
	require.NoError(t, command.Process.Signal(syscall.SIGINT))
	require.Error(t, command.Wait())
	require.Contains(t, stderr.String(), "ended by a second signal: the service was asked to end what it runs")
	require.NotContains(t, stderr.String(), "sandbox")
}

func TestSignalEndsASessionOfAService(t *testing.T) {
	command, stdout, stderr := serverCommand(t, "session", "--policy", "study-analysis", "--json")
	input, err := command.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	_, err = input.Write([]byte(`{"id":"a","code":"print begun\nsleep\n"}` + "\n"))
	require.NoError(t, err)
	awaitBusy(t, asksSameService(t, command), stdout)
	require.NoError(t, command.Process.Signal(syscall.SIGTERM))
	_ = command.Wait()
	require.Contains(t, stdout.String(), `{"id":"a",`, stderr.String())
	require.Contains(t, stdout.String(), `"status":"cancelled"`)
	require.Contains(t, stdout.String(), `{"session":`)
}

func TestAStepOfAServiceIsCancelledByALine(t *testing.T) {
	command, stdout, stderr := serverCommand(t, "session", "--policy", "study-analysis", "--json")
	input, err := command.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	_, err = input.Write([]byte(`{"id":"a","code":"sleep\n"}` + "\n" + `{"id":"b","code":"print late\n"}` + "\n"))
	require.NoError(t, err)
	awaitBusy(t, asksSameService(t, command), stdout)
	_, err = input.Write([]byte(`{"cancel":"b"}` + "\n" + `{"cancel":"a"}` + "\n" + `{"id":"c","code":"print more\n"}` + "\n"))
	require.NoError(t, err)
	require.NoError(t, input.Close())
	require.NoError(t, command.Wait(), stderr.String())
	lines := strings.Split(stdout.String(), "\n")
	require.Len(t, lines, 8, stdout.String())
	require.Regexp(t, `^{"id":"a",.*"status":"cancelled"`, lines[3])
	require.Regexp(t, `^{"id":"b","exit_code":2,.*cancelled before it was sent`, lines[4])
	require.Regexp(t, `^{"id":"c",.*"stdout":"more\\n"`, lines[5])
}

// TestTheCommandShowsItsCertificate holds what the environment says of TLS: the service's
// authority is no other, and the service sees the client's own.
func TestTheCommandShowsItsCertificate(t *testing.T) {
	server := newService(t)
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	dir := t.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
		return path
	}
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	require.NoError(t, err)
	certFile, keyFile := write("cert.pem", "CERTIFICATE", pair.Certificate[0]), write("key.pem", "PRIVATE KEY", key)
	list := func(variables ...string) (int, string) {
		command, _, stderr := serverCommand(t, "policy", "ls", "--server", server.URL)
		command.Env = append(command.Env, variables...)
		_ = command.Run()
		return command.ProcessState.ExitCode(), stderr.String()
	}
	ours := []string{certVariable + "=" + certFile, keyVariable + "=" + keyFile, caVariable + "=" + certFile}
	code, told := list(ours...)
	require.Equal(t, 0, code, told)
	code, told = list(caVariable + "=" + certFile)
	require.Equal(t, 125, code, told)
	code, told = list(ours[0], ours[1])
	require.Equal(t, 125, code)
	require.Contains(t, told, "certificate")
	code, told = list(ours[0], caVariable+"="+certFile)
	require.Equal(t, 2, code)
	require.Contains(t, told, "belong together")
	for _, bad := range []string{keyFile, dir, filepath.Join(dir, "none")} {
		code, told = list(caVariable + "=" + bad)
		require.Equal(t, 2, code, told)
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

// TestARunInAQueueOfTheClusterIsToldAsThat, and not as one that runs.
func TestARunInAQueueOfTheClusterIsToldAsThat(t *testing.T) {
	var phases []runner.Phase
	told := &teller{events: runner.Events{Phase: func(phase runner.Phase) { phases = append(phases, phase) }}}
	for _, data := range []string{`{"state":"queued","position":1}`, `{"state":"queued","queue":"studies"}`, `{"state":"running","phase":"running"}`} {
		require.NoError(t, told.take(api.Event{Type: api.EventState, Data: []byte(data)}))
	}
	require.Equal(t, []runner.Phase{"waiting for a place, 1 run before it", "queued in studies", "running"}, phases)
	require.Equal(t, "queued in studies", stateText(api.Run{Status: api.StateQueued, Queue: "studies"}))
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

func TestAScriptThatIsNotUTF8IsNotSent(t *testing.T) {
	for _, args := range [][]string{{"run", "-"}, {"run", "--detach", "-"}, {"check", "-"}} {
		command, _, stderr := serverCommand(t, append(args, "--policy", "study-analysis")...)
		command.Stdin = strings.NewReader("print \xff\n")
		require.Error(t, command.Run())
		require.Equal(t, 2, command.ProcessState.ExitCode(), stderr.String())
		require.Contains(t, stderr.String(), "not UTF-8")
	}
}

func TestALimitThatIsBelowAMillisecondIsStillOne(t *testing.T) {
	for given, want := range map[time.Duration]int64{0: 0, time.Nanosecond: 1, time.Millisecond: 1, 1999 * time.Microsecond: 1, time.Minute: 60_000} {
		require.Equal(t, want, tightened(job.Overrides{WallClock: given}).WallClockMS, given)
	}
}

// TestARequestCrossesWhole: what a request can have is sent, or refused by name.
func TestARequestCrossesWhole(t *testing.T) {
	request := job.Request{
		Policy: "p", Bundle: "b", Code: []byte("c"), ScriptName: "s.py", Imports: []string{"m"}, Tables: []string{"t"}, Inputs: []byte(`{"a":1}`), Seed: 3,
		Overrides: job.Overrides{WallClock: time.Second, MemoryBytes: 1, CPUMillis: 2, PIDs: 3, Budgets: job.Budgets{Operations: 4, LoopIterations: 5, ToolCalls: 6}},
	}
	sent := createRun(request)
	elsewhere := []string{"Runtime", "AllowUnguarded", "Replicates", "Tools"} // refused by flags, or of other commands
	given := reflect.ValueOf(request)
	for index := range given.NumField() {
		name := given.Type().Field(index).Name
		require.NotEqual(t, slices.Contains(elsewhere, name), !given.Field(index).IsZero(), "%s is neither sent nor refused", name)
	}
	to := reflect.ValueOf(sent)
	for index := range to.NumField() {
		name := to.Type().Field(index).Name
		require.Equal(t, name == "Priority", to.Field(index).IsZero(), "%s is not sent", name)
	}
	limits := reflect.ValueOf(sent.Limits)
	for index := range limits.NumField() {
		require.False(t, limits.Field(index).IsZero(), limits.Type().Field(index).Name)
	}
}

// What is used up names the commands by which there is room again, while they are waited for, too.
func TestAQuotaOfSessionsNamesItsWayOut(t *testing.T) {
	used := &api.Problem{Title: "a quota is used up", Detail: "the quota sessions is used up: 4 of 4", Status: 429, RetryAfter: 30, Quota: "sessions"}
	for _, text := range []string{problemText("http://x", used), wayOut(fmt.Errorf("open: %w", used))} {
		require.Contains(t, text, "`runner session ls` lists your sessions, and `runner session close ID` closes one")
	}
	used.Quota = "running"
	require.NotContains(t, problemText("http://x", used), "runner session")
}
