package sarif

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rulesTable has the guard's own table.
const rulesTable = "../../images/python-analysis/guard/src/hotcell_guard/vetting/_rules.py"

var update = flag.Bool("update", false, "take the guard's rules over into rules.json")

// TestRulesAreTheGuards reads the table's literals: ids and adjacent strings in
// double quotes, in the way in which it is written.
func TestRulesAreTheGuards(t *testing.T) {
	source, err := os.ReadFile(rulesTable)
	require.NoError(t, err)
	table := regexp.MustCompile(`(?ms)^RULES: Final\[Mapping\[str, str\]\] = \{\n(.+?)^\}$`).FindSubmatch(source)
	require.NotNil(t, table, "RULES is written in another way")
	want := map[string]string{}
	entry := regexp.MustCompile(`(?s)    "([a-z._]+)": \(?(.+?)\)?,\n`)
	for _, found := range entry.FindAllStringSubmatch(string(table[1]), -1) {
		var help strings.Builder
		for _, quoted := range regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).FindAllString(found[2], -1) {
			var text string
			require.NoError(t, json.Unmarshal([]byte(quoted), &text), found[1])
			help.WriteString(text)
		}
		want[found[1]] = help.String()
	}
	if *update {
		writeRules(t, want)
		return
	}
	got := map[string]string{}
	require.NoError(t, json.Unmarshal(guardRules, &got))
	require.Equal(t, want, got, "run `go test ./internal/sarif -run TestRulesAreTheGuards -update`, and look at the difference")
}

func writeRules(t *testing.T, rules map[string]string) {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(rules))
	require.NoError(t, os.WriteFile("rules.json", text.Bytes(), 0o644))
}
