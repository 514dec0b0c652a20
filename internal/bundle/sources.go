package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	dir     string                   // as the person named it
	told    func(done, total int64)  // or nil
	bytes   int64                    // that were written
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
	c := &conversion{root: root, dir: options.Dir, told: options.Progress, files: make(map[string]convertedFile), tables: make(map[string][]string), ignored: options.Ignored}
	err := walk(ctx, root, passOver(options.Ignored).pass, func(node *beneath.Node) error {
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
	one := &converting{conversion: c, before: len(c.made), named: order.Sheets, source: Source{Path: node.Path, Bytes: node.Bytes, SHA256: sum.Hex(), Format: format}}
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

// written tells how far it is. How much is to come nobody knows before it is unpacked.
func (c *conversion) written(bytes int) {
	if c.bytes += int64(bytes); c.told != nil {
		c.told(c.bytes, 0)
	}
}

// title names a file as the person knows it who reads what is wrong with it: the table that
// is made of a source is gone by then.
func (c *conversion) title(path string) string {
	from := c.of(path)
	switch {
	case from == nil:
		return beneath.Escape(path)
	case from.Sheet != "":
		return fmt.Sprintf("%s, sheet %.40q, in its table %s", beneath.Escape(from.Path), from.Sheet, beneath.Escape(path))
	}
	return beneath.Escape(from.Path) + ", in its table " + beneath.Escape(path)
}

// left says that a file is what an earlier create may have made of a sheet that is gone.
func (c *conversion) left(name string) string {
	if c.of(name) != nil {
		return ""
	}
	for from, tables := range c.tables {
		if source.FormatOf(from) != source.XLSX || len(tables) == 0 {
			continue
		}
		whole := source.TablePath(from, "")
		if name == whole || strings.HasPrefix(name, strings.TrimSuffix(whole, ".jsonl")+"_") && path.Ext(name) == ".jsonl" {
			return fmt.Sprintf("it has the name of a table of %s, and is made of none of its sheets: remove it, rename it, or pass over it (`--ignore`)", beneath.Escape(from))
		}
	}
	return ""
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
		said := c.files[made.File.Path].columns[field.Name]
		made.Columns[at].Met = append(made.Columns[at].Met, said.Met...)
		notes := []string{said.Note, made.Columns[at].Note}
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
