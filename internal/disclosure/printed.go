package disclosure

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// printed looks at a text for counts as people and pandas print them, and for values of the
// data's.
func (l *looker) printed(_ context.Context, from io.Reader) error {
	text := newPrinted(l)
	err := eachPiece(from, text.line)
	text.end()
	return err
}

func newPrinted(l *looker) *printedReader { return &printedReader{l: l, frames: newFrames(l)} }

func (p *printedReader) end() {
	p.endTable()
	p.frames.end()
}

type printedReader struct {
	l *looker

	heads, extremes []int // where the columns end that count, or are least and greatest values, in a table as pandas prints it

	small, first int64 // of lines that end with a whole number: a series, if its end says so

	table  *grid // of Markdown
	frames *frames
}

// said are counts in a sentence: n = 7, N=7, (n: 7).
var said = regexp.MustCompile(`\b[nN]\s?[=:]\s?(\d{1,9})\b`)

func (p *printedReader) line(number int64, piece []byte) {
	trimmed := bytes.TrimSpace(piece)
	if bytes.HasPrefix(trimmed, []byte("|")) {
		p.markdown(piece)
		return
	}
	if p.table != nil && len(trimmed) > 0 && len(bytes.Trim(trimmed, "+-=")) == 0 {
		return // between the rows of a table with lines
	}
	p.endTable()
	p.words(number, piece)
	tokens := tokensOf(piece)
	p.series(number, piece, tokens)
	p.aligned(number, tokens)
}

// words looks at a line for all but counts by the place that they stand in.
func (p *printedReader) words(number int64, piece []byte) {
	p.frames.line(number, string(piece))
	p.l.cell(string(piece))
	var counts []int64
	for _, found := range said.FindAllSubmatch(piece, -1) {
		if count, err := strconv.ParseInt(string(found[1]), 10, 64); err == nil {
			counts = append(counts, count)
		}
	}
	if bytes.Contains(piece, []byte("%")) {
		counts = append(counts, sharesIn(piece)...)
	}
	for _, count := range counts {
		if count < p.l.options.Criteria.MinCell {
			p.l.find(RuleSmallCell, number, 0, 1, "a count is below %d", p.l.options.Criteria.MinCell)
		}
	}
}

// token is a word and where it ends.
type token struct {
	text string
	end  int
}

func tokensOf(piece []byte) []token {
	var all []token
	for at := 0; at < len(piece); {
		if piece[at] == ' ' || piece[at] == '\t' {
			at++
			continue
		}
		end := at
		for end < len(piece) && piece[end] != ' ' && piece[end] != '\t' {
			end++
		}
		all = append(all, token{string(piece[at:end]), end})
		at = end
	}
	return all
}

// series takes lines that end with a whole number for counts once "dtype: int64" comes, as
// value_counts and size print.
func (p *printedReader) series(number int64, piece []byte, tokens []token) {
	if bytes.Contains(piece, []byte("dtype: int")) {
		if p.small > 0 {
			p.l.find(RuleSmallCell, p.first, 0, p.small, "a count is below %d", p.l.options.Criteria.MinCell)
		}
		p.small, p.first = 0, 0
		return
	}
	if len(tokens) < 2 {
		p.small, p.first = 0, 0
		return
	}
	count, ok := whole(tokens[len(tokens)-1].text)
	switch {
	case !ok:
		p.small, p.first = 0, 0
	case count >= 0 && count < p.l.options.Criteria.MinCell:
		if p.small++; p.first == 0 {
			p.first = number
		}
	}
}

// aligned follows the columns of a table as pandas prints one: numbers end where their names do.
func (p *printedReader) aligned(number int64, tokens []token) {
	if len(tokens) == 0 {
		p.heads, p.extremes = nil, nil
		return
	}
	names, extremes, numbers := []int(nil), []int(nil), false
	for _, each := range tokens {
		if _, ok := whole(each.text); ok {
			numbers = true
		}
		if isCount(each.text) {
			names = append(names, each.end)
		}
		if isExtreme(each.text) {
			extremes = append(extremes, each.end)
		}
		kind, known := p.l.columns[normal(each.text)]
		if known && kind == Identifier {
			p.l.named(kind, known, number, 0)
		}
	}
	if len(names) > 0 && !numbers {
		p.heads, p.extremes = names, extremes
		return
	}
	p.extreme(number, tokens)
	for _, each := range tokens {
		count, ok := whole(each.text)
		if !ok || count < 0 || count >= p.l.options.Criteria.MinCell {
			continue
		}
		for _, end := range p.heads {
			if end == each.end || isCount(tokens[0].text) {
				p.l.find(RuleSmallCell, number, 0, 1, "a count is below %d", p.l.options.Criteria.MinCell)
				break
			}
		}
	}
}

// extreme looks for numbers under the names of least and greatest values.
func (p *printedReader) extreme(number int64, tokens []token) {
	if len(p.extremes) == 0 {
		return
	}
	for _, each := range tokens {
		if _, err := strconv.ParseFloat(each.text, 64); err == nil && slices.Contains(p.extremes, each.end) {
			p.l.find(RuleExtreme, number, 0, 1, extremeMessage)
		}
	}
}

// markdown takes a row of a table between bars.
func (p *printedReader) markdown(piece []byte) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(string(piece)), "|"), "|")
	rule := true
	for at := range cells {
		cells[at] = strings.TrimSpace(cells[at])
		rule = rule && strings.Trim(cells[at], "-:+=") == ""
	}
	switch {
	case p.table == nil:
		p.table = p.l.newGrid()
		p.table.header(cells)
	case !rule:
		p.table.row(cells)
	}
}

func (p *printedReader) endTable() {
	if p.table != nil {
		p.table.end()
	}
	p.table = nil
}
