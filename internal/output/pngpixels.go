package output

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// checkPixels wants a PNG picture that every reader decodes to the same pixels, with nothing
// between or behind what these are made of: chunks in their order and with their checksums,
// and in each frame as many bytes as its rows have. It unpacks them and keeps none: image/png
// would hold 800 MB of the largest picture that may leave.
func checkPixels(file io.Reader) error {
	reader := &pngReader{from: bufio.NewReaderSize(file, 64<<10)}
	if _, err := reader.from.Discard(len(pngSignature)); err != nil {
		return pngFault(err)
	}
	if err := reader.header(); err != nil {
		return err
	}
	for reader.kind != "IEND" {
		if err := reader.next(); err != nil {
			return err
		}
		if err := reader.chunk(); err != nil {
			return err
		}
	}
	if !reader.drawn {
		return notPNG()
	}
	return nil
}

func notPNG() error { return found(RuleMediaType, "it is not a PNG picture whose pixels can be read") }

// pngReader reads one chunk after the other.
type pngReader struct {
	from *bufio.Reader

	kind string
	left int64  // of the chunk's content
	sum  uint32 // of what was read of the chunk

	form    pngForm
	frame   pngForm // of a picture that moves: what the next pixels fill
	framed  bool    // it has been announced, and has none yet
	palette bool
	drawn   bool // the picture's own pixels have come
}

// pngForm is what decides how many bytes a frame has.
type pngForm struct {
	width, height int64
	bits          int64 // of one pixel
	interlaced    bool
}

// next begins a chunk.
func (r *pngReader) next() error {
	var head [8]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		return pngFault(err)
	}
	r.left, r.kind = int64(binary.BigEndian.Uint32(head[:4])), string(head[4:])
	r.sum = crc32.ChecksumIEEE(head[4:])
	return nil
}

// Read reads of the chunk's content.
func (r *pngReader) Read(into []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.from.Read(into[:min(int64(len(into)), r.left)])
	r.left -= int64(n)
	r.sum = crc32.Update(r.sum, crc32.IEEETable, into[:n])
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// end passes over what is left of a chunk, and compares its checksum.
func (r *pngReader) end() error {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return pngFault(err)
	}
	var sum [4]byte
	if _, err := io.ReadFull(r.from, sum[:]); err != nil {
		return pngFault(err)
	}
	if binary.BigEndian.Uint32(sum[:]) != r.sum {
		return found(RuleMediaType, "a checksum in the PNG picture is wrong")
	}
	return nil
}

// depths are the bits of a sample that a kind of picture may have, channels the samples of a
// pixel.
var (
	pngDepths   = map[byte]string{0: "\x01\x02\x04\x08\x10", 2: "\x08\x10", 3: "\x01\x02\x04\x08", 4: "\x08\x10", 6: "\x08\x10"}
	pngChannels = map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
)

const pngIndexed = 3

func (r *pngReader) header() error {
	if err := r.next(); err != nil {
		return err
	}
	var content [13]byte
	if _, err := io.ReadFull(r, content[:]); err != nil {
		return pngFault(err)
	}
	depth, color := content[8], content[9]
	known := false
	for _, each := range []byte(pngDepths[color]) {
		known = known || each == depth
	}
	if !known || content[10] != 0 || content[11] != 0 || content[12] > 1 {
		return notPNG()
	}
	r.form = pngForm{
		width: int64(binary.BigEndian.Uint32(content[:])), height: int64(binary.BigEndian.Uint32(content[4:])),
		bits: pngChannels[color] * int64(depth), interlaced: content[12] == 1,
	}
	if r.form.width == 0 || r.form.height == 0 {
		return notPNG()
	}
	r.palette = color != pngIndexed
	return r.end()
}

// chunk reads one, or all those that are of one frame's pixels.
func (r *pngReader) chunk() error {
	switch r.kind {
	case "IDAT":
		if r.drawn || !r.palette {
			return notPNG()
		}
		r.drawn, r.framed = true, false // a frame that was announced is this picture
		return r.pixels(r.form, 0)
	case "fdAT":
		if !r.drawn || !r.framed {
			return notPNG()
		}
		r.framed = false
		return r.pixels(r.frame, 4) // each begins with a number
	case "fcTL":
		return r.control()
	case "PLTE":
		r.palette = true
	case "IHDR":
		return notPNG()
	case "IEND":
		if r.left != 0 {
			return notPNG()
		}
	default:
		if r.kind[0]&0x20 == 0 { // a reader that does not know it must not show the picture
			return notPNG()
		}
	}
	return r.end()
}

