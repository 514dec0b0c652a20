package output_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/output"
)

func picture(t testing.TB) string {
	t.Helper()
	var buffer bytes.Buffer
	require.NoError(t, png.Encode(&buffer, image.NewGray(image.Rect(0, 0, 4, 4))))
	return buffer.String()
}

func photograph(t testing.TB) string {
	t.Helper()
	var buffer bytes.Buffer
	require.NoError(t, jpeg.Encode(&buffer, image.NewRGBA(image.Rect(0, 0, 4, 4)), nil))
	return buffer.String()
}

const svgOpen = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">`

func svg(inside string) string { return svgOpen + inside + "</svg>" }

func TestContentMustBeOfItsType(t *testing.T) {
	ok := ""
	gray, photo := picture(t), photograph(t)
	beforeScan, scan, _ := strings.Cut(photo, "\xff\xda")
	scan = "\xff\xda" + strings.TrimSuffix(scan, "\xff\xd9")
	_, frame, _ := strings.Cut(photo, "\xff\xc0")
	frame = "\xff\xc0" + frame[:17]
	bomb := bytes.Clone([]byte(gray))
	binary.BigEndian.PutUint32(bomb[16:], 1<<20)
	binary.BigEndian.PutUint32(bomb[20:], 1<<20)
	pdf := plainPDF("")
	for name, test := range map[string]struct{ file, content, rule string }{
		"a table":                              {"a.csv", "a,b\n1,é\r\n", ok},
		"a table with a byte order mark":       {"a.csv", "\ufeffa,b\n", ok},
		"a table with a NUL":                   {"a.csv", "a\x00b", output.RuleMediaType},
		"a text with an escape sequence":       {"a.txt", strings.Repeat("long ", 200) + "\x1b[2J", output.RuleMediaType},
		"a text with a C1 control":             {"a.txt", "a\u009b2J", output.RuleMediaType},
		"a text in Latin-1":                    {"a.txt", "caf\xe9", output.RuleMediaType},
		"a text cut in a character":            {"a.txt", strings.Repeat("x", 600) + "\xc3", output.RuleMediaType},
		"a page that says it is a table":       {"a.csv", "<html><script>", output.RuleMediaType},
		"a PDF that says it is a text":         {"a.txt", pdf, output.RuleMediaType},
		"a picture that says it is a text":     {"a.txt", gray, output.RuleMediaType},
		"JSON":                                 {"a.json", ` {"a": [1, null, "é"]} `, ok},
		"JSON with something after it":         {"a.json", `{} {}`, output.RuleMediaType},
		"JSON with NaN":                        {"a.json", `{"a": NaN}`, output.RuleMediaType},
		"JSON with a name twice":               {"a.json", `{"a": 1, "a": 2}`, output.RuleMediaType},
		"JSON cut off":                         {"a.json", `{"a": `, output.RuleMediaType},
		"JSON with a C1 control":               {"a.json", "{\"a\": \"\u009b2J\"}", output.RuleMediaType},
		"JSON with a C1 control in a name":     {"a.json", "{\"\u009b2J\": 1}", output.RuleMediaType},
		"JSON with a C1 control between reads": {"a.json", "[" + strings.Repeat(" ", 64<<10-3) + "\"\u009b2J\"]", output.RuleMediaType},
		"JSON with DEL":                        {"a.jsonl", "\"\x7f\"\n", output.RuleMediaType},
		"JSON with controls as escapes":        {"a.json", `{"a": "\u009b\u001b\u007f é"}`, ok},
		"no JSON":                              {"a.json", ``, output.RuleMediaType},
		"JSON nested without end":              {"a.json", strings.Repeat("[", 100_000), output.RuleMediaType},
		"JSON lines":                           {"a.jsonl", "{}\n{\"a\": 1}\n", ok},
		"no JSON lines":                        {"a.jsonl", "", ok},
		"JSON lines cut off":                   {"a.jsonl", "{}\n{", output.RuleMediaType},
		"Parquet":                              {"a.parquet", "PAR1....PAR1", ok},
		"Parquet cut off":                      {"a.parquet", "PAR1....PAR", output.RuleMediaType},
		"Parquet of one mark":                  {"a.parquet", "PAR1", output.RuleMediaType},
		"a picture":                            {"a.png", gray, ok},
		"a picture with an archive behind":     {"a.png", gray + "PK\x03\x04", output.RuleMediaType},
		"a picture cut off":                    {"a.png", gray[:len(gray)-1], output.RuleMediaType},
		"a picture of a terapixel":             {"a.png", string(bomb), output.RuleTooLarge},
		"a page that says it is a picture":     {"a.png", "<html>", output.RuleMediaType},
		"a photograph":                         {"a.jpg", photo, ok},
		"a photograph by its long name":        {"a.jpeg", photo, ok},
		"a photograph with filling bytes":      {"a.jpg", strings.Replace(photo, "\xff\xda", "\xff\xff\xff\xda", 1), ok},
		"a photograph with a comment":          {"a.jpg", photo[:2] + "\xff\xfe\x00\x04hi" + photo[2:], ok},
		"a photograph with restarts":           {"a.jpg", photo[:len(photo)-2] + "\xff\xd0\x01\xff\xd9", ok},
		"a photograph of two scans":            {"a.jpg", photo[:len(photo)-2] + scan + "\xff\xd9", ok},
		"a photograph of a thousand scans":     {"a.jpg", photo[:len(photo)-2] + strings.Repeat(scan, 1000) + "\xff\xd9", output.RuleTooComplex},
		"a photograph with an archive behind":  {"a.jpg", photo + "PK\x03\x04", output.RuleMediaType},
		"a photograph that begins again":       {"a.jpg", photo + photo, output.RuleMediaType},
		"a photograph cut off":                 {"a.jpg", photo[:len(photo)-1], output.RuleMediaType},
		"a photograph cut in a segment":        {"a.jpg", photo[:30], output.RuleMediaType},
		"a photograph without a scan":          {"a.jpg", beforeScan + "\xff\xd9", output.RuleMediaType},
		"a photograph of two sizes":            {"a.jpg", strings.Replace(photo, "\xff\xda", frame+"\xff\xda", 1), output.RuleMediaType},
		"a photograph whose size comes later":  {"a.jpg", strings.Replace(photo, "\xff\xda", "\xff\xdc\x00\x04\xff\xff\xff\xda", 1), output.RuleMediaType},
		"a photograph without lines":           {"a.jpg", strings.Replace(photo, "\x00\x04\x00\x04", "\x00\x00\x00\x04", 1), output.RuleMediaType},
		"a photograph of four gigapixels":      {"a.jpg", strings.Replace(photo, "\x00\x04\x00\x04", "\xff\xff\xff\xff", 1), output.RuleTooLarge},
		"a photograph of arithmetic":           {"a.jpg", strings.Replace(photo, "\xff\xc0", "\xff\xc9", 1), output.RuleMediaType},
		"a picture that says photograph":       {"a.jpg", gray, output.RuleMediaType},
		"a photograph that says picture":       {"a.png", photo, output.RuleMediaType},
		"a page that says photograph":          {"a.jpg", "<html>", output.RuleMediaType},
		"nothing that says photograph":         {"a.jpg", "", output.RuleMediaType},
		"a photograph in capital letters":      {"a.JPG", photo, ok},
		"a page in capital letters":            {"a.JPG", "<html>", output.RuleMediaType},
		"a drawing":                            {"a.svg", svg(`<g id="a"><path d="M0 0"/></g><use xlink:href="#a"/>`), ok},
		"a drawing with style":                 {"a.svg", svg(`<style>*{stroke: rgb(1, 2, 3)}</style><rect style="stroke: url(#g)"/>`), ok},
		"a drawing with a picture in it":       {"a.svg", svg(`<image href="` + embedded(gray) + `"/>`), ok},
		"a drawing with a script":              {"a.svg", svg(`<script>x()</script>`), output.RuleActiveContent},
		"a drawing with a script of HTML":      {"a.svg", svg(`<metadata><script xmlns="http://www.w3.org/1999/xhtml">x()</script></metadata>`), output.RuleActiveContent},
		"a drawing with a handler":             {"a.svg", `<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>`, output.RuleActiveContent},
		"a drawing with a handler in capitals": {"a.svg", svg(`<g ONCLICK="x()"/>`), output.RuleActiveContent},
		"a drawing that holds a page":          {"a.svg", svg(`<foreignObject/>`), output.RuleActiveContent},
		"a drawing that loads a picture":       {"a.svg", svg(`<image href="https://example.org/x.png"/>`), output.RuleActiveContent},
		"a drawing that loads a drawing":       {"a.svg", svg(`<use xlink:href="data:image/svg+xml;base64,AAAA"/>`), output.RuleActiveContent},
		"a drawing with a link":                {"a.svg", svg(`<a xlink:href="javascript:x()"/>`), output.RuleActiveContent},
		"a drawing that writes its attributes": {"a.svg", svg(`<set attributeName="href" to="x"/>`), output.RuleActiveContent},
		"a drawing whose style loads":          {"a.svg", svg(`<style>@import "x.css"</style>`), output.RuleActiveContent},
		"a drawing whose style hides":          {"a.svg", svg(`<style>@\69mport "x.css"</style>`), output.RuleActiveContent},
		"a drawing whose style is split":       {"a.svg", svg(`<style>@im<!-- -->port "x.css"</style>`), output.RuleActiveContent},
		"a drawing whose style has an element": {"a.svg", svg(`<style><g/>@import "x"</style>`), output.RuleActiveContent},
		"a drawing whose attribute loads":      {"a.svg", svg(`<rect fill="url( 'https://example.org/x')"/>`), output.RuleActiveContent},
		"a drawing whose attribute hides":      {"a.svg", svg(`<rect style="fill: \75rl(//example.org)"/>`), output.RuleActiveContent},
		"a drawing with entities":              {"a.svg", `<!DOCTYPE svg [<!ENTITY a "b">]>` + svg("&a;"), output.RuleActiveContent},
		"a drawing with a style sheet":         {"a.svg", `<?xml-stylesheet href="x"?>` + svg(""), output.RuleActiveContent},
		"a drawing in another encoding":        {"a.svg", `<?xml version="1.0" encoding="UTF-7"?>` + svg(""), output.RuleMediaType},
		"a drawing that is not closed":         {"a.svg", svgOpen, output.RuleMediaType},
		"two drawings":                         {"a.svg", svg("") + svg(""), output.RuleMediaType},
		"a page that says it is a drawing":     {"a.svg", `<html xmlns="http://www.w3.org/1999/xhtml"/>`, output.RuleMediaType},
		"a report":                             {"a.html", `<table class="t" style="color: red"><tr><td>1</td></tr></table>`, ok},
		"a report with two bodies":             {"a.html", `<body a=1><body b=2>`, output.RuleActiveContent},
		"a report with too many attributes":    {"a.html", "<p " + attributes(65) + ">", output.RuleActiveContent},
		"a report that is too large":           {"a.html", strings.Repeat("<p>text</p>\n", 400_000), output.RuleTooLarge},
		"a report with a script":               {"a.html", `<p>x<script>y</script>`, output.RuleActiveContent},
		"a report with a hidden script":        {"a.html", `<p title="<!--"><script>y</script>-->`, output.RuleActiveContent},
		"a report with a script in a drawing":  {"a.html", `<svg><script>y</script></svg>`, output.RuleActiveContent},
		"a report with a handler":              {"a.html", `<img src="#" onerror=x()>`, output.RuleActiveContent},
		"a report with a frame":                {"a.html", `<iframe srcdoc="x"></iframe>`, output.RuleActiveContent},
		"a report that loads a picture":        {"a.html", `<img src="//example.org/x">`, output.RuleActiveContent},
		"a report that leads away":             {"a.html", `<a href="https://example.org/?data=1">x</a>`, output.RuleActiveContent},
		"a report that runs a link":            {"a.html", `<a href=" javascript:x()">x</a>`, output.RuleActiveContent},
		"a report that sends its reader on":    {"a.html", `<meta http-equiv="refresh" content="0;url=//x">`, output.RuleActiveContent},
		"a report whose style loads":           {"a.html", `<style>p { background: url(//x) }</style>`, output.RuleActiveContent},
		"a report with a form":                 {"a.html", `<form action="//x"></form>`, output.RuleActiveContent},
		"a report that is a picture":           {"a.html", gray, output.RuleMediaType},
		"a document":                           {"a.pdf", pdf, ok},
		"a document with something before it":  {"a.pdf", "MZ" + pdf, output.RuleMediaType},
		"a document with something after it":   {"a.pdf", pdf + "PK\x03\x04", output.RuleMediaType},
		"a document with a script":             {"a.pdf", strings.Replace(pdf, "/Catalog", "/Catalog /Names << /JavaScript 2 0 R >>", 1), output.RuleActiveContent},
		"a document with a hidden script":      {"a.pdf", strings.Replace(pdf, "/Catalog", "/Catalog /S /J#61vaScript", 1), output.RuleActiveContent},
		"a document that starts a program":     {"a.pdf", strings.Replace(pdf, "/Catalog", "/Catalog /S /Launch", 1), output.RuleActiveContent},
		"a document with an action":            {"a.pdf", strings.Replace(pdf, "/Catalog", "/Catalog /OpenAction 2 0 R", 1), output.RuleActiveContent},
		"a document with hidden objects":       {"a.pdf", strings.Replace(pdf, "/Catalog", "/ObjStm", 1), output.RuleActiveContent},
		"a page that says it is a document":    {"a.pdf", "<html>%%EOF", output.RuleMediaType},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.put(t, test.file, test.content)
			if test.rule == ok {
				s.accept(t)
				return
			}
			found := s.refuse(t)
			require.Equal(t, []string{test.rule}, rulesOf(found), "%v", found)
			requirePrintable(t, found[0].Message)
		})
	}
}

