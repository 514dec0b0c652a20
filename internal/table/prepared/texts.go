package prepared

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"unicode/utf8"

	"hotcell/internal/strictjson"
	"hotcell/internal/table"
)

// Bounds of the dictionaries of one table. Past them a column keeps each text by itself.
const (
	maxDictionaries = 1 << 20  // texts of all columns: those who take part in the studies that we know are fewer
	maxDictionary   = 32 << 20 // bytes of the texts of all columns
	maxDistinctText = 4096     // bytes of one text: longer ones hardly come twice

	// enoughDistinct is from where on a dictionary has to gain something.
	enoughDistinct = 1 << 18
)

// allowance is what is left for the dictionaries.
type allowance struct {
	texts int
	bytes int
}

// text is a column of strings. As long as few of them differ it keeps codes, and from then
// on the texts.
type text struct {
	spool      *spool
	dictionary []string
	index      map[string]uint32 // nil once too many differ
	left       *allowance
	codes      *stream // uint32 a row, as long as there is a dictionary
	bytes      *stream // and lengths: of all rows, once there is none
	lengths    *stream
	mask       *stream
	missing    bool
	controls   controls
	written    int64 // bytes of all texts
	rows       int64
}

// missingCode is a row's while codes are spooled.
const missingCode = math.MaxUint32

func (t *text) add(value table.Value) error {
	t.rows++
	t.missing = t.missing || value.Missing
	t.mask.grow(1)[0] = bit(value.Missing)
	cell := value.Text
	if value.Missing {
		cell = nil
	}
	if !utf8.Valid(cell) {
		return errors.New("the text is no UTF-8")
	}
	t.controls.look(cell)
	t.written += int64(len(cell))
	if t.index != nil {
		if code, ok := t.code(cell, value.Missing); ok {
			binary.LittleEndian.PutUint32(t.codes.grow(4), code)
			return nil
		}
		if err := t.giveUp(); err != nil {
			return err
		}
	}
	return appendText(t.bytes, t.lengths, cell)
}

// code finds or makes a text's code, unless there is no room for another one.
func (t *text) code(cell []byte, missing bool) (uint32, bool) {
	if missing {
		return missingCode, true
	}
	if code, known := t.index[string(cell)]; known {
		return code, true
	}
	count := len(t.dictionary)
	pointless := count >= enoughDistinct && int64(count) > t.rows/2
	if pointless || t.left.texts == 0 || t.left.bytes < len(cell) || len(cell) > maxDistinctText {
		return 0, false
	}
	t.dictionary = append(t.dictionary, string(cell))
	t.index[t.dictionary[count]] = uint32(count)
	t.left.texts--
	t.left.bytes -= len(cell)
	return uint32(count), true
}

// giveUp makes texts of the codes, and leaves the dictionary's room to other columns.
func (t *text) giveUp() error {
	if err := t.spool.flush(); err != nil {
		return err
	}
	for next := t.decoded(); ; {
		cell, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = appendText(t.bytes, t.lengths, cell)
		}
		if err == nil {
			err = t.spool.trim()
		}
		if err != nil {
			return err
		}
	}
	for _, each := range t.dictionary {
		t.left.texts++
		t.left.bytes += len(each)
	}
	t.dictionary, t.index, t.codes = nil, nil, nil
	return nil
}

func (t *text) place(to *assembly) (Column, error) {
	if t.index != nil && t.gains() {
		return t.placeDictionary(to)
	}
	separator, quoted := t.controls.separator()
	texts, err := to.texts(separator, quoted, t.each())
	if err != nil {
		return Column{}, err
	}
	mask, err := to.maskOf(t.mask, t.missing)
	return Column{Layout: LayoutText, Texts: texts, Mask: mask}, err
}

// gains tells whether the dictionary is the smaller form.
func (t *text) gains() bool {
	size := int64(t.width()) * t.rows
	for _, each := range t.dictionary {
		size += int64(len(each)) + 1
	}
	return size <= t.written+t.rows
}

// width is of codes that have one more for what is missing.
func (t *text) width() int {
	switch {
	case len(t.dictionary) > math.MaxUint16:
		return 4
	case len(t.dictionary) > math.MaxUint8:
		return 2
	default:
		return 1
	}
}

func (t *text) placeDictionary(to *assembly) (Column, error) {
	codes, err := to.narrow(t.codes, t.width(), len(t.dictionary))
	if err != nil {
		return Column{}, err
	}
	texts, err := to.list(t.dictionary)
	return Column{Layout: LayoutDictionary, Codes: codes, Width: t.width(), Texts: texts}, err
}

// each gives the texts of all rows.
func (t *text) each() nextText {
	if t.index == nil {
		return lengthsOf(t.bytes, t.lengths)
	}
	return t.decoded()
}

// decoded gives the texts of all codes.
func (t *text) decoded() nextText {
	codes := t.codes.reader()
	var code [4]byte
	return func() ([]byte, error) {
		if _, err := io.ReadFull(codes, code[:]); err != nil {
			return nil, err //nolint:wrapcheck // io.EOF is meant
		}
		if at := binary.LittleEndian.Uint32(code[:]); at != missingCode {
			return []byte(t.dictionary[at]), nil
		}
		return nil, nil
	}
}

// nextText gives one text after the other, and io.EOF behind the last. A text is good
// until the next call.
type nextText func() ([]byte, error)

func appendText(to, lengths *stream, text []byte) error {
	if int64(len(text)) > math.MaxUint32 {
		return errors.New("the text is longer than 4 GiB")
	}
	binary.LittleEndian.PutUint32(lengths.grow(4), uint32(len(text)))
	to.append(text)
	return nil
}

func lengthsOf(texts, lengths *stream) nextText {
	from, sizes := texts.reader(), lengths.reader()
	var size [4]byte
	var text []byte
	return func() ([]byte, error) {
		if _, err := io.ReadFull(sizes, size[:]); err != nil {
			return nil, err //nolint:wrapcheck // io.EOF is meant
		}
		length := int(binary.LittleEndian.Uint32(size[:]))
		if cap(text) < length {
			text = make([]byte, length)
		}
		text = text[:length]
		_, err := io.ReadFull(from, text)
		return text, err //nolint:wrapcheck // texts says where
	}
}

func listed(texts []string) nextText {
	return func() ([]byte, error) {
		if len(texts) == 0 {
			return nil, io.EOF
		}
		text := texts[0]
		texts = texts[1:]
		return []byte(text), nil
	}
}

// controls are the control characters that some text has in it, a bit each.
type controls uint32

func (c *controls) look(text []byte) {
	for _, each := range text {
		if each < 32 {
			*c |= 1 << each
		}
	}
}

// separator is a control character that no text has in it, or the one between JSON strings.
func (c controls) separator() (separator byte, quoted bool) {
	if free := bits.Len32(uint32(^c)); free > 0 {
		return byte(free - 1), false
	}
	return '\n', true
}

func quote(text []byte) ([]byte, error) {
	quoted, err := strictjson.Encode(string(text))
	if err != nil {
		return nil, fmt.Errorf("quote text: %w", err)
	}
	return quoted, nil
}
