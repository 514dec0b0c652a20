package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// ForeignError is returned for a directory that holds what no run has put there.
type ForeignError struct {
	Dir   string
	Names []string // escaped as beneath.Escape does it, a few of them
	More  int      // that are not among Names
}

// Error implements error.
func (e *ForeignError) Error() string {
	text := strings.Join(e.Names, ", ")
	if e.More > 0 {
		text += fmt.Sprintf(" and %d more", e.More)
	}
	return fmt.Sprintf("output directory %q holds what the run before has not put there, or not like this: %s: move that away, or name another directory", e.Dir, text)
}

// checkEarlier accepts a directory that holds nothing but the earlier files, byte for
// byte: the record of the run has them all.
func (d Destination) checkEarlier(ctx context.Context, target string) (err error) {
	root, err := durable.OpenDir(target)
	if err != nil {
		return fmt.Errorf("output directory %q: %w", d.Dir, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return d.onlyEarlier(ctx, root)
}

// maxForeign is how many foreign files are named.
const maxForeign = 3

func (d Destination) onlyEarlier(ctx context.Context, root *os.Root) error {
	foreign := &ForeignError{Dir: d.Dir}
	files, dirs := d.known()
	const most = 100_000
	err := beneath.Walk(ctx, root, beneath.Extent{Entries: most, Depth: maxLevels}, func(node *beneath.Node) error {
		known := node.Kind == beneath.Directory && dirs[node.Path] && node.Problem == nil
		if file, there := files[node.Path]; there && node.Kind == beneath.Regular && node.Bytes == file.Bytes {
			var err error
			if known, err = sameContent(ctx, node, file); err != nil {
				return err
			}
		}
		foreign.add(node.Path, known)
		return nil
	})
	if err != nil {
		return fmt.Errorf("output directory %q: %w", d.Dir, err)
	}
	if foreign.Names != nil {
		return foreign
	}
	return nil
}

// add notes an entry that is not known.
func (e *ForeignError) add(path string, known bool) {
	switch {
	case known:
	case len(e.Names) < maxForeign:
		e.Names = append(e.Names, beneath.Escape(path))
	default:
		e.More++
	}
}

// maxLevels is more than any policy lets out.
const maxLevels = 32

// known has the earlier files and the directories above them, by path.
func (d Destination) known() (files map[string]job.File, dirs map[string]bool) {
	files, dirs = map[string]job.File{}, map[string]bool{}
	for _, file := range d.Earlier {
		files[file.Path] = file
		for dir := path.Dir(file.Path); dir != "."; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return files, dirs
}

func sameContent(ctx context.Context, node *beneath.Node, file job.File) (same bool, err error) {
	src, err := node.Open()
	if errors.Is(err, beneath.ErrChanged) || errors.Is(err, beneath.ErrUnreadable) || errors.Is(err, beneath.ErrMount) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	_, sum, err := beneath.Copy(ctx, io.Discard, src, file.Bytes)
	if errors.Is(err, beneath.ErrTooLarge) {
		return false, nil
	}
	return err == nil && sum.Hex() == file.SHA256, err
}

// remove removes the earlier files by name, then the directories above them if they are
// empty: what has come meanwhile keeps its place.
func (d Destination) remove(root *os.Root) error {
	files, dirs := d.known()
	var faults []error
	for name := range files {
		if err := root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			faults = append(faults, err)
		}
	}
	var deepest []string
	for name := range dirs {
		deepest = append(deepest, name)
	}
	slices.SortFunc(deepest, func(a, b string) int { return strings.Compare(b, a) }) // what lies deeper comes first
	for _, name := range deepest {
		if err := root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// publish replaces an earlier directory, or takes the place of none.
func (d Destination) publish(ctx context.Context, delivery *durable.Delivery, target string, mode fs.FileMode) error {
	entries, err := os.ReadDir(target)
	if d.Earlier == nil || err != nil || len(entries) == 0 {
		return delivery.Publish(mode) // which takes the place of nothing that is not empty
	}
	return delivery.Replace(mode, durable.Earlier{
		Check:  func(old *os.Root) error { return d.onlyEarlier(ctx, old) },
		Remove: d.remove,
	})
}

// give gives everything below the delivery to the owner, by descriptors: nobody else
// reaches it yet. The directory itself follows when it is in its place.
func (d Destination) give(delivery *durable.Delivery) error {
	if d.Owner == nil {
		return nil
	}
	given, err := delivery.GiveTo(d.Owner.UID, d.Owner.GID)
	if err != nil || !given {
		return err
	}
	root := delivery.Root()
	return fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		file, err := root.Open(name)
		if err != nil {
			return err
		}
		return errors.Join(file.Chown(d.Owner.UID, d.Owner.GID), file.Close())
	})
}
