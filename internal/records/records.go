// Package records keeps what happened: one directory per run, refused output in
// quarantine, and an audit chain that shows whether anything was changed since.
//
// It decides how a run becomes a record: whole or not at all, whatever fails
// meanwhile. It does not decide what a run's outcome is (internal/runner) or
// what its output is worth (internal/output); it takes files only as an
// *output.Verified. Begin a Draft before the run, Commit it after, and Discard
// it in any case.
//
// # On the disk
//
//	runs/<id>/record.json     the Record
//	runs/<id>/run_*.py        the code, where the policy keeps it
//	runs/<id>/files/          the verified files
//	runs/<id>/statement.dsse.json  what was signed about these: see Statement; where there is a key
//	runs/.draft-<id>/         a run that is going on, locked by its process, with a note of what
//	                          was asked: asked.json, or begun.json once code may have begun
//	quarantine/<id>/          refused output: see output.Quarantine
//	releases/<sha256>.json    a copy of each statement about files that somebody let out
//	policies.seen             the policies of the last runs: see NotePolicy
//	audit.jsonl               one line per Event: each run's, and what Append is given
//	lock                      held while audit.jsonl is written, by one process at a time
//
// # Order of a commit
//
// Everything is written and synced in the draft, and its name as a draft; then the audit
// line is appended and synced, which is the moment at which the run is recorded; then the
// draft is renamed. That rename is not synced: after a crash the record is in its place,
// or a draft that Sweep puts there. A process that dies before that moment leaves a draft,
// which Sweep removes once the chain has the event that the run was interrupted, if its code may
// have begun, and at worst a torn line, which the next commit cuts off and notes in its own line.
//
// Those who commit at the same time in one process form a group: one of them appends the
// lines of all and syncs once, then all drafts are renamed in the order of the lines.
// Nobody is told before. A draft that cannot be renamed takes its line back; the lines
// behind it go with it and are appended again, before their drafts are renamed, so that a
// record in its place has a line at every moment. A crash within a group leaves whole
// lines, whose runs are recorded, and at worst one that is torn.
package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// ErrNotFound is returned for a run that has no record here.
var ErrNotFound = errors.New("no such run")

// recordVersion is the format of record.json. Those of version 1 do not have the hash of
// the saved code, and those before 3 not that of the quarantine.
const recordVersion = 3

// maxRecord bounds record.json in bytes: the largest report of a guard, the
// streams beside it, and the escapes that JSON adds.
const maxRecord = 256 << 20

const (
	recordName  = "record.json"
	filesName   = "files"
	draftPrefix = ".draft-"
	lockName    = "lock"

	runsDir        = "runs"
	quarantineDir  = "quarantine"
	quarantineName = "quarantine" // in a draft
)

// Record is record.json.
type Record struct {
	Version     int        `json:"version"`
	Result      job.Result `json:"result"`
	Code        string     `json:"code,omitempty"` // name of the saved code beside it
	Quarantined bool       `json:"quarantined"`    // whether quarantine/<id> exists
	// CodeFileSHA256 is of the saved code as it lies there, with its header; "" without it.
	CodeFileSHA256 digest.Hex `json:"code_file_sha256,omitempty"`
	// QuarantineSHA256 is of the quarantine's index, which has the sizes and hashes of what is
	// kept there; "" where nothing is. Who may see a record, but not what was refused, learns no
	// name from it, and cannot try what the content may have been.
	QuarantineSHA256 digest.Hex `json:"quarantine_sha256,omitempty"`
	// Trace is how long the run took until it was recorded. It is nil for a session and its
	// steps, and in the records of versions that did not measure it.
	Trace *job.Trace `json:"trace,omitempty"`
}

// Summary is what a list of runs shows of one.
type Summary struct {
	RunID     job.ID        `json:"run_id"`
	Status    job.Status    `json:"status"`
	Policy    string        `json:"policy"`
	Bundle    digest.Digest `json:"bundle"`
	Files     int           `json:"files"`
	StartedAt time.Time     `json:"started_at"`
}

// Store is a directory of records. It may be used by several goroutines and
// processes at once.
type Store struct {
	*View
	now     func() time.Time       // for the audit lines
	signer  func() (Signer, error) // or nil
	commits commits
	readers readers
}

