package output

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// maxPixels bounds a picture by what a viewer would have to hold: 100 million
// pixels are 400 MB.
const maxPixels = 100_000_000

// checkPNG follows the chunks to the end, so that nothing can hide behind the
// picture, and then reads the pixels: see checkPixels.
func checkPNG(file stagedFile) error {
	if _, err := readPNG(file); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	return checkPixels(file)
}

// readPNG returns how many pixels there are.
func readPNG(file io.Reader) (pixels int64, err error) {
	reader := bufio.NewReaderSize(file, 64<<10)
	header := make([]byte, len(pngSignature)+8+13)
	if _, err := io.ReadFull(reader, header); err != nil {
		return 0, pngFault(err)
	}
	ihdr := header[len(pngSignature):]
	if string(header[:len(pngSignature)]) != pngSignature || !bytes.Equal(ihdr[:8], []byte("\x00\x00\x00\x0dIHDR")) {
		return 0, found(RuleMediaType, "it is not a PNG picture")
	}
	width, height := binary.BigEndian.Uint32(ihdr[8:]), binary.BigEndian.Uint32(ihdr[12:])
	if uint64(width)*uint64(height) > maxPixels {
		return 0, tooManyPixels()
	}
	if _, err := reader.Discard(4); err != nil { // IHDR's checksum
		return 0, pngFault(err)
	}
	frames, err := checkPNGChunks(reader)
	return int64(width)*int64(height) + frames, err
}

func tooManyPixels() error {
	return found(RuleTooLarge, "the picture has more than %d pixels", maxPixels)
}

// checkPNGChunks returns how many pixels there are in the frames of a picture that
// moves: each is drawn as a picture is.
func checkPNGChunks(reader *bufio.Reader) (frames int64, err error) {
	var chunk [8]byte
	for {
		if _, err := io.ReadFull(reader, chunk[:]); err != nil {
			return 0, pngFault(err)
		}
		length := binary.BigEndian.Uint32(chunk[:4])
		if length > 1<<31-1 {
			return 0, found(RuleMediaType, "it is not a PNG picture")
		}
		if string(chunk[4:]) == "fcTL" {
			size, err := reader.Peek(12) // the frame's number, width and height
			if err != nil {
				return 0, pngFault(err)
			}
			pixels := uint64(binary.BigEndian.Uint32(size[4:])) * uint64(binary.BigEndian.Uint32(size[8:]))
			if pixels > maxPixels || frames+int64(pixels) > maxDocumentPixels {
				return 0, found(RuleTooLarge, "the picture's frames have more than %d pixels together", maxDocumentPixels)
			}
			frames += int64(pixels)
		}
		if _, err := io.CopyN(io.Discard, reader, int64(length)+4); err != nil {
			return 0, pngFault(err)
		}
		if string(chunk[4:]) == "IEND" {
			break
		}
	}
	if _, err := reader.ReadByte(); !errors.Is(err, io.EOF) {
		return 0, found(RuleMediaType, "something follows the end of the PNG picture")
	}
	return frames, nil
}

func pngFault(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return found(RuleMediaType, "it is not a whole PNG picture")
	}
	return fmt.Errorf("read staged file: %w", err)
}
