package parse

import (
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hotcell/internal/source"
)

// sheetCell is a cell as it is stored.
type sheetCell struct {
	column, row int // from 1
	kind        string
	style       int
	value       string // as it is written in the file
	inline      string
	hasValue    bool
	hasInline   bool
	isFormula   bool
}

func (c sheetCell) isEmpty() bool { return !c.hasValue && !c.hasInline && !c.isFormula }

// name is that which a person sees: B3.
func (c sheetCell) name() string {
	letters := ""
	for left := c.column; left > 0; left = (left - 1) / 26 {
		letters = string(rune('A'+(left-1)%26)) + letters
	}
	return letters + strconv.Itoa(c.row)
}

func (c *sheetCell) read(decoder *xml.Decoder, start xml.StartElement) (err error) {
	if ref := attribute(start, "r"); ref != "" {
		column, row, err := address(ref)
		if err != nil {
			return err
		}
		if c.column = column; row != c.row {
			return fmt.Errorf("it is no XLSX file: it is in row %d", c.row)
		}
	}
	if said := attribute(start, "s"); said != "" {
		if c.style, err = strconv.Atoi(said); err != nil {
			return errors.New("it is no XLSX file: its style is no number")
		}
	}
	for {
		token, err := decoder.Token()
		if err != nil {
			return fmt.Errorf("it is no XLSX file: %w", err)
		}
		switch one := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			switch one.Name.Local {
			case "v":
				c.hasValue = true
				c.value, err = characters(decoder)
			case "is":
				c.hasInline = true
				c.inline, err = readText(decoder)
			default:
				c.isFormula = c.isFormula || one.Name.Local == "f"
				err = decoder.Skip()
			}
			if err != nil {
				return fmt.Errorf("it is no XLSX file: %w", err)
			}
		}
	}
}

// sheetColumn is what is known of a column.
type sheetColumn struct {
	name      string
	place     int // among the columns that have a name, from 1; 0 for none
	hidden    bool
	dates     int64
	times     int64 // with a date
	others    int64
	formulas  int64
	durations string // the first cell of each kind
	zeros     string
	long      string
}

// told is what a person is to know of it.
func (c sheetColumn) told() source.Column {
	made := source.Column{Name: c.name}
	switch {
	case c.others == 0 && c.dates > 0 && c.times == 0:
		made.Type = "date"
	case c.others == 0 && c.times > 0 && c.dates == 0:
		made.Type = "datetime"
	}
	var notes []string
	for _, one := range []struct {
		is   bool
		note string
	}{
		{c.hidden, "the column is hidden in the sheet"},
		{c.formulas > 0, fmt.Sprintf("%d formulas, as they were computed last", c.formulas)},
		{c.dates > 0 && c.times > 0, "days with and without a time"},
		{c.durations != "", "shown as a time beyond a day, stored as a number of days (" + c.durations + ")"},
		{c.zeros != "", "shown with zeros in front that are not stored (" + c.zeros + ")"},
		{c.long != "", "Excel keeps 15 digits of a number, this one has more (" + c.long + ")"},
	} {
		if one.is {
			notes = append(notes, one.note)
		}
	}
	made.Note = strings.Join(notes, "; ")
	return made
}

// nameIn reads a cell as the name of a column.
func (s *sheetTable) nameIn(cell sheetCell) (string, error) {
	switch cell.kind {
	case "", "n":
		return cell.value, nil
	case "s", "str", "inlineStr":
		return s.textOf(cell)
	}
	return "", errors.New("it is to name a column, and is no text")
}

func (s *sheetTable) textOf(cell sheetCell) (string, error) {
	switch {
	case cell.kind == "inlineStr" || cell.hasInline:
		return cell.inline, nil
	case cell.kind == "str":
		return unescaped(cell.value), nil
	}
	index, err := strconv.Atoi(cell.value)
	if err != nil || index < 0 || index >= len(s.book.texts) {
		return "", errors.New("it is no XLSX file: its text is missing")
	}
	return s.book.texts[index], nil
}

// value makes JSON of a cell.
func (s *sheetTable) value(cell sheetCell, of *sheetColumn) ([]byte, error) {
	if cell.isFormula {
		of.formulas++
		if !cell.hasValue {
			return nil, errors.New("has a formula without a value: open the workbook in a spreadsheet program, which computes it, and save it")
		}
	}
	switch cell.kind {
	case "", "n":
		if cell.value == "" {
			return nil, nil
		}
		return s.number(cell, of)
	case "s", "str", "inlineStr":
		of.others++
		value, err := s.textOf(cell)
		if err != nil {
			return nil, err
		}
		return text(value)
	case "b":
		of.others++
		if cell.value != "0" && cell.value != "1" {
			return nil, errors.New("is neither true nor false")
		}
		return strconv.AppendBool(nil, cell.value == "1"), nil
	case "d":
		of.others++
		return text(cell.value)
	case "e":
		if slices.Contains(s.book.order.Missing[""], cell.value) || slices.Contains(s.book.order.Missing[of.name], cell.value) {
			return nil, nil
		}
		return nil, fmt.Errorf("has the error %.20s: mend it, or say that it means missing (--missing '%.20s')", cell.value, cell.value)
	}
	return nil, fmt.Errorf("has a value of the unknown kind %.20q", cell.kind)
}

var (
	number = regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$`)
	digits = regexp.MustCompile(`^-?\d{16,}$`)
)

// number makes JSON of a number, or of what its format says that it is.
func (s *sheetTable) number(cell sheetCell, of *sheetColumn) ([]byte, error) {
	value, err := strconv.ParseFloat(cell.value, 64)
	if err != nil || !number.MatchString(cell.value) {
		return nil, errors.New("is no number")
	}
	as := s.book.styles.of(cell.style)
	if as == asDate || as == asDatetime || as == asTime {
		written, is, err := s.book.moment(value, as)
		if err != nil {
			return nil, err
		}
		switch is {
		case asDate:
			of.dates++
		case asDatetime:
			of.times++
		default:
			of.others++
		}
		if is != asDuration {
			return text(written)
		}
		as = is
	} else {
		of.others++
	}
	first := func(of *string) {
		if *of == "" {
			*of = cell.name()
		}
	}
	switch as {
	case asDuration:
		first(&of.durations)
	case asZeros:
		first(&of.zeros)
	default:
	}
	if digits.MatchString(cell.value) {
		first(&of.long)
	}
	return []byte(cell.value), nil
}
