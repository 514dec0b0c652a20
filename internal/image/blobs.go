package image

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// maxDocument bounds manifests, configurations and bills of materials, in bytes.
// The largest, a bill of materials of 120 packages, has 70 kB.
const maxDocument = 8 << 20

// blobs is a directory of files that are named by their SHA-256.
type blobs struct{ dir string }

func (b blobs) path(blob v1.Hash) string { return filepath.Join(b.dir, blob.Hex) }

// put stores what content yields. It replaces a blob that is there already, which
// repairs a damaged one.
func (b blobs) put(content io.Reader) (blob v1.Hash, size int64, err error) {
	file, err := os.CreateTemp(b.dir, ".new-*")
	if err != nil {
		return v1.Hash{}, 0, fmt.Errorf("store blob: %w", err)
	}
	defer func() { err = errors.Join(err, discard(file)) }()
	sum, size, err := digest.From(io.TeeReader(content, file))
	if err != nil {
		return v1.Hash{}, 0, fmt.Errorf("store blob: %w", err)
	}
	blob = hashOf(sum)
	if err := publish(file, b.path(blob)); err != nil {
		return v1.Hash{}, 0, fmt.Errorf("store blob: %w", err)
	}
	return blob, size, nil
}

func (b blobs) putBytes(content []byte) (v1.Hash, error) {
	blob, _, err := b.put(bytes.NewReader(content))
	return blob, err
}

// read returns a whole blob of at most maxDocument bytes, verified.
func (b blobs) read(blob v1.Descriptor) (content []byte, err error) {
	if blob.Size > maxDocument {
		return nil, fmt.Errorf("blob %s is larger than %d bytes", blob.Digest, maxDocument)
	}
	file, err := b.open(blob)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return io.ReadAll(file)
}

// readUnsized is read for a blob of which only the digest is known.
func (b blobs) readUnsized(blob v1.Hash) ([]byte, error) {
	info, err := os.Stat(b.path(blob))
	if err != nil {
		return nil, incomplete(err)
	}
	return b.read(v1.Descriptor{Digest: blob, Size: info.Size()})
}

// open returns a reader that verifies what it reads, and at Close what is left.
func (b blobs) open(blob v1.Descriptor) (io.ReadCloser, error) {
	want, err := digest.Parse(blob.Digest.String())
	if err != nil {
		return nil, fmt.Errorf("open blob %q: %w", blob.Digest, err)
	}
	file, err := durable.Open(b.path(blob.Digest))
	if err != nil {
		return nil, incomplete(err)
	}
	return blobReader{digest.NewReader(file, want, blob.Size)}, nil
}

func incomplete(err error) error {
	return fmt.Errorf("open blob: %w: the image is incomplete, run: runner image build", err)
}

// blobReader adds what to do to a damaged blob.
type blobReader struct{ verified *digest.Reader }

// Read implements io.Reader.
func (r blobReader) Read(p []byte) (int, error) {
	n, err := r.verified.Read(p)
	return n, advise(err)
}

// Close implements io.Closer.
func (r blobReader) Close() error { return advise(r.verified.Close()) }

func advise(err error) error {
	if errors.Is(err, digest.ErrMismatch) {
		return fmt.Errorf("blob is damaged: %w: run: runner image build", err)
	}
	return err
}

// with calls do with an open blob. What do has read to the end is verified.
func (b blobs) with(blob v1.Descriptor, do func(io.Reader) error) (err error) {
	content, err := b.open(blob)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	return do(content)
}

// hashOf is a digest as the library has it.
func hashOf(sum digest.Digest) v1.Hash { return v1.Hash{Algorithm: "sha256", Hex: string(sum.Hex())} }

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
