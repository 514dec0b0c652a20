package disclosure_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
)

// TestPrintedRowsAreTheDatas has the forms in which libraries and scripts print a table.
func TestPrintedRowsAreTheDatas(t *testing.T) {
	each := func(rows int, line func(n int, v []string) string) string {
		var all strings.Builder
		for n := range rows {
			all.WriteString(line(n, visit(n)) + "\n")
		}
		return all.String()
	}
	right := func(n int, v []string) string { return fmt.Sprintf("%-4d %5s %8s", n, v[3], v[4]) }
	row := func(_ int, v []string) string { return strings.Join(v[1:5], ", ") }
	for name, text := range map[string]string{
		"as pandas prints one":        "       sbp   weight\n" + each(6, right),
		"cut in the middle":           "       sbp   weight\n" + each(3, right) + "..     ...      ...\n" + each(6, right)[3*20:] + "\n[1000 rows x 2 columns]\n",
		"with other columns cut":      "       sbp  ...   weight\n" + each(6, func(n int, v []string) string { return fmt.Sprintf("%-4d %5s  ... %8s", n, v[3], v[4]) }),
		"with names of an index":      "       sbp   weight\nkey                \n" + each(6, right),
		"without an index":            " sbp   weight\n" + each(6, func(_ int, v []string) string { return fmt.Sprintf("%4s %8s", v[3], v[4]) }),
		"as CSV":                      "sbp,weight\n" + each(6, func(_ int, v []string) string { return v[3] + "," + v[4] }),
		"as CSV with an index":        ",sbp,weight\n" + each(6, func(n int, v []string) string { return fmt.Sprintf("%d,%s,%s", n, v[3], v[4]) }),
		"as CSV with texts in quotes": "note,sbp,weight\n" + each(6, func(_ int, v []string) string { return "\"a, b\"," + v[3] + "," + v[4] }),
		"by semicolons":               "sbp;weight\n" + each(6, func(_ int, v []string) string { return v[3] + ";" + v[4] }),
		"by tabs":                     "sbp\tweight\n" + each(6, func(_ int, v []string) string { return v[3] + "\t" + v[4] }),
		"as Markdown":                 "|    |   sbp |   weight |\n|---:|------:|---------:|\n" + each(6, func(n int, v []string) string { return fmt.Sprintf("| %d | %s | %s |", n, v[3], v[4]) }),
		"in a grid":                   "+----+-------+\n| sbp | weight |\n+=====+======+\n" + each(6, func(_ int, v []string) string { return fmt.Sprintf("| %s | %s |\n+----+----+", v[3], v[4]) }),
		"as records":                  "[" + each(6, func(_ int, v []string) string { return fmt.Sprintf(`{"sbp":%s,"weight":%s},`, v[3], v[4]) }) + "]",
		"as records on many lines": "[\n" + each(6, func(_ int, v []string) string {
			return fmt.Sprintf("  {\n    \"sbp\": %s,\n    \"weight\": %s\n  },", v[3], v[4])
		}) + "]",
		"as dicts": each(6, func(_ int, v []string) string {
			return fmt.Sprintf("{'sbp': %s, 'weight': np.float64(%s)}", v[3], v[4])
		}),
		"as named tuples": each(6, func(n int, v []string) string {
			return fmt.Sprintf("Pandas(Index=%d, sbp=%s, weight=%s)", n, v[3], v[4])
		}),
		"in sentences": each(6, func(_ int, v []string) string { return fmt.Sprintf("sbp=%s and weight=%s", v[3], v[4]) }),
		"one row after the other": each(6, func(n int, v []string) string {
			return fmt.Sprintf("sbp       %s\nweight    %s\nName: %d, dtype: float64\n", v[3], v[4], n)
		}),
		"a header for each row": each(6, func(n int, v []string) string { return "     sbp  weight\n" + right(n, v) }),
		"columns by their rows": `{"sbp":{"0":90,"1":91,"2":92,"3":93,"4":94},"weight":{"0":40.5,"1":41.5,"2":42.5,"3":43.5,"4":44.5}}`,
		"columns as lists":      `{'sbp': [90, 91, 92, 93, 94], 'weight': [40.5, 41.5, 42.5, 43.5, 44.5]}`,
		"columns on many lines": "{\n \"sbp\": {\n  \"0\": 90,\n  \"1\": 91,\n  \"2\": 92,\n  \"3\": 93,\n  \"4\": 94\n },\n \"weight\": {\n  \"0\": 40.5,\n  \"1\": 41.5,\n  \"2\": 42.5,\n  \"3\": 43.5,\n  \"4\": 44.5\n }\n}",
		"on its side":           "            0     1     2     3     4\nsbp        90    91    92    93    94\nweight   40.5  41.5  42.5  43.5  44.5\n",
		"too wide for a line":   "     sex arm  \\\n" + each(6, func(n int, v []string) string { return fmt.Sprintf("%d    %s   %s", n, v[1], v[2]) }) + "\n     weight  visit_date\n" + each(6, func(n int, v []string) string { return fmt.Sprintf("%d    %s  %s", n, v[4], v[5]) }),
		"rows without names":    each(6, row),
		"rows as tuples": each(6, func(n int, v []string) string {
			return fmt.Sprintf("(%d, '%s', '%s', %s, %s)", n, v[1], v[2], v[3], v[4])
		}),
		"rows in one line":             "[" + strings.ReplaceAll(each(6, func(n int, v []string) string { return "[" + row(n, v) + "]," }), "\n", " ") + "]",
		"rows as texts":                "['" + strings.ReplaceAll(each(6, func(_ int, v []string) string { return strings.Join(v[2:5], " - ") }), "\n", "', '") + "']",
		"an array":                     "[" + each(6, func(_ int, v []string) string { return " ['" + strings.Join(v[1:5], "' '") + "']" }) + "]",
		"a column by its name":         each(6, func(n int, _ []string) string { return fmt.Sprintf("%d    %d.25", n, n) }) + "Name: dose, dtype: float64\n",
		"more digits than are printed": "     dose  ratio\n" + each(6, func(n int, _ []string) string { return fmt.Sprintf("%d  %d.25  0.%d23457", n, n, n+1) }),
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, rules(lookAt(t, "text/plain", text, visits(), doses())), disclosure.RuleCopiedRows, "%s", text)
		})
	}
}