// TestWhatTheLibrariesWriteIsAccepted reads figures as matplotlib 3.10.1 and
// tables as pandas 2.2.3 write them. testdata/accepted.py made them.
func TestWhatTheLibrariesWriteIsAccepted(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("testdata", "accepted"))
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	s := newScene(t)
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join("testdata", "accepted", entry.Name()))
		require.NoError(t, err)
		s.put(t, entry.Name(), string(data))
	}
	require.Len(t, s.accept(t).Files(), len(entries))
}

// TestADrawingReadsTheSameEverywhere: what was checked is what every reader sees,
// in whatever encoding it looks for, with document types loaded, and in a page.
func TestADrawingReadsTheSameEverywhere(t *testing.T) {
	const (
		declared = `<?xml version="1.0" encoding="utf-8"?>`
		docType  = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">`
		dc       = ` xmlns="http://purl.org/dc/elements/1.1/"`
	)
	drawing := svg("")
	for name, content := range map[string]string{
		"an encoding with a space":            `<?xml version="1.0" encoding = "Shift_JIS"?>` + svg("<desc>\u3043</desc>"),
		"an encoding after a tab":             "<?xml version=\"1.0\"\tencoding=\"Shift_JIS\"?>" + drawing,
		"an encoding after a line":            "<?xml version=\"1.0\" encoding\n=\n'utf-16'?>" + drawing,
		"an encoding said twice":              `<?xml version="1.0" encoding="utf-8" encoding="Shift_JIS"?>` + drawing,
		"an encoding in another's value":      `<?xml version="1.0" standalone='encoding="utf-8"' encoding = "GBK"?>` + drawing,
		"ASCII, which is not what is checked": `<?xml version="1.0" encoding="us-ascii"?>` + drawing,
		"a second declaration":                declared + `<?xml version="1.0" encoding = "Shift_JIS"?>` + drawing,
		"a declaration after a space":         " " + declared + drawing,
		"a declaration after a mark":          "\ufeff" + declared + drawing,
		"a declaration in capitals":           `<?XML version="1.0"?>` + drawing,
		"XML 1.1":                             `<?xml version="1.1"?>` + drawing,
		"no version":                          `<?xml encoding="utf-8"?>` + drawing,
		"UTF-16":                              "\xff\xfe<\x00s\x00v\x00g\x00",
		"UTF-16 without a mark":               "<\x00s\x00v\x00g\x00",
		"EBCDIC":                              "\x4c\x6f\xa7\x94\x93\x40",
		"Latin-1 in a comment":                drawing + "<!-- \xe9 -->",
		"a control in a comment":              drawing + "<!-- \u009b -->",
		"an escape sequence of ISO-2022":      svg("<desc>\x1b$B</desc>"),
		"a style sheet in the drawing":        svg(`<?xml-stylesheet href="x.css"?>`),
		"a program's instruction":             drawing + `<?php x ?>`,
		"another's document type":             `<!DOCTYPE svg SYSTEM "http://example.org/x.dtd?1">` + drawing,
		"another's address":                   `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://example.org/x.dtd">` + drawing,
		"another's name":                      `<!DOCTYPE svg PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">` + drawing,
		"a file for a document type":          `<!DOCTYPE svg SYSTEM "file:///etc/passwd">` + drawing,
		"a document type with entities":       `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY % a SYSTEM "http://example.org">%a;]>` + drawing,
		"a document type with a comment":      `<!DOCTYPE svg <!-- --> >` + drawing,
		"two document types":                  docType + docType + drawing,
		"a document type after a comment":     "<!-- -->" + docType + drawing,
		"a document type at the end":          drawing + docType,
		"another drawing's entity":            docType + svg("&other;"),
		"another base":                        svg(`<g xml:base="http://example.org"/>`),
		"a name that a document type gives":   docType + svg(`<metadata><g`+dc+`><svg><script>x()</script></svg></g></metadata>`),
		"a name space that HTML knows not":    svg(`<metadata><script` + dc + `>x()</script></metadata>`),
		"a marked section":                    svg(`<desc><![CDATA[><script>x()</script>]]></desc>`),
		"a marked section in a style":         svg(`<style><![CDATA[*{}]]></style>`),
		"a comment that HTML ends":            svg(`<!--><script>x()</script>-->`),
		"a comment with a tag":                svg(`<!-- <script> -->`),
		"a title with an element":             svg(`<desc><title><g id="&lt;/title>&lt;script>"/></title></desc>`),
		"a description with a style":          svg(`<desc><style>*{}</style></desc>`),
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.svg", content)
			require.Subset(t, []string{output.RuleActiveContent, output.RuleMediaType}, rulesOf(s.refuse(t)))
		})
	}
	for name, content := range map[string]string{
		"as matplotlib writes it": `<?xml version="1.0" encoding="utf-8" standalone="no"?>` + "\n" + strings.Replace(docType, ` "http`, "\n  \"http", 1) + "\n" + drawing,
		"as ElementTree does":     "<?xml version='1.0' encoding='UTF-8'?>\n" + drawing,
		"no encoding":             `<?xml version="1.0"?>` + drawing,
		"a plain document type":   "<!DOCTYPE svg>\n" + drawing,
		"a mark":                  "\ufeff" + drawing,
		"a comment":               svg("<!-- [a] &amp; b - é -->"),
		"a figure's description":  svg(`<title>a &lt;b&gt;</title><metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:li/></r:RDF></metadata>`),
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.svg", content)
			s.accept(t)
		})
	}
}

