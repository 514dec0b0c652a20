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

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/table"
)

// draftPrefix begins the name of a copy that is being made.
const draftPrefix = ".adding-"

// Add copies a bundle into the store and returns the store's copy. What is
// hashed is what is written, so a bundle that changes meanwhile is refused. A
// bundle that is there already is verified, and replaced when it was damaged. A version
// never changes: one of the same name and version with another digest is refused. On
// error the store is as it was. What is wrong with the bundle is a *FaultError.
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
	sum := digest.Of(data)
	release, err := s.lock(ctx)
	if err != nil {
		return Bundle{}, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := s.sweep(); err != nil {
		return Bundle{}, err
	}
	if err := s.refuseOther(ctx, manifest, sum); err != nil {
		return Bundle{}, err
	}
	if err := s.copy(ctx, root, manifest, data, sum); err != nil {
		return Bundle{}, fmt.Errorf("add bundle %s@%s: %w", manifest.Name, manifest.BundleVersion, err)
	}
	return s.get(ctx, sum)
}

// refuseOther refuses a version that the store has with another content. One that cannot be
// read is no version of anything.
func (s *Store) refuseOther(ctx context.Context, manifest Manifest, sum digest.Digest) error {
	there, err := s.List(ctx)
	if _, damaged := errors.AsType[*FaultError](err); err != nil && !damaged {
		return err
	}
	for _, other := range there {
		if other.Digest == sum || other.Manifest.Name != manifest.Name || other.Manifest.BundleVersion != manifest.BundleVersion {
			continue
		}
		return fault("%s is in the store with other content (%s; it differs in %s), and a version never changes: give this one another with "+
			"`runner bundle create --version`", other.Reference(), other.Digest.Short(), Compare(other.Manifest, manifest).Summary())
	}
	return nil
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

// lock lets one process at a time add bundles, while it copies one. Readers need no
// lock.
func (s *Store) lock(ctx context.Context) (release func() error, err error) {
	lock, err := durable.Lock(ctx, filepath.Join(s.dir, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("lock bundle store: %w", err)
	}
	return lock.Close, nil
}

// copy makes the store's copy beside its place and moves it there.
func (s *Store) copy(ctx context.Context, src *os.Root, manifest Manifest, data []byte, sum digest.Digest) (err error) {
	draft, err := durable.NewDraft(filepath.Join(s.dir, draftPrefix+filepath.Base(s.path(sum))))
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
	return s.place(ctx, draft, sum)
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
func (s *Store) place(ctx context.Context, draft *durable.Draft, sum digest.Digest) (err error) {
	store, err := durable.OpenDir(s.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	target := s.path(sum)
	name := filepath.Base(target)
	if _, err := store.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return draft.Publish(target)
	}
	err = s.Verify(ctx, sum)
	if _, damaged := errors.AsType[*FaultError](err); !damaged {
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

// copyFiles copies exactly the files that the manifest names, decodes those that are to
// be, and prepares tables on their way.
func copyFiles(ctx context.Context, dst, src *os.Root, manifest Manifest) error {
	tables, err := newPreparation(ctx, dst)
	if err != nil {
		return err
	}
	var unloadable []string
	check := checker{left: manifest.byPath(), sources: manifest.sources(), asCame: true, read: func(node *beneath.Node, file DataFile) error {
		check := tables.check(file)
		err := copyFile(ctx, dst, node, file, check)
		found := check.end()
		if err != nil {
			return err
		}
		if problem, ok := errors.AsType[*table.FaultError](found); ok {
			unloadable = append(unloadable, beneath.Escape(node.Path)+": "+problem.Error())
			return nil
		}
		return found
	}}
	if err := walk(ctx, src, passOver(manifest.Ignored).pass, check.in(ctx)); err != nil {
		return err
	}
	if err := faults("the files are not those of "+ManifestName, check.end()); err != nil {
		return err
	}
	if err := faults("tables are not what their schemas say", unloadable); err != nil {
		return err
	}
	return tables.end()
}

// checker compares files with a manifest.
type checker struct {
	left    map[string]DataFile                 // not met yet
	sources map[string]DataFile                 // of which files were made; none is of the bundle
	asCame  bool                                // files may be as they were before they were decoded
	read    func(*beneath.Node, DataFile) error // the bytes that its digest names, or digest.ErrMismatch
	found   []string
}

// in is visit, for walk.
func (c *checker) in(ctx context.Context) func(*beneath.Node) error {
	return func(node *beneath.Node) error { return c.visit(ctx, node) }
}

func (c *checker) visit(ctx context.Context, node *beneath.Node) error {
	if node.Path == ManifestName || c.asCame && isOfStore(node.Path) {
		return nil // what another store has prepared is prepared again
	}
	file, declared := c.left[node.Path]
	delete(c.left, node.Path)
	name := beneath.Escape(node.Path)
	if source, is := c.sources[node.Path]; is && c.asCame {
		return c.source(ctx, node, source)
	}
	switch {
	case !declared:
		c.found = append(c.found, name+": it is not in the manifest")
		return nil
	case node.Bytes != file.Bytes && (!c.asCame || file.Encoding == nil || node.Bytes != file.Encoding.Bytes):
		c.found = append(c.found, fmt.Sprintf("%s: it has %d bytes, the manifest says %d", name, node.Bytes, file.Bytes))
		return nil
	}
	err := c.read(node, file)
	switch {
	case errors.Is(err, beneath.ErrChanged), errors.Is(err, digest.ErrSize):
		c.found = append(c.found, name+": it changed while it was read")
	case errors.Is(err, digest.ErrMismatch):
		c.found = append(c.found, name+": its content differs from what the manifest says")
	default:
		return err
	}
	return nil
}

// source looks whether a file of which others were made is still what it was: else they are
// not its tables, whatever a person has seen beside it.
func (c *checker) source(ctx context.Context, node *beneath.Node, file DataFile) error {
	err := readFile(ctx, io.Discard, node, file)
	if errors.Is(err, beneath.ErrChanged) || errors.Is(err, digest.ErrSize) || errors.Is(err, digest.ErrMismatch) {
		c.found = append(c.found, beneath.Escape(node.Path)+": it is not the file of which a table was made: make the manifest again, or remove it")
		return nil
	}
	return err
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

// copyFile writes one file, and to a witness, as the store is to have it: decoded, unless
// it comes from another store.
func copyFile(ctx context.Context, dst *os.Root, node *beneath.Node, file DataFile, witness io.Writer) (err error) {
	if dir := path.Dir(file.Path); dir != "." {
		if err := dst.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make directory: %w", err)
		}
	}
	to, err := dst.OpenFile(file.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	both := io.MultiWriter(to, witness)
	if file.Encoding != nil {
		sum, err := hashFile(ctx, node, node.Bytes, io.Discard)
		if err != nil {
			return err
		}
		if sum == file.Encoding.SHA256.Digest() {
			return decodeFile(ctx, both, node, file)
		}
	}
	return readFile(ctx, both, node, file)
}

// decodeFile shows the UTF-8 of a file that is as the manifest says, if the UTF-8 is too.
func decodeFile(ctx context.Context, to io.Writer, node *beneath.Node, file DataFile) error {
	decoded := digest.New()
	decoder := newDecoder(file.Encoding.Name, io.MultiWriter(to, decoded))
	came := DataFile{Bytes: file.Encoding.Bytes, SHA256: file.Encoding.SHA256}
	if err := readFile(ctx, decoder, node, came); err != nil {
		return err
	}
	if err := decoder.close(); err != nil {
		return err
	}
	if decoded.Digest() != file.SHA256.Digest() || decoder.written != file.Bytes || decoder.replaced != file.Encoding.Replaced {
		return digest.ErrMismatch
	}
	return nil
}

// readFile shows a file that is as the manifest says.
func readFile(ctx context.Context, to io.Writer, node *beneath.Node, file DataFile) (err error) {
	from, err := node.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	return beneath.CopyNamed(ctx, to, from, file.SHA256.Digest(), file.Bytes)
}
