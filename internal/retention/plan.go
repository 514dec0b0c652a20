// Package retention decides what of a store is deleted: what the policies of the runs that it
// belongs to no longer keep.
//
// It decides by rules and a list, and deletes nothing. What no policy speaks of stays, and what
// several policies keep goes only where all of them let it go.
package retention

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"hotcell/internal/policy"
)

// Item is one thing that is kept.
type Item struct {
	ID       string    `json:"id"`   // of the run, or the digest
	Part     string    `json:"part"` // a key of the policy's retention
	Name     string    `json:"name,omitempty"`
	Policies []string  `json:"policies"` // of the runs that it belongs to, at least one
	At       time.Time `json:"at"`       // when the run was, or the last run that had it
	Bytes    int64     `json:"bytes"`
	// Needed says why it stays whatever the rules say, or is "".
	Needed string `json:"needed,omitempty"`
}

// Deletion is an item that is to go, and the rules that say so.
type Deletion struct {
	Item
	Rule string `json:"rule"`
}

// Plan lists what is to be deleted at a moment, oldest first. rules are by the names of
// policies; one that is not among them keeps everything. What is needed counts among the
// newest, too. A run that goes as a whole is listed once.
func Plan(items []Item, rules map[string]*policy.Retention, now time.Time) []Deletion {
	marks := make([]map[string]string, len(items)) // policy → rule
	for name, of := range rules {
		for _, part := range of.Parts() {
			mark(items, marks, name, part, now)
		}
	}
	var plan []Deletion
	for index, item := range items {
		if item.Needed != "" || len(item.Policies) == 0 {
			continue
		}
		if rule, all := agreed(item, marks[index]); all {
			plan = append(plan, Deletion{item, rule})
		}
	}
	whole := map[string]bool{}
	for _, one := range plan {
		whole[one.ID] = whole[one.ID] || one.Part == policy.RetainRecords
	}
	plan = slices.DeleteFunc(plan, func(one Deletion) bool { return whole[one.ID] && one.Part != policy.RetainRecords })
	slices.SortStableFunc(plan, func(a, b Deletion) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return plan
}

// mark notes which items a policy no longer keeps, by one part of its rules.
func mark(items []Item, marks []map[string]string, name string, part policy.RetentionPart, now time.Time) {
	var mine []int
	for index, item := range items {
		if item.Part == part.Name && slices.Contains(item.Policies, name) {
			mine = append(mine, index)
		}
	}
	slices.SortStableFunc(mine, func(a, b int) int { return items[b].At.Compare(items[a].At) }) // the newest first
	var bytes int64
	for place, index := range mine {
		item := items[index]
		bytes += item.Bytes
		if bound := exceeded(part.Keep, item, int64(place)+1, bytes, now); bound != "" {
			if marks[index] == nil {
				marks[index] = map[string]string{}
			}
			marks[index][name] = fmt.Sprintf("%s.record.retention.%s.%s", name, part.Name, bound)
		}
	}
}

// exceeded is the bound that lets an item go, as its key and value, or "".
func exceeded(keep policy.Keep, item Item, place, bytes int64, now time.Time) string {
	switch {
	case keep.Days > 0 && now.Sub(item.At) > time.Duration(keep.Days)*24*time.Hour:
		return fmt.Sprintf("days: %d", keep.Days)
	case keep.Count > 0 && place > keep.Count:
		return fmt.Sprintf("count: %d", keep.Count)
	case keep.Bytes > 0 && bytes > int64(keep.Bytes):
		return fmt.Sprintf("bytes: %s", keep.Bytes)
	}
	return ""
}

// agreed reports whether all policies of an item let it go, and by which rule of the first.
func agreed(item Item, marks map[string]string) (rule string, all bool) {
	for _, name := range item.Policies {
		if marks[name] == "" {
			return "", false
		}
	}
	return marks[item.Policies[0]], true
}
