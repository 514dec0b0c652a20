package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"time"

	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/records"
	"hotcell/internal/runner"
)

// archive is what records say of a front's runs. Those of others, such as of this host's root,
// are none of its: it may have been taken over by somebody whom it parsed.
type archive struct {
	kept *records.Store
	uid  uint32 // the front's user
	log  *slog.Logger
}

// errForeign is of a run that somebody else has had made.
var errForeign = errors.New("this run was not made for this front")

// own refuses a run that the front has not had made.
func (a archive) own(ctx context.Context, id job.ID) error {
	record, err := a.kept.Get(ctx, id)
	if err != nil {
		return err
	}
	if actor := record.Result.Provenance.Actor; actor == nil || actor.UID == nil || *actor.UID != a.uid || actor.Principal == "" {
		return errForeign
	}
	return nil
}

// Fate implements engineapi.Archive. A draft that a dead process has left is in nobody's hand, and
// its run may have begun: a sweep will say.
func (a archive) Fate(ctx context.Context, id job.ID) (engineapi.Fate, error) {
	fate, err := a.kept.Fate(ctx, id)
	if err != nil {
		return "", err
	}
	switch fate {
	case records.FateUnknown:
		return engineapi.FateUnknown, nil
	case records.FateInterrupted:
		return engineapi.FateInterrupted, nil
	case records.FateRecorded:
		return engineapi.FateEnded, nil
	default: // FateOpen, FateLeft
		return engineapi.FateHeld, nil
	}
}

// Outcome implements engineapi.Archive.
func (a archive) Outcome(ctx context.Context, id job.ID, by job.Actor) (engineapi.Outcome, error) {
	fate, err := a.Fate(ctx, id)
	if err != nil || fate != engineapi.FateEnded {
		return engineapi.Outcome{Fate: fate}, err
	}
	var record records.Record
	if err = a.own(ctx, id); err == nil {
		record, err = a.kept.GetFor(ctx, id, by)
	}
	switch {
	case errors.Is(err, records.ErrNotFound):
		return engineapi.Outcome{Fate: engineapi.FateEnded, Err: engineapi.ErrNoRecord}, nil
	case errors.Is(err, errForeign):
		return engineapi.Outcome{Fate: engineapi.FateEnded, Err: errForeign}, nil
	case err != nil:
		return engineapi.Outcome{}, tooOften(err)
	}
	bytes, err := a.kept.Bytes(ctx, id)
	if err != nil {
		return engineapi.Outcome{}, err
	}
	return engineapi.Outcome{Fate: engineapi.FateEnded, Response: runner.Response{Result: record.Result, RecordBytes: bytes, Trace: record.Trace}}, nil
}

// maxListed is below what records list at once, so that a page which is not full is the last one.
const maxListed = 500

// List implements engineapi.Archive.
func (a archive) List(ctx context.Context, cursor string, most int) ([]engineapi.Recorded, string, error) {
	most = min(max(most, 1), maxListed)
	ended, next, err := a.kept.ListEnded(ctx, cursor, most)
	if err != nil {
		return nil, "", err
	}
	if len(ended) < most { // these are all that there are just now
		next = ""
	}
	found := make([]engineapi.Recorded, len(ended))
	for index, one := range ended {
		found[index] = engineapi.Recorded{
			ID: one.ID, Principal: one.Principal, Policy: one.Policy, Status: one.Status, Interrupted: one.Interrupted, At: one.At, Bytes: a.bytes(ctx, one),
		}
	}
	return found, next, nil
}

// bytes is what lies there of a run. One that cannot be measured must not keep all others from
// being listed.
func (a archive) bytes(ctx context.Context, of records.Ended) int64 {
	if time.Since(of.At) > 24*time.Hour {
		return 0
	}
	bytes, err := a.kept.Bytes(ctx, of.ID)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("a record counts for nothing in its principal's quota", "run_id", of.ID, "reason", err)
	}
	return bytes
}

// Read implements engineapi.Archive.
func (a archive) Read(ctx context.Context, id job.ID, by job.Actor, part string) (io.ReadCloser, int64, error) {
	content, size, err := a.read(ctx, id, by, part)
	switch {
	case errors.Is(err, records.ErrNotFound), errors.Is(err, errForeign):
		return nil, 0, fmt.Errorf("%w: %w", engineapi.ErrUnknownRun, err)
	case errors.Is(err, records.ErrDeleted), errors.Is(err, records.ErrInterrupted):
		return nil, 0, fmt.Errorf("%w: %w: %w", fs.ErrNotExist, engineapi.ErrNoRecord, err)
	case errors.Is(err, records.ErrNoPart):
		return nil, 0, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	default:
		return content, size, tooOften(err)
	}
}

// tooOften says of what a principal reads too often what a front knows it by.
func tooOften(err error) error {
	if errors.Is(err, records.ErrTooOften) {
		return fmt.Errorf("%w: %w", engineapi.ErrTooOften, err)
	}
	return err
}

func (a archive) read(ctx context.Context, id job.ID, by job.Actor, part string) (io.ReadCloser, int64, error) {
	if err := a.own(ctx, id); err != nil {
		return nil, 0, err
	}
	return a.kept.ReadPart(ctx, id, part, by)
}
