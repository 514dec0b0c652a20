package disclosure_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
)

// tested are 600 rows, of 100 in each site. All of site C and nobody of site D have the disease.
func tested() disclosure.Table {
	columns := []disclosure.Column{
		{Name: "site"}, {Name: "sex", Kind: disclosure.QuasiIdentifier}, {Name: "hiv_status", Kind: disclosure.Sensitive}, {Name: "diagnosis", Kind: disclosure.Sensitive}, {Name: "sbp"},
	}
	return disclosure.Table{Columns: columns, Rows: func(_ context.Context, wanted []int, yield func([][]byte) error) error {
		for n := range 600 {
			site := n % 6
			ill := site == 2 || site != 3 && n/6%3 == 0
			row := []string{string(rune('A' + site)), []string{"F", "M"}[n/6%2], strconv.FormatBool(ill), []string{"flu", "asthma"}[n/12%2], strconv.Itoa(90 + n%50)}
			if site == 5 {
				row[3] = "angina"
			}
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

// TestAValueOfAllOfAGroupIsSeen: the size of the group does not matter.
func TestAValueOfAllOfAGroupIsSeen(t *testing.T) {
	for name, test := range map[string]struct{ media, content string }{
		"a rate of all":                 {"text/csv", "site,hiv_status\nA,0.34\nC,1.0\n"},
		"a rate of nobody":              {"text/csv", "site,hiv_status\nA,0.34\nD,0.0\n"},
		"under a name made of it":       {"text/csv", "site,n,mean_hiv_status\nA,100,0.34\nC,100,1\n"},
		"in camel case":                 {"text/csv", "Site,hivStatusMax\nA,0.34\nC,True\n"},
		"by two columns":                {"text/csv", "sex,site,hiv_status\nF,A,0.3\nF,C,1\n"},
		"of another table's means":      {"text/csv", "site,sbp,hiv_status\nA,114.2,0.3\nC,115.1,1\n"},
		"a text":                        {"text/csv", "site,diagnosis\nA,flu\nF,angina\n"},
		"the only row of a cross table": {"text/csv", "site,diagnosis,n\nA,flu,50\nA,asthma,50\nF,angina,100\n"},
		"all combinations":              {"text/csv", "site,hiv_status,n\nC,false,0\nC,true,100\n"},
		"and the empty one last":        {"text/csv", "site,hiv_status,n\nC,true,100\nC,false,0\n"},
		"with another's between":        {"text/csv", "site,hiv_status,n\nC,false,0\nA,true,34\nC,true,100\n"},
		"of many texts":                 {"text/csv", "site,diagnosis,n\nF,flu,0\nF,asthma,0\nF,angina,100\n"},
		"by two columns, all of them":   {"text/csv", "sex,site,hiv_status,n\nF,C,False,0\nF,C,True,50\n"},
		"all combinations in records":   {"application/json", `[{"site":"C","hiv_status":false,"n":0},{"site":"C","hiv_status":true,"n":100}]`},
		"in a page":                     {"text/html", "<table><tr><th>site</th><th>hiv_status</th></tr><tr><td>C</td><td>1.0</td></tr></table>"},
		"in Markdown":                   {"text/markdown", "| site | hiv_status |\n|---|---|\n| C | 1 |\n"},
		"in records":                    {"application/json", `[{"site":"A","hiv_status":0.34},{"site":"C","hiv_status":1.0}]`},
		"in a frame":                    {"application/json", `{"columns":["site","hiv_status"],"rows":[["A",0.34],["C",1.0]]}`},
		"in a frame's index":            {"application/json", `{"columns":["hiv_status"],"rows":[[0.34],[1.0]],"index":["A","C"],"index_names":["site"]}`},
		"printed":                       {"text/plain", "  site  hiv_status\n0    A        0.34\n1    C        1.00\n"},
		"printed with an index":         {"text/plain", "      hiv_status\nsite            \nA           0.34\nC           1.00\n"},
		"in a sentence":                 {"text/plain", "site=C: hiv_status=1.0\n"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, rules(lookAt(t, test.media, test.content, tested())), disclosure.RuleOneValue, "%s", test.content)
		})
	}
}

func TestAFigureOfAGroupIsNone(t *testing.T) {
	for name, content := range map[string]string{
		"means":                     "site,hiv_status\nA,0.34\nB,0.33\nE,0.34\n",
		"means by sex":              "sex,site,hiv_status\nF,A,0.3\nM,A,0.35\n",
		"a part of those that have": "site,diagnosis,n\nA,flu,50\nA,asthma,50\nB,flu,50\nB,asthma,50\n",
		"all combinations of some":  "site,hiv_status,n\nA,false,66\nA,true,34\n",
		"most frequent":             "site,diagnosis\nA,flu\nB,flu\n",
		"counts":                    "diagnosis,n\nflu,250\nasthma,250\nangina,100\n",
		"of nobody's":               "site,hiv_status\nX,1\nY,0\n",
		"of a column like it":       "site,hiv\nC,1\n",
		"missing":                   "site,hiv_status\nC,\n",
		"what is not sensitive":     "site,sbp\nA,114.2\nC,115.1\n",
	} {
		t.Run(name, func(t *testing.T) {
			require.NotContains(t, rules(lookAt(t, "text/csv", content, tested())), disclosure.RuleOneValue, "%s", content)
		})
	}
	require.NotContains(t, rules(lookAt(t, "text/csv", "site,hiv_status\nC,1\n", visits())), disclosure.RuleOneValue, "nothing is marked")
}
