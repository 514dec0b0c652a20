package output

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

const nsSVG = "http://www.w3.org/2000/svg"

// metadataNamespaces hold what matplotlib writes about a figure. No browser acts
// on them.
var metadataNamespaces = set(
	"http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://purl.org/dc/elements/1.1/", "http://creativecommons.org/ns#")

// svgElements draw and do nothing else. Left out on purpose: script, a,
// foreignObject, animate and set (they can write an attribute), and the rest.
var svgElements = set(
	"svg", "g", "defs", "symbol", "use", "switch", "title", "desc", "metadata", "style",
	"path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
	"text", "tspan", "textPath", "image", "marker", "pattern", "clipPath", "mask",
	"linearGradient", "radialGradient", "stop", "filter", "feGaussianBlur", "feOffset", "feBlend",
	"feColorMatrix", "feComposite", "feFlood", "feMerge", "feMergeNode")

func set(names ...string) map[string]bool {
	members := make(map[string]bool, len(names))
	for _, name := range names {
		members[name] = true
	}
	return members
}

// metadataElements are those of them that a figure's description has. Any name
// would do for XML; but where a drawing is pasted into a page, HTML knows no name
// spaces, and what is called script there is one.
var metadataElements = set(
	"RDF", "Work", "Agent", "Bag", "li", "type", "title", "coverage", "date", "description", "format", "identifier",
	"language", "relation", "source", "creator", "contributor", "publisher", "rights", "subject")

// textOnly elements hold text. A page's parser takes what stands in them for HTML,
// in which a title or a style ends elsewhere than in XML.
var textOnly = set("title", "desc", "style")

// svgStart is all that may stand before the drawing, in the only encoding that is
// checked: host and reader must not decode in two. A reader looks for the encoding
// by the grammar of XML, encoding/xml for the text "encoding=" alone, and takes
// encoding = "Shift_JIS" for UTF-8. Of document types there are the one that
// matplotlib writes and none at all: a name of another's choosing would be fetched by
// readers that load them, with whatever it was made to carry.
var svgStart = regexp.MustCompile(`^(?:<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"(?i:utf-8)"|'(?i:utf-8)'))?(?: standalone=(?:"(?:yes|no)"|'(?:yes|no)'))? ?\?>)?` +
	`[ \t\r\n]{0,16}(?:<!DOCTYPE svg(?: PUBLIC "-//W3C//DTD SVG 1\.1//EN"[ \t\r\n]{1,16}"http://www\.w3\.org/Graphics/SVG/1\.1/DTD/svg11\.dtd")? ?>)?`)

// svgStartBytes is longer than every such start.
const svgStartBytes = 512

// checkSVG wants one well-formed drawing that neither runs nor loads anything. A
// browser that opens an SVG treats it as a document, scripts included.
func checkSVG(file stagedFile) error {
	reader := bufio.NewReaderSize(file, 64<<10)
	if err := checkRunes(reader); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	reader.Reset(file)
	head, err := reader.Peek(svgStartBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read staged file: %w", err)
	}
	if _, err := reader.Discard(len(svgStart.Find(head))); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	return checkDrawing(reader)
}

// checkDrawing reads what follows the start.
func checkDrawing(reader io.Reader) error {
	gauge := newGauge(reader)
	decoder := xml.NewDecoder(gauge) // refuses any entity of the document's own
	checker := svgChecker{}
	for {
		gauge.next()
		token, err := decoder.Token()
		switch {
		case gauge.fault != nil:
			return gauge.fault
		case errors.Is(err, io.EOF):
			return checker.end()
		case err != nil:
			return found(RuleMediaType, "it is not well-formed XML near byte %d", decoder.InputOffset())
		}
		if err := checker.token(token); err != nil {
			return err
		}
	}
}

const (
	// maxStyle is of one style sheet, in bytes.
	maxStyle = 1 << 20
	// maxSpaces bounds what the decoder keeps for the open elements beside their
	// names: declarations of name spaces, of which drawings have a handful.
	maxSpaces     = 100
	maxSpaceBytes = 256
)

