// Package archive reads the tar streams in which a daemon hands out a container's files.
//
// It decides what becomes of each entry: a file, a directory, a link and a pipe become
// what they are; anything else, and what is over the capacity, becomes a symbolic link that
// no verifier lets pass. It refuses a stream that no daemon sends, and believes nothing
// of one: not a name, not a size, not that it ends. What the files are worth is for
// internal/output. The docker engine is its caller.
package archive

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
)

// Capacity is what a stream may hold.
type Capacity struct {
	Bytes int64 // of all files together, holes included
	Files int64 // files, directories and all else but the top
}

const (
	// entryBytes bounds what one entry has in the stream besides its content: its own
	// header, and one before it for a path and a link's target of 4096 bytes each.
	entryBytes = 16 << 10
	// endBytes is what a stream has besides its entries: its end, and a header for the
	// whole of it.
	endBytes = 1<<20 + 10<<10
)

var (
	errTooLong = errors.New("tar stream is longer than what it may hold")
	errCut     = errors.New("tar stream ends before its end marker")
)

// stream is a tar stream that is bounded as a whole: headers that belong to no entry, of
// which the library reads any number, are bytes like others.
type stream struct {
	from io.Reader
	left int64
	cut  bool // nothing came where something was to be read
}

func newStream(from io.Reader, capacity Capacity) *stream {
	return &stream{from: from, left: capacity.Bytes + (capacity.Files+2)*entryBytes + endBytes}
}

// Read implements io.Reader.
func (s *stream) Read(content []byte) (int, error) {
	if s.left <= 0 {
		return 0, errTooLong
	}
	size, err := s.from.Read(content[:min(int64(len(content)), s.left)])
	s.left -= int64(size)
	s.cut = s.cut || size == 0 && errors.Is(err, io.EOF)
	return size, err
}

// next returns io.EOF after the last entry. The library also does where a stream is cut
// between two entries.
func (s *stream) next(reader *tar.Reader) (*tar.Header, error) {
	header, err := reader.Next()
	switch {
	case err == nil:
		return header, nil
	case errors.Is(err, io.EOF) && !s.cut:
		return nil, io.EOF
	case errors.Is(err, io.EOF):
		return nil, errCut
	default:
		return nil, fmt.Errorf("read tar header: %w", err)
	}
}

// File copies the one file of a stream to a writer. It must have that name, and at most
// that many bytes, and nothing may come after it.
func File(from io.Reader, name string, most int64, to io.Writer) error {
	source := newStream(from, Capacity{Bytes: most, Files: 1})
	reader := tar.NewReader(source)
	header, err := source.next(reader)
	if err != nil {
		return noEntry(err)
	}
	if header.Name != name || header.Typeflag != tar.TypeReg || header.Size > most {
		return fmt.Errorf("tar entry %q of %d bytes is not the file %s, of at most %d", header.Name, header.Size, name, most)
	}
	if _, err := io.CopyN(to, reader, header.Size); err != nil {
		return fmt.Errorf("read tar entry %q: %w", name, err)
	}
	if _, err := source.next(reader); !errors.Is(err, io.EOF) {
		return errors.Join(fmt.Errorf("%s is not all that the tar stream holds", name), err)
	}
	return nil
}

// noEntry keeps the end of a stream without an entry from looking like an end in order.
func noEntry(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("tar stream is empty")
	}
	return err
}
