// Package scan looks for identifiers of persons in the files of a directory.
//
// It reads each file as what its extension says, a table column by column and a text line by
// line, and asks internal/identifiers about each cell. A table that it cannot read as one it
// reads as text, and does not take for looked into. It does not decide whether data is de-identified: what it did not look into is
// in Report.Unread, and a file of which nobody knows what is in it is never taken for one with
// nothing in it. `runner bundle scan` calls it.
//
// The files may be hostile. They are opened below a directory without following a link, and read
// in streams: what is held is bounded by the columns of one table.
package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"hotcell/internal/beneath"
	"hotcell/internal/identifiers"
)

// Bounds of what is read.
const (
	maxEntries = 20_001
	maxDepth   = 16
	maxRecord  = 1 << 20 // bytes of a table's row, or of a value of JSON
	maxColumns = 10_000  // what is beyond is looked at as one
	maxListed  = 10_000  // findings, and files that are not read
)

// Options is what Files needs.
type Options struct {
	Root *os.Root
	// Skip are paths that are not looked at.
	Skip []string
	// Pass says what is passed over, with all below it; nil: nothing.
	Pass func(path string) bool
	// Only are the paths of the files that are looked at; nil: all.
	Only []string
	// Delimiters are those that tables of CSV are known to have, by their paths.
	Delimiters map[string]rune
	// Year is the one by which a year of birth tells an age; 0 is this one.
	Year int
	// Progress is told how many bytes have been read, of how many. It may be nil.
	Progress func(done, total int64)
}

// Report is what has been found.
type Report struct {
	Files    int      `json:"files"`  // that were looked into
	Tables   int      `json:"tables"` // of the files: those that were looked at column by column
	Bytes    int64    `json:"bytes"`
	Findings []Hit    `json:"findings"`
	Unread   []Unread `json:"unread"` // files that nobody has looked into
	// Cut says that there are more findings or unread files than are listed.
	Cut bool `json:"cut"`
}

// Clean reports whether everything was looked into and nothing was found.
func (r *Report) Clean() bool { return len(r.Findings) == 0 && len(r.Unread) == 0 && !r.Cut }

// Hit is one class of identifiers in one column of a table, in a text, or in a name.
type Hit struct {
	Path       string                 `json:"path"`
	Column     string                 `json:"column,omitempty"` // "" for a text
	Where      Where                  `json:"where"`
	Class      identifiers.Class      `json:"class"`
	Letter     string                 `json:"letter"` // in 45 CFR 164.514(b)(2)(i)
	How        identifiers.How        `json:"how"`
	Confidence identifiers.Confidence `json:"confidence"`
	Cells      int64                  `json:"cells"` // or lines of a text
	Of         int64                  `json:"of"`    // that are not empty
	Share      float64                `json:"share"`
	Row        int64                  `json:"row"` // of the first, from 1: of a table without its header, else a line
	Shape      string                 `json:"shape"`
	Example    string                 `json:"example,omitzero"` // part of the data
}

// Where says what a finding is in.
type Where string

// The places.
const (
	Cells    Where = "cells"    // of a table
	Lines    Where = "lines"    // of a text
	Header   Where = "header"   // the names of a table's columns
	FileName Where = "filename" // the file's own
	Content  Where = "content"  // what kind of file it is
)

// Unread is a file that was not looked into.
type Unread struct {
	Path   string `json:"path"`
	Reason string `json:"reason"` // completes a sentence that begins with the path
}

// Files looks at every file below a directory. An error means that we failed.
func Files(ctx context.Context, options Options) (Report, error) {
	s := &scanner{options: options, report: Report{Findings: []Hit{}, Unread: []Unread{}}}
	if s.options.Year == 0 {
		s.options.Year = time.Now().Year()
	}
	extent := beneath.Extent{Entries: maxEntries, Depth: maxDepth, Pass: options.Pass}
	err := beneath.Walk(ctx, options.Root, extent, func(node *beneath.Node) error {
		if node.Kind == beneath.Regular && s.wanted(node) {
			s.total += node.Bytes
		}
		return nil
	})
	if err == nil {
		err = beneath.Walk(ctx, options.Root, extent, func(node *beneath.Node) error { return s.node(ctx, node) })
	}
	if err != nil {
		return Report{}, fmt.Errorf("scan: %w", err)
	}
	return s.report, nil
}

type scanner struct {
	options     Options
	report      Report
	done, total int64
	now         string // the path that is looked at
}

func (s *scanner) node(ctx context.Context, node *beneath.Node) error {
	if !s.wanted(node) {
		return nil
	}
	s.now = node.Path
	s.name()
	switch {
	case node.Problem != nil:
		s.unread(node.Problem.Error())
	case node.Kind == beneath.Directory:
	case node.Kind != beneath.Regular:
		s.unread("is a " + string(node.Kind))
	default:
		return s.file(ctx, node)
	}
	return nil
}

