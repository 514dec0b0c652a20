package table_test

import (
	"testing"

	"hotcell/internal/table"
)

func TestWhatStandsAboveTheNamesIsToldAsThat(t *testing.T) {
	const above = "above the names of the columns (a title, a comment)"
	for name, test := range map[string]struct {
		source string
		line   int
		want   string
	}{
		"comments":                        {"# export of May\n# v3\nid,n\na,1\n", 3, "has 2 fields, the header has 1: remove what stands " + above},
		"a comment with delimiters":       {"# export, v3\nid,n,m\na,1,2\n", 2, above},
		"one with more than the rows":     {"#a,b,c,d\nid,n\na,1\n", 2, above + ", or write each row with all of its delimiters"},
		"a title of two lines":            {"Export\nof May\nid,n\na,1\n", 3, above},
		"a title and an empty line":       {"Export of May\n\nid,n\na,1\n", 2, above},
		"no title, but a field too many":  {"id,n\na,1,2\n", 2, "the header has 2: put quotes around a field that has a delimiter in it"},
		"no title, but a column of texts": {"note\na, b\n", 2, above + ", or put quotes around a field that has a delimiter in it"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := infer(t, table.CSV, test.source, table.Choices{})
			requireFault(t, err, test.line, test.want)
		})
	}
}
