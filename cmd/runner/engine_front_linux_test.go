package main

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
	"hotcell/policies"
)

// nobody is a user that is there, and has no privileges.
const nobody = 65534

// asNobody is a socket behind which each connection to another one is made by that user.
func asNobody(t *testing.T, path string) string {
	t.Helper()
	relay := filepath.Join(t.TempDir(), "relay.sock")
	listener, err := net.Listen("unix", relay)
	require.NoError(t, err)
	var all sync.WaitGroup
	t.Cleanup(func() {
		require.NoError(t, listener.Close())
		all.Wait()
	})
	all.Go(func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer from.Close()
				to, err := dialAs(nobody, path)
				if err != nil { // between two engines
					return
				}
				defer to.Close()
				all.Go(func() {
					_, _ = io.Copy(to, from)
					_ = to.(*net.UnixConn).CloseWrite()
				})
				_, _ = io.Copy(from, to)
			})
		}
	})
	return relay
}

// dialAs has a thread be the user while it connects: the kernel tells the other end who that was.
func dialAs(uid int, path string) (conn net.Conn, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		if _, _, fault := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); fault != 0 {
			err = fault
			return
		}
		conn, err = net.Dial("unix", path)
	}()
	<-done
	return conn, err
}

// frontedEngine is a `runner engine` with a front.
type frontedEngine struct {
	t      *testing.T
	state  string
	socket string
	engine *listeningEngine
	front  *engineapi.Front
}

func newFrontedEngine(t *testing.T, args ...string) *frontedEngine {
	t.Helper()
	if !haveImage(t) {
		t.Skip("needs root and the image: make image")
	}
	open, err := os.MkdirTemp("", "hotcell-front-") // to others: those of t.TempDir are not
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(open)) })
	require.NoError(t, os.Chmod(open, 0o755))
	e := &frontedEngine{t: t, state: filepath.Join(t.TempDir(), "state"), socket: filepath.Join(open, "hotcell", "front.sock")}
	require.NoError(t, os.Mkdir(e.state, 0o700))
	require.NoError(t, os.Symlink(images, filepath.Join(e.state, "images")))
	e.front = engineapi.NewFront(asNobody(t, e.socket))
	e.start(args...)
	t.Cleanup(func() {
		e.front.Close()
		require.NoError(t, e.engine.end(syscall.SIGTERM))
	})
	return e
}

func (e *frontedEngine) start(args ...string) {
	e.t.Helper()
	env := []string{"HOTCELL_STATE=" + e.state, "PATH=" + os.Getenv("PATH"), "HOTCELL_TEST_POLICIES=" + os.Getenv("HOTCELL_TEST_POLICIES")}
	started, err := startEngine(env, append([]string{"--engine", "oci", "--max-runs", "2", "--front-socket", e.socket, "--front-user", "nobody"}, args...)...)
	require.NoError(e.t, err)
	e.engine = started
}

// run gives a run, and returns its events once it has ended.
func (e *frontedEngine) run(id job.ID, request job.Request) (events []api.Event) {
	e.t.Helper()
	require.NoError(e.t, e.front.Start(e.t.Context(), id, "user:anna", request))
	_, err := e.front.Follow(e.t.Context(), id, 0, func(event api.Event) error { events = append(events, event); return nil })
	require.NoError(e.t, err)
	return events
}

// runAsRoot is a run of this host's root, by the other socket.
func (e *frontedEngine) runAsRoot() job.ID {
	e.t.Helper()
	root, err := engineapi.Connect(e.t.Context(), e.state)
	require.NoError(e.t, err)
	defer func() { require.NoError(e.t, root.Close()) }()
	ended, err := root.Run(e.t.Context(), runner.Ask{Request: job.Request{Policy: "interpreter", Code: []byte("1"), ScriptName: "script.py"}})
	require.NoError(e.t, err)
	return ended.Result.RunID
}