// control reads the size of the next frame of a picture that moves.
func (r *pngReader) control() error {
	var content [26]byte
	if _, err := io.ReadFull(r, content[:]); err != nil || r.left != 0 {
		return notPNG()
	}
	r.frame, r.framed = r.form, true
	r.frame.width, r.frame.height = int64(binary.BigEndian.Uint32(content[4:])), int64(binary.BigEndian.Uint32(content[8:]))
	if r.frame.width == 0 || r.frame.height == 0 || r.frame.width > r.form.width || r.frame.height > r.form.height {
		return notPNG()
	}
	return r.end()
}

// pixels unpacks the chunks of one frame, which follow each other.
func (r *pngReader) pixels(form pngForm, skip int64) error {
	stream := &pngStream{reader: r, kind: r.kind, skip: skip}
	if err := stream.begin(); err != nil {
		return err
	}
	packed := bufio.NewReader(stream) // one that has bytes, so that zlib reads none too many
	unpacked, err := zlib.NewReader(packed)
	if err != nil {
		return stream.fault(err)
	}
	if err := form.read(unpacked); err != nil {
		return stream.fault(err)
	}
	_, err = packed.ReadByte()
	switch {
	case err == nil:
		return found(RuleMediaType, "something follows the pixels of the PNG picture")
	case !errors.Is(err, io.EOF):
		return stream.fault(err)
	}
	return nil // the stream has ended before the next chunk
}

// pngStream is what is packed in the chunks of one frame, put together.
type pngStream struct {
	reader *pngReader
	kind   string
	skip   int64
	wrong  error // a finding, or a failure of ours
	ended  bool  // the next chunk is of another kind
}

func (s *pngStream) begin() error {
	if _, err := io.CopyN(io.Discard, s.reader, s.skip); err != nil {
		return notPNG()
	}
	return nil
}

// Read implements io.Reader.
func (s *pngStream) Read(into []byte) (int, error) {
	for s.reader.left == 0 {
		if s.ended {
			return 0, io.EOF
		}
		if s.wrong = s.reader.end(); s.wrong != nil {
			return 0, s.wrong
		}
		head, err := s.reader.from.Peek(8)
		if err != nil {
			s.wrong = pngFault(err)
			return 0, s.wrong
		}
		if string(head[4:]) != s.kind {
			s.ended = true
			return 0, io.EOF
		}
		if s.wrong = errors.Join(s.reader.next(), s.begin()); s.wrong != nil {
			return 0, s.wrong
		}
	}
	n, err := s.reader.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		s.wrong = pngFault(err)
	}
	return n, err
}

// fault is what is wrong with the stream, or with what it was put together from.
func (s *pngStream) fault(err error) error {
	if s.wrong != nil {
		return s.wrong
	}
	if finding, ok := errors.AsType[*finding](err); ok {
		return finding
	}
	return found(RuleMediaType, "the pixels of the PNG picture cannot be unpacked")
}

// read wants as many rows as the form has, and the end.
func (f pngForm) read(from io.Reader) error {
	rows := bufio.NewReaderSize(from, 64<<10)
	for _, pass := range f.passes() {
		if pass.width == 0 {
			continue
		}
		bytes := (pass.width*pass.bits + 7) / 8
		for range pass.height {
			filter, err := rows.ReadByte()
			if err != nil || filter > 4 {
				return notPNG()
			}
			if _, err := rows.Discard(int(bytes)); err != nil {
				return notPNG()
			}
		}
	}
	if _, err := rows.ReadByte(); !errors.Is(err, io.EOF) { // zlib has then compared its checksum
		return found(RuleMediaType, "the PNG picture has more than its pixels")
	}
	return nil
}

// passes are the pictures that an interlaced one is made of, by Adam7.
func (f pngForm) passes() []pngForm {
	if !f.interlaced {
		return []pngForm{f}
	}
	var all []pngForm
	for _, p := range [...]struct{ x, y, dx, dy int64 }{
		{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
	} {
		all = append(all, pngForm{width: (f.width - p.x + p.dx - 1) / p.dx, height: (f.height - p.y + p.dy - 1) / p.dy, bits: f.bits})
	}
	return all
}
