package parse

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hotcell/internal/source"
)

// sheetTable makes a table of one sheet: the first row that has a cell has the names.
type sheetTable struct {
	book *workbook
	sheet
	to      *source.Frames
	begun   bool
	rows    *rows
	columns []sheetColumn
	unshown [][2]int // columns that are hidden, from 1
	row     int      // the row that is read, from 1
	unseen  int64    // rows that are hidden
	first   int      // the row of names
	last    int      // the last row with a cell
}

func (s *sheetTable) read() error {
	part, err := s.book.part(s.part, source.MaxBytes)
	if err != nil {
		return err
	}
	defer part.Close()
	decoder, inData, isBehind := newXML(part), false, false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return s.end()
		}
		if err != nil {
			return fmt.Errorf("it is no XLSX file: %w", err)
		}
		if end, is := token.(xml.EndElement); is && end.Name.Local == "sheetData" {
			inData, isBehind = false, true
		}
		start, is := token.(xml.StartElement)
		if !is {
			continue
		}
		if inData && start.Name.Local != "row" {
			return fmt.Errorf("it is no XLSX file: its rows have the element %.40q among them: save the workbook again in a spreadsheet program", start.Name.Local)
		}
		switch name := start.Name.Local; name {
		case "sheetData":
			inData = true
		case "col":
			err = errors.Join(s.column(start), misplaced(name, isBehind, "behind"))
		case "row":
			err = s.oneRow(decoder, start)
		case "mergeCell":
			err = errors.Join(misplaced(name, !isBehind, "before"), s.merged(attribute(start, "ref")))
		}
		if err != nil {
			return err
		}
	}
}

// misplaced refuses what is read where its rows are not known yet, or are already.
func misplaced(name string, is bool, where string) error {
	if is {
		return fmt.Errorf("it is no XLSX file: its %q stands %s its rows: save the workbook again in a spreadsheet program", name, where)
	}
	return nil
}

func attribute(of xml.StartElement, name string) string {
	for _, one := range of.Attr {
		if one.Name.Local == name {
			return one.Value
		}
	}
	return ""
}

func isTrue(text string) bool { return text == "1" || text == "true" }

func (s *sheetTable) column(start xml.StartElement) error {
	if !isTrue(attribute(start, "hidden")) {
		return nil
	}
	first, err := strconv.Atoi(attribute(start, "min"))
	last, errLast := strconv.Atoi(attribute(start, "max"))
	if err = errors.Join(err, errLast); err != nil || len(s.unshown) > lastColumn {
		return errors.New("it is no XLSX file: its columns have no numbers")
	}
	s.unshown = append(s.unshown, [2]int{first, last})
	return nil
}

// merged refuses cells of which all but the first would be missing. Above, below and beside a
// table nothing has a value, or it was refused.
func (s *sheetTable) merged(ref string) error {
	first, last, is := strings.Cut(ref, ":")
	if !is || first == last {
		return nil
	}
	left, top, err := address(first)
	right, bottom, errLast := address(last)
	if err = errors.Join(err, errLast); err != nil {
		return err
	}
	isNamed := false
	for at, column := range s.columns {
		isNamed = isNamed || column.place > 0 && min(left, right) <= at+1 && at+1 <= max(left, right)
	}
	if isNamed && min(top, bottom) <= s.last && max(top, bottom) >= s.first {
		return fmt.Errorf("the cells %.20s are merged, and only the first of them has a value: separate them, and write each value that is meant", ref)
	}
	return nil
}

// oneRow reads the cells of a row.
func (s *sheetTable) oneRow(decoder *xml.Decoder, start xml.StartElement) error {
	number := s.row + 1
	if said := attribute(start, "r"); said != "" {
		var err error
		if number, err = strconv.Atoi(said); err != nil {
			return errors.New("it is no XLSX file: a row has no number")
		}
	}
	if number <= s.row || number > lastRow {
		return fmt.Errorf("it is no XLSX file: row %d is behind row %d", number, s.row)
	}
	s.row = number
	cells, err := s.cells(decoder)
	if err != nil {
		return err
	}
	if len(cells) == 0 {
		return nil
	}
	if !s.begun {
		s.first, s.last = number, number
		return s.begin(cells)
	}
	if s.last+1 != number {
		return fmt.Errorf("row %d is empty, and there are rows behind it: remove it", s.last+1)
	}
	s.last = number
	if isTrue(attribute(start, "hidden")) {
		s.unseen++
	}
	return s.values(cells)
}

