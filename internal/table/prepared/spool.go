package prepared

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// maxBuffered is what streams together hold in memory, in bytes.
const maxBuffered = 32 << 20

// spool keeps many streams in one file until it is known where each is to lie.
type spool struct {
	file     *os.File
	bytes    int64
	streams  []*stream
	most     int // bytes in memory
	buffered int
}

// stream is a sequence of bytes, which is first written and then read.
type stream struct {
	spool  *spool
	tail   []byte // not in the file yet
	chunks []Buffer
	bytes  int64
}

func (s *spool) stream() *stream {
	made := &stream{spool: s}
	s.streams = append(s.streams, made)
	return made
}

// grow appends room for some bytes, to be filled before the next call.
func (s *stream) grow(bytes int) []byte {
	at := len(s.tail)
	s.tail = append(s.tail, make([]byte, bytes)...)
	s.bytes += int64(bytes)
	s.spool.buffered += bytes
	return s.tail[at:]
}

func (s *stream) append(data []byte) {
	s.tail = append(s.tail, data...)
	s.bytes += int64(len(data))
	s.spool.buffered += len(data)
}

// trim moves everything into the file when it is much.
func (s *spool) trim() error {
	if s.buffered < s.most {
		return nil
	}
	return s.flush()
}

func (s *spool) flush() error {
	to := bufio.NewWriterSize(s.file, min(s.buffered+1, 1<<20))
	for _, each := range s.streams {
		if len(each.tail) == 0 {
			continue
		}
		each.chunks = append(each.chunks, Buffer{s.bytes, int64(len(each.tail))})
		s.bytes += int64(len(each.tail))
		_, _ = to.Write(each.tail) // Flush has its error
		each.tail = each.tail[:0]
	}
	s.buffered = 0
	if err := to.Flush(); err != nil {
		return fmt.Errorf("write column: %w", err)
	}
	return nil
}

// reader reads a stream that has been flushed.
func (s *stream) reader() *bufio.Reader {
	return bufio.NewReaderSize(&chunkReader{file: s.spool.file, left: s.chunks}, 256<<10)
}

type chunkReader struct {
	file *os.File
	left []Buffer
}

// Read implements io.Reader.
func (r *chunkReader) Read(into []byte) (int, error) {
	if len(r.left) == 0 {
		return 0, io.EOF
	}
	chunk := &r.left[0]
	into = into[:min(int64(len(into)), chunk.Bytes)]
	count, err := r.file.ReadAt(into, chunk.Offset)
	if count < len(into) {
		return count, fmt.Errorf("read column: %w", err)
	}
	if chunk.Bytes == int64(count) {
		r.left = r.left[1:]
	} else {
		*chunk = Buffer{chunk.Offset + int64(count), chunk.Bytes - int64(count)}
	}
	return count, nil
}
