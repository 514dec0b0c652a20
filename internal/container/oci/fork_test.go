//go:build linux

package oci

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/image/imagetest"
)

// pretending is a sandbox whose runtime's process, and whose fork, is this test's.
func pretending() *sandbox {
	self := &child{pid: os.Getpid(), done: make(chan struct{})}
	return &sandbox{anchor: &anchor{self}, guard: &guardProcess{self}}
}

func TestAForkIsNotTheRuntimesProcess(t *testing.T) {
	require.ErrorContains(t, pretending().adoptFork(t.Context(), opened(t, os.Getpid())), "gives itself out for the runtime's process")
}

func TestAForkInAnotherNamespaceIsRefusedAndLeftAlone(t *testing.T) {
	if os.Geteuid() != 0 {
		imagetest.Lacking(t, "needs root")
	}
	other := startIdle(t, unix.CLONE_NEWUTS)
	s := pretending()
	before := s.guard
	require.ErrorContains(t, s.adoptFork(t.Context(), opened(t, other.Pid)), "the fork is not in the sandbox's uts namespace")
	require.Same(t, before, s.guard, "it may be another sandbox's: nobody kills it or waits for it")
	require.NoError(t, other.Kill())
	_, err := other.Wait()
	require.NoError(t, err, "its own end is still there to be had")
}

func TestOnlyWhatIsInTheTemplatesGroupHasSaidSomething(t *testing.T) {
	requireUsable(t, "crun")
	f := &fork{template: &template{box: &sandbox{group: ownGroup(t)}}}
	process := startIdle(t, 0)
	_, err := f.openSender(process.Pid)
	require.ErrorContains(t, err, "has not come from its template", "whoever has the number of one that has ended")
	require.NoError(t, f.template.box.group.AddProc(process.Pid))
	found, err := f.openSender(process.Pid)
	require.NoError(t, err)
	require.NoError(t, found.handle.Close())
}

// ownGroup makes a control group of this test's.
func ownGroup(t *testing.T) *cgroup.Group {
	t.Helper()
	h, err := hostIn(t.Context(), t.TempDir(), "crun")
	require.NoError(t, err)
	require.NoError(t, cgroup.MakePlace(h.cgroups))
	t.Cleanup(func() { require.NoError(t, cgroup.Remove(h.cgroups)) })
	resources := container.Resources(spec().Limits)
	resources.Devices = nil
	group, err := cgroup.Create(filepath.Join(h.cgroups, container.NewID().String()), resources)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(group.Kill(context.Background()), group.Delete())) })
	return group
}

func TestAProcessThatHasBeenWaitedForIsNobody(t *testing.T) {
	gone := startIdle(t, 0)
	process := opened(t, gone.Pid)
	require.NoError(t, process.requireThere())
	require.NoError(t, gone.Kill())
	_, err := gone.Wait()
	require.NoError(t, err)
	require.ErrorIs(t, process.requireThere(), unix.ESRCH)
	require.Error(t, awaitChild(t.Context(), process), "its number may be another's by now")
}

func opened(t *testing.T, pid int) *child {
	t.Helper()
	process, err := openChild(pid)
	require.NoError(t, err)
	t.Cleanup(func() { _ = process.handle.Close() }) // what is refused is closed already
	return process
}

// startIdle starts a process in new namespaces. It has begun when this returns, and opens
// and does nothing any more: its loader has closed the libraries' files.
func startIdle(t *testing.T, namespaces uintptr) *os.Process {
	t.Helper()
	return startProgram(t, "/bin/cat", namespaces)
}

// startProgram is startIdle with a copy of cat.
func startProgram(t *testing.T, cat string, namespaces uintptr) *os.Process {
	t.Helper()
	input, hold, err := os.Pipe()
	require.NoError(t, err)
	defer input.Close()
	echo, output, err := os.Pipe()
	require.NoError(t, err)
	defer echo.Close()
	defer output.Close()
	process, err := os.StartProcess(cat, []string{"cat"}, &os.ProcAttr{
		Files: []*os.File{input, output},
		Sys:   &syscall.SysProcAttr{Cloneflags: namespaces},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = process.Kill(), hold.Close(); _, _ = process.Wait() }) // whatever became of it
	_, err = hold.WriteString("begun")
	require.NoError(t, err)
	_, err = io.ReadFull(echo, make([]byte, len("begun")))
	require.NoError(t, err)
	return process
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
		imagetest.Lacking(t, "needs root")
	}
	guard := &guardProcess{&child{pid: startIdle(t, 0).Pid, done: make(chan struct{})}}
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

// A template that was taken over has each of its forks take as long as it may.
func TestAForkThatSaysNothingIsNotWaitedForWithoutEnd(t *testing.T) {
	f, _ := talk(t)
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(10*time.Millisecond, func() { cancel(late) })
	_, err := f.hear(ctx, 'U')
	require.ErrorIs(t, err, late)
	other := opened(t, startIdle(t, 0).Pid)
	require.NoError(t, awaitChild(t.Context(), other))
	ours, err := openChild(os.Getpid()) // which is never this process's child
	require.NoError(t, err)
	defer ours.handle.Close()
	require.ErrorIs(t, awaitChild(ctx, ours), late)
}

func TestWhatOutlastsAContextEndsToo(t *testing.T) {
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	later, end := outlast(ctx, time.Millisecond)
	defer end()
	require.NoError(t, later.Err())
	cancel(late)
	<-later.Done()
	require.ErrorIs(t, context.Cause(later), late)
}

func TestWhoGivesUpTakesNoOthersForkAlong(t *testing.T) {
	f, other := talk(t)
	ctx, giveUp := context.WithCancelCause(t.Context())
	gone := errors.New("nobody waits any more")
	asked := &template{control: f.control, preparation: container.Preparation{Await: func(r io.Reader) error {
		giveUp(gone)
		_, err := r.Read(make([]byte, 1))
		return err
	}}}
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
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
	const templates = 1000
	ids := container.DefaultIDRange()
	users := map[uint32]bool{}
	for range templates {
		user, err := templateUser(container.NewID())
		require.NoError(t, err)
		require.GreaterOrEqual(t, user, ids.First+ids.Count)
		require.Less(t, user, uint32(1)<<31)
		users[user] = true
	}
	require.Greater(t, len(users), templates*99/100, "users of a thousand templates")
	_, err := templateUser(container.ID{})
	require.Error(t, err)
}
