package disclosure_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
	"hotcell/internal/job"
)

func look(t testing.TB, options disclosure.Options) job.Review {
	t.Helper()
	if options.Criteria == (disclosure.Criteria{}) {
		options.Criteria = disclosure.Criteria{MinCell: 10, MaxRows: 100, CopiedRows: 5}
	}
	options.Names = func(ctx context.Context) (*disclosure.Names, error) { return disclosure.NewNames(ctx, options.Data) }
	options.Rows = func(ctx context.Context) (*disclosure.Rows, error) {
		return disclosure.NewRows(ctx, options.Data, 1<<16)
	}
	review, err := disclosure.Look(t.Context(), options)
	require.NoError(t, err)
	return review
}

func lookAt(t testing.TB, mediaType, content string, data ...disclosure.Table) job.Review {
	t.Helper()
	return look(t, disclosure.Options{Parts: []disclosure.Part{disclosure.Text("stdout", mediaType, content)}, Data: data})
}

func rules(review job.Review) []string {
	all := []string{}
	for _, finding := range review.Findings {
		all = append(all, finding.Rule)
	}
	return all
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	var all []string
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		all = append(all, scanner.Text())
	}
	return all
}

// TestWhatPatternsFind measures what docs/disclosure.md says: how many identifiers of a test
// set are found, by class, and how many lines of ordinary results are taken for one.
func TestWhatPatternsFind(t *testing.T) {
	found, all := map[string]int{}, map[string]int{}
	var missed, order []string
	for _, line := range lines(t, "../identifiers/testdata/identifiers.tsv") {
		class, text, _ := strings.Cut(line, "\t")
		if all[class] == 0 {
			order = append(order, class)
		}
		all[class]++
		hit := false
		for _, rule := range rules(lookAt(t, "text/plain", text)) {
			hit = hit || rule == disclosure.RulePattern+class
		}
		if hit {
			found[class]++
		} else {
			missed = append(missed, line)
		}
	}
	var alarms []string
	harmless := lines(t, "../identifiers/testdata/harmless.txt")
	for _, line := range harmless {
		review := look(t, disclosure.Options{Parts: []disclosure.Part{disclosure.Text("stdout", "text/plain", line)}, Ours: []string{"27 Nov 2026"}})
		for _, rule := range rules(review) {
			if strings.HasPrefix(rule, disclosure.RulePattern) {
				alarms = append(alarms, rule+": "+line)
			}
		}
	}
	t.Logf("missed:\n%s\nfalse alarms:\n%s", strings.Join(missed, "\n"), strings.Join(alarms, "\n"))
	page, err := os.ReadFile("../../docs/disclosure.md")
	require.NoError(t, err)
	for _, class := range order {
		require.Contains(t, string(page), fmt.Sprintf("| `%s` | %d of %d |", class, found[class], all[class]))
	}
	require.Contains(t, string(page), fmt.Sprintf("%d of %d lines", len(alarms), len(harmless)))
}

func identified(review job.Review) []string {
	all := []string{}
	for _, rule := range rules(review) {
		if rule == disclosure.RuleIdentifierValues {
			all = append(all, rule)
		}
	}
	return all
}
