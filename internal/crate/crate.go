// Package crate makes one run a Five Safes RO-Crate 0.4 (https://w3id.org/5s-crate/0.4): a zip
// with one BagIt directory, whose payload describes itself in RO-Crate 1.2 metadata.
//
// It decides how what a record and the chain hold is said in the words of that profile, and
// says nothing that they do not hold: no review that has not been, no licence and no employer
// that nobody has named. It does not decide who may have a crate, nor where it goes. What goes
// in is compared with the hashes that record and chain have of it, while it is copied.
//
// The same record and events give the same bytes: names are in a fixed order, every time is
// the run's, and identifiers come from the run's.
package crate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

// The reasons for which a run cannot be a crate.
var (
	// ErrNoCode is told of a run whose code was not kept: the profile wants what was run.
	ErrNoCode = errors.New("its code was not kept, and a Five Safes RO-Crate must have what was run")
	// ErrNoEvent is told of a record that the chain does not know.
	ErrNoEvent = errors.New("the audit chain has no event of its record")
	// ErrNotReleased is told of a run that somebody has decided to keep in.
	ErrNotReleased = errors.New("somebody has decided that what it made must not leave")
)

// Source is what a crate is made of.
type Source struct {
	Record records.Record
	// Events are those of the chain that name the run, in their order. Exports are better left
	// out: each would make another crate.
	Events []ChainEvent
	// Files is the record's directory.
	Files fs.FS
	// Runner is the version of the program that makes the crate.
	Runner string
}

// ChainEvent is one event of the chain, with its line as it stands there, without the newline.
type ChainEvent struct {
	records.Event
	Line []byte
}

// Names in a record's directory.
const (
	recordFile    = "record.json"
	statementFile = "statement.dsse.json"
	releasedDir   = "files"
)

// Places in the payload.
const (
	metadataFile = "ro-crate-metadata.json"
	workflowDir  = "workflow"
	outputsDir   = "outputs"
	eventsFile   = "audit-events.jsonl"
)

// made is a source that has been looked through.
type made struct {
	Source
	run   ChainEvent // the event of the record
	parts []part
}

// part is a file of the payload that comes out of the record's directory.
type part struct {
	name   string // in the payload
	source string // in the record's directory
	want   digest.Hex
	bytes  int64 // or -1, where nothing says
}

// Write writes the crate of a run to w. An error leaves there what is no zip. What is not what
// record and chain say of it is digest.ErrMismatch or digest.ErrSize.
func Write(ctx context.Context, w io.Writer, source Source) error {
	id := source.Record.Result.RunID
	crate, err := look(source)
	if err != nil {
		return fmt.Errorf("make crate of run %s: %w", id, err)
	}
	if err := crate.write(ctx, w); err != nil {
		return fmt.Errorf("make crate of run %s: %w", id, err)
	}
	return nil
}

// look decides what is in the crate.
func look(source Source) (*made, error) {
	if source.Record.Code == "" {
		return nil, ErrNoCode
	}
	crate := &made{Source: source}
	if err := crate.readEvents(); err != nil {
		return nil, err
	}
	code := source.Record.CodeFileSHA256
	if code == "" { // a record of an earlier version
		code = crate.run.Subject(records.RoleCode)
	}
	crate.parts = []part{
		{recordFile, recordFile, crate.run.Subject(records.RoleRecord), -1},
		{path.Join(workflowDir, source.Record.Code), source.Record.Code, code, -1},
	}
	if signed := crate.run.Subject(records.RoleStatement); signed != "" {
		crate.parts = append(crate.parts, part{statementFile, statementFile, signed, -1})
	}
	for _, file := range source.Record.Result.Files {
		crate.parts = append(crate.parts, part{path.Join(outputsDir, file.Path), path.Join(releasedDir, file.Path), file.SHA256, file.Bytes})
	}
	for _, one := range crate.parts {
		if err := one.want.Check(); err != nil {
			return nil, fmt.Errorf("nothing says what %s was: %w", one.source, err)
		}
	}
	return crate, nil
}

// readEvents finds the event of the record, and what was decided since.
func (m *made) readEvents() error {
	id := m.Record.Result.RunID
	found := false
	for _, event := range m.Events {
		if event.RunID != id {
			return fmt.Errorf("event %d is of another run", event.Seq)
		}
		if event.Kind == records.KindRun {
			m.run, found = event, true
		}
	}
	if !found {
		return ErrNoEvent
	}
	if last, decided := m.decision(); decided && !allows(last) {
		return ErrNotReleased
	}
	return nil
}

// decision is the last event by which somebody has decided whether files may leave.
func (m *made) decision() (ChainEvent, bool) {
	for _, event := range slices.Backward(m.Events) {
		if event.Kind == records.KindRelease {
			return event, true
		}
	}
	return ChainEvent{}, false
}

func allows(release ChainEvent) bool { return release.OK == nil || *release.OK }

func (m *made) result() job.Result { return m.Record.Result }
