package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Choices are what a person decided of a table. The zero value leaves all to Infer.
type Choices struct {
	Missing []string          // texts that are missing in every column, beside the empty one
	Columns map[string]Choice // by a column's name
	Header  bool              // the first line has names, whatever it looks like
	// FromCells says of JSON Lines that their names were a row of cells, or a writer took them
	// from one: they may be values, as those of CSV.
	FromCells bool
	Earlier   map[string]bool // those of Columns of which only an earlier table says anything: it may be gone here
	Declared  map[string]bool // those of Columns of which the source says a type, and no person anything
}

// Choice is what a person decided of a column.
type Choice struct {
	// Type is one of TypeNames, with ":" and a format behind date or datetime, or "" for what
	// the values are.
	Type       string
	Missing    []string // texts that are missing in the column
	KeepEmpty  bool     // an empty text is a value
	Categories bool
	Order      []string // of categories; others come behind them
	Disclosure Disclosure
	// Inherited says that Type is an earlier table's: it holds where no value of this one
	// changes by it. Pandas is the dtype that a datetime had there, or "".
	Inherited bool
	Pandas    Pandas
}

// Like are the choices by which a source that is like an earlier one gets an earlier schema
// again. Whether there are gaps is the new one's.
func Like(earlier Schema) Choices {
	made := Choices{Missing: without(earlier.MissingValues, ""), Columns: make(map[string]Choice, len(earlier.Fields)), Earlier: make(map[string]bool, len(earlier.Fields))}
	for _, field := range earlier.Fields {
		missing := earlier.Missing(field)
		one := Choice{
			Type: string(field.Type), Missing: without(missing, ""), KeepEmpty: !slices.Contains(missing, ""),
			Categories: field.Pandas == PandasCategory, Order: field.Categories, Disclosure: field.Disclosure, Inherited: true,
		}
		if field.Type == Datetime {
			one.Pandas = field.Pandas
		}
		if field.Pandas == PandasNullable {
			one.Type = nullable
		}
		if field.Format != "" {
			one.Type += ":" + field.Format
		}
		made.Columns[field.Name], made.Earlier[field.Name] = one, true
	}
	return made
}

func without(values []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == one })
}

// nullable is the word for integers that have gaps in pandas also.
const nullable = string(PandasNullable)

// TypeNames are what a person can call the type of a column.
func TypeNames() []string {
	return []string{string(String), string(Integer), nullable, string(Number), string(Boolean), string(Date), string(Datetime), string(Object), string(Array)}
}

// Inferred is a table as Infer found it.
type Inferred struct {
	Schema  Schema
	Rows    int64
	Columns []Column // one for each of the schema's fields
	Gone    []string // columns of the earlier table (Choices.Earlier) that are not there
	Notes   []string // on all of it
}

// Column is what a person looks at before deciding about a column.
type Column struct {
	Missing  int64    // values
	Met      []string // of the texts that mean missing, those that a value was
	Examples []string // the least and the greatest value, of a string column the shortest and the longest; part of the data
	Note     string   // why it is not what it looks like, and what a person may do; "" for nothing
}

// maxExample is the length of an example in bytes.
const maxExample = 64

