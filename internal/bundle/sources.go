package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/source"
	"hotcell/internal/table"
)

// Source says of which file Create has made a table. The file itself is not in the bundle,
// and nothing reads it again: Add looks only whether one that is still there is the same.
type Source struct {
	Path   string        `json:"path"` // beside the table
	Bytes  int64         `json:"bytes"`
	SHA256 digest.Hex    `json:"sha256"`
	Format source.Format `json:"format"`
	Sheet  string        `json:"sheet,omitzero"` // of a workbook
}

// problem finds what is wrong with a source that a manifest names.
func (s *Source) problem(of DataFile) string {
	switch {
	case !of.typed():
		return "it has a source and is no table of CSV, TSV or JSON Lines"
	case checkFilePath(s.Path) != nil || path.Dir(s.Path) != path.Dir(of.Path) || s.Path == of.Path:
		return "its source is no other file beside it"
	case s.Bytes < 0:
		return "the size of its source is out of range"
	case s.SHA256.Check() != nil:
		return "the sha256 of its source is not 64 lower-case hexadecimal digits"
	case !s.Format.Known():
		return "the format of its source is unknown"
	case (s.Format == source.XLSX) != (s.Sheet != ""), s.Sheet != "" && checkText("", s.Sheet) != nil:
		return "its source is a workbook without a sheet, or has a sheet and is none"
	}
	return ""
}

// sources are the files of which the manifest's tables were made, by their path.
func (m Manifest) sources() map[string]DataFile {
	found := make(map[string]DataFile)
	for _, file := range m.Files {
		if file.Source != nil {
			found[file.Source.Path] = DataFile{Path: file.Source.Path, Bytes: file.Source.Bytes, SHA256: file.Source.SHA256}
		}
	}
	return found
}

// conversion makes tables of sources, beside them in their directory.
type conversion struct {
	root    *os.Root
	files   map[string]convertedFile // by the path of the table
	tables  map[string][]string      // the paths of the tables, by that of their source
	ignored []string                 // patterns: no table goes where one of them matches
	made    []string                 // files that were not there before
	found   []string                 // what is wrong with sources
}

// convertedFile is what is known of a table that was made of a source.
type convertedFile struct {
	source  Source
	columns map[string]source.Column
	notes   []string
}

// convert makes the tables of all sources. Whoever calls it calls discard where there will be
// no bundle, also after an error.
func convert(ctx context.Context, root *os.Root, options CreateOptions) (*conversion, error) {
	c := &conversion{root: root, files: make(map[string]convertedFile), tables: make(map[string][]string), ignored: options.Ignored}
	err := walk(ctx, root, options.Ignored, func(node *beneath.Node) error {
		if !options.converts(node.Path) {
			return nil
		}
		problem, err := c.convert(ctx, node, options)
		if problem != "" {
			c.found = append(c.found, beneath.Escape(node.Path)+": "+problem)
			c.tables[node.Path] = nil
		}
		return err
	})
	return c, err
}

// convert makes the tables of one source.
func (c *conversion) convert(ctx context.Context, node *beneath.Node, options CreateOptions) (problem string, err error) {
	sum, err := hashFile(ctx, node, node.Bytes, io.Discard)
	if err != nil {
		return "", fmt.Errorf("hash %s: %w", beneath.Escape(node.Path), err)
	}
	from, err := node.Open()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	format := source.FormatOf(node.Path)
	order := options.order(node.Path, format)
	one := &converting{conversion: c, before: len(c.made), named: order.Sheet, source: Source{Path: node.Path, Bytes: node.Bytes, SHA256: sum.Hex(), Format: format}}
	err = source.Convert(ctx, from, order, one)
	if again, hashErr := hashFile(ctx, node, node.Bytes, io.Discard); err == nil && (hashErr != nil || again != sum) {
		return "it changed while it was read", one.abandon()
	}
	if fault, is := errors.AsType[*source.FaultError](err); is {
		return fault.Error(), one.abandon()
	}
	if errors.Is(err, source.ErrUnconfined) {
		return err.Error() + ": put it here as a plain CSV, TSV or JSON Lines file, or make the bundle on such a host", one.abandon()
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", beneath.Escape(node.Path), errors.Join(err, one.abandon()))
	}
	return "", err
}

// discard removes what was made.
func (c *conversion) discard() error {
	var all []error
	for _, name := range c.made {
		all = append(all, c.root.Remove(name))
	}
	c.made = nil
	return errors.Join(all...)
}

// declared are the types that a table's source says that its columns have.
func (c *conversion) declared(path string) map[string]table.Choice {
	found := make(map[string]table.Choice)
	for name, column := range c.files[path].columns {
		if column.Type != "" {
			found[name] = table.Choice{Type: column.Type}
		}
	}
	return found
}

// of is the source of a table, or nil.
func (c *conversion) of(path string) *Source {
	if made, is := c.files[path]; is {
		return &made.source
	}
	return nil
}

