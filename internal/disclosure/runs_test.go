package disclosure_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
)

func several(count int, form func(n int) string) []string {
	all := make([]string, count)
	for n := range all {
		all[n] = form(n)
	}
	return all
}

// TestColumnsAreTheDatasWhateverTheyAreCalled: some of their values, in the order of the data.
func TestColumnsAreTheDatasWhateverTheyAreCalled(t *testing.T) {
	const text, csv, json = "text/plain", "text/csv", "application/json"
	heights := several(14, height)
	both := func(form string) []string {
		return several(14, func(n int) string { return fmt.Sprintf(form, height(n), pulse(n)) })
	}
	for name, test := range map[string]struct{ media, content string }{
		"a list":                {text, "[" + strings.Join(heights, ", ") + "]"},
		"a list on many lines":  {text, "[" + strings.Join(heights, ",\n ") + "]"},
		"one on each line":      {text, strings.Join(heights, "\n")},
		"by blanks":             {text, strings.Join(heights, " ")},
		"with numbers of rows":  {text, strings.Join(several(14, func(n int) string { return fmt.Sprintf("%d %s", n, height(n)) }), "\n")},
		"in sentences":          {text, strings.Join(both("one who is %s tall has a pulse of %s today"), "\n")},
		"pairs":                 {text, "[" + strings.Join(both("[%s, %s]"), ", ") + "]"},
		"columns of a table":    {text, "     a  b\n" + strings.Join(both("0  %s  %s"), "\n")},
		"of CSV":                {csv, "a\n" + strings.Join(heights, "\n") + "\n"},
		"of CSV, with others":   {csv, "a,x\n" + strings.Join(heights, ",7\n") + ",7\n"},
		"within cells of CSV":   {csv, "a\n" + strings.Join(both("%s/1/%s"), "\n") + "\n"},
		"of JSON":               {json, "{\"a\":[" + strings.Join(heights, ",") + "]}"},
		"members of an object":  {json, "{" + strings.Join(several(14, func(n int) string { return fmt.Sprintf("%q:%s", "r"+strconv.Itoa(n), height(n)) }), ",") + "}"},
		"records":               {json, "[" + strings.Join(several(14, func(n int) string { return `{"a":` + height(n) + `}` }), ",") + "]"},
		"texts of JSON":         {json, "[" + strings.Join(both(`"%s;1;%s"`), ",") + "]"},
		"a chart":               {disclosure.ChartType, `{"data":[{"x":[` + strings.Join(heights, ",") + `]}]}`},
		"a page":                {"text/html", "<ul><li>" + strings.Join(heights, "</li><li>") + "</li></ul>"},
		"a drawing":             {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><!--` + strings.Join(heights, "--><!--") + "--></svg>"},
		"rows, cell after cell": {text, strings.Join(both("%s\n1\n%s"), "\n")},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, rules(lookAt(t, test.media, test.content, measures())), disclosure.RuleCopiedRows, "%s", test.content)
		})
	}
}

func TestValuesThatAreLikeTheDatasAreNoColumns(t *testing.T) {
	const text = "text/plain"
	sorted := several(40, height)
	slices.Sort(sorted)
	for name, content := range map[string]string{
		"sorted":      "[" + strings.Join(sorted, ", ") + "]",
		"too few":     "[" + strings.Join(several(10, height), ", ") + "]",
		"one value":   "[" + strings.Repeat("1, ", 40) + "1]",
		"an axis":     strings.Join(several(60, func(n int) string { return strconv.Itoa(90 + n) }), "\n"),
		"even steps":  strings.Join(several(60, func(n int) string { return fmt.Sprintf("%d.5", 40+n) }), "\n"),
		"from others": strings.Join(several(40, func(n int) string { return height(n*n + 3) }), "\n"),
	} {
		require.NotContains(t, rules(lookAt(t, text, content, measures(), visits(), doses())), disclosure.RuleCopiedRows, "%s: %s", name, content)
	}
}
