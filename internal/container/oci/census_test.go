//go:build linux

package oci

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/image/imagetest"
)

// asked is a template that is an idle process in a control group of the test's.
func asked(t *testing.T) *template {
	t.Helper()
	requireUsable(t, "crun")
	made := &template{box: &sandbox{group: ownGroup(t), guard: &guardProcess{opened(t, startIdle(t, 0).Pid)}}}
	require.NoError(t, made.box.group.AddProc(made.box.guard.pid))
	require.NoError(t, made.beginCensus())
	return made
}

func TestATemplateThatForksMoreThanItWasAskedForIsKilled(t *testing.T) {
	made := asked(t)
	fork := startIdle(t, 0)
	require.NoError(t, made.box.group.AddProc(fork.Pid))
	made.census.expect(fork.Pid)
	require.NoError(t, made.requireAlone(t.Context(), nil), "it was asked for")
	made.census.forget(fork.Pid)
	require.ErrorIs(t, made.requireAlone(t.Context(), nil), errStrangers)
	<-made.Dead()
}

// As many descriptors as before are no sign that they are the same.
func TestATemplateThatKeepsDescriptorsIsKilled(t *testing.T) {
	made := asked(t)
	require.NotEmpty(t, made.census.handles)
	made.census.handles[0] = "another"
	require.ErrorIs(t, made.requireAlone(t.Context(), nil), errStrangers)
}

func TestAnotherForkThatHoldsARunsPipeIsNotLeftThere(t *testing.T) {
	made := asked(t)
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer reader.Close()
	keeper, err := os.StartProcess("/bin/sleep", []string{"sleep", "100"}, &os.ProcAttr{Files: []*os.File{nil, nil, nil, writer}})
	require.NoError(t, err)
	defer func() { _ = keeper.Kill(); _, _ = keeper.Wait() }()
	require.NoError(t, writer.Close())
	require.NoError(t, made.box.group.AddProc(keeper.Pid))
	made.census.expect(keeper.Pid) // on its way
	var stat unix.Stat_t
	require.NoError(t, unix.Fstat(int(reader.Fd()), &stat))
	alone, err := made.isAlone([]uint64{stat.Ino})
	require.NoError(t, err)
	require.False(t, alone)
	alone, err = made.isAlone([]uint64{stat.Ino + 1})
	require.NoError(t, err)
	require.True(t, alone)
}

// A deadline ends no read of a descriptor that is blocking.
func TestLookingAtPipesLeavesTheirDeadlines(t *testing.T) {
	p, err := newPipes(false)
	require.NoError(t, err)
	defer p.Close()
	_, err = p.inodes()
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { _, err := p.out.read.Read(make([]byte, 1)); ended <- err }()
	require.NoError(t, p.out.read.SetReadDeadline(time.Now()))
	select {
	case err := <-ended:
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	case <-time.After(time.Minute):
		t.Fatal("it reads on")
	}
}

func TestAForkOnItsWayIsWaitedFor(t *testing.T) {
	made := asked(t)
	fork := startIdle(t, 0)
	require.NoError(t, made.box.group.AddProc(fork.Pid))
	alone, err := made.isAlone(nil)
	require.NoError(t, err)
	require.False(t, alone)
	require.NoError(t, fork.Kill())
	require.NoError(t, made.requireAlone(t.Context(), nil))
}

func TestAForkThatSharesMemoryIsRefused(t *testing.T) {
	shared, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
	require.NoError(t, err)
	require.ErrorContains(t, nothingShared(pretending()), "shares memory with others")
	require.NoError(t, unix.Munmap(shared))
}

// What is written to such a file later on is seen in a private mapping of it, too.
func TestAForkThatMapsAFileThatIsNotOfItsImageIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		imagetest.Lacking(t, "needs root")
	}
	file, err := unix.MemfdCreate("another", unix.MFD_CLOEXEC)
	require.NoError(t, err)
	program := os.NewFile(uintptr(file), "another")
	defer program.Close()
	content, err := os.ReadFile("/bin/cat")
	require.NoError(t, err)
	_, err = program.Write(content)
	require.NoError(t, err)
	mapping := startProgram(t, fmt.Sprint("/proc/self/fd/", file), 0)
	err = nothingShared(&sandbox{guard: &guardProcess{opened(t, mapping.Pid)}})
	require.ErrorContains(t, err, "shares memory with others")
	require.ErrorContains(t, err, "memfd:another")
}

func TestAForkThatMapsFilesOfItsImageIsAccepted(t *testing.T) {
	if os.Geteuid() != 0 {
		imagetest.Lacking(t, "needs root")
	}
	mapping := startIdle(t, 0) // of this machine's own root file system, as its libraries are
	require.NoError(t, nothingShared(&sandbox{guard: &guardProcess{opened(t, mapping.Pid)}}))
}
