package bundle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/source"
	"hotcell/internal/table"
)

// What is said of a source reaches its tables, is used while they are made, or is a fault:
// a column that was to be marked as an identifier must not be plain in silence.

// order is what is asked of a source: the sheets that were named, and which errors of its cells
// mean that a value is missing.
func (o CreateOptions) order(path string, format source.Format) source.Order {
	made := source.Order{Format: format, Sheets: slices.Concat([]string{}, o.Sheets[path]), Missing: make(map[string][]string)}
	said := o.Choices[path]
	made.Missing[""] = slices.Concat(o.Choices[EveryTable].Missing, said.Missing)
	for name, choice := range said.Columns {
		made.Missing[name] = choice.Missing
	}
	made.Headers = o.headers(path)
	return made
}

// headers are the sheets of a source of which a person says that they begin with names.
func (o CreateOptions) headers(from string) []string {
	found := []string{}
	stem, _ := strings.CutSuffix(source.TablePath(from, ""), ".jsonl")
	for path, said := range o.Choices {
		table, isTable := strings.CutSuffix(path, ".jsonl")
		sheet, isSheet := strings.CutPrefix(table, stem+"_")
		switch {
		case !said.Header:
		case path == from, isTable && table == stem:
			found = append(found, "")
		case isTable && isSheet:
			found = append(found, sheet)
		}
	}
	return found
}

// apply gives what was said of a source to the one table that was made of it.
func (c *conversion) apply(options CreateOptions) CreateOptions {
	for from, tables := range c.tables {
		if len(tables) == 1 {
			options.Choices = moved(options.Choices, from, tables[0])
			options.Encodings = moved(options.Encodings, from, tables[0])
			options.Delimiters = moved(options.Delimiters, from, tables[0])
		}
	}
	return options
}

// moved is a map with one key instead of another. What is said under both is left: it is
// told as a fault then.
func moved[V any](said map[string]V, from, to string) map[string]V {
	value, is := said[from]
	if _, both := said[to]; !is || both {
		return said
	}
	said = maps.Clone(said)
	delete(said, from)
	said[to] = value
	return said
}

// unheard finds what is said of sources that no table was given, after apply. Of a source
// itself only the sheet and the errors of its cells can be said.
func (c *conversion) unheard(options CreateOptions) []string {
	var found []string
	for _, from := range slices.Sorted(maps.Keys(c.tables)) {
		tables := c.tables[from]
		if len(tables) == 0 {
			continue // it is refused
		}
		_, isDecoded := options.Encodings[from]
		_, isDivided := options.Delimiters[from]
		said, isChosen := options.Choices[from]
		if isDecoded || isDivided || isChosen && !c.onlyErrors(tables, said) {
			found = append(found, fmt.Sprintf("%s: what is said of it would be lost: name one of its tables: %s", beneath.Escape(from), namesOf(tables)))
		}
	}
	return found
}

// onlyErrors reports whether choices are of nothing but errors of cells, and days that are none,
// that mean missing, in columns that there are.
func (c *conversion) onlyErrors(tables []string, said table.Choices) bool {
	if said.Header || !areErrors(said.Missing) {
		return false
	}
	for name, choice := range said.Columns {
		rest := choice
		rest.Missing = nil
		isThere := func(path string) bool { _, is := c.files[path].columns[name]; return is }
		isLost := func(text string) bool { return !areErrors([]string{text}) && !c.metInAll(tables, name, text) }
		if !unsaid(rest) || slices.ContainsFunc(choice.Missing, isLost) || !slices.ContainsFunc(tables, isThere) {
			return false
		}
	}
	return true
}

// metInAll reports whether a text was a value that is missing now in each table that has a column.
func (c *conversion) metInAll(tables []string, column, text string) bool {
	return !slices.ContainsFunc(tables, func(path string) bool {
		said, is := c.files[path].columns[column]
		return is && !slices.Contains(said.Met, text)
	})
}

// unsaid reports whether nothing is said of a column.
func unsaid(choice table.Choice) bool {
	return choice.Type == "" && !choice.KeepEmpty && !choice.Categories && len(choice.Order) == 0 && choice.Disclosure == "" &&
		!choice.Inherited && choice.Pandas == "" && len(choice.Missing) == 0
}

// areErrors tells #N/A and its like from texts that mean missing.
func areErrors(texts []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return !strings.HasPrefix(text, "#") })
}

func namesOf(tables []string) string {
	const most = 5
	names := make([]string, 0, most)
	for _, path := range tables[:min(len(tables), most)] {
		names = append(names, beneath.Escape(path))
	}
	if more := len(tables) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// checkSources finds options for sources that could do nothing.
func (o CreateOptions) checkSources() []FieldFault {
	var found []FieldFault
	for _, path := range slices.Sorted(maps.Keys(o.Sheets)) {
		_, isNamed := o.Tables[path]
		switch {
		case source.FormatOf(path) != source.XLSX:
			found = append(found, FieldFault{"sheet", "is of " + beneath.Escape(path) + ", and only a workbook (.xlsx) has sheets"})
		case slices.Contains(o.Sheets[path], ""):
			found = append(found, FieldFault{"sheet", "is of " + beneath.Escape(path) + ", and names none of its sheets"})
		case isNamed || o.asIs(path):
			found = append(found, FieldFault{"sheet", "is of " + beneath.Escape(path) + ", of which no table is to be made"})
		}
	}
	for _, path := range o.AsIs {
		if source.FormatOf(path) == "" {
			found = append(found, FieldFault{"as_is", "names " + beneath.Escape(path) + ", of which no table is made as of a file of another format"})
		}
	}
	return found
}
