package output

import (
	"encoding/xml"
	"hash/maphash"
	"net/url"
	"regexp"
	"strings"
)

const (
	// maxUses is how many elements may be drawn again.
	maxUses = 200_000
	// maxNamed is how many elements with an id are kept: those that hold others.
	maxNamed = 500_000
	// maxDrawn is how many elements a reader may have to draw, all repetitions counted.
	maxDrawn = 20_000_000
)

// svgUses finds drawings that grow at the reader: where what is drawn again draws
// something again itself, ten levels of two hundred bytes are ten thousand million
// paths (use), or as many tiles of patterns (CVE-2019-20446), masks, clips and markers.
// So what another element refers to refers to nothing, and what is left, repetitions
// times elements, is counted. Names are kept as hashes, by a seed that nobody knows.
type svgUses struct {
	seed     maphash.Seed
	elements []openElement
	told     int // how many of them are noted as holding a reference
	passing  int // how many of them pass a reference on to what is in them
	drawn    int64
	named    map[uint64]namedElement // those that hold others, or a reference
	uses     map[uint64]int64        // elements that are drawn again, and how often
	painted  map[uint64]bool         // elements that a style refers to, or a pattern
}

type openElement struct {
	id     uint64 // 0 for none
	first  int64  // what had been drawn when it began
	passes bool
}

type namedElement struct {
	size  int64 // elements in it, its own included
	holds bool
}

// inherited are the properties that elements have from those around them; a style may
// have one.
var inherited = set("fill", "stroke", "marker-start", "marker-end", "style")

// fromElsewhere is what an element has from those around it although it is told
// otherwise, or from whoever draws it, or in a spelling that hides either.
var fromElsewhere = regexp.MustCompile(`(?i)inherit|context-|\\`)

// styled are the attributes that may say so.
var styled = set("fill", "stroke", "mask", "clip-path", "filter", "marker-start", "marker-end", "style")

// atEachPoint are the properties by which a line of a megabyte draws a million markers;
// a comment may stand before the colon.
var atEachPoint = regexp.MustCompile(`(?i)(?:^|[^a-z0-9_-])marker(?:-mid)?\s*[:/]`)

func drawsAtEachPoint() error {
	return found(RuleTooComplex, "it has markers at each point of a line (marker, marker-mid): draw them")
}

// localPlace finds what a style refers to. Whether it is well formed is for checkStyle.
var localPlace = regexp.MustCompile(`(?i)url\(\s*["']?\s*#([^"')]*)`)

// open enters an element.
func (u *svgUses) open(element xml.StartElement) error {
	if u.named == nil {
		u.seed, u.named, u.uses, u.painted = maphash.MakeSeed(), map[uint64]namedElement{}, map[uint64]int64{}, map[uint64]bool{}
	}
	u.drawn++
	this, refers := openElement{first: u.drawn}, false
	for _, attribute := range element.Attr {
		name, value := strings.ToLower(attribute.Name.Local), attribute.Value
		u.weigh(len(value))
		switch {
		case name == "id" && this.id != 0:
			return found(RuleMediaType, "an element has two names")
		case name == "id":
			this.id = u.hash(value)
		case name == "href":
			refers = u.link(element.Name.Local, value) || refers
		case name == "marker", name == "marker-mid", name == "style" && atEachPoint.MatchString(value):
			return drawsAtEachPoint()
		case u.paint(value):
			refers, this.passes = true, this.passes || inherited[name]
		case styled[name] && fromElsewhere.MatchString(value):
			refers = true
		}
	}
	u.elements = append(u.elements, this)
	if this.passes {
		u.passing++
	}
	if refers || u.passing > 0 {
		u.tell()
	}
	if len(u.named) > maxNamed || len(u.uses) > maxUses || len(u.painted) > maxUses {
		return found(RuleTooComplex, "it draws more than %d elements again, or has more than %d with a name", maxUses, maxNamed)
	}
	return nil
}

func (u *svgUses) hash(name string) uint64 { return max(1, maphash.String(u.seed, name)) }

// bytesDrawn of a path or of a text count as another element: a path of a megabyte,
// drawn ten thousand times, is more than any reader draws.
const bytesDrawn = 1024

func (u *svgUses) weigh(bytes int) { u.drawn += int64(bytes / bytesDrawn) }

// link notes what an element names, and reports whether it draws that.
func (u *svgUses) link(element, address string) bool {
	switch element {
	case "use", "image":
		for _, place := range u.places(strings.TrimPrefix(browserTrim(address), "#")) {
			u.uses[place]++
		}
		return true
	case "pattern", "linearGradient", "radialGradient": // has the content of the other
		for _, place := range u.places(strings.TrimPrefix(browserTrim(address), "#")) {
			u.painted[place] = true
		}
	}
	return false // the line of a text
}

// paint notes what a style refers to, and reports whether there was any.
func (u *svgUses) paint(style string) bool {
	if !strings.Contains(style, "(") {
		return false
	}
	refers := false
	for len(u.painted) <= maxUses { // there can be millions of them
		at := localPlace.FindStringSubmatchIndex(style)
		if at == nil {
			break
		}
		refers = true
		for _, place := range u.places(style[at[2]:at[3]]) {
			u.painted[place] = true
		}
		style = style[at[1]:]
	}
	return refers
}

// places are both spellings of a place in the document that browsers try.
func (u *svgUses) places(name string) []uint64 {
	name = strings.TrimRight(name, " \t\r\n\f")
	all := []uint64{u.hash(name)}
	if plain, err := url.PathUnescape(name); err == nil && plain != name {
		all = append(all, u.hash(plain))
	}
	return all
}

// tell notes the open elements that are not noted yet: the outer ones are.
func (u *svgUses) tell() {
	for _, each := range u.elements[u.told:] {
		if each.id != 0 {
			u.named[each.id] = namedElement{size: u.named[each.id].size, holds: true}
		}
	}
	u.told = len(u.elements)
}

// close leaves the innermost element.
func (u *svgUses) close() {
	last := u.elements[len(u.elements)-1]
	u.elements = u.elements[:len(u.elements)-1]
	u.told = min(u.told, len(u.elements))
	if last.passes {
		u.passing--
	}
	if size := u.drawn - last.first + 1; last.id != 0 && size > 1 {
		before := u.named[last.id] // of another one with this name
		u.named[last.id] = namedElement{size: max(size, before.size), holds: before.holds}
	}
}

func (u *svgUses) end() error {
	drawn, tile := u.drawn, int64(1)
	for id, times := range u.uses {
		if u.named[id].holds {
			return drawsAgain()
		}
		drawn += times * max(1, u.named[id].size)
	}
	for id := range u.painted {
		if u.named[id].holds {
			return drawsAgain()
		}
		tile = max(tile, u.named[id].size)
	}
	if drawn > maxDrawn/tile {
		return found(RuleTooComplex, "with all that is drawn again it may have more than %d elements: write a picture", maxDrawn)
	}
	return nil
}

func drawsAgain() error {
	return found(RuleTooComplex, "what it draws again draws something again itself, so that few bytes become many drawings: write a picture")
}
