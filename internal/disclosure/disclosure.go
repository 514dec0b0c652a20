// Package disclosure looks at what a run gives out for what it may disclose of a person.
//
// It finds what can be found without knowing how a figure was made: counts of few, tables of
// many rows, columns and values by which the data names persons, rows that are the data's own,
// and what looks like an identifier of Safe Harbor (45 CFR 164.514(b)(2)). What it does not
// find is no proof of anything: docs/disclosure.md says what it does not catch. It does not
// decide what a finding means; internal/runner calls it for what has been verified, and does
// with its findings what the policy says.
//
// All that it reads is hostile. It reads in streams, holds a bounded number of hashes, and ends
// with ctx; what it has not looked at then makes the review incomplete, and so needed. A finding
// holds no value and no name of the output's.
package disclosure

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"path"
	"strings"

	"hotcell/internal/job"
)

// The rules by their stable ids, as job.ReviewFinding.Rule.
const (
	RuleSmallCell        = "disclosure.small_cell"        // a count of fewer persons than may be
	RuleExtreme          = "disclosure.extreme"           // a least or greatest value beside counts: it is one person's
	RuleDominance        = "disclosure.dominance"         // one value makes most of a sum
	RuleManyRows         = "disclosure.many_rows"         // a table of more rows than may be
	RuleIdentifier       = "disclosure.identifier"        // a column that names persons
	RuleQuasiIdentifier  = "disclosure.quasi_identifier"  // columns that together may
	RuleIdentifierValues = "disclosure.identifier_values" // values of a column that names persons, wherever they stand
	RuleCopiedRows       = "disclosure.copied_rows"       // rows of the data that few others equal
	RuleOneValue         = "disclosure.one_value"         // a sensitive value that all of a group have
	RulePattern          = "disclosure.pattern."          // and what it looks like: an identifier of Safe Harbor
	RuleUnchecked        = "disclosure.unchecked"         // something was not looked at to its end
	RuleMore             = "disclosure.more"              // stands for those that were not listed
)

// Criteria are the thresholds. Every field is required.
type Criteria struct {
	MinCell    int64
	MaxRows    int64
	CopiedRows int64
}

// Part is something that leaves. Either Path or Name is set.
type Part struct {
	Path      string // of a file
	Name      string // "stdout", "stderr", "result" or "charts"
	MediaType string
	Open      func() (io.ReadCloser, error)
}

// ChartType is the media type of a plotly figure's data: its numbers are no counts, but for its
// reader.
const ChartType = "application/vnd.plotly.v1+json"

// Column is one of the data's.
type Column struct {
	Name string
	Kind Kind
}

// Kind says what a column tells of a person; what is none of these tells nothing.
type Kind string

// The kinds that rules go by.
const (
	Identifier      Kind = "identifier"
	QuasiIdentifier Kind = "quasi_identifier"
	Sensitive       Kind = "sensitive"
)

// Table is one of the data's. Rows hands each row's cells of some columns, by their places in
// Columns and in their order, to yield, whose error ends it; it may reuse them. They are as
// AppendNumber and AppendText write them, whole numbers in digits, dates as in ISO 8601 with a
// space before the time, and missing values empty.
type Table struct {
	Columns []Column
	Rows    func(ctx context.Context, columns []int, yield func(cells [][]byte) error) error
}

// Options is what Look needs.
type Options struct {
	Criteria Criteria
	Parts    []Part
	Data     []Table
	// Names are those of Data, which are asked for when they are needed. nil, also as an answer,
	// stands for data in which no column is an identifier.
	Names func(ctx context.Context) (*Names, error)
	// Rows are those of Data, asked for in the same way. nil has no row looked for but by the
	// names of its columns.
	Rows func(ctx context.Context) (*Rows, error)
	// Ours are texts that a report has of itself, such as today's date, in which no identifier
	// is seen.
	Ours []string
}

// Bounds of what is held and told.
const (
	maxFindings = 200
	maxTables   = 200
	maxColumns  = 1000
	maxHashes   = 500_000 // of rows, and of runs in them
	maxRecord   = 1 << 20 // bytes of a table's row
)

// Look looks at everything. Its Mode is for the caller to fill in. An error means that we
// failed.
func Look(ctx context.Context, options Options) (job.Review, error) {
	l := newLooker(options)
	l.ctx = ctx
	for index := range options.Parts {
		l.at = index
		err := l.part(ctx, options.Parts[index])
		if err == nil {
			err = l.failed
		}
		if ctx.Err() != nil || errors.Is(err, errTooLarge) {
			l.unchecked()
			err = nil
		}
		if err != nil {
			return job.Review{}, fmt.Errorf("look at what is given out: %w", err)
		}
	}
	l.at = -1
	if l.names != nil && l.names.lost {
		l.unchecked()
	}
	err := l.compare(ctx)
	if ctx.Err() != nil {
		l.at = -1
		l.unchecked()
		err = nil
	}
	if err != nil {
		return job.Review{}, fmt.Errorf("compare with the data: %w", err)
	}
	return l.review(), nil
}

// errTooLarge means that a part has something that is not looked at.
var errTooLarge = errors.New("too large to be looked at")

