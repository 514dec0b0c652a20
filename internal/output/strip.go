package output

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"hotcell/internal/digest"
)

// keptPNG are the chunks by which a reader draws a picture, with how long they may be: what
// shows, and nothing that says who made it, when, by what, or anything else.
var keptPNG = map[string]uint32{
	"tRNS": 256, "gAMA": 4, "cHRM": 32, "sRGB": 1, "cICP": 4, "sBIT": 4, "bKGD": 6, "pHYs": 9, // once each
	"acTL": 8, "fcTL": 26, "fdAT": 1<<31 - 1, // of a picture that moves
}

// namedPNG are those that people meet.
var namedPNG = []string{"tEXt", "zTXt", "iTXt", "eXIf", "tIME", "iCCP", "sPLT", "hIST"}

// stripPNG leaves out the chunks that draw nothing. No other byte is changed: the pixels are
// those that came.
func stripPNG(file io.Reader, to io.Writer) (removed []string, err error) {
	reader := bufio.NewReaderSize(file, 64<<10)
	if _, err := io.CopyN(to, reader, int64(len(pngSignature))); err != nil {
		return nil, pngFault(err)
	}
	seen := map[string]bool{}
	for kind := ""; kind != "IEND"; {
		head, err := reader.Peek(8)
		if err != nil {
			return removed, pngFault(err)
		}
		length := binary.BigEndian.Uint32(head[:4])
		kind = string(head[4:])
		into := to
		if !keepsPNG(kind, length, seen) {
			removed, into = named(removed, kind), io.Discard
		}
		if _, err := io.CopyN(into, reader, 8+int64(length)+4); err != nil {
			return removed, pngFault(err)
		}
	}
	return removed, copyRest(to, reader)
}

func keepsPNG(kind string, length uint32, seen map[string]bool) bool {
	if kind[0]&0x20 == 0 {
		return true // needed to draw the picture, or nothing that can be drawn
	}
	most, kept := keptPNG[kind]
	once := kind != "fcTL" && kind != "fdAT"
	if !kept || length > most || once && seen[kind] {
		return false
	}
	seen[kind] = true
	return true
}

// named adds a chunk's name, which is the script's text unless it is known, once.
func named(all []string, kind string) []string {
	if !slices.Contains(namedPNG, kind) {
		kind = "a chunk of another kind"
	}
	if slices.Contains(all, kind) {
		return all
	}
	return append(all, kind)
}

// copyRest hands on what stands behind the end, which is refused then.
func copyRest(to io.Writer, from io.Reader) error {
	if _, err := io.Copy(to, from); err != nil {
		return fmt.Errorf("copy staged file: %w", err)
	}
	return nil
}

// Segments of a JPEG picture that say something beside it: one for each application, and a
// comment.
const (
	jpegJFIF    = 0xe0
	jpegAdobe   = 0xee
	jpegComment = 0xfe
)

// stripJPEG leaves out what applications have written, comments and bytes that fill up. Of
// JFIF's segment its density is kept, of Adobe's how colours are to be read: without it the
// pixels would be others.
func stripJPEG(file io.Reader, to io.Writer) (removed []string, err error) {
	reader := bufio.NewReaderSize(file, 64<<10)
	if _, err := io.CopyN(to, reader, 2); err != nil {
		return nil, jpegFault(err)
	}
	stripper := jpegStripper{from: reader, to: to}
	for {
		kind, err := stripper.marker()
		if err == nil && kind != jpegEnd {
			err = stripper.segment(kind)
		}
		if err == nil && kind == jpegScan {
			err = stripper.scan()
		}
		if err != nil {
			return stripper.removed, err
		}
		if kind == jpegEnd {
			if _, err := to.Write([]byte{0xff, jpegEnd}); err != nil {
				return stripper.removed, fmt.Errorf("copy staged file: %w", err)
			}
			return stripper.removed, copyRest(to, reader)
		}
	}
}

type jpegStripper struct {
	from    *bufio.Reader
	to      io.Writer
	removed []string
	kept    [2]bool // of JFIF's and Adobe's segment one each
}

func (s *jpegStripper) add(what string) {
	if !slices.Contains(s.removed, what) {
		s.removed = append(s.removed, what)
	}
}

func (s *jpegStripper) marker() (byte, error) {
	next, err := s.from.Peek(2)
	if err == nil && next[0] == 0xff && next[1] == 0xff {
		s.add("bytes between its segments")
	}
	return jpegMarker(s.from)
}