// TestADocumentHasWhatIsListed: what browsers and editors load is told by lists of
// what may stand there, for the lists of what may not are never whole.
func TestADocumentHasWhatIsListed(t *testing.T) {
	for _, text := range []string{
		`<img src="#" attributionsrc="https://example.org/?d=1">`, `<a href="#" attributionsrc>x</a>`, `<p interestfor="x">y`, `<div popover>x</div>`,
		`<p itemid="https://example.org">x`, `<p contenteditable>x`, `<p is="x">y`, `<p style="background:src('https://example.org')">x`,
		`<style>p{background:image("https://example.org")}</style>`, `<style>p{background:cross-fade("https://example.org" 50%, red)}</style>`,
		`<style>p{background:-webkit-cross-fade("https://example.org", red)}</style>`, `<style>p{background:type("x")}</style>`,
		`<style>@font-face{font-family:x}</style>`, `<style>@namespace "https://example.org";</style>`, `<style>p{background:paint(x)}</style>`,
		`<style>p{background:attr(data-x type(<url>))}</style>`, `<style>p{width:expression(x)}</style>`,
		`<meta name="msapplication-config" content="https://example.org">`, `<meta property="og:image" content="https://example.org">`,
		"<img src='\u00a0#x'>", `<p style="background:url('&quot;#x')">y`, `<p style="background:url('#x'y)">z`, `<p style="background:url(#x">y`,
	} {
		t.Run(text, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.html", text)
			require.Equal(t, []string{output.RuleActiveContent}, rulesOf(s.refuse(t)))
		})
	}
	for _, text := range []string{
		`<g attributionsrc="https://example.org"/>`, `<image xmlns:s="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" s:absref="/etc/passwd"/>`,
		`<g xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:export-filename="/x"/>`, `<g xmlns:i="http://ns.adobe.com/x" i:id="x"/>`,
		`<g x:id="y"/>`, `<g xlink:actuate="onLoad"/>`, `<g fill="src('https://example.org')"/>`, `<g style="fill:image('https://example.org')"/>`,
		`<style>g{mask:cross-fade("https://example.org", red)}</style>`, `<g externalResourcesRequired="true"/>`,
		`<g xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:schemaLocation="https://example.org"/>`, "<use href='\u2003#x'/>",
		`<g fill="url( '&quot;#x')"/>`, `<g fill="url(#x/../y"/>`,
	} {
		t.Run(text, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.svg", svg(text))
			require.Equal(t, []string{output.RuleActiveContent}, rulesOf(s.refuse(t)))
		})
	}
	s := newScene(t)
	s.put(t, "a.svg", svg(`<g id="mean (SD) @ 5" class="f(x)" aria-label="log(x)" data-x="1" transform="translate(1 2) rotate(3) skewX(1)" fill="rgb(1,2,3)" style="clip-path: url( &quot;#a&quot; )" xml:space="preserve"/>`))
	s.put(t, "a.html", `<style>@media (max-width: 600px) and (color) { td:nth-child(2n), p:not(.a) { color: rgba(1,2,3,.5); width: calc(1px + 2em) } } @page { margin: 0 }</style>`+
		`<table border="1" class="dataframe"><tr><th colspan="2" halign="left" title="log(x) @ 5" aria-label="x" data-row="1">x</th></tr></table>`)
	s.accept(t)
}

