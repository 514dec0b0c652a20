package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/fingerprint"
)

// Verify reads every file of the store's copy again and compares it with the
// manifest, and makes the tables again and compares them with those that runs get, of which
// the manifest has no digest. What differs is a *FaultError that says so.
func (s *Store) Verify(ctx context.Context, sum digest.Digest) error {
	bundle, err := s.load(ctx, sum)
	if err == nil {
		_, err = s.verify(ctx, bundle)
	}
	if err == nil && len(bundle.Tables) > 0 && !bundle.Manifest.Untyped() {
		err = s.verifyTables(ctx, bundle)
	}
	return err
}

// verify reports beside whether nobody could write to any file when it was opened.
func (s *Store) verify(ctx context.Context, bundle Bundle) (unwritten bool, err error) {
	root, err := durable.OpenDir(bundle.Path)
	if err != nil {
		return false, fmt.Errorf("verify bundle %s: %w", bundle, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if !bundle.Manifest.Untyped() && !bundle.isPrepared() {
		return false, unprepared(bundle)
	}
	unwritten = true
	files := bundle.Manifest.byPath()
	if err := bundle.addPrepared(files); err != nil {
		return false, err
	}
	known := directoriesOf(files)
	check := checker{left: files, read: func(node *beneath.Node, file DataFile) (err error) {
		from, err := node.Open()
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, from.Close()) }()
		unwritten = fingerprint.Unwritten(from) && unwritten
		return beneath.CopyNamed(ctx, io.Discard, from, file.SHA256.Digest(), file.Bytes)
	}}
	err = walkAll(ctx, root, nil, func(node *beneath.Node) error {
		if node.Kind != beneath.Directory {
			return check.visit(ctx, node)
		}
		if !known[node.Path] {
			check.found = append(check.found, beneath.Escape(node.Path)+": it is a directory without a file of the bundle")
		}
		return nil
	})
	if unfit, ok := errors.AsType[*FaultError](err); ok {
		return false, changed(bundle.String(), []string{unfit.Error()})
	}
	if err != nil {
		return false, fmt.Errorf("verify bundle %s: %w", bundle, err)
	}
	if found := check.end(); found != nil {
		return false, changed(bundle.String(), found)
	}
	return unwritten, nil
}

// directoriesOf are those that have files, by their path.
func directoriesOf(files map[string]DataFile) map[string]bool {
	known := make(map[string]bool)
	for name := range files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			known[dir] = true
		}
	}
	return known
}
