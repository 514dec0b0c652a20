package output

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"hotcell/internal/strictjson"
)

// CheckChart wants the data of a plotly figure, a JSON object that has been read
// strictly, to lead nowhere when a page draws it. Drawing loads the pictures of a
// layout, the shapes and tiles of maps, and what a style in a text names, all by
// addresses that the script writes, with whatever they were made to carry; and a
// text can have links. The error says what was found where.
func CheckChart(spec []byte) error {
	reader := chartReader{decoder: strictjson.NewDecoder(bytes.NewReader(spec), strictjson.DuplicateNames)}
	for {
		token, err := reader.decoder.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return found(RuleMediaType, "is not valid JSON")
		case token.Kind() != '"':
			continue
		}
		if err := reader.text(token.String()); err != nil {
			return err
		}
	}
}

type chartReader struct {
	pictures pictures
	decoder  *strictjson.Decoder
	names    []string // by depth, the last one of each object that is open
}

// text judges a string, unless it is a name, which is kept.
func (r *chartReader) text(text string) error {
	depth := r.decoder.StackDepth()
	if kind, length := r.decoder.StackIndex(depth); kind == '{' && length%2 == 1 {
		for len(r.names) <= depth {
			r.names = append(r.names, "")
		}
		r.names[depth] = text
		if next := r.decoder.PeekKind(); chartSends[text] && next != 'f' && next != 'n' {
			return sends(text)
		}
		return nil
	}
	if chartSends[text] {
		return sends(text)
	}
	name := attributeOf(r.nearest(depth))
	if isEmbedded(browserTrim(text)) {
		return r.pictures.add(text)
	}
	fault := chartFault(name, text)
	if fault == "" && chartMaps[text] && !r.isTemplate(depth) {
		fault = "is of a sort that fetches the tiles of a map from others: use scatter_geo or choropleth"
	}
	if fault != "" {
		return found(RuleActiveContent, "has a value at %s that %s", showName(name), fault)
	}
	return nil
}

// chartSends are settings of a figure, and buttons, by which whoever looks at it sends
// its data to another's server, whose address plotly knows by itself.
var chartSends = set("showLink", "showSendToCloud", "showEditInChartStudio", "sendDataToCloud", "editInChartStudio")

func sends(name string) error {
	return found(RuleActiveContent, "has the setting %s, which sends the chart to another's server: leave it out", showName(name))
}

// nearest is the name of the value that is or holds the one just read, lists left out.
func (r *chartReader) nearest(depth int) string {
	for ; depth > 0; depth-- {
		if kind, _ := r.decoder.StackIndex(depth); kind == '{' {
			return r.names[depth]
		}
	}
	return ""
}

// isTemplate tells the defaults that plotly writes into every figure, for traces of all
// sorts: they make none. Other parts of a template are added to a figure, such as its
// buttons.
func (r *chartReader) isTemplate(depth int) bool {
	if depth != 6 || r.names[depth] != "type" {
		return false
	}
	for level, name := range []string{"layout", "template", "data"} {
		if kind, _ := r.decoder.StackIndex(level + 1); kind != '{' || r.names[level+1] != name {
			return false
		}
	}
	return true
}

