package records

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"hotcell/internal/job"
)

// forgive takes back what is missing because a rule has deleted it meanwhile: the chain has
// grown by the event of that.
func (c *verifier) forgive(ctx context.Context, size int64) error {
	isMissing := func(fault Fault) bool {
		return (fault.Problem == Missing || fault.Problem == Unreadable) && fault.RunID != (job.ID{})
	}
	if !slices.ContainsFunc(c.faults, isMissing) {
		return nil
	}
	if info, err := os.Stat(c.view.chain.path); err != nil || info.Size() <= size {
		return err
	}
	scanned := c.scan.head.Seq
	err := c.view.chain.each(ctx, func(event Event) error {
		if event.Seq <= scanned {
			return nil
		}
		if problem := cmp.Or(c.keyInUse.note(event), c.signature(ctx, event), c.deletions.note(event)); problem != "" {
			return errors.New(problem) // which excuses nothing, and the next Verify tells
		}
		return nil
	})
	if context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		c.faults = slices.DeleteFunc(c.faults, func(fault Fault) bool { return isMissing(fault) && c.excused(fault) })
	}
	return nil
}

// excused reports whether the part of a run is deleted, by the chain, in which something is missing.
func (c *verifier) excused(fault Fault) bool {
	gone := c.deleted[fault.RunID]
	switch {
	case gone[PartRecord]:
		return true
	case fault.Path == quarantineName || strings.HasPrefix(fault.Path, quarantineName+"/"):
		return gone[PartQuarantine]
	default:
		return gone[PartCode] && strings.HasPrefix(fault.Path, codePrefix)
	}
}
