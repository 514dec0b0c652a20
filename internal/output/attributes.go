package output

import (
	"encoding/xml"
	"regexp"
	"strings"
)

// checkAttribute refuses event handlers and whatever leads out of the document:
// a reader's click or a picture's load would tell a third party, with whatever
// the address was made to carry. It names these with their reason; which attributes
// may stand in a document at all is said by lists, for browsers learn new ones
// (attributionsrc), and editors have their own (sodipodi:absref).
func (p *pictures) checkAttribute(name, value string) error {
	name = strings.ToLower(name)
	switch {
	case strings.HasPrefix(name, "on"):
		return found(RuleActiveContent, "the attribute %s is an event handler", showName(name))
	case referringToMany[name]:
		return found(RuleActiveContent, "the attribute %s can lead out of the document", showName(name))
	case referring[name] && !isLocal(value):
		return found(RuleActiveContent, "the attribute %s leads out of the document", showName(name))
	case referring[name]:
		return p.add(value)
	}
	return checkStyle(value)
}

func unknownAttribute(name string) error {
	return found(RuleActiveContent, "the attribute %s has no place in a static document", showName(name))
}

// said attributes are for scripts and for readers who hear a document, and do nothing.
func said(name string) bool {
	return strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-")
}

// referring are the attributes whose value is an address.
var referring = set("href", "src", "base", "background", "action", "formaction", "poster", "data", "cite", "longdesc",
	"lowsrc", "dynsrc", "profile", "codebase", "classid", "manifest", "icon")

// referringToMany hold several addresses. A static document has none of them.
var referringToMany = set("srcset", "imagesrcset", "ping", "archive", "srcdoc")

// htmlAttributes are those of text, tables and pictures.
var htmlAttributes = set(
	"id", "class", "style", "title", "lang", "dir", "role", "hidden", "xmlns", "version",
	"href", "src", "alt", "width", "height", "name", "content", "charset", "type", "media", "rel", "target", "loading", "decoding",
	"border", "cellpadding", "cellspacing", "frame", "rules", "summary", "align", "valign", "halign", "bgcolor", "nowrap",
	"colspan", "rowspan", "headers", "scope", "abbr", "axis", "span", "char", "charoff",
	"start", "value", "reversed", "compact", "clear", "size", "noshade", "color", "text", "background", "cite")

// metaNames are what a report may say of itself. Others have browsers fetch something
// (msapplication-config).
var metaNames = set("viewport", "generator", "author", "description", "date", "keywords", "color-scheme", "theme-color", "robots", "title", "application-name")

// svgAttributes are those of svgElements, in lower case, for in a page they have no other.
var svgAttributes = set(
	"id", "class", "style", "lang", "space", "role", "title", "version", "baseprofile", "xmlns", "media", "type", "show",
	"transform", "viewbox", "preserveaspectratio", "zoomandpan", "width", "height", "x", "y", "x1", "x2", "y1", "y2",
	"cx", "cy", "r", "rx", "ry", "fx", "fy", "fr", "d", "points", "pathlength", "href", "dx", "dy", "rotate",
	"gradientunits", "gradienttransform", "spreadmethod", "offset", "patternunits", "patterncontentunits", "patterntransform",
	"markerwidth", "markerheight", "markerunits", "orient", "refx", "refy", "clippathunits", "maskunits", "maskcontentunits",
	"textlength", "lengthadjust", "startoffset", "method", "spacing", "side", "systemlanguage",
	"filterunits", "primitiveunits", "in", "in2", "result", "stddeviation", "edgemode", "mode", "values", "operator", "k1", "k2", "k3", "k4",
	"alignment-baseline", "baseline-shift", "clip", "clip-path", "clip-rule", "color", "color-interpolation", "color-interpolation-filters",
	"color-rendering", "cursor", "direction", "display", "dominant-baseline", "enable-background", "fill", "fill-opacity", "fill-rule", "filter",
	"flood-color", "flood-opacity", "font", "font-family", "font-size", "font-size-adjust", "font-stretch", "font-style", "font-variant", "font-weight",
	"glyph-orientation-horizontal", "glyph-orientation-vertical", "image-rendering", "kerning", "letter-spacing", "lighting-color",
	"marker", "marker-end", "marker-mid", "marker-start", "mask", "mask-type", "mix-blend-mode", "opacity", "overflow", "paint-order", "pointer-events",
	"shape-rendering", "stop-color", "stop-opacity", "stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin",
	"stroke-miterlimit", "stroke-opacity", "stroke-width", "text-anchor", "text-decoration", "text-rendering", "transform-origin", "unicode-bidi",
	"vector-effect", "visibility", "white-space", "word-spacing", "writing-mode")

// svgText are those of them that hold words.
var svgText = set("id", "class", "title", "href", "lang", "role")

