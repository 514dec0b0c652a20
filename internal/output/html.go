package output

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// htmlElements are those of a static report: text and tables. That no others are
// accepted is what lets a tokenizer judge: none of these but style and title changes
// how a browser reads what follows, and none leads into SVG or MathML.
var htmlElements = set(
	"html", "head", "title", "meta", "style", "body", "main", "section", "article", "header", "footer",
	"h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "span", "br", "hr", "pre", "code", "blockquote", "figure", "figcaption",
	"b", "i", "em", "strong", "small", "sub", "sup", "u", "a", "img", "ul", "ol", "li", "dl", "dt", "dd",
	"table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td")

// What a report that somebody wrote stays far below.
const (
	maxHTML       = 4 << 20
	maxAttributes = 64 // of one tag
	// maxTag is of one tag, text or comment, in bytes. The tokenizer keeps 32 bytes
	// for each of a tag's attributes, which may be two bytes long.
	maxTag = 2 << 20
)

// checkHTML wants a static report, and every tag of it in its place: what a parser
// would have to repair is read in one way by one browser and in another by the next,
// and repairing is what makes a few bytes grow. No tree is built.
func checkHTML(file stagedFile) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	if size > maxHTML {
		return found(RuleTooLarge, "it is larger than the 4 MiB of HTML that can be checked: write a table as CSV; a plotly figure needs no file, because it is collected as data")
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	reader := bufio.NewReaderSize(file, 64<<10)
	start, err := reader.Peek(512) // as much as net/http looks at
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read staged file: %w", err)
	}
	if sniffed := http.DetectContentType(start); !strings.HasPrefix(sniffed, "text/") {
		return found(RuleMediaType, "it is not an HTML document")
	}
	if err := checkRunes(reader); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	return checkTags(file)
}

func checkTags(file io.Reader) error {
	tokens := html.NewTokenizer(file)
	tokens.SetMaxBuf(maxTag)
	checker := htmlChecker{once: map[string]bool{}}
	for {
		kind := tokens.Next()
		err := checker.token(tokens, kind)
		if err != nil || kind == html.ErrorToken {
			return err
		}
	}
}

type htmlChecker struct {
	pictures pictures
	growth   htmlGrowth
	open     []string        // elements, outermost first
	once     map[string]bool // of html, head and body
	begun    bool            // something but white space has come
}

func (c *htmlChecker) token(tokens *html.Tokenizer, kind html.TokenType) error {
	switch kind {
	case html.StartTagToken, html.SelfClosingTagToken:
		return c.start(tokens)
	case html.EndTagToken:
		name, _ := tokens.TagName()
		return c.end(string(name))
	case html.TextToken:
		return c.text(tokens)
	case html.CommentToken:
		return checkComment(tokens.Raw())
	case html.DoctypeToken:
		return c.doctype(tokens.Raw())
	case html.ErrorToken:
		return c.finish(tokens.Err())
	default:
		return found(RuleMediaType, "it is not an HTML document that can be checked")
	}
}

// start checks a tag and its attributes. A slash at a tag's end means nothing in
// HTML, so that self-closing tags are start tags.
func (c *htmlChecker) start(tokens *html.Tokenizer) error {
	c.begun = true
	bytesOfName, more := tokens.TagName()
	name := string(bytesOfName)
	if !htmlElements[name] {
		return found(RuleActiveContent, "the element %s has no place in a static report: release a picture or a table", showName(name))
	}
	c.growth.begin()
	for count := 0; more; {
		if count++; count > maxAttributes {
			return found(RuleActiveContent, "a tag has more than %d attributes", maxAttributes)
		}
		var key, value []byte
		key, value, more = tokens.TagAttr()
		if err := c.pictures.checkHTMLAttribute(name, string(key), string(value)); err != nil {
			return err
		}
		if err := c.growth.attribute(string(key), string(value)); err != nil {
			return err
		}
	}
	if err := c.growth.ended(); err != nil {
		return err
	}
	return c.push(name)
}

func (p *pictures) checkHTMLAttribute(element, name, value string) error {
	switch {
	case element == "meta" && name == "http-equiv":
		return found(RuleActiveContent, "it has a meta element that instructs the browser")
	case element == "meta" && name == "name" && !metaNames[strings.ToLower(value)]:
		return found(RuleActiveContent, "it has a meta element with a name that no report needs: leave it out")
	case name == "charset" && !strings.EqualFold(strings.TrimSpace(value), "utf-8"):
		return found(RuleMediaType, "it names an encoding other than UTF-8, in which a browser would read another text")
	}
	if err := p.checkAttribute(name, value); err != nil {
		return err
	}
	switch {
	case !htmlAttributes[name] && !said(name):
		return unknownAttribute(name)
	case name == "style":
		return checkNames(value)
	}
	return nil
}

// text is not looked at but in a style, which the tokenizer returns as one.
func (c *htmlChecker) text(tokens *html.Tokenizer) error {
	raw := tokens.Raw()
	if len(bytes.TrimSpace(raw)) > 0 {
		c.begun = true
	}
	if top := c.top(); inTable[top] != nil && len(bytes.TrimSpace(raw)) > 0 {
		return misplaced("text", top)
	}
	if c.top() != "style" {
		return nil
	}
	if len(raw) > maxStyle {
		return tooLargeStyle()
	}
	if err := c.growth.sheet(string(raw)); err != nil {
		return err
	}
	return checkSheet(string(raw))
}

