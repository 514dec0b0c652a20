package docker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/durable"
)

// stateDir is the directory in which each living sandbox has a directory of its
// own, named after its ID and locked by the process that owns it. The kernel
// frees the lock when that process dies, however it dies.
type stateDir struct {
	path  string
	owner string // durable.Owner: what we label our containers with
}

const (
	lockFile = "lock"
	// A directory is made and locked under this prefix and then gets its name, so
	// that Sweep never meets one that is not locked yet.
	newPrefix = ".new-"
	// newGrace is how long making and locking one may take before Sweep removes it.
	newGrace = time.Minute
	// A directory gets this prefix before it is removed: one that is half removed has no lock
	// any more, and under its own name looks like one whose owner is still at it.
	oldPrefix = ".old-"
)

func openState(path string) (*stateDir, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("resolve state directory: %w", err)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("make state directory: %w", err)
	}
	owner, err := durable.Owner(path)
	if err != nil {
		return nil, err
	}
	return &stateDir{path: path, owner: owner}, nil
}

// runDir is the directory of one sandbox. Whoever has one holds its lock.
type runDir struct {
	path string
	lock *os.File
}

// create makes and locks the directory of id.
func (s *stateDir) create(id container.ID) (*runDir, error) {
	temporary, err := os.MkdirTemp(s.path, newPrefix)
	if err != nil {
		return nil, fmt.Errorf("make sandbox directory: %w", err)
	}
	lock, err := tryLock(temporary, os.O_CREATE)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock sandbox directory: %w", err), os.RemoveAll(temporary))
	}
	path := filepath.Join(s.path, id.String())
	err = s.sign(temporary)
	if err == nil {
		err = renameNew(temporary, path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sign sandbox directory: %w", err), lock.Close(), os.RemoveAll(temporary))
	}
	return &runDir{path: path, lock: lock}, nil
}

// tryLock locks a sandbox's directory without waiting.
func tryLock(path string, flag int) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(path, lockFile), os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK|flag, 0o600)
	if err != nil {
		return nil, err
	}
	if err := durable.TryLock(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// sign writes into a sandbox's directory whose it is. A copy of the state directory
// has copies of these, with locks that nobody holds: they look like those of a dead
// owner, whose container and control group are to be removed.
func (s *stateDir) sign(path string) error { return writeInto(path, durable.OwnerFile, s.owner) }

// writeInto makes a file in a sandbox's directory.
func writeInto(path, name, content string) error {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	return errors.Join(durable.WriteFile(dir, name, []byte(content)), dir.Close())
}

// dropCopy removes a sandbox's directory that was copied from another state
// directory, and nothing of the sandbox, which is not this one's to end.
func (s *stateDir) dropCopy(id container.ID) (dropped bool, err error) {
	path := filepath.Join(s.path, id.String())
	copied, err := durable.OwnedElsewhere(filepath.Join(path, durable.OwnerFile), s.owner)
	if err != nil || !copied {
		return false, err
	}
	return true, discard(path)
}

// discard removes a sandbox's directory, of which nothing but files is left. It may be
// called again, and by several. Whoever dies meanwhile leaves what the next Sweep removes.
func discard(path string) error { return discardBy(path, os.RemoveAll) }

func discardBy(path string, removeAll func(string) error) error {
	old := filepath.Join(filepath.Dir(path), oldPrefix+filepath.Base(path))
	if err := os.RemoveAll(old); err != nil { // what a call before could not
		return err
	}
	err := renameNew(path, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) { // or another has
		return err
	}
	return removeAll(old)
}

// renameNew is a rename within a directory that does not take the place of an empty directory.
func renameNew(from, to string) error {
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", to, errors.Join(fs.ErrExist, err))
	}
	dir, err := os.OpenRoot(filepath.Dir(from))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Rename(filepath.Base(from), filepath.Base(to))
}

// remove deletes the directory and frees the lock, in this order. It may be called
// again.
func (d *runDir) remove() error {
	if err := discard(d.path); err != nil {
		return fmt.Errorf("remove sandbox directory: %w", err)
	}
	if err := d.lock.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("free sandbox directory: %w", err)
	}
	return nil
}

// dead returns the IDs whose owner is dead, each with its lock taken. Those of
// living owners are left alone.
func (s *stateDir) dead() (map[container.ID]*runDir, error) {
	entries, err := os.ReadDir(s.path)
	if err != nil {
		return nil, fmt.Errorf("read state directory: %w", err)
	}
	found := map[container.ID]*runDir{}
	var faults []error
	for _, entry := range entries {
		id, err := container.ParseID(entry.Name())
		if err != nil || !entry.IsDir() {
			faults = append(faults, s.removeUnfinished(entry))
			continue
		}
		if dropped, err := s.dropCopy(id); err != nil || dropped {
			faults = append(faults, err)
			continue
		}
		dir, err := s.takeOver(id)
		faults = append(faults, err)
		if dir != nil {
			found[id] = dir
		}
	}
	return found, errors.Join(faults...)
}

// takeOver returns nil when id's owner is alive.
func (s *stateDir) takeOver(id container.ID) (*runDir, error) {
	path := filepath.Join(s.path, id.String())
	// Never create: a directory that its owner is removing right now would get a
	// new lock file in it.
	lock, err := tryLock(path, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.adopt(path)
	case errors.Is(err, durable.ErrBusy):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("lock sandbox directory: %w", err)
	}
	// Its owner may have removed it between our opening and our locking.
	switch exists, err := s.exists(id); {
	case err != nil:
		return nil, errors.Join(fmt.Errorf("look for sandbox directory: %w", err), lock.Close())
	case !exists:
		return nil, lock.Close()
	}
	return &runDir{path: path, lock: lock}, nil
}

// adopt takes a directory without a lock file: one that something else than discard has
// begun to remove.
func (s *stateDir) adopt(path string) (*runDir, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && time.Since(info.ModTime()) < newGrace {
		return nil, nil // its owner is at it
	}
	if err != nil {
		return nil, fmt.Errorf("look at sandbox directory: %w", err)
	}
	lock, err := tryLock(path, os.O_CREATE)
	if errors.Is(err, durable.ErrBusy) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock sandbox directory: %w", err)
	}
	return &runDir{path: path, lock: lock}, nil
}

// removeUnfinished removes what a process that died while making a directory, or
// removing one, left behind.
func (s *stateDir) removeUnfinished(entry fs.DirEntry) error {
	if strings.HasPrefix(entry.Name(), oldPrefix) {
		return os.RemoveAll(filepath.Join(s.path, entry.Name()))
	}
	if !strings.HasPrefix(entry.Name(), newPrefix) {
		return nil
	}
	info, err := entry.Info()
	if errors.Is(err, fs.ErrNotExist) || err == nil && time.Since(info.ModTime()) < newGrace {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at unfinished directory: %w", err)
	}
	return os.RemoveAll(filepath.Join(s.path, entry.Name()))
}

// exists says whether id has a directory, whoever owns it.
func (s *stateDir) exists(id container.ID) (bool, error) {
	_, err := os.Lstat(filepath.Join(s.path, id.String()))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
