// The race detector forgets buffers that are kept for the next use (sync.Pool), so that
// what is measured here is another thing: make test runs these without it.
//go:build !race

package output

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAllocations watches what a check allocates: at most so many bytes for each
// byte of the document, whatever it is.
func FuzzAllocations(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,{"b":"\u00e9"}]}`, `<svg xmlns="http://www.w3.org/2000/svg"><g a="b"/><style>*{}</style></svg>`,
		"<!doctype html><p title=x>y<b><i>z</i></b><table><tr><td>1</table><style>a{}</style>", "%PDF-1.4\n/A#42\n%%EOF\n", "xref\n0 2\n0000000000 65535 f \n0000000009 00000 n \ntrailer\n<< /Size 2 >>\nstartxref\n0\n%%EOF\n",
		"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08", "PAR1PAR1", "a,b\n1,2\n",
		"[", `{"a":`, "1e9,", `"\ud800",`, // without end: depth, numbers, strings
		"<g>", "<b><i><u>", "<p a=1 b=2 c=3 ", "<!--", "<style>a{b:c}</style><style>", "<svg><foreignObject>", "&amp;&#x0;&lt;",
		`"a""b`, "\"\n", "=1+1,\t@a\n", "* [a](b) `c` **d**\n", "> > > > a\n", "![a][b]\n[b]: c\n",
		"%PDF-1.4\n1 0 obj\n<< /A [[[[ (((( <<<< \n", "1 0 obj<</Length 9>>stream\n", "%PDF-1.7\n<</A(\\\\)/B<41>/C#41>>\n",
		`"x",`, `"<b>",`, `"a<i>b</i>",`, `"\\alpha ",`, `"%{y:.2f}",`, `{"type":""},`, `"#a",`, // in a chart
		"<a href=#a></a>", `<g xmlns="http://www.w3.org/2000/svg" style="fill:url(#a)"/>`, `<b style="a:b">x</b>`,
		"\x89PNG\r\n\x1a\n\xff\xff\xff\xffIDAT", "\x00\x00\x00\x00tEXt\x00\x00\x00\x00", "\xff\xfe<\x00", "\xef\xbb\xbf",
	} {
		f.Add([]byte(text), uint16(1))
		f.Add([]byte(text), uint16(5000))
	}
	const (
		fixed   = 2 << 20 // buffers
		perByte = 300     // an element of three bytes, with its name and its place
	)
	f.Fuzz(func(t *testing.T, text []byte, times uint16) {
		if len(text)*int(times) > 4<<20 {
			return
		}
		document := bytes.Repeat(text, int(times))
		watched := func(name string, check func() error) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := check()
			runtime.ReadMemStats(&after)
			if _, ok := errors.AsType[*finding](err); err != nil && !ok {
				t.Fatal(err)
			}
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(fixed+perByte*len(document)), name)
		}
		for _, kind := range mediaTypes() {
			watched(kind.name, func() error { return kind.check(bytes.NewReader(document)) })
		}
		for start, end := range map[string]string{`{"data":[{"text":[`: `1]}]}`, `<!doctype html>`: "", `<svg xmlns="http://www.w3.org/2000/svg">`: "</svg>"} {
			within := slices.Concat([]byte(start), document, []byte(end))
			watched("a chart", func() error { return CheckChart(within) })
			watched("a page", func() error { return checkHTML(bytes.NewReader(within)) })
			watched("a drawing", func() error { return checkSVG(bytes.NewReader(within)) })
		}
	})
}
