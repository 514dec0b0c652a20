package beneath

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"

	"golang.org/x/sys/unix"
)

// Extent bounds a walk. Both numbers are required.
type Extent struct {
	Entries int // files and directories together, the root not counted
	Depth   int // names in a path: 1 is a file in the root
	// Pass says of which paths nothing is to be known: they are not visited, entered or counted.
	// nil is none.
	Pass func(path string) bool
}

// Walk visits every entry beneath root once, in the order of the names, each
// directory before what it holds. A directory with a Problem is visited and not
// entered. An error from visit ends the walk and is returned as it is; so does
// ErrTooMany. It holds at most Extent.Depth+1 descriptors.
func Walk(ctx context.Context, root *os.Root, extent Extent, visit func(*Node) error) error {
	if extent.Entries <= 0 || extent.Depth <= 0 {
		return fmt.Errorf("walk directory: %d entries and a depth of %d must be greater than zero", extent.Entries, extent.Depth)
	}
	top, err := root.Open(".")
	if err != nil {
		return fmt.Errorf("walk directory: %w", err)
	}
	w := walker{ctx: ctx, left: extent.Entries, depth: extent.Depth, pass: extent.Pass, visit: visit}
	return errors.Join(w.directory(top, "", 1), top.Close())
}

type walker struct {
	ctx   context.Context // of the one Walk that this walker lives for
	left  int             // entries that may still come
	depth int
	pass  func(path string) bool
	visit func(*Node) error
}

func (w *walker) directory(dir *os.File, prefix string, depth int) error {
	names, err := w.names(dir, prefix)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := w.ctx.Err(); err != nil {
			return context.Cause(w.ctx)
		}
		if err := w.entry(dir, name, path.Join(prefix, name), depth); err != nil {
			return err
		}
	}
	return nil
}

// names reads a directory without holding more names than may still come.
func (w *walker) names(dir *os.File, prefix string) ([]string, error) {
	var names []string
	for w.ctx.Err() == nil {
		batch, err := dir.Readdirnames(256)
		if w.pass != nil {
			batch = slices.DeleteFunc(batch, func(name string) bool { return w.pass(path.Join(prefix, name)) })
		}
		if w.left -= len(batch); w.left < 0 {
			return nil, ErrTooMany
		}
		names = append(names, batch...)
		if errors.Is(err, io.EOF) {
			slices.Sort(names)
			return names, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read directory: %w", err)
		}
	}
	return nil, context.Cause(w.ctx)
}

func (w *walker) entry(parent *os.File, name, full string, depth int) error {
	node, err := lookAt(parent, name, full)
	if errors.Is(err, unix.ENOENT) { // its name was read a moment ago
		return fmt.Errorf("%w: %w", ErrChanged, err)
	}
	if err != nil {
		return err
	}
	if node.Kind != Directory {
		return w.visit(node)
	}
	return w.enter(node, depth)
}

// enter opens a directory before it is visited, so that the visitor hears why it
// cannot be read.
func (w *walker) enter(node *Node, depth int) error {
	if depth >= w.depth {
		node.Problem = ErrTooDeep
		return w.visit(node)
	}
	dir, err := node.open(unix.O_DIRECTORY)
	if err != nil {
		node.Problem = err
		return w.visit(node)
	}
	err = w.visit(node)
	if err == nil {
		err = w.directory(dir, node.Path, depth+1)
	}
	return errors.Join(err, dir.Close())
}