// checkComment accepts comments whose end every browser sees in the same place.
func checkComment(raw []byte) error {
	inner, opened := bytes.CutPrefix(raw, []byte("<!--"))
	inner, closed := bytes.CutSuffix(inner, []byte("-->"))
	if !opened || !closed || bytes.ContainsAny(inner, "<>") || bytes.Contains(inner, []byte("--")) || bytes.HasPrefix(bytes.TrimSpace(inner), []byte("[")) {
		return found(RuleActiveContent, "it has a comment that could hide something, or a declaration: leave it out")
	}
	return nil
}

// doctype accepts those of HTML and XHTML, at the start.
func (c *htmlChecker) doctype(raw []byte) error {
	text := strings.ToLower(string(raw[:min(len(raw), 300)]))
	if c.begun || len(raw) > 300 || !strings.HasPrefix(text, "<!doctype html") || strings.ContainsAny(text[1:len(text)-1], "<>[") {
		return found(RuleActiveContent, "it has a document type that is not HTML's, or not at the start")
	}
	return nil
}

// finish is the end of the document, or of what can be read.
func (c *htmlChecker) finish(err error) error {
	if errors.Is(err, html.ErrBufferExceeded) {
		return found(RuleTooComplex, "a single text or tag in it has more than the %d MiB that can be checked: write a picture as a file of its own", maxTag>>20)
	}
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("read staged file: %w", err)
	}
	for _, name := range c.open {
		if !endIsOptional[name] {
			return found(RuleMediaType, "the element %s is never closed", showName(name))
		}
	}
	return c.growth.end()
}

func (c *htmlChecker) top() string {
	if len(c.open) == 0 {
		return ""
	}
	return c.open[len(c.open)-1]
}

func misplaced(what, where string) error {
	return found(RuleMediaType, "%s stands directly in the element %s, where a browser moves it", what, showName(where))
}

var (
	// void elements have no end.
	void = set("br", "col", "hr", "img", "meta")
	// endIsOptional are those whose end a browser knows without its tag.
	endIsOptional = set("html", "head", "body", "p", "li", "dt", "dd", "colgroup", "thead", "tbody", "tfoot", "tr", "th", "td")
	// phrasing elements are those that may stand in a paragraph; others end it.
	phrasing = set("a", "b", "br", "code", "em", "i", "img", "small", "span", "strong", "sub", "sup", "u", "meta", "style", "title")
	// inTable are the elements that hold nothing but these.
	inTable = map[string]map[string]bool{
		"table":    set("caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "style"),
		"colgroup": set("col"),
		"thead":    set("tr", "style"), "tbody": set("tr", "style"), "tfoot": set("tr", "style"),
		"tr": set("th", "td", "style"),
	}
	// endedBy are the elements that the start of another ends, where they are open and
	// have no end tag.
	endedBy = map[string]map[string]bool{
		"li": set("li"), "dt": set("dt", "dd"), "dd": set("dt", "dd"), "body": set("head"),
		"td": set("td", "th"), "th": set("td", "th"), "tr": set("td", "th", "tr", "colgroup"),
		"thead": set("td", "th", "tr", "thead", "tbody", "tfoot", "colgroup"),
		"tbody": set("td", "th", "tr", "thead", "tbody", "tfoot", "colgroup"),
		"tfoot": set("td", "th", "tr", "thead", "tbody", "tfoot", "colgroup"),
	}
)

// push opens an element where a browser would, and refuses it where one would have
// to move it, or what is open.
func (c *htmlChecker) push(name string) error {
	if single := name == "html" || name == "head" || name == "body"; single && c.once[name] {
		return found(RuleActiveContent, "the tag %s stands there twice", showName(name))
	} else if single {
		c.once[name] = true
	}
	if !phrasing[name] {
		c.endImplied(func(open string) bool { return open == "p" || endedBy[name][open] })
	}
	if err := c.place(name); err != nil {
		return err
	}
	if void[name] {
		return nil
	}
	if c.open = append(c.open, name); len(c.open) > maxNesting {
		return found(RuleTooComplex, "its elements are nested deeper than %d levels", maxNesting)
	}
	return nil
}

// endImplied ends the innermost elements that need no tag for it and that a browser
// ends here.
func (c *htmlChecker) endImplied(ends func(open string) bool) {
	for len(c.open) > 0 && endIsOptional[c.top()] && ends(c.top()) {
		c.open = c.open[:len(c.open)-1]
	}
}

// place refuses what a browser would move, or what would make it end elements that
// are open, of which it repeats some.
func (c *htmlChecker) place(name string) error {
	top := c.top()
	if children := inTable[top]; children != nil && !children[name] {
		return misplaced(showName(name), top)
	}
	if inTableOnly[name] && inTable[top] == nil {
		return misplaced(showName(name), top)
	}
	if name == "a" && slices.Contains(c.open, "a") {
		return misplaced("a link", "a")
	}
	for _, open := range slices.Backward(c.open) {
		switch {
		case cell[open]:
			return nil
		case open == "p" && !phrasing[name], item[name] && endedBy[name][open]:
			return misplaced(showName(name), top)
		case item[name] && !phrasing[open] && open != "div":
			return nil
		}
	}
	return nil
}

// cell elements are a document of their own to what is in them.
var cell = set("td", "th", "caption")

// item elements end their like also from within what lies between.
var item = set("li", "dt", "dd")

// inTableOnly are ignored elsewhere.
var inTableOnly = set("caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td")

// end closes an element, and those within it that need no tag for it.
func (c *htmlChecker) end(name string) error {
	c.begun = true
	if void[name] || !htmlElements[name] {
		return found(RuleActiveContent, "the end tag %s ends nothing", showName(name))
	}
	c.endImplied(func(open string) bool { return open != name })
	if c.top() != name {
		return found(RuleMediaType, "the end tag %s does not end what was opened last", showName(name))
	}
	c.open = c.open[:len(c.open)-1]
	return nil
}
