package bundle

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/table"
)

// ParseManifest lets the fuzz target read a manifest without a directory.
func ParseManifest(data []byte) (Manifest, error) {
	manifest, err := parseManifest(data)
	return manifest, err
}

// InferTable finds the types of a table that comes in pieces of a size. What is wrong with it
// is a problem.
func InferTable(ctx context.Context, format string, data []byte, piece int) (found table.Inferred, problem string, err error) {
	beside := read(func(from io.Reader) (err error) {
		found, err = table.Infer(ctx, from, table.Format(format), table.Choices{})
		return err
	})
	for len(data) > 0 {
		size := min(piece, len(data))
		written, writeErr := beside.Write(data[:size])
		if written != size {
			err = errors.Join(err, io.ErrShortWrite)
		}
		err = errors.Join(err, writeErr)
		data = data[size:]
	}
	ended := beside.end()
	if fault, ok := errors.AsType[*table.FaultError](ended); ok {
		return found, fault.Error(), err
	}
	return found, "", errors.Join(err, ended)
}

// LookAt lets a store take every look at this moment.
func (s *Store) LookAt(now time.Time) { s.now = func() time.Time { return now } }

// Sealed reports whether the next Check of a bundle only looks, if nothing changes.
func (s *Store) Sealed(sum digest.Digest) bool {
	tree := s.seals.tree(sum)
	tree.mu.Lock()
	defer tree.mu.Unlock()
	return tree.known
}

// Decode decodes text that comes in pieces of a size.
func Decode(encoding string, data []byte, piece int) (text string, replaced int64, err error) {
	var out strings.Builder
	decoder := newDecoder(encoding, &out)
	for len(data) > 0 {
		size := min(piece, len(data))
		_, writeErr := decoder.Write(data[:size])
		err = errors.Join(err, writeErr)
		data = data[size:]
	}
	err = errors.Join(err, decoder.close())
	return out.String(), decoder.replaced, err
}

// LookAtSource is what Add does with a source that is still there.
func LookAtSource(ctx context.Context, root *os.Root, manifest Manifest) error {
	check := checker{sources: manifest.sources(), asCame: true}
	return walk(context.WithoutCancel(ctx), root, passOver([]string{"*.csv"}).pass, func(node *beneath.Node) error { return check.visit(ctx, node) })
}

// InputNames are the names of tables that are refused for some policies: what these say of
// inputs, and one of them.
func InputNames() map[string][2]string {
	found := make(map[string][2]string)
	for name, of := range inputNames {
		found[name] = [2]string{of.inputs, of.policy}
	}
	return found
}
