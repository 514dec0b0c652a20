// Package bundleimage shows a stored bundle as an OCI image, which nodes of a cluster mount as a volume.
//
// It decides how the image looks: one layer, an uncompressed tar archive with the files that runs see,
// of root, read-only, from 1970, by name. Nothing in it hangs on the host or the day, so that a bundle has
// one manifest digest everywhere, as long as the form of prepared tables is the same. It does not decide
// who gets the image (internal/registry, or whoever pushes it).
//
// The archive is written nowhere: it is put together of the store's files each time it is read, from any
// byte on. Only its digest is kept, for which all of the bundle has to be read once.
package bundleimage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
)

// ErrUnknown is wrapped where no bundle of the store has, or is, what a digest names.
var ErrUnknown = errors.New("no bundle of the store has it")

// Store gives the images of a store's bundles. Its methods may be called concurrently, also by several
// processes.
type Store struct {
	bundles *bundle.Store
	dir     string // of what is known of each: NAME.json, where NAME is its digest's digits

	mu    sync.Mutex
	known map[digest.Digest]*Volume // by bundle
}

// Open opens a store whose notes are in dir, which is made where it does not exist, in a directory of ours.
// What is in it can be made again.
func Open(bundles *bundle.Store, dir string) (*Store, error) {
	if err := durable.MakeDir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open images of bundles: %w", err)
	}
	return &Store{bundles: bundles, dir: dir, known: map[digest.Digest]*Volume{}}, nil
}

// note is what is kept of an image: the digest that took a reading of the whole bundle.
type note struct {
	Form   int           `json:"form"` // of the archive
	Bundle digest.Digest `json:"bundle"`
	Tables digest.Hex    `json:"tables"` // the index of its prepared tables: another form has another image
	Layer  digest.Digest `json:"layer"`
	Bytes  int64         `json:"bytes"`
}

const (
	form    = 1
	maxNote = 4096
	noteEnd = ".json"
)

// Digest is the digest of the manifest by which a bundle is pulled.
func (s *Store) Digest(ctx context.Context, sum digest.Digest) (digest.Digest, error) {
	image, err := s.Image(ctx, sum)
	if err != nil {
		return "", err
	}
	return image.Digest, nil
}

// Image is the image of a bundle. The first time, in whichever process, all of the bundle is read and held
// to its digests; one at a time.
func (s *Store) Image(ctx context.Context, sum digest.Digest) (_ *Volume, err error) {
	if found, err := s.noted(ctx, sum); found != nil || err != nil {
		return found, err
	}
	lock, err := durable.Lock(ctx, filepath.Join(s.dir, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("make image of bundle %s: %w", sum, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if found, err := s.noted(ctx, sum); found != nil || err != nil {
		return found, err // another was quicker
	}
	return s.make(ctx, sum)
}

// noted is nil where the image has to be made.
func (s *Store) noted(ctx context.Context, sum digest.Digest) (*Volume, error) {
	about, files, err := s.bundles.Files(ctx, sum)
	if err != nil {
		return nil, err
	}
	_, tables, err := about.TablesIndex()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.known[sum]; found != nil && found.note.Tables == tables {
		return found, nil
	}
	kept, err := s.read(sum)
	if err != nil || kept.Tables != tables || kept.Form != form {
		return nil, err
	}
	found, err := compose(s.bundles, about, files, kept) //nolint:contextcheck // whoever reads its layer has one
	if err != nil {
		return nil, err
	}
	s.known[sum] = found
	return found, nil
}

func (s *Store) path(sum digest.Digest) string {
	return filepath.Join(s.dir, string(sum.Hex())+noteEnd)
}

// read is a zero note where there is none, or one that this version has not written.
func (s *Store) read(sum digest.Digest) (note, error) {
	content, err := durable.ReadFile(s.path(sum), maxNote)
	if errors.Is(err, fs.ErrNotExist) {
		return note{}, nil
	}
	if err != nil {
		return note{}, fmt.Errorf("read what is known of the image of bundle %s: %w", sum, err)
	}
	var kept note
	if err := strictjson.Decode(content, maxNote, &kept); err != nil || kept.Bundle != sum || kept.Layer.Check() != nil || kept.Bytes <= 0 {
		return note{}, nil //nolint:nilerr // it is made again
	}
	return kept, nil
}

// make reads the whole bundle. The lock is held.
func (s *Store) make(ctx context.Context, sum digest.Digest) (_ *Volume, err error) {
	about, files, err := s.bundles.Files(ctx, sum)
	if err != nil {
		return nil, err
	}
	_, tables, err := about.TablesIndex()
	if err != nil {
		return nil, err
	}
	layer, err := openLayer(ctx, s.bundles, about, files)
	if err != nil {
		return nil, err
	}
	sumOf, size, err := digest.From(layer)
	if err = errors.Join(err, layer.Close()); err != nil {
		return nil, fmt.Errorf("make image of bundle %s: %w", about, err)
	}
	made := note{form, sum, tables, sumOf, size}
	if err := s.write(made); err != nil {
		return nil, err
	}
	return s.noted(ctx, sum)
}

// write replaces a note in one step: a reader has the one or the other. The lock is held.
func (s *Store) write(made note) error {
	content, err := strictjson.Encode(made)
	if err != nil {
		return err
	}
	root, err := durable.OpenDir(s.dir)
	if err != nil {
		return fmt.Errorf("keep the image's digest of bundle %s: %w", made.Bundle, err)
	}
	defer root.Close()
	return durable.ReplaceFile(root, filepath.Base(s.path(made.Bundle)), content, durable.Readers{Group: -1})
}

// Find is the image whose manifest, configuration or layer a digest names. Where it is none that is known,
// the bundles are read of which nothing is known yet: once each, whoever asks for what. A bundle that no run
// gets, or that is damaged, has no image, and does not keep others from being found.
func (s *Store) Find(ctx context.Context, part digest.Digest) (*Volume, error) {
	bundles, damaged := s.bundles.List(ctx)
	for _, one := range bundles {
		found, err := s.noted(ctx, one.Digest)
		if err == nil && found != nil && found.has(part) {
			return found, nil
		}
	}
	for _, one := range bundles {
		found, err := s.Image(ctx, one.Digest)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err == nil && found.has(part) {
			return found, nil
		}
		damaged = errors.Join(damaged, err)
	}
	return nil, errors.Join(ErrUnknown, damaged)
}

// Forget removes what is known of bundles that the store does not have any more.
func (s *Store) Forget() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("forget images of bundles: %w", err)
	}
	for _, entry := range entries {
		digits, _ := strings.CutSuffix(entry.Name(), noteEnd)
		sum, err := digest.FromHex(digits)
		if err != nil {
			continue // the lock, or nothing of ours
		}
		if there, err := s.bundles.Has(sum); err != nil || there {
			if err != nil {
				return err
			}
			continue
		}
		if err := os.Remove(s.path(sum)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// has reports whether a digest names a part of the image.
func (i *Volume) has(part digest.Digest) bool {
	return part == i.Digest || part == i.ConfigDigest || part == i.note.Layer
}

// OpenLayer opens the layer from a byte on. Each file that is read is held to its digest from its beginning,
// whatever is asked for of it, and to its end by Close; the bundle stays in the store until then. ctx ends it.
func (i *Volume) OpenLayer(ctx context.Context, from int64) (io.ReadCloser, error) {
	layer, err := openLayer(ctx, i.bundles, i.Bundle, i.files)
	if err != nil {
		return nil, err
	}
	layer.skip = from
	return layer, nil
}
