package replication

import (
	"bytes"
	"image"
	_ "image/jpeg" // what matplotlib writes
	_ "image/png"
)

// maxPixels bounds what is decoded: a picture of 100 million pixels takes 400 MB.
const maxPixels = 100_000_000

// comparePictures compares pixels. What cannot be decoded, or is too large for it, differs
// in its bytes.
func comparePictures(first, second []byte) (kind Kind, counts bool) {
	a, aKnown := decodePicture(first)
	b, bKnown := decodePicture(second)
	if !aKnown || !bKnown {
		return KindBytes, true
	}
	if a.Bounds() != b.Bounds() {
		return KindPixels, true
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, a1 := a.At(x, y).RGBA()
			r2, g2, b2, a2 := b.At(x, y).RGBA()
			if r1 != r2 || g1 != g2 || b1 != b2 || a1 != a2 {
				return KindPixels, true
			}
		}
	}
	return KindWriting, false
}

func decodePicture(data []byte) (image.Image, bool) {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return nil, false
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	return picture, err == nil
}