func embedded(content string) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(content))
}

// large is a picture with a megabyte of text in it.
func large() string {
	var buffer bytes.Buffer
	if err := png.Encode(&buffer, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		panic(err) // a buffer takes all
	}
	small := buffer.String()
	const afterHeader = 8 + 8 + 13 + 4
	text := binary.BigEndian.AppendUint32(nil, 1<<20)
	return small[:afterHeader] + string(text) + "tEXt" + strings.Repeat("x", 1<<20+4) + small[afterHeader:]
}

// TestAPictureInADocumentIsOne: browsers decode it by its look, and pay for its size.
func TestAPictureInADocumentIsOne(t *testing.T) {
	bomb := []byte(picture(t))
	binary.BigEndian.PutUint32(bomb[16:], 1<<20)
	binary.BigEndian.PutUint32(bomb[20:], 1<<20)
	const photos = "data:image/jpeg;base64,"
	photo := "\xff\xd8\xff\xe0\x00\x04JF\xff\xc0\x00\x0b\x08\x00\x10\x00\x10\x01\x01\x11\x00"
	huge := strings.Replace(photo, "\x08\x00\x10\x00\x10", "\x08\xff\xff\xff\xff", 1)
	encode := func(content string) string { return base64.StdEncoding.EncodeToString([]byte(content)) }
	for name, address := range map[string]string{
		"WebP that says PNG":      embedded("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00"),
		"AVIF that says JPEG":     photos + encode("\x00\x00\x00\x20ftypavif\x00\x00\x00\x00"),
		"a drawing that says PNG": embedded(svg("")),
		"a terapixel":             embedded(string(bomb)),
		"four gigapixels":         photos + encode(huge),
		"JPEG that says PNG":      embedded(photo),
		"PNG that says JPEG":      photos + encode(picture(t)),
		"cut off":                 embedded(picture(t)[:60]),
		"something behind it":     embedded(picture(t) + "PK"),
		"JPEG without a size":     photos + encode("\xff\xd8\xff\xe0\x00\x04JF\xff\xd9"),
		"no base64":               "data:image/png;base64,%69VBOR",
		"nothing":                 "data:image/png;base64,",
		"a place behind it":       embedded(picture(t)) + "#x",
		"a text behind it":        photos + encode(photo) + "&lt;b&gt;",
	} {
		t.Run(name, func(t *testing.T) {
			for file, content := range map[string]string{
				"a.svg": svg(`<image xlink:href="` + address + `"/>`), "a.html": `<img src="` + address + `">`,
			} {
				s := newScene(t)
				s.put(t, file, content)
				require.Subset(t, []string{output.RuleMediaType, output.RuleTooLarge}, rulesOf(s.refuse(t)), file)
			}
			require.Error(t, output.CheckChart([]byte(`{"layout":{"images":[{"source":"`+address+`"}]}}`)))
		})
	}
	s := newScene(t)
	lines := strings.ReplaceAll(embedded(picture(t)), "base64,", "base64,\n")
	s.put(t, "a.svg", svg(`<image xlink:href="`+lines+`"/><image href=" `+photos+encode(photo)+` "/>`))
	s.put(t, "a.html", `<img src="`+strings.TrimRight(embedded(picture(t)), "=")+`">`)
	s.accept(t)
}

