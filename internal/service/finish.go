package service

import (
	"context"
	"errors"
	"net/http"
	"time"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/service/store"
	"hotcell/internal/strictjson"
)

const cancelled = api.State(job.Cancelled)

// ending is how a run ends: with a result, or with a problem, or cancelled before there was either.
type ending struct {
	state   api.State // "" for the result's, or StateError
	result  *api.RunResult
	problem *api.Problem
	bytes   int64 // that lie in its record
	trace   *job.Trace
}

// problem is why there is no result.
func problem(kind, title, detail string) *api.Problem {
	return &api.Problem{Type: "urn:hotcell:problem:" + kind, Title: title, Status: http.StatusInternalServerError, Detail: detail}
}

func interrupted() *api.Problem {
	return problem("interrupted", "The engine ended while it had the run",
		"Its code may have begun, so that it is not begun again. The audit chain says that it was interrupted.")
}

// endingOf is an engine's outcome of a run that has ended.
func endingOf(outcome engineapi.Outcome) ending {
	switch err := outcome.Err; {
	case outcome.Response.Result.Status != "": // beside an error, too: the record has it
		result := outcome.Response.Result
		return ending{state: api.State(result.Status), result: &result, bytes: outcome.Response.RecordBytes, trace: outcome.Response.Trace}
	case err == nil:
		return ending{problem: problem("engine-failed", "The engine has ended the run without a result", "")}
	case errors.Is(err, context.Canceled):
		return ending{state: cancelled}
	case errors.Is(err, runner.ErrInput):
		return ending{problem: problem("refused", "The request cannot be run any more", words(err))}
	default:
		return ending{problem: problem("engine-failed", "The engine or its host failed", words(err))}
	}
}

// used is what counts for a principal: what the engine has measured, and nothing that a script says.
func (e ending) used() store.Use {
	if e.result == nil {
		return store.Use{}
	}
	return store.Use{CPU: time.Duration(max(0, e.result.Usage.CPUMS)) * time.Millisecond, Bytes: max(0, e.bytes)}
}

// finish ends a run that was given. An end of which no record tells is durable before anybody is
// told; one with a result is found in its record again, and told first.
func (s *Broker) finish(r *run, how ending) {
	s.mu.Lock()
	row := r.row()
	row.State, row.Status, row.Problem, row.Recorded = store.Done, how.state, how.problem, how.result != nil
	row.Ended, row.Last, row.Used = s.options.Now().UTC(), store.LastUnknown, how.used()
	if how.problem != nil {
		row.Status = api.StateError
	}
	if r.log == nil {
		r.log = newLog()
	}
	if r.counted {
		row.Last = r.log.Last()
	}
	s.mu.Unlock()
	if row.Recorded {
		s.tell(r, row, how)
		s.storeEnd(row)
	} else if s.storeEnd(row) {
		s.tell(r, row, how)
	}
	heavy := weight(how.result)
	s.mu.Lock()
	s.keepEnded(r, heavy)
	s.mu.Unlock()
}

// storeEnd writes how a run has ended, and tries until it can. It reports whether it could
// before the service ended.
func (s *Broker) storeEnd(row store.Row) bool {
	for wait := pauseMin; ; wait = min(2*wait, pauseMax) {
		err := s.store.End(row, !row.Recorded)
		if err == nil || errors.Is(err, store.ErrNone) {
			return true
		}
		s.options.Logger.Error("how a run has ended cannot be written", "run", row.ID.String(), "error", err)
		if s.sleep(wait); s.ctx.Err() != nil {
			return false
		}
	}
}

// tell makes the end of a run known.
func (s *Broker) tell(r *run, row store.Row, how ending) {
	s.mu.Lock()
	if r.state == api.StateRunning {
		s.land(r.owner)
	}
	r.state, r.ended, r.result, r.problem, r.recorded, r.last = row.Status, row.Ended, how.result, how.problem, row.Recorded, row.Last
	r.request = nil
	if r.log == nil {
		r.log = newLog()
	}
	s.spend(r.owner, row.Used, row.Ended)
	r.log.End()
	r.change()
	shown := s.show(r)
	s.mu.Unlock()
	if s.options.Ended != nil {
		s.options.Ended(shown, how.trace, r.parent)
	}
}

// keepEnded keeps a run that has ended, with a result of that weight, for a while. mu is held.
func (s *Broker) keepEnded(r *run, heavy int64) {
	bytes := r.log.Bytes() + heavy
	s.recent.add(gone{r.owner, r.ended, bytes, func() { delete(s.runs, r.id) }}, s.options.Now())
}

// weight is about what something costs that has ended, with its result or without. All that a result
// has counts, as a guard or its script has made each member as large as it likes.
func weight(result *api.RunResult) int64 {
	bytes := counted(2048)
	if result != nil {
		_ = strictjson.Form{Lenient: true}.Write(&bytes, result) // what was decoded can be encoded
	}
	return int64(bytes)
}

// counted is how many bytes were written.
type counted int64

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	*c += counted(len(p))
	return len(p), nil
}

// How often what is too old is forgotten, and, in the index, how often it is looked for, how old it
// is, and how many runs of one principal stay at most. Their records stay.
const (
	tidyEvery  = time.Minute
	pruneEvery = time.Hour
	indexKept  = 366 * 24 * time.Hour
	indexMost  = 200_000
)

// tidy forgets what is too old.
func (s *Broker) tidy() {
	var pruned time.Time
	for s.ctx.Err() == nil {
		now := s.options.Now()
		s.mu.Lock()
		s.recent.drop(now)
		s.over.drop(now)
		s.mu.Unlock()
		if err := s.store.ForgetKeys(s.age.before(now, keyKept)); err != nil && s.ctx.Err() == nil {
			s.options.Logger.Error("old idempotency keys cannot be forgotten", "error", err)
		}
		if now.Sub(pruned) >= pruneEvery {
			pruned = now
			if err := s.store.Prune(s.ctx, s.age.before(now, indexKept), indexMost); err != nil && s.ctx.Err() == nil {
				s.options.Logger.Error("the index keeps runs of long ago", "error", err)
			}
		}
		if s.sleep(tidyEvery); s.ctx.Err() != nil {
			return
		}
		if err := s.age.pass(tidyEvery, s.options.Now()); err != nil {
			s.options.Logger.Error("by which time what is old is forgotten cannot be written", "error", err)
		}
	}
}
