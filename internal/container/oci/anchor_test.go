//go:build linux

package oci

import (
	"context"
	"os/exec"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// A process that is frozen, or traced, does not come to its end by SIGKILL alone.
func TestNobodyWaitsForGoodForWhatDoesNotDie(t *testing.T) {
	command := exec.Command("cat")
	_, err := command.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	defer func() { _ = command.Wait() }()
	synctest.Test(t, func(t *testing.T) {
		immortal, err := openChild(command.Process.Pid)
		require.NoError(t, err)
		defer immortal.handle.Close()
		immortal.reaping.Do(func() {}) // nobody hears of its end
		s := &sandbox{life: container.NewLifecycle(container.NewID(), nil), anchor: &anchor{immortal}, guard: &guardProcess{immortal}}
		s.spec.Limits.CPUTime = 1 << 40
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		end := s.watch(ctx, nil)
		require.True(t, end.killed)
		require.ErrorIs(t, end.err, context.DeadlineExceeded)
		require.ErrorContains(t, end.err, "was killed and lives on")
		require.ErrorIs(t, s.anchor.end(ctx), context.Canceled, "Destroy has a deadline of its caller's")
	})
}
