package output_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/output"
)

const (
	pngMark   = "\x89PNG\r\n\x1a\n"
	pngHeader = len(pngMark) + 25
)

func chunk(kind, content string) string {
	text := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	text = append(append(text, kind...), content...)
	return string(binary.BigEndian.AppendUint32(text, crc32.ChecksumIEEE(text[4:])))
}

func packed(t testing.TB, content string) string {
	t.Helper()
	var buffer bytes.Buffer
	writer := zlib.NewWriter(&buffer)
	_, err := writer.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	return buffer.String()
}

func ihdr(width, height uint32, depth, kind, interlace byte) string {
	content := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	return chunk("IHDR", string(append(content, depth, kind, 0, 0, interlace)))
}

func pngOf(chunks ...string) string { return pngMark + strings.Join(chunks, "") + chunk("IEND", "") }

// behindHeader puts chunks where most programs put them.
func behindHeader(picture string, chunks ...string) string {
	return picture[:pngHeader] + strings.Join(chunks, "") + picture[pngHeader:]
}

func segment(kind byte, content string) string {
	return string(binary.BigEndian.AppendUint16([]byte{0xff, kind}, uint16(len(content)+2))) + content
}

// TestWhatAPictureSaysIsTakenOut also checks that no pixel changes and that the result names
// what was released.
func TestWhatAPictureSaysIsTakenOut(t *testing.T) {
	gray, photo := picture(t), photograph(t)
	density := chunk("pHYs", "\x00\x00\x0f\x61\x00\x00\x0f\x61\x01")
	jfif := "JFIF\x00\x01\x01\x01\x00\x64\x00\x64"
	for name, test := range map[string]struct{ file, content, want string }{
		"a program's name":           {"a.png", behindHeader(gray, chunk("tEXt", "Software\x00matplotlib"), density), behindHeader(gray, density)},
		"a packed text":              {"a.png", behindHeader(gray, chunk("zTXt", "k\x00\x00"+packed(t, "patient 7"))), gray},
		"a text in UTF-8":            {"a.png", behindHeader(gray, chunk("iTXt", "k\x00\x00\x00\x00\x00patient 7")), gray},
		"Exif":                       {"a.png", behindHeader(gray, chunk("eXIf", "II*\x00")), gray},
		"a time":                     {"a.png", behindHeader(gray, chunk("tIME", "\x07\xe8\x01\x01\x00\x00\x00")), gray},
		"a colour profile":           {"a.png", behindHeader(gray, chunk("iCCP", "patient\x00\x00"+packed(t, "x"))), gray},
		"a chunk nobody knows":       {"a.png", behindHeader(gray, chunk("paTn", "patient 7")), gray},
		"a second density":           {"a.png", behindHeader(gray, density, density), behindHeader(gray, density)},
		"a density that is too long": {"a.png", behindHeader(gray, chunk("pHYs", "patient number 7")), gray},
		"text before the end":        {"a.png", gray[:len(gray)-12] + chunk("tEXt", "k\x00v") + gray[len(gray)-12:], gray},
		"a comment":                  {"a.jpg", photo[:2] + segment(0xfe, "patient 7") + photo[2:], photo},
		"Exif of a photograph":       {"a.jpg", photo[:2] + segment(0xe1, "Exif\x00\x00II*\x00") + photo[2:], photo},
		"an application's":           {"a.jpg", photo[:2] + segment(0xed, "Photoshop") + photo[2:], photo},
		"a photograph's profile":     {"a.jpg", photo[:2] + segment(0xe2, "ICC_PROFILE\x00") + photo[2:], photo},
		"a small picture": {
			"a.jpg", photo[:2] + segment(0xe0, jfif+"\x01\x01abc") + photo[2:], photo[:2] + segment(0xe0, jfif+"\x00\x00") + photo[2:],
		},
		"what Adobe's segment has": {
			"a.jpg", photo[:2] + segment(0xee, "Adobe\x00dabcd\x01and more") + photo[2:], photo[:2] + segment(0xee, "Adobe\x00d\x00\x00\x00\x00\x01") + photo[2:],
		},
		"bytes that fill up":       {"a.jpg", photo[:2] + "\xff\xff\xff" + photo[2:], photo},
		"a comment after the scan": {"a.jpg", photo[:len(photo)-2] + segment(0xfe, "patient 7") + photo[len(photo)-2:], photo},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "plots/"+test.file, test.content)
			v := s.accept(t)
			require.Len(t, v.Files(), 1)
			file := v.Files()[0]
			require.True(t, file.MetadataRemoved)
			require.Equal(t, digest.Of([]byte(test.want)).Hex(), file.SHA256)
			require.EqualValues(t, len(test.want), file.Bytes)
			require.Equal(t, map[string]string{"plots": "/", "plots/" + test.file: test.want}, tree(t, s.staging))
			before, _, err := image.Decode(strings.NewReader(test.content))
			require.NoError(t, err)
			after, _, err := image.Decode(strings.NewReader(test.want))
			require.NoError(t, err)
			require.Equal(t, before, after)

			strict := newScene(t)
			strict.rules.RefusePictureMetadata = true
			strict.put(t, test.file, test.content)
			found := strict.refuse(t)
			require.Equal(t, []string{output.RuleMetadata}, rulesOf(found))
			require.NotContains(t, found[0].Message, "patient")
			require.NotContains(t, found[0].Message, "paTn")
			strict = newScene(t)
			strict.rules.RefusePictureMetadata = true
			strict.put(t, test.file, test.want)
			require.False(t, strict.accept(t).Files()[0].MetadataRemoved)
		})
	}
}

