// The race detector takes ten times the memory that is measured here: make test runs
// these once more without it.
//go:build !race

package output_test

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/output"
	"hotcell/tests/peakmemory"
)

const (
	// most is what a built-in policy lets out at the most.
	most = 64 << 20
	// enough is for a document that is refused at a bound far below.
	enough = 20 << 20
	// maxPeak is of the whole process that verifies, the test's own parts included.
	maxPeak = 150 << 20
)

// hostileDocument writes itself: start, then as many of each as fit, then end.
type hostileDocument struct {
	file, start, each, end string
	size                   int // in bytes; 0 stands for enough
}

// hostileDocuments are the worst that we could think of for each type.
func hostileDocuments() map[string]hostileDocument {
	const sv, html = `<svg xmlns="http://www.w3.org/2000/svg">`, "<!doctype html><title>t</title>"
	var bolds strings.Builder
	for n := range 400 {
		fmt.Fprintf(&bolds, "<b id=%d>", n)
	}
	return map[string]hostileDocument{
		"json: arrays in arrays":         {file: "a.json", each: "["},
		"json: objects in objects":       {file: "a.json", each: `{"a":`},
		"json: many names":               {file: "a.json", start: "{", each: `"%d":1,`, end: `"x":1}`},
		"json: many objects":             {file: "a.json", start: "[", each: "{},", end: "{}]", size: most},
		"json: one string":               {file: "a.json", start: `"`, each: "x", end: `"`},
		"json: one string of escapes":    {file: "a.json", start: `"`, each: `\u00e9`, end: `"`},
		"json: one number":               {file: "a.json", each: "1"},
		"json: one long name":            {file: "a.json", start: `{"`, each: "x", end: `":1}`},
		"json: long names, nested":       {file: "a.json", each: `{"` + strings.Repeat("x", 60<<10) + `":`},
		"json: names kept in each":       {file: "a.json", each: `{` + strings.Repeat(`"%d":1,`, 1000) + `"x":`},
		"json: white space":              {file: "a.json", each: " ", end: "1"},
		"jsonl: many values":             {file: "a.jsonl", each: "1\n", size: most},
		"jsonl: one line":                {file: "a.jsonl", start: `{"a":"`, each: "x", end: `"}`},
		"jsonl: many names":              {file: "a.jsonl", start: "{", each: `"%d":1,`, end: `"x":1}`},
		"svg: groups in groups":          {file: "a.svg", start: sv, each: "<g>"},
		"svg: groups":                    {file: "a.svg", start: sv, each: "<g/>", end: "</svg>", size: most},
		"svg: attributes of one tag":     {file: "a.svg", start: sv + "<g ", each: `a="" `, end: "/></svg>"},
		"svg: many attributes":           {file: "a.svg", start: sv, each: "<g " + strings.Repeat(`class="" `, 900) + "/>", end: "</svg>"},
		"svg: one attribute":             {file: "a.svg", start: sv + `<path d="`, each: "M0 0", end: `"/></svg>`},
		"svg: large attributes":          {file: "a.svg", start: sv, each: `<path d="` + strings.Repeat("rgb(", 1<<21) + `"/>`, end: "</svg>"},
		"svg: one name":                  {file: "a.svg", start: sv + "<", each: "g"},
		"svg: one text":                  {file: "a.svg", start: sv + "<text>", each: "x", end: "</text></svg>"},
		"svg: one style":                 {file: "a.svg", start: sv + "<style>", each: "x(<!---->", end: "</style></svg>"},
		"svg: one comment":               {file: "a.svg", start: sv + "<!--", each: "x", end: "--></svg>"},
		"svg: one instruction":           {file: "a.svg", start: "<?xml ", each: "x", end: "?>" + sv + "</svg>"},
		"svg: one document type":         {file: "a.svg", start: "<!DOCTYPE svg ", each: "x", end: ">" + sv + "</svg>"},
		"svg: name spaces, nested":       {file: "a.svg", start: sv, each: `<g xmlns:a%d="` + strings.Repeat("x", 100) + `">`},
		"svg: large name spaces":         {file: "a.svg", start: sv, each: `<g xmlns:a%d="` + strings.Repeat("x", 4<<20) + `">`},
		"svg: white space":               {file: "a.svg", each: " ", end: sv + "</svg>"},
		"svg: names":                     {file: "a.svg", start: sv, each: `<g id="%d"><g/></g>`, end: "</svg>", size: most},
		"svg: names up to the bound":     {file: "a.svg", start: sv + strings.Repeat(" ", 7<<20), each: `<g id="%d"><g/></g>`, end: "</svg>", size: 7<<20 + 499_000*18},
		"svg: names that refer":          {file: "a.svg", start: sv, each: `<g id="%d" fill="url(#%d)"/>`, end: "</svg>", size: most},
		"svg: one style that refers":     {file: "a.svg", start: sv + `<g style="`, each: `url(#%d)`, end: `"/></svg>`, size: 7 << 20},
		"html: formatting never closed":  {file: "a.html", start: html + "<p>" + bolds.String(), each: "<p>x", size: 161 << 10},
		"html: the same, larger":         {file: "a.html", start: html + "<p>" + bolds.String(), each: "<p>x", size: 4 << 20},
		"html: few never closed":         {file: "a.html", start: html + "<p><b><i><u>", each: "<p>x", size: 4 << 20},
		"html: links in links":           {file: "a.html", start: html, each: "<a href=#>x", size: 4 << 20},
		"html: elements in elements":     {file: "a.html", start: html, each: "<div>", size: 4 << 20},
		"html: elements":                 {file: "a.html", start: html, each: "<br>", size: 4 << 20},
		"html: tables in tables":         {file: "a.html", start: html, each: "<table><tr><td>", size: 4 << 20},
		"html: text before a table":      {file: "a.html", start: html + "<table>", each: "x<b>", size: 4 << 20},
		"html: attributes of one tag":    {file: "a.html", start: html + "<p ", each: "a ", end: ">", size: 4 << 20},
		"html: one attribute":            {file: "a.html", start: html + `<p title="`, each: "&lt;(", end: `">`, size: 4 << 20},
		"html: one tag":                  {file: "a.html", start: html + "<", each: "p", size: 4 << 20},
		"html: one comment":              {file: "a.html", start: html + "<!--", each: "- ", end: "-->", size: 4 << 20},
		"html: comments":                 {file: "a.html", start: html, each: "<!---->", size: 4 << 20},
		"html: one text":                 {file: "a.html", start: html, each: "&amp;", size: 4 << 20},
		"html: one style":                {file: "a.html", start: html + "<style>", each: "x(", end: "</style>", size: 4 << 20},
		"html: one title":                {file: "a.html", start: "<title>", each: "&amp;", end: "</title>", size: 4 << 20},
		"html: one document type":        {file: "a.html", start: "<!doctype html ", each: "x", end: ">", size: 4 << 20},
		"html: as large as may be":       {file: "a.html", start: html, each: "<p>x</p>", size: most},
		"json: names up to the bound":    {file: "a.json", start: "{", each: `"%d":1,`, end: `"x":"` + strings.Repeat("x", 7<<20) + `"}`, size: 26 << 20},
		"json: strings up to the bound":  {file: "a.json", start: "[", each: `"` + strings.Repeat("x", 7<<20) + `",`, end: "1]", size: most},
		"json: names up to their length": {file: "a.json", each: `{"` + strings.Repeat("x", 60<<10) + `":`, end: "1" + strings.Repeat("}", 250), size: 250 * (60<<10 + 4)},
		"svg: paths up to the bound":     {file: "a.svg", start: sv, each: `<path d="` + strings.Repeat("rgb(0 ", 7<<20/6) + `"/>`, end: "</svg>", size: most},
		"svg: styles up to the bound":    {file: "a.svg", start: sv, each: `<style>` + strings.Repeat("rgb(", 250_000) + `</style>`, end: "</svg>"},
		"svg: texts up to the bound":     {file: "a.svg", start: sv, each: `<text>` + strings.Repeat("&lt;x", 7<<20/5) + `</text>`, end: "</svg>"},
		"svg: depth up to the bound":     {file: "a.svg", start: sv, each: strings.Repeat(`<g class="`+strings.Repeat("x", 100)+`">`, 200) + strings.Repeat("</g>", 200), end: "</svg>"},
		"html: attributes up to a tag":   {file: "a.html", start: html + "<p ", each: "data-%d ", end: ">", size: 2<<20 - 100},
		"html: attributes of an end":     {file: "a.html", start: html + "<p>x</p ", each: "%d ", end: ">", size: 2<<20 - 100},
		"html: a style up to the bound":  {file: "a.html", start: html + "<style>", each: "rgb(", end: "</style>", size: 1<<20 - 100},
		"html: pictures up to the bound": {file: "a.html", start: html, each: `<img src="` + embedded(large()) + `">`, size: 4 << 20},
		"pdf: escapes":                   {file: "a.pdf", start: "%PDF-1.4\n", each: "#41", end: "\n%%EOF\n", size: most},
		"pdf: ends":                      {file: "a.pdf", start: "%PDF-1.4\n", each: "%%EOF\n"},
		"pdf: space behind":              {file: "a.pdf", start: "%PDF-1.4\n%%EOF", each: "\n"},
		"pdf: a table":                   {file: "a.pdf", start: "%PDF-1.4\n", each: "0000000009 00000 n \n", end: "\nstartxref\n9\n%%EOF\n", size: most},
		"pdf: names of a dictionary":     {file: "a.pdf", start: "%PDF-1.4\n1 0 obj\n<< ", each: "/%d 1 ", end: "\n>>\nendobj\nxref\n0 2\n0000000000 65535 f \n0000000009 00000 n \ntrailer\n<< /Size 2 /Root 1 0 R >>\nstartxref\n67108800\n%%EOF\n", size: 67108800 + 101},
		"png: one chunk":                 {file: "a.png", start: pngStart(1 << 30), each: "x", size: most},
		"png: many chunks":               {file: "a.png", start: pngStart(0)[:33], each: "\x00\x00\x00\x00tEXt\x00\x00\x00\x00"},
		"png: pixels up to the bound":    {file: "a.png", start: largestPNG(), each: " ", size: 1},
		"jpeg: pixels up to the bound":   {file: "a.jpg", start: grayJPEG(8150, false), each: " ", size: 1},
		"jpeg: a progressive one":        {file: "a.jpg", start: grayJPEG(3600, true), each: " ", size: 1},
		"jpeg: one scan":                 {file: "a.jpg", start: jpegStart, each: "x", end: "\xff\xd9", size: most},
		"jpeg: restarts":                 {file: "a.jpg", start: jpegStart, each: "\xff\xd0", end: "\xff\xd9", size: most},
		"jpeg: comments":                 {file: "a.jpg", start: jpegStart[:21], each: "\xff\xfe\x00\x02", end: "\xff\xd9"},
		"parquet":                        {file: "a.parquet", start: "PAR1", each: "x", end: "PAR1", size: most},
		"csv: one line":                  {file: "a.csv", each: "x", size: most},
		"csv: many lines":                {file: "a.csv", each: "\n"},
		"tsv: one line":                  {file: "a.tsv", each: "\t", size: most},
		"text: wide letters":             {file: "a.txt", each: "\U0001f600", size: most},
		"markdown: one line":             {file: "a.md", each: "é", size: most},
	}
}

