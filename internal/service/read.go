package service

import (
	"context"
	"errors"
	"fmt"
	"io"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/service/store"
)

// find is a run that a principal sees: in memory, or else its row. Others than its own principal
// have the result of one that has ended from its record, of which the engine makes an event.
func (s *Broker) find(ctx context.Context, who access.Principal, id job.ID) (*run, store.Row, error) {
	if r := s.inMemory(id); r != nil {
		return s.seenBy(who, r)
	}
	row, err := s.store.Get(ctx, id)
	switch {
	case errors.Is(err, store.ErrNone) || err == nil && !who.Sees(row.Principal):
		return nil, store.Row{}, ErrNoRun
	case err != nil:
		return nil, store.Row{}, s.read(ctx, err)
	case row.State == store.Done:
		return nil, row, nil
	}
	// It came, or went, between the two looks.
	if r := s.inMemory(id); r != nil {
		return s.seenBy(who, r)
	}
	return nil, store.Row{}, ErrNoRun
}

func (s *Broker) inMemory(id job.ID) *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs[id]
}

func (s *Broker) seenBy(who access.Principal, r *run) (*run, store.Row, error) {
	if !who.Sees(r.owner) {
		return nil, store.Row{}, ErrNoRun
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.recorded && who.Name != r.owner {
		return nil, r.row(), nil
	}
	return r, store.Row{}, nil
}

// read is an error of the store's for who reads.
func (s *Broker) read(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("read the service's database: %w", err)
}

// Run is how far a run is, with its result once it has ended.
func (s *Broker) Run(ctx context.Context, who access.Principal, id job.ID) (api.Run, error) {
	r, row, err := s.find(ctx, who, id)
	if err != nil {
		return api.Run{}, err
	}
	if r == nil {
		return s.ofRow(ctx, who, row)
	}
	return s.shownTo(ctx, who, r)
}

// shownTo is a run in memory as it is, and to others by its record as soon as there is one.
func (s *Broker) shownTo(ctx context.Context, who access.Principal, r *run) (api.Run, error) {
	s.mu.Lock()
	shown, row := s.show(r), r.row()
	s.mu.Unlock()
	if row.Recorded && who.Name != r.owner {
		return s.ofRow(ctx, who, row)
	}
	return shown, nil
}

// ofRow is a run with the result that the engine has of it. Where its record was deleted it has none.
func (s *Broker) ofRow(ctx context.Context, who access.Principal, row store.Row) (api.Run, error) {
	shown := runOf(row).shown(s.options.Now())
	if !row.Recorded {
		return shown, nil
	}
	var err error
	shown.Result, err = s.recorded(ctx, who, row.ID)
	return shown, err
}

type fromMemory struct{}

// FromMemory is a context of a look that does not wait for an engine: ErrElsewhere is the error of what
// only a record has.
func FromMemory(ctx context.Context) context.Context {
	return context.WithValue(ctx, fromMemory{}, true)
}

// IsFromMemory reports whether a context is FromMemory's.
func IsFromMemory(ctx context.Context) bool { return ctx.Value(fromMemory{}) != nil }

// recorded is the result that a record has, or nil where there is none any more.
func (s *Broker) recorded(ctx context.Context, who access.Principal, id job.ID) (*api.RunResult, error) {
	if IsFromMemory(ctx) {
		return nil, ErrElsewhere
	}
	outcome, err := s.options.Engine.Outcome(ctx, id, engineapi.Principal(who.Name))
	if err := s.told(ctx, err); err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	if outcome.Fate == engineapi.FateEnded && outcome.Response.Result.Status != "" {
		return &outcome.Response.Result, nil
	}
	return nil, nil //nolint:nilnil // there is nothing to tell
}

// Runs is a page of those that a principal sees, the newest first, without results.
func (s *Broker) Runs(ctx context.Context, who access.Principal, filter Filter) (api.Runs, error) {
	query := store.Query{Policy: filter.Policy, Status: filter.Status, Since: filter.Since, Limit: min(max(filter.Limit, 1), maxPage)}
	if filter.Limit == 0 {
		query.Limit = defaultPage
	}
	if who.Name == "" {
		return api.Runs{}, errNobody
	}
	if !who.May(access.ScopeAdmin) {
		query.Principal = who.Name
	}
	var err error
	if query.Before, err = readCursor(filter.Cursor); err != nil {
		return api.Runs{}, err
	}
	query.Limit++ // whether there is another page
	rows, err := s.store.List(ctx, query)
	if err != nil {
		return api.Runs{}, s.read(ctx, err)
	}
	page := api.Runs{Runs: []api.Run{}}
	if len(rows) == query.Limit {
		rows = rows[:query.Limit-1]
		page.NextCursor = writeCursor(rows[len(rows)-1].ID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, row := range rows {
		if row.State != store.Done && s.runs[row.ID] == nil {
			continue // it is not accepted yet, or was not
		}
		if shown := s.inList(row); filter.Status == "" || shown.Status == filter.Status {
			page.Runs = append(page.Runs, shown)
		}
	}
	return page, nil
}

// The sizes of a page.
const (
	defaultPage = 50
	maxPage     = 1000
)

// inList is a run as a list has it: as it is in memory, which the store follows. mu is held.
func (s *Broker) inList(row store.Row) api.Run {
	r := s.runs[row.ID]
	if r == nil {
		r = runOf(row)
	}
	shown := s.show(r)
	shown.Result = nil
	return shown
}

// Wait is Run once the run has ended, or ctx has: then too without an error.
func (s *Broker) Wait(ctx context.Context, who access.Principal, id job.ID) (api.Run, error) {
	r, row, err := s.find(ctx, who, id)
	if err != nil {
		return api.Run{}, err
	}
	if r == nil {
		return s.ofRow(ctx, who, row)
	}
	for {
		s.mu.Lock()
		shown, ended, changed := s.show(r), r.hasEnded(), r.changed
		s.mu.Unlock()
		if ended {
			return s.shownTo(ctx, who, r)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return shown, nil
		case <-s.ctx.Done():
			return shown, nil
		}
	}
}

// Cancel ends a run that waits, which is final and gives its place free, or asks the engine for
// the end of one that it has, and does not wait for that. One that has ended stays as it is.
func (s *Broker) Cancel(ctx context.Context, who access.Principal, id job.ID) (api.Run, error) {
	r, row, err := s.find(ctx, who, id)
	if err != nil {
		return api.Run{}, err
	}
	if r == nil {
		return s.ofRow(ctx, who, row)
	}
	s.mu.Lock()
	waits := s.queue.remove(r)
	asks := !r.hasEnded() && !r.isAsked
	s.mu.Unlock()
	if asks {
		if err = s.cancel(r, waits); err != nil {
			return api.Run{}, err
		}
	}
	return s.shownTo(ctx, who, r)
}

// cancel makes it durable that somebody has cancelled a run, before that is answered. One that
// waited, and is out of the queue, ends with it.
func (s *Broker) cancel(r *run, waited bool) error {
	if !waited {
		if err := s.store.Cancel(r.id); err != nil && !errors.Is(err, store.ErrNone) {
			return storage(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if r.state == api.StateQueued && s.queue.remove(r) { // it came back meanwhile
			s.keep("end a run", func() { s.finish(r, ending{state: cancelled}) })
		}
		r.askCancel()
		return nil
	}
	s.mu.Lock()
	row := r.row()
	s.mu.Unlock()
	row.Status, row.Ended, row.Last = cancelled, s.options.Now().UTC(), 0
	if err := s.store.End(row, true); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.queue.putBack(r)
		s.nudge()
		return storage(err)
	}
	s.tell(r, row, ending{state: cancelled})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepEnded(r, weight(nil))
	return nil
}

// Files are what a run has released.
func (s *Broker) Files(ctx context.Context, who access.Principal, id job.ID) (api.FileList, error) {
	run, err := s.Run(ctx, who, id)
	if err != nil {
		return api.FileList{}, err
	}
	if !run.Ended() {
		return api.FileList{}, ErrNotEnded
	}
	list := api.FileList{Files: []api.FileInfo{}}
	if run.Result == nil {
		return list, nil
	}
	for _, one := range run.Result.Files {
		list.Files = append(list.Files, api.FileInfo{
			Path: one.Path, Bytes: one.Bytes, SHA256: string(one.SHA256), MediaType: one.MediaType, Role: one.Role,
		})
	}
	return list, nil
}

// partStatement is what only a signed record has.
const (
	partStatement = "statement"
	unrecorded    = "the run has left no record: it ended before its code was begun, or its record could not be written"
	unsigned      = "the run is not signed: runs that come after the administrator of the service's host has made a key (runner keygen) are"
)

// Read opens a part of a run's record: record, statement, or files/PATH. It is of the size that
// is returned. That it is read is an event of the audit chain before.
func (s *Broker) Read(ctx context.Context, who access.Principal, id job.ID, part string) (io.ReadCloser, int64, error) {
	r, _, err := s.find(ctx, who, id)
	if err != nil {
		return nil, 0, err
	}
	if r != nil {
		s.mu.Lock()
		ended := r.hasEnded()
		s.mu.Unlock()
		if !ended {
			return nil, 0, ErrNotEnded
		}
	}
	content, size, err := s.options.Engine.Read(ctx, id, engineapi.Principal(who.Name), part)
	if err != nil {
		return nil, 0, s.unread(ctx, part, err)
	}
	return content, size, nil
}

// unread is why a part of a run that is there cannot be read.
func (s *Broker) unread(ctx context.Context, part string, err error) error {
	told := s.told(ctx, err)
	switch {
	case !errors.Is(told, ErrNotFound), errors.Is(err, engineapi.ErrNoRecord):
		return told
	case errors.Is(err, engineapi.ErrUnknownRun):
		return &toldError{unrecorded, ErrNotFound, err}
	case part == partStatement:
		return &toldError{unsigned, ErrNotFound, err}
	}
	return told
}
