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
	"time"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
)

// ReleaseOptions are what a person lets out of a run, and where it goes.
type ReleaseOptions struct {
	RunID job.ID
	Files []string // by their paths in the record; none means all
	To    output.Destination
	By    Cause
	// AcceptFindings says that this person has looked at what the disclosure checks have found.
	AcceptFindings bool
}

// The errors of a release that was not asked for as it must be.
var (
	ErrNoFile   = errors.New("the run has released no such file")
	ErrFindings = errors.New("the disclosure checks want somebody to look at these files")
)

// Release copies verified files of a run to a directory, which gets its name in one step, with a
// statement about them: signed where there is a key. The run is held to the chain first, and what
// was written to the run. The chain has the event before the directory has its name: nothing
// gets that name that it does not know of. Where the last step fails the chain has a release too
// many. A runner that is killed before the event leaves the hidden directory in which it wrote,
// for its owner alone, beside the place: the chain knows nothing of that.
func (s *Store) Release(ctx context.Context, ask ReleaseOptions) (made Release, err error) {
	err = s.because(ctx, ask.By, func() error {
		made, err = s.release(ctx, ask)
		return err
	})
	if err != nil {
		return Release{}, fmt.Errorf("release files of run %s: %w", ask.RunID, err)
	}
	return made, nil
}

func (s *Store) release(ctx context.Context, ask ReleaseOptions) (Release, error) {
	if err := errors.Join(ask.To.Check(ctx), s.requireKey(ctx)); err != nil {
		return Release{}, err
	}
	event, record, err := s.sound(ctx, ask.RunID)
	if err != nil {
		return Release{}, err
	}
	files, err := chosen(record.Result.Files, ask.Files)
	if err != nil {
		return Release{}, err
	}
	if record.Result.Review != nil {
		review := record.Result.Review.Within(files)
		if review.Needed && !ask.AcceptFindings {
			return Release{}, fmt.Errorf("%w (findings: %d)", ErrFindings, len(review.Findings))
		}
		record.Result.Review = &review
	}
	leaving := leaving{store: s, record: record, event: event, files: files, by: ask.By}
	if err := leaving.write(ctx, ask.To.Dir); err != nil {
		return Release{}, err
	}
	to := ask.To
	to.Seal = leaving.seal
	if err := output.ExportKeptTo(ctx, filepath.Join(s.Path(ask.RunID), filesName), files, to); err != nil {
		if leaving.told {
			err = fmt.Errorf("%w: the audit chain has the release already, and the files may not be there: look, and release them again to another directory", err)
		}
		return Release{}, err
	}
	if err := s.within(func(store *os.Root) error { return placeStatement(store, leaving.made.SHA256) }); err != nil {
		return Release{}, fmt.Errorf("%w: the files are released all the same, and the audit chain has it; the next sweep ends this", err)
	}
	return leaving.made, nil
}

// sound is the record of a run all of whose files are as the chain says, and its event.
func (s *Store) sound(ctx context.Context, id job.ID) (event Event, record Record, err error) {
	record, err = s.Get(ctx, id)
	if err != nil {
		return Event{}, Record{}, err
	}
	check, err := s.verified(ctx, id)
	if err != nil {
		return Event{}, Record{}, err
	}
	return check.order[0], record, nil
}

// chosen are the files of a run that somebody names, each once.
func chosen(all []job.File, names []string) ([]job.File, error) {
	if len(names) == 0 && len(all) > 0 {
		return all, reserved(all)
	}
	var files []job.File
	var faults []error
	for _, name := range names {
		slashed := filepath.ToSlash(name)
		at := slices.IndexFunc(all, func(file job.File) bool { return file.Path == slashed })
		switch {
		case at < 0:
			faults = append(faults, fmt.Errorf("%w: %q", ErrNoFile, Brief(name)))
		case !slices.Contains(files, all[at]):
			files = append(files, all[at])
		}
	}
	if len(all) == 0 {
		faults = []error{fmt.Errorf("%w: it has none at all", ErrNoFile)}
	}
	return files, errors.Join(append(faults, reserved(files))...)
}

