package archive

import (
	"archive/tar"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// refusedTarget begins the target of the symbolic links that stand for what this package
// does not make: devices, set-id files, and what is over the capacity. No verifier lets a
// symbolic link pass, and the link says what it was.
const refusedTarget = "hotcell-refused:"

// refusal ends the unpacking of a stream that its script is to answer for, and not the
// daemon or this host. It is the reason that the mark gives.
type refusal string

const (
	errTooMuch refusal = "too-much"       // there was more than the capacity
	errUnfit   refusal = "unfit-for-host" // this host cannot have it
)

// Error implements error.
func (r refusal) Error() string { return "refused: " + string(r) }

// mark stands for the whole. The script may have written something of its name.
func (r refusal) mark(root *os.Root) error {
	name := "hotcell-refused-" + string(r)
	return errors.Join(root.RemoveAll(name), root.Symlink(refusedTarget+string(r), name))
}

// unpacker writes what is below top in a stream below root. It follows nothing: a parent
// must be a directory that it made itself.
type unpacker struct {
	root      *os.Root
	top       string
	made      map[string]bool // by name, root itself being "."; true for a directory
	bytesLeft int64
	filesLeft int64
	namesLeft int // bytes, of all paths: they are held until the end
}

const maxNames = 64 << 20 // as a pod's keeper sends at most

// Unpack writes a stream of the directory that is called top, without a path, below root,
// which is empty and which nobody but its owner can enter. The daemon's kernel has kept
// the capacity already, but for sparse files, whose holes a tar stream spells out: what is
// over them is cut and marked, for a verifier to judge. So is what only a file system
// unlike the daemon's lacks. After an error, root holds part of the stream.
func Unpack(root *os.Root, from io.Reader, top string, capacity Capacity) error {
	target := &unpacker{
		root: root, top: top, made: map[string]bool{".": true},
		bytesLeft: capacity.Bytes, filesLeft: capacity.Files, namesLeft: maxNames,
	}
	err := target.all(newStream(from, capacity))
	if refused, ok := errors.AsType[refusal](err); ok {
		return refused.mark(root)
	}
	return err
}

func (u *unpacker) all(source *stream) error {
	reader := tar.NewReader(source)
	header, err := source.next(reader)
	if err != nil {
		return noEntry(err)
	}
	for ; err == nil; header, err = source.next(reader) {
		if err := u.one(header, reader); err != nil {
			return err
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (u *unpacker) one(header *tar.Header, content io.Reader) error {
	name, err := u.relativeName(header.Name)
	if err != nil {
		return err
	}
	if name == "." {
		return requireDirectory(header)
	}
	if !u.made[path.Dir(name)] {
		return fmt.Errorf("tar entry %q is not in a directory of the stream", header.Name)
	}
	if _, twice := u.made[name]; twice {
		return fmt.Errorf("tar entry %q is there twice", header.Name)
	}
	u.made[name] = header.Typeflag == tar.TypeDir
	u.filesLeft--
	u.namesLeft -= len(name)
	if u.filesLeft < 0 || u.namesLeft < 0 {
		return errTooMuch
	}
	if err := u.create(name, header, content); err != nil {
		return fmt.Errorf("unpack tar entry %q: %w", header.Name, blame(err))
	}
	return nil
}

// blame tells what the script could make and this host's file system cannot have from a
// fault of the host: macOS takes "a" and "A" for one name, and wants every name in UTF-8.
func blame(err error) error {
	for _, lacking := range []error{unix.EEXIST, unix.EILSEQ, unix.ENAMETOOLONG, unix.EMLINK} {
		if errors.Is(err, lacking) {
			return errUnfit
		}
	}
	return err
}

func requireDirectory(header *tar.Header) error {
	if header.Typeflag != tar.TypeDir {
		return fmt.Errorf("tar entry %q is not a directory", header.Name)
	}
	return nil
}

func (u *unpacker) create(name string, header *tar.Header, content io.Reader) error {
	switch {
	case header.Typeflag == tar.TypeDir:
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
	target, err := u.relativeName(target)
	if err != nil {
		return err
	}
	if !u.made[path.Dir(target)] {
		return fmt.Errorf("hard link to %q, which is not in the stream", target)
	}
	return u.root.Link(target, name)
}

// pipe makes a pipe elsewhere first: os.Root cannot, and no foreign name is to be joined
// to a path outside it. The script has ended and could not know where.
func (u *unpacker) pipe(name string) error {
	pipeName := ".hotcell-" + rand.Text()
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
func (u *unpacker) relativeName(name string) (string, error) {
	trimmed := strings.TrimSuffix(name, "/")
	if trimmed == u.top {
		return ".", nil
	}
	relative, ok := strings.CutPrefix(trimmed, u.top+"/")
	if !ok || relative != path.Clean(relative) || !isLocal(relative) {
		return "", fmt.Errorf("tar entry has the name %q, which is not below %q", name, u.top)
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
