package engineapi

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"hotcell/internal/admission"
	"hotcell/internal/budget"
	"hotcell/internal/job"
	"hotcell/internal/journal"
)

// What is kept of runs that have ended, for whoever was away just then. Later their records
// answer.
const (
	keptRuns  = 256
	keptBytes = 64 << 20
	keptFor   = 10 * time.Minute
)

// detachedRun is a run, or a session, that is known by its id. mu of its table guards all
// but principal, log and cancel.
type detachedRun struct {
	id        job.ID
	principal Principal // whose it is
	log       *journal.Log
	cancel    context.CancelFunc
	share     *budget.Share // of its request, or nil where another has it

	weight int64 // of its answer

	offered *task // until it begins
	over    bool
	answer  json.RawMessage // an answer, once it is over
	forget  *time.Timer     // of what is offered, or over
}

// detachedRuns are those that have not ended, and those that have ended lately. Its methods
// may be called concurrently.
type detachedRuns struct {
	going sync.WaitGroup // what carries them out

	mu       sync.Mutex
	known    map[job.ID]*detachedRun
	ended    []*detachedRun // the oldest first
	kept     int64          // weight of those
	draining bool
}

func newDetachedRuns() *detachedRuns { return &detachedRuns{known: make(map[job.ID]*detachedRun)} }

// reserve keeps an id for a run, which is going from now on. Its owner ends it by end or drop.
func (d *detachedRuns) reserve(run *detachedRun) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.draining:
		return admission.ErrDraining
	case d.known[run.id] != nil:
		return ErrKnown
	}
	d.known[run.id] = run
	d.going.Add(1)
	return nil
}

// offer keeps one that is ready to begin for a while, after which expired is called, and reports
// whether it does: nothing begins any more once this is drained.
func (d *detachedRuns) offer(made *task, kept time.Duration, expired func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining {
		return false
	}
	made.run.offered = made
	made.run.forget = time.AfterFunc(kept, func() {
		if d.take(made.run) != nil {
			expired()
		}
	})
	return true
}

// take is what was offered, once, or nil.
func (d *detachedRuns) take(run *detachedRun) *task {
	d.mu.Lock()
	defer d.mu.Unlock()
	return run.takeLocked()
}

// takeLocked is take. mu is held.
func (run *detachedRun) takeLocked() *task {
	made := run.offered
	if made != nil {
		run.offered = nil
		run.forget.Stop()
	}
	return made
}

// drop ends one of which nothing is to be known: it has not begun, or its record says all.
func (d *detachedRuns) drop(run *detachedRun) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.going.Done()
	delete(d.known, run.id)
	run.log.End()
}

// end keeps the answer for a while.
func (d *detachedRuns) end(run *detachedRun, said json.RawMessage) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.going.Done()
	run.over, run.answer = true, said
	run.weight = int64(len(said)) + run.log.Bytes()
	run.log.End()
	run.forget = time.AfterFunc(keptFor, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.forgetLocked(run)
	})
	d.ended, d.kept = append(d.ended, run), d.kept+run.weight
	for len(d.ended) > 1 && (len(d.ended) > keptRuns || d.kept > keptBytes) { // the newest one stays
		d.forgetLocked(d.ended[0])
	}
}

// forgetLocked forgets one that has ended, once. mu is held.
func (d *detachedRuns) forgetLocked(run *detachedRun) {
	run.forget.Stop()
	for index, one := range d.ended {
		if one == run {
			d.ended = append(d.ended[:index:index], d.ended[index+1:]...)
			d.kept -= run.weight
			delete(d.known, run.id)
			return
		}
	}
}

// find is nil for one that is not known any more.
func (d *detachedRuns) find(id job.ID) *detachedRun {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known[id]
}

// outcome is what memory says of a run, and whose it is: nobody's where that is nothing.
func (d *detachedRuns) outcome(id job.ID) (found fated[json.RawMessage], of Principal) {
	d.mu.Lock()
	defer d.mu.Unlock()
	run := d.known[id]
	switch {
	case run == nil:
		return fated[json.RawMessage]{}, ""
	case run.over:
		return fated[json.RawMessage]{FateEnded, run.answer}, run.principal
	default:
		return fated[json.RawMessage]{Fate: FateHeld}, run.principal
	}
}

// drain takes no run any more. It returns what is offered: none of that begins.
func (d *detachedRuns) drain() (offered []*task) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.draining = true
	for _, run := range d.known {
		if made := run.takeLocked(); made != nil {
			offered = append(offered, made)
		}
	}
	return offered
}

// wait returns when none is going, or with ctx, and forgets those that have ended: what is
// asked from now on is asked of the next process. It is called after drain.
func (d *detachedRuns) wait(ctx context.Context) {
	none := make(chan struct{})
	go func() {
		defer close(none)
		d.going.Wait()
	}()
	select {
	case <-none:
	case <-ctx.Done():
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.ended) > 0 {
		d.forgetLocked(d.ended[0])
	}
}