func TestAFrontWithoutPrivilegesHasRunsMade(t *testing.T) {
	e := newFrontedEngine(t)
	about, err := e.front.About(t.Context())
	require.NoError(t, err)
	require.Equal(t, thisBuild().Version, about.Version)
	root := engineapi.NewFront(e.socket)
	defer root.Close()
	_, err = root.About(t.Context())
	require.ErrorIs(t, err, engineapi.ErrLost, "root is not the front's user")

	id := job.NewID(time.Now())
	events := e.run(id, job.Request{Policy: "interpreter", Code: []byte("print('grüezi')\n"), Seed: 7})
	var told strings.Builder
	for _, event := range events {
		told.WriteString(string(event.Type) + " " + string(event.Data) + "\n")
	}
	require.Contains(t, told.String(), `state {"state":"running","phase":"running"}`)
	require.Contains(t, told.String(), `stdout {"text":"grüezi\n"}`)
	found, err := e.front.Outcome(t.Context(), id, "user:anna")
	require.NoError(t, err)
	require.NoError(t, found.Err)
	atOnce := found.Response.RecordBytes
	require.Equal(t, job.Succeeded, found.Response.Result.Status)
	require.Equal(t, "user:anna", found.Response.Result.Provenance.Actor.Principal)
	require.EqualValues(t, nobody, *found.Response.Result.Provenance.Actor.UID)
	require.EqualValues(t, 7, found.Response.Result.Provenance.Seed)

	content, size, err := e.front.Read(t.Context(), id, "user:berta", "record")
	require.NoError(t, err)
	text, err := io.ReadAll(content)
	require.NoError(t, err)
	require.NoError(t, content.Close())
	require.Len(t, text, int(size))
	require.Contains(t, string(text), id.String())
	found, err = e.front.Outcome(t.Context(), id, "user:carla")
	require.NoError(t, err)
	require.Equal(t, "grüezi\n", found.Response.Result.Stdout)
	bytes := found.Response.RecordBytes // of its record, and before by who had made it
	require.Positive(t, bytes)
	require.Equal(t, atOnce, bytes)
	require.NoError(t, e.engine.end(syscall.SIGTERM))
	e.start()
	found, err = e.front.Outcome(t.Context(), id, "user:anna")
	require.NoError(t, err)
	require.Equal(t, "grüezi\n", found.Response.Result.Stdout, "out of its record")
	require.Equal(t, bytes, found.Response.RecordBytes)
	listed, _, err := e.front.List(t.Context(), "", 10)
	require.NoError(t, err)
	require.Len(t, listed, 1)
	require.Equal(t, bytes, listed[0].Bytes)

	foreign := e.runAsRoot()
	found, err = e.front.Outcome(t.Context(), foreign, "user:anna")
	require.NoError(t, err)
	require.ErrorContains(t, found.Err, "not made for this front")
	require.Zero(t, found.Response.Result.RunID)
	_, _, err = e.front.Read(t.Context(), foreign, "user:berta", "record")
	require.ErrorIs(t, err, engineapi.ErrUnknownRun)

	err = e.front.Resolve(t.Context(), "user:anna", job.Request{Policy: "interpreter", Runtime: "crun", Code: []byte("1")})
	require.ErrorIs(t, err, runner.ErrForbidden)
	kept, err := records.Look(e.state)
	require.NoError(t, err)
	var kinds []string
	for event, err := range kept.Events(t.Context()) {
		require.NoError(t, err)
		kinds = append(kinds, string(event.Kind)+" by "+event.Actor.Principal)
	}
	require.Equal(t, []string{
		"run by user:anna", "access by user:berta", "access by user:carla", "access by user:anna", "run by ", "refused by user:anna",
	}, kinds)
}

func TestAFrontLooksUpWhatThereIs(t *testing.T) {
	e := newFrontedEngine(t)
	policies, err := e.front.Policies(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, policies)
	for _, one := range policies {
		shown, err := e.front.Policy(t.Context(), one.Name)
		require.NoError(t, err)
		require.Contains(t, shown.Text, "name: "+one.Name)
		require.NotEmpty(t, shown.Example, one.Name)
		checked, err := e.front.Check(t.Context(), "user:anna", job.Request{Policy: one.Name, Code: []byte(shown.Example)})
		require.NoError(t, err)
		require.Empty(t, checked.Violations, "the example of %s", one.Name)
		require.Empty(t, one.Text)
	}
	_, err = e.front.Policy(t.Context(), "nope")
	require.ErrorIs(t, err, runner.ErrInput)
	bundles, err := e.front.Bundles(t.Context())
	require.NoError(t, err)
	require.Empty(t, bundles)
	_, err = e.front.Bundle(t.Context(), "nope")
	require.ErrorIs(t, err, runner.ErrInput)
	_, err = e.front.Tools(t.Context())
	require.NoError(t, err)
	checked, err := e.front.Check(t.Context(), "user:anna", job.Request{Policy: "interpreter", Code: []byte("import ctypes\n")})
	require.NoError(t, err)
	require.NotEmpty(t, checked.Violations)
	require.Error(t, e.front.Resolve(t.Context(), "user:anna", job.Request{Policy: "table-query", Code: []byte("1")}), "it needs a bundle")
}