// TestAPageDoesNotGrow: what a style or a cell has a browser repeat is counted.
func TestAPageDoesNotGrow(t *testing.T) {
	text := strings.Repeat("x", 900)
	lines := strings.Repeat("<p>", 300_000)
	for name, page := range map[string]string{
		"a text before each":        `<style>p::before{content:"` + text + `"}</style>` + lines,
		"a text with other quotes":  `<style>p::before{content:'` + text + `'}</style>` + lines,
		"several texts":             `<style>p::before{content:` + strings.Repeat(`"x" "xxxxxxxx"`, 100) + `}</style>` + lines,
		"several sheets":            strings.Repeat(`<style>p::before{content:"`+text[:100]+`"}</style>`, 9) + lines,
		"a mark of a list":          `<ul style="list-style-type:'` + text + `'">` + strings.Repeat("<li>", 300_000) + `</ul>`,
		"a text behind a comment":   `<style>/* it's */p::before{content:"` + text + `"}</style>` + lines,
		"a text with an escape":     `<style>p::before{content:"\"` + text + `"}</style>` + lines,
		"a text that never ends":    `<style>p::before{content:"` + text + `</style>` + lines,
		"counters":                  `<style>p::before{content:counters(p, "xxxx")}</style>` + lines,
		"a variable":                `<style>p{--a:"x";--b:var(--a) var(--a)}</style>`,
		"a variable in an element":  `<p style="--a: 'x'">`,
		"behind what begins none":   `<style>b{background:url(#/*)}p::before{content:"` + text + `"}</style>` + lines,
		"behind a quote of a name":  `<style>b\",p::before{content:"` + text + `"}</style>` + lines,
		"an escape in a name":       `<style>p::before{content:open-q\75ote}</style>`,
		"lines in a text":           "<style>p::before{content:\"\\\r\n" + text + "\"}</style>" + lines,
		"quotes":                    `<style>p{quotes:"` + text + `" "x"}p::before{content:` + strings.Repeat(" open-quote", 1000) + `}</style>` + lines[:3000],
		"quotes of the language":    `<style>p::before{content:` + strings.Repeat(" open-quote", 1000) + `}</style>` + lines,
		"counters without a text":   `<style>p::before{content:` + strings.Repeat(" counter(p)", 1000) + `}</style>` + lines,
		"a variable with a comment": `<style>p{--a/*;*/:"x";--b:var(--a) var(--a)}</style>`,
		"comments that hide it":     `<style>b{content:"/*"}p{--a/*;*/:"x"}</style>`,
		"a variable of quotes":      `<style>p{--a:open-quote open-quote}</style>`,
		"columns":                   `<table><colgroup>` + strings.Repeat(`<col span=1000>`, 3000) + `</table>`,
		"columns in another manner": `<table><colgroup>` + strings.Repeat(`<col span=" +1000x">`, 3000) + `</table>`,
		"cells":                     `<table><tr>` + strings.Repeat(`<td colspan=1000 rowspan=1000>`, 3) + `</table>`,
		"a cell, in all directions": `<table><tr><td colspan=65534 rowspan=65534 span=65534></table>`,
		"cells to the end":          `<table>` + strings.Repeat(`<tr><td rowspan=0>x`, 40) + `</table>`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.rules.MaxBytes = 4 << 20
			s.put(t, "a.html", page)
			require.Subset(t, []string{output.RuleTooComplex, output.RuleActiveContent}, rulesOf(s.refuse(t)))
		})
	}
	s := newScene(t)
	s.rules.MaxBytes = 8 << 20
	s.put(t, "a.html", `<style>body{font-family:"Open Sans",'Segoe UI',sans-serif; --c: red} /* it's "`+text+`" */ p{color:var(--c)} p::before{content:"-"}</style>`+lines)
	s.put(t, "b.html", `<table><colgroup><col span=3></colgroup>`+strings.Repeat(`<tr><th rowspan="2" colspan="3" style="font-family:'x'">x<td colspan=""><td rowspan="x">`, 20_000)+`</table>`)
	s.accept(t)
}

