package service

import (
	"context"
	"strconv"
	"strings"
	"time"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/service/store"
)

// How the engine's list is read: so many lines at a time, again after so long, and after a
// failure.
const (
	listPage       = 500
	reconcileEvery = 10 * time.Minute
	reconcileAgain = 10 * time.Second
	listNote       = "list_cursor"
)

// reconcile puts the recorded runs of principals into the index that are not in it: all of them
// where the database was lost, else what sessions and other services have made.
func (s *Broker) reconcile() {
	for s.ctx.Err() == nil {
		wait := reconcileEvery
		if err := s.readList(s.ctx); err != nil && s.ctx.Err() == nil {
			wait = reconcileAgain
			if !isAway(err) {
				s.options.Logger.Error("the index cannot be completed", "error", err)
			}
		}
		s.sleep(wait)
	}
}

// readList reads on from where it came to the last time.
func (s *Broker) readList(ctx context.Context) error {
	cursor, err := s.store.Note(ctx, listNote)
	for more := true; err == nil && more && ctx.Err() == nil; {
		var found []engineapi.Recorded
		var next string
		if found, next, err = s.options.Engine.List(ctx, cursor, listPage); err != nil {
			break
		}
		if more = next != ""; more {
			cursor = next // the last page is read again the next time: it may have grown
		}
		rows := make([]store.Row, 0, len(found))
		for _, one := range found {
			if row := rowOf(one); row.Created.After(s.age.before(s.options.Now(), indexKept)) { // else it was pruned, or will be
				rows = append(rows, row)
			}
		}
		err = s.add(rows, listNote, cursor)
	}
	return err
}

// add puts rows into the index, with what they count for, which is known here as soon as it is there.
func (s *Broker) add(rows []store.Row, note, value string) error {
	counted, err := s.store.Add(rows, note, value)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for index, row := range rows {
		s.spend(row.Principal, counted[index], row.Ended)
	}
	return nil
}

// rowOf is what the audit chain tells of a run. Its id says when it was made.
func rowOf(recorded engineapi.Recorded) store.Row {
	ms, _, _ := strings.Cut(recorded.ID.String(), "-")
	unix, err := strconv.ParseInt(ms, 10, 64)
	if err != nil {
		unix = 0 // no id is like that
	}
	at := time.UnixMilli(unix).UTC()
	ended := recorded.At.UTC()
	if ended.Before(at) { // a clock was set back meanwhile
		ended = at
	}
	row := store.Row{
		ID: recorded.ID, Principal: recorded.Principal, Policy: recorded.Policy, State: store.Done, Attempt: 1, Created: at, Started: at,
		Ended: ended, Status: api.State(recorded.Status), Recorded: true, Last: store.LastUnknown, Used: store.Use{Bytes: max(0, recorded.Bytes)},
	}
	if recorded.Interrupted {
		row.Status, row.Recorded, row.Problem = api.StateError, false, interrupted()
	}
	return row
}
