package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// Store is a directory of bundles, each under its digest. It may be used by
// several goroutines and processes at once. Bundles are never changed in it.
type Store struct {
	dir   string
	now   func() time.Time // of the look that a seal is made of
	seals seals
}

// OpenStore opens a store and makes it where it does not exist, in a directory that does. Nobody else
// can pass its directory (0700): the files in it are readable for the sandboxes'
// users, who are others, and the engines mount them as root.
func OpenStore(dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open bundle store: %w", err)
	}
	if err := makeStore(dir); err != nil {
		return nil, fmt.Errorf("open bundle store: %w", err)
	}
	return &Store{dir: dir, now: time.Now, seals: seals{manifests: map[digest.Digest]sealedManifest{}, trees: map[digest.Digest]*sealedTree{}}}, nil
}

// makeStore tightens the mode of a store that an older version made.
func makeStore(dir string) error {
	return durable.MakeDir(dir, 0o700)
}

// dirPrefix begins the name of a bundle's directory. A colon, as in the digest,
// would end a path in mount options.
const dirPrefix = "sha256-"

func (s *Store) path(sum digest.Digest) string {
	return filepath.Join(s.dir, dirPrefix+string(sum.Hex()))
}

// Path returns the host's directory to mount for a digest. It checks that the
// manifest is that of the digest; Verify checks the files.
func (s *Store) Path(sum digest.Digest) (string, error) {
	bundle, err := s.get(context.Background(), sum)
	return bundle.Path, err
}

// get returns the bundle of a digest. It checks what Path checks.
func (s *Store) get(ctx context.Context, sum digest.Digest) (Bundle, error) {
	bundle, _, err := s.find(ctx, sum)
	return bundle, err
}

// load reads the manifest.
func (s *Store) load(ctx context.Context, sum digest.Digest) (bundle Bundle, err error) {
	if err := sum.Check(); err != nil {
		return Bundle{}, fault("bundle %q: %s", beneath.Escape(sum.String()), err)
	}
	root, err := durable.OpenDir(s.path(sum))
	if errors.Is(err, fs.ErrNotExist) {
		return Bundle{}, unknown(sum.String())
	}
	if err != nil {
		return Bundle{}, fmt.Errorf("open bundle %s: %w", sum, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return s.describe(ctx, root, sum)
}

func (s *Store) describe(ctx context.Context, root *os.Root, sum digest.Digest) (Bundle, error) {
	info, err := root.Lstat(ManifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return Bundle{}, changed(sum.Short(), []string{ManifestName + " is missing"})
	}
	if err != nil {
		return Bundle{}, fmt.Errorf("open bundle %s: %w", sum, err)
	}
	data, err := beneath.ReadFile(ctx, root, ManifestName, MaxManifest)
	if err != nil {
		return Bundle{}, fmt.Errorf("open bundle %s: %w", sum, err)
	}
	if digest.Of(data) != sum {
		return Bundle{}, changed(sum.Short(), []string{ManifestName + ": its content differs"})
	}
	manifest, err := parseStored(data)
	if err != nil {
		return Bundle{}, fault("bundle %s: %s", sum.Short(), err)
	}
	bundle := Bundle{Digest: sum, Path: s.path(sum), Manifest: manifest, Bytes: manifest.bytes(), AddedAt: info.ModTime().UTC()}
	if bundle.Tables, err = readTables(ctx, root); err != nil {
		return Bundle{}, changed(bundle.String(), []string{err.Error()})
	}
	if bundle.isPrepared() && !manifest.Untyped() {
		if err := fits(bundle.Tables, manifest); err != nil {
			return Bundle{}, changed(bundle.String(), []string{err.Error()})
		}
	}
	return bundle, nil
}

// List returns every bundle, by name, version and digest. What cannot be read is
// an error beside those that can.
func (s *Store) List(ctx context.Context) ([]Bundle, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("list bundles: %w", err)
	}
	bundles := []Bundle{}
	var damaged []error
	for _, entry := range entries {
		digits, ok := strings.CutPrefix(entry.Name(), dirPrefix)
		if !ok {
			continue // a draft or the lock
		}
		bundle, err := s.named(ctx, digits)
		if err != nil {
			damaged = append(damaged, err)
			continue
		}
		bundles = append(bundles, bundle)
	}
	slices.SortFunc(bundles, func(a, b Bundle) int {
		return cmp.Or(
			strings.Compare(a.Manifest.Name, b.Manifest.Name), semver.Compare(a.semantic(), b.semantic()),
			strings.Compare(a.Reference(), b.Reference()), strings.Compare(a.Digest.String(), b.Digest.String()),
		)
	})
	return bundles, errors.Join(damaged...)
}

func (s *Store) named(ctx context.Context, digits string) (Bundle, error) {
	sum, err := digest.FromHex(digits)
	if err != nil {
		return Bundle{}, fault("bundle %q: %s", beneath.Escape(dirPrefix+digits), err)
	}
	return s.get(ctx, sum)
}

// minPrefix is the least of a digest, in hexadecimal digits, that Lookup takes.
const minPrefix = 8

// Lookup finds the one bundle that is meant by name@version, a digest, the beginning of a
// digest, or a name: that is the newest of the name, by its semantic version. That there is
// none, or several of which none is the newest, is a *FaultError.
func (s *Store) Lookup(ctx context.Context, reference string) (Bundle, error) {
	if sum, err := digest.Parse(reference); err == nil {
		return s.get(ctx, sum)
	}
	bundles, damaged := s.List(ctx)
	var matches []Bundle
	for _, bundle := range bundles {
		if bundle.matches(reference) {
			matches = append(matches, bundle)
		}
	}
	if len(matches) == 0 {
		return Bundle{}, errors.Join(unknown(reference), damaged)
	}
	if len(matches) == 1 {
		return matches[0], nil
	}
	if _, isDigest := digest.Prefix(reference); !isDigest {
		if found, ok := newest(matches); ok {
			return found, nil
		}
	}
	return Bundle{}, ambiguous(reference, matches)
}

func (b Bundle) matches(reference string) bool {
	if prefix, isDigest := digest.Prefix(reference); isDigest {
		return len(prefix) >= minPrefix && strings.HasPrefix(string(b.Digest.Hex()), prefix)
	}
	return reference == b.Manifest.Name || reference == b.Reference()
}

func unknown(reference string) error {
	return fault("there is no bundle \"%s\": `runner bundle ls` lists those in the store, and `runner bundle add DIR` adds one", beneath.Escape(reference))
}

func ambiguous(reference string, matches []Bundle) error {
	names := make([]string, len(matches))
	for i, bundle := range matches {
		names[i] = bundle.String()
	}
	return fault(`bundle "%s" can be %s, and which is the newest cannot be told: name one as NAME@VERSION or by its digest`, beneath.Escape(reference), strings.Join(names, " or "))
}

func changed(name string, reasons []string) error {
	err := faults(fmt.Sprintf("bundle %s changed since it was added", name), reasons)
	return fault(`%s; add it again with "runner bundle add DIR"`, err)
}
