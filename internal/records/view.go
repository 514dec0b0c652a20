package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
)

// ErrNone means that there are no records in a directory, nor have there been any.
var ErrNone = errors.New("there are no records")

// View reads a store and changes nothing, not even a lock: also on a disk that is
// read-only, or of somebody else. It may be used by several goroutines at once, and while
// others write.
type View struct {
	dir    string
	chain  *chain
	ledger ledger
	own    func() (Opener, error) // nil for one that only looks
}

// TrustOwn has every event that is read held to the key in use at its place, and what the own key
// should have signed to that one. Where a line is not so, nothing is done by what the chain says:
// no record goes out, nothing is deleted, no checkpoint made. find gives nil where there is no
// key. It is called before the view is used by others; a Store has it by SignBy.
func (v *View) TrustOwn(find func() (Opener, error)) { v.own = find }

// Look opens a store for reading. What is missing is not made, and is ErrNone.
func Look(dir string) (*View, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("look at records: %w", err)
	}
	view := &View{dir: dir, chain: newChain(dir)}
	if err := view.unlinked(); err != nil {
		return nil, fmt.Errorf("look at records: %w", err)
	}
	for _, path := range []string{view.runs(), view.chain.path} {
		if _, err := os.Lstat(path); err == nil {
			return view, nil
		} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENOTDIR) {
			return nil, fmt.Errorf("look at records: %w", err)
		}
	}
	return nil, fmt.Errorf("%w in %s", ErrNone, dir)
}

// unlinked refuses a directory of the store that is a link, or no directory: what is read or
// deleted by a name below it would be something else.
func (v *View) unlinked() error {
	var faults []error
	for _, path := range []string{v.runs(), v.quarantine(), filepath.Join(v.dir, releasesDir)} {
		info, err := os.Lstat(path)
		if err == nil && !info.IsDir() {
			err = fmt.Errorf("%s is no directory of this store (%s): move it away", path, info.Mode().Type())
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENOTDIR) {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// settled is the end of the chain at a moment at which nobody writes it. Where nobody has
// ever taken the lock, nobody writes yet.
func (v *View) settled(ctx context.Context) (at end, err error) {
	lock, err := os.OpenFile(filepath.Join(v.dir, lockName), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return v.chain.tail()
	}
	if err != nil {
		return end{}, fmt.Errorf("lock records: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := durable.WaitShared(ctx, lock); err != nil {
		return end{}, err
	}
	return v.chain.tail()
}
