package durable

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A draft that nobody may write any more is discarded by a user who is not root, too: the kernel
// asks its mode of them.
func TestAClosedDraftIsDiscardedByAnybody(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chmod(dir, 0o777))
		for above := filepath.Dir(dir); above != os.TempDir() && above != "/"; above = filepath.Dir(above) {
			require.NoError(t, os.Chmod(above, 0o755))
		}
	}
	discarded := make(chan error, 1)
	go func() { discarded <- asNobody(func() error { return discardClosed(filepath.Join(dir, "draft")) }) }()
	require.NoError(t, <-discarded)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func discardClosed(path string) error {
	draft, err := NewDraft(path)
	if err != nil {
		return err
	}
	err = errors.Join(draft.Root().Mkdir("below", 0o700), WriteFile(draft.Root(), "below/file", nil), WriteFile(draft.Root(), "file", nil))
	return errors.Join(err, SetModes(draft.Root(), 0o444, 0o555), draft.Discard())
}

// asNobody has a thread, which ends with its goroutine, be a user without rights.
func asNobody(do func() error) error {
	runtime.LockOSThread()
	if os.Geteuid() == 0 {
		if _, _, fault := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), 65534, ^uintptr(0)); fault != 0 {
			return fault
		}
	}
	return do()
}
