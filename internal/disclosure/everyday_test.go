package disclosure_test

import (
	"context"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
)

// patients are those of testdata/everyday.txtar and testdata/leaks.txtar, which pandas has
// written: 300, and 900 events of theirs.
func patients() []disclosure.Table {
	identifier, names := disclosure.Identifier, []string{"age", "gewicht", "arm", "sex", "icd", "ort", "kids"}
	people := []disclosure.Column{{Name: "pat_id", Kind: identifier}}
	for _, name := range names {
		people = append(people, disclosure.Column{Name: name})
	}
	weight := func(n int) string {
		return string(disclosure.AppendNumber(nil, 45+float64(n*5003%4001)/50))
	}
	return []disclosure.Table{
		table(people, 300, func(n int) []string {
			return []string{
				strconv.Itoa(n + 1), strconv.Itoa(18 + n*7919%1009%71), weight(n), []string{"A", "B"}[n*31%101%2], []string{"f", "m"}[n*17%103%2],
				[]string{"E11", "I10", "J44"}[n*13%107%3], []string{"Bonn", "Koeln", "Ulm", "Kiel"}[n*11%109%4], strconv.Itoa(n * 3571 % 907 % 4),
			}
		}),
		table([]disclosure.Column{{Name: "pat_id", Kind: identifier}, {Name: "day"}}, 900, func(n int) []string {
			return []string{strconv.Itoa(n/3 + 1), strconv.Itoa(1 + n*6007%2003%200)}
		}),
	}
}

func table(columns []disclosure.Column, rows int, of func(n int) []string) disclosure.Table {
	return disclosure.Table{Columns: columns, Rows: func(_ context.Context, wanted []int, yield func([][]byte) error) error {
		for n := range rows {
			row, cells := of(n), make([][]byte, len(wanted))
			for at, column := range wanted {
				cells[at] = []byte(row[column])
			}
			if err := yield(cells); err != nil {
				return err
			}
		}
		return nil
	}}
}

// eachOutput looks at what is in an archive of outputs, each by the type of its file.
func eachOutput(t *testing.T, archive string, judge func(t *testing.T, rules []string, content string)) {
	media := map[string]string{".txt": "text/plain", ".csv": "text/csv", ".md": "text/markdown", ".html": "text/html", ".json": "application/json"}
	outputs, err := txtar.ParseFile(archive)
	require.NoError(t, err)
	require.NotEmpty(t, outputs.Files)
	for _, output := range outputs.Files {
		t.Run(output.Name, func(t *testing.T) {
			require.Contains(t, media, path.Ext(output.Name))
			judge(t, rules(lookAt(t, media[path.Ext(output.Name)], string(output.Data), patients()...)), string(output.Data))
		})
	}
}

// TestEverydayOutputIsNoRow: counts, quantiles, grids and curves under the name of a column.
func TestEverydayOutputIsNoRow(t *testing.T) {
	eachOutput(t, "testdata/everyday.txtar", func(t *testing.T, rules []string, content string) {
		require.NotContains(t, rules, disclosure.RuleCopiedRows, "%s", content)
	})
}

// TestRowsOfPersonsAreFound: in each form that pandas writes them, and one column of them alone.
func TestRowsOfPersonsAreFound(t *testing.T) {
	eachOutput(t, "testdata/leaks.txtar", func(t *testing.T, rules []string, content string) {
		require.Contains(t, rules, disclosure.RuleCopiedRows, "%s", content)
	})
}

// TestAColumnAloneIsToldByItsOrder: of bundles of any size and kind.
func TestAColumnAloneIsToldByItsOrder(t *testing.T) {
	score := func(n int) string { return strconv.Itoa(10 + n*7919%1009%23) }
	column := func(rows int, kind disclosure.Kind, of func(n int) string) disclosure.Table {
		return table([]disclosure.Column{{Name: "score", Kind: kind}, {Name: "x"}}, rows, func(n int) []string { return []string{of(n), "x"} })
	}
	text := func(of func(n int) string, rows ...int) string {
		var all strings.Builder
		all.WriteString("score,mean\n")
		for _, n := range rows {
			all.WriteString(of(n) + ",0.5\n")
		}
		return all.String()
	}
	even := func(n int) string { return strconv.Itoa(7 * n) }
	for name, test := range map[string]struct {
		data    disclosure.Table
		content string
		want    int64
	}{
		"five in order":            {column(300, "", score), text(score, 11, 12, 13, 14, 15), 5},
		"in two parts":             {column(300, "", score), text(score, 11, 12, 13, 14, 15, 16, 200, 201, 202, 203, 204), 11},
		"sensitive":                {column(300, disclosure.Sensitive, score), text(score, 11, 12, 13, 14, 15), 5},
		"four":                     {column(300, "", score), text(score, 11, 12, 13, 14), 0},
		"in another order":         {column(300, "", score), text(score, 15, 14, 13, 12, 11, 30, 50, 70), 0},
		"of so many rows":          {column(30_000, "", score), text(score, 11, 12, 13, 14, 15), 0},
		"even steps, in order too": {column(300, "", even), text(even, 11, 12, 13, 14, 15, 16, 17), 0},
		"identifiers in any order": {column(300, disclosure.Identifier, even), text(even, 30, 12, 19, 14, 5), 5},
	} {
		t.Run(name, func(t *testing.T) {
			got := int64(0)
			for _, found := range lookAt(t, "text/csv", test.content, test.data).Findings {
				if found.Rule == disclosure.RuleCopiedRows {
					got = found.Count
				}
			}
			require.Equal(t, test.want, got)
		})
	}
}
