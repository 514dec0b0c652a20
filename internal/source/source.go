// Package source makes plain tables, which internal/table reads, of files in other formats:
// compressed ones, workbooks and Parquet.
//
// It decides which files are such sources, what their tables are called, and what may come
// back of them. It parses none: that is done by internal/source/parse in a process of its own
// that can do nothing but read the file and answer (see Convert). It believes nothing of the
// answer: that is bounded, and what it says that a table is, is read again as any other table.
// internal/bundle calls it, when a bundle is made, and never afterwards.
package source

import (
	"path"
	"slices"
	"strings"
)

// Format is how a source is written.
type Format string

// The formats.
const (
	Gzip Format = "gzip" // of CSV, TSV or JSON Lines
	Zstd Format = "zstd" // likewise
	XLSX Format = "xlsx" // a workbook of ECMA-376, with a table in each sheet
	// Parquet is one table, with its types.
	Parquet Format = "parquet"
)

// Known reports whether it is one of the formats.
func (f Format) Known() bool { return slices.Contains(Formats(), f) }

// Formats are all of them.
func Formats() []Format { return []Format{Gzip, Zstd, XLSX, Parquet} }

var (
	compressed = map[string]Format{".gz": Gzip, ".zst": Zstd}
	others     = map[string]Format{".xlsx": XLSX, ".parquet": Parquet}
)

// tables are the extensions of what is a table once it is unpacked.
var tables = []string{".csv", ".tsv", ".jsonl", ".ndjson"}

// FormatOf tells a source by its name: "visits.csv.gz", for example. "" is for all other files.
func FormatOf(name string) Format {
	outer := strings.ToLower(path.Ext(name))
	if packed := compressed[outer]; packed != "" && slices.Contains(tables, strings.ToLower(path.Ext(strings.TrimSuffix(name, path.Ext(name))))) {
		return packed
	}
	return others[outer]
}

// TablePath is the path of what a source becomes: of a workbook, what a sheet of a name does.
func TablePath(name, sheet string) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	if others[strings.ToLower(path.Ext(name))] == "" {
		return stem
	}
	if sheet != "" {
		stem += "_" + strings.Map(plain, sheet)
	}
	return stem + ".jsonl"
}

// plain leaves of a sheet's name what a path and the name of a table can have.
func plain(r rune) rune {
	if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return r
	}
	return '_'
}

// Bounds of what may come of one source. What is larger is to be a plain table already, which
// has no bound.
const (
	MaxBytes   = 8 << 30 // of all its tables
	MaxTables  = 256     // sheets
	MaxColumns = 10_000  // of a table
	MaxMemory  = 4 << 30 // address space of the process that reads it, in bytes
	MaxSeconds = 1800    // of processor time of the same
	maxNote    = 400     // bytes of a sentence
)

// Order is what is asked of a source.
type Order struct {
	Format Format `json:"format"`
	// Sheets are those of a workbook that are meant, or none for all that a person sees.
	Sheets []string `json:"sheets"`
	// Missing are the errors of cells that are no value: by the name of a column, "" for all.
	Missing map[string][]string `json:"missing"`
	// Headers are sheets whose first row has names though it has numbers, as their tables'
	// paths have their names; "" is for all.
	Headers []string `json:"headers"`
}

// IsHeader reports whether the first row of a sheet has names, whatever it looks like.
func (o Order) IsHeader(sheet string) bool {
	return slices.Contains(o.Headers, "") || slices.Contains(o.Headers, strings.Map(plain, sheet))
}

// Column is what a source says of a column beside its values.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"` // one of table.TypeNames, or "" for what the values are
	Note string `json:"note"` // for the person who decides; "" for nothing
	// Met are numbers that mean missing (Order.Missing) and that the table has not any more.
	Met []string `json:"met,omitzero"`
}

// FaultError is what is wrong with a source. Its message completes a sentence that begins
// with the file.
type FaultError struct{ message string }

// Error implements error.
func (f *FaultError) Error() string { return f.message }

// Fault makes one.
func Fault(message string) error { return &FaultError{message} }
