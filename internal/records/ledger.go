package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// ledger is what the chain says of runs. What was read is kept, and it reads on where the chain
// has grown: who asks for each run that begins, or ends, does not read all of it. Where the chain
// is another, or shorter, or ends its old part otherwise, all is read again. That something in
// the middle of what was read is altered meanwhile changes nothing here, and is Verify's to find.
type ledger struct {
	mu    sync.Mutex
	look  fs.FileInfo // nil: nothing was read to its end
	at    reach
	held  *trusted
	runs  map[job.ID]told
	asked []Ended // by principals, oldest first
}

// told is what the chain says of one run.
type told struct {
	record      digest.Hex // the hash of its record, or ""
	statement   digest.Hex // and that of what was signed about it
	deleted     bool       // its record was
	interrupted bool
	called      bool // a tool: its code has begun
}

// of is what the chain says of a run, as far as its last whole line. A chain that does not hold
// says nothing.
func (l *ledger) of(ctx context.Context, view *View, id job.ID) (told, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.read(ctx, view); err != nil {
		return told{}, err
	}
	return l.runs[id], nil
}

// read reads what has come. mu is held.
func (l *ledger) read(ctx context.Context, view *View) error {
	info, err := os.Lstat(view.chain.path)
	if errors.Is(err, fs.ErrNotExist) {
		l.forget(nil)
		return nil
	}
	if err != nil {
		return err
	}
	if l.look != nil && os.SameFile(l.look, info) && l.look.Size() == info.Size() && l.look.ModTime().Equal(info.ModTime()) {
		return nil
	}
	held, err := view.trust()
	if err != nil {
		return err
	}
	grown := l.look != nil && os.SameFile(l.look, info) && l.look.Size() < info.Size() && l.held.sameKey(held) && view.chain.endsAt(l.at)
	if !grown {
		l.forget(held)
	}
	err = l.readOn(ctx, view)
	if grown && err != nil && context.Cause(ctx) == nil { // lines that were just read may have been taken back
		l.forget(held)
		err = l.readOn(ctx, view)
	}
	if err != nil {
		l.forget(nil)
		return err
	}
	l.look = info
	return nil
}

func (l *ledger) forget(held *trusted) {
	l.look, l.at, l.held, l.runs, l.asked = nil, reach{head: genesis}, held, map[job.ID]told{}, nil
}

func (l *ledger) readOn(ctx context.Context, view *View) error {
	err := view.chain.from(ctx, &l.at, func(event Event) error {
		if problem := l.held.fault(ctx, event); problem != "" {
			return view.chain.damaged(fmt.Errorf("line %d: %s", event.Seq, problem))
		}
		l.note(event)
		return nil
	})
	if errors.Is(err, ErrTorn) {
		return nil
	}
	return err
}

func (l *ledger) note(event Event) {
	one := l.runs[event.RunID]
	switch event.Kind {
	case KindRun:
		if one.record != "" {
			return // Verify tells
		}
		one.record, one.statement = event.Subject(RoleRecord), event.Subject(RoleStatement)
	case KindInterrupted:
		if one.interrupted {
			return
		}
		one.interrupted = true
	case KindToolCall:
		one.called = true
	case KindDeletion:
		one.deleted = one.deleted || event.Name == PartRecord
	default:
		return
	}
	l.runs[event.RunID] = one
	if event.Actor.Principal != "" && (event.Kind == KindRun || event.Kind == KindInterrupted) {
		l.asked = append(l.asked, endedOf(event))
	}
}

// openDir opens a directory of the store's own. What is a link, or no directory, is an error
// before it is opened: a pipe would be waited for.
func openDir(path string) (*os.Root, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is no directory of this store: it is a %s", path, info.Mode().Type())
	}
	return os.OpenRoot(path)
}

// openFile is openDir for a regular file.
func openFile(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file of this store: it is a %s", path, info.Mode().Type())
	}
	return os.Open(path)
}