// TestTheSizesOfPicturesInADocumentAddUp: each of them by itself would do.
func TestTheSizesOfPicturesInADocumentAddUp(t *testing.T) {
	content := []byte(picture(t))
	binary.BigEndian.PutUint32(content[16:], 10_000)
	binary.BigEndian.PutUint32(content[20:], 10_000)
	one := embedded(string(content))
	documents := func(count int) map[string]string {
		return map[string]string{
			"a.svg": svg(strings.Repeat(`<image href="`+one+`"/>`, count)), "a.html": strings.Repeat(`<img src="`+one+`">`, count),
		}
	}
	for name, document := range documents(5) {
		s := newScene(t)
		s.put(t, name, document)
		require.Equal(t, []string{output.RuleTooLarge}, rulesOf(s.refuse(t)), name)
	}
	s := newScene(t)
	for name, document := range documents(4) {
		s.put(t, name, document)
	}
	s.accept(t)
	charted := `{"layout":{"images":[` + strings.Repeat(`{"source":"`+one+`"},`, 4)
	require.Error(t, output.CheckChart([]byte(charted+`{"source":"`+one+`"}]}}`)))
	require.NoError(t, output.CheckChart([]byte(charted+`{}]}}`)))
}

// TestTheFramesOfAPictureAddUp: each is drawn as the picture is.
func TestTheFramesOfAPictureAddUp(t *testing.T) {
	still := picture(t)
	animated := func(frames int, width, height uint32) string {
		frame := binary.BigEndian.AppendUint32(nil, 26)
		frame = append(append(frame, "fcTL"...), make([]byte, 26)...)
		binary.BigEndian.PutUint32(frame[12:], width)
		binary.BigEndian.PutUint32(frame[16:], height)
		frame = binary.BigEndian.AppendUint32(frame, crc32.ChecksumIEEE(frame[4:]))
		const header = 8 + 25
		return still[:header] + strings.Repeat(string(frame), frames) + still[header:]
	}
	for _, content := range []string{animated(5, 10_000, 10_000), animated(1, 1<<31, 1<<31), animated(1, 20_000, 10_000)} {
		s := newScene(t)
		s.put(t, "a.png", content)
		require.Equal(t, []string{output.RuleTooLarge}, rulesOf(s.refuse(t)))
		s = newScene(t)
		s.put(t, "a.html", `<img src="`+embedded(content)+`">`)
		require.Equal(t, []string{output.RuleTooLarge}, rulesOf(s.refuse(t)))
	}
	s := newScene(t)
	s.put(t, "a.png", animated(100, 4, 4)) // none is larger than the picture
	s.accept(t)
}

