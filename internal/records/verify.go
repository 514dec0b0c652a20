package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// Problem is what is wrong, in one word.
type Problem string

// The problems.
const (
	Changed    Problem = "changed"      // it is not what it was
	Missing    Problem = "missing"      // it is not there
	Added      Problem = "added"        // nothing says that it should be there
	OutOfOrder Problem = "out_of_order" // it stands elsewhere, or twice
	Torn       Problem = "torn"         // the last line is incomplete, as after a crash
	Truncated  Problem = "truncated"    // the chain is shorter than it was
	Unsigned   Problem = "unsigned"     // there is no signature, or none of the key that it should be of
	Unreadable Problem = "unreadable"   // it could not be looked at
	Newer      Problem = "newer"        // a newer runner wrote it, which can tell
)

// Fault is one thing that does not hold.
type Fault struct {
	Problem Problem `json:"problem"`
	Line    int64   `json:"line,omitzero"`   // of the chain, or 0
	RunID   job.ID  `json:"run_id,omitzero"` // or none
	Path    string  `json:"path,omitempty"`  // below the run's directory, or ""; may be anybody's words
	Message string  `json:"message"`         // may repeat Path

	newer bool
}

// Verification is what a look at a whole store has found.
type Verification struct {
	Head   Head  `json:"head"`   // the last event up to which the chain holds
	Events int64 `json:"events"` // that were read
	Runs   int64 `json:"runs"`   // that were compared
	Files  int64 `json:"files"`  // that were hashed, records and code included
	Bytes  int64 `json:"bytes"`  // of those
	Signed int64 `json:"signed"` // runs whose statement one of the keys has signed
	// SignedEvents are those that one of the keys has signed.
	SignedEvents int64 `json:"signed_events"`
	Releases     int64 `json:"releases"` // that were compared
	// SignedBy counts the runs by the sha256 of the key.
	SignedBy map[digest.Hex]int64 `json:"signed_by,omitempty"`
	// Unbound are quarantines that no hash covers: records of earlier versions have none.
	Unbound   int64      `json:"quarantines_unbound,omitzero"`
	FirstHash digest.Hex `json:"first_sha256,omitempty"`
	Faults    []Fault    `json:"faults"` // in the order in which they were found
}

// VerifyOptions is what a Verify may have besides.
type VerifyOptions struct {
	// Progress is told of each run, before it is compared; or nil.
	Progress func(done, total int64)
	// Keys are those by which runs are signed, each while the chain says that it was in use.
	// Without one no signature is checked.
	Keys []Opener
	// Leaf is given every event of the chain as its line, in their order; or nil.
	Leaf func(event Event, line []byte)
}

// Verify reads the whole audit chain and compares it with everything that is there: it finds
// any event, record, saved code or released file that was changed, removed, added or moved.
// What it finds are no errors: the error is why it could not look.
//
// Who can write all of a store can make another that holds. A chain that was cut, or made
// again, is found by a checkpoint that was kept elsewhere only, and a record by its signature.
func (v *View) Verify(ctx context.Context, options VerifyOptions) (Verification, error) {
	// In this order: a run's event is written before its record gets its name.
	ids, faults := v.there()
	statements, err := v.keptStatements()
	if err != nil {
		return Verification{}, fmt.Errorf("verify records: %w", err)
	}
	at, err := v.settled(ctx)
	if context.Cause(ctx) != nil {
		return Verification{}, context.Cause(ctx)
	}
	size := at.size
	if err != nil { // the scan will say what is wrong
		info, err := os.Stat(v.chain.path)
		if err != nil {
			return Verification{}, fmt.Errorf("verify records: %w", err)
		}
		size = info.Size()
	} else {
		size += at.torn
	}
	check, err := newVerifier(v, options)
	if err != nil {
		return Verification{}, fmt.Errorf("verify records: %w", err)
	}
	check.releases.kept = statements
	if err := check.scan.read(ctx, v.chain.path, size, func(event Event) { check.note(ctx, event) }); err != nil {
		return Verification{}, fmt.Errorf("verify records: %w", err)
	}
	check.faults = slices.Concat(faults, check.scan.faults)
	if err := check.all(ctx, ids); err != nil {
		return Verification{}, fmt.Errorf("verify records: %w", err)
	}
	if err := check.forgive(ctx, size); err != nil {
		return Verification{}, fmt.Errorf("verify records: %w", err)
	}
	check.requireSigned()
	found := check.found
	found.Head, found.Events, found.FirstHash, found.Faults = check.scan.sound, check.scan.events, check.scan.first, check.faults
	if found.Faults == nil {
		found.Faults = []Fault{}
	}
	return found, nil
}