// segment copies one, or what of it is kept.
func (s *jpegStripper) segment(kind byte) error {
	var size [2]byte
	if _, err := io.ReadFull(s.from, size[:]); err != nil {
		return jpegFault(err)
	}
	length := int64(binary.BigEndian.Uint16(size[:])) - 2
	if length < 0 {
		return notJPEG()
	}
	content := make([]byte, length)
	if _, err := io.ReadFull(s.from, content); err != nil {
		return jpegFault(err)
	}
	if kind == jpegComment || kind >= jpegJFIF && kind <= 0xef {
		if content = s.describing(kind, content); content == nil {
			return nil
		}
	}
	segment := binary.BigEndian.AppendUint16([]byte{0xff, kind}, uint16(len(content)+2))
	if _, err := s.to.Write(append(segment, content...)); err != nil {
		return fmt.Errorf("copy staged file: %w", err)
	}
	return nil
}

// describing returns what is kept of a segment that is no part of the picture, or nil.
func (s *jpegStripper) describing(kind byte, content []byte) []byte {
	switch {
	case kind == jpegJFIF && len(content) >= 14 && bytes.HasPrefix(content, []byte("JFIF\x00")) && !s.kept[0]:
		s.kept[0] = true
		kept := append(bytes.Clone(content[:12]), 0, 0) // no small picture
		if !bytes.Equal(kept, content) {
			s.add("a small picture in it")
		}
		return kept
	case kind == jpegAdobe && len(content) >= 12 && bytes.HasPrefix(content, []byte("Adobe")) && !s.kept[1]:
		s.kept[1] = true
		kept := append([]byte("Adobe\x00d\x00\x00\x00\x00"), content[11])
		if !bytes.Equal(kept, content) {
			s.add("a segment of Adobe's")
		}
		return kept
	case kind == jpegComment:
		s.add("a comment")
	case kind == 0xe1:
		s.add("Exif or XMP")
	case kind == 0xe2:
		s.add("a colour profile")
	default:
		s.add("a segment of an application's")
	}
	return nil
}

// scan copies the bytes of a scan.
func (s *jpegStripper) scan() error {
	buffered := bufio.NewWriter(s.to)
	for {
		next, err := s.from.Peek(2)
		if err != nil {
			return jpegFault(err)
		}
		if endsJPEGScan(next) {
			break
		}
		if _, err := s.from.Discard(1); err != nil {
			return jpegFault(err)
		}
		if err := buffered.WriteByte(next[0]); err != nil {
			return fmt.Errorf("copy staged file: %w", err)
		}
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("copy staged file: %w", err)
	}
	return nil
}

// stripped is where a picture is put together: no verified file's name begins with a dot.
const stripped = ".stripped"

// strip takes from a staged file what it says beside its content, and tells what it is then.
// removed is what was taken, or would be.
func (v *verifier) strip(ctx context.Context, name string, kind *mediaType) (removed []string, now Declared, err error) {
	if kind.strip == nil {
		return nil, Declared{}, nil
	}
	removed, err = v.stripTo(ctx, name, kind, io.Discard)
	if err != nil || len(removed) == 0 || v.rules.RefusePictureMetadata {
		return removed, Declared{}, err
	}
	dst, err := createBelow(v.staging, stripped, 0o600, 0o700)
	if err != nil {
		return removed, Declared{}, err
	}
	sum, size := digest.New(), &count{}
	_, err = v.stripTo(ctx, name, kind, io.MultiWriter(dst, sum, size))
	err = errors.Join(err, dst.Close())
	if err == nil {
		err = v.staging.Rename(stripped, name)
	}
	return removed, Declared{Bytes: size.bytes, SHA256: sum.Digest().Hex()}, err
}

func (v *verifier) stripTo(ctx context.Context, name string, kind *mediaType, to io.Writer) (removed []string, err error) {
	file, err := v.staging.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open staged file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	staged := &watched{stagedFile: file, ctx: ctx}
	removed, err = kind.strip(staged, to)
	if staged.fault != nil {
		return nil, staged.fault
	}
	return removed, err
}

type count struct{ bytes int64 }

// Write implements io.Writer.
func (c *count) Write(chunk []byte) (int, error) {
	c.bytes += int64(len(chunk))
	return len(chunk), nil
}

func hasMetadata(removed []string) *finding {
	return &finding{RuleMetadata, "it has more than its pixels (" + strings.Join(removed, ", ") +
		"), and this policy refuses that: save it without, in matplotlib as savefig(…, metadata={\"Software\": None}), in Pillow without exif, pnginfo and comment"}
}
