package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// ledger is what the chain says of the runs' records: the hash of each. It is read again when
// the chain has grown, or is another.
type ledger struct {
	mu    sync.Mutex
	look  fs.FileInfo
	named map[job.ID]digest.Hex
}

// of reads the chain as far as its last whole line. A chain that does not hold names nothing.
func (l *ledger) of(ctx context.Context, view *View) (map[job.ID]digest.Hex, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	info, err := os.Lstat(view.chain.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if l.look != nil && os.SameFile(l.look, info) && l.look.Size() == info.Size() && l.look.ModTime().Equal(info.ModTime()) {
		return l.named, nil
	}
	named := map[job.ID]digest.Hex{}
	err = view.each(ctx, func(event Event) error {
		if _, twice := named[event.RunID]; event.Kind == KindRun && !twice {
			named[event.RunID] = event.Subject(RoleRecord)
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrTorn) {
		return nil, err
	}
	l.look, l.named = info, named
	return named, nil
}

// openDir opens a directory of the store's own. What is a link, or no directory, is an error
// before it is opened: a pipe would be waited for.
func openDir(path string) (*os.Root, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is no directory of this store: it is a %s", path, info.Mode().Type())
	}
	return os.OpenRoot(path)
}

// openFile is openDir for a regular file.
func openFile(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file of this store: it is a %s", path, info.Mode().Type())
	}
	return os.Open(path)
}
