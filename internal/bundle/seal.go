package bundle

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/fingerprint"
)

// seals is what this process has read of a store's bundles, and how they looked then.
// It is not kept on the disk: a process that has not hashed a bundle believes nobody.
type seals struct {
	mu        sync.Mutex
	manifests map[digest.Digest]sealedManifest
	trees     map[digest.Digest]*sealedTree
}

type sealedManifest struct {
	look   fingerprint.Inode
	bundle Bundle // nobody writes to it
}

// sealedTree is of one bundle.
type sealedTree struct {
	hashing chan struct{} // has room for those who hash; the others wait for them

	mu    sync.Mutex
	look  fingerprint.Tree
	known bool
}

// Check is Verify for who runs one program after the other on a bundle: it reads every
// file where this process has not, or where anything looks other than it did then, and
// else looks only (see package fingerprint, also for what a look cannot see).
func (s *Store) Check(ctx context.Context, sum digest.Digest) error {
	_, err := s.Look(ctx, sum)
	return err
}

// Look is Check, and says how the bundle's directory looks: what was made from a bundle
// that looked so was made from the same files, unchanged since. An untyped bundle is a
// *FaultError: it is for nobody who runs something.
func (s *Store) Look(ctx context.Context, sum digest.Digest) (digest.Hex, error) {
	bundle, sure, err := s.find(ctx, sum)
	if err != nil {
		return "", err
	}
	if bundle.Manifest.Untyped() {
		return "", untyped(bundle)
	}
	if !bundle.isPrepared() {
		return "", unprepared(bundle)
	}
	tree := s.seals.tree(sum)
	if look, same := tree.holds(ctx, bundle.Path); same {
		return look, nil
	}
	select {
	case tree.hashing <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	defer func() { <-tree.hashing }()
	if look, same := tree.holds(ctx, bundle.Path); same {
		return look, nil // another was quicker
	}
	return s.hash(ctx, bundle, sure, tree)
}

// untyped is a bundle that no run gets.
func untyped(bundle Bundle) error {
	return fault("bundle %s was made when tables had no types, and no run gets it: make it again with \"runner bundle create\" from its data, which the store keeps (%s), and "+
		"add it under another --version, or after \"runner bundle rm\"", bundle, bundle.Path)
}

// hash verifies a bundle, and keeps how it looked if any change since the first look
// would show in the next.
func (s *Store) hash(ctx context.Context, bundle Bundle, sure bool, tree *sealedTree) (digest.Hex, error) {
	at := s.now()
	before, beforeErr := fingerprint.Of(ctx, bundle.Path)
	unwritten, err := s.verify(ctx, bundle)
	if err != nil {
		return "", err
	}
	after, afterErr := fingerprint.Of(ctx, bundle.Path)
	if sure && unwritten && beforeErr == nil && afterErr == nil && before == after && before.Settled(at) {
		tree.keep(before)
	}
	if afterErr != nil {
		return "", fmt.Errorf("bundle %s: look at its files: %w", bundle.Digest, afterErr)
	}
	return after.Entries, nil
}

// find is get, and tells whether a change of the manifest would show from now on.
func (s *Store) find(ctx context.Context, sum digest.Digest) (bundle Bundle, sure bool, err error) {
	manifest := filepath.Join(s.path(sum), ManifestName)
	if known, ok := s.seals.manifest(sum); ok {
		if look, err := fingerprint.Look(manifest); err == nil && look == known.look {
			return known.bundle.clone(), true, nil
		}
	}
	look, sure := s.lookClosely(manifest)
	bundle, err = s.load(ctx, sum)
	if err != nil {
		return Bundle{}, false, err
	}
	after, err := fingerprint.Look(manifest)
	if sure = sure && err == nil && after == look; sure {
		s.seals.keep(sum, sealedManifest{look, bundle.clone()})
	}
	return bundle, sure, nil
}

func (s *Store) lookClosely(path string) (fingerprint.Inode, bool) {
	file, err := durable.Open(path)
	if err != nil {
		return fingerprint.Inode{}, false // load says what is wrong with it
	}
	defer file.Close()
	return fingerprint.Sure(file, s.now())
}

func (b Bundle) clone() Bundle {
	b.Manifest.Files = slices.Clone(b.Manifest.Files)
	b.Tables = slices.Clone(b.Tables)
	return b
}

func (s *seals) manifest(sum digest.Digest) (sealedManifest, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.manifests[sum]
	return found, ok
}

func (s *seals) keep(sum digest.Digest, manifest sealedManifest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.manifests[sum] = manifest
}

func (s *seals) tree(sum digest.Digest) *sealedTree {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.trees[sum]
	if found == nil {
		found = &sealedTree{hashing: make(chan struct{}, runtime.GOMAXPROCS(0))}
		s.trees[sum] = found
	}
	return found
}

// holds is the check before each run.
func (t *sealedTree) holds(ctx context.Context, dir string) (digest.Hex, bool) {
	t.mu.Lock()
	look, known := t.look, t.known
	t.mu.Unlock()
	if !known {
		return "", false
	}
	now, err := fingerprint.Of(ctx, dir)
	return look.Entries, err == nil && now == look
}

func (t *sealedTree) keep(look fingerprint.Tree) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.look, t.known = look, true
}
