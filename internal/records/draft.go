package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/strictjson"
)

// Draft is the record of a run that is going on. It has one owner, who calls
// Discard in the end; its methods are not for concurrent use.
type Draft struct {
	store *Store
	id    job.ID
	dir   *durable.Draft
	asked Asked
	begun bool // its code may have
	over  bool // it was committed, or discarded
	bytes int64
}

// Begin makes the draft of a run. It checks that the audit chain can be
// continued, so that no run is made that cannot be recorded. The error for an id that another run
// has, or has had, wraps ErrKnownID.
func (s *Store) Begin(ctx context.Context, id job.ID, asked Asked) (*Draft, error) {
	if err := asked.event(id, diedReason).check(); err != nil { // nor could the run's own event be
		return nil, fmt.Errorf("begin record %s: %w", id, err)
	}
	dir, err := s.newDraft(ctx, id, asked.Given)
	if err != nil {
		return nil, fmt.Errorf("begin record %s: %w", id, err)
	}
	draft := &Draft{store: s, id: id, dir: dir, asked: asked}
	// The note first: a draft with a file and without a note is not one of a run that cannot have begun.
	if err = asked.write(dir.Root()); err == nil {
		err = dir.Root().Mkdir(filesName, 0o700)
	}
	if err == nil { // whoever had the id made a record of his draft by one rename
		err = s.isNew(ctx, id, asked.Given)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin record %s: %w", id, err), dir.Discard())
	}
	return draft, nil
}

// newDraft holds a lock on the directory of all runs, with others who begin and without a
// Sweep: that must not meet the draft between its making and its locking.
func (s *Store) newDraft(ctx context.Context, id job.ID, given bool) (draft *durable.Draft, err error) {
	if id == (job.ID{}) {
		return nil, errors.New("the run has no id")
	}
	if err := errors.Join(durable.OnlyOwn(s.dir), s.isNew(ctx, id, given), s.requireSound(ctx), s.requireKey(ctx)); err != nil {
		return nil, err
	}
	runs, err := os.Open(s.runs())
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	if err := durable.WaitShared(ctx, runs); err != nil {
		return nil, err
	}
	draft, err = durable.NewOnlyDraft(s.draftPath(id))
	if errors.Is(err, durable.ErrBusy) || errors.Is(err, durable.ErrLeft) {
		err = fmt.Errorf("%w: %w", ErrKnownID, err)
	}
	return draft, err
}

// requireSound looks at the chain's end. It takes the lock where it does not like what it
// sees: somebody may be writing just now.
func (s *Store) requireSound(ctx context.Context) error {
	if _, err := s.chain.tail(); err == nil {
		return nil
	}
	release, err := s.lock(ctx)
	if err != nil {
		return err
	}
	_, err = s.chain.tail()
	return errors.Join(err, release())
}

// Staging is the directory for output.Verify: empty, on the records' own disk,
// with mode 0700.
func (d *Draft) Staging() string { return filepath.Join(d.dir.Path(), filesName) }

// Path is the draft's directory. What is put there beside the record must be gone
// before Commit.
func (d *Draft) Path() string { return d.dir.Path() }

// Quarantine keeps refused output beside the record. It becomes visible with
// Commit. On error nothing is kept, and Commit is still possible.
func (d *Draft) Quarantine(ctx context.Context, dir *os.Root, reasons []job.Violation, limits output.QuarantineLimits) error {
	if err := d.dir.Root().Mkdir(quarantineName, 0o700); err != nil {
		return fmt.Errorf("quarantine output: %w", err)
	}
	if err := output.Quarantine(ctx, dir, filepath.Join(d.dir.Path(), quarantineName), reasons, limits); err != nil {
		return errors.Join(err, durable.Remove(d.dir.Root(), quarantineName))
	}
	return nil
}

// Entry is what Commit records.
type Entry struct {
	Result job.Result
	// Verified is required for a run that succeeded, unless it is a step of a session,
	// and must have been staged in
	// this draft; its files must be Result.Files. It stays usable, and the
	// caller's to close.
	Verified   *output.Verified
	Code       []byte   // the script as it came
	KeepCode   bool     // what the policy says for this status
	ScriptName string   // for the header of the saved code
	Tables     []string // DataFrames that the code found loaded, for the header
	// Trace is how long the run took until now, or nil.
	Trace *job.Trace
	// Actor is who asked for the run.
	Actor job.Actor
}

// Commit records the run, whole or not at all, and returns the record's
// directory. After an error the draft is still there, to be discarded; the run
// is then not recorded, unless the error says otherwise.
func (d *Draft) Commit(ctx context.Context, entry Entry) (path string, err error) {
	made, err := d.prepare(ctx, entry)
	if err != nil {
		return "", fmt.Errorf("commit record %s: %w", d.id, err)
	}
	if err := d.store.record(ctx, made); err != nil {
		return "", fmt.Errorf("commit record %s: %w", d.id, err)
	}
	d.over = true
	return d.store.Path(d.id), nil
}

