package retention_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/policy"
	"hotcell/internal/retention"
)

var now = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func item(id, part string, days int, bytes int64, policies ...string) retention.Item {
	return retention.Item{ID: id, Part: part, Policies: policies, At: now.Add(-time.Duration(days)*24*time.Hour - time.Minute), Bytes: bytes}
}

// gone are what a plan deletes, with its rules.
func gone(items []retention.Item, rules map[string]*policy.Retention) map[string]string {
	found := map[string]string{}
	for _, one := range retention.Plan(items, rules, now) {
		found[one.ID] = one.Rule
	}
	return found
}

func TestEachBoundLetsTheOldestGo(t *testing.T) {
	items := []retention.Item{
		item("a", "records", 40, 100, "p"), item("b", "records", 20, 100, "p"), item("c", "records", 1, 100, "p"),
		item("q", "quarantine", 400, 1, "p"), item("other", "records", 400, 1, "z"),
	}
	for name, test := range map[string]struct {
		keep policy.Keep
		want map[string]string
	}{
		"days":  {policy.Keep{Days: 30}, map[string]string{"a": "p.record.retention.records.days: 30"}},
		"count": {policy.Keep{Count: 1}, map[string]string{"a": "p.record.retention.records.count: 1", "b": "p.record.retention.records.count: 1"}},
		"bytes": {policy.Keep{Bytes: 250}, map[string]string{"a": "p.record.retention.records.bytes: 250 B"}},
		"more than one": {policy.Keep{Days: 10, Count: 3, Bytes: 1000}, map[string]string{
			"a": "p.record.retention.records.days: 10", "b": "p.record.retention.records.days: 10",
		}},
		"exactly": {policy.Keep{Count: 3, Bytes: 300}, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, gone(items, map[string]*policy.Retention{"p": {Records: &test.keep}}))
		})
	}
}

func TestWhatNoPolicySpeaksOfStays(t *testing.T) {
	items := []retention.Item{item("a", "records", 4000, 1, "p"), item("b", "bundles", 4000, 1), item("c", "code", 4000, 1, "p")}
	for name, rules := range map[string]map[string]*policy.Retention{
		"no rules":      nil,
		"another part":  {"p": {Quarantine: &policy.Keep{Days: 1}}},
		"a policy gone": {"q": {Records: &policy.Keep{Days: 1}}},
		"without rules": {"p": nil},
	} {
		t.Run(name, func(t *testing.T) { require.Empty(t, gone(items, rules)) })
	}
}

func TestWhatIsNeededStaysAndCounts(t *testing.T) {
	held := item("held", "records", 40, 100, "p")
	held.Needed = "it is held"
	young := item("young", "records", 1, 100, "p")
	young.Needed = "it is held"
	rules := map[string]*policy.Retention{"p": {Records: &policy.Keep{Count: 1}}}
	require.Equal(t, map[string]string{"old": "p.record.retention.records.count: 1"}, gone([]retention.Item{held, item("old", "records", 20, 1, "p"), young}, rules))
}

// What two policies had goes when both let it go.
func TestAllPoliciesOfAnItemMustAgree(t *testing.T) {
	items := []retention.Item{item("a", "bundles", 100, 1, "p", "q"), item("b", "bundles", 10, 1, "p", "q")}
	long, short := &policy.Retention{Bundles: &policy.Keep{Days: 50}}, &policy.Retention{Bundles: &policy.Keep{Days: 5}}
	require.Equal(t, map[string]string{"a": "p.record.retention.bundles.days: 50"}, gone(items, map[string]*policy.Retention{"p": long, "q": short}))
	require.Empty(t, gone(items, map[string]*policy.Retention{"p": short}))
}

func TestARunThatGoesIsListedOnce(t *testing.T) {
	items := []retention.Item{item("a", "code", 50, 1, "p"), item("a", "records", 50, 1, "p"), item("b", "code", 20, 1, "p"), item("b", "records", 20, 1, "p")}
	plan := retention.Plan(items, map[string]*policy.Retention{"p": {Records: &policy.Keep{Days: 30}, Code: &policy.Keep{Days: 10}}}, now)
	require.Len(t, plan, 2)
	require.Equal(t, "records", plan[0].Part)
	require.Equal(t, []string{"b", "code"}, []string{plan[1].ID, plan[1].Part})
}

func TestAPlanIsOldestFirst(t *testing.T) {
	items := []retention.Item{item("new", "records", 50, 1, "p"), item("old", "records", 90, 1, "p"), item("mid", "records", 70, 1, "p")}
	plan := retention.Plan(items, map[string]*policy.Retention{"p": {Records: &policy.Keep{Days: 1}}}, now)
	require.Equal(t, []string{"old", "mid", "new"}, []string{plan[0].ID, plan[1].ID, plan[2].ID})
}
