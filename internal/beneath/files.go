package beneath

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// Files opens the files of a tree by their paths, under the rules of Walk: no link on the way, no
// mount, and at its end a regular file with one hard link, which is never waited for. How much
// is read is the caller's to bound, and whether it is what he means.
func Files(root *os.Root) fs.FS { return files{root} }

type files struct{ root *os.Root }

// Open implements fs.FS.
func (f files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	names := strings.Split(name, "/")
	for n, one := range names {
		file, err := step(dir, one, path.Join(names[:n+1]...), n == len(names)-1)
		if err = errors.Join(err, dir.Close()); err != nil {
			return nil, err
		}
		dir = file
	}
	return dir, nil
}

// step opens one name on the way, or the file at its end.
func step(parent *os.File, name, full string, last bool) (*os.File, error) {
	node, err := lookAt(parent, name, full)
	switch {
	case err != nil:
		return nil, err
	case !last:
		return node.open(unix.O_DIRECTORY)
	case node.Kind == Regular && node.Links != 1:
		return nil, fmt.Errorf("open %s: it has %d %w", Escape(full), node.Links, ErrLinked)
	}
	return node.Open()
}
