// Package image keeps the images that sandboxes run in, and builds them.
//
// It decides what an image may contain (regular files, directories and symbolic
// links of root, nothing setuid, nothing writable) and that no byte of it is used
// unverified: every blob is checked against its digest when it is read, and a
// root file system is unpacked only from checked blobs. It does not decide which
// image a run gets (internal/policy) or how it is mounted (the engines).
//
// A Store is an OCI image layout with the unpacked root file systems beside it.
// The engines call Rootfs or OCIImage, the command line calls Build, List and
// Resolve. Building needs Linux, and root there or in a user namespace; reading
// needs neither.
package image

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// Store is a directory of images. Its methods may be called concurrently, also
// by several processes.
type Store struct {
	dir   string
	blobs blobs
	after func(time.Duration) <-chan time.Time // time.After, but in tests
}

// The store's directories. Nobody else passes through them: the engines mount a
// root file system as root, into a place that a sandbox's user can reach.
const (
	blobsDir  = "blobs/sha256"
	rootfsDir = "rootfs"
	basesDir  = "bases"
	workDir   = "tmp"
	// sealsDir has a seal for each root file system, changedDir those that Repair
	// has moved aside.
	sealsDir   = "seals"
	changedDir = "changed"

	private = 0o700
)

// OpenStore opens the store at dir, an absolute path, and makes it where there is
// none. It refuses a directory that somebody else owns or can write to: whoever
// can is able to swap the code that judges all other code.
func OpenStore(dir string) (*Store, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("open image store %q: the path must be absolute", dir)
	}
	if err := os.MkdirAll(dir, private); err != nil {
		return nil, fmt.Errorf("open image store: %w", err)
	}
	if err := checkOwner(dir); err != nil {
		return nil, fmt.Errorf("open image store: %w", err)
	}
	for _, sub := range []string{"", "blobs", blobsDir, rootfsDir, basesDir, workDir, sealsDir, changedDir} {
		if err := durable.MakeDir(filepath.Join(dir, sub), private); err != nil {
			return nil, fmt.Errorf("open image store: %w", err)
		}
	}
	store := &Store{dir: dir, blobs: blobs{dir: filepath.Join(dir, blobsDir)}, after: time.After}
	if err := store.writeLayoutFile(); err != nil {
		return nil, fmt.Errorf("open image store: %w", err)
	}
	return store, nil
}

func checkOwner(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s must be a directory of user %d that nobody else can write to (it is %s of user %d): choose another, or set its owner and mode",
			dir, os.Geteuid(), info.Mode(), stat.Uid)
	}
	return nil
}

// Dir returns the store's directory.
func (s *Store) Dir() string { return s.dir }

// List returns the images, the newest build of each name last. An image whose
// manifest is missing or not the one that its digest names is an error.
func (s *Store) List(ctx context.Context) ([]Image, error) {
	index, err := s.readIndex()
	if err != nil {
		return nil, fmt.Errorf("list images: %w", err)
	}
	var images []Image
	for _, entry := range index.Manifests {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		image, err := s.describe(entry)
		if err != nil {
			return nil, fmt.Errorf("list images: %w", err)
		}
		images = append(images, image)
	}
	return images, nil
}

// Resolve finds an image by its digest ("sha256:…") or by its name, which means
// the last one built under it for this machine's architecture.
func (s *Store) Resolve(nameOrDigest string) (Image, error) {
	return s.ResolveFor(nameOrDigest, runtime.GOARCH)
}

// ResolveFor is Resolve for another machine's architecture, as Go calls it.
func (s *Store) ResolveFor(nameOrDigest, architecture string) (Image, error) {
	entry, err := s.find(nameOrDigest, architecture)
	if err != nil {
		return Image{}, fmt.Errorf("find image: %w", err)
	}
	image, err := s.describe(entry)
	if err != nil {
		return Image{}, fmt.Errorf("find image: %w", err)
	}
	return image, nil
}

// OCIImage returns the image with this digest, as Rootfs does only if it is for this
// machine's architecture. Manifest and configuration have been verified; each layer is
// verified while it is read, and a reader that meets the end of a layer without an
// error has had the right bytes.
func (s *Store) OCIImage(sum digest.Digest) (v1.Image, error) {
	stored, err := s.openToRun(sum)
	if err != nil {
		return nil, fmt.Errorf("open image %s: %w", sum, err)
	}
	return partial.CompressedToImage(stored)
}

// SBOM returns the image's bill of materials as CycloneDX JSON.
func (s *Store) SBOM(sum digest.Digest) ([]byte, error) {
	stored, err := s.open(sum)
	if err != nil {
		return nil, fmt.Errorf("read bill of materials: %w", err)
	}
	blob, err := v1.NewHash(stored.manifest.Annotations[annotationSBOM])
	if err != nil {
		return nil, fmt.Errorf("read bill of materials of %s: %w", sum, err)
	}
	content, err := s.blobs.readUnsized(blob)
	if err != nil {
		return nil, fmt.Errorf("read bill of materials of %s: %w", sum, err)
	}
	return content, nil
}

// find takes the architecture for names alone: a digest has its own.
func (s *Store) find(nameOrDigest, architecture string) (v1.Descriptor, error) {
	index, err := s.readIndex()
	if err != nil {
		return v1.Descriptor{}, err
	}
	var foreign error
	for _, entry := range index.Manifests {
		if entry.Digest.String() == nameOrDigest {
			return entry, nil
		}
		if entry.Annotations[annotationName] != nameOrDigest {
			continue
		}
		if architectureOf(entry) == architecture {
			return entry, nil
		}
		foreign = fmt.Errorf("the image %s in %s is for %s, and this machine is %s: run: runner image build (or name the image by its digest, %s)",
			nameOrDigest, s.dir, architectureOf(entry), architecture, entry.Digest)
	}
	if foreign != nil {
		return v1.Descriptor{}, foreign
	}
	return v1.Descriptor{}, fmt.Errorf("there is no image %s in %s: run: runner image build", nameOrDigest, s.dir)
}

func (s *Store) open(sum digest.Digest) (*storedImage, error) {
	if err := sum.Check(); err != nil {
		return nil, fmt.Errorf("image %q: %w", sum, err)
	}
	entry, err := s.find(sum.String(), "")
	if err != nil {
		return nil, err
	}
	return openImage(s.blobs, entry)
}

// openToRun refuses an image of another architecture. Where the host emulates such
// programs it would start, with the system calls of the emulator: no filter, no limit
// and no probe of ours was ever tried on that.
func (s *Store) openToRun(sum digest.Digest) (*storedImage, error) {
	stored, err := s.open(sum)
	if err == nil && stored.architecture != runtime.GOARCH {
		return nil, fmt.Errorf("image %s is for %s, and this machine is %s: run: runner image build", sum, stored.architecture, runtime.GOARCH)
	}
	return stored, err
}

func (s *Store) describe(entry v1.Descriptor) (Image, error) {
	stored, err := openImage(s.blobs, entry)
	if err != nil {
		return Image{}, err
	}
	return imageFromManifest(entry, stored)
}

// lock takes one of the store's locks, waiting for it until ctx ends. The caller
// must call the release function.
func (s *Store) lock(ctx context.Context, name string) (release func() error, err error) {
	lock, err := durable.Lock(ctx, filepath.Join(s.dir, name+".lock"))
	if err != nil {
		return nil, fmt.Errorf("lock image store %s: %w", s.dir, err)
	}
	return lock.Close, nil
}
