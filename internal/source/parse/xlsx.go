package parse

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"hotcell/internal/source"
)

// Bounds of a workbook.
const (
	maxPart    = 64 << 20  // bytes of a part that is held as a whole, but the texts
	maxTexts   = 512 << 20 // bytes of the texts that cells share
	lastRow    = 1 << 20
	lastColumn = 1 << 14
)

// workbook is an XLSX file (ECMA-376): parts of XML in a ZIP archive.
type workbook struct {
	parts  map[string]*zip.File
	order  source.Order
	sheets []sheet
	texts  []string // that cells share
	styles styles
	is1904 bool // days are counted from 1904
	notes  []string
}

type sheet struct {
	name, part string
	hidden     bool
}

// readWorkbook makes a table of each sheet that a person sees, or of those that were named.
func readWorkbook(from Input, order source.Order, to *source.Frames) error {
	book, err := openWorkbook(from, order)
	if err != nil {
		return err
	}
	made := make(map[string]bool)
	for _, one := range book.sheets {
		if !book.isMeant(one) {
			continue
		}
		table := sheetTable{book: book, sheet: one, to: to}
		if err := table.read(); err != nil {
			return fmt.Errorf("sheet %.40q: %w%s", one.name, err, book.wayOut())
		}
		if table.begun {
			made[one.name] = true
		}
	}
	for _, name := range order.Sheets {
		if !made[name] {
			return fmt.Errorf("it has no sheet %.40q with a row of names and values: its sheets are %s", name, book.names())
		}
	}
	if len(made) == 0 {
		wayOut := ""
		if slices.ContainsFunc(book.sheets, func(one sheet) bool { return one.hidden }) {
			wayOut = "; a hidden one is a table if it is named (`--sheet FILE=NAME`)"
		}
		return fmt.Errorf("no sheet of it has a row of names: its sheets are %s%s", book.names(), wayOut)
	}
	return nil
}

// isMeant reports whether a table is to be made of a sheet.
func (b *workbook) isMeant(one sheet) bool {
	if len(b.order.Sheets) > 0 {
		return slices.Contains(b.order.Sheets, one.name)
	}
	return !one.hidden
}

// wayOut is for a sheet that is refused beside others: a cover sheet is no table.
func (b *workbook) wayOut() string {
	if len(b.order.Sheets) > 0 || len(b.sheets) == 1 {
		return ""
	}
	return "; or, if this sheet is no table, name those that are (`--sheet FILE=NAME` for each)"
}

