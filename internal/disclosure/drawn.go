package disclosure

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
)

// drawn looks at the texts of a drawing: what is written in it, and what it says of itself.
type drawn struct {
	l    *looker
	text *printedReader
}

func newDrawn(l *looker) drawn { return drawn{l, newPrinted(l)} }

// ofMatplotlib is what matplotlib says of itself in each figure, and the day that a sandbox has
// it write.
var ofMatplotlib = regexp.MustCompile(`Matplotlib v[0-9A-Za-z.+~-]{1,40}, https://matplotlib\.org/?|^1970-01-01T00:00:00\+00:00$`)

func (d drawn) see(line int64, text []byte) {
	for piece := range bytes.Lines(text) {
		if piece = bytes.TrimSpace(piece); len(piece) > 0 {
			piece = ofMatplotlib.ReplaceAll(piece, []byte("Matplotlib"))
			d.l.patternsIn(line, piece)
			d.text.words(line, piece)
		}
	}
}

// svg reads a drawing that has been verified.
func (l *looker) svg(_ context.Context, from io.Reader) error {
	decoder, texts := xml.NewDecoder(from), newDrawn(l)
	var written strings.Builder // of a text, whose parts may be of other styles
	depth := 0                  // in it
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			texts.text.end()
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := decoder.InputPos()
		switch token := token.(type) {
		case xml.StartElement:
			if depth > 0 || token.Name.Local == "text" {
				depth++
			}
			texts.attributes(int64(line), token.Attr)
		case xml.EndElement:
			if depth--; depth == 0 {
				texts.see(int64(line), []byte(written.String()))
				written.Reset()
			}
			depth = max(depth, 0)
		case xml.CharData:
			if depth > 0 {
				written.Write(token)
			} else {
				texts.see(int64(line), token)
			}
		case xml.Comment: // matplotlib writes the text there that it draws as lines
			texts.see(int64(line), token)
		}
	}
}

// attributes looks at those that hold words. Others hold numbers and styles, of which there are
// many.
func (d drawn) attributes(line int64, all []xml.Attr) {
	for _, each := range all {
		name := strings.ToLower(each.Name.Local)
		switch {
		case each.Name.Space == "xmlns" || name == "xmlns":
		case name == "id", name == "class", name == "title", name == "role", strings.HasPrefix(name, "data-"), strings.HasPrefix(name, "aria-"):
			d.see(line, []byte(each.Value))
		case name == "about", name == "resource", name == "href" && !strings.HasPrefix(each.Value, "data:"): // addresses are usual there
			d.l.cell(each.Value)
		}
	}
}
