package beneath

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"hotcell/internal/digest"
)

// Copy copies at most limit bytes that nothing names yet from a file into dst, and returns
// how many there were and the digest of what was written: what is named is what is kept,
// whatever happens to the source. Where the source is longer, the error is ErrTooLarge.
// dst may be io.Discard.
func Copy(ctx context.Context, dst io.Writer, src io.Reader, limit int64) (written int64, sum digest.Digest, err error) {
	hash := digest.New()
	bounded := &io.LimitedReader{R: reader{ctx, src}, N: limit}
	written, err = io.Copy(io.MultiWriter(dst, hash), bounded)
	if err != nil {
		return written, "", err
	}
	if err := atEnd(src, bounded.N); err != nil {
		return written, "", err
	}
	return written, hash.Digest(), nil
}

// CopyNamed copies into dst the size bytes that want names. Where src has others the error
// is digest.ErrMismatch, digest.ErrSize for more or fewer, and dst has at most size bytes of
// them.
func CopyNamed(ctx context.Context, dst io.Writer, src io.Reader, want digest.Digest, size int64) error {
	_, err := io.Copy(dst, digest.NewReader(io.NopCloser(reader{ctx, src}), want, size))
	return err
}

// atEnd reads one byte more than the limit, where the limit was reached.
func atEnd(src io.Reader, left int64) error {
	if left > 0 {
		return nil
	}
	var extra [1]byte
	switch _, err := io.ReadFull(src, extra[:]); {
	case err == nil:
		return ErrTooLarge
	case errors.Is(err, io.EOF):
		return nil
	default:
		return err
	}
}

// reader ends a copy when its context ends.
type reader struct {
	ctx context.Context
	src io.Reader
}

// Read implements io.Reader.
func (r reader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.src.Read(p)
}

// ReadFile reads one file directly in root, of at most limit bytes, under the
// same rules as Walk: no link, no mount, one regular file with one hard link.
func ReadFile(ctx context.Context, root *os.Root, name string, limit int64) (data []byte, err error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", Escape(name), err)
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	node, err := lookAt(dir, name, name)
	if err != nil {
		return nil, err
	}
	if node.Kind == Regular && node.Links != 1 {
		return nil, fmt.Errorf("read %s: it has %d %w", Escape(name), node.Links, ErrLinked)
	}
	file, err := node.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return readAll(ctx, file, limit)
}

func readAll(ctx context.Context, file *os.File, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(reader{ctx, file}, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", Escape(file.Name()), err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("read %s: %w: more than %d", Escape(file.Name()), ErrTooLarge, limit)
	}
	return data, nil
}
