package bundle

import (
	"errors"
	"io"
	"strings"
	"time"

	"hotcell/internal/digest"
)

// ParseManifest lets the fuzz target read a manifest without a directory.
func ParseManifest(data []byte) (Manifest, error) {
	manifest, err := parseManifest(data)
	return manifest, err
}

// CheckTable checks a table that comes in pieces of a size.
func CheckTable(format string, data []byte, piece int) (string, error) {
	check := newTableCheck(format)
	var err error
	for len(data) > 0 {
		size := min(piece, len(data))
		written, writeErr := check.Write(data[:size])
		if written != size {
			err = errors.Join(err, io.ErrShortWrite)
		}
		err = errors.Join(err, writeErr)
		data = data[size:]
	}
	return check.end(), err
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
