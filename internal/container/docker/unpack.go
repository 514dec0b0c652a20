package docker

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// refusedTarget begins the target of the symbolic links that stand for what this
// package does not make: devices, set-id files, and what is over the limits. No verifier lets a symbolic link pass, and the link says what it was.
const refusedTarget = "hotcell-refused:"

// overflowName is where the mark for "there was more" stands.
const overflowName = "hotcell-refused-too-much"

var errTooMuch = errors.New("output is larger than its limits")

// unpacker writes a tar stream of the output directory below root. It follows
// nothing: a parent must be a directory that it made itself.
type unpacker struct {
	root        *os.Root
	directories map[string]bool // made, or root itself: "."
	bytesLeft   int64
	filesLeft   int64
}

// unpack is bounded by limits, which the daemon's kernel has kept already but for
// sparse files, whose holes a tar stream spells out. Output over the limits is
// cut and marked, which is the verifier's to judge. A stream that no daemon
// sends is an error.
func unpack(root *os.Root, stream io.Reader, limits job.Limits) error {
	target := &unpacker{
		root:        root,
		directories: map[string]bool{".": true},
		bytesLeft:   limits.OutputBytes,
		filesLeft:   limits.OutputFiles,
	}
	err := target.all(tar.NewReader(stream))
	if errors.Is(err, errTooMuch) {
		return root.Symlink(refusedTarget+"too-much", overflowName)
	}
	return err
}

func (u *unpacker) all(reader *tar.Reader) error {
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read tar header: %w", err)
		}
		if err := u.one(header, reader); err != nil {
			return err
		}
	}
}

func (u *unpacker) one(header *tar.Header, content io.Reader) error {
	name, err := relativeName(header.Name)
	if err != nil {
		return err
	}
	if name == "." {
		return nil
	}
	if !u.directories[path.Dir(name)] {
		return fmt.Errorf("tar entry %q is not in a directory of the stream", header.Name)
	}
	if u.filesLeft--; u.filesLeft < 0 {
		return errTooMuch
	}
	if err := u.create(name, header, content); err != nil {
		return fmt.Errorf("unpack tar entry %q: %w", header.Name, err)
	}
	return nil
}

func (u *unpacker) create(name string, header *tar.Header, content io.Reader) error {
	switch {
	case header.Typeflag == tar.TypeDir:
		u.directories[name] = true
		return u.root.Mkdir(name, 0o700)
	case header.Typeflag == tar.TypeSymlink:
		return u.root.Symlink(header.Linkname, name)
	case header.Typeflag == tar.TypeLink:
		return u.hardLink(name, header.Linkname)
	case header.Typeflag == tar.TypeFifo:
		return u.pipe(name)
	case header.Typeflag != tar.TypeReg:
		return u.root.Symlink(refusedTarget+kind(header.Typeflag), name)
	case header.FileInfo().Mode()&(os.ModeSetuid|os.ModeSetgid|os.ModeSticky) != 0:
		return u.root.Symlink(refusedTarget+"set-id", name)
	}
	return u.file(name, header.Size, content)
}

// hardLink links to what the stream has brought, so that the verifier sees a file
// with two links.
func (u *unpacker) hardLink(name, target string) error {
	target, err := relativeName(target)
	if err != nil {
		return err
	}
	if !u.directories[path.Dir(target)] {
		return fmt.Errorf("hard link to %q, which is not in the stream", target)
	}
	return u.root.Link(target, name)
}

// pipeName is where a pipe is made: os.Root cannot, and no foreign name is to be
// joined to a path outside it.
const pipeName = ".hotcell-pipe"

func (u *unpacker) pipe(name string) error {
	// The directory is below the state directory, which only its owner may enter.
	err := unix.Mkfifo(filepath.Join(u.root.Name(), pipeName), 0o600) //nolint:forbidigo // macOS has no mkfifoat
	if err != nil {
		return fmt.Errorf("make pipe: %w", err)
	}
	return errors.Join(u.root.Link(pipeName, name), u.root.Remove(pipeName))
}

func (u *unpacker) file(name string, size int64, content io.Reader) error {
	if u.bytesLeft -= size; u.bytesLeft < 0 {
		return errTooMuch
	}
	file, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content) // tar.Reader ends after size bytes
	return errors.Join(err, file.Close())
}

// relativeName turns the stream's "output/a/b" into "a/b" and refuses every other
// form.
func relativeName(name string) (string, error) {
	top := path.Base(container.OutputDir)
	trimmed := strings.TrimSuffix(name, "/")
	if trimmed == top {
		return ".", nil
	}
	relative, ok := strings.CutPrefix(trimmed, top+"/")
	if !ok || relative != path.Clean(relative) || !isLocal(relative) {
		return "", fmt.Errorf("tar entry has the name %q, which is not below %q", name, top)
	}
	return relative, nil
}

func isLocal(name string) bool {
	return name != "." && name != ".." && !strings.HasPrefix(name, "../") && !path.IsAbs(name) && !strings.ContainsRune(name, 0)
}

func kind(flag byte) string {
	switch flag {
	case tar.TypeChar, tar.TypeBlock:
		return "device"
	default:
		return fmt.Sprintf("type-%q", flag)
	}
}
