package durable_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
)

func TestLockIsHeldByOneAndReleasedByClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := durable.Lock(t.Context(), path)
	require.NoError(t, err)
	info, err := held.Stat()
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())

	second, err := os.Open(path)
	require.NoError(t, err)
	defer second.Close()
	require.ErrorIs(t, durable.TryLock(second), durable.ErrBusy)
	require.NoError(t, held.Close())
	require.NoError(t, durable.TryLock(second))
}

func TestLockWaitsUntilItIsFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := durable.Lock(t.Context(), path)
	require.NoError(t, err)
	got := make(chan error)
	go func() {
		second, err := durable.Lock(t.Context(), path)
		got <- errors.Join(err, second.Close())
	}()
	select {
	case err := <-got:
		require.FailNow(t, "two hold the lock", "%v", err)
	default:
	}
	require.NoError(t, first.Close())
	require.NoError(t, <-got)
}

func TestLockGivesUpWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := durable.Lock(t.Context(), path)
	require.NoError(t, err)
	defer held.Close()
	tired := errors.New("tired")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(tired)
	_, err = durable.Lock(ctx, path)
	require.ErrorIs(t, err, tired)
}

func TestLockFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Symlink("elsewhere", filepath.Join(dir, "lock")))
	_, err := durable.Lock(t.Context(), filepath.Join(dir, "lock"))
	require.Error(t, err)
	require.NoFileExists(t, filepath.Join(dir, "elsewhere"))
}

func TestADirectoryCanBeLocked(t *testing.T) {
	dir := t.TempDir()
	first, err := os.Open(dir)
	require.NoError(t, err)
	defer first.Close()
	require.NoError(t, durable.WaitLock(t.Context(), first))
	second, err := os.Open(dir)
	require.NoError(t, err)
	defer second.Close()
	require.ErrorIs(t, durable.TryLock(second), durable.ErrBusy)
}

func TestNoLockOnWhatOthersCouldHold(t *testing.T) {
	write := func(path string) error { return os.WriteFile(path, nil, 0o600) }
	for name, plant := range map[string]func(path string) error{
		"a hard link":        func(path string) error { return errors.Join(write(path+"2"), os.Link(path+"2", path)) },
		"a pipe":             func(path string) error { return unix.Mkfifo(path, 0o600) },
		"a directory":        func(path string) error { return os.Mkdir(path, 0o700) },
		"others may read it": func(path string) error { return errors.Join(write(path), os.Chmod(path, 0o640)) },
		"another's":          func(path string) error { return errors.Join(write(path), os.Chown(path, 1000, 1000)) },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "another's" {
				asRoot(t)
			}
			path := filepath.Join(t.TempDir(), "lock")
			require.NoError(t, plant(path))
			_, err := durable.Lock(t.Context(), path)
			require.ErrorContains(t, err, path)
		})
	}
}

func TestAProgramThatWasStartedMeanwhileHoldsNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := durable.Lock(t.Context(), path)
	require.NoError(t, err)
	child := exec.CommandContext(t.Context(), "cat")
	stdin, err := child.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	require.NoError(t, held.Close())
	again, err := durable.Lock(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, errors.Join(again.Close(), stdin.Close(), child.Wait()))
}

func TestASharedLockIsHeldByManyOrByOneAlone(t *testing.T) {
	dir := t.TempDir()
	openDir := func() *os.File {
		file, err := os.Open(dir)
		require.NoError(t, err)
		t.Cleanup(func() { file.Close() })
		return file
	}
	first, second, alone := openDir(), openDir(), openDir()
	require.NoError(t, durable.WaitShared(t.Context(), first))
	require.NoError(t, durable.WaitShared(t.Context(), second))
	require.ErrorIs(t, durable.TryLock(alone), durable.ErrBusy)
	require.NoError(t, first.Close())
	require.ErrorIs(t, durable.TryLock(alone), durable.ErrBusy)
	require.NoError(t, second.Close())
	require.NoError(t, durable.TryLock(alone))
	ended, end := context.WithCancel(t.Context())
	end()
	require.ErrorIs(t, durable.WaitShared(ended, openDir()), context.Canceled)
}

// Of many who make one draft at once, one has it: those who only look whether it was left do not
// keep it from whoever has made it.
func TestOneOfManyHasADraft(t *testing.T) {
	dir := t.TempDir()
	for round := range 200 {
		path := filepath.Join(dir, strconv.Itoa(round))
		var all sync.WaitGroup
		made := make(chan *durable.Draft, 8)
		for range cap(made) {
			all.Go(func() {
				if draft, err := durable.NewOnlyDraft(path); err == nil {
					made <- draft
				}
			})
		}
		all.Wait()
		require.Len(t, made, 1, round)
		require.NoError(t, (<-made).Discard())
	}
}
