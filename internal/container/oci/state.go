//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/durable"
)

// Files in a sandbox's directory.
const (
	configFile = "config.json"
	logFile    = "runtime.log"
	pidFile    = "pid"
	// ownerFile says whose the sandbox is, as its lock does.
	ownerFile = durable.OwnerFile
	// placeFile says below which group the sandbox's is.
	placeFile = "cgroup"
)

// Names of a sandbox's mount points.
const (
	rootFSDir = "rootfs"
	bundleDir = "bundle"
	outputDir = "output"
	// scratchDir is there with gVisor only: otherwise the runtime mounts it.
	scratchDir = "scratch"
)

func (e *Engine) locksDir() string            { return filepath.Join(e.options.StateDir, "locks") }
func (e *Engine) sandboxesDir() string        { return filepath.Join(e.options.StateDir, "sandboxes") }
func (e *Engine) runtimesDir() string         { return filepath.Join(e.options.StateDir, "runtimes") }
func (e *Engine) runtimeRoot(n string) string { return filepath.Join(e.runtimesDir(), n) }
func (e *Engine) sandboxDir(id container.ID) string {
	return filepath.Join(e.sandboxesDir(), id.String())
}
func (e *Engine) lockPath(id container.ID) string { return filepath.Join(e.locksDir(), id.String()) }

func (e *Engine) makeState() error {
	for _, dir := range []string{e.options.StateDir, e.sandboxesDir(), e.locksDir(), e.runtimesDir(), mountDir} {
		if err := makeDir(dir); err != nil {
			return fmt.Errorf("make state directory: %w", err)
		}
	}
	var err error
	e.owner, err = durable.Owner(e.options.StateDir)
	return err
}

// makeDir makes dir and refuses one that another user could change.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var stat unix.Stat_t
	if err := unix.Lstat(dir, &stat); err != nil {
		return &os.PathError{Op: "lstat", Path: dir, Err: err}
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR || stat.Uid != 0 || stat.Mode&0o022 != 0 {
		return fmt.Errorf("%s is not a directory that only root can write: remove it or choose another state directory", dir)
	}
	return nil
}

var (
	// errLocked means that the owner of a sandbox is alive.
	errLocked = errors.New("sandbox has a living owner")
	// errGone means that there is no such sandbox any more.
	errGone = errors.New("sandbox is gone")
)

// lock takes the lock of a new sandbox without waiting. The caller closes the file,
// which releases it.
func (e *Engine) lock(ctx context.Context, id container.ID) (*os.File, error) {
	file, err := e.lockWith(ctx, func() (*os.File, error) { return e.openLock(id, os.O_CREATE) })
	if err != nil {
		return nil, err
	}
	if _, err := file.WriteAt([]byte(e.owner), 0); err != nil {
		return nil, errors.Join(fmt.Errorf("sign lock: %w", err), file.Close())
	}
	return file, nil
}

// isCopy tells what was copied here from another state directory: locks that nobody
// holds, and directories, of sandboxes that are not this one's to end.
func (e *Engine) isCopy(id container.ID) (bool, error) {
	for _, path := range []string{e.lockPath(id), filepath.Join(e.sandboxDir(id), ownerFile)} {
		if copied, err := durable.OwnedElsewhere(path, e.owner); err != nil || copied {
			return copied, err
		}
	}
	return false, nil
}

// lockKnown is lock for a sandbox that was seen, which its owner may have destroyed
// since: then it is errGone.
func (e *Engine) lockKnown(ctx context.Context, id container.ID) (*os.File, error) {
	return e.lockWith(ctx, func() (*os.File, error) {
		file, err := e.openLock(id, 0)
		if !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
		// A living owner removes its lock last: a directory without one has none.
		if !exists(e.sandboxDir(id)) {
			return nil, errGone
		}
		return e.openLock(id, os.O_CREATE)
	})
}

func (e *Engine) openLock(id container.ID, flag int) (*os.File, error) {
	return os.OpenFile(e.lockPath(id), os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK|flag, 0o600)
}

func (e *Engine) lockWith(ctx context.Context, open func() (*os.File, error)) (*os.File, error) {
	gate, err := e.enterGate(ctx)
	if err != nil {
		return nil, err
	}
	defer gate.Close()
	for {
		file, err := open()
		if err != nil {
			return nil, fmt.Errorf("open lock: %w", err)
		}
		current, err := lockCurrent(file)
		if err == nil && current {
			return file, nil
		}
		file.Close()
		if err != nil {
			return nil, err
		}
	}
}

// enterGate waits until nobody else of this state directory is at a lock: a sweep
// must not meet one between its owner's making and its locking. Closing the file
// opens the gate.
func (e *Engine) enterGate(ctx context.Context) (*os.File, error) {
	gate, err := os.Open(e.locksDir())
	if err != nil {
		return nil, fmt.Errorf("open directory of locks: %w", err)
	}
	if err := durable.WaitLock(ctx, gate); err != nil {
		return nil, errors.Join(fmt.Errorf("lock directory of locks: %w", err), gate.Close())
	}
	return gate, nil
}

// lockCurrent reports whether the locked file still is the one at its path: a sweeper
// may have removed it between our opening and our locking.
func lockCurrent(file *os.File) (current bool, err error) {
	err = durable.TryLock(file)
	if errors.Is(err, durable.ErrBusy) {
		return false, errLocked
	}
	if err != nil {
		return false, err
	}
	return durable.IsNamed(file)
}
