package runner

import (
	"slices"
	"sync"
	"time"

	"hotcell/internal/job"
)

// traced are the phases that begin a part. A tool call is a part of the running.
func traced() map[Phase]string {
	return map[Phase]string{
		PhaseCreating: job.PartAcquiring, PhaseStarting: job.PartStarting, PhaseLoading: job.PartLoading,
		PhaseRunning: job.PartRunning, PhaseVerifying: job.PartVerifying,
	}
}

// trace collects when the parts of one run begin. Its methods may be called concurrently,
// and do nothing for a nil one: of a session or a check.
type trace struct {
	mu    sync.Mutex
	marks []mark
	warm  bool
}

type mark struct {
	part  string
	began time.Time
}

func newTrace() *trace {
	t := &trace{}
	t.begin(job.PartPreparing)
	return t
}

// begin ends the part before. That one begun twice in a row is one.
func (t *trace) begin(part string) {
	if t == nil || part == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if last := len(t.marks) - 1; last < 0 || t.marks[last].part != part {
		t.marks = append(t.marks, mark{part, time.Now()})
	}
}

// shift has all that began begin later.
func (t *trace) shift(by time.Duration) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for n := range t.marks {
		t.marks[n].began = t.marks[n].began.Add(by)
	}
}

func (t *trace) acquired(warm bool) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.warm = warm
}

// told is events whose phases begin parts.
func (t *trace) told(events Events) Events {
	parts, tell := traced(), events.Phase
	events.Phase = func(phase Phase) {
		part := parts[phase]
		if phase.Queue() != "" {
			part = job.PartQueued
		}
		t.begin(part)
		tell(phase)
	}
	return events
}

// upTo is the trace up to now. The part that goes on is left out where it is not over:
// the record of a run is written while the run is committed.
func (t *trace) upTo(over bool) *job.Trace {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	made := &job.Trace{Warm: t.warm, Phases: []job.PhaseTime{}}
	marks := slices.Clone(t.marks)
	if over {
		marks = append(marks, mark{"", time.Now()})
	}
	for n, next := range marks[1:] {
		took := next.began.Sub(marks[n].began)
		made.Phases = append(made.Phases, job.PhaseTime{Phase: marks[n].part, MS: float64(took.Microseconds()) / 1000})
	}
	return made
}
