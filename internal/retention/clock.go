package retention

import (
	"fmt"
	"time"
)

// Standstill is how long a store may be without an event before nobody knows whether it was the
// machine that stood still, or the clock that went ahead.
const Standstill = 7 * 24 * time.Hour

// Clock tells by the times of a store's events whether a moment can be now. A clock that is ahead
// makes all that is young look old, and events that were written by it look like proof: so a leap
// between two of them is believed only when as long a time has passed since.
type Clock struct {
	newest       time.Time
	before, leap time.Time // the last leap: from when to when
}

// Note takes the time of the next event, in their order.
func (c *Clock) Note(at time.Time) {
	if !c.newest.IsZero() && at.Sub(c.newest) > Standstill {
		c.before, c.leap = c.newest, at
	}
	if at.After(c.newest) {
		c.newest = at
	}
}

// Doubt says why a moment may not be now, or "".
func (c *Clock) Doubt(now time.Time) string {
	seen := *c
	if !seen.newest.IsZero() {
		seen.Note(now)
	}
	const day = 24 * time.Hour
	switch {
	case c.newest.Sub(now) > day:
		return fmt.Sprintf("the clock says %s, and there is an event of %s, which is yet to come", told(now), told(c.newest))
	case !seen.leap.IsZero() && now.Sub(seen.leap) <= Standstill:
		return fmt.Sprintf("the clock says %s, and from %s to %s, %d days, there is no event: the machine stood still, or its clock has leapt",
			told(now), told(seen.before), told(seen.leap), int(seen.leap.Sub(seen.before)/day))
	}
	return ""
}

func told(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 MST") }
