package runner

import (
	"sync"
	"time"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// Of requests of principals, who ask over a network, so many refusals are events each within so
// long, and of one of them so many; one more event counts the rest. A loop, or a front that was taken
// over, would have the chain grow by gigabytes a day.
const (
	refusalsFor  = time.Minute
	refusalsMost = 120
	refusalsEach = 30
)

// refusals are those of the minute that goes on.
type refusals struct {
	mu    sync.Mutex
	since time.Time
	count int
	each  map[string]int
	rest  records.Event // which counts those that have none of their own
}

// take says whether a refusal has an event of its own. The first that has none begins a count, which
// is told when the minute is over.
func (r *refusals) take(actor job.Actor, now time.Time, tell func()) bool {
	if actor.Principal == "" {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if passed := now.Sub(r.since); r.each == nil || passed >= refusalsFor || passed < 0 {
		r.since, r.count, r.each = now, 0, map[string]int{}
	}
	if r.count < refusalsMost && r.each[actor.Principal] < refusalsEach {
		r.count++
		r.each[actor.Principal]++
		return true
	}
	if r.rest.Count == 0 {
		actor.Principal = ""
		r.rest = records.Event{Kind: records.KindRefused, Actor: actor, Reason: "more requests of principals within a minute"}
		time.AfterFunc(refusalsFor, tell)
	}
	r.rest.Count++
	return false
}

// over is the event of those that have none of their own, once.
func (r *refusals) over() records.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := r.rest
	r.rest = records.Event{}
	return rest
}
