package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"hotcell/internal/beneath"
	"hotcell/internal/source"
)

// converting is one source whose tables are being made. It is a source.Receiver.
type converting struct {
	*conversion
	source Source
	named  []string       // the sheets that were asked for, or none for all
	before int            // how many files others had made
	path   string         // of the table that is being made
	part   string         // where it is written until it is whole, or "" where it is there already
	file   *os.File       // nil between tables
	to     *bufferedTable // what is written to it
}

// Begin makes the file of a table. One that is there already may be that of an earlier time.
func (c *converting) Begin(sheet string) (io.Writer, error) {
	if (c.source.Format == source.XLSX) != (sheet != "") || len(c.named) > 0 && !slices.Contains(c.named, sheet) {
		return nil, source.Fault("what reads it has told of another sheet than there can be")
	}
	c.source.Sheet = sheet
	if len(c.named) == 1 {
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
	info, err := c.root.Lstat(c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c.beginPart()
	case err != nil || !info.Mode().IsRegular():
		return nil, c.inTheWay()
	}
	if c.file, err = c.root.Open(c.path); err != nil {
		return nil, fmt.Errorf("compare %s: %w", beneath.Escape(c.path), err)
	}
	c.to = &bufferedTable{with: c.file, differs: c.inTheWay()}
	return c.to, nil
}

// beginPart writes a table under a name that no bundle can have: one that is cut, as its
// process was killed, would be taken for a whole one else.
func (c *converting) beginPart() (io.Writer, error) {
	name := partOf(c.path)
	file, err := c.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, source.Fault(fmt.Sprintf("its table is written to %s, and there is one: %s", beneath.Escape(name), leftPart))
	}
	if err != nil {
		return nil, fmt.Errorf("write a table: %w", err)
	}
	c.part, c.file, c.to = name, file, &bufferedTable{to: file, name: path.Join(c.dir, c.path), progress: c.written}
	return c.to, nil
}

const (
	partSuffix = ".hotcell-part"
	leftPart   = "it is part of a table, left where `runner bundle create` was killed, or one is at work here: remove it when none is"
)

func partOf(table string) string { return path.Join(path.Dir(table), ".table"+partSuffix) }

// finish gives a whole table its name, unless a file has it by now.
func (c *converting) finish() error {
	if c.part == "" {
		return nil
	}
	if _, err := c.root.Lstat(c.path); !errors.Is(err, fs.ErrNotExist) {
		return c.inTheWay()
	}
	if err := c.root.Rename(c.part, c.path); err != nil {
		return fmt.Errorf("name a table: %w", err)
	}
	c.made, c.part = append(c.made, c.path), ""
	return nil
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
	if err := c.finish(); err != nil {
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
	if c.part != "" {
		all = append(all, c.root.Remove(c.part))
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
	to       *os.File
	name     string // for people
	progress func(bytes int)
	with     *os.File
	differs  error
	there    []byte
}

// Write implements io.Writer.
func (b *bufferedTable) Write(data []byte) (int, error) {
	if b.with == nil {
		b.progress(len(data))
		written, err := b.to.Write(data)
		return written, b.named(err)
	}
	if len(b.there) < len(data) {
		b.there = make([]byte, len(data))
	}
	if _, err := io.ReadFull(b.with, b.there[:len(data)]); err != nil || !bytes.Equal(b.there[:len(data)], data) {
		return 0, b.differs
	}
	return len(data), nil
}

// named says where a table was to go in the words of the person who named the directory.
func (b *bufferedTable) named(err error) error {
	if of, is := errors.AsType[*fs.PathError](err); is {
		return &fs.PathError{Op: of.Op, Path: beneath.Escape(b.name), Err: of.Err}
	}
	return err
}

// end wants nothing more in a file that was there.
func (b *bufferedTable) end() error {
	if b.with == nil {
		return b.named(b.to.Sync())
	}
	if rest, err := b.with.Read(make([]byte, 1)); rest != 0 || !errors.Is(err, io.EOF) {
		return b.differs
	}
	return nil
}
