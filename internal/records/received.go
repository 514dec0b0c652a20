package records

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"hotcell/internal/job"
)

// CopyOptions is what a copy of a run, as Copy makes it, is held to.
type CopyOptions struct {
	// Lines are the events of the chain that name the run, each without its newline.
	Lines [][]byte
	// Included reports whether an event is proven to be in the chain.
	Included func(event Event, line []byte) bool
	// Chain is its name, as the checkpoint has it.
	Chain string
	// Keys are as in VerifyOptions.
	Keys []Opener
	// Besides are the names of files that are not the run's own.
	Besides []string
}

// VerifyCopy is Verify for a copy of one run that lies somewhere else, without its store. What
// it cannot see is the rest of the chain: which key was in use, so that any that is given may
// have signed, and whether the event is there after which the run was signed.
func VerifyCopy(ctx context.Context, root *os.Root, options CopyOptions) (Verification, error) {
	if options.Chain == "" {
		return Verification{}, errors.New("verify copy: nothing names its chain")
	}
	check, err := newVerifier(nil, VerifyOptions{Keys: options.Keys})
	if err != nil {
		return Verification{}, fmt.Errorf("verify copy: %w", err)
	}
	check.copied = options.Chain
	check.besides = options.Besides
	for n, line := range options.Lines {
		check.received(ctx, int64(n)+1, line, options.Included)
	}
	switch {
	case len(check.order) == 1:
		if err := check.in(ctx, check.order[0], root); err != nil {
			return Verification{}, fmt.Errorf("verify copy: %w", err)
		}
	case len(check.faults)+len(check.scan.faults) == 0:
		check.add(Missing, job.ID{}, "", "there is no event of a run")
	}
	check.requireSigned()
	found := check.found
	found.Runs, found.Events = int64(len(check.order)), int64(len(options.Lines))
	found.Faults = slices.Concat(check.scan.faults, check.faults)
	if found.Faults == nil {
		found.Faults = []Fault{}
	}
	return found, nil
}

// received takes a line of a copy.
func (c *verifier) received(ctx context.Context, number int64, line []byte, included func(Event, []byte) bool) {
	event, err := parseLine(line)
	if err != nil {
		problem := Changed
		if errors.Is(err, ErrNewer) {
			problem = Newer
		}
		c.scan.fault(problem, number, "line %d: %w", number, err)
		return
	}
	switch {
	case !included(event, line):
		c.scan.fault(Changed, number, "line %d: nothing proves that it is in the chain of the checkpoint", number)
	case event.Seq <= c.scan.head.Seq:
		c.scan.fault(OutOfOrder, number, "line %d: event %d stands behind event %d", number, event.Seq, c.scan.head.Seq)
	case len(c.order) > 0 && event.RunID != c.order[0].RunID, len(c.order) == 0 && event.Kind != KindRun:
		c.scan.fault(Added, number, "line %d: it is an event of another run, or before the run's own", number)
		return
	}
	c.scan.head = Head{event.Seq, event.SHA256}
	c.note(ctx, event)
}
