package docker

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// killer is the monitor of a container that can be killed in time, and only so.
type killer struct {
	monitor
	killed bool
}

func (k *killer) Kill(ctx context.Context, _ string) error {
	k.killed = ctx.Err() == nil
	return context.Cause(ctx)
}

// A daemon that takes long to let a container go on has not used up the time in which that
// is killed.
func TestAKillHasItsOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		watched := &killer{}
		made := &sandbox{life: container.NewLifecycle(container.NewID(), nil), fittings: fittings{monitor: watched}}
		nothing := func(context.Context) error { return nil }
		streams := container.Streams{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
		_, err := made.life.Run(streams, func() (container.Exit, error) {
			made.life.Holdable()
			held, err := made.life.Hold(t.Context(), container.Freezer{
				Freeze: nothing, Still: nothing,
				Thaw: func(context.Context) error { time.Sleep(killTimeout + time.Second); return nil },
				Open: func(context.Context) (*os.Root, error) { return os.OpenRoot(dir) },
			})
			require.NoError(t, err)
			require.NoError(t, made.kill(t.Context()))
			require.ErrorIs(t, held.Release(t.Context()), container.ErrHoldBroken)
			return container.Exit{}, nil
		})
		require.NoError(t, err)
		require.True(t, watched.killed)
	})
}
