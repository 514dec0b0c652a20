package image

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/klauspost/compress/zstd"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
)

// ErrArchive is wrapped by the error for an archive that Save has not written so, or that is
// another image than it had to be.
var ErrArchive = errors.New("this is no image that `runner image save` of this version has written")

const (
	// maxLayers bounds the layers of an archive together, in bytes. Those of python-analysis
	// have 460 MB.
	maxLayers = 4 << 30
	// maxWindow bounds what decompressing takes of memory, in bytes. Save writes 8 MiB.
	maxWindow = 32 << 20
	// maxPadding bounds what may follow the end of a tar archive, in bytes: GNU tar fills up
	// to a multiple of 10 KiB.
	maxPadding = 64 << 10
)

// LoadOptions says what is loaded. The zero value takes any image that Save writes.
type LoadOptions struct {
	// Digest is the one that the image must have, or "". The archive is not signed: whoever
	// wrote it chose the code that judges all other code.
	Digest digest.Digest
}

// Load puts an image into the store that Save has written, under its digest and name, as if
// it had been built here. The archive is hostile until all of it has been read: its parts
// come in one order, with the names and sizes that those before them say; manifest,
// configuration and index are compared with what this program would write; and the layers
// hold nothing that no image of a store holds. The image is in the store then, and not
// before; nothing of one that is refused stays. Rootfs unpacks it.
func (s *Store) Load(ctx context.Context, archive io.Reader, options LoadOptions) (image Image, err error) {
	release, err := s.lock(ctx, "build")
	if err != nil {
		return Image{}, fmt.Errorf("load image: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	image, err = s.load(ctx, archive, options)
	if err != nil {
		return Image{}, fmt.Errorf("load image: %w", err)
	}
	return image, nil
}

func (s *Store) load(ctx context.Context, archive io.Reader, options LoadOptions) (image Image, err error) {
	work, err := s.stage("load")
	if err != nil {
		return Image{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	content, done, err := decompress(untilDone{ctx, archive})
	if err != nil {
		return Image{}, err
	}
	defer done()
	arriving := &arrival{archive: tar.NewReader(content), rest: content, blobs: blobs{dir: work}, options: options}
	if image, err = arriving.read(ctx); err != nil {
		return Image{}, err
	}
	for _, blob := range arriving.have {
		if err := durable.Rename(arriving.blobs.path(blob), s.blobs.path(blob)); err != nil {
			return Image{}, err
		}
	}
	return image, s.enter(entryOf(image, arriving.manifestSize))
}

// decompress reads an archive that is compressed by zstd, or not at all: tools that pass
// archives on take the compression off.
func decompress(archive io.Reader) (content io.Reader, done func(), err error) {
	buffered := bufio.NewReaderSize(archive, 1<<20)
	magic, err := buffered.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if !bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		return buffered, func() {}, nil
	}
	decoder, err := zstd.NewReader(buffered, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, nil, err
	}
	return decompressed{decoder}, decoder.Close, nil
}

// decompressed tells what is no zstd from what could not be read.
type decompressed struct{ from *zstd.Decoder }

// Read implements io.Reader.
func (d decompressed) Read(p []byte) (int, error) {
	n, err := d.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: decompress it: %w", ErrArchive, err)
	}
	return n, err
}

// arrival is an archive that is being read.
type arrival struct {
	archive      *tar.Reader
	rest         io.Reader // what archive reads
	blobs        blobs     // that have been read
	have         []v1.Hash
	manifestSize int64
	options      LoadOptions
}

func (a *arrival) read(ctx context.Context) (Image, error) {
	layout, err := a.document(layoutFile, int64(len(layoutContent)))
	if err != nil {
		return Image{}, err
	}
	if string(layout) != layoutContent {
		return Image{}, fmt.Errorf("%w: its %s is another", ErrArchive, layoutFile)
	}
	index, err := a.document(indexFile, maxDocument)
	if err != nil {
		return Image{}, err
	}
	entry, err := a.entry(index)
	if err != nil {
		return Image{}, err
	}
	image, stored, err := a.describe(entry)
	if err != nil {
		return Image{}, err
	}
	if want, err := indexOf(image, entry.Size); err != nil || !bytes.Equal(index, want) {
		return Image{}, errors.Join(fmt.Errorf("%w: its %s is another", ErrArchive, indexFile), err)
	}
	if err := a.bill(stored); err != nil {
		return Image{}, err
	}
	for _, layer := range stored.manifest.Layers {
		if err := a.blob(layer); err != nil {
			return Image{}, err
		}
	}
	if err := a.end(); err != nil {
		return Image{}, err
	}
	return image, a.survey(ctx, image, stored)
}

// next is the part that must come now, of at most so many bytes.
func (a *arrival) next(name string, most int64) (size int64, err error) {
	header, err := a.archive.Next()
	if err != nil {
		return 0, fmt.Errorf("%w: read %s: %w", ErrArchive, name, whole(err))
	}
	switch {
	case header.Typeflag != tar.TypeReg || len(header.PAXRecords) > 0:
		return 0, fmt.Errorf("%w: where %s should be is no plain file", ErrArchive, name)
	case header.Name != name:
		return 0, fmt.Errorf("%w: where %s should be is %.100q", ErrArchive, name, header.Name)
	case header.Size > most:
		return 0, fmt.Errorf("%w: %s has %d bytes, and may have %d", ErrArchive, name, header.Size, most)
	}
	return header.Size, nil
}

// whole is what is wrong with an archive that ends too early.
func whole(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (a *arrival) document(name string, most int64) ([]byte, error) {
	size, err := a.next(name, most)
	if err != nil {
		return nil, err
	}
	content := make([]byte, size)
	if _, err := io.ReadFull(a.archive, content); err != nil {
		return nil, fmt.Errorf("%w: read %s: %w", ErrArchive, name, whole(err))
	}
	return content, nil
}

// blob reads the blob that must come now, which has so many bytes.
func (a *arrival) blob(want v1.Descriptor) error {
	size, err := a.blobUpTo(want.Digest, want.Size)
	if err == nil && size != want.Size {
		err = fmt.Errorf("%w: blob %s has %d bytes, and must have %d", ErrArchive, want.Digest, size, want.Size)
	}
	return err
}

func (a *arrival) blobUpTo(want v1.Hash, most int64) (size int64, err error) {
	name, err := digest.Parse(want.String())
	if err != nil {
		return 0, fmt.Errorf("%w: blob %.100q: %w", ErrArchive, want, err)
	}
	if slices.Contains(a.have, want) {
		return 0, fmt.Errorf("%w: it has blob %s twice", ErrArchive, name)
	}
	if size, err = a.next(blobName(want), most); err != nil {
		return 0, err
	}
	if _, _, err := a.blobs.put(digest.NewReader(io.NopCloser(a.archive), name, size)); err != nil {
		if errors.Is(err, digest.ErrMismatch) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: %w", ErrArchive, err)
		}
		return 0, err
	}
	a.have = append(a.have, want)
	return size, nil
}

// entry is what the index says of the image.
func (a *arrival) entry(content []byte) (v1.Descriptor, error) {
	var index v1.IndexManifest
	if err := strictjson.Decode(content, maxDocument, &index); err != nil {
		return v1.Descriptor{}, fmt.Errorf("%w: %s: %w", ErrArchive, indexFile, err)
	}
	if len(index.Manifests) != 1 {
		return v1.Descriptor{}, fmt.Errorf("%w: its %s has %d images, and may have one", ErrArchive, indexFile, len(index.Manifests))
	}
	entry := index.Manifests[0]
	if name, ok := entry.Annotations[annotationName]; ok && name != pythonanalysis.Name {
		return v1.Descriptor{}, fmt.Errorf("%w: the image is called %.100q, and not %s", ErrArchive, name, pythonanalysis.Name)
	}
	if want := a.options.Digest; want != "" && entry.Digest != hashOf(want) {
		return v1.Descriptor{}, fmt.Errorf("%w: the archive has image %.100s, not %s", ErrArchive, entry.Digest, want)
	}
	if entry.Size > maxDocument {
		return v1.Descriptor{}, fmt.Errorf("%w: its manifest is larger than %d bytes", ErrArchive, maxDocument)
	}
	a.manifestSize = entry.Size
	return entry, nil
}

// describe reads manifest and configuration, and holds that they are what this program
// writes of such an image: a daemon obeys much that a configuration can say.
func (a *arrival) describe(entry v1.Descriptor) (Image, *storedImage, error) {
	if err := a.blob(entry); err != nil {
		return Image{}, nil, err
	}
	raw, err := a.blobs.read(entry)
	if err != nil {
		return Image{}, nil, err
	}
	manifest, err := v1.ParseManifest(bytes.NewReader(raw))
	if err != nil {
		return Image{}, nil, fmt.Errorf("%w: read manifest: %w", ErrArchive, err)
	}
	if manifest.Config.Size > maxDocument {
		return Image{}, nil, fmt.Errorf("%w: its configuration is larger than %d bytes", ErrArchive, maxDocument)
	}
	if err := a.blob(manifest.Config); err != nil {
		return Image{}, nil, err
	}
	stored, err := openImage(a.blobs, entry)
	if err != nil {
		return Image{}, nil, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	image, err := imageFromManifest(entry, stored)
	if err == nil {
		err = stored.checkOwn(image)
	}
	if err != nil {
		return Image{}, nil, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	return image, stored, nil
}

// bill reads the bill of materials, of which only the digest is known.
func (a *arrival) bill(stored *storedImage) error {
	blob, err := v1.NewHash(stored.manifest.Annotations[annotationSBOM])
	if err != nil {
		return fmt.Errorf("%w: bill of materials: %w", ErrArchive, err)
	}
	if _, err := a.blobUpTo(blob, maxDocument); err != nil {
		return err
	}
	content, err := a.blobs.readUnsized(blob)
	if err != nil {
		return err
	}
	if err := strictjson.CheckValue(content, maxDepth); err != nil {
		return fmt.Errorf("%w: bill of materials: %w", ErrArchive, err)
	}
	return nil
}

// maxDepth is of the JSON of a bill of materials.
const maxDepth = 32

// end holds that nothing but padding follows.
func (a *arrival) end() error {
	if header, err := a.archive.Next(); err == nil {
		return fmt.Errorf("%w: it has more, %.100q", ErrArchive, header.Name)
	} else if !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: read its end: %w", ErrArchive, err)
	}
	rest, err := io.ReadAll(io.LimitReader(a.rest, maxPadding+1))
	if err != nil {
		return fmt.Errorf("%w: read its end: %w", ErrArchive, err)
	}
	if len(rest) > maxPadding || len(bytes.Trim(rest, "\x00")) > 0 {
		return fmt.Errorf("%w: something follows its end", ErrArchive)
	}
	return nil
}
