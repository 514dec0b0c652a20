package image

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"hotcell/internal/durable"
)

// maxDocument bounds manifests, configurations and bills of materials, in bytes.
// The largest, a bill of materials of 120 packages, has 70 kB.
const maxDocument = 8 << 20

// blobs is a directory of files that are named by their SHA-256.
type blobs struct{ dir string }

func (b blobs) path(digest v1.Hash) string { return filepath.Join(b.dir, digest.Hex) }

// put stores what content yields. It replaces a blob that is there already, which
// repairs a damaged one.
func (b blobs) put(content io.Reader) (digest v1.Hash, size int64, err error) {
	file, err := os.CreateTemp(b.dir, ".new-*")
	if err != nil {
		return v1.Hash{}, 0, fmt.Errorf("store blob: %w", err)
	}
	defer func() { err = errors.Join(err, discard(file)) }()
	sum := sha256.New()
	size, err = io.Copy(io.MultiWriter(file, sum), content)
	if err != nil {
		return v1.Hash{}, 0, fmt.Errorf("store blob: %w", err)
	}
	digest = sumOf(sum)
	if err := publish(file, b.path(digest)); err != nil {
		return v1.Hash{}, 0, fmt.Errorf("store blob: %w", err)
	}
	return digest, size, nil
}

func (b blobs) putBytes(content []byte) (v1.Hash, error) {
	digest, _, err := b.put(bytes.NewReader(content))
	return digest, err
}

// read returns a whole blob of at most limit bytes, verified.
func (b blobs) read(digest v1.Hash, limit int64) (content []byte, err error) {
	file, err := b.open(digest)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	content, err = io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(content)) > limit {
		return nil, fmt.Errorf("blob %s is larger than %d bytes", digest, limit)
	}
	return content, nil
}

// open returns a reader that yields an error instead of io.EOF when the bytes
// were not those that the digest names.
func (b blobs) open(digest v1.Hash) (io.ReadCloser, error) {
	if digest.Algorithm != "sha256" || len(digest.Hex) != sha256.Size*2 {
		return nil, fmt.Errorf("open blob %q: not a sha256 digest", digest)
	}
	file, err := os.Open(b.path(digest))
	if err != nil {
		return nil, fmt.Errorf("open blob: %w: the image is incomplete, run: runner image build", err)
	}
	return &verifiedReader{file: file, sum: sha256.New(), want: digest}, nil
}

// with calls do with an open blob. What do has read to the end is verified.
func (b blobs) with(digest v1.Hash, do func(io.Reader) error) (err error) {
	content, err := b.open(digest)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	return do(content)
}

// verifiedReader is what open returns.
type verifiedReader struct {
	file *os.File
	sum  hash.Hash
	want v1.Hash
}

// Read implements io.Reader.
func (r *verifiedReader) Read(p []byte) (int, error) {
	n, err := r.file.Read(p)
	r.sum.Write(p[:n]) // never returns an error: see hash.Hash
	if errors.Is(err, io.EOF) {
		if got := sumOf(r.sum); got != r.want {
			return n, fmt.Errorf("blob %s is damaged, its bytes are those of %s: run: runner image build", r.want, got)
		}
	}
	return n, err
}

// Close implements io.Closer.
func (r *verifiedReader) Close() error { return r.file.Close() }

func sumOf(sum hash.Hash) v1.Hash {
	return v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(sum.Sum(nil))}
}

// writeFile replaces a file in one step, so that no reader and no crash sees half
// of it.
func writeFile(path string, content []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, discard(file)) }()
	if _, err := file.Write(content); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return publish(file, path)
}

// publish gives a temporary file its name once its bytes are on the disk.
func publish(file *os.File, path string) error {
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	return durable.Rename(file.Name(), path)
}

// discard closes and removes a temporary file, unless it has been published.
func discard(file *os.File) error {
	err := file.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if removed := os.Remove(file.Name()); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}