// Open opens a store and makes what is missing of it, for its owner's eyes only
// (0700).
func Open(dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open records: %w", err)
	}
	store := &Store{View: &View{dir: dir, chain: newChain(dir)}, now: time.Now, commits: commits{lead: make(chan struct{}, 1)}}
	for _, path := range []string{dir, store.runs(), store.quarantine()} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, fmt.Errorf("open records: %w", err)
		}
	}
	if err := store.unlinked(); err != nil {
		return nil, fmt.Errorf("open records: %w", err)
	}
	return store, nil
}

func (v *View) runs() string       { return filepath.Join(v.dir, runsDir) }
func (v *View) quarantine() string { return filepath.Join(v.dir, quarantineDir) }

// Path is where a run's record is, or would be.
func (v *View) Path(id job.ID) string { return filepath.Join(v.runs(), id.String()) }

// QuarantinePath is where a run's refused output is, or would be.
func (v *View) QuarantinePath(id job.ID) string { return filepath.Join(v.quarantine(), id.String()) }

func (v *View) draftPath(id job.ID) string {
	return filepath.Join(v.runs(), draftPrefix+id.String())
}

// ErrAltered is wrapped by the error for a record that is not the one that the chain names.
var ErrAltered = errors.New("it is not the one that the audit chain names: `runner records verify` tells what was changed")

// Get reads one record, if it is the one that the chain names: whatever is done with a record
// is done by what its run has left, and not by what somebody made of it. One that is not there is
// ErrNotFound, with ErrDeleted or ErrInterrupted where the chain says why.
func (v *View) Get(ctx context.Context, id job.ID) (Record, error) {
	record, _, err := v.sized(ctx, id)
	return record, err
}

// absent is ErrNotFound, and with it ErrDeleted or ErrInterrupted where the chain says why.
func (v *View) absent(ctx context.Context, id job.ID) error {
	said, err := v.ledger.of(ctx, v, id)
	switch {
	case err == nil && said.deleted:
		return fmt.Errorf("%w: %w", ErrNotFound, ErrDeleted)
	case err == nil && said.interrupted && said.record == "":
		return fmt.Errorf("%w: %w", ErrNotFound, ErrInterrupted)
	default:
		return ErrNotFound
	}
}

// sized is Get, with the bytes of record.json.
func (v *View) sized(ctx context.Context, id job.ID) (record Record, bytes int64, err error) {
	root, err := openDir(v.Path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, 0, fmt.Errorf("get record %s: %w", id, v.absent(ctx, id))
	}
	if err != nil {
		return Record{}, 0, fmt.Errorf("get record %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	data, err := beneath.ReadFile(ctx, root, recordName, maxRecord)
	if err != nil {
		return Record{}, 0, fmt.Errorf("get record %s: %w", id, err)
	}
	said, err := v.ledger.of(ctx, v, id)
	if err != nil {
		return Record{}, 0, fmt.Errorf("get record %s: %w", id, err)
	}
	if digest.Of(data).Hex() != said.record {
		return Record{}, 0, fmt.Errorf("get record %s: %w", id, ErrAltered)
	}
	record, err = parseRecord(data, id)
	return record, int64(len(data)), err
}

// List summarises every record, oldest first. What cannot be read is an error
// beside those that can.
func (v *View) List(ctx context.Context) ([]Summary, error) {
	ids, err := v.IDs()
	list := []Summary{}
	for _, id := range ids {
		record, getErr := v.Get(ctx, id)
		if getErr != nil {
			err = errors.Join(err, getErr)
			continue
		}
		result := record.Result
		list = append(list, Summary{id, result.Status, result.Provenance.Policy,
			result.Provenance.Bundle, len(result.Files), result.Provenance.StartedAt})
	}
	return list, err
}

// IDs lists the recorded runs, oldest first: that is the order of their names. What does not
// belong there is an error beside those that do.
func (v *View) IDs() ([]job.ID, error) {
	entries, err := os.ReadDir(v.runs())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list records: %w", err)
	}
	var ids []job.ID
	var faults []error
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), draftPrefix) {
			continue
		}
		id, err := job.ParseID(entry.Name())
		if err != nil {
			faults = append(faults, fmt.Errorf("list records: %s does not belong there: it is no run's id", Brief(entry.Name())))
			continue
		}
		ids = append(ids, id)
	}
	return ids, errors.Join(faults...)
}

