package disclosure

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"hotcell/internal/identifiers"
)

const (
	least   = 5 // bytes of a value that names somebody: shorter ones, such as 7, stand anywhere
	longest = 256
	maxKept = 4_000_000 // values that name persons: 32 MB of hashes
)

// Names are the values by which the data names persons, as hashes. It is made once for a bundle
// and may be used by several at once.
type Names struct {
	seed    maphash.Seed
	hashes  []uint64 // sorted, each once: of the values, and of their words
	lengths uint     // bits: how many words there are
	lost    bool     // there were more
}

// NewNames reads the columns that name persons. It returns nil where there are none.
func NewNames(ctx context.Context, data []Table) (*Names, error) {
	names := &Names{seed: maphash.MakeSeed()}
	found := false
	for _, table := range data {
		var columns []int
		for at, column := range table.Columns {
			if column.Kind == Identifier {
				columns = append(columns, at)
			}
		}
		if len(columns) == 0 {
			continue
		}
		found = true
		if err := table.Rows(ctx, columns, names.row); err != nil && !errors.Is(err, errKept) {
			return nil, fmt.Errorf("read the values that name persons: %w", err)
		}
		names.compact()
	}
	if !found {
		return nil, nil
	}
	return names, nil
}

var errKept = errors.New("as many as are kept")

func (n *Names) row(cells [][]byte) error {
	for _, cell := range cells {
		cell = identifiers.Visible(cell)
		if len(cell) >= least && len(cell) <= longest {
			n.add(cell)
		}
	}
	if len(n.hashes) < 2*maxKept {
		return nil
	}
	if n.compact(); len(n.hashes) > maxKept {
		n.hashes, n.lost = n.hashes[:maxKept], true
		return errKept
	}
	return nil
}

func (n *Names) compact() {
	slices.Sort(n.hashes)
	n.hashes = slices.Compact(n.hashes)
}

// cell looks whether a value of the output names somebody, or a part of it does.
func (l *looker) cell(text string) {
	if l.options.Names == nil || len(text) < least {
		return
	}
	text = identifiers.Visible(unescaped(text))
	l.phrases(text)
	l.one(text)
	l.inGroups(text)
	if strings.IndexFunc(text, breaks) < 0 {
		return
	}
	for piece := range strings.FieldsFuncSeq(text, breaks) {
		l.one(strings.Trim(piece, "."))
	}
}

// groups of digits, as {:,} and {:_} print a number.
var grouped = regexp.MustCompile(`\b[1-9]\d{0,2}(?:(?:,\d{3})+|(?:_\d{3})+)\b`)

func (l *looker) inGroups(text string) {
	if !strings.ContainsAny(text, ",_") {
		return
	}
	for _, number := range grouped.FindAllString(text, -1) {
		l.one(strings.NewReplacer(",", "", "_", "").Replace(number))
	}
}

// breaks tells what stands between an identifier and other words.
func breaks(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("=:/,#|;\"'`()[]{}<>!?&+*", r)
}

// one looks whether a value names somebody that is no phrase.
func (l *looker) one(text string) {
	if len(text) < least || len(text) > longest {
		return
	}
	if text = value(text); len(text) < least {
		return
	}
	names := l.persons()
	if names == nil {
		return
	}
	if hash := maphash.String(names.seed, text); !names.has(hash) || !l.first(hash) {
		return
	}
	if strings.Trim(text, "0123456789.-") == "" && len(text) < 8 {
		l.many[l.at]++ // another number may be the same
		if l.many[l.at] == l.options.Criteria.CopiedRows {
			l.identifies(l.many[l.at])
		} else if l.many[l.at] > l.options.Criteria.CopiedRows {
			l.identifies(1)
		}
		return
	}
	l.identifies(1)
}

func (n *Names) has(hash uint64) bool {
	_, there := slices.BinarySearch(n.hashes, hash)
	return there
}

// first notes that a value names somebody in this part: each counts once in it.
func (l *looker) first(hash uint64) bool {
	key := nameIn{hash, l.at}
	if l.met[key] || len(l.met) == maxHashes {
		return false
	}
	l.met[key] = true
	return true
}

// persons asks for the names once.
func (l *looker) persons() *Names {
	if !l.asked {
		l.asked = true
		names, err := l.options.Names(l.ctx)
		l.names = names
		l.fail(err)
	}
	return l.names
}

// fail notes that what was asked for could not be had. A later answer takes nothing of that
// back: what was not looked for may stand in the part.
func (l *looker) fail(err error) { l.failed = errors.Join(l.failed, err) }

func (l *looker) identifies(times int64) {
	l.find(RuleIdentifierValues, 0, 0, times, "values of a column stand in it that the bundle marks as an identifier")
}
