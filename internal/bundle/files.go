package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// StoredFile is a file of the store's copy, as runs see it.
type StoredFile struct {
	Path   string
	Bytes  int64
	SHA256 digest.Hex
}

// Files are all files of the store's copy, by path: the manifest, the data, and the tables as runs get
// them. A bundle that no run gets is a *FaultError. Whether the files are so is for who reads them to hold
// (OpenFile).
func (s *Store) Files(ctx context.Context, sum digest.Digest) (Bundle, []StoredFile, error) {
	bundle, err := s.get(ctx, sum)
	switch {
	case err != nil:
		return Bundle{}, nil, err
	case bundle.Manifest.Untyped():
		return Bundle{}, nil, untyped(bundle)
	case !bundle.isPrepared():
		return Bundle{}, nil, unprepared(bundle)
	}
	named := bundle.Manifest.byPath()
	if err := bundle.addPrepared(named); err != nil {
		return Bundle{}, nil, err
	}
	root, err := durable.OpenDir(bundle.Path)
	if err != nil {
		return Bundle{}, nil, fmt.Errorf("list files of bundle %s: %w", bundle, err)
	}
	defer root.Close()
	info, err := root.Lstat(ManifestName)
	if err != nil {
		return Bundle{}, nil, fmt.Errorf("list files of bundle %s: %w", bundle, err)
	}
	files := []StoredFile{{ManifestName, info.Size(), sum.Hex()}}
	for _, one := range named {
		files = append(files, StoredFile{one.Path, one.Bytes, one.SHA256})
	}
	slices.SortFunc(files, func(a, b StoredFile) int { return strings.Compare(a.Path, b.Path) })
	return bundle, files, nil
}

// OpenFile opens a file of the store's copy, whose directory the caller has open: what is read of it is held
// to its digest, as digest.Reader does it. The context ends the reading, also that of Close.
func OpenFile(ctx context.Context, dir *os.Root, of StoredFile) (io.ReadCloser, error) {
	file, err := dir.Open(of.Path)
	if err != nil {
		return nil, fmt.Errorf("open file of a bundle: %w", err)
	}
	return digest.NewReader(untilDone{file, ctx}, of.SHA256.Digest(), of.Bytes), nil
}

// untilDone reads until a context ends.
type untilDone struct {
	*os.File
	ctx context.Context
}

// Read implements io.Reader.
func (r untilDone) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.File.Read(p)
}

// Has reports whether the store has a bundle, whatever state it is in.
func (s *Store) Has(sum digest.Digest) (bool, error) {
	_, err := os.Lstat(s.path(sum))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