// TestAPictureIsKnownByWhatWasWritten: a session's next step does not release it again.
func TestAPictureIsKnownByWhatWasWritten(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.png", behindHeader(picture(t), chunk("tEXt", "k\x00v")))
	first := s.accept(t)
	s.staging = filepath.Join(t.TempDir(), "second")
	require.NoError(t, os.Mkdir(s.staging, 0o700))
	s.known = first.Known()
	again := s.accept(t)
	require.Empty(t, again.Files())
	require.Equal(t, first.Files(), again.Unchanged())
	require.Equal(t, first.Known(), again.Known())
}

func TestPixelsMustBeReadable(t *testing.T) {
	one := packed(t, "\x00\x07")
	framed := func(width, height uint32) string {
		content := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 4), width), height)
		return chunk("fcTL", string(append(content, make([]byte, 14)...)))
	}
	header := ihdr(1, 1, 8, 0, 0)
	good := []string{header, chunk("IDAT", one)}
	for name, test := range map[string]struct{ content, rule string }{
		"one pixel":                      {pngOf(good...), ""},
		"in many chunks":                 {pngOf(header, chunk("IDAT", one[:1]), chunk("IDAT", ""), chunk("IDAT", one[1:])), ""},
		"interlaced":                     {pngOf(ihdr(3, 3, 8, 2, 1), chunk("IDAT", packed(t, strings.Repeat("\x00", 1+3+1+3+1+6+2*(1+3)+1+9)))), ""},
		"of one bit":                     {pngOf(ihdr(9, 2, 1, 0, 0), chunk("IDAT", packed(t, "\x00ab\x04cd"))), ""},
		"one that moves":                 {pngOf(header, framed(1, 1), chunk("IDAT", one), framed(1, 1), chunk("fdAT", "\x00\x00\x00\x01"+one)), ""},
		"a checksum is wrong":            {strings.Replace(pngOf(good...), one, one[:len(one)-1]+"x", 1), output.RuleMediaType},
		"what is packed is wrong":        {pngOf(header, chunk("IDAT", one[:len(one)-1]+"x")), output.RuleMediaType},
		"too few rows":                   {pngOf(ihdr(1, 2, 8, 0, 0), chunk("IDAT", one)), output.RuleMediaType},
		"too many rows":                  {pngOf(header, chunk("IDAT", packed(t, "\x00\x07\x00patient 7"))), output.RuleMediaType},
		"bytes behind the packed ones":   {pngOf(header, chunk("IDAT", one+"patient 7")), output.RuleMediaType},
		"a chunk behind the packed ones": {pngOf(header, chunk("IDAT", one), chunk("IDAT", "patient 7")), output.RuleMediaType},
		"pixels twice":                   {pngOf(header, chunk("IDAT", one), chunk("gAMA", "\x00\x00\x00\x01"), chunk("IDAT", one)), output.RuleMediaType},
		"no pixels":                      {pngOf(header), output.RuleMediaType},
		"another filter":                 {pngOf(header, chunk("IDAT", packed(t, "\x05\x07"))), output.RuleMediaType},
		"another depth":                  {pngOf(ihdr(1, 1, 3, 0, 0), chunk("IDAT", one)), output.RuleMediaType},
		"no width":                       {pngOf(ihdr(0, 1, 8, 0, 0), chunk("IDAT", one)), output.RuleMediaType},
		"no palette":                     {pngOf(ihdr(1, 1, 8, 3, 0), chunk("IDAT", one)), output.RuleMediaType},
		"a second header":                {pngOf(header, header, chunk("IDAT", one)), output.RuleMediaType},
		"a chunk that must be known":     {pngOf(header, chunk("PATN", "patient 7"), chunk("IDAT", one)), output.RuleMediaType},
		"an end with content":            {pngMark + strings.Join(good, "") + chunk("IEND", "patient 7"), output.RuleMediaType},
		"a frame not announced":          {pngOf(header, chunk("IDAT", one), chunk("fdAT", "\x00\x00\x00\x01"+one)), output.RuleMediaType},
		"a frame twice":                  {pngOf(header, chunk("IDAT", one), framed(1, 1), chunk("fdAT", "\x00\x00\x00\x01"+one), chunk("gAMA", "\x00\x00\x00\x01"), chunk("fdAT", "\x00\x00\x00\x02"+one)), output.RuleMediaType},
		"a frame with more":              {pngOf(header, chunk("IDAT", one), framed(1, 1), chunk("fdAT", "\x00\x00\x00\x01"+one+"patient 7")), output.RuleMediaType},
		"a frame larger than it":         {pngOf(header, chunk("IDAT", one), framed(2, 1), chunk("fdAT", "\x00\x00\x00\x01"+packed(t, "\x00ab"))), output.RuleMediaType},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.png", test.content)
			if test.rule == "" {
				s.accept(t)
				return
			}
			require.Equal(t, []string{test.rule}, rulesOf(s.refuse(t)))
		})
	}
}

