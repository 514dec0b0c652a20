//go:build linux

package oci

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// pretending is a sandbox whose runtime's process, and whose fork, is this test's.
func pretending() *sandbox {
	self := &child{pid: os.Getpid(), done: make(chan struct{})}
	return &sandbox{anchor: &anchor{self}, guard: &guardProcess{self}}
}

func TestAForkIsNotTheRuntimesProcess(t *testing.T) {
	require.ErrorContains(t, pretending().adoptFork(t.Context(), os.Getpid()), "gives itself out for the runtime's process")
}

func TestAForkInAnotherNamespaceIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	other := startUnshared(t)
	err := pretending().adoptFork(t.Context(), other)
	require.ErrorContains(t, err, "the fork is not in the sandbox's uts namespace")
}

// startUnshared starts a process in a uts namespace of its own.
func startUnshared(t *testing.T) int {
	t.Helper()
	process, err := os.StartProcess("/bin/sleep", []string{"sleep", "100"}, &os.ProcAttr{
		Sys: &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUTS},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, process.Kill()) }) // it is adopted, and waited for
	return process.Pid
}

func TestAForkWithFewerFiltersOrMoreDescriptorsIsRefused(t *testing.T) {
	require.ErrorContains(t, threeFilters(pretending()), "filters, not 3")
	require.ErrorContains(t, onlyTheProtocol(pretending()), "open descriptors, not 5")
}

// A fork has the locks of all threads of its template, and only one of them goes on.
func TestATemplateWithThreadsIsNotForked(t *testing.T) {
	asked := &template{box: pretending()} // this test has many
	require.ErrorContains(t, asked.demand(), "can fork safely with one only: a library that it has imported starts threads")
}

func TestATemplateWithOneThreadIsForked(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	guard := &guardProcess{&child{pid: startUnshared(t), done: make(chan struct{})}}
	require.NoError(t, (&template{box: &sandbox{guard: guard}}).requireSingle())
}

// talk returns a fork whose other end is the test's.
func talk(t *testing.T) (*fork, *net.UnixConn) {
	t.Helper()
	f := &fork{template: &template{}}
	theirs, err := f.open()
	require.NoError(t, err)
	defer theirs.Close()
	connection, err := net.FileConn(theirs)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, connection.Close())
		require.NoError(t, f.control.Close())
	})
	return f, connection.(*net.UnixConn)
}

func TestWhoAForkIsTheKernelTells(t *testing.T) {
	f, other := talk(t)
	_, err := other.Write([]byte{'E'})
	require.NoError(t, err)
	pid, err := f.hear(t.Context(), 'E')
	require.NoError(t, err)
	require.Equal(t, os.Getpid(), pid)
}

func TestWhatAForkSaysIsHeldToOneByte(t *testing.T) {
	for said, want := range map[string]string{
		"U": `the fork said "U" where 'E' was due`, "EE": `said "EE"`, "!no user namespace\n\x1b[0m": `the fork failed: "no user namespace\n\x1b[0m"`,
	} {
		f, other := talk(t)
		_, err := other.Write([]byte(said))
		require.NoError(t, err)
		_, err = f.hear(t.Context(), 'E')
		require.ErrorContains(t, err, want)
	}
	f, other := talk(t)
	require.NoError(t, other.CloseWrite())
	_, err := f.hear(t.Context(), 'E')
	require.Error(t, err, "nothing more will be said")
}

func TestWhoGivesUpTakesNoOthersForkAlong(t *testing.T) {
	f, other := talk(t)
	asked := &template{control: f.control, preparation: container.Preparation{Await: func(r io.Reader) error {
		_, err := r.Read(make([]byte, 1))
		return err
	}}}
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	ctx, giveUp := context.WithCancelCause(t.Context())
	gone := errors.New("nobody waits any more")
	time.AfterFunc(time.Millisecond, func() { giveUp(gone) })
	require.ErrorIs(t, asked.untilPrepared(ctx, reader), gone)
	require.NoError(t, errors.Join(reader.Close(), writer.Close()))
	_, err = asked.control.Write([]byte{'F'})
	require.NoError(t, err, "the template can be asked for the next one")
	require.NoError(t, other.SetReadDeadline(time.Now().Add(time.Minute)))
	_, err = other.Read(make([]byte, 1))
	require.NoError(t, err)
}

func TestAMessageWithoutCredentialsIsNobodys(t *testing.T) {
	for _, control := range [][]byte{nil, unix.UnixRights(0), {1, 2, 3}} {
		_, err := sender(control)
		require.Error(t, err)
	}
}

func TestTemplatesAreUsersApartFromSandboxes(t *testing.T) {
	ids := container.DefaultIDRange()
	for range 1000 {
		user := templateUser(container.NewID())
		require.GreaterOrEqual(t, user, ids.First+ids.Count)
		require.Less(t, user, uint32(1)<<31)
	}
}

func TestOnlyTheEndOfWhatATemplatePrintsIsKept(t *testing.T) {
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	var kept lastLines
	done := make(chan struct{})
	go func() { kept.keep(reader); close(done) }()
	for range 100 {
		_, err := writer.WriteString("0123456789012345678901234567890123456789012345678901234567890123456789\n")
		require.NoError(t, err)
	}
	_, err = writer.WriteString("the end\n")
	require.NoError(t, errors.Join(err, writer.Close()))
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it reads on after the end")
	}
	require.LessOrEqual(t, len(kept.text()), maxLastLines)
	require.Contains(t, kept.text(), "the end")
	require.NoError(t, reader.Close())
}