// lock takes the store's lock and returns its release. It is held for a few file
// syncs. Nothing is written where another user could change it, also where that came later than Open.
func (s *Store) lock(ctx context.Context) (release func() error, err error) {
	if err := durable.OnlyOwn(s.dir); err != nil {
		return nil, fmt.Errorf("lock records: %w", err)
	}
	lock, err := durable.Lock(ctx, filepath.Join(s.dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("lock records: %w", err)
	}
	return lock.Close, nil
}

// Sweep ends the drafts of processes that are dead: those whose run is in the
// audit chain are put in place, the others removed. Of a run that may have begun the chain is told
// before, by who had asked for it, that it was interrupted; of any other after, by actor. It returns
// how many there were and never touches a live process's.
func (s *Store) Sweep(ctx context.Context, actor job.Actor) (swept int, err error) {
	if err := s.announceOwn(ctx, actor); err != nil {
		return 0, err
	}
	release, err := s.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if by, current, err := s.keyNow(); err != nil || by.sum != current { // what is swept must be told
		return 0, cmp.Or(err, unsuited(by.sum, current))
	}
	if err := errors.Join(s.sweepRemoved(ctx), s.sweepReleases(ctx)); err != nil {
		return 0, err
	}
	var removed []Event
	defer func() {
		if len(removed) > 0 {
			err = errors.Join(err, s.appendHeld(ctx, removed))
		}
	}()
	err = s.within(func(store *os.Root) error {
		runs, err := store.OpenRoot(runsDir)
		if err != nil {
			return err
		}
		defer runs.Close()
		dir, err := runs.Open(".")
		if err != nil {
			return err
		}
		defer dir.Close()
		if err := durable.WaitLock(ctx, dir); err != nil {
			return err
		}
		swept, err = durable.Sweep(runs, draftPrefix, func(_ *os.Root, name string) error {
			if context.Cause(ctx) != nil {
				return context.Cause(ctx)
			}
			gone, err := s.finish(ctx, runs, name)
			if err == nil && gone {
				removed = append(removed, s.swept(name, actor))
			}
			return err
		})
		return err
	})
	return swept, err
}

// swept is the event of a draft that was removed.
func (s *Store) swept(draft string, actor job.Actor) Event {
	event := Event{Kind: KindSweep, Actor: actor, Time: s.now().UTC(), Reason: "its runner ended before the run was recorded"}
	id, err := job.ParseID(strings.TrimPrefix(draft, draftPrefix))
	if err != nil {
		event.Name = Brief(draft)
	}
	event.RunID = id
	return event
}

// finish puts an abandoned draft in place where its run was recorded, else removes it; of one
// that may have begun the chain is told first, and no event of its removal is needed. A draft
// that is not what the chain names of its run stays: it may be all that is left of a record, or
// somebody's copy of one. Verify tells of it.
func (s *Store) finish(ctx context.Context, runs *os.Root, draft string) (removed bool, err error) {
	id, err := job.ParseID(strings.TrimPrefix(draft, draftPrefix))
	if err != nil {
		return true, durable.Remove(runs, draft)
	}
	said, err := s.ledger.of(ctx, s.View, id)
	if err != nil {
		return false, err // a damaged chain must not cost a record
	}
	if said.record == "" {
		told, err := s.tellDied(ctx, runs, draft, said)
		if err != nil {
			return false, err
		}
		return !told, durable.Remove(runs, draft)
	}
	sum, err := hashFile(ctx, filepath.Join(s.runs(), draft, recordName))
	if err != nil || sum.Hex() != said.record {
		return false, context.Cause(ctx)
	}
	if err := s.chain.sync(); err != nil {
		return false, err
	}
	if _, err := runs.Lstat(id.String()); !errors.Is(err, fs.ErrNotExist) { // no draft of ours is beside its record
		return false, err
	}
	if s.twoQuarantines(draft, id) {
		return false, nil
	}
	if err := s.releaseQuarantine(draft, id); err != nil {
		return false, err
	}
	if err := runs.Rename(draft, id.String()); err != nil {
		return false, fmt.Errorf("put record in place: %w", err)
	}
	return false, durable.SyncDir(runs)
}
