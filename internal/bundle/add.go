package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"hotcell/internal/beneath"
	"hotcell/internal/durable"
)

// draftPrefix begins the name of a copy that is being made.
const draftPrefix = ".adding-"

// Add copies a bundle into the store and returns the store's copy. What is
// hashed is what is written, so a bundle that changes meanwhile is refused. A
// bundle that is there already is verified, and replaced when it was damaged. On
// error the store is as it was. What is wrong with the bundle is a *Fault.
func (s *Store) Add(ctx context.Context, srcDir string) (bundle Bundle, err error) {
	root, err := openSource(srcDir)
	if err != nil {
		return Bundle{}, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	manifest, data, err := readManifest(ctx, root, srcDir)
	if err != nil {
		return Bundle{}, err
	}
	digest := digestOf(data)
	release, err := s.lock(ctx)
	if err != nil {
		return Bundle{}, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := s.sweep(); err != nil {
		return Bundle{}, err
	}
	if err := s.copy(ctx, root, manifest, data, digest); err != nil {
		return Bundle{}, fmt.Errorf("add bundle %s@%s: %w", manifest.Name, manifest.BundleVersion, err)
	}
	return s.get(ctx, digest)
}

func readManifest(ctx context.Context, root *os.Root, srcDir string) (Manifest, []byte, error) {
	data, err := beneath.ReadFile(ctx, root, ManifestName, MaxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, nil, fault(`%s has no %s: make one with "runner bundle create"`, srcDir, ManifestName)
	}
	if err != nil {
		return Manifest{}, nil, fault("%s", err)
	}
	manifest, err := parseManifest(data)
	if err != nil {
		return Manifest{}, nil, err
	}
	return manifest, data, nil
}

// lockInterval is how often a held lock is tried again; it is held while a
// bundle is copied.
const lockInterval = 20 * time.Millisecond

// lock lets one process at a time add bundles. Readers need no lock.
func (s *Store) lock(ctx context.Context) (release func() error, err error) {
	lock := flock.New(filepath.Join(s.dir, ".lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockInterval); err != nil {
		return nil, errors.Join(fmt.Errorf("lock bundle store: %w", err), lock.Close())
	}
	return lock.Close, nil
}

// copy makes the store's copy beside its place and moves it there.
func (s *Store) copy(ctx context.Context, src *os.Root, manifest Manifest, data []byte, digest string) (err error) {
	draft, err := durable.NewDraft(filepath.Join(s.dir, draftPrefix+filepath.Base(s.path(digest))))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, draft.Discard()) }()
	if err := copyFiles(ctx, draft.Root(), src, manifest); err != nil {
		return err
	}
	if err := durable.WriteFile(draft.Root(), ManifestName, data); err != nil {
		return err
	}
	if err := durable.SetModes(draft.Root(), 0o444, 0o555); err != nil {
		return err
	}
	return s.place(ctx, draft, digest)
}

// sweep removes the copies that dead processes were making.
func (s *Store) sweep() (err error) {
	store, err := durable.OpenDir(s.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	_, err = durable.Sweep(store, draftPrefix, durable.Remove)
	return err
}

// place publishes a draft. An intact copy that is there stays, for runs may be
// reading it; a damaged one is moved out of the way first.
func (s *Store) place(ctx context.Context, draft *durable.Draft, digest string) (err error) {
	store, err := durable.OpenDir(s.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	target := s.path(digest)
	name := filepath.Base(target)
	if _, err := store.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return draft.Publish(target)
	}
	err = s.Verify(ctx, digest)
	if _, damaged := errors.AsType[*Fault](err); !damaged {
		return err // nil for an intact copy
	}
	aside := draftPrefix + "damaged-" + name
	if err := store.Rename(name, aside); err != nil {
		return fmt.Errorf("move damaged bundle aside: %w", err)
	}
	if err := draft.Publish(target); err != nil {
		return errors.Join(err, store.Rename(aside, name))
	}
	return durable.Remove(store, aside)
}

// copyFiles copies exactly the files that the manifest names, and checks tables
// on their way.
func copyFiles(ctx context.Context, dst, src *os.Root, manifest Manifest) error {
	var unloadable []string
	check := checker{left: manifest.byPath(), read: func(node *beneath.Node, file File) (string, error) {
		table := newTableCheck(file.Format())
		sum, err := copyFile(ctx, dst, node, file, table)
		if problem := table.end(); err == nil && sum == file.SHA256 && problem != "" {
			unloadable = append(unloadable, beneath.Escape(node.Path)+": "+problem)
		}
		return sum, err
	}}
	if err := walk(ctx, src, check.visit); err != nil {
		return err
	}
	if err := faults("the files are not those of "+ManifestName, check.end()); err != nil {
		return err
	}
	return faults("tables cannot be loaded", unloadable)
}

// checker compares files with a manifest.
type checker struct {
	left  map[string]File // not met yet
	read  func(*beneath.Node, File) (sum string, err error)
	found []string
}

func (c *checker) visit(node *beneath.Node) error {
	if node.Path == ManifestName {
		return nil
	}
	file, declared := c.left[node.Path]
	delete(c.left, node.Path)
	name := beneath.Escape(node.Path)
	switch {
	case !declared:
		c.found = append(c.found, name+": it is not in the manifest")
		return nil
	case node.Bytes != file.Bytes:
		c.found = append(c.found, fmt.Sprintf("%s: it has %d bytes, the manifest says %d", name, node.Bytes, file.Bytes))
		return nil
	}
	sum, err := c.read(node, file)
	switch {
	case errors.Is(err, beneath.ErrChanged), errors.Is(err, beneath.ErrTooLarge):
		c.found = append(c.found, name+": it changed while it was read")
	case err != nil:
		return err
	case sum != file.SHA256:
		c.found = append(c.found, name+": its content differs from what the manifest says")
	}
	return nil
}

// end reports the faults, those files among them that were never met.
func (c *checker) end() []string {
	missing := Manifest{}
	for _, file := range c.left {
		missing.Files = append(missing.Files, file)
	}
	missing.sortFiles()
	for _, file := range missing.Files {
		c.found = append(c.found, file.Path+": it is missing")
	}
	return c.found
}

// copyFile writes one file, and to a witness, and returns the hash of what it
// wrote.
func copyFile(ctx context.Context, dst *os.Root, node *beneath.Node, file File, witness io.Writer) (sum string, err error) {
	from, err := node.Open()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if dir := path.Dir(file.Path); dir != "." {
		if err := dst.MkdirAll(dir, 0o700); err != nil {
			return "", fmt.Errorf("make directory: %w", err)
		}
	}
	to, err := dst.OpenFile(file.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("create file: %w", err)
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	_, sum, err = beneath.Copy(ctx, io.MultiWriter(to, witness), from, file.Bytes)
	return sum, err
}

// Verify reads every file of the store's copy again and compares it with the
// manifest. What differs is a *Fault that says so.
func (s *Store) Verify(ctx context.Context, digest string) (err error) {
	bundle, err := s.get(ctx, digest)
	if err != nil {
		return err
	}
	root, err := durable.OpenDir(bundle.Path)
	if err != nil {
		return fmt.Errorf("verify bundle %s: %w", bundle, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	check := checker{left: bundle.Manifest.byPath(), read: func(node *beneath.Node, file File) (string, error) {
		return hashFile(ctx, node, file.Bytes, io.Discard)
	}}
	err = walk(ctx, root, check.visit)
	if unfit, ok := errors.AsType[*Fault](err); ok {
		return changed(bundle.String(), []string{unfit.Error()})
	}
	if err != nil {
		return fmt.Errorf("verify bundle %s: %w", bundle, err)
	}
	if found := check.end(); found != nil {
		return changed(bundle.String(), found)
	}
	return nil
}

// hashFile hashes a file of a known size, and shows it to a witness.
func hashFile(ctx context.Context, node *beneath.Node, size int64, witness io.Writer) (sum string, err error) {
	from, err := node.Open()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	read, sum, err := beneath.Copy(ctx, witness, from, size)
	if err == nil && read != size {
		err = beneath.ErrChanged
	}
	return sum, err
}
