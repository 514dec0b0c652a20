package parse

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"hotcell/internal/source"
	"hotcell/internal/table"
)

// maxWindow is what a reader of zstd has to remember of what it has unpacked: "zstd --ultra
// --long=27" makes as much, and other readers take no more unasked.
const maxWindow = 128 << 20

// unpack writes the bytes of a table as they were before they were compressed. Several
// members behind each other are one file, as gzip(1) and zstd(1) have it.
func unpack(from io.Reader, format source.Format, to *source.Frames) error {
	if err := to.Table(""); err != nil {
		return err
	}
	if err := copyUnpacked(from, format, to); err != nil {
		return err
	}
	return to.Columns(nil)
}

func copyUnpacked(from io.Reader, format source.Format, to io.Writer) error {
	plain, err := unpacking(from, format)
	if err == nil {
		defer plain.Close()
		_, err = io.Copy(&lines{to: to}, plain)
	}
	if _, said := errors.AsType[*source.FaultError](err); err == nil || said {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("it is no whole %s file, its end is missing: copy it again, or unpack it", format)
	}
	return fmt.Errorf("it is no %s file from its first byte to its last (%w): copy it again, or unpack it", format, err)
}

func unpacking(from io.Reader, format source.Format) (io.ReadCloser, error) {
	if format == source.Gzip {
		return gzip.NewReader(from)
	}
	plain, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(source.MaxBytes))
	if err != nil {
		return nil, fmt.Errorf("read zstd: %w", err)
	}
	return plain.IOReadCloser(), nil
}

// lines ends at a line that no table can have: what unpacks to zeros has nothing else, and
// would fill the disk before anybody looked at it.
type lines struct {
	to   io.Writer
	size int // of the last line, so far
}

// Write implements io.Writer.
func (l *lines) Write(data []byte) (int, error) {
	end := bytes.LastIndexByte(data, '\n')
	if end < 0 {
		l.size += len(data)
	} else {
		l.size = len(data) - end - 1
	}
	if l.size > table.MaxRecord {
		return 0, source.Fault(fmt.Sprintf("it has a line longer than %d MiB when it is unpacked: it is no table", table.MaxRecord>>20))
	}
	return l.to.Write(data)
}
