package prepared

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"hotcell/internal/table"
)

// encoder takes the cells of one column.
type encoder interface {
	add(table.Value) error
	// place writes the column's buffers behind each other, but for one in a block.
	place(*assembly) (Column, error)
}

var errGap = errors.New("a value is missing, for which the dtype has no room")

// naT is how numpy spells a missing instant.
const naT = math.MinInt64

// wide are cells of eight bytes each.
type wide struct {
	field  table.Field
	stream *stream
}

func (w *wide) add(value table.Value) error {
	bits, err := w.bits(value)
	binary.LittleEndian.PutUint64(w.stream.grow(8), bits)
	return err
}

func (w *wide) bits(value table.Value) (uint64, error) {
	switch w.field.Pandas {
	case table.PandasFloat64:
		return w.floatBits(value)
	case table.PandasTime, table.PandasTimeUTC:
		if value.Missing {
			return 1 << 63, nil
		}
		if value.Time == naT {
			return 0, errors.New("the instant is the one that stands for a missing value")
		}
		return uint64(value.Time), nil
	default:
		if value.Missing {
			return 0, errGap
		}
		return uint64(value.Int), nil
	}
}

func (w *wide) floatBits(value table.Value) (uint64, error) {
	number := value.Float
	switch {
	case value.Missing:
		return 0x7ff8000000000000, nil // numpy's own NaN
	case w.field.Type == table.Integer:
		number = float64(value.Int)
		if number >= 1<<63 || int64(number) != value.Int {
			return 0, errors.New("float64 does not hold the integer")
		}
	case math.IsNaN(number):
		return 0, errors.New("the number is NaN and not missing")
	}
	return math.Float64bits(number), nil
}

// place is of the layout instants only: others lie in blocks.
func (w *wide) place(to *assembly) (Column, error) {
	values, err := to.copy(w.stream)
	return Column{Layout: LayoutInstants, Values: values}, err
}

// flags are booleans without gaps.
type flags struct{ stream *stream }

func (f *flags) add(value table.Value) error {
	if value.Missing {
		return errGap
	}
	f.stream.grow(1)[0] = bit(value.Bool)
	return nil
}

func (f *flags) place(*assembly) (Column, error) { return Column{}, nil }

func bit(set bool) byte {
	if set {
		return 1
	}
	return 0
}

// nullable are integers with gaps.
type nullable struct{ values, mask *stream }

func (n *nullable) add(value table.Value) error {
	number := value.Int
	if value.Missing {
		number = 0
	}
	binary.LittleEndian.PutUint64(n.values.grow(8), uint64(number))
	n.mask.grow(1)[0] = bit(value.Missing)
	return nil
}

func (n *nullable) place(to *assembly) (Column, error) {
	values, err := to.copy(n.values)
	if err != nil {
		return Column{}, err
	}
	mask, err := to.copy(n.mask)
	return Column{Layout: LayoutNullable, Values: values, Mask: mask}, err
}

// boolean are booleans with gaps.
type boolean struct{ codes *stream }

func (b *boolean) add(value table.Value) error {
	code := bit(value.Bool)
	if value.Missing {
		code = 2
	}
	b.codes.grow(1)[0] = code
	return nil
}

func (b *boolean) place(to *assembly) (Column, error) {
	codes, err := to.copy(b.codes)
	return Column{Layout: LayoutBoolean, Codes: codes, Width: 1}, err
}

// categories are texts of which all are known before.
type categories struct {
	texts []string
	index map[string]int
	width int
	codes *stream
}

func newCategories(texts []string, codes *stream) *categories {
	index := make(map[string]int, len(texts))
	for at, text := range texts {
		index[text] = at
	}
	width := 1
	switch { // as pandas chooses it
	case len(texts) >= math.MaxInt16:
		width = 4
	case len(texts) >= math.MaxInt8:
		width = 2
	}
	return &categories{texts, index, width, codes}
}

func (c *categories) add(value table.Value) error {
	code := -1
	if !value.Missing {
		var known bool
		if code, known = c.index[string(value.Text)]; !known {
			return errors.New("the text is none of the categories")
		}
	}
	putCode(c.codes.grow(c.width), code)
	return nil
}

// putCode writes the lowest bytes of a code.
func putCode(into []byte, code int) {
	for at := range into {
		into[at] = byte(code >> (8 * at))
	}
}

func (c *categories) place(to *assembly) (Column, error) {
	codes, err := to.copy(c.codes)
	if err != nil {
		return Column{}, err
	}
	texts, err := to.list(c.texts)
	return Column{Layout: LayoutCategories, Codes: codes, Width: c.width, Texts: texts}, err
}

// documents are objects and arrays of JSON.
type documents struct {
	text, lengths, mask *stream
	missing             bool
	compact             bytes.Buffer
}

func (d *documents) add(value table.Value) error {
	text := []byte("null")
	if !value.Missing {
		d.compact.Reset()
		if err := json.Compact(&d.compact, value.Text); err != nil {
			return fmt.Errorf("no JSON: %w", err)
		}
		text = d.compact.Bytes()
	}
	d.missing = d.missing || value.Missing
	d.mask.grow(1)[0] = bit(value.Missing)
	return appendText(d.text, d.lengths, text)
}

func (d *documents) place(to *assembly) (Column, error) {
	texts, err := to.texts('\n', false, lengthsOf(d.text, d.lengths))
	if err != nil {
		return Column{}, err
	}
	mask, err := to.maskOf(d.mask, d.missing)
	return Column{Layout: LayoutJSON, Texts: texts, Mask: mask}, err
}
