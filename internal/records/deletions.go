package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// deletions follow what the chain says of records, holds and deletions, and of runs that have
// none. A deletion excuses what is missing only where it is one that a runner would have made.
type deletions struct {
	records     map[job.ID]digest.Hex      // of the runs so far
	statements  map[job.ID]digest.Hex      // of those that have one
	interrupted map[job.ID]bool            // runs so far
	held        map[job.ID]bool            // at this place of the chain
	deleted     map[job.ID]map[string]bool // what was deleted of a run
}

func newDeletions() deletions {
	return deletions{map[job.ID]digest.Hex{}, map[job.ID]digest.Hex{}, map[job.ID]bool{}, map[job.ID]bool{}, map[job.ID]map[string]bool{}}
}

// note takes the next event, and says what is wrong with it, or "".
func (d *deletions) note(event Event) string {
	id := event.RunID
	switch event.Kind {
	case KindRun:
		if _, twice := d.records[id]; !twice {
			d.records[id], d.statements[id] = event.Subject(RoleRecord), event.Subject(RoleStatement)
		}
		if d.interrupted[id] {
			return fmt.Sprintf("it says that run %s is recorded, and an event before that it was interrupted", id)
		}
	case KindInterrupted:
		return d.interrupt(event)
	case KindAccess:
		return d.access(event)
	case KindHold:
		d.held[id] = event.OK != nil && *event.OK
	case KindDeletion:
		if problem := d.problem(event); problem != "" {
			return problem
		}
		if d.deleted[id] == nil {
			d.deleted[id] = map[string]bool{}
		}
		d.deleted[id][event.Name] = true
	default:
	}
	return ""
}

// interrupt takes a run that has ended without a record, which happens once and says no more.
func (d *deletions) interrupt(event Event) string {
	id := event.RunID
	_, recorded := d.records[id]
	twice := d.interrupted[id]
	d.interrupted[id] = true
	switch {
	case recorded:
		return fmt.Sprintf("it says that run %s was interrupted, which is recorded", id)
	case twice:
		return fmt.Sprintf("it says for a second time that run %s was interrupted", id)
	case event.Status != "" || event.OK != nil || event.Name != "" || event.Subject(RoleRecord) != "":
		return fmt.Sprintf("it says of run %s, which was interrupted, what no runner knows of it", id)
	default:
		return ""
	}
}

// access is what is wrong with an event of a part that was opened.
func (d *deletions) access(event Event) string {
	id := event.RunID
	record, recorded := d.records[id]
	if !recorded {
		return fmt.Sprintf("it says that somebody has opened a part of run %s, and there was no such run", id)
	}
	is := len(event.Subjects) == 1
	if is {
		switch sum := event.Subjects[0].SHA256; event.Subjects[0].Role {
		case RoleRecord:
			is = sum == record
		case RoleStatement:
			is = sum == d.statements[id]
		case RoleFile:
		default:
			is = false
		}
	}
	if !is || event.Status != "" || event.OK != nil || event.Name != "" {
		return fmt.Sprintf("it says that somebody has opened a part of run %s that this run does not have", id)
	}
	return ""
}

func (d *deletions) problem(event Event) string {
	named, known := d.records[event.RunID]
	switch {
	case !slices.Contains([]string{PartRecord, PartCode, PartQuarantine}, event.Name):
		return fmt.Sprintf("it says that %q of run %s was deleted, which no runner deletes", event.Name, event.RunID)
	case !known:
		return fmt.Sprintf("it says that a part of run %s was deleted, and there was no such run", event.RunID)
	case event.Subject(RoleRecord) != named:
		return fmt.Sprintf("it says that a part of run %s was deleted, and names another record than that run's", event.RunID)
	case d.held[event.RunID]:
		return fmt.Sprintf("it says that a part of run %s was deleted, which was held", event.RunID)
	default:
		return ""
	}
}

// checkRun refuses an event of a kind that is of a run, and names none: what is done by it is done
// to a path that the run's id ends.
func (e Event) checkRun() error {
	switch e.Kind {
	case KindRun, KindInterrupted, KindToolCall, KindAccess, KindExport, KindRelease, KindReplication, KindDeletion, KindHold:
		if e.RunID == (job.ID{}) {
			return fmt.Errorf("it is of the kind %s, and names no run", e.Kind)
		}
	default:
	}
	return nil
}

// undeleted finds what was deleted, by the chain, and is there. Whoever deletes something now
// is waited for.
func (c *verifier) undeleted(ctx context.Context) (err error) {
	lock, err := os.OpenFile(filepath.Join(c.view.dir, retentionLock), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err == nil {
		defer func() { err = errors.Join(err, lock.Close()) }()
		err = durable.WaitShared(ctx, lock)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, event := range c.order {
		id := event.RunID
		gone := c.deleted[id]
		for _, one := range []struct {
			part, path string
			deleted    bool
		}{
			{PartRecord, c.view.Path(id), gone[PartRecord]},
			{PartQuarantine, c.view.QuarantinePath(id), gone[PartQuarantine] || gone[PartRecord]},
			{PartCode, filepath.Join(c.view.Path(id), c.codeLeft[id]), gone[PartCode] && c.codeLeft[id] != ""},
		} {
			if _, err := os.Lstat(one.path); one.deleted && err == nil {
				c.add(Added, id, "", "run %s: its %s is there, which was deleted by an event of the chain: `runner gc` deletes it again", id, one.part)
			}
		}
	}
	return nil
}