// The administrator's tools are the only ones that principals have.
func TestPrincipalsCallToolsOfTheHost(t *testing.T) {
	dir := t.TempDir()
	lookup := filepath.Join(dir, "lookup")
	require.NoError(t, os.WriteFile(lookup, []byte("#!/bin/sh\ncat\n"), 0o700))
	t.Setenv("HOTCELL_TEST_POLICIES", filepath.Join(dir, "policies"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tools.yaml"), []byte("version: 1\ntools:\n  - {name: lookup, command: ["+lookup+"], policies: [workflow-step]}\n"), 0o600))
	e := newFrontedEngine(t)
	tools, err := e.front.Tools(t.Context())
	require.NoError(t, err)
	require.Contains(t, tools, api.ToolInfo{Policy: "workflow-step", Name: "lookup"})
	id := job.NewID(time.Now())
	events := e.run(id, job.Request{Policy: "workflow-step", Code: []byte("result = context.tools.call('lookup', {'year': 2020})\n")})
	found, err := e.front.Outcome(t.Context(), id, "user:anna")
	require.NoError(t, err)
	require.NoError(t, found.Err)
	require.JSONEq(t, `{"year": 2020}`, string(found.Response.Result.Value), "%+v", found.Response.Result)
	require.Contains(t, events, api.Event{Seq: events[callAt(events)].Seq, Type: api.EventToolCall, Data: []byte(`{"name":"lookup"}`)})
	id = job.NewID(time.Now())
	e.run(id, job.Request{Policy: "workflow-step", Code: []byte("result = context.tools.call('other', {})\n")})
	found, err = e.front.Outcome(t.Context(), id, "user:anna")
	require.NoError(t, err)
	require.Equal(t, job.Failed, found.Response.Result.Status)
}

func callAt(events []api.Event) int {
	return slices.IndexFunc(events, func(event api.Event) bool { return event.Type == api.EventToolCall })
}

// A tool that nobody could call is found before somebody needs it.
func TestToolsThatAreWrongKeepAnEngineFromAFront(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to give a file away")
	}
	catalog := new(app).policies()
	lookup := filepath.Join(t.TempDir(), "lookup")
	require.NoError(t, os.WriteFile(lookup, []byte("#!/bin/sh\n"), 0o755))
	require.NoError(t, os.Chown(lookup, nobody, -1))
	for name, test := range map[string]struct{ line, says string }{
		"for a policy without tools": {"{name: t, command: [/bin/true], policies: [study-analysis]}", "it has no tools section"},
		"for no policy":              {"{name: t, command: [/bin/true], policies: [nope]}", `there is no policy "nope"`},
		"of a program that is not":   {"{name: t, command: [/no/such], policies: [workflow-step]}", "/no/such"},
		"of a program of others":     {"{name: t, command: [" + lookup + "], policies: [workflow-step]}", "run `chown root " + lookup},
		"of a name that is none":     {"{name: 7t, command: [/bin/true], policies: [workflow-step]}", "begin with a letter"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "tools.yaml")
			require.NoError(t, os.WriteFile(file, []byte("version: 1\ntools:\n  - "+test.line+"\n"), 0o600))
			require.ErrorContains(t, checkTools(catalog, policy.HostTools{File: file}), test.says)
		})
	}
}

func TestAPolicysToolThatOthersCouldWriteKeepsAnEngineFromAFront(t *testing.T) {
	dir := t.TempDir()
	lookup := filepath.Join(dir, "lookup")
	require.NoError(t, os.WriteFile(lookup, []byte("#!/bin/sh\n"), 0o755))
	text, err := policies.Files.ReadFile("workflow-step.yaml")
	require.NoError(t, err)
	own := strings.NewReplacer("name: workflow-step", "name: own", `allowed: ["*"]`, "allowed: [t]", "registry: []", "registry: [{name: t, command: ["+lookup+"], schema: {type: object}}]").Replace(string(text))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "own.yaml"), []byte(own), 0o600))
	catalog := policy.NewCatalog(policies.Files, dir)
	_, err = catalog.Get("own")
	require.NoError(t, err)
	require.NoError(t, checkTools(catalog, policy.HostTools{}))
	require.NoError(t, os.Chmod(lookup, 0o757))
	require.ErrorContains(t, checkTools(catalog, policy.HostTools{}), "tool t: "+lookup+" is writable by its group or by others")
}