// VerifyChain is Verify whose faults are one error. ErrTorn is among them after a crash.
func (v *View) VerifyChain(ctx context.Context) (Head, error) {
	found, err := v.Verify(ctx, VerifyOptions{})
	faults := []error{err}
	for _, fault := range found.Faults {
		cause := errors.New(fault.Message)
		switch {
		case fault.Problem == Torn:
			cause = ErrTorn
		case fault.newer:
			cause = ErrNewer
		}
		faults = append(faults, fmt.Errorf("verify audit chain: %w", cause))
	}
	return found.Head, errors.Join(faults...)
}

// Lines calls visit with every event of the chain and with its line, without the newline. It
// returns the hash of the first. Any fault of the chain is an error, but a torn line.
func (v *View) Lines(ctx context.Context, visit func(Event, []byte) error) (first digest.Hex, err error) {
	at, err := v.settled(ctx)
	if err != nil {
		return "", err
	}
	held, err := v.trust()
	if err != nil {
		return "", err
	}
	var failed error
	lines := scan{head: genesis}
	lines.leaf = func(event Event, line []byte) {
		if problem := held.fault(ctx, event); problem != "" && failed == nil {
			failed = v.chain.damaged(fmt.Errorf("line %d: %s", event.Seq, problem))
		}
		if failed == nil {
			failed = visit(event, line)
		}
	}
	err = lines.read(ctx, v.chain.path, at.size, func(Event) {})
	if err == nil && len(lines.faults) > 0 {
		err = v.chain.damaged(errors.New(lines.faults[0].Message))
		if lines.faults[0].newer {
			err = v.chain.damaged(fmt.Errorf("line %d: %w", lines.faults[0].Line, ErrNewer))
		}
	}
	return lines.first, errors.Join(err, failed)
}

// there lists what lies among the runs.
func (v *View) there() (ids []job.ID, faults []Fault) {
	ids, err := v.IDs()
	if err != nil {
		faults = append(faults, Fault{Problem: Added, Message: err.Error()})
	}
	return ids, faults
}

// verifier compares a store with its chain.
type verifier struct {
	view    *View
	options VerifyOptions
	scan    scan
	order   []Event               // runs, in theirs
	keys    map[digest.Hex]Opener // that were given
	others  map[digest.Hex]bool   // that have signed events, and were not
	passes  bool                  // over what is of those
	hashes  map[int64]digest.Hex  // of the events, by their number
	passed  int64                 // the number of the last
	deletions
	keyInUse
	releases releases
	prepared tableLists
	found    Verification

	codeLeft map[job.ID]string // code that was deleted, and is there
	copied   string            // the chain's name, where only a copy of a run is there
	besides  []string          // files of a copy that are not the run's
	sums     map[string]hashed // of the last run that was compared
	faults   []Fault
}

func newVerifier(v *View, options VerifyOptions) (*verifier, error) {
	c := &verifier{view: v, options: options, scan: scan{head: genesis}, deletions: newDeletions(), keyInUse: newKeyInUse(), keys: map[digest.Hex]Opener{}, others: map[digest.Hex]bool{}, hashes: map[int64]digest.Hex{}, prepared: tableLists{}, codeLeft: map[job.ID]string{}}
	c.scan.leaf = func(event Event, line []byte) {
		c.pass(event)
		if options.Leaf != nil {
			options.Leaf(event, line)
		}
	}
	for _, key := range options.Keys {
		sum, err := key.Digest()
		if err != nil {
			return nil, err
		}
		c.keys[sum.Hex()] = key
	}
	return c, nil
}