func TestEveryKindOfPictureIsRead(t *testing.T) {
	box := image.Rect(0, 0, 37, 11)
	for name, drawn := range map[string]image.Image{
		"gray": image.NewGray(box), "gray of 16 bits": image.NewGray16(box), "colours": image.NewRGBA(box), "with alpha": image.NewNRGBA(box),
		"colours of 16 bits": image.NewNRGBA64(box), "of two colours": image.NewPaletted(box, color.Palette{color.Black, color.White}),
		"of a palette": image.NewPaletted(box, color.Palette{color.Black, color.White, color.Transparent, color.Gray{7}, color.Gray{9}}),
	} {
		var file bytes.Buffer
		require.NoError(t, png.Encode(&file, drawn))
		s := newScene(t)
		s.put(t, "a.png", file.String())
		require.False(t, s.accept(t).Files()[0].MetadataRemoved, name)
	}
}

func TestAPhotographMustBeReadable(t *testing.T) {
	photo := photograph(t)
	before, _, _ := strings.Cut(photo, "\xff\xc4")
	_, scan, _ := strings.Cut(photo, "\xff\xda")
	_, frame, _ := strings.Cut(photo, "\xff\xc0")
	for name, test := range map[string]struct{ content, rule string }{
		"of twelve bits":     {strings.Replace(photo, frame[:3], frame[:2]+"\x0c", 1), output.RuleMediaType},
		"of no pixels' size": {strings.Replace(photo, frame[:7], frame[:3]+"\x27\x10\x27\x10", 1), output.RuleTooLarge},
		"without its tables": {before + "\xff\xda" + scan, output.RuleMediaType},
		"a scan cut short":   {strings.Replace(photo, frame[:7], frame[:3]+"\x01\x00\x01\x00", 1), output.RuleMediaType},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.jpg", test.content)
			require.Equal(t, []string{test.rule}, rulesOf(s.refuse(t)))
		})
	}
}

// FuzzPictures: what is accepted shows the same as what came, and has nothing more to take.
func FuzzPictures(f *testing.F) {
	gray, photo := picture(f), photograph(f)
	for _, seed := range []string{
		gray, behindHeader(gray, chunk("tEXt", "k\x00v")), pngOf(ihdr(1, 1, 8, 0, 0), chunk("IDAT", packed(f, "\x00\x07"))),
		photo, photo[:2] + segment(0xfe, "x") + photo[2:], photo[:2] + segment(0xee, "Adobe\x00dabcd\x01") + photo[2:],
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		name, decode := "a.png", png.Decode
		if bytes.HasPrefix(content, []byte{0xff, 0xd8}) {
			name, decode = "a.jpg", jpeg.Decode
		}
		s := newScene(t)
		s.put(t, name, string(content))
		v, _, err := s.verify(t)
		require.NoError(t, err)
		if v == nil {
			return
		}
		defer v.Close()
		released, err := os.ReadFile(filepath.Join(s.staging, name))
		require.NoError(t, err)
		require.Equal(t, digest.Of(released).Hex(), v.Files()[0].SHA256)
		if before, err := decode(bytes.NewReader(content)); err == nil {
			after, err := decode(bytes.NewReader(released))
			require.NoError(t, err)
			require.Equal(t, before, after)
		}
		again := newScene(t)
		again.rules.RefusePictureMetadata = true
		again.put(t, name, string(released))
		again.accept(t)
	})
}