// jpegStart is a picture's size and the head of its scan.
const jpegStart = "\xff\xd8\xff\xc0\x00\x11\x08\x00\x01\x00\x01\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"

// pngStart is a picture's header and the head of its first chunk.
func pngStart(length int) string {
	return "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x00\x00\x00\x00" +
		string([]byte{byte(length >> 24), byte(length >> 16), byte(length >> 8), byte(length)}) + "IDAT"
}

// writeTo writes the document and returns its manifest entry. Each %d in it counts.
func (d hostileDocument) writeTo(t *testing.T, dir string) output.Declared {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, d.file))
	require.NoError(t, err)
	defer file.Close()
	sum := digest.New()
	written := &counter{}
	writer := bufio.NewWriterSize(io.MultiWriter(file, sum, written), 1<<20)
	size := d.size
	if size == 0 {
		size = enough
	}
	writer.WriteString(d.start)
	block := d.each
	if !strings.Contains(d.each, "%d") {
		block = strings.Repeat(d.each, max(1, (64<<10)/len(d.each)))
	}
	for number, left := 0, size-len(d.start)-len(d.end); ; {
		text := block
		if strings.Contains(block, "%d") {
			var counted strings.Builder
			for rest := block; ; number++ {
				before, after, ok := strings.Cut(rest, "%d")
				counted.WriteString(before)
				if !ok {
					break
				}
				counted.WriteString(strconv.FormatInt(int64(number), 36))
				rest = after
			}
			text = counted.String()
		}
		if left -= len(text); left < 0 {
			break
		}
		writer.WriteString(text)
	}
	writer.WriteString(d.end)
	require.NoError(t, writer.Flush())
	return output.Declared{Path: d.file, Bytes: written.bytes, SHA256: sum.Digest().Hex(), Role: output.RoleFile}
}