// Infer reads a source once, and proposes a type for each column: one of which every value
// is and in which none changes, else string. Texts that stand for a missing number in
// other programs (NA) are missing only in a column of numbers. Strings of JSON stay strings.
// What is wrong with the source, or no value of a type that was chosen, is a *FaultError.
func Infer(ctx context.Context, from io.Reader, format Format, choices Choices) (Inferred, error) {
	counted := &counter{Reader: from}
	source, err := open(counted, format, nil)
	if err != nil {
		return Inferred{}, err
	}
	in := inference{format: format, choices: choices}
	if format != JSONL {
		in.base = []string{""}
	}
	in.base = union(in.base, choices.Missing)
	if err := in.meet(source.columns()); err != nil {
		return Inferred{}, err
	}
	err = each(ctx, source, func(cells []cell) error {
		in.rows++
		if len(cells) > len(in.columns) {
			if err := in.meet(source.columns()); err != nil {
				return err
			}
		}
		in.blank.see(in.rows, cells)
		if err := CheckCells(in.rows, len(in.columns), counted.bytes); err != nil {
			return err
		}
		for at := range cells {
			if err := in.columns[at].see(cells[at], source.line()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Inferred{}, err
	}
	return in.end()
}

type inference struct {
	format  Format
	choices Choices
	base    []string // missing values of the schema
	columns []*profile
	rows    int64
	blank   blankRows
}

// meet begins profiles of new columns.
func (in *inference) meet(names []string) error {
	for _, name := range names[len(in.columns):] {
		one, err := newProfile(name, in.base, in.choices.Columns[name])
		if err != nil {
			return err
		}
		one.at, one.heading.fromCells = len(in.columns), in.choices.FromCells
		in.columns = append(in.columns, one)
	}
	return nil
}

func (in *inference) end() (Inferred, error) {
	if len(in.columns) == 0 {
		return Inferred{}, faultAt(0, "it has no column: a table has at least one")
	}
	note, noted, err := in.checkHeading()
	if err = errors.Join(err, checkAlike(in.columns)); err != nil {
		return Inferred{}, err
	}
	met := make(map[string]bool, len(in.columns))
	made := Inferred{Schema: Schema{MissingValues: in.base}, Rows: in.rows, Notes: in.blank.notes(len(in.columns))}
	for at, one := range in.columns {
		met[one.name] = true
		if err := in.checkThousands(one); err != nil {
			return Inferred{}, err
		}
		field, column, err := one.resolve(in.rows)
		if err != nil {
			return Inferred{}, err
		}
		if note != "" && at == noted {
			column.tell(note)
		}
		column.tell(disguised(one.name))
		column.tell(in.maybeThousands(one))
		made.Schema.Fields, made.Columns = append(made.Schema.Fields, field), append(made.Columns, column)
	}
	for _, name := range slices.Sorted(maps.Keys(in.choices.Columns)) {
		switch {
		case met[name]:
		case in.choices.Earlier[name]:
			made.Gone = append(made.Gone, name)
		default:
			return Inferred{}, faultAt(0, "it has no column %s: it has %s", shown(name), some(in.columns))
		}
	}
	if err := made.Schema.Validate(); err != nil {
		return Inferred{}, faultAt(0, "its schema cannot be: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return made, nil
}

func some(columns []*profile) string {
	const most = 10
	var names []string
	for _, one := range columns[:min(most, len(columns))] {
		names = append(names, shown(one.name))
	}
	if more := len(columns) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// union keeps the order, and each value once.
func union(lists ...[]string) []string {
	all := []string{}
	for _, list := range lists {
		for _, value := range list {
			if !slices.Contains(all, value) {
				all = append(all, value)
			}
		}
	}
	return all
}

// parseType reads a type's name with its format.
func parseType(name string) (kind Type, format string, err error) {
	kind, format = Type(name), ""
	if word, pattern, has := strings.Cut(name, ":"); has {
		kind, format = Type(word), pattern
		if kind != Date && kind != Datetime {
			return "", "", fmt.Errorf("%q has no format", word)
		}
	}
	if !slices.Contains(TypeNames(), string(kind)) {
		return "", "", fmt.Errorf("%q is none of %s", string(kind), strings.Join(TypeNames(), ", "))
	}
	if kind != Date && kind != Datetime {
		return kind, "", nil
	}
	if format == "" {
		format = isoFormat
	}
	_, err = parseLayout(kind, format)
	return kind, format, err
}

// CheckType says what is wrong with a type's name, for who reads it before the table.
func CheckType(name string) error {
	_, _, err := parseType(name)
	return err
}