// places are those of the chain. In a copy of a run there is its name alone.
func (c *verifier) places() knownPlaces {
	if c.view == nil {
		return knownPlaces{chain: c.copied, gaps: true}
	}
	places := knownPlaces{hashes: c.hashes, gaps: c.scan.broken}
	if first := c.hashes[1]; first != "" {
		places.chain = originPrefix + string(first)
	}
	return places
}

// pass remembers an event's place, by which a statement says when it was signed. Behind a line
// that is not there, or cannot be read, nobody knows which key is in use.
func (c *verifier) pass(event Event) {
	if event.Seq > c.passed+1 {
		c.current = ""
	}
	c.passed = max(c.passed, event.Seq)
	if _, twice := c.hashes[event.Seq]; !twice {
		c.hashes[event.Seq] = event.SHA256
	}
}

// note takes an event that is whole.
func (c *verifier) note(ctx context.Context, event Event) {
	if event.Kind == KindRun {
		if _, twice := c.records[event.RunID]; twice {
			c.scan.fault(OutOfOrder, event.Seq, "run %s has a second event", event.RunID)
			return
		}
		c.order = append(c.order, event)
	}
	c.releases.note(event)
	c.prepared.note(event)
	if problem := c.deletions.note(event); problem != "" {
		c.scan.fault(Added, event.Seq, "line %d: %s", event.Seq, problem)
	}
	problem := ""
	if c.view != nil {
		problem = c.keyInUse.note(event)
	} else if event.Version > unsignedLines && signs(event) && event.Subject(RoleKey) != event.SignedBy || event.SignedBy == "" && len(c.order) > 0 && c.order[0].SignedBy != "" {
		problem = "it is not signed as its run is" // which key is in use, no event of a copy says
	}
	if problem = cmp.Or(problem, c.signature(ctx, event)); problem != "" {
		c.scan.fault(Unsigned, event.Seq, "line %d: %s", event.Seq, problem)
		c.scan.faults[len(c.scan.faults)-1].RunID = event.RunID
	}
}

// isRun reports whether the chain has an event of a run, or may have: one of a newer runner.
func (c *verifier) isRun(id job.ID) bool {
	_, known := c.records[id]
	return known || c.scan.newerRuns[id]
}

func (c *verifier) all(ctx context.Context, ids []job.ID) error {
	for n, event := range c.order {
		if context.Cause(ctx) != nil {
			return context.Cause(ctx)
		}
		if c.options.Progress != nil {
			c.options.Progress(int64(n), int64(len(c.order)))
		}
		if err := c.run(ctx, event); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if !c.isRun(id) {
			c.add(Added, id, "", "run %s has no line: the chain has been cut, or the record added", id)
		}
	}
	if err := errors.Join(c.checkReleases(ctx), c.undeleted(ctx)); err != nil {
		return err
	}
	return c.quarantines()
}

// quarantines finds those that belong to no run.
func (c *verifier) quarantines() error {
	entries, err := os.ReadDir(c.view.quarantine())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		id, err := job.ParseID(entry.Name())
		if err != nil || !c.isRun(id) {
			c.add(Added, id, "", "quarantine %q belongs to no run", entry.Name())
		}
	}
	return nil
}

func (c *verifier) add(problem Problem, id job.ID, path, format string, values ...any) {
	err := fmt.Errorf(format, values...)
	if errors.Is(err, ErrNewer) {
		problem = Newer
	}
	c.faults = append(c.faults, Fault{Problem: problem, RunID: id, Path: path, Message: err.Error(), newer: errors.Is(err, ErrNewer)})
}
