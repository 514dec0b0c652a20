package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// ErrKnownID is wrapped by the error for a run whose id another has, or has had.
var ErrKnownID = errors.New("a run of this id is there already")

// Fate is what a store knows of a run by its id.
type Fate string

// The fates.
const (
	FateUnknown     Fate = "unknown"     // nothing, or that its code had not begun: the id is free
	FateOpen        Fate = "open"        // a process that lives has its draft
	FateLeft        Fate = "left"        // its process is dead, and the next Sweep says what became of it
	FateRecorded    Fate = "recorded"    // it has a record, or had one that was deleted
	FateInterrupted Fate = "interrupted" // it may have begun, and has ended without a record
)

// Fate says what is known of a run. It reads of the chain what it has not read before.
func (s *Store) Fate(ctx context.Context, id job.ID) (Fate, error) {
	// In this order: a draft goes after its event has come.
	draft, err := s.draftFate(ctx, id)
	if err != nil || draft != FateUnknown {
		return draft, err
	}
	said, err := s.ledger.of(ctx, s.View, id)
	switch {
	case err != nil:
		return "", fmt.Errorf("look for run %s: %w", id, err)
	case said.record != "":
		return FateRecorded, nil
	case said.interrupted, said.called: // a draft that somebody has taken away
		return FateInterrupted, nil
	}
	if err := s.isFree(id); err != nil {
		return "", fmt.Errorf("look for run %s: %w, and no event of the chain names it", id, err)
	}
	return FateUnknown, nil
}

// draftFate is FateUnknown for a run without a draft.
func (s *Store) draftFate(ctx context.Context, id job.ID) (fate Fate, err error) {
	if _, err := os.Lstat(s.draftPath(id)); errors.Is(err, fs.ErrNotExist) {
		return FateUnknown, nil
	}
	runs, err := os.Open(s.runs())
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, runs.Close()) }()
	if err := durable.WaitLock(ctx, runs); err != nil { // who makes a draft locks it within this
		return "", err
	}
	draft, err := openDir(s.draftPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return FateUnknown, nil
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, draft.Close()) }()
	dir, err := draft.Open(".")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	err = durable.TryLock(dir)
	if errors.Is(err, durable.ErrBusy) {
		return FateOpen, nil
	}
	return FateLeft, err
}

// isFree is ErrKnownID where a record, or a quarantine, of that id is there.
func (v *View) isFree(id job.ID) error {
	for _, path := range []string{v.Path(id), v.QuarantinePath(id)} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("%w: %s exists", ErrKnownID, path), err)
		}
	}
	return nil
}

// isNew is isFree, and asks the chain where the id was given by somebody.
func (s *Store) isNew(ctx context.Context, id job.ID, given bool) error {
	if err := s.isFree(id); err != nil || !given {
		return err
	}
	said, err := s.ledger.of(ctx, s.View, id)
	if err == nil && said != (told{}) {
		err = fmt.Errorf("%w: the audit chain names it", ErrKnownID)
	}
	return err
}

// Ended is a run by the one event that says how it has ended.
type Ended struct {
	ID          job.ID
	Principal   string // who has asked for it
	Policy      string // or ""
	Status      job.Status
	Interrupted bool // it has no record, and no status
	At          time.Time

	at Head
}

func endedOf(event Event) Ended {
	one := Ended{
		ID: event.RunID, Principal: event.Actor.Principal, Status: event.Status, Interrupted: event.Kind == KindInterrupted, At: event.Time,
		at: Head{event.Seq, event.SHA256},
	}
	for _, subject := range event.Subjects {
		if subject.Role == RolePolicy {
			one.Policy = subject.Name
		}
	}
	return one
}

// ErrCursor is wrapped by the error for a cursor that no list of this chain has given.
var ErrCursor = errors.New("the cursor is of another audit chain, or of none")

// maxEnded bounds a page.
const maxEnded = 1000

// ListEnded lists the runs of principals that have ended, recorded or interrupted, in the order of
// the chain: at most so many, and at most 1000, behind a cursor, which is "" at the beginning. Next is
// the cursor behind the last one, to be kept for ever: deletions leave the chain as it is. Fewer than
// were asked for are all that there are just now.
func (v *View) ListEnded(ctx context.Context, cursor string, most int) (found []Ended, next string, err error) {
	at, err := v.settled(ctx) // no line up to there is taken back
	if err != nil {
		return nil, "", fmt.Errorf("list runs: %w", err)
	}
	most = min(max(most, 1), maxEnded)
	found, next, err = v.ledger.ended(ctx, v, page{cursor, at.head.Seq, most})
	if err != nil {
		return nil, "", fmt.Errorf("list runs: %w", err)
	}
	return found, next, nil
}

// page is what is asked for of a list.
type page struct {
	cursor string
	upTo   int64 // event
	most   int
}

func (l *ledger) ended(ctx context.Context, view *View, of page) (found []Ended, next string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.read(ctx, view); err != nil {
		return nil, "", err
	}
	begin, err := l.behind(of.cursor)
	if err != nil {
		return nil, "", err
	}
	next = of.cursor
	for _, one := range l.asked[begin:] {
		if len(found) == of.most || one.at.Seq > of.upTo {
			break
		}
		found, next = append(found, one), one.cursor()
	}
	return found, next, nil
}

// behind is the index of the first run behind a cursor.
func (l *ledger) behind(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	text, _, _ := strings.Cut(cursor, "-")
	seq, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, ErrCursor
	}
	index, there := slices.BinarySearchFunc(l.asked, seq, func(one Ended, seq int64) int { return cmp.Compare(one.at.Seq, seq) })
	if !there || l.asked[index].cursor() != cursor {
		return 0, ErrCursor
	}
	return index + 1, nil
}

// cursor names an event by its place and by the beginning of its hash.
func (e Ended) cursor() string { return fmt.Sprintf("%d-%.16s", e.at.Seq, e.at.SHA256) }
