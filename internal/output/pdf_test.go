package output_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/output"
)

// pdfOf makes a document of objects, numbered from 1, the first of which is its root.
func pdfOf(objects ...string) string {
	var file strings.Builder
	file.WriteString("%PDF-1.4\n%\xac\xdc \xab\xba\n")
	var table strings.Builder
	fmt.Fprintf(&table, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for index, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", file.Len())
		fmt.Fprintf(&file, "%d 0 obj\n%s\nendobj\n", index+1, object)
	}
	return file.String() + table.String() + fmt.Sprintf("trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, file.Len())
}

// plainPDF is a document of one page, with more entries of the page's dictionary and
// more objects, from the fifth on.
func plainPDF(page string, more ...string) string {
	return pdfOf(append([]string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [ 3 0 R ] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [ 0 0 9.5 -9 ] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> /Contents 4 0 R " + page + ">>",
		"<< /Length 3 >>\nstream\n0 g\nendstream",
	}, more...)...)
}

// TestADocumentShowsAllItsObjects: what a reader finds in a document is what the
// check has seen, whether the reader goes by the table or searches, and no entry that
// could act is among it, whatever its dictionary says that it is.
func TestADocumentShowsAllItsObjects(t *testing.T) {
	plain := plainPDF("")
	action := "<< /S 6 0 R /N 6 0 R >>"
	for name, content := range map[string]string{
		"a stream of objects that does not say so":     plainPDF("", "<< /N 1 /First 4 /Length 5 >>\nstream\n9 0 1\nendstream"),
		"a table in a stream":                          "%PDF-1.4\n1 0 obj\n<< /W [1 3 1] /Size 2 /Root 1 0 R /Length 4 >>\nstream\n0000\nendstream\nendobj\nstartxref\n9\n%%EOF\n",
		"a second table":                               strings.Replace(plain, "/Root 1 0 R", "/Root 1 0 R /Prev 9", 1),
		"a table beside the table":                     strings.Replace(plain, "/Root 1 0 R", "/Root 1 0 R /XRefStm 9", 1),
		"a later version of it":                        plain + strings.TrimPrefix(plain, "%PDF-1.4\n"),
		"a later version of the format":                strings.Replace(plain, "PDF-1.4", "PDF-1.5", 1),
		"a version in the catalog":                     pdfOf("<< /Type /Catalog /Version /1.7 >>"),
		"an encrypted one":                             strings.Replace(plain, "/Root 1 0 R", "/Root 1 0 R /Encrypt 2 0 R", 1),
		"a table that is not where it should be":       strings.Replace(plain, "startxref\n", "startxref\n1", 1),
		"a table that leads into a stream":             strings.Replace(plainPDF("", "<< /Length 30 >>\nstream\n6 0 obj\n<< >>\nendobj           \nendstream"), "0 6\n", "0 7\n", 1),
		"an object in a stream":                        plainPDF("", "<< /Length 17 >>\nstream\n6 0 obj <</A 1>> \nendstream"),
		"an object in a string":                        plainPDF("", "(\n6 0\tobj\n<< >>\nendobj)"),
		"an object that the table has not":             strings.Replace(plain, "xref\n0 5", "6 0 obj\n1\nendobj\nxref\n0 5", 1),
		"something between the objects":                strings.Replace(plain, "4 0 obj", "x 4 0 obj", 1),
		"a comment between the objects":                strings.Replace(plain, "endobj\n4 0 obj", "endobj\n%\n4 0 obj", 1),
		"an object twice":                              strings.Replace(plain, "2 0 obj", "1 0 obj", 1),
		"a free object":                                strings.Replace(plain, "00000 n", "00000 f", 1),
		"an object of a later generation":              strings.Replace(plain, "2 0 obj", "2 1 obj", 1),
		"a stream that is longer than it says":         plainPDF("", "<< /Length 1 >>\nstream\n0 g\nendstream"),
		"a stream that is shorter than it says":        plainPDF("", "<< /Length 22 >>\nstream\n0 g\nendstream", "<< >>"),
		"a stream whose length is no number":           plainPDF("", "<< /Length 1 0 R >>\nstream\n0 g\nendstream"),
		"a stream whose length is said twice":          plainPDF("", "<< /Length 3 /Length 1 >>\nstream\n0 g\nendstream"),
		"a stream whose length is said twice, escaped": plainPDF("", "<< /Length 3 /Leng#74h 1 >>\nstream\n0 g\nendstream"),
		"a stream without a length":                    plainPDF("", "<< >>\nstream\n0 g\nendstream"),
		"a stream in a file":                           plainPDF("", "<< /Length 3 /F (x) >>\nstream\n0 g\nendstream"),
		"a filter for JBIG2":                           plainPDF("", "<< /Length 3 /Filter /JBIG2Decode >>\nstream\n0 g\nendstream"),
		"a filter elsewhere":                           plainPDF("", "<< /Length 3 /Filter 6 0 R >>\nstream\n0 g\nendstream", "/JPXDecode"),
		"a list of filters":                            plainPDF("", "<< /Length 3 /Filter [ /FlateDecode /Crypt ] >>\nstream\n0 g\nendstream"),
		"an attachment that does not say so":           plainPDF("/Annots [ 5 0 R ] ", "<< /Subtype /Text /FS << /F (run.bat) /EF << /F 4 0 R >> >> >>"),
		"an associated file":                           plainPDF("/AF [ 5 0 R ] ", "<< >>"),
		"an action that does not say so":               plainPDF("/AA << /O 5 0 R >> ", "<< >>"),
		"an action, escaped":                           plainPDF("/#41 5 0 R ", "<< >>"),
		"an action by its parts":                       plainPDF("/Annots [ 5 0 R ] ", "<< /A 6 0 R >>", "<< >>"),
		"an action that says it is fonts":              plainPDF("/Resources 5 0 R /Annots [ 6 0 R ] ", "<< /Font 6 0 R >>", "<< /A 7 0 R >>", action),
		"an action among the fonts' own":               plainPDF("/Annots [ 5 0 R ] ", "<< /Font << /A << /AA 4 0 R >> >> >>"),
		"fonts that are actions' parts":                plainPDF("", "<< /Font 6 0 R >>", "<< /F1 7 0 R /Font << /AA 4 0 R >> >>", "<< >>"),
		"a destination":                                plainPDF("/Annots [ 5 0 R ] ", "<< /Subtype /Link /Dest [ 3 0 R ] >>"),
		"a kind of annotation that no drawing has":     plainPDF("/Annots [ 5 0 R ] ", "<< /Subtype /Screen >>"),
		"a kind that is elsewhere":                     plainPDF("/Annots [ 5 0 R ] ", "<< /Subtype 6 0 R >>", "/Widget"),
		"a name tree":                                  pdfOf("<< /Type /Catalog /Names << >> >>"),
		"a form":                                       pdfOf("<< /Type /Catalog /Acro#46orm << >> >>"),
		"pages of another":                             pdfOf("<< /Type /Catalog /Collection << >> >>"),
		"a PostScript object":                          plainPDF("", "<< /Length 3 /Subtype /PS >>\nstream\n0 g\nendstream"),
		"nested without end":                           plainPDF("", strings.Repeat("[", 1000)),
		"dictionaries nested without end":              plainPDF("", strings.Repeat("<< /W ", 1000)),
		"a name with a NUL":                            plainPDF("/Na#00me 1 ", ""),
		"a string without an end":                      plainPDF("", "(()"),
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.pdf", content)
			found := s.refuse(t)
			require.Subset(t, []string{output.RuleActiveContent, output.RuleMediaType, output.RuleTooComplex}, rulesOf(found))
			requirePrintable(t, found[0].Message)
		})
	}
	for name, content := range map[string]string{
		"a page":                      plain,
		"a font with a glyph named A": plainPDF("", "<< /Type /Font /Subtype /Type3 /CharProcs 6 0 R /Encoding << /Differences [ 65 /A /AA ] >> >>", "<< /A 4 0 R /AA 4 0 R /W 4 0 R >>"),
		"a note":                      plainPDF("/Annots 5 0 R ", "[ 6 0 R ]", "<< /Type /Annot /Subtype /Text /Contents (a \\) note (b)) /Rect [ -100 -100 0 0 ] >>"),
		"a length elsewhere":          plainPDF("", "<< /Length 6 0 R /Filter /FlateDecode >>\nstream\nendstream\n\nendstream", "10"),
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.pdf", content)
			s.accept(t)
		})
	}
}