// What the engine had begun is never begun again; what it had not may be.
func TestARunWhoseEngineIsKilledIsInterrupted(t *testing.T) {
	e := newFrontedEngine(t)
	begun, done := job.NewID(time.Now()), job.NewID(time.Now())
	e.run(done, job.Request{Policy: "interpreter", Code: []byte("print(1)\n")})
	request := job.Request{Policy: "interpreter", Code: []byte("print('begun')\nwhile True:\n    pass\n")}
	require.NoError(t, e.front.Start(t.Context(), begun, "user:anna", request))
	_, err := e.front.Follow(t.Context(), begun, 0, func(event api.Event) error {
		if event.Type == api.EventStdout {
			return io.EOF
		}
		return nil
	})
	require.ErrorIs(t, err, io.EOF)
	require.NoError(t, e.engine.end(syscall.SIGKILL))
	_, err = e.front.Outcome(t.Context(), begun, "user:anna")
	require.ErrorIs(t, err, engineapi.ErrLost)
	e.start()
	for id, fate := range map[job.ID]engineapi.Fate{
		begun: engineapi.FateInterrupted, done: engineapi.FateEnded, job.NewID(time.Now()): engineapi.FateUnknown,
	} {
		found, err := e.front.Outcome(t.Context(), id, "user:anna")
		require.NoError(t, err)
		require.Equal(t, fate, found.Fate)
		require.Equal(t, fate == engineapi.FateEnded, found.Response.Result.Status == job.Succeeded)
	}
	require.ErrorIs(t, e.front.Start(t.Context(), begun, "user:anna", request), engineapi.ErrKnown)
	require.ErrorIs(t, e.front.Start(t.Context(), done, "user:anna", request), engineapi.ErrKnown)
	first, next, err := e.front.List(t.Context(), "", 1)
	require.NoError(t, err)
	require.NotEmpty(t, next)
	rest, next, err := e.front.List(t.Context(), next, 2)
	require.NoError(t, err)
	require.Empty(t, next, "there are no more")
	all := slices.Concat(first, rest)
	for index := range all {
		require.False(t, all[index].At.IsZero())
		require.Equal(t, all[index].Interrupted, all[index].Bytes == 0, "what a record takes of the disk")
		all[index].At, all[index].Bytes = time.Time{}, 0
	}
	require.Equal(t, []engineapi.Recorded{
		{ID: done, Principal: "user:anna", Policy: "interpreter", Status: job.Succeeded},
		{ID: begun, Principal: "user:anna", Policy: "interpreter", Interrupted: true},
	}, all)
}

func TestFrontFlagsComeTogetherAndNameNoPrivilegedUser(t *testing.T) {
	for name, test := range map[string]struct {
		flags frontFlags
		says  string
	}{
		"without a user":       {frontFlags{"/run/hotcell/front.sock", ""}, "--front-socket is given without --front-user"},
		"without a socket":     {frontFlags{"", "nobody"}, "--front-user is given without --front-socket"},
		"of root":              {frontFlags{"/run/hotcell/front.sock", "root"}, "name another user"},
		"of a user who is not": {frontFlags{"/run/hotcell/front.sock", "no such user"}, "is no user of this machine"},
		"of root's number":     {frontFlags{"/run/hotcell/front.sock", "0"}, "name another user"},
		"of an odd number":     {frontFlags{"/run/hotcell/front.sock", "065532"}, "is no user of this machine"},
		"of chown's nobody":    {frontFlags{"/run/hotcell/front.sock", "4294967295"}, "is no user of this machine"},
	} {
		t.Run(name, func(t *testing.T) {
			faults := &flagFaults{command: new(app).engineCommand()}
			test.flags.faults(faults)
			require.ErrorContains(t, faults.usage(), test.says)
		})
	}
	state := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.Mkdir(state, 0o700))
	link := state + "-link"
	require.NoError(t, os.Symlink(state, link))
	for _, socket := range []string{state + "/engine.sock", state + "/front/front.sock", link + "/front.sock", state + "/../state/engine.lock"} {
		require.ErrorContains(t, outsideState(socket, state), "--front-socket "+socket+" is in the state directory "+state)
	}
	for _, socket := range []string{state + ".sock", "/run/hotcell/front.sock", state + "-link/../front.sock"} {
		require.NoError(t, outsideState(socket, state))
	}
	for _, flags := range []frontFlags{{}, {"/run/hotcell/front.sock", "nobody"}, {"/run/hotcell/front.sock", "65532"}} {
		faults := &flagFaults{command: new(app).engineCommand()}
		flags.faults(faults)
		require.NoError(t, faults.usage())
	}
}