// largestPNG has as many pixels of 16 bits and four colours as a picture may have.
func largestPNG() string {
	const side, of = 10_000, 8
	var packed bytes.Buffer
	writer := zlib.NewWriter(&packed)
	row := make([]byte, 1+side*of)
	for range side {
		if _, err := writer.Write(row); err != nil {
			panic(err) // a buffer takes all
		}
	}
	if err := writer.Close(); err != nil {
		panic(err)
	}
	return pngOf(ihdr(side, side, 16, 6, 0), chunk("IDAT", packed.String()))
}

// grayJPEG has a scan for all of its blocks.
func grayJPEG(side int, progressive bool) string {
	var buffer bytes.Buffer
	if err := jpeg.Encode(&buffer, image.NewGray(image.Rect(0, 0, side, side)), nil); err != nil {
		panic(err) // a buffer takes all
	}
	picture := buffer.Bytes()
	frame, scan := bytes.Index(picture, []byte("\xff\xc0")), bytes.Index(picture, []byte("\xff\xda"))
	if progressive {
		picture[frame+1], picture[scan+8] = 0xc2, 0 // the last coefficient of its first scan
	}
	return string(picture)
}

type counter struct{ bytes int64 }

func (c *counter) Write(chunk []byte) (int, error) {
	c.bytes += int64(len(chunk))
	return len(chunk), nil
}

