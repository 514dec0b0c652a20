package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"hotcell/internal/durable"
)

// ErrNotEmpty is wrapped by the error for a directory that has something in it which may not be
// replaced.
var ErrNotEmpty = errors.New("not empty")

// CheckDestination says whether Export could put files in dir: a directory that
// does not exist yet or is empty, in a parent that exists and can be written.
// Call it before a run starts: nobody should wait for a run whose files cannot be
// delivered. Its errors are for the user to correct. It writes what Export would
// write first, and removes it.
func CheckDestination(ctx context.Context, dir string) error {
	return Destination{Dir: dir}.Check(ctx)
}

// Check is CheckDestination, and accepts what the destination may replace.
func (d Destination) Check(ctx context.Context) error {
	dir := d.Dir
	target, _, err := d.find(ctx)
	if err != nil {
		return err
	}
	delivery, err := durable.NewDelivery(target)
	if err == nil {
		err = delivery.Discard()
	}
	if err != nil {
		return fmt.Errorf("output directory %q: nothing can be written in %s: %w", dir, filepath.Dir(target), err)
	}
	return nil
}

// find returns the absolute path of the directory and the mode that it has, or 0 when it does not exist or belongs to another user, who must not choose the
// mode of what we make. It says beforehand what will not do; what is done later
// goes by descriptors, and rests on nothing that was seen here.
func (d Destination) find(ctx context.Context) (target string, mode fs.FileMode, err error) {
	dir := d.Dir
	if dir == "" {
		return "", 0, errors.New("output directory: name one")
	}
	target, err = filepath.Abs(dir)
	if err != nil {
		return "", 0, fmt.Errorf("output directory %q: %w", dir, err)
	}
	parent, err := os.Stat(filepath.Dir(target))
	if err != nil || !parent.IsDir() {
		return "", 0, fmt.Errorf("output directory %q: its parent %s is not a directory: create it first", dir, filepath.Dir(target))
	}
	info, err := os.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return target, 0, nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("output directory %q: %w", dir, err)
	}
	if durable.Own(info) {
		mode = info.Mode().Perm()
	}
	return target, mode, d.checkExisting(ctx, target, info)
}

// checkExisting accepts an empty directory that a rename can take the place of, and one
// with nothing but what may be replaced.
func (d Destination) checkExisting(ctx context.Context, target string, info fs.FileInfo) error {
	dir := d.Dir
	if !info.IsDir() {
		return fmt.Errorf("output directory %q is a file or a link: name a directory that does not exist yet", dir)
	}
	entries, err := os.ReadDir(target)
	if err != nil {
		return fmt.Errorf("output directory %q: %w", dir, err)
	}
	if len(entries) > 0 && d.Earlier == nil {
		return fmt.Errorf("output directory %q is %w: empty it or name another", dir, ErrNotEmpty)
	}
	if len(entries) > 0 {
		if err := d.checkEarlier(ctx, target); err != nil {
			return err
		}
	}
	here, err := os.Stat(".")
	if err == nil && os.SameFile(here, info) {
		return fmt.Errorf("output directory %q is the current directory: name one below it", dir)
	}
	above, err := os.Stat(filepath.Dir(target))
	if err != nil {
		return fmt.Errorf("output directory %q: %w", dir, err)
	}
	if device(above) != device(info) {
		return fmt.Errorf("output directory %q is a mount point: name a directory below it that does not exist yet", dir)
	}
	return nil
}