// reserved refuses files that would stand in the place of the statement.
func reserved(files []job.File) error {
	for _, file := range files {
		if strings.EqualFold(file.Path, signedRelease) || strings.EqualFold(file.Path, plainRelease) {
			return fmt.Errorf("%w but %q, whose name the statement about a release has: name the others", ErrNoFile, file.Path)
		}
	}
	return nil
}

// leaving is a release that is being made.
type leaving struct {
	store  *Store
	record Record
	event  Event // of the run
	files  []job.File
	by     Cause

	name      string // of the statement's file
	statement []byte
	about     Event
	made      Release
	told      bool // the chain has it
}

// write makes the statement, and the event that names it.
func (l *leaving) write(ctx context.Context, dir string) (err error) {
	var said ReleaseStatement
	var more []Subject
	l.name, l.statement, more, err = l.store.signRelease(ctx, func(at place) ReleaseStatement {
		said = l.words(at, Brief(dir), l.store.now().UTC())
		return said
	}, l.by.Actor)
	if err != nil {
		return err
	}
	l.about = said.event(more)
	l.made = releaseOf(l.about, said)
	return l.about.check()
}

// event is what the chain says of a release: all that the statement does, but what it was told of
// findings, and as many files as a line has room for, or none.
func (s ReleaseStatement) event(signature []Subject) Event {
	what := s.Predicate
	about := Event{
		Kind: KindRelease, Actor: what.Actor, RunID: what.Run, Name: what.Destination, OK: new(true), Reason: what.Reason,
		Count: int64(len(s.Subject)), Bytes: what.Bytes,
		Subjects: append([]Subject{{RoleRecord, "", what.Record.Digest["sha256"]}}, signature...),
	}
	whole := about
	whole.Subjects = slices.Clone(about.Subjects)
	for _, file := range s.Subject {
		whole.Subjects = append(whole.Subjects, Subject{RoleFile, Brief(file.Name), file.Digest["sha256"]})
	}
	if whole.check() == nil {
		return whole
	}
	return about
}

// seal is called when the files are written: it holds them to the record, adds the statement,
// keeps a copy of it, and tells the chain.
func (l *leaving) seal(ctx context.Context, made *os.Root) error {
	if err := l.compare(ctx, made); err != nil {
		return err
	}
	if err := writeSynced(made, l.name, l.statement, 0o644); err != nil {
		return err
	}
	err := l.store.within(func(store *os.Root) error { return keepStatement(store, l.made.SHA256, l.statement) })
	if err != nil {
		return err
	}
	about := l.about
	about.Time = l.made.Time
	if err := l.store.record(ctx, &commit{event: about, done: make(chan struct{})}); err != nil {
		return err // the next sweep decides by the chain on the statement that is kept
	}
	l.told = true
	return nil
}

// compare holds what lies in a directory to the record.
func (l *leaving) compare(ctx context.Context, made *os.Root) error {
	wanted := map[string]hashed{}
	for _, file := range l.files {
		wanted[file.Path] = hashed{file.SHA256, file.Bytes}
	}
	err := beneath.Walk(ctx, made, extent, func(node *beneath.Node) error {
		if node.Kind == beneath.Directory {
			return nil
		}
		found, err := hashNode(ctx, node, wanted[node.Path].bytes)
		if err == nil && found != wanted[node.Path] {
			err = fmt.Errorf("%s was written, and is not what the record names", beneath.Escape(node.Path))
		}
		delete(wanted, node.Path)
		return err
	})
	if err == nil && len(wanted) > 0 {
		err = fmt.Errorf("%d files are not there that were written", len(wanted))
	}
	return err
}

// writeSynced makes a file that is on the disk when it returns.
func writeSynced(dir *os.Root, name string, data []byte, mode fs.FileMode) (err error) {
	file, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.Write(data); err != nil {
		return err
	}
	return errors.Join(file.Chmod(mode), file.Sync())
}

// Release is one that the chain has.
type Release struct {
	RunID  job.ID    `json:"run_id"`
	Time   time.Time `json:"time"`
	Actor  job.Actor `json:"actor"`
	Reason string    `json:"reason"`
	To     string    `json:"to"` // the directory, as it was named
	Signed bool      `json:"signed"`
	// SHA256 is of the statement, a copy of which the state keeps.
	SHA256   digest.Hex      `json:"statement_sha256"`
	Files    []StatementFile `json:"files"`
	Accepted int             `json:"accepted_findings"`
}
