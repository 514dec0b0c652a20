package output

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Kinds of a JPEG picture's segments: the second byte of their marker.
const (
	jpegEnd  = 0xd9
	jpegScan = 0xda
)

// checkJPEG follows the segments and the scans between them to the end, so that nothing
// can hide behind the picture, and holds it to a picture's size.
func checkJPEG(file stagedFile) error {
	pixels, err := readJPEG(file)
	if err == nil && pixels == 0 { // its size would come later
		err = notJPEG()
	}
	if err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	reader := bufio.NewReaderSize(file, 64<<10)
	if _, err := reader.Discard(2); err != nil { // the start, which readJPEG has seen
		return jpegFault(err)
	}
	if err := checkJPEGSegments(reader); err != nil {
		return err
	}
	return decodeJPEG(file)
}

// maxScans is ten times what a progressive picture has. Each makes a reader go over the
// whole picture again: a small file of thousands keeps one busy for minutes.
const maxScans = 100

// checkJPEGSegments wants one frame, at least one scan, and the end where the file's is.
func checkJPEGSegments(reader *bufio.Reader) error {
	frames, scans := 0, 0
	for {
		kind, err := jpegMarker(reader)
		if err != nil {
			return err
		}
		if kind == jpegEnd {
			break
		}
		if isJPEGFrame(kind) {
			frames++
		}
		if err := skipJPEGSegment(reader); err != nil {
			return err
		}
		if kind == jpegScan {
			scans++
			if err := skipJPEGScan(reader); err != nil {
				return err
			}
		}
		if frames > 1 { // each could have a size of its own
			return notJPEG()
		}
		if scans > maxScans {
			return found(RuleTooComplex, "the picture has more than %d scans", maxScans)
		}
	}
	if frames == 0 || scans == 0 {
		return notJPEG()
	}
	if _, err := reader.ReadByte(); !errors.Is(err, io.EOF) {
		return found(RuleMediaType, "something follows the end of the JPEG picture")
	}
	return nil
}

// jpegMarker reads a marker, before which bytes 0xff may stand to fill up. Only what
// common pictures have can stand here: another could set the picture's size again (DNL).
func jpegMarker(reader *bufio.Reader) (kind byte, err error) {
	first, err := reader.ReadByte()
	if err != nil {
		return 0, jpegFault(err)
	}
	if first != 0xff {
		return 0, notJPEG()
	}
	for kind = 0xff; kind == 0xff; {
		if kind, err = reader.ReadByte(); err != nil {
			return 0, jpegFault(err)
		}
	}
	if !commonJPEG(kind) {
		return 0, notJPEG()
	}
	return kind, nil
}

// commonJPEG tells the segments of baseline, extended and progressive pictures: tables,
// restarts, applications' own, comments, a frame, scans and the end.
func commonJPEG(kind byte) bool {
	switch kind {
	case 0xc0, 0xc1, 0xc2, 0xc4, jpegEnd, jpegScan, 0xdb, 0xdd, 0xfe:
		return true
	default:
		return kind >= 0xe0 && kind <= 0xef
	}
}

func skipJPEGSegment(reader *bufio.Reader) error {
	var size [2]byte
	if _, err := io.ReadFull(reader, size[:]); err != nil {
		return jpegFault(err)
	}
	length := int64(binary.BigEndian.Uint16(size[:]))
	if length < 2 {
		return notJPEG()
	}
	if _, err := io.CopyN(io.Discard, reader, length-2); err != nil {
		return jpegFault(err)
	}
	return nil
}

// skipJPEGScan passes over the bytes of a scan up to the next marker, which it leaves.
func skipJPEGScan(reader *bufio.Reader) error {
	for {
		next, err := reader.Peek(2)
		if err != nil {
			return jpegFault(err)
		}
		if endsJPEGScan(next) {
			return nil
		}
		if _, err := reader.Discard(1); err != nil {
			return jpegFault(err)
		}
	}
}

// endsJPEGScan tells a marker from what a scan has: 0xff before 0 or a restart's number.
func endsJPEGScan(next []byte) bool {
	return next[0] == 0xff && next[1] != 0 && (next[1] < 0xd0 || next[1] > 0xd7)
}

// isJPEGFrame tells the segments that begin a frame and have its size.
func isJPEGFrame(kind byte) bool {
	return kind >= 0xc0 && kind <= 0xcf && kind != 0xc4 && kind != 0xc8 && kind != 0xcc
}

func jpegFault(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return found(RuleMediaType, "it is not a whole JPEG picture")
	}
	return fmt.Errorf("read staged file: %w", err)
}
