package records

import (
	"errors"
	"fmt"
	"strings"

	"hotcell/internal/job"
)

// Cause is who does something for which reason.
type Cause struct {
	Actor  job.Actor
	Reason string
}

// ErrReason is wrapped by the error for a reason that the chain would not keep as it was given.
var ErrReason = errors.New("the reason will not do")

// Check refuses a reason that is missing, or that the chain would not keep word for word: a
// reason that was cut may say something else.
func (c Cause) Check() error {
	switch {
	case strings.TrimSpace(c.Reason) == "":
		return fmt.Errorf("%w: it is missing: say why, in a sentence, which the audit chain keeps", ErrReason)
	case len(c.Reason) > maxText:
		return fmt.Errorf("%w: it has %d bytes, and the audit chain keeps %d at most: shorten it, and name a document that says more", ErrReason, len(c.Reason), maxText)
	case c.Reason != Brief(c.Reason):
		return fmt.Errorf("%w: it must be one printable line, with single spaces between its words", ErrReason)
	}
	return nil
}
