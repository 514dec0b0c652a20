//go:build linux

package oci

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// asked is a template that is a sleeping process in a control group of the test's.
func asked(t *testing.T) *template {
	t.Helper()
	requireUsable(t, "crun")
	made := &template{box: &sandbox{group: ownGroup(t), guard: &guardProcess{opened(t, startSleep(t, 0).Pid)}}}
	require.NoError(t, made.box.group.AddProc(made.box.guard.pid))
	require.NoError(t, made.beginCensus())
	return made
}

func TestATemplateThatForksMoreThanItWasAskedForIsKilled(t *testing.T) {
	made := asked(t)
	fork := startSleep(t, 0)
	require.NoError(t, made.box.group.AddProc(fork.Pid))
	made.census.expect(fork.Pid)
	require.NoError(t, made.requireAlone(t.Context()), "it was asked for")
	made.census.forget(fork.Pid)
	require.ErrorIs(t, made.requireAlone(t.Context()), errStrangers)
	<-made.Dead()
}

func TestATemplateThatKeepsDescriptorsIsKilled(t *testing.T) {
	made := asked(t)
	made.census.handles-- // it has one more than before
	require.ErrorIs(t, made.requireAlone(t.Context()), errStrangers)
}

func TestAForkOnItsWayIsWaitedFor(t *testing.T) {
	made := asked(t)
	fork := startSleep(t, 0)
	require.NoError(t, made.box.group.AddProc(fork.Pid))
	alone, err := made.isAlone()
	require.NoError(t, err)
	require.False(t, alone)
	require.NoError(t, fork.Kill())
	require.NoError(t, made.requireAlone(t.Context()))
}

func TestAForkThatSharesMemoryIsRefused(t *testing.T) {
	shared, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
	require.NoError(t, err)
	require.ErrorContains(t, nothingShared(pretending()), "shares memory with others")
	require.NoError(t, unix.Munmap(shared))
}
