package output

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/html"
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

// htmlElements are those of a static report: text and tables.
var htmlElements = set(
	"html", "head", "title", "meta", "style", "body", "main", "section", "article", "header", "footer",
	"h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "span", "br", "hr", "pre", "code", "blockquote", "figure", "figcaption",
	"b", "i", "em", "strong", "small", "sub", "sup", "u", "a", "img", "ul", "ol", "li", "dl", "dt", "dd",
	"table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td")

func set(names ...string) map[string]bool {
	members := make(map[string]bool, len(names))
	for _, name := range names {
		members[name] = true
	}
	return members
}

// checkSVG wants one well-formed drawing that neither runs nor loads anything. A
// browser that opens an SVG treats it as a document, scripts included.
func checkSVG(file stagedFile) error {
	data, err := readWhole(file)
	if err != nil {
		return err
	}
	decoder := xml.NewDecoder(bytes.NewReader(data)) // refuses any encoding but UTF-8 and any entity of its own
	checker := svgChecker{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return checker.end()
		}
		if err != nil {
			return found(RuleMediaType, "it is not well-formed XML near byte %d", decoder.InputOffset())
		}
		if err := checker.token(token); err != nil {
			return err
		}
	}
}

type svgChecker struct {
	depth, roots int
	style        *strings.Builder // of the style element that is open, for comments may split its text
}

func (c *svgChecker) token(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		return c.start(token)
	case xml.EndElement:
		return c.close()
	case xml.CharData:
		if c.style != nil {
			c.style.Write(token)
		}
	case xml.ProcInst:
		if token.Target != "xml" {
			return found(RuleActiveContent, "it has a processing instruction")
		}
	case xml.Directive: // matplotlib writes a plain DOCTYPE
		if bytes.ContainsAny(token, "[") || !bytes.HasPrefix(token, []byte("DOCTYPE svg")) {
			return found(RuleActiveContent, "it has a document type with declarations")
		}
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
	if !metadataNamespaces[name.Space] && (name.Space != nsSVG || !svgElements[name.Local]) {
		return found(RuleActiveContent, "the element %s has no place in a static drawing", showName(name.Local))
	}
	if c.style != nil {
		return found(RuleActiveContent, "a style has elements in it")
	}
	c.depth++
	if name.Local == "style" {
		c.style = new(strings.Builder)
	}
	for _, attribute := range element.Attr {
		if err := checkAttribute(attribute.Name.Local, attribute.Value); err != nil {
			return err
		}
	}
	return nil
}

// close leaves an element. A style has no element in it, so the open one, if any,
// is the one that is left.
func (c *svgChecker) close() error {
	c.depth--
	style := c.style
	c.style = nil
	if style == nil {
		return nil
	}
	return checkStyle(style.String())
}

func (c *svgChecker) end() error {
	if c.roots != 1 {
		return found(RuleMediaType, "it is not one SVG drawing")
	}
	return nil
}

// checkHTML wants a static report. The tree is built as a browser builds it.
func checkHTML(file stagedFile) error {
	data, err := readWhole(file)
	if err != nil {
		return err
	}
	if sniffed := http.DetectContentType(data); !strings.HasPrefix(sniffed, "text/") {
		return found(RuleMediaType, "it is not an HTML document")
	}
	if err := checkRunes(bufio.NewReader(bytes.NewReader(data))); err != nil {
		return err
	}
	if err := checkTags(data); err != nil {
		return err
	}
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return found(RuleMediaType, "it is not an HTML document that can be checked")
	}
	for node := range root.Descendants() {
		if node.Type == html.ElementNode {
			if err := checkElement(node); err != nil {
				return err
			}
		}
	}
	return nil
}

// What a report that somebody wrote stays far below. Beyond it the parser takes
// quadratic time: it merges the attributes of every repeated html and body tag.
const (
	maxHTML       = 4 << 20
	maxAttributes = 64 // of one tag
)

// checkTags reads the tags one by one, in linear time, before a tree is built.
func checkTags(data []byte) error {
	if len(data) > maxHTML {
		return found(RuleTooLarge, "it is larger than the 4 MiB of HTML that can be checked: write a table as CSV; a plotly figure needs no file, for it is collected as data")
	}
	once := map[string]bool{"html": false, "head": false, "body": false}
	tags := html.NewTokenizer(bytes.NewReader(data))
	for {
		switch tags.Next() {
		case html.ErrorToken:
			return nil // the end; what cannot be read is for the parser to say
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tags.Token()
			if len(token.Attr) > maxAttributes {
				return found(RuleActiveContent, "a tag has more than %d attributes", maxAttributes)
			}
			if seen, single := once[token.Data]; single && seen {
				return found(RuleActiveContent, "the tag %s stands there twice", showName(token.Data))
			} else if single {
				once[token.Data] = true
			}
		default:
		}
	}
}

func checkElement(node *html.Node) error {
	if node.Namespace != "" || !htmlElements[node.Data] {
		return found(RuleActiveContent, "the element %s has no place in a static report: release a picture or a table", showName(node.Data))
	}
	for _, attribute := range node.Attr {
		if node.Data == "meta" && strings.EqualFold(attribute.Key, "http-equiv") {
			return found(RuleActiveContent, "it has a meta element that instructs the browser")
		}
		if err := checkAttribute(attribute.Key, attribute.Val); err != nil {
			return err
		}
	}
	if node.Data == "style" && node.FirstChild != nil {
		return checkStyle(node.FirstChild.Data)
	}
	return nil
}

// checkAttribute refuses event handlers and whatever leads out of the document:
// a reader's click or a picture's load would tell a third party, with whatever
// the address was made to carry.
func checkAttribute(name, value string) error {
	name = strings.ToLower(name)
	switch {
	case strings.HasPrefix(name, "on"):
		return found(RuleActiveContent, "the attribute %s is an event handler", showName(name))
	case referring[name] && !isLocal(value):
		return found(RuleActiveContent, "the attribute %s leads out of the document", showName(name))
	}
	return checkStyle(value)
}

// referring are the attributes whose value is an address.
var referring = set("href", "src", "srcset", "base", "background", "action", "formaction", "poster", "data", "cite", "ping", "longdesc")

// isLocal accepts a place in the same document and a picture within it.
func isLocal(address string) bool {
	address = strings.TrimSpace(address)
	return strings.HasPrefix(address, "#") ||
		strings.HasPrefix(address, "data:image/png;base64,") || strings.HasPrefix(address, "data:image/jpeg;base64,")
}

// checkStyle refuses style sheets that load something, and the escapes that
// could hide it. It is applied to every attribute, for SVG has many that hold
// style.
func checkStyle(css string) error {
	lower := strings.ToLower(css)
	if strings.Contains(lower, "@import") || strings.Contains(lower, "image-set(") {
		return found(RuleActiveContent, "a style sheet loads another")
	}
	for rest := lower; ; {
		_, after, ok := strings.Cut(rest, "url(")
		if !ok {
			break
		}
		if !strings.HasPrefix(strings.TrimLeft(after, ` "'`), "#") {
			return found(RuleActiveContent, "a style leads out of the document")
		}
		rest = after
	}
	if strings.Contains(lower, `\`) && strings.ContainsAny(lower, "(@") {
		return found(RuleActiveContent, "a style has escapes that could hide what it loads")
	}
	return nil
}

// showName bounds and escapes a foreign element's or attribute's name.
func showName(name string) string {
	if len(name) > 40 {
		name = name[:40]
	}
	return fmt.Sprintf("%q", name)
}
