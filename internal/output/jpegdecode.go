package output

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"image/jpeg"
	"io"
)

// maxJPEGMemory bounds what the decoder holds of one picture: 22 million pixels of full
// colour, twice that with the usual half of it, a fifth where the picture is progressive.
const maxJPEGMemory = 64 << 20

// decodeJPEG wants a picture that can be decoded. Its segments have been followed.
func decodeJPEG(file stagedFile) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	memory, err := jpegMemory(file)
	if err != nil {
		return err
	}
	if memory > maxJPEGMemory {
		return found(RuleTooLarge, "the JPEG picture is too large to be decoded here: save it as PNG, or smaller and not as a progressive one")
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	if _, err := jpeg.Decode(file); err != nil { // a failure of ours is seen by who reads
		return found(RuleMediaType, "it is a JPEG picture that cannot be decoded: save it as a baseline picture, or as PNG")
	}
	return nil
}

// jpegMemory is what image/jpeg makes room for: a byte for each sample, four more while a
// progressive picture is put together, and four for each pixel where there are four colours
// or Adobe's marker says so.
func jpegMemory(file io.Reader) (int64, error) {
	reader := bufio.NewReader(file)
	if _, err := reader.Discard(2); err != nil {
		return 0, jpegFault(err)
	}
	adobe := false
	for {
		kind, err := jpegMarker(reader)
		if err != nil {
			return 0, err
		}
		if isJPEGFrame(kind) {
			return frameMemory(reader, kind == 0xc2, adobe)
		}
		adobe = adobe || kind == jpegAdobe
		if err := skipJPEGSegment(reader); err != nil {
			return 0, err
		}
	}
}

func frameMemory(reader io.Reader, progressive, adobe bool) (int64, error) {
	var frame [8 + 3*4]byte // length, depth, height, width, how many samples and each one's form
	if _, err := io.ReadFull(reader, frame[:8]); err != nil {
		return 0, jpegFault(err)
	}
	count := int64(frame[7])
	if count < 1 || count > 4 {
		return 0, notJPEG()
	}
	if _, err := io.ReadFull(reader, frame[8:8+3*count]); err != nil {
		return 0, jpegFault(err)
	}
	var most, samples int64
	for n := range count {
		across, down := int64(frame[9+3*n]>>4), int64(frame[9+3*n]&0xf)
		if across < 1 || across > 4 || down < 1 || down > 4 {
			return 0, notJPEG()
		}
		most, samples = max(most, across*down), samples+across*down
	}
	// Rows and columns are filled up to whole blocks.
	pixels := int64(binary.BigEndian.Uint16(frame[3:])+32) * int64(binary.BigEndian.Uint16(frame[5:])+32)
	memory := (pixels*samples + most - 1) / most
	if count == 1 {
		memory = pixels
	}
	if progressive {
		memory *= 5
	}
	if count == 4 || adobe {
		memory += 4 * pixels
	}
	return memory, nil
}