// note puts what the source said of columns before what was found of their values.
func (c *conversion) note(made MadeTable) {
	for at, field := range made.File.Schema.Fields {
		notes := []string{c.files[made.File.Path].columns[field.Name].Note, made.Columns[at].Note}
		made.Columns[at].Note = strings.Join(slices.DeleteFunc(notes, func(note string) bool { return note == "" }), "; ")
	}
}

// isOurs reports whether a table was written here, so that it is UTF-8.
func (c *conversion) isOurs(path string) bool {
	from := c.of(path)
	return from != nil && (from.Format == source.XLSX || from.Format == source.Parquet)
}

// notes are what the source of a table says of all of it.
func (c *conversion) notes(path string) []string { return c.files[path].notes }

// converts reports whether a table is made of a file. A path that no bundle can have is told
// as that.
func (o CreateOptions) converts(path string) bool {
	_, isNamed := o.Tables[path]
	return source.FormatOf(path) != "" && !isNamed && !o.asIs(path) && checkFilePath(path) == nil
}

func (o CreateOptions) asIs(path string) bool { return slices.Contains(o.AsIs, path) }

// converting is one source whose tables are being made. It is a source.Receiver.
type converting struct {
	*conversion
	source Source
	named  string         // the sheet that was asked for, or ""
	before int            // how many files others had made
	path   string         // of the table that is being made
	file   *os.File       // nil between tables
	to     *bufferedTable // what is written to it
}

// Begin makes the file of a table. One that is there already may be that of an earlier time.
func (c *converting) Begin(sheet string) (io.Writer, error) {
	if (c.source.Format == source.XLSX) != (sheet != "") || c.named != "" && sheet != c.named {
		return nil, source.Fault("what reads it has told of another sheet than there can be")
	}
	c.source.Sheet = sheet
	if c.named != "" {
		sheet = "" // the only one has the name of the file
	}
	c.path = source.TablePath(c.source.Path, sheet)
	if pattern := ignoredBy(c.ignored, c.path); pattern != "" {
		return nil, source.Fault(fmt.Sprintf("its table would be %s, which is passed over (--ignore '%s'): pass over this file, too, or not over its table",
			beneath.Escape(c.path), beneath.Escape(pattern)))
	}
	if _, twice := c.files[c.path]; twice {
		return nil, source.Fault(fmt.Sprintf("its table would be %s, which is that of another file or sheet: rename one", beneath.Escape(c.path)))
	}
	file, err := c.root.OpenFile(c.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		c.made = append(c.made, c.path)
		c.file, c.to = file, &bufferedTable{to: file}
		return c.to, nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("write %s: %w", beneath.Escape(c.path), err)
	}
	if info, err := c.root.Lstat(c.path); err != nil || !info.Mode().IsRegular() {
		return nil, c.inTheWay()
	}
	if c.file, err = c.root.Open(c.path); err != nil {
		return nil, fmt.Errorf("compare %s: %w", beneath.Escape(c.path), err)
	}
	c.to = &bufferedTable{with: c.file, differs: c.inTheWay()}
	return c.to, nil
}

func (c *converting) inTheWay() error {
	return source.Fault(fmt.Sprintf("its table goes to %s, where another file is: remove that, if `runner bundle create` has made it of an earlier one", beneath.Escape(c.path)))
}

// End closes the file of a table.
func (c *converting) End(columns []source.Column, notes []string) error {
	file := c.file
	c.file = nil
	if err := errors.Join(c.to.end(), file.Close()); err != nil {
		return err
	}
	made := convertedFile{source: c.source, columns: make(map[string]source.Column, len(columns)), notes: notes}
	for _, column := range columns {
		made.columns[column.Name] = column
	}
	c.files[c.path] = made
	c.tables[c.source.Path] = append(c.tables[c.source.Path], c.path)
	return nil
}

// abandon leaves nothing of a source that is refused.
func (c *converting) abandon() error {
	var all []error
	if c.file != nil {
		all = append(all, c.file.Close())
	}
	for _, name := range c.made[c.before:] {
		all = append(all, c.root.Remove(name))
	}
	c.made = c.made[:c.before]
	maps.DeleteFunc(c.files, func(_ string, made convertedFile) bool { return made.source.Path == c.source.Path })
	return errors.Join(all...)
}

// bufferedTable writes a table to a file, or compares it with one that is there.
type bufferedTable struct {
	to      *os.File
	with    *os.File
	differs error
	there   []byte
}

// Write implements io.Writer.
func (b *bufferedTable) Write(data []byte) (int, error) {
	if b.with == nil {
		return b.to.Write(data)
	}
	if len(b.there) < len(data) {
		b.there = make([]byte, len(data))
	}
	if _, err := io.ReadFull(b.with, b.there[:len(data)]); err != nil || !bytes.Equal(b.there[:len(data)], data) {
		return 0, b.differs
	}
	return len(data), nil
}

// end wants nothing more in a file that was there.
func (b *bufferedTable) end() error {
	if b.with == nil {
		return b.to.Sync()
	}
	if rest, err := b.with.Read(make([]byte, 1)); rest != 0 || !errors.Is(err, io.EOF) {
		return b.differs
	}
	return nil
}