// attributeOf is what a name of an attribute comes to that is spelled as a path:
// "images[0].source", as the buttons of a figure spell it.
func attributeOf(name string) string {
	name = strings.ToLower(name)
	if at := strings.LastIndexByte(name, '['); at > 0 && strings.HasSuffix(name, "]") {
		name = name[:at]
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

var (
	// chartMaps are the traces whose background is fetched, by where they are drawn.
	chartMaps = set("scattermapbox", "choroplethmapbox", "densitymapbox", "scattermap", "choroplethmap", "densitymap")
	// chartAddress is at the beginning of a text that a browser takes for an address
	// of its own, once white space has been taken off as a browser does it.
	chartAddress = regexp.MustCompile(`^(?:[/\\]{2}|(?:https?|wss?|ftp|javascript|vbscript|blob|filesystem|mapbox):|file:[/\\]|data:[a-z]+/[a-z0-9.+-]+[;,]|[a-z][a-z0-9+.-]*:[/\\]{2})`)
	// chartPath is a text that names an attribute which is loaded, for a button that sets it.
	chartPath = regexp.MustCompile(`(?i)[.\]](?:source|geojson|style|[a-z]*url|[a-z]*token)(?:\[[0-9]+\])?$`)
	// chartLoads are the ends of the names of attributes that are loaded.
	chartLoads = []string{"source", "geojson", "url", "token", "href", "src"}
	mapStyle   = regexp.MustCompile(`^[a-z0-9 -]*$`)
)

// chartFault says what is wrong with a text at an attribute, or "".
func chartFault(name, text string) string {
	address := strings.ToLower(browserTrim(text))
	switch {
	case chartAddress.MatchString(address):
		return "is an address: a released chart must not lead out of its page"
	case text != "" && hasOneOfSuffixes(name, chartLoads):
		return "would be loaded: only a PNG or JPEG picture as a data: address can stand there"
	case name == "style" && !mapStyle.MatchString(text):
		return "would be loaded"
	case chartPath.MatchString(text):
		return "sets what is loaded"
	case chartPadding.MatchString(text) && (hasOneOfSuffixes(name, chartFormats) || name == "value"):
		return unfinishedTag
	}
	return markupFault(text)
}

// chartFormats are the ends of the names of formats, and what a button sets. A number's
// format may fill with any sign, also with the one that begins a tag.
var (
	chartFormats = []string{"format", "args", "args2"}
	chartPadding = regexp.MustCompile(`^<[<>=^]`)
)

func hasOneOfSuffixes(name string, suffixes []string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// markupFault is of the little HTML that plotly knows, and of the TeX that it hands to
// MathJax. What a reader sees is put together of several texts: a prefix, a label and a
// suffix; a template and what stands for its places. So no text may begin what another
// could end. Older readers undo entities before they look for tags, newer ones after it.
func markupFault(text string) string {
	for _, form := range []string{text, html.UnescapeString(text)} {
		if fault := tagFault(form); fault != "" {
			return fault
		}
	}
	plain := strings.ToLower(html.UnescapeString(text))
	switch { // for readers that know more tags
	case strings.Contains(plain, "<") && (strings.Contains(plain, "href") || strings.Contains(plain, "src")):
		return linkFault
	case strings.Contains(plain, "<") && strings.Contains(plain, "style"):
		if err := checkStyle(plain); err != nil {
			return fmt.Sprintf("has a style that loads something: %s", Reason(err))
		}
	}
	return texFault(text)
}

const linkFault = "has a link: a released chart must not lead out of its page"

// chartTags are the tags that have a meaning to plotly. Others are shown as they stand.
var chartTags = []string{"a", "b", "br", "em", "i", "s", "span", "strong", "sub", "sup", "u"}

// chartPlace is where plotly puts a value, or a part of a date, into a text.
var chartPlace = regexp.MustCompile(`%[-_0]?[a-zA-Z{]`)

// signInPlace is a place whose format has the sign: it goes without the brackets.
var signInPlace = regexp.MustCompile(`%[-_0]?\{[^}]*<`)

// dropped is what a date's format leaves out: a sign of percent, and how what follows
// it would be filled.
var dropped = regexp.MustCompile(`%[-_0]?`)

// oneTag is what plotly takes for a tag.
var oneTag = regexp.MustCompile(`^<[^<>]*>`)

// isTakenOut reports whether a text begins with a tag that plotly leaves out of it: out
// of the names that hover all but these, out of a template what is for the name. What
// stands on both sides of one comes together.
func isTakenOut(text string) bool {
	tag := strings.ToLower(strings.Trim(oneTag.FindString(text), "<>"))
	name, _, _ := strings.Cut(strings.TrimPrefix(tag, "/"), " ")
	return name != "" && !slices.Contains([]string{"b", "br", "em", "i", "sub", "sup"}, name)
}

// tagFault goes from sign to sign. A tag has no other within it; but another may be
// taken out, so that what it interrupts is not done with.
func tagFault(text string) string {
	if signInPlace.MatchString(text) {
		return unfinishedTag
	}
	for {
		_, rest, opened := strings.Cut(text, "<")
		if !opened {
			return ""
		}
		text = rest
		inner := rest
		closed := false
		if end := strings.IndexAny(rest, "<>"); end >= 0 {
			inner, closed = rest[:end], rest[end] == '>'
			if inner == "" && !closed && !isTakenOut(rest) {
				continue // "a<<b>b</b>"
			}
		}
		if fault := oneTagFault(strings.ToLower(inner), closed); fault != "" {
			return fault
		}
	}
}

const unfinishedTag = "begins a tag that another text could end: put a blank behind the sign <"

// oneTagFault looks at what stands behind "<", to its end or to that of the text.
func oneTagFault(inner string, closed bool) string {
	name, attributes := inner, ""
	if at := strings.IndexFunc(inner, unicode.IsSpace); at >= 0 {
		name, attributes = inner[:at], strings.TrimSpace(inner[at:])
	}
	place := chartPlace.MatchString(name)
	name, inner = dropped.ReplaceAllString(name, ""), dropped.ReplaceAllString(inner, "")
	known := slices.Contains(chartTags, strings.TrimSuffix(name, "/"))
	switch {
	case strings.HasPrefix(name, "/"):
		return "" // ends a tag, and can do nothing else
	case place:
		return unfinishedTag // what comes there is anything
	case !closed && (known || name == inner && slices.ContainsFunc(chartTags, func(tag string) bool { return strings.HasPrefix(tag, name) })):
		return unfinishedTag
	case !known || attributes == "" || attributes == "/":
		return ""
	case name == "a":
		return linkFault
	}
	style := chartStyle.FindStringSubmatch(attributes)
	if style == nil || chartPlace.MatchString(attributes) {
		return "has a tag with something other than a style"
	}
	if err := checkSheet(html.UnescapeString(style[1] + style[2])); err != nil {
		return fmt.Sprintf("has a style that loads something: %s", Reason(err))
	}
	return ""
}

var chartStyle = regexp.MustCompile(`^style\s*=\s*(?:"([^"]*)"|'([^']*)')\s*/?$`)

// texCommands are those of formulas. There are others that load, that link and that
// define any other (style, bbox, mmlToken, href, require, csname).
var texCommands = set(
	"alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "iota", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho", "sigma",
	"tau", "upsilon", "phi", "varphi", "chi", "psi", "omega",
	"frac", "dfrac", "tfrac", "sqrt", "text", "textrm", "textbf", "textit", "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathbb", "mathcal", "operatorname", "displaystyle", "textstyle",
	"hat", "widehat", "bar", "overline", "underline", "tilde", "widetilde", "vec", "dot", "ddot", "sum", "prod", "int", "partial", "nabla", "infty", "binom",
	"le", "leq", "ge", "geq", "lt", "gt", "ne", "neq", "approx", "sim", "simeq", "equiv", "propto", "pm", "mp", "times", "cdot", "cdots", "ldots", "dots", "div", "ast", "circ", "degree", "prime",
	"log", "ln", "exp", "sin", "cos", "tan", "min", "max", "lim", "var", "pr", "left", "right", "big", "mid", "vert", "in", "to", "rightarrow", "leftarrow", "mapsto",
	"quad", "qquad", "ell", "hbar", "forall", "exists", "cup", "cap", "subset", "emptyset", "perp", "parallel", "angle", "star", "dagger")

// texGoesOn is a place, or what a date's format leaves out before a letter or an end.
var texGoesOn = regexp.MustCompile(`^%[-_0]?(?:[a-zA-Z{]|$)`)

// texFault looks at commands, whether or not there are signs of a formula: these may
// stand in another text.
func texFault(text string) string {
	for {
		_, rest, found := strings.Cut(text, `\`)
		if !found {
			return ""
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
		switch {
		case end < 0, texGoesOn.MatchString(rest[end:]), isTakenOut(rest[end:]):
			return "ends with a backslash or a command of TeX that another text could go on with"
		case end > 0 && !texCommands[strings.ToLower(rest[:end])]:
			return fmt.Sprintf("has the command %s of TeX: only those of formulas are known", showName(rest[:end]))
		}
		text = rest[max(1, end):]
	}
}