// cells are those of a row that have something in them.
func (s *sheetTable) cells(decoder *xml.Decoder) ([]sheetCell, error) {
	var found []sheetCell
	at := 0
	for {
		token, err := decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("it is no XLSX file: %w", err)
		}
		switch one := token.(type) {
		case xml.EndElement:
			return found, nil
		case xml.StartElement:
			if one.Name.Local == "extLst" {
				if err := decoder.Skip(); err != nil {
					return nil, fmt.Errorf("it is no XLSX file: %w", err)
				}
				continue
			}
			if one.Name.Local != "c" {
				return nil, fmt.Errorf("it is no XLSX file: row %d has the element %.40q behind column %d, of which programs show one thing or another: "+
					"save the workbook again in a spreadsheet program", s.row, one.Name.Local, at)
			}
			cell := sheetCell{column: at + 1, row: s.row, kind: attribute(one, "t")} // style 0 without another (ECMA-376 part 1, 18.3.1.4)
			if err := cell.read(decoder, one); err != nil {
				return nil, fmt.Errorf("cell %s: %w", cell.name(), err)
			}
			if cell.style < 0 || cell.style >= max(1, len(s.book.styles)) {
				return nil, fmt.Errorf("it is no XLSX file: cell %s has the style %d, and there are %d", cell.name(), cell.style, len(s.book.styles))
			}
			if cell.column <= at || cell.column > lastColumn {
				return nil, fmt.Errorf("it is no XLSX file: cell %s is out of its order", cell.name())
			}
			at = cell.column
			if !cell.isEmpty() {
				found = append(found, cell)
			}
		}
	}
}

// begin takes a row for the names of columns.
func (s *sheetTable) begin(cells []sheetCell) error {
	width := cells[len(cells)-1].column
	s.columns = make([]sheetColumn, width)
	var names []string
	for _, cell := range cells {
		name, err := s.nameIn(cell)
		if err != nil {
			return fmt.Errorf("cell %s: %w", cell.name(), err)
		}
		s.columns[cell.column-1] = sheetColumn{name: name, place: len(names) + 1, hidden: s.isHidden(cell.column)}
		names = append(names, name)
	}
	if err := s.to.Table(s.name); err != nil {
		return err
	}
	var err error
	s.rows, err = newRows(s.to, names)
	s.begun = true
	return err
}

func (s *sheetTable) isHidden(column int) bool {
	for _, each := range s.unshown {
		if each[0] <= column && column <= each[1] {
			return true
		}
	}
	return false
}

func (s *sheetTable) values(cells []sheetCell) error {
	values := make([][]byte, len(s.rows.names))
	for _, cell := range cells {
		if cell.column > len(s.columns) || s.columns[cell.column-1].place == 0 {
			return fmt.Errorf("cell %s has a value, and its column has no name: the first row of a sheet names its columns, and nothing stands above or beside them", cell.name())
		}
		of := &s.columns[cell.column-1]
		value, err := s.value(cell, of)
		if err != nil {
			return fmt.Errorf("cell %s %w", cell.name(), err)
		}
		values[of.place-1] = value
	}
	return s.rows.row(values)
}

func (s *sheetTable) end() error {
	if !s.begun {
		return nil
	}
	if s.rows.count == 0 {
		return errors.New("it has a row of names and no row of values: write them below it, or remove the sheet")
	}
	var columns []source.Column
	for _, one := range s.columns {
		if one.place > 0 {
			columns = append(columns, one.told())
		}
	}
	var notes []string
	if s.unseen > 0 {
		notes = append(notes, fmt.Sprintf("rows that are hidden are in the table: %d", s.unseen))
	}
	if s.hidden {
		notes = append(notes, "the sheet is hidden")
	}
	notes, s.book.notes = append(notes, s.book.notes...), nil
	return s.to.Columns(columns, notes...)
}

// address reads A1 as column and row, from 1.
func address(text string) (column, row int, err error) {
	letters := 0
	for letters < len(text) && text[letters] >= 'A' && text[letters] <= 'Z' && letters < 4 {
		column = 26*column + int(text[letters]-'A') + 1
		letters++
	}
	row, err = strconv.Atoi(text[letters:])
	if err != nil || letters == 0 || row < 1 {
		return 0, 0, fmt.Errorf("it is no XLSX file: %.20q is no address of a cell", text)
	}
	return column, row, nil
}
