package image

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
)

// counted is a Recent whose looks take a second each.
type counted struct {
	*Recent
	dir string

	mu    sync.Mutex
	looks int
	err   error
}

func newCounted(t *testing.T, age time.Duration) *counted {
	t.Helper()
	c := &counted{dir: t.TempDir()}
	c.Recent = NewRecent(&Store{}, age)
	c.place = func(digest.Digest) string { return c.dir }
	c.rootfs = func(ctx context.Context, _ digest.Digest) (string, error) {
		c.mu.Lock()
		c.looks++
		err := c.err
		c.mu.Unlock()
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
		return c.dir, err
	}
	return c
}

func (c *counted) requireLooks(t *testing.T, want int) {
	t.Helper()
	dir, err := c.Rootfs(t.Context(), "sha256:one")
	require.NoError(t, err)
	require.Equal(t, c.dir, dir)
	require.Equal(t, want, c.looks)
}

func TestALookCountsForItsAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounted(t, 10*time.Second)
		c.requireLooks(t, 1)
		time.Sleep(9 * time.Second) // the look itself took one
		c.requireLooks(t, 1)
		time.Sleep(time.Nanosecond)
		c.requireLooks(t, 2)
		_, err := c.Rootfs(t.Context(), "sha256:another")
		require.NoError(t, err)
		require.Equal(t, 3, c.looks)
	})
}

func TestATreeThatStandsThereInsteadLooksOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounted(t, time.Hour)
		look := func() string {
			found, err := c.Look(t.Context(), "sha256:one")
			require.NoError(t, err)
			return found
		}
		first := look()
		require.Equal(t, first, look())
		require.NoError(t, os.Rename(c.dir, c.dir+".aside"))
		require.NoError(t, os.Mkdir(c.dir, 0o700))
		second, err := c.Glance("sha256:one")
		require.NoError(t, err)
		require.NotEqual(t, first, second)
		require.Equal(t, second, look())
		c.err = errors.New("it has been changed")
		_, err = c.Look(t.Context(), "sha256:another")
		require.ErrorIs(t, err, c.err)
	})
}

func TestWithoutAnAgeEveryCallHasALookThatBeganAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounted(t, 0)
		c.requireLooks(t, 1)
		time.Sleep(time.Nanosecond)
		c.requireLooks(t, 2)
		time.Sleep(time.Nanosecond)
		var all sync.WaitGroup
		all.Go(func() { c.requireShared(t) })
		time.Sleep(time.Second / 2)
		for range 20 { // too late for the one under way
			all.Go(func() { c.requireShared(t) })
		}
		all.Wait()
		require.Equal(t, 4, c.looks)
	})
}

func (c *counted) requireShared(t *testing.T) {
	if dir, err := c.Rootfs(t.Context(), "sha256:one"); dir != c.dir || err != nil {
		t.Error(dir, err)
	}
}

func TestAFailedLookIsNobodyElses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounted(t, time.Hour)
		c.requireLooks(t, 1)
		time.Sleep(2 * time.Hour)
		c.err = errors.New("changed")
		for range 2 {
			_, err := c.Rootfs(t.Context(), "sha256:one")
			require.ErrorIs(t, err, c.err)
		}
		require.Equal(t, 3, c.looks)
		c.err = nil
		c.requireLooks(t, 4)
	})
}

func TestACallerWhoGivesUpTakesNobodyAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounted(t, time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			_, err := c.Rootfs(ctx, "sha256:one")
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		all.Go(func() { c.requireShared(t) })
		synctest.Wait()
		cancel()
		all.Wait()
		require.Equal(t, 2, c.looks)
	})
}

func TestAnotherDirectoryInItsPlaceIsLookedAtAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounted(t, time.Hour)
		c.requireLooks(t, 1)
		require.NoError(t, os.Rename(c.dir, c.dir+".aside"))
		require.NoError(t, os.Mkdir(c.dir, 0o700))
		c.requireLooks(t, 2)
	})
}
