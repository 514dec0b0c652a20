package service

import (
	"time"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/service/store"
)

// run is a run in memory: one that waits, that an engine has, or that has ended lately. What
// stands below the line is guarded by Broker.mu.
type run struct {
	id       job.ID
	seq      int64
	owner    string
	policy   string
	bundle   string
	priority int
	bytes    int64  // of its request, as it is stored
	parent   string // the span that it belongs to, or ""
	created  time.Time

	// --
	state    api.State // queued, running, or how it has ended
	attempt  int
	boot     string // of the host, when it was given
	failures int    // of the engine, one after the other, when it was given
	started  time.Time
	ended    time.Time
	queue    string // of the engine's, that it waits in while it is running; or ""
	result   *api.RunResult
	problem  *api.Problem
	recorded bool
	last     int64        // once it has ended
	request  []byte       // as it is stored, while it is needed at once
	offered  bool         // the engine has prepared it, and it was not begun
	log      *journal.Log // once it was given
	base     int64        // what is added to the engine's numbers
	heard    bool         // the engine has told all events of this attempt
	counted  bool         // no event was told to anybody that is not in the log, or was
	again    bool         // given more than once here
	changed  chan struct{}
	// cancelled is closed by the first who asks for it.
	cancelled chan struct{}
	isAsked   bool
}

func (r *run) load() load { return load{1, r.bytes} }

func (r *run) hasEnded() bool { return r.state != api.StateQueued && r.state != api.StateRunning }

// row is what the store keeps of it.
func (r *run) row() store.Row {
	state := store.Done
	switch r.state {
	case api.StateQueued:
		state = store.Queued
	case api.StateRunning:
		state = store.Given
	case api.StateError:
	}
	row := store.Row{
		Seq: r.seq, ID: r.id, Principal: r.owner, Policy: r.policy, Bundle: r.bundle, Priority: r.priority, State: state,
		Attempt: r.attempt, Boot: r.boot, Cancelled: r.isAsked, Created: r.created, Started: r.started, Ended: r.ended,
		Recorded: r.recorded, Last: r.last, Problem: r.problem,
	}
	if state == store.Done {
		row.Status = r.state
	}
	return row
}

// runOf is a row in memory.
func runOf(row store.Row) *run {
	r := &run{
		id: row.ID, seq: row.Seq, owner: row.Principal, policy: row.Policy, bundle: row.Bundle, priority: row.Priority, bytes: row.Bytes,
		created: row.Created, state: row.Status, attempt: row.Attempt, boot: row.Boot, started: row.Started, ended: row.Ended,
		problem: row.Problem, recorded: row.Recorded, last: row.Last,
		changed: make(chan struct{}), cancelled: make(chan struct{}),
	}
	switch row.State {
	case store.Queued:
		r.state, r.counted = api.StateQueued, true // no engine has taken it, and told of it
	case store.Given:
		r.state = api.StateRunning
	case store.Done:
	}
	if row.Cancelled {
		r.askCancel()
	}
	return r
}

// askCancel is called with Broker.mu held, or by who alone has the run.
func (r *run) askCancel() {
	if !r.isAsked {
		r.isAsked = true
		close(r.cancelled)
	}
}

// change wakes all who wait for another state. Broker.mu is held.
func (r *run) change() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// shown is what its owner sees, but for its position.
func (r *run) shown(now time.Time) api.Run {
	waited := now
	if !r.started.IsZero() {
		waited = r.started
	} else if !r.ended.IsZero() {
		waited = r.ended
	}
	state, queue := r.state, ""
	if state == api.StateRunning && r.queue != "" {
		state, queue = api.StateQueued, r.queue
	}
	return api.Run{
		RunID: r.id, Status: state, Queue: queue, Policy: r.policy, Bundle: r.bundle, Principal: r.owner, CreatedAt: r.created, StartedAt: r.started, EndedAt: r.ended,
		QueuedMS: max(0, waited.Sub(r.created).Milliseconds()), Attempt: r.attempt, Result: r.result, Error: r.problem,
	}
}
