package bundleimage

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"time"

	"hotcell/internal/bundle"
)

// piece is a part of the archive: bytes that are there, or a file of the bundle.
type piece struct {
	bytes []byte
	file  *bundle.StoredFile // nil for bytes
}

func (p piece) size() int64 {
	if p.file != nil {
		return p.file.Bytes
	}
	return int64(len(p.bytes))
}

// block is what a tar archive is made of, and its end two of them.
const block = 512

// pieces are the archive. The headers are one function of names and sizes: owner, mode and time are the same
// for all.
func pieces(files []bundle.StoredFile) ([]piece, error) {
	entries := map[string]*bundle.StoredFile{}
	for _, file := range files {
		entries[file.Path] = &file
		for dir := path.Dir(file.Path); dir != "."; dir = path.Dir(dir) {
			entries[dir] = nil
		}
	}
	var made []piece
	for _, name := range slices.Sorted(maps.Keys(entries)) { // a directory comes before what is in it
		file := entries[name]
		header, err := header(name, file)
		if err != nil {
			return nil, fmt.Errorf("archive %s: %w", name, err)
		}
		made = append(made, piece{bytes: header})
		if file != nil {
			made = append(made, piece{file: file}, piece{bytes: make([]byte, -file.Bytes&(block-1))})
		}
	}
	return append(made, piece{bytes: make([]byte, 2*block)}), nil
}

// header is of a file, or a directory where there is none. What is longer than USTAR can say is said by PAX.
func header(name string, file *bundle.StoredFile) ([]byte, error) {
	of := &tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o555, ModTime: time.Unix(0, 0)}
	if file != nil {
		of = &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o444, ModTime: time.Unix(0, 0), Size: file.Bytes}
	}
	var written bytes.Buffer
	err := tar.NewWriter(&written).WriteHeader(of)
	return written.Bytes(), err
}

// layer reads an archive. Not for concurrent use.
type layer struct {
	ctx     context.Context // of the one reading
	dir     *os.Root
	release func() error // the bundle's
	left    []piece
	skip    int64         // bytes that nobody wants
	now     io.ReadCloser // the piece that is read, or nil
}

func openLayer(ctx context.Context, bundles *bundle.Store, of bundle.Bundle, files []bundle.StoredFile) (_ *layer, err error) {
	all, err := pieces(files)
	if err != nil {
		return nil, err
	}
	release, err := bundles.Hold(ctx, of.Digest)
	if err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(of.Path)
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return &layer{ctx: ctx, dir: dir, release: release, left: all}, nil
}

// Read implements io.Reader. A file that is not what its digest names ends it in the place of its last byte.
func (l *layer) Read(p []byte) (int, error) {
	for {
		if l.ctx.Err() != nil {
			return 0, context.Cause(l.ctx)
		}
		if l.now == nil {
			if err := l.next(); err != nil {
				return 0, err
			}
		}
		n, err := l.now.Read(p)
		if errors.Is(err, io.EOF) {
			err = l.now.Close()
			l.now = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next opens the piece in which the first wanted byte is, and reads up to that.
func (l *layer) next() error {
	for len(l.left) > 0 && l.skip >= l.left[0].size() && l.skip > 0 {
		l.skip -= l.left[0].size()
		l.left = l.left[1:]
	}
	if len(l.left) == 0 {
		return io.EOF
	}
	opened, err := l.open(l.left[0])
	if err != nil {
		return err
	}
	l.now, l.left = opened, l.left[1:]
	_, err = io.CopyN(io.Discard, l.now, l.skip)
	l.skip = 0
	return err
}

func (l *layer) open(one piece) (io.ReadCloser, error) {
	if one.file == nil {
		return io.NopCloser(bytes.NewReader(one.bytes)), nil
	}
	return bundle.OpenFile(l.ctx, l.dir, *one.file)
}

// Close holds what is left of the file that is read to its digest, unless the context has ended.
func (l *layer) Close() error {
	var err error
	if l.now != nil {
		err = l.now.Close()
		l.now = nil
	}
	return errors.Join(err, l.dir.Close(), l.release())
}