type svgChecker struct {
	pictures     pictures
	depth, roots int
	spaces       int              // declared so far
	within       string           // the element that is open and holds text only
	style        *strings.Builder // of the style element that is open, for comments may split its text
	uses         svgUses
}

func (c *svgChecker) token(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		return c.start(token)
	case xml.EndElement:
		return c.close()
	case xml.CharData:
		return c.text(token)
	case xml.Comment:
		if strings.ContainsAny(string(token), "<>") { // where HTML sees its end, or markup in it
			return found(RuleActiveContent, "it has a comment that could hide something: leave it out")
		}
	case xml.ProcInst:
		return found(RuleActiveContent, "it has a processing instruction, or an XML declaration other than <?xml version=\"1.0\" encoding=\"utf-8\"?> at its first byte")
	case xml.Directive:
		return found(RuleActiveContent, "it has a document type other than SVG 1.1's as matplotlib writes it, or not at its start")
	}
	return nil
}

func (c *svgChecker) text(text []byte) error {
	c.uses.weigh(len(text))
	if c.style == nil {
		return nil
	}
	if c.style.Len()+len(text) > maxStyle {
		return tooLargeStyle()
	}
	c.style.Write(text)
	return nil
}

func tooLargeStyle() error {
	return found(RuleTooComplex, "a style sheet in it has more than %d bytes", maxStyle)
}

// declares counts an attribute that declares a name space.
func (c *svgChecker) declares(attribute xml.Attr) error {
	if attribute.Name.Space != "xmlns" && attribute.Name.Local != "xmlns" {
		return nil
	}
	c.spaces++
	if c.spaces > maxSpaces || len(attribute.Name.Local)+len(attribute.Value) > maxSpaceBytes {
		return found(RuleTooComplex, "it declares more name spaces, or longer ones, than a drawing has")
	}
	return nil
}

func (c *svgChecker) start(element xml.StartElement) error {
	name := element.Name
	if c.depth == 0 {
		c.roots++
		if c.roots > 1 || name.Space != nsSVG || name.Local != "svg" {
			return found(RuleMediaType, "it is not one SVG drawing")
		}
	}
	if known := name.Space == nsSVG && svgElements[name.Local] || metadataNamespaces[name.Space] && metadataElements[name.Local]; !known {
		return found(RuleActiveContent, "the element %s has no place in a static drawing", showName(name.Local))
	}
	if c.within != "" {
		return found(RuleActiveContent, "a %s has elements in it", c.within)
	}
	if c.depth++; c.depth > maxNesting {
		return found(RuleTooComplex, "its elements are nested deeper than %d levels", maxNesting)
	}
	if textOnly[name.Local] {
		c.within = name.Local
	}
	if name.Local == "style" {
		c.style = new(strings.Builder)
	}
	if err := c.uses.open(element); err != nil {
		return err
	}
	for _, attribute := range element.Attr {
		if err := errors.Join(c.declares(attribute), c.pictures.checkSVGAttribute(attribute)); err != nil {
			return err
		}
	}
	return nil
}

// close leaves an element. A style has no element in it, so the open one, if any,
// is the one that is left; and so have the others that hold text.
func (c *svgChecker) close() error {
	c.depth--
	c.uses.close()
	c.within = ""
	style := c.style
	c.style = nil
	if style == nil {
		return nil
	}
	if err := checkSheet(style.String()); err != nil {
		return err
	}
	if atEachPoint.MatchString(style.String()) {
		return drawsAtEachPoint()
	}
	// Which elements it would refer from is for a reader of style sheets to find out.
	if localPlace.MatchString(style.String()) || fromElsewhere.MatchString(style.String()) {
		return found(RuleTooComplex, "a style sheet in it refers to a part of the drawing, or to what elements have from others: write that at the element itself")
	}
	return nil
}

func (c *svgChecker) end() error {
	if c.roots != 1 {
		return found(RuleMediaType, "it is not one SVG drawing")
	}
	return c.uses.end()
}

// showName bounds and escapes a foreign element's or attribute's name.
func showName(name string) string {
	if len(name) > 40 {
		name = name[:40]
	}
	return fmt.Sprintf("%q", name)
}