func (b *workbook) names() string {
	var names []string
	for _, one := range b.sheets {
		name := fmt.Sprintf("%.40q", one.name)
		if one.hidden {
			name += " (hidden)"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

const oleMagic = "\xd0\xcf\x11\xe0"

func openWorkbook(from Input, order source.Order) (*workbook, error) {
	size, err := from.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	magic := make([]byte, len(oleMagic))
	if _, err := from.ReadAt(magic, 0); err == nil && string(magic) == oleMagic {
		return nil, errors.New("it has a password, or is an .xls file: save it as .xlsx without a password, or save its sheets as CSV")
	}
	archive, err := zip.NewReader(from, size)
	if err != nil {
		return nil, fmt.Errorf("it is no XLSX file (%w): save it again, or save its sheets as CSV", err)
	}
	book := &workbook{parts: make(map[string]*zip.File, len(archive.File)), order: order}
	for _, part := range archive.File {
		name := strings.ToLower(strings.TrimPrefix(part.Name, "/"))
		if book.parts[name] != nil {
			return nil, fmt.Errorf("it is no XLSX file: it has the part %.60q twice", part.Name)
		}
		book.parts[name] = part
	}
	return book, book.open()
}

type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
	Mode   string `xml:"TargetMode,attr"`
}

// relations are those of a part, with the parts that they lead to.
func (b *workbook) relations(of string) ([]relation, error) {
	var read struct {
		All []relation `xml:"Relationship"`
	}
	dir, base := path.Split(of)
	if err := b.decode(path.Join(dir, "_rels", base+".rels"), &read); err != nil {
		return nil, err
	}
	for at, one := range read.All {
		if strings.HasPrefix(one.Target, "/") {
			read.All[at].Target = strings.TrimPrefix(path.Clean(one.Target), "/")
		} else {
			read.All[at].Target = path.Join(dir, one.Target)
		}
		_, read.All[at].Type = path.Split(one.Type)
	}
	return read.All, checkRelations(read.All)
}

// checkRelations refuses two of one name, and two parts of which there is one: programs take one
// or the other.
func checkRelations(all []relation) error {
	names, types := make(map[string]bool, len(all)), make(map[string]bool)
	for _, one := range all {
		if names[one.ID] {
			return fmt.Errorf("it is no XLSX file: it has the relation %.20q twice", one.ID)
		}
		if types[one.Type] {
			return fmt.Errorf("it is no XLSX file: two parts of it are %q", one.Type)
		}
		names[one.ID] = true
		types[one.Type] = slices.Contains([]string{"officeDocument", "sharedStrings", "styles"}, one.Type)
	}
	return nil
}

func (b *workbook) open() error {
	main, err := b.relations("")
	if err != nil {
		return err
	}
	name := ""
	for _, one := range main {
		if one.Type == "officeDocument" {
			name = one.Target
		}
	}
	var read struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string `xml:"name,attr"`
			State string `xml:"state,attr"`
			ID    string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := b.decode(name, &read); err != nil {
		return err
	}
	b.is1904 = read.Properties.Date1904 == "1" || read.Properties.Date1904 == "true"
	relations, err := b.relations(name)
	if err != nil {
		return err
	}
	byID := make(map[string]relation, len(relations))
	for _, one := range relations {
		byID[one.ID] = one
		switch one.Type {
		case "sharedStrings":
			err = errors.Join(err, b.readTexts(one.Target))
		case "styles":
			err = errors.Join(err, b.readStyles(one.Target))
		}
	}
	for _, one := range read.Sheets {
		if byID[one.ID].Type != "worksheet" {
			continue // a chart, for example
		}
		hidden := one.State == "hidden" || one.State == "veryHidden"
		if hidden && len(b.order.Sheets) == 0 {
			b.notes = append(b.notes, fmt.Sprintf("the sheet %.40q is hidden: no table is made of it", one.Name))
		}
		b.sheets = append(b.sheets, sheet{one.Name, byID[one.ID].Target, hidden})
	}
	return err
}

// part opens one, of so many bytes at most.
func (b *workbook) part(name string, most int64) (io.ReadCloser, error) {
	part := b.parts[strings.ToLower(name)]
	if part == nil {
		return nil, fmt.Errorf("it is no XLSX file: it has no part %.60q", name)
	}
	opened, err := part.Open()
	if err != nil {
		return nil, fmt.Errorf("it is no XLSX file: part %.60q: %w", name, err)
	}
	return &bounded{opened, name, most}, nil
}

// bounded reads no more of a part than was allowed, whatever the archive says of its size.
type bounded struct {
	io.ReadCloser
	name string
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(into []byte) (int, error) {
	read, err := b.ReadCloser.Read(into)
	if b.left -= int64(read); b.left < 0 {
		return 0, source.Fault(fmt.Sprintf("its part %.60q is larger than a table can be when it is unpacked: save its sheets as CSV", b.name))
	}
	return read, err
}

func (b *workbook) decode(name string, into any) error {
	part, err := b.part(name, maxPart)
	if err != nil {
		return err
	}
	defer part.Close()
	if err := whole(newXML(part), into); err != nil {
		return fmt.Errorf("it is no XLSX file: part %.60q: %w", name, err)
	}
	return nil
}

// whole decodes the one element of a part, and reads the part to its end: only there the
// archive compares its checksum.
func whole(decoder *xml.Decoder, into any) error {
	if err := decoder.Decode(into); err != nil {
		return err
	}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start, is := token.(xml.StartElement); is {
			return fmt.Errorf("the element %.40q stands behind its end", start.Name.Local)
		}
	}
}
