package runner

import (
	"sync"
	"time"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// Of requests of principals, who ask over a network, the first refusal of each within so long is an
// event, of so many of them, and so many more are, of one of them so many in all; one more event counts
// the rest. A loop, or a front that was taken over, would have the chain grow by gigabytes a day.
const (
	refusalsFor   = time.Minute
	refusalsFirst = 300
	refusalsMost  = 120
	refusalsEach  = 30
)

// refusals are those of the minute that goes on.
type refusals struct {
	mu    sync.Mutex
	since time.Time
	count int            // of events that are no principal's first
	each  map[string]int // events of principals
	rest  records.Event  // which counts those that have none of their own
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
	switch own := r.each[actor.Principal]; {
	case own == 0 && len(r.each) < refusalsFirst:
		r.each[actor.Principal] = 1
		return true
	case own > 0 && own < refusalsEach && r.count < refusalsMost:
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
