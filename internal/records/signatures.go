package records

import (
	"context"
	"fmt"
	"slices"

	"hotcell/internal/job"
)

// signature says what is wrong with an event's signature, or "". Without keys nothing is.
func (c *verifier) signature(ctx context.Context, event Event) string {
	by := event.SignedBy
	if by == "" || len(c.keys) == 0 {
		return ""
	}
	key, given := c.keys[by]
	if !given {
		told := c.others[by] || c.passes
		c.others[by] = true
		if told {
			return ""
		}
		return fmt.Sprintf("it is signed by the key %s, which is none of those that were given", short(by))
	}
	if !hasSigned(ctx, key, event) {
		return fmt.Sprintf("its signature is not of the key %s", short(by))
	}
	c.found.SignedEvents++
	return ""
}

// requireSigned finds that keys were given and there is nothing for them: that is no proof. In a
// copy the run itself must be signed: what was before there was a key, an anchor proves.
func (c *verifier) requireSigned() {
	isUnsigned := func(fault Fault) bool { return fault.Problem == Unsigned }
	signed := c.found.Signed
	if c.view != nil {
		signed += c.found.SignedEvents
	}
	if len(c.keys) > 0 && signed == 0 && !slices.ContainsFunc(c.faults, isUnsigned) {
		c.add(Unsigned, job.ID{}, "", "nothing is signed by a key that was given: their signatures say nothing")
	}
}