// TestVerifyStaysSmall verifies each document in a process of its own and asks the
// kernel how much memory that had at the most.
func TestVerifyStaysSmall(t *testing.T) {
	covered := map[string]bool{}
	for name, document := range hostileDocuments() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			declared := document.writeTo(t, dir)
			command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildThatVerifies$", "-test.v")
			command.Env = []string{
				"HOTCELL_VERIFY_DIR=" + dir, "HOTCELL_VERIFY_STAGING=" + t.TempDir(),
				fmt.Sprintf("HOTCELL_VERIFY_FILE=%s %d %s", declared.Path, declared.Bytes, declared.SHA256),
			}
			answer, err := command.CombinedOutput()
			require.NoError(t, err, "%s", answer)
			_, told, ok := bytes.Cut(answer, []byte("peak="))
			require.True(t, ok, "%s", answer)
			var peak int64
			var verdict string
			_, err = fmt.Sscanf(string(told), "%d %s", &peak, &verdict)
			require.NoError(t, err)
			t.Logf("%d MiB, %s, %s user", peak>>20, verdict, command.ProcessState.UserTime())
			require.Less(t, peak, int64(maxPeak))
		})
		covered[filepath.Ext(document.file)] = true
	}
	for _, extension := range []string{".json", ".pdf", ".parquet", ".jsonl", ".png", ".jpg", ".svg", ".csv", ".html", ".md", ".txt", ".tsv"} {
		require.True(t, covered[extension], extension)
	}
	require.Len(t, covered, len(output.MediaTypes()), "a type has no worst document here")
}

// TestChildThatVerifies is the other process of TestVerifyStaysSmall.
func TestChildThatVerifies(t *testing.T) {
	dir := os.Getenv("HOTCELL_VERIFY_DIR")
	if dir == "" {
		return
	}
	var declared output.Declared
	_, err := fmt.Sscan(os.Getenv("HOTCELL_VERIFY_FILE"), &declared.Path, &declared.Bytes, &declared.SHA256)
	require.NoError(t, err)
	declared.Role = output.RoleFile
	staging := os.Getenv("HOTCELL_VERIFY_STAGING")
	require.NoError(t, os.Chmod(staging, 0o700))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	verified, found, err := output.Verify(t.Context(), output.Options{
		Dir: root, Manifest: []output.Declared{declared}, Staging: staging,
		Rules: output.Rules{MaxFiles: 9, MaxBytes: most + 1<<20, MaxDepth: 4, MediaTypes: output.MediaTypes()},
	})
	require.NoError(t, err)
	verdict := "accepted"
	if verified == nil {
		verdict = strings.ReplaceAll(found[0].Rule+": "+found[0].Message, " ", "_")
	}
	peak, err := peakmemory.Of(os.Getpid())
	require.NoError(t, err)
	fmt.Printf("peak=%d %s\n", peak, verdict)
}
