package disclosure_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
)

// visits is a table of the data: 1000 rows, in groups of a hundred by sex and arm.
func visits() disclosure.Table {
	columns := []disclosure.Column{
		{Name: "patient_id", Kind: disclosure.Identifier}, {Name: "sex", Kind: disclosure.QuasiIdentifier}, {Name: "arm"},
		{Name: "sbp"}, {Name: "weight"}, {Name: "visit_date"},
	}
	return disclosure.Table{Columns: columns, Rows: func(_ context.Context, wanted []int, yield func([][]byte) error) error {
		for n := range 1000 {
			row := visit(n)
			cells := make([][]byte, len(wanted))
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

// doses are a table whose values are each of one row, with more digits than are printed.
func doses() disclosure.Table {
	columns := []disclosure.Column{{Name: "dose"}, {Name: "ratio"}}
	return disclosure.Table{Columns: columns, Rows: func(_ context.Context, wanted []int, yield func([][]byte) error) error {
		for n := range 8 {
			row := []string{fmt.Sprintf("%d.25", n), fmt.Sprintf("0.%d2345678", n+1)}
			cells := make([][]byte, len(wanted))
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

// measures are a table of one column, and others apart from it, whose values do not go in steps.
func measures() disclosure.Table {
	columns := []disclosure.Column{{Name: "height"}, {Name: "one"}, {Name: "pulse"}}
	return disclosure.Table{Columns: columns, Rows: func(_ context.Context, wanted []int, yield func([][]byte) error) error {
		for n := range 300 {
			row := []string{height(n), "1", pulse(n)}
			cells := make([][]byte, len(wanted))
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

func height(n int) string { return fmt.Sprintf("1%d.%d", 50+n*n%47, 1+n*31%9) }

func pulse(n int) string { return strconv.Itoa(50 + n*n*7%61) }

func visit(n int) []string {
	return []string{
		fmt.Sprintf("P-%05d", n), []string{"F", "M"}[n%2], []string{"A", "B", "C", "D", "E"}[n/2%5],
		strconv.Itoa(90 + n%70), fmt.Sprintf("%d.5", 40+n%97), fmt.Sprintf("2020-01-%02d", 1+n%28),
	}
}

// TestFindings has what ACRO's tests expect of tables that people write, as far as it can be
// seen in the table: the threshold, zero, the missing group, margins, min and max.
func TestFindings(t *testing.T) {
	const csv, text, json, html, tsv = "text/csv", "text/plain", "application/json", "text/html", "text/tab-separated-values"
	small := []string{disclosure.RuleSmallCell}
	none := []string{}
	for name, test := range map[string]struct {
		media, content string
		want           []string
	}{
		"counts above the threshold":          {csv, "arm,n\nA,10\nB,120\n", none},
		"a count below it":                    {csv, "arm,n\nA,9\nB,120\n", small},
		"a count of nobody":                   {csv, "arm,n\nA,0\nB,120\n", small},
		"as pandas writes one with gaps":      {csv, "arm,n_patients\nA,9.0\nB,\n", small},
		"another word for it":                 {csv, "arm,mean,Number of cases\nA,1.2,4\n", small},
		"in camel case":                       {csv, "arm,patientCount\nA,4\n", small},
		"by semicolons":                       {csv, "arm;n\nA;4\n", small},
		"by tabs":                             {tsv, "arm\tn\nA\t4\n", small},
		"in quotes":                           {csv, "\"arm\",\"n\"\n\"A, or B\",\"4\"\n", small},
		"a crosstab":                          {csv, "sex,A,B\nF,100,4\nM,90,110\n", small},
		"a crosstab with two headers":         {csv, ",dose,dose\narm,low,high\nF,100,4\nM,90,110\n", small},
		"a crosstab of large groups":          {csv, "sex,A,B\nF,100,40\nM,90,110\n", none},
		"a table of means":                    {csv, "arm,sbp,dbp\nA,1.5,2.5\nB,1.25,3\n", none},
		"a difference":                        {csv, "arm,change\nA,-4\nB,-3\n", none},
		"describe":                            {csv, ",sbp,dbp\ncount,7.0,120.0\nmean,1.5,1.5\nmin,100,60\n", small},
		"min and max beside counts":           {csv, "arm,n,sbp_min,sbp_max\nA,100,90,180\n", []string{disclosure.RuleExtreme, disclosure.RuleExtreme}},
		"describe by groups, printed":         {text, "     count  mean   min    max\narm                          \nA    120.0  54.5  18.0   88.0\nB    180.0  53.5  19.0  NaN\n", []string{disclosure.RuleExtreme}},
		"min and max, printed":                {text, "      min   max\ndose  0.5   9.5\n", none},
		"words of a sentence, then numbers":   {text, "the count of the max\nA 12 was 120\n", none},
		"min and max of nobody in particular": {csv, "parameter,min,max\ndose,0.5,9.5\n", none},
		"one value makes the sum":             {csv, "site,n,cost_sum,cost_max\nA,12,1000,950\n", []string{disclosure.RuleDominance, disclosure.RuleExtreme}},
		"no value makes the sum":              {csv, "site,n,cost_sum,cost_top\nA,12,1000,300\n", none},
		"records":                             {json, `[{"arm":"A","n":4},{"arm":"B","n":100}]`, small},
		"lines of records":                    {"application/x-ndjson", "{\"arm\":\"A\",\"n\":40}\n{\"arm\":\"B\",\"n\":1}\n", small},
		"columns by their rows":               {json, `{"arm":{"0":"A","1":"B"},"n":{"0":4,"1":100}}`, small},
		"counts by their groups":              {json, `{"A":4,"B":100}`, small},
		"counts by groups, deeper":            {json, `{"result":{"A":4,"B":100}}`, small},
		"large counts by their groups":        {json, `{"A":40,"B":100}`, none},
		"figures by their names":              {json, `{"auc":0.81,"folds":5}`, none},
		"a count among figures":               {json, `{"auc":0.81,"n":5}`, small},
		"a frame":                             {json, `{"columns":["arm","n"],"rows":[["A",2],["B",14]]}`, small},
		"a frame of large groups":             {json, `{"columns":["arm","n"],"rows":[["A",20],["B",14]]}`, none},
		"a crosstab's frame":                  {json, `{"columns":["F","M"],"rows":[[1,1],[7,7]],"index":["A","B"],"index_names":["arm"]}`, []string{disclosure.RuleSmallCell, disclosure.RuleSmallCell}},
		"a frame of describe":                 {json, `{"columns":["sbp"],"rows":[[7.0],[120.5]],"index":["count","mean"]}`, small},
		"a frame of means":                    {json, `{"columns":["sbp"],"rows":[[7.5],[120.5]],"index":["A","B"]}`, none},
		"rows without names and with them":    {json, `[[1,2],{"n":3},[1,2]]`, small},
		"rows without names":                  {json, `{"columns":["arm","x"],"data":[["A",1.5],["B",2.5]]}`, none},
		"a table of a page":                   {html, "<table><thead><tr><th></th><th>n</th></tr><tr><th>arm</th><th></th></tr></thead><tbody><tr><th>A</th><td>4</td></tr></tbody></table>", small},
		"a table of Markdown":                 {"text/markdown", "| arm | n |\n|-----|---|\n| A | 4 |\n", small},
		"a printed table":                     {text, "     n  mean\narm         \nA    4  1.50\nB  120  1.25\n", small},
		"a printed series":                    {text, "arm\nA    120\nB      4\nName: count, dtype: int64\n", small},
		"a printed series of large groups":    {text, "arm\nA    120\nB     40\ndtype: int64\n", none},
		"counts with their shares":            {csv, "sex,A,B\nF,30 (70.0%),3 (7.0%)\nM,13 (30.0%),40 (93.0%)\n", small},
		"of a whole":                          {csv, "sex,all\nF,3/43 (7 %)\n", small},
		"shares with their counts":            {csv, "sex,all\nF,7.0% (3/43)\n", small},
		"under a name, without a sign":        {csv, "sex,n (%)\nF,3 (7.0)\nM,40 (93)\n", small},
		"in a row that counts":                {csv, "what,A\n\"Female, n (%)\",\"3 (7,0)\"\n", small},
		"shares in JSON":                      {json, `{"F":"3 (7.0%)","M":"40 (93.0%)"}`, small},
		"in records of JSON":                  {json, `[{"sex":"F","all":"0 (0.0%)"}]`, small},
		"shares in a page":                    {html, "<table><tr><th></th><th>all</th></tr><tr><td>F</td><td>3 (7.0%)</td></tr></table>", small},
		"shares, printed":                     {text, "sex  all\nF    3 (7.0%)\nM    40 (93.0%)\n", small},
		"shares in a sentence":                {text, "of these, 3 (7.0 %) were women\n", small},
		"large counts with their shares":      {csv, "sex,A,n (%)\nF,30 (70.0%),10 (7.0)\n", none},
		"means with their deviations":         {csv, "what,A,B\nage,9 (2.1),5 (1.1)\nbmi,8.5 (7.0%),1 (0.5 to 2)\n", none},
		"other brackets":                      {text, "see table 3 (page 7), 2.3 (7.0%) and 95% (3)\n", none},
		"lines that end with CR":              {csv, "arm,n\rA,3\rB,40\r", small},
		"by tabs, with CR":                    {tsv, "arm\tn\rA\t3\r", small},
		"printed, with CR":                    {text, "     n\rA    3\rB   40\r", small},
		"CR and LF":                           {csv, "arm,n\r\nA,30\r\nB,40\r\n", none},
		"a sentence":                          {text, "women (n=3) and men (n = 120)\n", small},
		"another sentence":                    {text, "the count of patients was large\nwe saw 3 effects\n", none},
		"many rows":                           {csv, "x\n" + strings.Repeat("1.5\n", 101), []string{disclosure.RuleManyRows}},
		"nothing":                             {csv, "", none},
		"a cell beyond the header":            {csv, "a\n1.5,2.5,3.5\n", none},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, rules(lookAt(t, test.media, test.content)), "%s", test.content)
		})
	}
}

func TestAFindingSaysWhereAndNotWhat(t *testing.T) {
	review := lookAt(t, "text/csv", "arm,mean,n\nsecret,1.5,120\nsecret2,2.5,7\nsecret3,2.5,7\n")
	require.True(t, review.Needed)
	require.True(t, review.Complete)
	require.Len(t, review.Findings, 1)
	found := review.Findings[0]
	require.Equal(t, []int64{2, 3, 2}, []int64{found.Row, found.Column, found.Count})
	require.Equal(t, "stdout", found.Part)
	require.Equal(t, "a count is below 10", found.Message)
	require.Len(t, review.Tables, 1)
	require.Equal(t, []int64{3, 3}, []int64{review.Tables[0].Rows, review.Tables[0].Columns})
}

func released(columns []int, rows int) string {
	names := []string{"patient_id", "sex", "arm", "sbp", "weight", "visit_date"}
	var all strings.Builder
	for n := -1; n < rows; n++ {
		var cells []string
		for _, at := range columns {
			if n < 0 {
				cells = append(cells, names[at])
			} else {
				cells = append(cells, visit(n)[at])
			}
		}
		all.WriteString(strings.Join(cells, ",") + "\n")
	}
	return all.String()
}

func TestWhatIsTheDatas(t *testing.T) {
	for name, test := range map[string]struct {
		media, content string
		want           []string
	}{
		"the rows themselves": {"text/csv", released([]int{0, 1, 2, 3, 4, 5}, 20), []string{
			disclosure.RulePattern + "date", disclosure.RuleIdentifier, disclosure.RuleQuasiIdentifier, disclosure.RuleIdentifierValues, disclosure.RuleCopiedRows}},
		"some of their columns":      {"text/csv", released([]int{3, 4}, 20), []string{disclosure.RuleCopiedRows}},
		"under other names for them": {"text/csv", strings.Replace(released([]int{3, 4}, 20), "sbp,weight", "SBP,Weight", 1), []string{disclosure.RuleCopiedRows}},
		"written in another way":     {"text/csv", strings.ReplaceAll(released([]int{3, 4}, 20), ".5\n", ".50\n"), []string{disclosure.RuleCopiedRows}},
		"four of them":               {"text/csv", released([]int{3, 4}, 4), []string{}},
		"groups of them":             {"text/csv", "sex,arm,mean\nF,A,1.5\nF,B,1.5\nF,C,1.5\nF,D,1.5\nF,E,1.5\nM,A,1.5\nM,B,1.5\n", []string{disclosure.RuleQuasiIdentifier}},
		"other rows":                 {"text/csv", "sbp,weight\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n", []string{}},
		"names under another name":   {"text/csv", strings.Replace(released([]int{0}, 3), "patient_id", "label", 1), []string{disclosure.RuleIdentifierValues}},
		"columns by their rows":      {"application/json", `{"sbp":{"0":90,"1":91,"2":92,"3":93,"4":94},"weight":{"0":40.5,"1":41.5,"2":42.5,"3":43.5,"4":44.5}}`, []string{disclosure.RuleCopiedRows}},
		"columns as lists":           {"application/json", `{"a":{"sbp":[90,91,92,93,94],"weight":[40.5,41.5,42.5,43.5,44.5]}}`, []string{disclosure.RuleCopiedRows}},
		"a frame's index":            {"application/json", `{"columns":["weight"],"rows":[[40.5],[41.5],[42.5],[43.5],[44.5]],"index":[90,91,92,93,94],"index_names":["sbp"]}`, []string{disclosure.RuleCopiedRows}},
		"under names of their own":   {"text/csv", "a,b,c\nA,90,40.5\nA,91,41.5\nB,92,42.5\nB,93,43.5\nC,94,44.5\n", []string{disclosure.RuleCopiedRows}},
		"without names":              {"text/csv", "A,90,40.5\nA,91,41.5\nB,92,42.5\nB,93,43.5\nC,94,44.5\nC,95,45.5\n", []string{disclosure.RuleCopiedRows}},
		"lists of values":            {"application/json", `[["A",90,40.5],["A",91,41.5],["B",92,42.5],["B",93,43.5],["C",94,44.5]]`, []string{disclosure.RuleCopiedRows}},
		"in the text of a page":      {"text/html", "<p>as it is:</p><pre>    sbp  weight\n0    90    40.5\n1    91    41.5\n2    92    42.5\n3    93    43.5\n4    94    44.5\n</pre>", []string{disclosure.RuleCopiedRows}},
		"names in a page's text":     {"text/html", "<p title=\"P-00017\">x</p>", []string{disclosure.RuleIdentifierValues}},
		"names behind a long text":   {"application/json", `[{"a":"` + strings.Repeat("word ", 2000) + `P-00017"}]`, []string{disclosure.RuleIdentifierValues}},
		"names in a long line":       {"text/plain", strings.Repeat("a ", 2000) + "P-00017", []string{disclosure.RuleIdentifierValues}},
		"names in a text":            {"text/plain", "outliers: P-00017, P-00018.\n", []string{disclosure.RuleIdentifierValues}},
		"names as keys":              {"application/json", `{"Patient ID":"x"}`, []string{disclosure.RuleIdentifier}},
		"names of the rows":          {"application/json", `{"columns":["x"],"rows":[[1.5],[2.5]],"index":["a","b"],"index_names":["patient_id"]}`, []string{disclosure.RuleIdentifier}},
		"names behind a sign":        {"text/plain", "worst: id=P-00017/P-00018\n", []string{disclosure.RuleIdentifierValues}},
		"names joined":               {"text/plain", "P-00017,P-00018;P-00019\n", []string{disclosure.RuleIdentifierValues}},
		"names as an object's keys":  {"application/json", `{"P-00017": 120.5}`, []string{disclosure.RuleIdentifierValues}},
		"names as columns":           {"text/csv", "P-00017,P-00018\n120.5,121.5\n", []string{disclosure.RuleIdentifierValues}},
		"names among other words":    {"text/csv", "note\nsee patient P-00017 again\n", []string{disclosure.RuleIdentifierValues}},
		"names in lists":             {"application/json", `{"x":["P-00017"]}`, []string{disclosure.RuleIdentifierValues}},
		"a printed table of them":    {"text/plain", "  patient_id  sbp\n0  P-x  120.5\n", []string{disclosure.RuleIdentifier}},
		"other names":                {"text/csv", "label\nP-99999\nQ-00001\n", []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, rules(lookAt(t, test.media, test.content, visits())))
		})
	}
}

func TestValuesAreTheSameHoweverTheyAreWritten(t *testing.T) {
	for ours, theirs := range map[string]string{
		"1234567.0": "1234567", "12345.50": "12345.5", "2020-01-02T10:11:12Z": "2020-01-02 10:11:12", "2020-01-02T00:00:00.000": "2020-01-02",
		"2020-01-02T10:11:12.500": "2020-01-02 10:11:12.500", "\"P-00001 \"": "P-00001", "12345678901234567890": "12345678901234567890",
	} {
		table := disclosure.Table{Columns: []disclosure.Column{{Name: "id", Kind: disclosure.Identifier}}, Rows: func(_ context.Context, _ []int, yield func([][]byte) error) error {
			return yield([][]byte{[]byte(theirs)})
		}}
		review := look(t, disclosure.Options{Data: []disclosure.Table{table}, Criteria: disclosure.Criteria{MinCell: 1, MaxRows: 10, CopiedRows: 1}, Parts: []disclosure.Part{disclosure.Text("stdout", "text/csv", "x\n"+ours+"\n")}})
		require.Contains(t, rules(review), disclosure.RuleIdentifierValues, ours)
	}
}

func TestNamesOfNobody(t *testing.T) {
	names, err := disclosure.NewNames(t.Context(), []disclosure.Table{{Columns: []disclosure.Column{{Name: "x"}}}})
	require.NoError(t, err)
	require.Nil(t, names)
	table := visits()
	table.Rows = func(context.Context, []int, func([][]byte) error) error { return errors.New("disk") }
	_, err = disclosure.NewNames(t.Context(), []disclosure.Table{table})
	require.ErrorContains(t, err, "disk")
}

func TestShortNumbersThatNamePersonsAreFewElsewhere(t *testing.T) {
	numbered := disclosure.Table{Columns: []disclosure.Column{{Name: "id", Kind: disclosure.Identifier}}, Rows: func(_ context.Context, _ []int, yield func([][]byte) error) error {
		for n := range 1000 {
			if err := yield([][]byte{fmt.Append(nil, 10_000+n)}); err != nil {
				return err
			}
		}
		return nil
	}}
	require.Empty(t, rules(lookAt(t, "text/csv", "x,y\n1.5,10001\n2.5,10002\n", numbered)))
	require.Equal(t, []string{disclosure.RuleIdentifierValues}, rules(lookAt(t, "text/csv", "x\n10001\n10002\n10003\n10004\n10005\n", numbered)))
}

func TestWhatCannotBeLookedAtIsSaid(t *testing.T) {
	for name, test := range map[string]struct{ media, content string }{
		"a row of megabytes": {"text/csv", "a,n\n\"" + strings.Repeat("x", 3<<20) + "\",4\n"},
		"columns beyond all": {"text/csv", strings.Repeat("a,", 2000) + "n\n"},
		"members beyond all": {"application/json", "[{" + strings.Repeat(`"a":1.5,`, 2000) + `"b":1.5}]`},
	} {
		t.Run(name, func(t *testing.T) {
			review := lookAt(t, test.media, test.content)
			require.Contains(t, rules(review), disclosure.RuleUnchecked)
			require.False(t, review.Complete)
			require.True(t, review.Needed)
		})
	}
}

func TestTimeEndsALook(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	review, err := disclosure.Look(ctx, disclosure.Options{
		Criteria: disclosure.Criteria{MinCell: 10, MaxRows: 10, CopiedRows: 5},
		Parts:    []disclosure.Part{disclosure.Text("stdout", "text/plain", "n=3")},
	})
	require.NoError(t, err)
	require.True(t, review.Needed)
	require.False(t, review.Complete)
}

func TestAFileThatCannotBeReadIsOurFailure(t *testing.T) {
	broken := disclosure.Part{Path: "a.csv", MediaType: "text/csv", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(iotest.ErrReader(errors.New("disk"))), nil
	}}
	_, err := disclosure.Look(t.Context(), disclosure.Options{Criteria: disclosure.Criteria{MinCell: 10, MaxRows: 10, CopiedRows: 5}, Parts: []disclosure.Part{broken}})
	require.ErrorContains(t, err, "disk")
	table := visits()
	table.Rows = func(context.Context, []int, func([][]byte) error) error { return errors.New("disk") }
	_, err = disclosure.Look(t.Context(), disclosure.Options{
		Criteria: disclosure.Criteria{MinCell: 10, MaxRows: 10, CopiedRows: 5}, Data: []disclosure.Table{table},
		Parts: []disclosure.Part{disclosure.Text("stdout", "text/csv", released([]int{3, 4}, 20))},
	})
	require.ErrorContains(t, err, "disk")
}

// TestWhatCannotBeAskedForIsOurFailure: also where something else could be, in the same part.
func TestWhatCannotBeAskedForIsOurFailure(t *testing.T) {
	failing := errors.New("disk")
	for name, broken := range map[string]struct{ names, rows error }{
		"names": {names: failing}, "rows": {rows: failing}, "both": {failing, failing},
	} {
		t.Run(name, func(t *testing.T) {
			data := []disclosure.Table{visits()}
			asked := 0
			_, err := disclosure.Look(t.Context(), disclosure.Options{
				Criteria: disclosure.Criteria{MinCell: 10, MaxRows: 1000, CopiedRows: 5}, Data: data,
				Parts: []disclosure.Part{disclosure.Text("stdout", "text/csv", released([]int{0, 3, 4}, 20))},
				Names: func(ctx context.Context) (*disclosure.Names, error) {
					asked++
					if broken.names != nil {
						return nil, broken.names
					}
					return disclosure.NewNames(ctx, data)
				},
				Rows: func(ctx context.Context) (*disclosure.Rows, error) {
					asked++
					if broken.rows != nil {
						return nil, broken.rows
					}
					return disclosure.NewRows(ctx, data, 1<<20)
				},
			})
			require.Equal(t, 2, asked, "both are asked for in this part")
			require.ErrorIs(t, err, failing)
		})
	}
}

func TestFindingsAreBounded(t *testing.T) {
	var all strings.Builder
	all.WriteString("a")
	for n := range 900 {
		fmt.Fprintf(&all, ",n_%d", n)
	}
	all.WriteString("\nA" + strings.Repeat(",3", 900) + "\n")
	review := lookAt(t, "text/csv", all.String())
	require.Len(t, review.Findings, 201)
	require.Equal(t, disclosure.RuleMore, review.Findings[200].Rule)
}

// FuzzLook: whatever a file has in it, a look ends, and tells nothing of it.
func FuzzLook(f *testing.F) {
	media := []string{"text/csv", "text/tab-separated-values", "text/plain", "text/markdown", "text/html", "application/json", "application/x-ndjson", "image/svg+xml", "application/pdf", disclosure.ChartType}
	for at, seed := range []string{
		"arm,n\nA,4\n", "a\tn\nA\t4\n", "     n\nA    4\n\ndtype: int64 n=3", "| a | n |\n|--|--|\n| A | 3 |", "<table><tr><th>n</th></tr><tr><td>3</td></tr></table>",
		`[[1,2],{"n":3},{"n":[1,{"a":2}]}]`, "{\"n\":3}\n{\"m\":4}\n",
		`<svg><text>P-00017</text><!-- n=3 --></svg>`, "%PDF-1.4\n1 0 obj\n<< /Title (a\\050b) /X <41> >>\nstream\nBT (x) Tj ET\nendstream\nendobj", `{"x":[1,2]}`,
	} {
		f.Add(uint8(at), seed)
	}
	for _, seed := range []string{"sex arm \\\nF A\nF A\n\nsbp\n90\n91\n", "sbp=90 weight=40.5\n", "[[90, 40.5], [91, 41.5]]", "  sbp\nsex\nF 90\n  91\n", "0  1.5\nName: sbp, dtype"} {
		f.Add(uint8(2), seed)
	}
	f.Add(uint8(5), `{"columns":["a","n"],"rows":[["x",3],4,{"n":1}],"index":["count",2],"index_names":["patient_id"]}`)
	f.Fuzz(func(t *testing.T, kind uint8, content string) {
		review, err := disclosure.Look(t.Context(), disclosure.Options{
			Criteria: disclosure.Criteria{MinCell: 10, MaxRows: 5, CopiedRows: 2}, Data: []disclosure.Table{visits()},
			Parts: []disclosure.Part{disclosure.Text("stdout", media[int(kind)%len(media)], content)},
		})
		if err != nil {
			require.Regexp(t, "json|xml", media[int(kind)%len(media)]) // what is none has not been verified
			return
		}
		require.LessOrEqual(t, len(review.Findings), 201)
	})
}

// Each part that leaves is told, and by its name, too: a person may keep back one of them.
func TestEachPartWithANameIsTold(t *testing.T) {
	open := func(content string) func() (io.ReadCloser, error) {
		return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
	}
	data := visits()
	review := look(t, disclosure.Options{
		Criteria: disclosure.Criteria{MinCell: 10, MaxRows: 1000, CopiedRows: 5}, Data: []disclosure.Table{data},
		Names: func(ctx context.Context) (*disclosure.Names, error) {
			return disclosure.NewNames(ctx, []disclosure.Table{data})
		},
		Parts: []disclosure.Part{
			{Path: "a.csv", MediaType: "text/csv", Open: open("label\nP-00017\n")}, {Path: "b.csv", MediaType: "text/csv", Open: open("label\nP-00017\n")},
			{Path: "curves/P-00017.png", MediaType: "image/png", Open: open("")},
		},
	})
	var paths []string
	for _, found := range review.Findings {
		if found.Rule == disclosure.RuleIdentifierValues {
			paths = append(paths, found.Path)
		}
	}
	require.Equal(t, []string{"a.csv", "b.csv", "curves/P-00017.png"}, paths)
}
