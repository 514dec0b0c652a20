//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

// A Create takes some 15 ms with crun and 30 ms with runc, so that these steps end
// it at a different place each time.
const (
	chaosRounds = 15
	chaosStep   = 3 * time.Millisecond
)

func TestCreateThatIsCancelledAnywhereLeavesNothing(t *testing.T) {
	for _, runtime := range runtimes() {
		t.Run(runtime, func(t *testing.T) {
			h := newHost(t, runtime)
			engine := h.engine(t)
			_, err := engine.Probe(t.Context(), "")
			require.NoError(t, err)
			for round := range chaosRounds {
				id := container.NewID()
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(round)*chaosStep)
				sandbox, err := engine.Create(ctx, id, spec())
				cancel()
				if err == nil {
					require.NoError(t, sandbox.Destroy(t.Context()))
				} else {
					require.ErrorIs(t, err, context.DeadlineExceeded)
				}
				requireNothingLeft(t, h, id)
			}
			requireNoChildren(t)
		})
	}
}

func TestSweepAfterAKillAnywhere(t *testing.T) {
	for _, runtime := range runtimes() {
		t.Run(runtime, func(t *testing.T) {
			h := newHost(t, runtime)
			engine := h.engine(t)
			_, err := engine.Probe(t.Context(), "")
			require.NoError(t, err)
			for round := range chaosRounds {
				marker := rand()
				killEarly(t, h, marker, 20*time.Millisecond+time.Duration(round)*2*chaosStep)
				sweepAll(t, engine)
				t.Logf("round %d", round)
				reapAll(t)
				require.Empty(t, leftBy(t, h, marker))
			}
		})
	}
}

// killEarly starts the owner of sweep_test.go and kills it at work.
func killEarly(t *testing.T, h host, marker string, after time.Duration) {
	t.Helper()
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), abandonState+"="+h.state, abandonRuntime+"="+h.runtime, abandonRootFS+"="+h.rootFS, abandonMarker+"="+marker)
	require.NoError(t, owner.Start())
	time.Sleep(after) // the moment is what the test varies
	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())
}

// sweepAll sweeps until no sandbox is known any more. One sweep may not do: a child
// that the killed owner was about to start holds copies of its locks until its exec
// or its own death.
func sweepAll(t *testing.T, engine *Engine) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := engine.Sweep(t.Context())
		require.NoError(t, err)
		left, err := engine.known()
		require.NoError(t, err)
		return len(left) == 0
	}, time.Minute, 10*time.Millisecond)
}

// reapAll waits for the orphans of a killed owner, which have become this
// process's, a subreaper's, children. All of them must be dying.
func reapAll(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		return errors.Is(err, syscall.ECHILD) || pid == 0 && len(children(t)) == 0
	}, time.Minute, time.Millisecond)
}

// children of this process, zombies among them. The anchor of its place (cgroup.Home) is
// not one of them: it ends with this process.
func children(t *testing.T) []int {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/comm")
	require.NoError(t, err)
	var pids []int
	for _, path := range paths {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		require.NoError(t, err)
		name, err := os.ReadFile(path)
		if err == nil && isChild(pid) && string(name) != "cat\n" {
			pids = append(pids, pid)
		}
	}
	return pids
}

func leftBy(t *testing.T, h host, marker string) []string {
	t.Helper()
	pids, err := containertest.HostProcesses(marker)
	require.NoError(t, err)
	var left []string
	for _, pid := range pids {
		left = append(left, fmt.Sprintf("process %d", pid))
	}
	group := h.cgroups + "/" + strings.Repeat("[0-9a-f]", 32)
	for _, pattern := range []string{
		h.state + "/locks/*", h.state + "/sandboxes/*", h.state + "/runtimes/*/*", "/sys/fs/cgroup" + group, "/sys/fs/cgroup/*" + group,
	} {
		paths, err := filepath.Glob(pattern)
		require.NoError(t, err)
		left = append(left, paths...)
	}
	return left
}
