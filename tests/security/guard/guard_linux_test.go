package guard_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryClassIsAClass fails when a class has become a case, and when the page that
// explains it has lost it.
func TestEveryClassIsAClass(t *testing.T) {
	counts := make(map[string]int)
	for _, a := range attempts(t) {
		counts[a.class]++
	}
	page, err := os.ReadFile("../../../docs/guard.md")
	require.NoError(t, err)
	for class, name := range classes {
		require.Contains(t, string(page), "\n| "+class+" ")
		require.GreaterOrEqual(t, counts[class], leastPerClass, "%s, %s", class, name)
	}
}

// TestAttempts runs the corpus without the guard, where each attempt has to work,
// and under the guard, where none may but those that only the sandbox can hold.
func TestAttempts(t *testing.T) {
	corpus := attempts(t)
	verdicts := shoot(t, append(slices.Clone(corpus), control))
	for _, side := range []string{"plain", "guarded"} {
		require.Equal(t, "escaped", verdicts[side][control.Name].Verdict, "the %s side does not see a marker: %s", side, verdicts[side][control.Name].Detail)
	}
	t.Log(table(corpus, verdicts))
	for _, a := range corpus {
		t.Run(a.class+"/"+a.Name, func(t *testing.T) {
			plain, guarded := verdicts["plain"][a.Name], verdicts["guarded"][a.Name]
			require.Equal(t, "escaped", plain.Verdict, "it proves nothing, for it fails without the guard: %s", plain.Detail)
			if !a.beyond {
				require.Contains(t, []string{"rejected", "raised", "completed", "fault"}, guarded.Verdict, "%s", guarded.Detail)
			}
			t.Logf("%s: %s", guarded.Verdict, guarded.Detail)
		})
	}
	require.Equal(t, "0", verdicts["guarded"][""].Detail, "connections came from under the guard")
}

// control is a script that any guard lets through: it shows that the range runs
// scripts on both sides and sees what they print.
var control = attempt{Name: "control", Source: []byte(`print("ESCAPED:control")`)}

// table says by class how many attempts there are, how many work without the
// guard, how many were refused before they ran, how many work under the guard, and
// how many of those are left to the sandbox.
func table(corpus []attempt, verdicts map[string]map[string]verdict) string {
	type row struct{ attempts, plain, rejected, guarded, beyond int }
	rows := make(map[string]*row)
	for _, a := range corpus {
		if rows[a.class] == nil {
			rows[a.class] = new(row)
		}
		r := rows[a.class]
		r.attempts++
		r.plain += count(verdicts["plain"][a.Name], "escaped")
		r.rejected += count(verdicts["guarded"][a.Name], "rejected")
		if a.beyond {
			r.beyond += count(verdicts["guarded"][a.Name], "escaped")
		} else {
			r.guarded += count(verdicts["guarded"][a.Name], "escaped")
		}
	}
	var text strings.Builder
	line := "%-5s %-38s %8v %6v %9v %8v %8v\n"
	fmt.Fprintf(&text, "\n"+line, "class", "", "attempts", "plain", "rejected", "guarded", "sandbox")
	total := row{}
	for _, class := range slices.Sorted(maps.Keys(rows)) {
		r := rows[class]
		fmt.Fprintf(&text, line, class, classes[class], r.attempts, r.plain, r.rejected, r.guarded, r.beyond)
		total = row{total.attempts + r.attempts, total.plain + r.plain, total.rejected + r.rejected, total.guarded + r.guarded, total.beyond + r.beyond}
	}
	fmt.Fprintf(&text, line, "all", "", total.attempts, total.plain, total.rejected, total.guarded, total.beyond)
	return text.String()
}

func count(v verdict, wanted string) int {
	if v.Verdict == wanted {
		return 1
	}
	return 0
}
