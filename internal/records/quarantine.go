package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
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

// namesQuarantine reports whether a record has the hash of its quarantine, where there is one.
func (r Record) namesQuarantine() bool { return r.Version >= 3 }

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
		one, _, err := s.indexed(ctx, id)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, one)
	}
	return list, errors.Join(faults...)
}

// Quarantined reads what is in quarantine of one run, if it is what was kept: its index is
// the one that the run's record names, and every file is as the index says.
func (s *Store) Quarantined(ctx context.Context, id job.ID) (one Quarantined, index output.QuarantineIndex, err error) {
	one, index, err = s.indexed(ctx, id)
	if err != nil {
		return one, index, err
	}
	root, err := openDir(one.Path)
	if err != nil {
		return one, index, fmt.Errorf("read quarantine of run %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	unlike, err := output.CompareQuarantine(ctx, root, index)
	if err != nil {
		return one, index, fmt.Errorf("read quarantine of run %s: %w", id, err)
	}
	if unlike.Any() {
		return one, index, fmt.Errorf("quarantine of run %s: %w", id, ErrAltered)
	}
	return one, index, nil
}

// indexed is Quarantined without a look at the files.
func (v *View) indexed(ctx context.Context, id job.ID) (one Quarantined, index output.QuarantineIndex, err error) {
	root, err := openDir(v.QuarantinePath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return one, index, fmt.Errorf("run %s: %w", id, ErrNotQuarantined)
	}
	if err != nil {
		return one, index, fmt.Errorf("read quarantine of run %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	record, err := v.Get(ctx, id)
	if err != nil {
		return one, index, fmt.Errorf("read quarantine of run %s: %w", id, err)
	}
	index, sum, err := output.ReadQuarantine(ctx, root)
	if !record.Quarantined || sum != record.QuarantineSHA256 && record.namesQuarantine() {
		return one, output.QuarantineIndex{}, fmt.Errorf("quarantine of run %s: %w", id, ErrAltered)
	}
	if err != nil {
		return one, index, fmt.Errorf("run %s: %w", id, err)
	}
	one = Quarantined{RunID: id, Path: v.QuarantinePath(id), Entries: len(index.Entries), Rules: []string{}, Complete: index.Complete}
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
	if err := errors.Join(by.Check(), to.Check(ctx)); err != nil {
		return err
	}
	if err := s.Append(ctx, by.event(KindExport, one)); err != nil {
		return err
	}
	record, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	if _, err := output.ExportQuarantine(ctx, one.Path, record.QuarantineSHA256, to); err != nil {
		return fmt.Errorf("run %s: %w", id, err)
	}
	return nil
}

func (c Cause) event(kind Kind, about Quarantined) Event {
	return Event{Kind: kind, Actor: c.Actor, RunID: about.RunID, Name: quarantineName, Reason: c.Reason, Count: int64(about.Files), Bytes: about.Bytes}
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
	if err := by.Check(); err != nil {
		return err
	}
	event := by.event(KindExport, about)
	event.Name = strings.Join([]string{quarantineName, output.IndexName}, string(filepath.Separator))
	event.Count, event.Bytes = int64(about.Entries), 0
	return s.Append(ctx, event)
}

// quarantine compares what is kept of a run's refused output with its record. In a draft it
// lies beside that.
func (c *verifier) quarantine(ctx context.Context, record Record, run *os.Root) error {
	id := record.Result.RunID
	root, err := openDir(c.view.QuarantinePath(id))
	if errors.Is(err, fs.ErrNotExist) && isDraft(run) {
		if root, err = run.OpenRoot(quarantineName); errors.Is(err, fs.ErrNotExist) { // it is being put in place
			root, err = openDir(c.view.QuarantinePath(id))
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if record.Quarantined && !c.deleted[id][PartQuarantine] && !c.deleted[id][PartRecord] {
			c.add(Missing, id, quarantineName, "run %s: its quarantine has been removed", id)
		}
		return nil
	case err != nil:
		c.add(Unreadable, id, quarantineName, "run %s: its quarantine: %w", id, err)
		return nil
	}
	defer root.Close()
	switch {
	case !record.Quarantined:
		c.add(Added, id, "", "run %s has a quarantine, and its record says that nothing was refused", id)
		return nil
	case !record.namesQuarantine():
		c.found.Unbound++
	}
	index, sum, err := output.ReadQuarantine(ctx, root)
	if sum != record.QuarantineSHA256 && record.namesQuarantine() {
		c.add(Changed, id, "", "run %s: the index of its quarantine has been altered", id)
		return context.Cause(ctx)
	}
	if err != nil {
		c.add(Unreadable, id, quarantineName, "run %s: its quarantine: %w", id, err)
		return context.Cause(ctx)
	}
	unlike, err := output.CompareQuarantine(ctx, root, index)
	if context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	c.unlike(id, unlike, err)
	for _, entry := range index.Entries {
		if entry.Blob != "" {
			c.found.Files, c.found.Bytes = c.found.Files+1, c.found.Bytes+entry.Bytes
		}
	}
	return nil
}

// unlike tells what of a quarantine is not as it was. Its names are numbers, but for what was
// added.
func (c *verifier) unlike(id job.ID, found output.Unlike, err error) {
	for _, name := range found.Changed {
		c.add(Changed, id, path.Join(quarantineName, name), "run %s: %s of its quarantine has been altered", id, name)
	}
	for _, name := range found.Missing {
		c.add(Missing, id, path.Join(quarantineName, name), "run %s: %s of its quarantine has been removed", id, name)
	}
	for _, name := range found.Added {
		c.add(Added, id, path.Join(quarantineName, name), "run %s: %s does not belong into its quarantine", id, name)
	}
	if err != nil {
		c.add(Unreadable, id, quarantineName, "run %s: its quarantine: %w", id, err)
	}
}

// releaseQuarantine moves a draft's quarantine to its place, if there is one.
func (s *Store) releaseQuarantine(draft string, id job.ID) error {
	err := s.within(func(store *os.Root) error {
		err := store.Rename(path.Join(runsDir, draft, quarantineName), path.Join(quarantineDir, id.String()))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return errors.Join(err, syncDir(store, quarantineDir))
	})
	if err != nil {
		return fmt.Errorf("put quarantine in place: %w", err)
	}
	return nil
}

func (s *Store) withdrawQuarantine(id job.ID) error {
	return s.within(func(store *os.Root) error {
		err := store.Rename(path.Join(quarantineDir, id.String()), path.Join(runsDir, draftPrefix+id.String(), quarantineName))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}
