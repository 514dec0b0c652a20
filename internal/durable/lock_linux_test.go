package durable_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/durable"
)

// opened counts this process's descriptors of a file.
func opened(t *testing.T, path string) (count int) {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == path {
			count++
		}
	}
	return count
}

// A lock on a file that has lost its name keeps nobody out.
func TestWhoWaitedForALockThatIsGoneWaitsForTheNext(t *testing.T) {
	for name, exchange := range map[string]func(path string) error{
		"removed":   os.Remove,
		"exchanged": func(path string) error { return os.Rename(path+"2", path) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lock")
			require.NoError(t, os.WriteFile(path+"2", nil, 0o600))
			first, err := durable.Lock(t.Context(), path)
			require.NoError(t, err)
			var second *os.File
			waited := make(chan error)
			go func() {
				var err error
				second, err = durable.Lock(t.Context(), path)
				waited <- err
			}()
			require.Eventually(t, func() bool { return opened(t, path) == 2 }, time.Minute, time.Millisecond)
			require.NoError(t, exchange(path))
			require.NoError(t, first.Close())
			require.NoError(t, <-waited)
			third, err := os.Open(path)
			require.NoError(t, err)
			require.ErrorIs(t, durable.TryLock(third), durable.ErrBusy)
			require.NoError(t, second.Close())
			require.NoError(t, third.Close())
		})
	}
}
