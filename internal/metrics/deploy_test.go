package metrics_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// seriesNames are all that a service may have, histograms by their three.
func seriesNames(t *testing.T) map[string]bool {
	t.Helper()
	m := made(t, options())
	one := ran(job.OutputRejected)
	one.Run.Result.Violations = []job.Violation{{Rule: "output.symlink"}}
	one.Run.Result.ToolCalls = []job.ToolCall{{Name: "lookup"}}
	m.Ended(one)
	failed := ran(job.Rejected)
	failed.Run.Result.Violations = []job.Violation{{Rule: "import.denied"}}
	m.Ended(failed)
	m.Request("GET /v1/runs", 200, time.Second)
	names := map[string]bool{}
	for line := range strings.Lines(scraped(t, m)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "{")
		name, _, _ = strings.Cut(name, " ")
		names[name] = true
	}
	return names
}

// checkExpression parses it, and refuses a name that no service has.
func checkExpression(t *testing.T, names map[string]bool, expression string) {
	t.Helper()
	_, err := parser.NewParser(parser.Options{}).ParseExpr(expression)
	require.NoError(t, err, expression)
	for _, name := range regexp.MustCompile(`\bhotcell_\w+`).FindAllString(expression, -1) {
		require.True(t, names[name], "%s: there is no series %s", expression, name)
	}
}

func TestAlertsAreRulesOfPrometheus(t *testing.T) {
	text, err := os.ReadFile("../../deploy/monitoring/alerts.yaml")
	require.NoError(t, err)
	groups, faults := rulefmt.Parse(text, false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	require.Empty(t, faults)
	names := seriesNames(t)
	told, err := os.ReadFile("../../docs/operations.md")
	require.NoError(t, err)
	for _, group := range groups.Groups {
		for _, rule := range group.Rules {
			checkExpression(t, names, rule.Expr)
			require.Contains(t, string(told), "`"+rule.Alert+"`", "docs/operations.md says what to do about each alert")
		}
	}
}

func TestTheDashboardAsksForWhatThereIs(t *testing.T) {
	text, err := os.ReadFile("../../deploy/monitoring/dashboard.json")
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &dashboard))
	require.NotEmpty(t, dashboard.Panels)
	names := seriesNames(t)
	for _, panel := range dashboard.Panels {
		require.NotEmpty(t, panel.Targets, panel.Title)
		for _, target := range panel.Targets {
			checkExpression(t, names, target.Expr)
		}
	}
}