// TestPrintedResultsAreNoRows: what analyses print with the data's names in it.
func TestPrintedResultsAreNoRows(t *testing.T) {
	for name, text := range map[string]string{
		"means by group":  "            sbp     weight\nsex                       \nF    123.954000  87.632000\nM    124.954000  88.632000\n",
		"describe":        "               sbp       weight\ncount  1000.000000  1000.000000\nmean    124.454000    88.132000\nstd      20.000000    28.000000\nmin      90.000000    40.500000\n25%     107.000000    64.500000\nmax     159.000000   136.500000\n",
		"describe, aside": "         count   mean   std   min   25%\nsbp     1000.0  124.4  20.2  90.0   107.0\nweight  1000.0   88.1  28.0  40.5    64.5\n",
		"correlations":    "             sbp    weight\nsbp     1.000000  0.012345\nweight  0.012345  1.000000\n",
		"a model":         "                 coef    std err          t      P>|t|      [0.025      0.975]\nIntercept    123.9540      0.901    137.504      0.000     122.186     125.722\nweight         0.0123      0.010      1.203      0.229      -0.008       0.032\n",
		"counts":          "arm\nA    200\nB    200\nC    200\nD    200\nE    200\nName: count, dtype: int64\n",
		"groups":          "sex  arm\nF    A    100\n     B    100\nM    A    100\n     B    100\n     C    100\nName: sbp, dtype: int64\n",
		"four rows":       "       sbp   weight\n0       90     40.5\n1       91     41.5\n2       92     42.5\n3       93     43.5\n",
		"a sentence":      "the mean of sbp by sex and arm was 124.4, and that of weight 88.1 (95 % CI 86.4 to 89.9)\n",
		"parameters":      `{"weight": 0.5, "sbp": 1.25}` + "\n" + `{"weight": 0.75, "sbp": 1.5}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			require.NotContains(t, rules(lookAt(t, "text/plain", text, visits(), doses())), disclosure.RuleCopiedRows, "%s", text)
		})
	}
}
