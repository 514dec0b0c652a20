package bundle

import (
	"fmt"
	"slices"

	"hotcell/internal/source"
	"hotcell/internal/table"
)

// unmet says which texts that are to mean missing in a table, or a column of it, no value is:
// -99.0 is another than -99. What an earlier table has of them need not come again.
func (o CreateOptions) unmet(made MadeTable) []string {
	said := o.Choices[made.File.Path]
	notes := unmet("it", said.Missing, made)
	for at, field := range made.File.Schema.Fields {
		one := MadeTable{File: made.File, Columns: made.Columns[at : at+1]}
		notes = append(notes, unmet(fmt.Sprintf("%.100q", field.Name), said.Columns[field.Name].Missing, one)...)
	}
	return notes
}

// unmetInAll puts what no table has beside the first of them.
func (o CreateOptions) unmetInAll(tables []MadeTable) {
	first := slices.IndexFunc(tables, func(one MadeTable) bool { return one.File.Schema != nil })
	if first >= 0 {
		tables[first].Notes = append(tables[first].Notes, unmet("any table", o.Choices[EveryTable].Missing, tables...)...)
	}
}

func unmet(what string, texts []string, tables ...MadeTable) []string {
	var notes []string
	for _, text := range texts {
		isMet := slices.ContainsFunc(tables, func(one MadeTable) bool {
			isError := one.File.Source != nil && one.File.Source.Format == source.XLSX && areErrors([]string{text})
			return isError || slices.ContainsFunc(one.Columns, func(column table.Column) bool { return slices.Contains(column.Met, text) })
		})
		if !isMet {
			notes = append(notes, fmt.Sprintf("no value of %s is %.40q, which is to mean missing: write it as the source does", what, text))
		}
	}
	return notes
}