// prepare writes and syncs everything in the draft.
func (d *Draft) prepare(ctx context.Context, entry Entry) (*commit, error) {
	if err := d.check(entry); err != nil {
		return nil, err
	}
	root := d.dir.Root()
	if entry.Verified == nil {
		if err := durable.Remove(root, filesName); err != nil {
			return nil, err
		}
	}
	record := Record{Version: recordVersion, Result: entry.Result, Trace: entry.Trace}
	if err := d.nameQuarantine(ctx, &record); err != nil {
		return nil, err
	}
	var code []byte
	if entry.KeepCode {
		code = savedCode(entry)
		record.Code, record.CodeFileSHA256 = CodeName(entry.Result), digest.Of(code).Hex()
	}
	// What may fail for what a run has left comes before the first file, so that
	// something plainer can still be recorded.
	encoded, err := encodeRecord(record)
	if err != nil {
		return nil, err
	}
	event, envelope, err := d.vouch(ctx, record, digest.Of(encoded), entry.Actor)
	if err != nil {
		return nil, err
	}
	if err := writeParts(root, []part{{record.Code, code}, {recordName, encoded}, {statementName, envelope}}); err != nil {
		return nil, err
	}
	// Last: what is left of it then says by its record what it was of.
	if err := errors.Join(durable.Remove(root, askedName), durable.Remove(root, begunName)); err != nil {
		return nil, err
	}
	if err := durable.SetModes(root, 0o400, 0o700); err != nil {
		return nil, err
	}
	if err := d.dir.Sync(); err != nil {
		return nil, err
	}
	if d.bytes, err = bytesIn(ctx, root); err != nil {
		return nil, err
	}
	return &commit{draft: d, event: event, quarantined: record.Quarantined, done: make(chan struct{})}, nil
}

// part is a file of a record.
type part struct {
	name    string
	content []byte // nil where there is none
}

func writeParts(root *os.Root, parts []part) error {
	for _, one := range parts {
		if one.content == nil {
			continue
		}
		if err := durable.WriteFile(root, one.name, one.content); err != nil {
			return err
		}
	}
	return nil
}

// nameQuarantine has a record tell what was refused, if something was.
func (d *Draft) nameQuarantine(ctx context.Context, record *Record) error {
	if record.Quarantined = exists(d.dir.Root(), quarantineName); !record.Quarantined {
		return nil
	}
	sum, err := hashFile(ctx, filepath.Join(d.dir.Path(), quarantineName, output.IndexName))
	record.QuarantineSHA256 = sum.Hex()
	return err
}

// vouch makes what others can check a record by: its event, and its statement where there
// is a key, else nil.
func (d *Draft) vouch(ctx context.Context, record Record, sum digest.Digest, actor job.Actor) (Event, []byte, error) {
	signed, err := d.store.sign(ctx, record, sum.Hex(), actor)
	if err != nil {
		return Event{}, nil, err
	}
	event := runEvent(record, sum.Hex(), actor)
	event.Subjects = append(event.Subjects, signed.more...)
	err = event.check()
	event.Time = signed.at
	return event, signed.envelope, err
}

// runEvent is the line of a record.
func runEvent(record Record, sum digest.Hex, actor job.Actor) Event {
	provenance := record.Result.Provenance
	return Event{
		Kind: KindRun, Actor: actor, RunID: record.Result.RunID, Status: record.Result.Status,
		Subjects: withHashes(
			Subject{RoleRecord, "", sum},
			Subject{RoleCode, "", record.CodeFileSHA256},
			Subject{RolePolicy, Brief(provenance.Policy), provenance.PolicySHA256},
			Subject{RoleImage, "", provenance.Image.Hex()},
			Subject{RoleBundle, "", provenance.Bundle.Hex()},
		),
	}
}

func exists(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

// encodeRecord allows invalid UTF-8, which becomes U+FFFD: what a run printed
// must not keep the run from being recorded.
func encodeRecord(record Record) ([]byte, error) {
	var encoded bytes.Buffer // what a run left may be large: not a copy more than it takes
	if err := (strictjson.Form{Lenient: true}).Write(&encoded, record); err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	if encoded.Len() >= maxRecord {
		return nil, fmt.Errorf("encode record: it has more than %d bytes", maxRecord)
	}
	encoded.WriteByte('\n')
	return encoded.Bytes(), nil
}

// check refuses an entry that contradicts itself or this draft.
func (d *Draft) check(entry Entry) error {
	files := []job.File{}
	if entry.Verified != nil {
		files = entry.Verified.Files()
	}
	for _, rule := range []struct {
		ok    bool
		fault string
	}{
		{entry.Result.RunID == d.id, fmt.Sprintf("the result is of run %s", entry.Result.RunID)},
		{entry.Result.Status.ExitCode() != job.ExitInternal, fmt.Sprintf("the status %q does not exist", entry.Result.Status)},
		{!entry.Result.Provenance.StartedAt.IsZero(), "the result does not say when the run started"},
		{entry.Verified != nil || entry.Result.Status != job.Succeeded || isStep(entry.Result), "the run succeeded, but its output has not been verified"},
		{entry.Verified == nil || entry.Verified.Staging() == d.Staging(), "the output was verified into another directory"},
		{slices.Equal(files, entry.Result.Files), "the result lists other files than were verified"},
		{!entry.KeepCode || len(bytes.TrimSpace(entry.Code)) > 0, "there is no code to keep"},
	} {
		if !rule.ok {
			return errors.New(rule.fault)
		}
	}
	return nil
}

// isStep tells a step of a session: what of its files could not be verified yet waits for the
// session's own record, and the step's lists none.
func isStep(result job.Result) bool {
	session := result.Provenance.Session
	return session != "" && session != result.RunID.String()
}

// place renames the draft, its quarantine first. On error it is where it was.
func (d *Draft) place(quarantined bool) error {
	if !quarantined {
		return d.dir.Place(d.store.Path(d.id))
	}
	if err := d.store.releaseQuarantine(draftPrefix+d.id.String(), d.id); err != nil {
		return err
	}
	if err := d.dir.Place(d.store.Path(d.id)); err != nil {
		return errors.Join(err, d.store.withdrawQuarantine(d.id))
	}
	return nil
}

// within opens the store's directory for what is done in it by name.
func (s *Store) within(do func(store *os.Root) error) (err error) {
	store, err := durable.OpenDir(s.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(store)
}

func syncDir(store *os.Root, name string) (err error) {
	dir, err := store.OpenRoot(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return durable.SyncDir(dir)
}
