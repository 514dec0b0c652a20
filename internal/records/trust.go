package records

import (
	"context"
	"fmt"

	"hotcell/internal/digest"
)

// trusted holds the events of a chain, in their order, to the keys in use.
type trusted struct {
	used keyInUse
	own  Opener // or nil
	sum  digest.Hex
}

// trust is what the events of a view are held to, or nil for one that only looks.
func (v *View) trust() (*trusted, error) {
	if v.own == nil {
		return nil, nil
	}
	own, err := v.own()
	if err != nil {
		return nil, err
	}
	held := &trusted{used: newKeyInUse(), own: own}
	if own != nil {
		sum, err := own.Digest()
		if err != nil {
			return nil, err
		}
		held.sum = sum.Hex()
	}
	return held, nil
}

// fault says why an event is not to be believed, or "". Signatures of other keys than the own one,
// of a replaced one for example, are looked at by who has those.
func (t *trusted) fault(ctx context.Context, event Event) string {
	if t == nil {
		return ""
	}
	if problem := t.used.note(event); problem != "" {
		return problem
	}
	if t.own != nil && event.SignedBy == t.sum && !hasSigned(ctx, t.own, event) {
		return fmt.Sprintf("its signature is not of the key %s", short(t.sum))
	}
	return ""
}

// sameKey reports whether both hold events to the same own key.
func (t *trusted) sameKey(other *trusted) bool {
	if t == nil || other == nil {
		return t == other
	}
	return t.sum == other.sum
}

func hasSigned(ctx context.Context, key Opener, event Event) bool {
	body, err := event.body()
	return err == nil && key.HasSignedEvent(ctx, body, event.Signature)
}

// each calls visit with every event, oldest first, as long as the chain holds and is to be believed.
func (v *View) each(ctx context.Context, visit func(Event) error) error {
	held, err := v.trust()
	if err != nil {
		return err
	}
	return v.chain.each(ctx, func(event Event) error {
		if problem := held.fault(ctx, event); problem != "" {
			return v.chain.damaged(fmt.Errorf("line %d: %s", event.Seq, problem))
		}
		return visit(event)
	})
}
