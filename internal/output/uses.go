package output

import (
	"encoding/xml"
	"hash/maphash"
	"net/url"
	"strings"
)

// maxUses is how many elements may be drawn again, and how many of those that have an
// id may hold what draws another again.
const maxUses = 200_000

// svgUses finds drawings that grow at the reader: where what is drawn again (use) draws
// something again itself, ten levels of two hundred bytes are ten thousand million
// paths. Names are kept as hashes, by a seed that nobody knows.
type svgUses struct {
	seed   maphash.Seed
	ids    []uint64        // of the elements that are open, 0 for none
	told   int             // how many of them are in holds
	holds  map[uint64]bool // elements in which there is a use
	target map[uint64]bool // elements that are drawn again
}

// open enters an element.
func (u *svgUses) open(element xml.StartElement) error {
	if u.holds == nil {
		u.seed, u.holds, u.target = maphash.MakeSeed(), map[uint64]bool{}, map[uint64]bool{}
	}
	id := uint64(0)
	for _, attribute := range element.Attr {
		name, value := strings.ToLower(attribute.Name.Local), attribute.Value
		switch {
		case name == "id":
			id = u.hash(value)
		case name == "href" && element.Name.Local == "use":
			u.refer(value)
		}
	}
	u.ids = append(u.ids, id)
	if element.Name.Local == "use" {
		u.tell()
	}
	if len(u.holds) > maxUses || len(u.target) > maxUses {
		return found(RuleTooComplex, "it draws more than %d elements again", maxUses)
	}
	return nil
}

func (u *svgUses) hash(name string) uint64 { return max(1, maphash.String(u.seed, name)) }

// refer notes a place in the document in both spellings that browsers try.
func (u *svgUses) refer(address string) {
	place := strings.TrimPrefix(browserTrim(address), "#")
	u.target[u.hash(place)] = true
	if plain, err := url.PathUnescape(place); err == nil {
		u.target[u.hash(plain)] = true
	}
}

// tell notes the open elements that are not noted yet: the outer ones are.
func (u *svgUses) tell() {
	for _, id := range u.ids[u.told:] {
		if id != 0 {
			u.holds[id] = true
		}
	}
	u.told = len(u.ids)
}

// close leaves the innermost element.
func (u *svgUses) close() {
	u.ids = u.ids[:len(u.ids)-1]
	u.told = min(u.told, len(u.ids))
}

func (u *svgUses) end() error {
	for id := range u.target {
		if u.holds[id] {
			return found(RuleTooComplex, "what it draws again draws something again itself, so that few bytes become many drawings: write a picture")
		}
	}
	return nil
}
