package digest

import (
	"errors"
	"fmt"
	"io"
)

var (
	// ErrMismatch means that bytes are not those that their digest names.
	ErrMismatch = errors.New("other bytes than the digest names")
	// ErrSize is the ErrMismatch of bytes that are more or fewer than those.
	ErrSize = fmt.Errorf("%w: not as many", ErrMismatch)
)

// Reader reads what a digest names. It tells by ErrMismatch in place of io.EOF when
// the bytes were others, by ErrSize as soon as there is one too many, which it does not
// hand out, and Close tells it of what nobody has read: whoever uses what was read before
// either of them was nil uses what anybody may have written. Not for concurrent use.
type Reader struct {
	source io.ReadCloser
	sum    *Hash
	want   Digest
	size   int64 // that want names
	read   int64
	ended  error // nil until the source has ended, then io.EOF or why not
}

// NewReader takes source over, which has the size bytes that want names.
func NewReader(source io.ReadCloser, want Digest, size int64) *Reader {
	return &Reader{source: source, sum: New(), want: want, size: size}
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if r.ended != nil {
		return 0, r.ended
	}
	n, err := r.source.Read(p)
	if left := r.size - r.read; int64(n) > left {
		n, err = int(max(left, 0)), fmt.Errorf("%w: more than the %d of %s", ErrSize, r.size, r.want)
	}
	r.read += int64(n)
	r.sum.sum.Write(p[:n])
	if errors.Is(err, io.EOF) {
		err = r.end()
	}
	r.ended = err
	return n, err
}

func (r *Reader) end() error {
	if r.read != r.size {
		return fmt.Errorf("%w: %d instead of the %d of %s", ErrSize, r.read, r.size, r.want)
	}
	if got := r.sum.Digest(); got != r.want {
		return fmt.Errorf("%w: they are those of %s, not of %s", ErrMismatch, got, r.want)
	}
	return io.EOF
}

// Close reads what is left, so that the whole is verified, and closes the source. What
// Read has told already it does not tell again.
func (r *Reader) Close() error {
	var err error
	if r.ended == nil {
		_, err = io.Copy(io.Discard, r)
	}
	return errors.Join(err, r.source.Close())
}
