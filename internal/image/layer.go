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
	"strings"
	"time"
)

// layerFormat counts the changes to how a tree becomes a layer. It is part of the
// recipe's hash.
const layerFormat = 1

// contents is what writeLayer has seen.
type contents struct {
	bytes int64
	files int
}

// writeLayer writes the tree below top, which is a path in root, as an
// uncompressed tar archive. The archive depends on names, bytes and link targets
// alone: order, owner, modes and times are the layer's own.
func writeLayer(ctx context.Context, to io.Writer, root *os.Root, top string, stamp time.Time) (contents, error) {
	var seen contents
	archive := tar.NewWriter(to)
	err := fs.WalkDir(root.FS(), top, func(name string, entry fs.DirEntry, err error) error {
		if err = errors.Join(err, context.Cause(ctx)); err != nil || name == "." {
			return err
		}
		size, err := writeEntry(archive, root, name, entry, stamp)
		if err != nil {
			return fmt.Errorf("archive %s: %w", name, err)
		}
		if entry.Type().IsRegular() {
			seen.files++
			seen.bytes += size
		}
		return nil
	})
	return seen, errors.Join(err, archive.Close())
}

func writeEntry(archive *tar.Writer, root *os.Root, name string, entry fs.DirEntry, stamp time.Time) (int64, error) {
	info, err := entry.Info()
	if err != nil {
		return 0, err
	}
	header := &tar.Header{Name: name, ModTime: stamp}
	switch {
	case info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0:
		return 0, fmt.Errorf("mode %s: an image holds no setuid or setgid file", info.Mode())
	case info.IsDir():
		header.Typeflag, header.Name, header.Mode = tar.TypeDir, name+"/", dirMode(name)
		return 0, archive.WriteHeader(header)
	case info.Mode()&fs.ModeSymlink != 0:
		header.Typeflag, header.Mode = tar.TypeSymlink, 0o777
		if header.Linkname, err = root.Readlink(name); err != nil {
			return 0, err
		}
		return 0, archive.WriteHeader(header)
	case info.Mode().IsRegular():
		header.Typeflag, header.Mode, header.Size = tar.TypeReg, fileMode(name), info.Size()
		return info.Size(), writeContent(archive, root, header)
	default:
		return 0, fmt.Errorf("mode %s: an image holds only files, directories and symbolic links", info.Mode())
	}
}

func writeContent(archive *tar.Writer, root *os.Root, header *tar.Header) (err error) {
	file, err := root.Open(header.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	_, err = io.Copy(archive, file)
	return err
}

// dirMode closes the one directory in which an engine has something mounted that no sandbox may
// reach.
func dirMode(name string) int64 {
	if name == "root" {
		return 0o700
	}
	return 0o755
}

// fileMode makes only programs and the dynamic loader executable. Shared
// libraries are mapped, not executed; scripts have no interpreter to name.
//
// Nobody but root can read a program: a process that runs one it cannot read is
// never dumpable (would_dump in the kernel's fs/exec.c), so that no other process
// of its uid gets at it through /proc/PID, not even before the guard has locked
// itself. Where an engine has no user namespace, that uid is one of the host's. The
// recipe adds a copy for gVisor, which has to read what it runs.
func fileMode(name string) int64 {
	switch {
	case path.Dir(name) == "usr/bin" && !strings.HasSuffix(name, "-readable"):
		return 0o711
	case path.Dir(name) == "usr/bin", strings.HasPrefix(path.Base(name), "ld-linux"):
		return 0o755
	default:
		return 0o644
	}
}
