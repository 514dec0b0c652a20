package parse

import (
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hotcell/internal/source"
	"hotcell/internal/table"
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

// isBlank tells a cell without a value, or with an empty one, which only a text can be: programs
// that compute nothing write that beside a formula.
func (c sheetCell) isBlank() bool { return !c.hasValue || c.value == "" && c.kind != "str" }

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
	if !slices.Contains(kinds, c.kind) {
		return fmt.Errorf("it is no XLSX file: its kind %.20q is unknown", c.kind)
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
			if err := c.part(decoder, one.Name.Local); err != nil {
				return fmt.Errorf("it is no XLSX file: %w", err)
			}
		}
	}
}

// kinds are what a cell can be (ST_CellType).
var kinds = []string{"", "n", "s", "str", "inlineStr", "b", "d", "e"}

// part reads an element of the cell. There is one that has what the cell's kind says, or none:
// of two, programs show the one or the other.
func (c *sheetCell) part(decoder *xml.Decoder, name string) (err error) {
	switch {
	case name == "v" && c.kind != "inlineStr" && !c.hasValue:
		c.hasValue = true
		c.value, err = characters(decoder)
		return err
	case name == "is" && c.kind == "inlineStr" && !c.hasInline:
		c.hasInline = true
		c.inline, err = readText(decoder)
		return err
	case name == "f" && !c.isFormula:
		c.isFormula = true
		return decoder.Skip()
	case name == "extLst":
		return decoder.Skip()
	}
	return fmt.Errorf("a cell of the kind %q has the element %.40q, twice or where its value is another: save the workbook again in a spreadsheet program", c.kind, name)
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
	noDays    int64    // that mean missing
	met       []string // their numbers, each once
	durations string   // the first cell of each kind
	zeros     string
	long      string
}

// told is what a person is to know of it.
func (c sheetColumn) told() source.Column {
	made := source.Column{Name: c.name, Met: c.met}
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
		{c.noDays > 0, fmt.Sprintf("days that are none, and missing: %d", c.noDays)},
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

// nameIn reads a cell as the name of a column. A number there is a value, as it looks, of a
// sheet without a row of names.
func (s *sheetTable) nameIn(cell sheetCell) (name string, err error) {
	isNumber := (cell.kind == "" || cell.kind == "n") && !s.book.styles.of(cell.style).isMoment()
	switch {
	case isNumber && s.book.order.IsHeader(s.name):
		name = cell.value
	case isNumber:
		return "", errors.New("it is to name a column, and is a number: put a row of names above it, or say that it has the names (`--header FILE`)")
	case cell.kind == "s" || cell.kind == "str" || cell.kind == "inlineStr":
		if name, err = s.textOf(cell); err != nil {
			return "", err
		}
	default:
		return "", errors.New("it is to name a column, and is a date, a boolean or an error: put a row of names above it, or write it as a text")
	}
	if strings.TrimSpace(name) == "" {
		return "", errors.New("it is to name a column, and is blank: write a name, or leave its column empty")
	}
	if problem := table.NameProblem(name); problem != "" {
		return "", fmt.Errorf("it is to name a column, and %s: rename it", problem)
	}
	return name, nil
}

func (s *sheetTable) textOf(cell sheetCell) (string, error) {
	switch cell.kind {
	case "inlineStr":
		return cell.inline, nil
	case "str":
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
		if !cell.hasInline && cell.isBlank() {
			return nil, errors.New("has a formula without a value: open the workbook in a spreadsheet program, which computes it, and save it")
		}
	}
	switch cell.kind {
	case "", "n":
		if cell.isBlank() {
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
		if cell.isBlank() {
			return nil, nil
		}
		of.others++
		return text(cell.value)
	case "e":
		if cell.isBlank() {
			return nil, errors.New("has an error that is not said: mend it")
		}
		if s.isMissing(cell, of) {
			return nil, nil
		}
		return nil, fmt.Errorf("has the error %.20s: mend it, or say that it means missing (--missing '%.20s')", cell.value, cell.value)
	}
	return nil, fmt.Errorf("has a value of the unknown kind %.20q", cell.kind)
}

// isMissing reports whether a person says that what a cell has means missing.
func (s *sheetTable) isMissing(cell sheetCell, of *sheetColumn) bool {
	return slices.Contains(s.book.order.Missing[""], cell.value) || slices.Contains(s.book.order.Missing[of.name], cell.value)
}

// noDay keeps a number that no day has, as it is not in the table.
func (c *sheetColumn) noDay(number string) {
	if c.noDays++; !slices.Contains(c.met, number) {
		c.met = append(c.met, number)
	}
}

var (
	number = regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$`)
)

// tooLong is the first number of 16 digits, also where it is stored with an exponent.
const tooLong = 1e15

// number makes JSON of a number, or of what its format says that it is.
func (s *sheetTable) number(cell sheetCell, of *sheetColumn) ([]byte, error) {
	value, err := strconv.ParseFloat(cell.value, 64)
	if err != nil || !number.MatchString(cell.value) {
		return nil, errors.New("is no number")
	}
	as := s.book.styles.of(cell.style)
	if as.isMoment() {
		written, is, err := s.book.moment(value, doubt(cell.value), as)
		if err != nil && s.isMissing(cell, of) {
			of.noDay(cell.value)
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w, or say that it means missing (`--missing 'FILE.xlsx:%.60s=%.20s'`)", err, of.name, cell.value)
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
	if math.Abs(value) >= tooLong {
		first(&of.long)
	}
	return []byte(cell.value), nil
}
