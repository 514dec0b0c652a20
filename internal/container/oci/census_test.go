//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/image/imagetest"
)

// asked is a template that is an idle process in a control group of the test's.
func asked(t *testing.T) *template {
	t.Helper()
	requireUsable(t, "crun")
	return askedIn(t, startIdle(t, 0))
}

func askedIn(t *testing.T, process *os.Process) *template {
	t.Helper()
	box := &sandbox{group: ownGroup(t), guard: &guardProcess{opened(t, process.Pid)}}
	made := &template{box: box, turn: make(chan struct{}, 1)}
	require.NoError(t, box.group.AddProc(box.guard.pid))
	var err error
	made.holds, err = holdingsOf(box.guard.pid)
	require.NoError(t, err)
	return made
}

func nothingMore() error { return nil }

func requireKilled(t *testing.T, made *template) {
	t.Helper()
	select {
	case <-made.Dead():
	case <-time.After(time.Minute):
		t.Fatal("it lives")
	}
}

func TestATemplateThatForksMoreThanItWasAskedForIsKilled(t *testing.T) {
	made := asked(t)
	require.NoError(t, made.requireAlone(t.Context(), nothingMore))
	require.NoError(t, made.box.group.AddProc(startIdle(t, 0).Pid))
	require.ErrorIs(t, made.requireAlone(t.Context(), nothingMore), errStrangers)
	requireKilled(t, made)
}

// It would be asked again, until nobody sees it.
func TestATemplateOfWhichSomethingIsSeenIsKilled(t *testing.T) {
	made := asked(t)
	seen := errors.New("its fork shares memory")
	require.ErrorIs(t, made.requireAlone(t.Context(), func() error { return seen }), seen)
	requireKilled(t, made)
}

func TestATemplateThatSharesMemoryIsKilled(t *testing.T) {
	requireUsable(t, "crun")
	made := askedIn(t, startProgram(t, catElsewhere(t), 0))
	require.ErrorContains(t, made.requireAlone(t.Context(), nothingMore), "shares memory with others")
	requireKilled(t, made)
}

// As many descriptors as before are no sign that they are the same.
func TestATemplateThatKeepsDescriptorsIsKilled(t *testing.T) {
	made := asked(t)
	require.NotEmpty(t, made.holds.open)
	made.holds.open[0] = "another"
	require.ErrorIs(t, made.requireAlone(t.Context(), nothingMore), errStrangers)
}

// Through a current directory that is a sandbox's its files can be read, and in its namespaces
// what is done there is seen.
func TestATemplateThatIsElsewhereIsKilled(t *testing.T) {
	for _, place := range []string{"cwd", "root", "mnt", "user", "net"} {
		made := asked(t)
		index := slices.IndexFunc(made.holds.places, func(one string) bool { return strings.HasPrefix(one, place+" ") })
		require.NotEqual(t, -1, index, place)
		made.holds.places[index] += "0"
		require.ErrorIs(t, made.requireAlone(t.Context(), nothingMore), errStrangers, place)
	}
}

// What moves from place to place while it is looked at is in none of them.
func TestNothingRunsWhileItIsLookedAt(t *testing.T) {
	made := asked(t)
	other := ownGroup(t)
	spins := exec.CommandContext(t.Context(), "/bin/sh", "-c", "while :; do :; done")
	require.NoError(t, spins.Start())
	t.Cleanup(func() { _ = spins.Wait() })
	require.NoError(t, other.AddProc(spins.Process.Pid))
	used := func() time.Duration {
		used, err := other.CPUTime()
		require.NoError(t, err)
		return used
	}
	grows := func() {
		before := used()
		require.Eventually(t, func() bool { return used() > before }, time.Minute, time.Millisecond)
	}
	grows()
	require.NoError(t, made.requireAlone(t.Context(), func() error {
		before := used()
		time.Sleep(10 * time.Millisecond) // in which it would have run
		require.Equal(t, before, used())
		return nil
	}, other))
	grows()
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
	alone, err := made.isAlone()
	require.NoError(t, err)
	require.False(t, alone)
	time.AfterFunc(100*time.Millisecond, func() { _ = fork.Kill() })
	require.NoError(t, made.requireAlone(t.Context(), nothingMore))
}

// Where two could be on their way, one could have what is another's.
func TestOneSandboxAtATimeIsMadeFromATemplate(t *testing.T) {
	made := asked(t)
	require.NoError(t, made.takeTurn(t.Context()))
	gone := errors.New("nobody waits any more")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	require.ErrorIs(t, made.takeTurn(ctx), gone)
	require.NoError(t, made.endTurn(t.Context(), false))
	require.NoError(t, made.takeTurn(t.Context()))
	require.NoError(t, made.box.group.AddProc(startIdle(t, 0).Pid))
	require.ErrorIs(t, made.endTurn(t.Context(), false), errStrangers)
	requireKilled(t, made)
}

// Those who have waited for their turn are not to wait for what will not come.
func TestWhereATemplateHasEndedNobodyWaits(t *testing.T) {
	made := asked(t)
	require.NoError(t, made.takeTurn(t.Context()))
	require.NoError(t, made.kill())
	requireKilled(t, made)
	require.NoError(t, made.kill())
	require.ErrorIs(t, made.requireAlone(t.Context(), nothingMore), errTemplateEnded)
	require.ErrorIs(t, made.takeTurn(t.Context()), errTemplateEnded)
	require.NoError(t, made.endTurn(t.Context(), false))
}

// A template that was taken over has each creation take as long as it may.
func TestATurnIsNotWaitedForForLong(t *testing.T) {
	made := asked(t)
	require.NoError(t, made.takeTurn(t.Context()))
	require.ErrorIs(t, made.takeTurn(t.Context()), container.ErrBusy)
	require.NoError(t, made.box.guard.requireThere(), "it is no fault of the template's")
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
	mapping := startProgram(t, catElsewhere(t), 0)
	err := nothingShared(&sandbox{guard: &guardProcess{opened(t, mapping.Pid)}})
	require.ErrorContains(t, err, "shares memory with others")
	require.ErrorContains(t, err, "memfd:another")
	require.ErrorContains(t, err, "wants images and bundles on one")
}

// catElsewhere is a copy of cat that is on no root file system.
func catElsewhere(t *testing.T) string {
	t.Helper()
	file, err := unix.MemfdCreate("another", unix.MFD_CLOEXEC)
	require.NoError(t, err)
	program := os.NewFile(uintptr(file), "another")
	t.Cleanup(func() { program.Close() })
	content, err := os.ReadFile("/bin/cat")
	require.NoError(t, err)
	_, err = program.Write(content)
	require.NoError(t, err)
	return fmt.Sprint("/proc/self/fd/", file)
}

func TestAForkThatMapsFilesOfItsImageIsAccepted(t *testing.T) {
	if os.Geteuid() != 0 {
		imagetest.Lacking(t, "needs root")
	}
	mapping := startIdle(t, 0) // of this machine's own root file system, as its libraries are
	require.NoError(t, nothingShared(&sandbox{guard: &guardProcess{opened(t, mapping.Pid)}}))
}