// TestADrawingDoesNotGrow: ten levels of ten would be as many paths as no reader draws.
func TestADrawingDoesNotGrow(t *testing.T) {
	const path = `<path id="a" d="M0 0L1 1"/>`
	for name, drawing := range map[string]string{
		"two levels":                path + `<g id="b"><use href="#a"/></g><use href="#b"/>`,
		"by the older name":         path + `<g id="b"><use xlink:href="#a"/></g><use xlink:href="#b"/>`,
		"referred to before":        `<use href="#b"/><g id="b"><use href="#a"/></g>` + path,
		"deeper in it":              path + `<g id="b"><g><g id="c"><use href="#a"/></g></g></g><use href="#b"/>`,
		"after another in it":       path + `<g id="b"><g id="c"><use href="#a"/></g><g id="d"><use href="#a"/></g></g><use href="#d"/>`,
		"in a symbol":               path + `<symbol id="b"><use href="#a"/></symbol><use href="#b"/>`,
		"a use of a use":            path + `<use id="b" href="#a"/><use href="#b"/>`,
		"in another spelling":       path + `<g id="b"><use href="#a"/></g><use href="#%62"/>`,
		"with spaces":               path + `<g id="b"><use href="#a"/></g><use href=" #b "/>`,
		"with a name that has %":    path + `<g id="%62"><use href="#a"/></g><use href="#%62"/>`,
		"of itself":                 `<g id="b"><use href="#b"/></g>`,
		"a pattern of patterns":     `<pattern id="b"><rect fill="url(#a)"/></pattern><pattern id="a"/><rect fill="url(#b)"/>`,
		"by a style":                `<pattern id="b"><rect style="stroke: url( '#a' )"/></pattern><pattern id="a"/><rect style="fill:URL(#b)"/>`,
		"a mask in a mask":          `<mask id="b"><g><rect mask="url(#a)"/></g></mask><mask id="a"/><rect mask="url(#b)"/>`,
		"a clip in a clip":          `<clipPath id="b" clip-path="url(#a)"/><clipPath id="a"/><rect clip-path="url(#b)"/>`,
		"a marker in a marker":      `<marker id="b"><path marker-end="url(#a)"/></marker><marker id="a"/><path marker-start="url(#b)"/>`,
		"a use in a pattern":        path + `<pattern id="b"><use href="#a"/></pattern><rect fill="url(#b)"/>`,
		"a pattern in what is used": `<pattern id="a"/><g id="b"><rect fill="url(#a)"/></g><use href="#b"/>`,
		"a fill from outside":       `<pattern id="a"/><g fill="url(#a)"><g><pattern id="b"><rect/></pattern></g></g><rect fill="url(#b)"/>`,
		"a pattern like another":    `<pattern id="b"><rect fill="url(#a)"/></pattern><pattern id="c" href="#b"/><pattern id="a"/><rect fill="url(#c)"/>`,
		"by a style sheet":          `<style>.x{fill:url(#a)}</style><pattern id="a"/>`,
		"what is told to inherit":   `<mask id="a"/><g mask="url(#a)"><mask id="b"><rect mask="inherit"/></mask></g><rect mask="url(#b)"/>`,
		"inherit in a style":        `<mask id="a"/><g mask="url(#a)"><mask id="b"><rect style="mask:INHERIT"/></mask></g><rect mask="url(#b)"/>`,
		"inherit, hidden":           `<mask id="a"/><g mask="url(#a)"><mask id="b"><rect style="mask:inh\65rit"/></mask></g><rect mask="url(#b)"/>`,
		"inherit in a style sheet":  `<style>*{mask:inherit}</style>`,
		"of whoever draws it":       `<pattern id="a"/><marker id="b"><path fill="context-fill"/></marker><path fill="url(#a)" marker-start="url(#b)"/>`,
		"at each point":             `<marker id="b"/><path marker-mid="url(#b)"/>`,
		"at each point, shortly":    `<marker id="b"/><path marker="url(#b)"/>`,
		"at each point, by a style": `<marker id="b"/><path style="fill:none;Marker-Mid /**/ : url(#b)"/>`,
		"at each point, commented":  `<marker id="b"/><path style="marker-mid/***/:url(#b)"/>`,
		"at each point, by a sheet": `<style>*{marker/* * */:none}</style>`,
		"a gradient like another":   `<linearGradient id="b">` + strings.Repeat(`<stop/>`, 5000) + `</linearGradient><radialGradient id="c" href="#b"/>` + strings.Repeat(`<rect fill="url(#c)"/>`, 5000),
		"a long line":               `<path id="b" d="` + strings.Repeat("l1 1", 1<<20) + `"/>` + strings.Repeat(`<use href="#b"/>`, 6000),
		"a long text":               `<text id="b">` + strings.Repeat("x", 4<<20) + `</text>` + strings.Repeat(`<use href="#b"/>`, 6000),
		"at each point of all":      `<style>*{marker-mid:var(--x)}</style>`,
		"by a pattern's element":    `<pattern id="a"/><pattern id="b"><rect fill="none" stroke="url(#a)"/></pattern><rect style="fill:none;stroke:url(#b)"/>`,
		"a spelling with %":         `<mask id="b"><rect mask="url(#a)"/></mask><mask id="a"/><rect mask="url(#%62)"/>`,
		"a group, again and again":  `<g id="b">` + strings.Repeat(`<rect/>`, 5000) + `</g>` + strings.Repeat(`<use href="#b"/>`, 5000),
		"tiles of many elements":    `<pattern id="b">` + strings.Repeat(`<rect/>`, 5000) + `</pattern>` + strings.Repeat(`<rect fill="url(#b)"/>`, 5000),
		"both together":             `<pattern id="b">` + strings.Repeat(`<rect/>`, 300) + `</pattern><g id="c">` + strings.Repeat(`<rect/>`, 300) + `</g>` + strings.Repeat(`<use fill="url(#b)" href="#c"/>`, 300),
		"two with one name":         `<g id="b"/><g id="b">` + strings.Repeat(`<rect/>`, 5000) + `</g><g id="b"/>` + strings.Repeat(`<use href="#b"/>`, 5000),
		"too many to be followed":   strings.Repeat(`<use href="#a"/>`, 10) + manyUses(),
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.rules.MaxBytes = 16 << 20
			s.put(t, "a.svg", svg(drawing))
			require.Equal(t, []string{output.RuleTooComplex}, rulesOf(s.refuse(t)))
		})
	}
	for _, two := range []string{`<g id="b" xml:id="x"/>`, `<g id="b" ID="x"/>`, `<g xlink:id="x" id="b"/>`} { // which one a reader takes is not known
		s := newScene(t)
		s.put(t, "a.svg", svg(two))
		require.Equal(t, []string{output.RuleMediaType}, rulesOf(s.refuse(t)))
	}
	s := newScene(t)
	s.put(t, "a.svg", svg(`<defs>`+path+`</defs><g id="b"><use href="#a"/><g id="c"><use href="#a"/></g></g><g id="d"/><use href="#d"/>`+
		`<defs><clipPath id="e"><rect/></clipPath><pattern id="f"><rect/><path style="fill: rgb(1,2,3)"/></pattern><linearGradient id="g" href="#h"/><linearGradient id="h"><stop/></linearGradient></defs>`+
		`<g id="i" clip-path="url(#e)"><use href="#a" fill="url(#g)"/><path style="fill: url(#f)" filter="url(#j)"/></g><filter id="j"/>`))
	s.put(t, "c.svg", svg(`<clipPath id="e"><rect/></clipPath><g clip-path="url(#e)"><defs><linearGradient id="g"><stop/></linearGradient></defs><path fill="url(#g)" stroke="inherit"/></g>`))
	s.put(t, "b.svg", svg(path+`<g clip-path="url(#e)">`+strings.Repeat(`<use href="#a"/>`, 10_000)+`</g><clipPath id="e"><rect/></clipPath>`))
	s.accept(t)
}

func manyUses() string {
	var all strings.Builder
	for index := range 200_001 {
		fmt.Fprintf(&all, `<use href="#n%d"/>`, index)
	}
	return all.String()
}

func TestADocumentTooLargeToCheckIsRefused(t *testing.T) {
	s := newScene(t)
	s.rules.MaxBytes = 1 << 30
	s.put(t, "a.svg", svg(strings.Repeat(" ", 33<<20)))
	require.Equal(t, []string{output.RuleTooComplex}, rulesOf(s.refuse(t)))
}

