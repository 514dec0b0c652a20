package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARunIsWhatItsRowClaims(t *testing.T) {
	answer := func(status, result, trace string) string {
		return `{"status": "` + status + `", "result": ` + result + `, "trace": ` + trace + `}`
	}
	warm, cold := `{"warm": true, "phases": []}`, `{"warm": false, "phases": []}`
	for _, c := range []struct {
		name, printed string
		warm          bool
		says          string // "" for a run that is
	}{
		{"a warm run", answer("succeeded", "2", warm), true, ""},
		{"a cold run", answer("succeeded", "2", cold), false, ""},
		{"a cold run in a warm row", answer("succeeded", "2", cold), true, errNotWarm.Error()},
		{"a warm run in a cold row", answer("succeeded", "2", warm), false, "should not have been"},
		{"a run that failed", answer("failed", "2", warm), true, "failed"},
		{"a run without a trace", answer("succeeded", "2", "null"), true, "no trace"},
		{"another result", answer("succeeded", "3", warm), true, "1 + 1 is 3"},
		{"no answer", "runner: broken", true, "read the answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := checkRun(one, c.printed, c.warm)
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestASessionsFirstAnswerIsItsStepsAndNotThatItIsReady(t *testing.T) {
	means := make([]string, 0, sites)
	for site := range sites {
		means = append(means, fmt.Sprintf("%q: 1.5", strconv.Itoa(site)))
	}
	step := `{"status": "succeeded", "result": {` + strings.Join(means, ", ") + "}}\n"
	for _, printed := range []string{step, `{"ready":{"protocol":2}}` + "\n" + step} {
		lines := bufio.NewReader(strings.NewReader(printed + `{"status": "succeeded", "result": null}` + "\n"))
		line, err := firstAnswer(lines)
		require.NoError(t, err)
		require.NoError(t, checkStep(line))
	}
	_, err := firstAnswer(bufio.NewReader(strings.NewReader(`{"ready":{"protocol":2}}` + "\n")))
	require.ErrorIs(t, err, io.EOF)
}

func TestAGroupByHasAMeanForEachSite(t *testing.T) {
	require.Error(t, group.check([]byte(`{"1": 2.5}`)))
	require.Error(t, group.check([]byte(`null`)))
	require.Error(t, group.checkPlain("{1: 2.5}"))
	require.NoError(t, pandas.check([]byte(`null`)))
}

func TestATableHasItsSizeAndNoNoteTwice(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	require.NoError(t, writeTable(dir, "visits", 1))
	text := read(t, dir, "visits.csv")
	require.InDelta(t, 1_000_000, len(text), 100)
	notes := map[string]bool{}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines[1:] {
		fields := strings.Split(line, ",")
		require.Len(t, fields, 4)
		notes[fields[3]] = true
	}
	require.Len(t, notes, len(lines)-1)
	info, err := os.Stat(filepath.Join(dir, "visits.csv"))
	require.NoError(t, err)
	require.EqualValues(t, 0o644, info.Mode().Perm(), "other users' containers read it")
}

func TestPrivateMemoryIsReadFromTheKernelsSum(t *testing.T) {
	bytes, err := privateDirty("55 - 7f [rollup]\nRss: 216312 kB\nShared_Dirty: 9 kB\nPrivate_Dirty:      5416 kB\n")
	require.NoError(t, err)
	require.InDelta(t, 5416*1024, bytes, 0)
	_, err = privateDirty("Rss: 1 kB\n")
	require.Error(t, err)
}

func TestPageFaultsAreMeasured(t *testing.T) {
	for name, measure := range map[string]func() (float64, error){
		"fresh":  func() (float64, error) { return freshFaults(t.Context()) },
		"copied": func() (float64, error) { return copiedFaults(t.Context()) },
	} {
		took, err := measure()
		require.NoError(t, err, name)
		require.Positive(t, took, name)
	}
}