// attributeSpaces are the name spaces that an attribute of a drawing may have.
var attributeSpaces = set("", "http://www.w3.org/1999/xlink", "http://www.w3.org/XML/1998/namespace")

func (p *pictures) checkSVGAttribute(attribute xml.Attr) error {
	name, value := strings.ToLower(attribute.Name.Local), attribute.Value
	if attribute.Name.Space == "xmlns" {
		return nil // declares a name space, whose name is no address to anybody
	}
	if err := p.checkAttribute(name, value); err != nil {
		return err
	}
	described := metadataNamespaces[attribute.Name.Space] && (name == "about" || name == "resource" || name == "parsetype")
	drawn := attributeSpaces[attribute.Name.Space] && (svgAttributes[name] || said(name))
	switch {
	case !described && !drawn:
		return unknownAttribute(name)
	case described || svgText[name] || said(name):
		return nil
	}
	return checkNames(value) // checkAttribute has looked at all else of a style
}

// checkStyle refuses style sheets that load something, and the escapes that
// could hide it. It is applied to every attribute, for SVG has many that hold
// style.
func checkStyle(css string) error {
	if !strings.ContainsAny(css, "(@") {
		return nil // nothing that loads does without; most values are long lists of numbers
	}
	lower := strings.ToLower(css)
	if strings.Contains(lower, "@import") || strings.Contains(lower, "image-set(") {
		return found(RuleActiveContent, "a style sheet loads another")
	}
	for rest := lower; ; {
		_, after, ok := strings.Cut(rest, "url(")
		if !ok {
			break
		}
		place := localURL.FindString(after)
		if place == "" {
			return found(RuleActiveContent, "a style leads out of the document")
		}
		if strings.Contains(place, "/*") { // there it begins no comment
			return found(RuleActiveContent, "a style has the beginning of a comment in an address")
		}
		rest = after
	}
	if strings.Contains(lower, `\`) {
		return found(RuleActiveContent, "a style has escapes that could hide what it loads")
	}
	return nil
}

// localURL is what may follow "url(": a place in the same document, quoted once or
// not at all.
var localURL = regexp.MustCompile(`^[ \t\r\n\f]*(?:"#[^"]*"|'#[^']*'|#[^"'() \t\r\n\f]*)[ \t\r\n\f]*\)`)

// checkSheet is checkStyle for what is style and nothing else.
func checkSheet(css string) error {
	if err := checkStyle(css); err != nil {
		return err
	}
	return checkNames(css)
}

// checkNames looks at the functions and rules of a style. Which it may have is said by
// lists: there are more that load by a text in quotes (src, image, cross-fade), and
// browsers learn them one after the other.
func checkNames(css string) error {
	if !strings.ContainsAny(css, "(@") {
		return nil
	}
	lower := strings.ToLower(css)
	if name := firstUnknown(lower, cssCall, cssFunctions); name != "" {
		return found(RuleActiveContent, "a style has the function %s, which no static document needs", showName(name))
	}
	if name := firstUnknown(lower, cssRule, cssRules); name != "" {
		return found(RuleActiveContent, "a style has the rule %s, which no static document needs", showName(name))
	}
	return nil
}

// firstUnknown goes from match to match, because there can be millions of them.
func firstUnknown(css string, pattern *regexp.Regexp, known map[string]bool) string {
	for {
		at := pattern.FindStringSubmatchIndex(css)
		if at == nil {
			return ""
		}
		if name := css[at[2]:at[3]]; !known[name] {
			return css[at[0]:at[1]]
		}
		css = css[at[1]:]
	}
}

var (
	cssCall = regexp.MustCompile(`([^\s(){}\[\],;:/*+!<>"'=@.#]+)\(`)
	cssRule = regexp.MustCompile(`@([^\s(){}\[\];"']*)`)

	cssFunctions = set("url", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "calc", "min", "max", "clamp", "var",
		"matrix", "matrix3d", "rotate", "rotatex", "rotatey", "rotatez", "rotate3d", "scale", "scalex", "scaley", "scalez", "scale3d",
		"translate", "translatex", "translatey", "translatez", "translate3d", "skew", "skewx", "skewy", "perspective",
		"linear-gradient", "radial-gradient", "conic-gradient", "repeating-linear-gradient", "repeating-radial-gradient", "-webkit-linear-gradient",
		"cubic-bezier", "steps", "blur", "brightness", "contrast", "drop-shadow", "grayscale", "hue-rotate", "invert", "opacity", "saturate", "sepia",
		"inset", "circle", "ellipse", "polygon", "rect", "minmax", "repeat", "fit-content", "format", "counter", "counters",
		"not", "is", "where", "has", "lang", "dir", "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type")

	cssRules = set("media", "page", "keyframes", "-webkit-keyframes", "supports", "layer", "container")
)
