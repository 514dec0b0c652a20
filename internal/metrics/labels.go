package metrics

import (
	"slices"
	"sync"
)

const (
	none  = "none"  // there is no such thing
	other = "other" // what is on no list
)

// closed is all that a label can be, but for none and other.
type closed []string

func (c closed) label(value string) string {
	switch {
	case value == "":
		return none
	case slices.Contains(c, value):
		return value
	default:
		return other
	}
}

// grown is a list that comes together from names that somebody else has checked: the
// policies of the administrator, by which runs were accepted. It stays short.
type grown struct {
	mu    sync.Mutex
	names map[string]bool
}

const maxGrown = 64

func newGrown() *grown { return &grown{names: map[string]bool{}} }

func (g *grown) label(value string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case value == "":
		return none
	case g.names[value]:
		return value
	case len(g.names) >= maxGrown:
		return other
	}
	g.names[value] = true
	return value
}
