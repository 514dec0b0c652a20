package output

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// CheckChart wants the data of a plotly figure, a JSON object that has been read
// strictly, to lead nowhere when a page draws it. Drawing loads the pictures of a
// layout, the shapes and tiles of maps, and what a style in a text names, all by
// addresses that the script writes, with whatever they were made to carry; and a
// text can have links. The error says what was found where.
func CheckChart(spec []byte) error {
	reader := chartReader{decoder: jsontext.NewDecoder(bytes.NewReader(spec), jsontext.AllowDuplicateNames(true))}
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
	decoder *jsontext.Decoder
	names   []string // by depth, the last one of each object that is open
}

// text judges a string, unless it is a name, which is kept.
func (r *chartReader) text(text string) error {
	depth := r.decoder.StackDepth()
	if kind, length := r.decoder.StackIndex(depth); kind == '{' && length%2 == 1 {
		for len(r.names) <= depth {
			r.names = append(r.names, "")
		}
		r.names[depth] = text
		return nil
	}
	name := attributeOf(r.nearest(depth))
	if isEmbedded(browserTrim(text)) {
		return checkEmbedded(text)
	}
	fault := chartFault(name, text)
	if fault == "" && chartMaps[text] && !r.inTemplate(depth) {
		fault = "is of a sort that fetches the tiles of a map from others: use scatter_geo or choropleth"
	}
	if fault != "" {
		return found(RuleActiveContent, "has a value at %s that %s", showName(name), fault)
	}
	return nil
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

// inTemplate tells the defaults that plotly writes into every figure, for traces of
// all sorts: they make none.
func (r *chartReader) inTemplate(depth int) bool {
	for level, name := range []string{"layout", "template"} {
		if kind, _ := r.decoder.StackIndex(level + 1); depth < 3 || kind != '{' || r.names[level+1] != name {
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
	}
	return markupFault(text)
}

func hasOneOfSuffixes(name string, suffixes []string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// markupFault is of the little HTML that plotly knows: links, and styles whose
// entities it undoes.
func markupFault(text string) string {
	if !strings.Contains(text, "<") {
		return ""
	}
	plain := strings.ToLower(html.UnescapeString(text))
	if strings.Contains(plain, "href") || strings.Contains(plain, "src") {
		return "has a link: a released chart must not lead out of its page"
	}
	if strings.Contains(plain, "style") {
		if err := checkStyle(plain); err != nil {
			return fmt.Sprintf("has a style that loads something: %s", Reason(err))
		}
	}
	return ""
}