func attributes(count int) string {
	var all strings.Builder
	for index := range count {
		fmt.Fprintf(&all, "a%d ", index)
	}
	return all.String()
}

// TestAReportNeedsNoRepair: where browsers would move, end or repeat elements, what
// they show is not what was checked.
func TestAReportNeedsNoRepair(t *testing.T) {
	for text, message := range map[string]string{
		"<p><b>x":                                    "is never closed",
		"<p><b id=1>x<p>y</b>":                       "stands directly in",
		"<p><b>x</p>y</b>":                           "does not end what was opened last",
		"<b><i>x</b></i>":                            "does not end what was opened last",
		"<div><b>x</div></b>":                        "does not end what was opened last",
		"<p><span><div>x</div></span></p>":           "stands directly in",
		"<a href='#a'>x<a href='#b'>y</a></a>":       "a link stands directly in",
		"<a href='#a'><b><a href='#b'>y</a></b></a>": "a link stands directly in",
		"<ul><li><b>x<li>y</b></ul>":                 "stands directly in",
		"<ul><li><div>x<li>y</div></ul>":             "stands directly in",
		"<dl><dt><i>x<dd>y</i></dl>":                 "stands directly in",
		"<table><b>x</b></table>":                    "stands directly in",
		"<table>x</table>":                           "text stands directly in",
		"<table><tr>x</table>":                       "text stands directly in",
		"<table><tr><p>x</table>":                    "stands directly in",
		"<table><div><tr></div></table>":             "stands directly in",
		"<table><tr><td><b><td>x</b></table>":        "stands directly in",
		"<tr><td>x</td></tr>":                        "stands directly in",
		"<div><td>x</div>":                           "stands directly in",
		"x</p>":                                      "does not end what was opened last",
		"x</br>":                                     "ends nothing",
		"x</script>":                                 "ends nothing",
		"<div>":                                      "is never closed",
		"<style>a{}":                                 "is never closed",
		strings.Repeat("<div>", 300):                 "nested deeper",
		"<!--[if IE]>x<![endif]-->":                  "comment",
		"<!--x--!>y-->":                              "comment",
		"<!-->x-->":                                  "comment",
		"<!-- <p> -->":                               "comment",
		"<!--x":                                      "comment",
		"<?php x ?>":                                 "comment",
		"<![CDATA[x]]>":                              "comment",
		"<!ELEMENT a>":                               "comment",
		"x<!doctype html>":                           "document type",
		"<!doctype svg>":                             "document type",
		"<meta charset=iso-2022-jp>":                 "encoding",
		"<img srcset='#a 1x, https://example.org 2x'>":     "can lead out",
		"<a href='#' ping='# https://example.org'>x</a>":   "can lead out",
		"<body background='https://example.org'>":          "leads out",
		"<a href='&#104;ttps://example.org'>x</a>":         "leads out",
		"<a HREF='https://example.org' href='#a'>x</a>":    "leads out",
		"<p style='background: u\\72l(x)'>x":               "escapes",
		"<p style='background:&#117;rl(x)'>x":              "leads out",
		"<style/>@import 'x'</style>":                      "loads another",
		"<title><style></title><style>@import 'x'</style>": "loads another",
		"<style><!--</style><script>x</script>-->":         "no place",
		"<textarea><script></textarea>":                    "no place",
		"<noscript><p title='</noscript><img src=x>'>":     "no place",
		"<template><p></template>":                         "no place",
		"<math><mi></mi></math>":                           "no place",
		"<plaintext>":                                      "no place",
		"<xmp><p></xmp>":                                   "no place",
		"<svg><style><p></style></svg>":                    "no place",
		"<base href='#'>":                                  "no place",
		"<link rel=stylesheet href='#'>":                   "no place",
		"<meta http-equiv=refresh content='0;#'>":          "instructs the browser",
		"<img src='data:image/svg+xml;base64,AAAA'>":       "leads out",
	} {
		t.Run(text[:min(len(text), 60)], func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.html", text)
			found := s.refuse(t)
			require.Len(t, found, 1)
			require.Contains(t, found[0].Message, message)
			requirePrintable(t, found[0].Message)
		})
	}
}

func TestAReportMayLeaveOutWhatBrowsersKnow(t *testing.T) {
	for _, text := range []string{
		"", "x", "<p>x<p>y", "<p>x<div>y</div>", "<ul><li>x<li><p>y<li>z</ul>", "<dl><dt>x<dd>y<dt>z</dl>",
		"<ul><li>x<ul><li>y</ul></ul>", "<table><tr><td>x<td>y<tr><th>z</table>",
		"<table><caption>x</caption><colgroup><col><col></colgroup><thead><tr><th>x<tbody><tr><td>y<tfoot><tr><td>z</table>",
		"<table><tr><td><table><tr><td><p>x</table></table>", "<p>x<table><tr><td><p>y</table>",
		"<html><head><title>a<b</title><body><h1>x</h1><hr/><p>y<br/>z", "<html><head></head><body>x</body></html>\n<!-- made by me -->",
		"<b><div>x</div></b>", "<a href='#a'><div>x</div></a>", "<p>1 < 2 & 3 > 2", "<!-- a - b --><!DOCTYPE html><p>x",
		`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml" lang="en">x</html>`,
		"<style>a:hover { background: linear-gradient(90deg, red 10%, url(#g)) }</style>", `<meta charset="UTF-8"><meta name="viewport" content="width=device-width">`,
		"<img alt='x' src='" + embedded(large()) + "'>",
	} {
		t.Run(text[:min(len(text), 60)], func(t *testing.T) {
			s := newScene(t)
			s.rules.MaxBytes = 4 << 20
			s.put(t, "a.html", text)
			s.accept(t)
		})
	}
}
