package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func measured() page {
	t := table{name: "all", head: []string{"ratio", "way"}}
	t.add("2.50", "**cold**, `runc`")
	return page{
		tables: []table{t},
		plots:  []figure{{name: "callers", title: "By callers", x: "callers", curves: []curve{{name: "warm", points: []point{{1, 10}, {2, 20}}}}}},
	}
}

// checkout makes a directory with the two documents.
func checkout(t *testing.T, readme, performance string) string {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "docs"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, "README.md"), []byte(readme), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "docs", "performance.md"), []byte(performance), 0o600))
	return root
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	require.NoError(t, err)
	return string(text)
}

const place = "before\n<!-- bench: all -->\nold\n<!-- bench ends -->\nafter\n<!-- bench: other -->\nkept\n<!-- bench ends -->\n<!-- bench: plot of callers -->\n<!-- bench ends -->\n"

func TestATableReplacesTheOneOfItsName(t *testing.T) {
	root := checkout(t, "nothing here\n", place)
	for range 2 { // the second time it replaces itself
		require.NoError(t, measured().document(root))
		text := read(t, root, "docs", "performance.md")
		want := strings.Replace(place, "old\n", "\n| ratio | way |\n| --- | --- |\n| 2.50 | **cold**, `runc` |\n\n", 1)
		want = strings.Replace(want, "plot of callers -->\n", "plot of callers -->\n\n![By callers](performance/callers.svg)\n\n", 1)
		require.Equal(t, want, text)
		require.Contains(t, read(t, root, "docs", "performance", "callers.svg"), "<svg")
		require.Equal(t, "nothing here\n", read(t, root, "README.md"))
	}
}

func TestATableWithoutAPlaceIsAnError(t *testing.T) {
	root := checkout(t, "nothing here\n", "<!-- bench: all -->\nits end is missing\n")
	require.ErrorContains(t, measured().document(root), `no document has a place for "all"`)
	require.Contains(t, read(t, root, "docs", "performance.md"), "its end is missing")
}

func TestWhereOneHasNoPlaceNothingIsWritten(t *testing.T) {
	// README.md has a place for the table, and nothing has one for the plot.
	readme := "<!-- bench: all -->\nold\n<!-- bench ends -->\n"
	root := checkout(t, readme, "nothing here\n")
	require.ErrorContains(t, measured().document(root), `no document has a place for "plot of callers"`)
	require.Equal(t, readme, read(t, root, "README.md"))
	require.Equal(t, "nothing here\n", read(t, root, "docs", "performance.md"))
	require.NoFileExists(t, filepath.Join(root, "docs", "performance", "callers.svg"))
}

// A part that fails late costs what it would have measured, and nothing else.
func TestAPageHasWhatThereIsWhenAPartHasFailed(t *testing.T) {
	broken := errors.New("no session opens")
	l := &lab{options: options{runner: "/bin/true", size: 100, rounds: 1}}
	c := l.comparison()
	for _, s := range []script{one, pandas, group} {
		c.floors[s.name] = &way{name: "fork floor", script: s.name, took: sample{2}}
		for _, name := range []string{"warm, oci crun", "warm, docker", "cold, oci crun", "plain `runc run`", "cold, docker", "plain `docker run`", "bare Python, chroot", "bubblewrap", "go-judge, container reused"} {
			c.ways = append(c.ways, &way{name: name, script: s.name, beside: c.floors[s.name], took: sample{5}})
		}
	}
	for _, start := range []*way{nil, {name: "the command", took: sample{7}}} {
		c.start = start
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // as by Ctrl-C
		found, err := c.afterwards(ctx, broken)
		require.ErrorIs(t, err, broken)
		text := found.text()
		require.Contains(t, text, "2.50   fork floor  5.00    5.00    1  1 + 1")
		require.Contains(t, text, "not measured")
		require.Equal(t, start != nil, strings.Contains(text, "the command"))
	}
}

func TestWhatFailedIsPrintedAndNotDocumented(t *testing.T) {
	broken := errors.New("no session opens")
	root := checkout(t, "nothing here\n", place)
	var out bytes.Buffer
	require.ErrorIs(t, publish(&out, measured(), broken, root), broken)
	require.Contains(t, out.String(), "cold, runc")
	require.Equal(t, place, read(t, root, "docs", "performance.md"))
	require.NoError(t, publish(&out, measured(), nil, root))
	require.NotEqual(t, place, read(t, root, "docs", "performance.md"))
}

func TestThePageForATerminalHasAlignedColumnsWithoutMarks(t *testing.T) {
	require.Equal(t, "\nratio  way\n2.50   cold, runc\n", measured().text())
}

func TestFiguresHaveThreeDigitsThatCount(t *testing.T) {
	for value, text := range map[float64]string{0.01664: "0.0166", 1.239: "1.24", 16.66: "16.7", 205.2: "205"} {
		require.Equal(t, text, ms(value))
	}
	require.Empty(t, ms(math.NaN()))
	require.Empty(t, times(math.NaN()))
}

func TestARowSaysWhyItIsNotMeasured(t *testing.T) {
	w := &way{name: "nsjail", script: "`1 + 1`", absent: "not installed", beside: &way{}}
	require.Equal(t, []string{"", "", "not installed", "", "0", "`1 + 1`", "nsjail"}, w.row())
}

func TestARowHasItsRatioToWhatItStandsBeside(t *testing.T) {
	base := &way{name: "fork floor: a bare fork", took: sample{2}}
	w := &way{name: "warm", script: "group-by", beside: base, took: sample{5, 4, 6}}
	require.Equal(t, []string{"2.50", "fork floor", "5.00", "6.00", "3", "group-by", "warm"}, w.row())
	require.Empty(t, base.row()[0], "a baseline stands beside nothing")
}

func TestAGoalSaysByHowMuchItIsMissed(t *testing.T) {
	for _, c := range []struct {
		name string
		goal goal
		says string
	}{
		{"reached", goal{bound: 10, measured: 9}, "yes"},
		{"exactly reached", goal{bound: 10, measured: 10}, "yes"},
		{"missed", goal{bound: 10, measured: 25}, "no, by a factor of 2.50"},
		{"enough", goal{bound: 50, measured: 51, atLeast: true}, "yes"},
		{"too few", goal{bound: 50, measured: 20, atLeast: true}, "no, by a factor of 2.50"},
		{"not measured", goal{bound: 50, measured: math.NaN()}, "not measured"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.says, c.goal.holds()) })
	}
}

func TestTheDocumentsHaveAPlaceForEverything(t *testing.T) {
	text := read(t, "..", "..", "README.md") + read(t, "..", "..", "docs", "performance.md")
	for _, name := range []string{
		"machine", "costs", "goals", "short", "all", "other", "phases",
		"scale-machine", "callers", "plot of callers", "modes", "sizes", "plot of bundles", "size-goal", "outputs",
	} {
		_, ok := replace(text, name, "")
		require.True(t, ok, name)
	}
}
