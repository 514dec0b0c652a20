package output

import (
	"regexp"
	"strings"
)

// htmlGrowth bounds what a page has a browser repeat: a text in a style stands before
// each element that the style is for, and a cell takes as many places as it says.
type htmlGrowth struct {
	elements int64
	texts    int64 // bytes of those in style sheets
	longest  int64 // of those in one attribute: the elements in that one may have them all
	quotes   int64 // how often a style shows a text that another one has given (quotes)
	places   int64 // of cells and columns that span several
	spans    int64 // of the tag that is being read, one way times the other
}

const (
	// maxShown is of the texts of styles, each as often as there are elements.
	maxShown = 256 << 20
	// maxPlaces is more than a page of the size that is checked can have without spans.
	maxPlaces = 2_000_000
	// maxSpan is where browsers stop to count, and what "to the end" may come to.
	maxSpan = 65534
)

// begin enters a tag.
func (g *htmlGrowth) begin() {
	g.elements++
	g.spans = 1
}

func (g *htmlGrowth) attribute(name, value string) error {
	switch name {
	case "style":
		bytes, quotes, err := styleTexts(value)
		g.longest = max(g.longest, bytes)
		g.quotes += quotes
		return err
	case "colspan", "rowspan", "span":
		g.spans = min(g.spans*spanOf(value), maxPlaces+1)
	}
	return nil
}

// ended leaves the tag.
func (g *htmlGrowth) ended() error {
	if g.spans > 1 {
		g.places += g.spans
	}
	if g.places > maxPlaces {
		return found(RuleTooComplex, "its cells and columns span more than %d places: write a table as CSV", maxPlaces)
	}
	return nil
}

func (g *htmlGrowth) sheet(css string) error {
	bytes, quotes, err := styleTexts(css)
	g.texts += bytes
	g.quotes += quotes
	return err
}

func (g *htmlGrowth) end() error {
	all := g.texts + g.longest
	all += g.quotes * max(all, counted) // each may be the longest of them
	if all > 0 && g.elements > maxShown/all {
		return found(RuleTooComplex, "texts in its styles, each shown with every element, are more than %d MiB: write them where they belong", maxShown>>20)
	}
	return nil
}

// spanOf reads a number as browsers do: digits, whatever follows. What is none is 1, and
// 0, which may be all rows that follow, counts as the most.
func spanOf(value string) int64 {
	digits := strings.TrimPrefix(strings.TrimLeft(value, " \t\r\n\f"), "+")
	span, read := int64(0), false
	for _, char := range []byte(digits) {
		if char < '0' || char > '9' {
			break
		}
		read = true
		span = min(10*span+int64(char-'0'), maxSpan)
	}
	switch {
	case !read:
		return 1
	case span == 0:
		return maxSpan
	}
	return span
}

// textVariable is a variable that has a text, or what shows one: others can be made of
// it, each of several.
var textVariable = regexp.MustCompile(`(?i)--[^\s:;{}]*\s*:[^;{}]*(?:["']|-quote|counter)`)

// counted is more than a counter shows, in bytes.
const counted = 32

// styleTexts counts the bytes that a style may show, and how often it shows the text of
// another one (open-quote). Counters are repeated for each level, with a text between
// them. Escapes stand in texts only: elsewhere they could hide where one begins.
func styleTexts(css string) (bytes, quotes int64, err error) {
	plain, texts, err := withoutTexts(css)
	if err != nil {
		return 0, 0, err
	}
	if textVariable.MatchString(plain) {
		return 0, 0, found(RuleTooComplex, "a style has a variable with a text: write the text where it is shown")
	}
	plain = strings.ToLower(plain)
	levels := int64(1)
	nested := int64(strings.Count(plain, "counters("))
	if nested > 0 {
		levels = maxNesting
	}
	single := int64(strings.Count(plain, "counter("))
	return levels*texts + counted*(single+maxNesting*nested), int64(strings.Count(plain, "-quote")), nil
}

// withoutTexts returns a style with nothing between its quotes and without comments,
// and how many bytes stood between quotes.
func withoutTexts(css string) (plain string, texts int64, err error) {
	if !strings.ContainsAny(css, "\"'/\\") {
		return css, 0, nil
	}
	var kept strings.Builder
	for rest := css; rest != ""; {
		at := strings.IndexAny(rest, "\"'/\\")
		if at < 0 {
			kept.WriteString(rest)
			break
		}
		kept.WriteString(rest[:at+1])
		sign := rest[at]
		rest = rest[at+1:]
		switch {
		case sign == '\\':
			return "", 0, found(RuleTooComplex, "a style has an escape outside of a text, which could hide what it shows")
		case sign != '/':
			end := textEnd(rest, sign)
			texts += int64(end)
			rest = rest[min(len(rest), end+1):]
		case strings.HasPrefix(rest, "*"):
			_, rest, _ = strings.Cut(rest[1:], "*/")
		}
	}
	return kept.String(), texts, nil
}

// textEnd is where a text ends that began with this sign.
func textEnd(text string, sign byte) int {
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
			if strings.HasPrefix(text[min(at, len(text)):], "\r\n") {
				at++ // one end of a line
			}
		case sign, '\n', '\r', '\f':
			return at
		}
	}
	return len(text)
}