type looker struct {
	ctx      context.Context //nolint:containedctx // for what asks for Names, in the midst of a part
	options  Options
	seed     maphash.Seed // nobody who writes a table can make rows of one hash
	at       int          // of options.Parts
	complete bool

	columns map[string]Kind // of the data, by their normal names

	findings []job.ReviewFinding
	known    map[finding]int // index of findings
	tables   []job.ReviewTable

	spots     map[string][]spot // columns of the data, by their normal names
	sensitive []sensitiveColumn
	copies    map[string]*copied // by part, table and columns
	groups    map[string]*groups
	runs      runs
	held      int    // hashes in these
	names     *Names // once they have been asked for
	asked     bool
	failed    error           // of asking
	met       map[nameIn]bool // values of Names that stand in a part
	many      []int64         // of each part: shorter numbers among them
}

// finding is what findings are put together by.
type finding struct {
	rule   string
	part   int
	column int64
}

func newLooker(options Options) *looker {
	l := &looker{
		options: options, seed: maphash.MakeSeed(), complete: true, columns: map[string]Kind{}, known: map[finding]int{},
		findings: []job.ReviewFinding{}, tables: []job.ReviewTable{}, spots: map[string][]spot{}, copies: map[string]*copied{}, groups: map[string]*groups{},
		met: map[nameIn]bool{}, many: make([]int64, len(options.Parts)),
	}
	l.runs = runs{l: l, known: map[uint64]*run{}}
	identified := false
	for index, table := range options.Data {
		for at, column := range table.Columns {
			identified = identified || column.Kind == Identifier
			l.column(spot{index, at}, column)
		}
	}
	if !identified {
		l.options.Names = nil
	}
	return l
}

// column notes one of the data's.
func (l *looker) column(place spot, column Column) {
	if column.Kind == Sensitive {
		l.sensitive = append(l.sensitive, sensitiveColumn{place, " " + strings.Join(words(column.Name), " ") + " ", normal(column.Name)})
	}
	name := normal(column.Name)
	if name == "" {
		return
	}
	l.spots[name] = append(l.spots[name], place)
	if l.columns[name] != Identifier {
		l.columns[name] = column.Kind
	}
}

func (l *looker) review() job.Review {
	marked := 0
	for _, kind := range l.columns {
		if kind != "" {
			marked++
		}
	}
	criteria := l.options.Criteria
	return job.Review{
		Needed: len(l.findings) > 0, Complete: l.complete, Tables: l.tables, Findings: l.findings,
		Criteria: job.ReviewCriteria{
			MinCell: criteria.MinCell, MaxRows: criteria.MaxRows, CopiedRows: criteria.CopiedRows, DataColumns: len(l.columns), Marked: marked,
		},
	}
}

// find notes something at a place of the part that is looked at, once for a rule and a column:
// what follows is counted. The message's arguments are ours.
func (l *looker) find(rule string, row, column, times int64, message string, args ...any) {
	key := finding{rule, l.at, column}
	if at, there := l.known[key]; there {
		l.findings[at].Count += times
		return
	}
	if len(l.findings) > maxFindings {
		return
	}
	if len(l.findings) == maxFindings {
		l.findings = append(l.findings, job.ReviewFinding{Rule: RuleMore, Count: 1, Message: fmt.Sprintf("there are more than %d findings; the rest is not listed", maxFindings)})
		return
	}
	path, part := l.place()
	l.known[key] = len(l.findings)
	l.findings = append(l.findings, job.ReviewFinding{
		Rule: rule, Path: path, Part: part, Row: row, Column: column, Count: times, Message: fmt.Sprintf(message, args...),
	})
}

func (l *looker) place() (path, part string) {
	if l.at < 0 {
		return "", ""
	}
	return l.options.Parts[l.at].Path, l.options.Parts[l.at].Name
}

func (l *looker) unchecked() {
	l.complete = false
	l.find(RuleUnchecked, 0, 0, 1, "it is too large, or too many values, to be looked at to its end: look at it yourself")
}

// nameIn is a value of Names in a part.
type nameIn struct {
	hash uint64
	part int
}

// part looks at one part, by what it is and by what it is called.
func (l *looker) part(ctx context.Context, part Part) error {
	for name := range strings.SplitSeq(part.Path, "/") {
		l.cell(strings.TrimSuffix(name, path.Ext(name)))
	}
	readers := []func(context.Context, io.Reader) error{l.patterns}
	switch part.MediaType {
	case "text/csv":
		readers = append(readers, l.csv)
	case "text/tab-separated-values":
		readers = append(readers, l.tsv)
	case "application/json", "application/x-ndjson":
		readers = append(readers, l.json)
	case "text/html":
		readers = append(readers, l.html)
	case "text/plain", "text/markdown":
		readers = append(readers, l.printed)
	case ChartType:
		readers = append(readers, l.values)
	case "image/svg+xml":
		readers = []func(context.Context, io.Reader) error{l.svg}
	case "application/pdf":
		readers = []func(context.Context, io.Reader) error{l.pdf}
	default:
		return nil // pictures: see docs/disclosure.md
	}
	for _, read := range readers {
		if err := l.open(ctx, part, read); err != nil {
			return err
		}
	}
	return nil
}

func (l *looker) open(ctx context.Context, part Part, read func(context.Context, io.Reader) error) (err error) {
	file, err := part.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return read(ctx, &ending{file, ctx})
}

// ending is a reader that ends with a context.
type ending struct {
	from io.Reader
	ctx  context.Context //nolint:containedctx // an io.Reader has no other way to it
}

// Read implements io.Reader.
func (e *ending) Read(into []byte) (int, error) {
	if e.ctx.Err() != nil {
		return 0, context.Cause(e.ctx)
	}
	return e.from.Read(into)
}

// Text is a part that is in memory.
func Text(name, mediaType, content string) Part {
	return Part{Name: name, MediaType: mediaType, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}
