package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hotcell/internal/job"
	"hotcell/internal/output"
)

// Quarantined is what is kept of one run's refused output.
type Quarantined struct {
	RunID job.ID `json:"run_id"`
	Path  string `json:"path"`
	// Entries, Files and Bytes count what the index lists, the files whose content was kept,
	// and these files' bytes.
	Entries int   `json:"entries"`
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
	// Rules are those that were broken, each once.
	Rules []string `json:"rules"`
	// Complete is false where something was beyond the limits of what is kept.
	Complete bool `json:"complete"`
}

// ErrNotQuarantined is returned for a run of which nothing is in quarantine.
var ErrNotQuarantined = errors.New("nothing of this run is in quarantine")

// Quarantines lists what is in quarantine, oldest run first. What cannot be read is an
// error beside what can.
func (s *Store) Quarantines(ctx context.Context) ([]Quarantined, error) {
	entries, err := os.ReadDir(s.quarantine())
	if err != nil {
		return nil, fmt.Errorf("list quarantine: %w", err)
	}
	list, faults := []Quarantined{}, []error{}
	for _, entry := range entries {
		id, err := job.ParseID(entry.Name())
		if err != nil {
			faults = append(faults, fmt.Errorf("list quarantine: %q does not belong there", Brief(entry.Name())))
			continue
		}
		one, _, err := s.Quarantined(ctx, id)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, one)
	}
	return list, errors.Join(faults...)
}

// Quarantined reads what is in quarantine of one run.
func (s *Store) Quarantined(ctx context.Context, id job.ID) (one Quarantined, index output.QuarantineIndex, err error) {
	root, err := openDir(s.QuarantinePath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return one, index, fmt.Errorf("run %s: %w", id, ErrNotQuarantined)
	}
	if err != nil {
		return one, index, fmt.Errorf("read quarantine of run %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if index, err = output.ReadQuarantine(ctx, root); err != nil {
		return one, index, fmt.Errorf("run %s: %w", id, err)
	}
	one = Quarantined{RunID: id, Path: s.QuarantinePath(id), Entries: len(index.Entries), Rules: []string{}, Complete: index.Complete}
	for _, entry := range index.Entries {
		if entry.Blob != "" {
			one.Files, one.Bytes = one.Files+1, one.Bytes+entry.Bytes
		}
	}
	for _, violation := range index.Violations {
		if !slices.Contains(one.Rules, violation.Rule) {
			one.Rules = append(one.Rules, violation.Rule)
		}
	}
	return one, index, nil
}

// ExportQuarantine copies what is in quarantine of one run, as output.ExportQuarantine does.
// The event comes first: nothing is copied that the chain does not know of. If the copy
// fails then, the chain has an export too many.
func (s *Store) ExportQuarantine(ctx context.Context, id job.ID, to output.Destination, by Cause) error {
	one, _, err := s.Quarantined(ctx, id)
	if err != nil {
		return err
	}
	if err := to.Check(ctx); err != nil {
		return err
	}
	if err := s.Append(ctx, by.event(KindExport, one)); err != nil {
		return err
	}
	if _, err := output.ExportQuarantine(ctx, one.Path, to); err != nil {
		return fmt.Errorf("run %s: %w", id, err)
	}
	return nil
}

// Cause is who does something for which reason.
type Cause struct {
	Actor  job.Actor
	Reason string
}

func (c Cause) event(kind Kind, about Quarantined) Event {
	return Event{Kind: kind, Actor: c.Actor, RunID: about.RunID, Name: quarantineName, Reason: Brief(c.Reason), Count: int64(about.Files), Bytes: about.Bytes}
}

// RemoveQuarantine deletes what is in quarantine of one run, also where its index cannot be
// read, but not of one that is held. The run's record stays, and the event comes first.
func (s *Store) RemoveQuarantine(ctx context.Context, id job.ID, by Cause) (Quarantined, error) {
	one, _, err := s.Quarantined(ctx, id)
	if errors.Is(err, ErrNotQuarantined) {
		return one, err
	}
	if err != nil { // what cannot be read is deleted, too
		one = Quarantined{RunID: id, Path: s.QuarantinePath(id), Rules: []string{}}
	}
	return one, s.Remove(ctx, id, PartQuarantine, by)
}

// NoteQuarantineRead adds to the chain that somebody has seen the names of what a run left.
func (s *Store) NoteQuarantineRead(ctx context.Context, about Quarantined, by Cause) error {
	event := by.event(KindExport, about)
	event.Name = strings.Join([]string{quarantineName, output.IndexName}, string(filepath.Separator))
	event.Count, event.Bytes = int64(about.Entries), 0
	return s.Append(ctx, event)
}
