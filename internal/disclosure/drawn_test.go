package disclosure_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
)

func document(content string, packed bool) string {
	filter := ""
	if packed {
		var buffer bytes.Buffer
		writer := zlib.NewWriter(&buffer)
		_, _ = writer.Write([]byte(content))
		_ = writer.Close()
		content, filter = buffer.String(), " /Filter /FlateDecode"
	}
	return fmt.Sprintf("%%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n2 0 obj\n<< /Length %d%s >>\nstream\n%s\nendstream\nendobj\n", len(content), filter, content)
}

// packedDocument draws the same again and again. It is small.
func packedDocument(line string, times int) string {
	var buffer bytes.Buffer
	writer := zlib.NewWriter(&buffer)
	for range times {
		_, _ = io.WriteString(writer, line)
	}
	_ = writer.Close()
	return "%PDF-1.4\n2 0 obj\n<< /Filter /FlateDecode >>\nstream\n" + buffer.String() + "\nendstream\nendobj\n"
}

// TestWhatADrawingSaysIsSeen: in its texts, and beside what it draws.
func TestWhatADrawingSaysIsSeen(t *testing.T) {
	const svg, pdf = "image/svg+xml", "application/pdf"
	start := `<svg xmlns="http://www.w3.org/2000/svg" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">`
	info := "3 0 obj\n<< /Title %s >>\nendobj\n"
	for name, test := range map[string]struct{ media, content string }{
		"title":             {svg, start + `<title>P-00017</title></svg>`},
		"desc":              {svg, start + `<desc>of P-00017 alone</desc></svg>`},
		"metadata":          {svg, start + `<metadata><rdf:RDF><dc:title>P-00017</dc:title></rdf:RDF></metadata></svg>`},
		"resource":          {svg, start + `<metadata><rdf:RDF rdf:about="P-00017"/></metadata></svg>`},
		"comment":           {svg, start + `<!-- P-00017 --></svg>`},
		"id":                {svg, start + `<g id="P-00017"/></svg>`},
		"class":             {svg, start + `<g class="a P-00017"/></svg>`},
		"data":              {svg, start + `<g data-row="P-00017"/></svg>`},
		"aria":              {svg, start + `<g aria-label="P-00017"/></svg>`},
		"text":              {svg, start + `<text>P-00017</text></svg>`},
		"text in two":       {svg, start + `<text>P-<tspan>00017</tspan></text></svg>`},
		"style":             {svg, start + `<style>P-00017 { fill: red }</style></svg>`},
		"info":              {pdf, document("", true) + fmt.Sprintf(info, "(P-00017)")},
		"info with escapes": {pdf, document("", true) + fmt.Sprintf(info, `(a \(b\) P\05500017)`)},
		"info of streams":   {pdf, document("", true) + fmt.Sprintf(info, `(a stream) /Subject (P-00017)`)},
		"info in UTF-16":    {pdf, document("", true) + fmt.Sprintf(info, "(\xfe\xff\x00P\x00-\x000\x000\x000\x001\x007)")},
		"info in digits":    {pdf, document("", true) + fmt.Sprintf(info, "<502d3030303137>")},
		"a note":            {pdf, document("", true) + "4 0 obj\n[\n<< /Type /Annot /Subtype /Text /Contents (see P-00017)\n>>\n]\nendobj\n"},
		"a font's name":     {pdf, document("", true) + "4 0 obj\n<< /P-00017 5 0 R >>\nendobj\n"},
		"drawn":             {pdf, document("BT /F1 12 Tf (P-00017) Tj ET", false)},
		"drawn, packed":     {pdf, document("BT /F1 12 Tf [ (P-) 20 (00017) ] TJ ET", true)},
		"letter by letter":  {pdf, document("BT (P) Tj (-) Tj (0001) Tj 1 0 0 1 2 3 Tm (7) Tj ET BT (x) Tj ET", true)},
		"in a large font":   {pdf, document("BT [ (\x00P\x00-\x000\x000\x000\x001\x007) ] TJ ET", true)},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, []string{disclosure.RuleIdentifierValues}, rules(lookAt(t, test.media, test.content, visits())), "%s", test.content)
			other := strings.ReplaceAll(test.content, "P-00017", "P-99999")
			if other != test.content {
				require.Empty(t, rules(lookAt(t, test.media, other, visits())))
			}
		})
	}
	for media, content := range map[string]string{
		svg: start + "<!-- jane@example.org --><!-- women (n=3) --><g><!--  sbp weight --><text>90 40.5</text><text>91 41.5</text><text>92 42.5</text><text>93 43.5</text><text>94 44.5</text></g></svg>",
		pdf: document("BT (jane@example.org) Tj ET BT (women \\(n=3\\)) Tj ET BT (sbp weight) Tj ET BT (90 40.5) Tj ET BT (91 41.5) Tj ET BT (92 42.5) Tj ET BT (93 43.5) Tj ET BT (94 44.5) Tj ET", true),
	} {
		require.Equal(t, []string{disclosure.RulePattern + "email", disclosure.RuleSmallCell, disclosure.RuleCopiedRows}, rules(lookAt(t, media, content, visits())), media)
	}
}

// TestMatplotlibsDrawingsHaveNoFindings has each kind of object that it writes.
func TestMatplotlibsDrawingsHaveNoFindings(t *testing.T) {
	names, err := filepath.Glob("../output/testdata/accepted/*")
	require.NoError(t, err)
	looked := 0
	for _, name := range names {
		media := map[string]string{".svg": "image/svg+xml", ".pdf": "application/pdf"}[filepath.Ext(name)]
		if media == "" {
			continue
		}
		looked++
		review := look(t, disclosure.Options{Data: []disclosure.Table{visits(), doses(), people()}, Ours: []string{"2026-11-21", "2026-11-22"}, Parts: []disclosure.Part{{
			Path: filepath.Base(name), MediaType: media, Open: func() (io.ReadCloser, error) { return os.Open(name) },
		}}})
		require.Empty(t, review.Findings, name)
		require.True(t, review.Complete, name)
	}
	require.GreaterOrEqual(t, looked, 6)
	const asInASandbox = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:date>1970-01-01T00:00:00+00:00</dc:date></metadata></svg>`
	require.Empty(t, rules(lookAt(t, "image/svg+xml", asInASandbox)))
}

func TestADocumentThatIsTooLargeIsNotLookedAtWhole(t *testing.T) {
	for name, content := range map[string]string{
		"a large one":  document(strings.Repeat("0 0 m ", 3<<20), false),
		"a packed one": document(strings.Repeat("0 0 m ", 12<<20), true),
		"a broken one": strings.Replace(document("0 0 m", true), "stream\n", "stream\nx", 1),
	} {
		review := lookAt(t, "application/pdf", content, visits())
		require.Equal(t, []string{disclosure.RuleUnchecked}, rules(review), name)
		require.False(t, review.Complete, name)
	}
}
