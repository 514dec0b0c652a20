package image

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// Verify reads all layers of an image again and, where its root file system has
// been unpacked, compares that with them: every name, mode, link and byte, and
// that there is nothing more. The unpacked files are what many runs share through
// the page cache, which kernel bugs have let unprivileged code write to
// (CVE-2022-0847, CVE-2026-31431).
//
// A tree that has changed is an error; Repair mends it.
func (s *Store) Verify(ctx context.Context, sum digest.Digest) (err error) {
	stored, err := s.open(sum)
	if err != nil {
		return fmt.Errorf("verify image: %w", err)
	}
	release, err := s.lock(ctx, rootfsDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if exists(s.rootfsPath(sum)) {
		err = s.sealTree(ctx, stored, sum)
	} else {
		err = readLayers(ctx, s.blobs, stored.manifest.Layers, ignoreEntry)
	}
	if err != nil {
		return fmt.Errorf("verify image %s: %w", sum, err)
	}
	return nil
}

func ignoreEntry(*tar.Header, io.Reader) error { return nil }

func verifyRootfs(ctx context.Context, blobs blobs, layers []v1.Descriptor, dir string) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	known := map[string]bool{".": true}
	err = readLayers(ctx, blobs, layers, func(entry *tar.Header, content io.Reader) error {
		known[entryName(entry)] = true
		return compareEntry(root, entry, content)
	})
	if err != nil {
		return err
	}
	return findUnknown(root, known)
}

func readLayers(ctx context.Context, blobs blobs, layers []v1.Descriptor, do func(*tar.Header, io.Reader) error) error {
	for _, layer := range layers {
		err := blobs.with(layer, func(content io.Reader) error { return eachEntry(ctx, content, do) })
		if err != nil {
			return err
		}
	}
	return nil
}

func compareEntry(root *os.Root, entry *tar.Header, content io.Reader) error {
	name := entryName(entry)
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if want := entry.FileInfo().Mode(); info.Mode() != want {
		return fmt.Errorf("%s has mode %s, not %s", name, info.Mode(), want)
	}
	if err := checkOwned(root, name, info); err != nil {
		return err
	}
	switch entry.Typeflag {
	case tar.TypeSymlink:
		target, err := root.Readlink(name)
		if err == nil && target != entry.Linkname {
			err = fmt.Errorf("%s leads to %s, not to %s", name, target, entry.Linkname)
		}
		return err
	case tar.TypeReg:
		return compareFile(root, name, content)
	default:
		return nil
	}
}

// checkOwned refuses what an archive of this store cannot say: another owner, and
// for a file a second name or attributes such as capabilities.
func checkOwned(root *os.Root, name string, info fs.FileInfo) error {
	if !durable.Own(info) {
		return fmt.Errorf("%s belongs to another user", name)
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	file, err := root.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	size, err := unix.Flistxattr(int(file.Fd()), nil)
	if err != nil && !errors.Is(err, unix.ENOTSUP) {
		return fmt.Errorf("%s: list extended attributes: %w", name, err)
	}
	if size > 0 {
		return checkAttributes(file, name, size)
	}
	return nil
}

// checkAttributes accepts labels, which a security module of the host gives.
func checkAttributes(file *os.File, name string, size int) error {
	names := make([]byte, size)
	size, err := unix.Flistxattr(int(file.Fd()), names)
	if err != nil {
		return fmt.Errorf("%s: list extended attributes: %w", name, err)
	}
	for _, attribute := range strings.FieldsFunc(string(names[:size]), func(r rune) bool { return r == 0 }) {
		if attribute != "security.selinux" && attribute != "security.SMACK64" {
			return fmt.Errorf("%s has the attribute %s", name, attribute)
		}
	}
	return nil
}

func compareFile(root *os.Root, name string, content io.Reader) error {
	want, size, err := digest.From(content)
	if err != nil {
		return err
	}
	file, err := root.Open(name)
	if err != nil {
		return err
	}
	err = digest.NewReader(file, want, size).Close()
	if errors.Is(err, digest.ErrMismatch) {
		return fmt.Errorf("%s has other bytes than in the image: %w", name, err)
	}
	return err
}

func findUnknown(root *os.Root, known map[string]bool) error {
	return fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && !known[name] {
			err = fmt.Errorf("%s is not in the image", name)
		}
		return err
	})
}
