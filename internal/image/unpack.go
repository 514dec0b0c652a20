package image

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// eachEntry calls do for every entry of a layer. It knows only what this package's
// own layers hold and refuses all else that tar can say: a layer is bytes from a
// disk until its digest has been reached, and that is after its last entry.
func eachEntry(ctx context.Context, layer io.Reader, do func(*tar.Header, io.Reader) error) error {
	reader := tar.NewReader(layer)
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		entry, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read layer: %w", err)
		}
		if err := checkEntry(entry); err != nil {
			return fmt.Errorf("read layer: entry %q: %w", entry.Name, err)
		}
		if err := do(entry, reader); err != nil {
			return err
		}
	}
	// Everything after the archive's end belongs to the digest too.
	if _, err := io.Copy(io.Discard, layer); err != nil {
		return fmt.Errorf("read layer: %w", err)
	}
	return nil
}

// unpack writes a layer below root.
func unpack(ctx context.Context, layer io.Reader, root *os.Root) error {
	var dirs []*tar.Header
	err := eachEntry(ctx, layer, func(entry *tar.Header, content io.Reader) error {
		if err := unpackEntry(root, entry, content); err != nil {
			return fmt.Errorf("unpack %q: %w", entry.Name, err)
		}
		if entry.Typeflag == tar.TypeDir {
			dirs = append(dirs, entry)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return stampDirs(root, dirs)
}

// checkEntry holds the rules for a layer's content.
func checkEntry(entry *tar.Header) error {
	name := entryName(entry)
	switch {
	case !fs.ValidPath(name) || name == ".":
		return errors.New("the name is not a clean relative path")
	case strings.HasPrefix(path.Base(name), ".wh."):
		return errors.New("layers of this store remove nothing")
	case entry.Typeflag != tar.TypeReg && entry.Typeflag != tar.TypeDir && entry.Typeflag != tar.TypeSymlink:
		return fmt.Errorf("type %q is none of file, directory and symbolic link", entry.Typeflag)
	case entry.Typeflag != tar.TypeSymlink && entry.Mode&^0o755 != 0:
		return fmt.Errorf("mode %#o allows more than 0755", entry.Mode)
	case entry.Uid != 0 || entry.Gid != 0:
		return fmt.Errorf("owner is %d:%d, not root", entry.Uid, entry.Gid)
	}
	for record := range entry.PAXRecords {
		if record != "path" && record != "linkpath" {
			return fmt.Errorf("extended attribute %s", record)
		}
	}
	return nil
}

// entryName is the entry's name as a path of io/fs: directories end with a slash
// in an archive.
func entryName(entry *tar.Header) string {
	if entry.Typeflag == tar.TypeDir {
		return strings.TrimSuffix(entry.Name, "/")
	}
	return entry.Name
}

func unpackEntry(root *os.Root, entry *tar.Header, content io.Reader) error {
	name := entryName(entry)
	switch entry.Typeflag {
	case tar.TypeDir:
		return root.Mkdir(name, 0o755)
	case tar.TypeSymlink:
		return root.Symlink(entry.Linkname, name)
	default:
		return unpackFile(root, name, entry, content)
	}
}

func unpackFile(root *os.Root, name string, entry *tar.Header, content io.Reader) (err error) {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := io.Copy(file, content); err != nil {
		return err
	}
	if err := file.Chmod(fs.FileMode(entry.Mode)); err != nil {
		return err
	}
	return root.Chtimes(name, time.Time{}, entry.ModTime)
}

// stampDirs sets what a directory's entries or the umask have changed, the
// innermost first.
func stampDirs(root *os.Root, dirs []*tar.Header) error {
	for _, dir := range slices.Backward(dirs) {
		name := entryName(dir)
		if err := root.Chmod(name, fs.FileMode(dir.Mode)); err != nil {
			return fmt.Errorf("set mode: %w", err)
		}
		if err := root.Chtimes(name, time.Time{}, dir.ModTime); err != nil {
			return fmt.Errorf("set time: %w", err)
		}
	}
	return nil
}