func (s *scanner) wanted(node *beneath.Node) bool {
	return !slices.Contains(s.options.Skip, node.Path) && (s.options.Only == nil || slices.Contains(s.options.Only, node.Path))
}

// name looks at a file's or a directory's own name.
func (s *scanner) name() {
	column := identifiers.NewColumn("", s.options.Year)
	base := path.Base(s.now)
	column.See(1, []byte(base))
	if stem, cut := strings.CutSuffix(base, path.Ext(base)); cut {
		column.See(1, []byte(stem))
	}
	column.See(1, []byte(strings.ReplaceAll(base, "_", " ")))
	s.findings(column, "", FileName)
}

func (s *scanner) unread(reason string) {
	if len(s.report.Unread) == maxListed {
		s.report.Cut = true
		return
	}
	s.report.Unread = append(s.report.Unread, Unread{s.now, reason})
}

func (s *scanner) findings(column *identifiers.Column, name string, where Where) {
	for _, each := range column.Findings() {
		if where == FileName {
			if each.Class == identifiers.Date {
				continue // of the export, as a rule
			}
			each.Cells, each.Of, each.Confidence = 1, 1, identifiers.Medium
		}
		s.find(Hit{
			Path: s.now, Column: name, Where: where, Class: each.Class, How: each.How, Confidence: each.Confidence,
			Cells: each.Cells, Of: each.Of, Share: float64(each.Cells) / float64(each.Of), Row: each.Row, Example: each.Example,
		})
	}
}

func (s *scanner) find(finding Hit) {
	if len(s.report.Findings) == maxListed {
		s.report.Cut = true
		return
	}
	finding.Letter = identifiers.InfoOf(finding.Class).Letter
	finding.Shape = identifiers.Shape(finding.Example)
	s.report.Findings = append(s.report.Findings, finding)
}

// file looks into a file. One that turns out to be no table is looked at as a text, and told as
// not looked into: no column's name says what is in it.
func (s *scanner) file(ctx context.Context, node *beneath.Node) error {
	kind, known := kindOf(node.Path)
	if known && kind.class != "" {
		s.find(Hit{Path: s.now, Where: Content, Class: kind.class, How: identifiers.ByForm, Confidence: identifiers.Medium, Cells: 1, Of: 1, Share: 1, Row: 1})
	}
	if known && kind.read == nil {
		if s.done += node.Bytes; kind.class == "" {
			s.unread(kind.reason)
		}
		return nil
	}
	before := len(s.report.Findings)
	if known {
		err := s.open(ctx, node, kind.read)
		if err == nil {
			s.report.Tables++
		}
		if err == nil || !errors.Is(err, errNoTable) {
			return s.looked(node, err)
		}
		s.report.Findings = s.report.Findings[:before]
		if err = s.open(ctx, node, (*scanner).text); err != nil {
			return s.looked(node, err)
		}
		s.unread("is no table that can be read: only its text was looked at, so that no column's name tells what is in it. Mend it, or take it out")
		return nil
	}
	return s.looked(node, s.open(ctx, node, (*scanner).text))
}

// looked notes what became of a file. What is wrong with it is no fault of ours.
func (s *scanner) looked(node *beneath.Node, err error) error {
	switch {
	case err == nil:
		s.report.Files++
		s.report.Bytes += node.Bytes
	case errors.Is(err, errBinary):
		s.unread("is neither text nor a table that can be looked into: look at it yourself, or take it out")
	case errors.Is(err, beneath.ErrChanged), errors.Is(err, beneath.ErrUnreadable):
		s.unread(err.Error())
	default:
		return fmt.Errorf("%s: %w", beneath.Escape(node.Path), err)
	}
	return nil
}

var (
	errNoTable = errors.New("it is no table")
	errBinary  = errors.New("it is no text")
)

func (s *scanner) open(ctx context.Context, node *beneath.Node, read func(*scanner, io.Reader) error) (err error) {
	file, err := node.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	began := s.done
	defer func() { s.done = began + node.Bytes }()
	from, err := decoded(&counting{from: file, ctx: ctx, scanner: s})
	if err != nil {
		return err
	}
	return read(s, from)
}

// counting tells how much has been read, and ends with a context.
type counting struct {
	from    io.Reader
	ctx     context.Context //nolint:containedctx // an io.Reader has no other way to it
	scanner *scanner
}

// Read implements io.Reader.
func (c *counting) Read(into []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	n, err := c.from.Read(into)
	c.scanner.done += int64(n)
	if c.scanner.options.Progress != nil {
		c.scanner.options.Progress(c.scanner.done, c.scanner.total)
	}
	return n, err
}
