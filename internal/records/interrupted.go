package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// Asked is who has asked for a run, and for what: a draft notes it, so that a run that ends
// without a record can be told.
type Asked struct {
	Actor        job.Actor     `json:"actor"`
	Policy       string        `json:"policy"`
	PolicySHA256 digest.Hex    `json:"policy_sha256,omitzero"`
	Image        digest.Digest `json:"image,omitzero"`
	Bundle       digest.Digest `json:"bundle,omitzero"`
	// CodeSHA256 is of the script as it came; "" for a session.
	CodeSHA256 digest.Hex `json:"code_sha256,omitzero"`
	// Given says that the run's id was not drawn for it: it may have been used before.
	Given bool `json:"-"`
}

// A draft has a note of what was asked, under one of these names. Which of them tells whether
// code may have begun, whatever the note says; a draft that has neither is being made, and then
// empty, or being committed, or of a runner that wrote none.
const (
	askedName = "asked.json"
	begunName = "begun.json"

	maxAsked = 16 << 10 // bytes
)

const (
	diedReason   = "its runner ended before the run was recorded"
	failedReason = "it could not be recorded"
)

// write notes what was asked. Names are cut, so that they fit an event.
func (a Asked) write(draft *os.Root) error {
	a.Policy = Brief(a.Policy)
	encoded, err := strictjson.Encode(a)
	if err != nil {
		return fmt.Errorf("note what was asked: %w", err)
	}
	return durable.WriteFile(draft, askedName, encoded)
}

// Begun has the draft say that code may begin from now on. It returns before any does: a process
// that dies later leaves the mark, which is not synced. Idempotent.
func (d *Draft) Begun() error {
	if d.begun {
		return nil
	}
	if err := d.dir.Root().Rename(askedName, begunName); err != nil {
		return fmt.Errorf("note that run %s begins: %w", d.id, err)
	}
	d.begun = true
	return nil
}

// NothingRan takes Begun back for a run of which it is certain, by now, that no code has begun
// and none can.
func (d *Draft) NothingRan() { d.begun = false }

// Discard removes the draft. Of a run that has begun the chain is told first that it was
// interrupted; where it cannot be told, the draft stays, and the next Sweep tells. It does nothing
// after Commit or another Discard, and does not end with ctx.
func (d *Draft) Discard(ctx context.Context) error {
	if !d.begun || d.over {
		d.over = true
		return d.dir.Discard()
	}
	d.over = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), toldWithin)
	defer cancel()
	said, err := d.store.ledger.of(ctx, d.store.View, d.id)
	if err == nil && said.record == "" {
		err = d.store.append(ctx, d.asked.interrupted(d.id, failedReason))
	}
	if err != nil || said.record != "" { // a line that could not be taken back: Sweep puts the draft in its place
		return errors.Join(err, d.dir.Leave())
	}
	return d.dir.Discard()
}

// toldWithin bounds how long a run that has failed waits for its last event.
const toldWithin = 30 * time.Second

// interrupted is the event of a run that has ended without a record. A note that is none of ours
// says nothing.
func (a Asked) interrupted(id job.ID, reason string) Event {
	event := a.event(id, reason)
	if event.check() != nil {
		return Asked{}.event(id, reason)
	}
	return event
}

func (a Asked) event(id job.ID, reason string) Event {
	return Event{Kind: KindInterrupted, Actor: a.Actor, RunID: id, Reason: reason, Subjects: withHashes(
		Subject{RolePolicy, Brief(a.Policy), a.PolicySHA256},
		Subject{RoleImage, "", a.Image.Hex()},
		Subject{RoleBundle, "", a.Bundle.Hex()},
		Subject{RoleScript, "", a.CodeSHA256},
	)}
}

// withHashes are the subjects that there are.
func withHashes(all ...Subject) (there []Subject) {
	for _, one := range all {
		if one.SHA256 != "" {
			there = append(there, one)
		}
	}
	return there
}

// died says what a draft of a dead process was of, and whether its code may have begun: that it
// has not is said only where it is certain.
func (s *Store) died(ctx context.Context, runs *os.Root, draft string, id job.ID) (event Event, begun bool, err error) {
	root, err := runs.OpenRoot(draft)
	if err != nil {
		return Event{}, false, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	left, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return Event{}, false, err
	}
	if len(left) == 0 || exists(root, askedName) && !exists(root, begunName) {
		return Event{}, false, nil
	}
	asked, err := readAsked(ctx, root, id)
	return asked.interrupted(id, diedReason), true, err
}

// readAsked reads the note of a draft or, where it is being committed, its record. What cannot be
// read says nothing.
func readAsked(ctx context.Context, draft *os.Root, id job.ID) (asked Asked, err error) {
	if text, err := beneath.ReadFile(ctx, draft, begunName, maxAsked); err == nil {
		if strictjson.Decode(text, maxAsked, &asked) != nil {
			asked = Asked{}
		}
		return asked, nil
	}
	text, err := beneath.ReadFile(ctx, draft, recordName, maxRecord)
	if context.Cause(ctx) != nil {
		return Asked{}, context.Cause(ctx)
	}
	if err != nil {
		return Asked{}, nil //nolint:nilerr // the event has the id alone
	}
	record, err := parseRecord(text, id)
	if err != nil {
		return Asked{}, nil //nolint:nilerr // the same
	}
	said := record.Result.Provenance
	asked = Asked{Policy: said.Policy, PolicySHA256: said.PolicySHA256, Image: said.Image, Bundle: said.Bundle, CodeSHA256: said.CodeSHA256}
	if said.Actor != nil {
		asked.Actor = *said.Actor
	}
	return asked, nil
}

// tellDied adds to the chain that the run of a dead process was interrupted, where it may have
// begun, and once: a sweep may have died between that and the draft's removal. It reports whether
// the chain says so. The store's lock is held.
func (s *Store) tellDied(ctx context.Context, runs *os.Root, draft string, said told) (bool, error) {
	if said.interrupted {
		return true, nil
	}
	id, err := job.ParseID(strings.TrimPrefix(draft, draftPrefix))
	if err != nil {
		return false, err
	}
	event, begun, err := s.died(ctx, runs, draft, id)
	if err != nil || !begun {
		return false, err
	}
	event.Time = s.now().UTC()
	return true, s.appendHeld(ctx, []Event{event})
}
