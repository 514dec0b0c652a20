package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// Opener checks what one key has signed.
type Opener interface {
	// Open returns the statement in an envelope that the key has signed.
	Open(ctx context.Context, envelope []byte) ([]byte, error)
	// HasSignedEvent reports whether a signature is the key's of the body of an event.
	HasSignedEvent(ctx context.Context, body, signature []byte) bool
	// Digest names the public key.
	Digest() (digest.Digest, error)
}

// signingKey is what signs an event. The zero one does not.
type signingKey struct {
	sum digest.Hex // of its public half
	key Signer
}

// keyInUse is the key that a chain says signs, at one place of it. A key that has signed and
// was replaced does not come back: somebody may have it who should not.
type keyInUse struct {
	current  digest.Hex
	since    int64 // the event
	replaced map[digest.Hex]int64
	signed   map[digest.Hex]bool
}

func newKeyInUse() keyInUse {
	return keyInUse{replaced: map[digest.Hex]int64{}, signed: map[digest.Hex]bool{}}
}

// announces is the key that an event puts to use, or "". The key of a bundle's producer is no key
// of the chain.
func announces(event Event) digest.Hex {
	if event.Kind != KindKeyUsed || event.Subject(RoleBundle) != "" {
		return ""
	}
	return event.Subject(RoleKey)
}

// keyOf is the key that an event says was in use, or "". That of an event that was not signed
// itself is the one of its statement.
func keyOf(event Event) digest.Hex {
	key := cmp.Or(event.SignedBy, announces(event))
	if signs(event) {
		key = cmp.Or(key, event.Subject(RoleKey))
	}
	return key
}

// signs tells the events that come with a statement, which is signed where there is a key.
func signs(event Event) bool { return event.Kind == KindRun || event.Kind == KindRelease }

// note takes the next event, and says what is wrong with its key, or "".
func (k *keyInUse) note(event Event) string {
	returned := k.announced(event)
	what := fmt.Sprintf("event %d (%s)", event.Seq, event.Kind)
	if event.RunID != (job.ID{}) {
		what = fmt.Sprintf("%s %s", event.Kind, event.RunID)
	}
	by, of := event.SignedBy, keyOf(event)
	if event.Version <= unsignedLines {
		if by = of; by == "" && !signs(event) {
			return returned
		}
	}
	switch {
	case by == "" && k.current != "":
		return fmt.Sprintf("%s is not signed, and since event %d the key %s is in use", what, k.since, short(k.current))
	case by == "" && of != "":
		return fmt.Sprintf("%s is not signed, and its statement is, by the key %s", what, short(of))
	case event.Kind == KindRun && event.Subject(RoleStatement) != "" && event.Subject(RoleKey) == "":
		return fmt.Sprintf("%s has a statement, and its event names no key", what)
	case signs(event) && event.Subject(RoleKey) != by:
		return fmt.Sprintf("%s is signed by the key %s, and its statement by another or none", what, short(by))
	case by == "":
		return ""
	case k.current == "": // what came before is not known
		k.current, k.since = by, event.Seq
	case k.current != by:
		return fmt.Sprintf("%s is signed by the key %s, and the one in use since event %d is %s", what, short(by), k.since, short(k.current))
	}
	if announces(event) == "" {
		k.signed[by] = true
	}
	return returned
}

// announced takes the key that an event puts to use, and says what is wrong with that, or "".
func (k *keyInUse) announced(event Event) string {
	key := announces(event)
	if key == "" || key == k.current {
		return ""
	}
	if k.signed[k.current] {
		k.replaced[k.current] = event.Seq
	}
	k.current, k.since = key, event.Seq
	if by, was := k.replaced[key]; was {
		return fmt.Sprintf("it says that the key %s signs, which another had replaced in event %d", short(key), by)
	}
	return ""
}

// short is the beginning of a key's hash, for people.
func short(key digest.Hex) string { return key.Digest().Short() }

// ErrReplaced is wrapped by the error for a key that has signed here until another did.
var ErrReplaced = errors.New("a key that was replaced signs no more: `runner keygen` makes another")

// key is the one that the chain's end says signs, below size, or "". A line that could name one
// and does not says that there was none: no runner writes it otherwise.
func (c *chain) key(size int64) (key digest.Hex, err error) {
	err = c.backward(size, func(event Event) bool {
		key = keyOf(event)
		return key == "" && !signs(event) && event.Version <= unsignedLines
	})
	return key, err
}

// ErrNoKey is wrapped by the error for a key that is not there, and that the chain says signs.
var ErrNoKey = errors.New("put it back where it was (HOTCELL_SIGN_KEY names it, or signing.key in the state directory), " +
	"or make another with `runner keygen`, which the chain then says signs")

// keyless is the error for what would not be signed while a key is in use.
func keyless(current digest.Hex) error {
	return fmt.Errorf("the audit chain says that the key %s signs, and it is not there: %w", short(current), ErrNoKey)
}

// mayUse refuses a key that another has replaced.
func (c *chain) mayUse(ctx context.Context, key digest.Hex) error {
	used := newKeyInUse()
	err := c.each(ctx, func(event Event) error {
		_ = used.note(event) // verify tells it
		return nil
	})
	if err != nil && !errors.Is(err, ErrTorn) {
		return err
	}
	if used.current != key && used.signed[key] {
		return fmt.Errorf("the key %s has signed here, and since event %d %s does: %w", short(key), used.since, short(used.current), ErrReplaced)
	}
	return nil
}

// signing is the key that signs now, or nil.
func (s *Store) signing() (key Signer, sum digest.Hex, err error) {
	if s.signer == nil {
		return nil, "", nil
	}
	if key, err = s.signer(); err != nil || key == nil {
		return nil, "", err
	}
	named, err := key.Digest()
	return key, named.Hex(), err
}

// requireKey refuses, before there is a run or a release, a key that could not sign it, and that
// there is none where one is in use.
func (s *Store) requireKey(ctx context.Context) error {
	_, key, err := s.signing()
	if err != nil {
		return err
	}
	if at, err := s.chain.tail(); err == nil {
		if current, err := s.chain.key(at.size); err == nil && current == key {
			return nil // as nearly always; else somebody may be writing just now
		}
	}
	at, err := s.settled(ctx)
	if err != nil {
		return err
	}
	current, err := s.chain.key(at.size)
	switch {
	case err != nil || current == key:
		return err
	case key == "":
		return keyless(current)
	}
	return s.chain.mayUse(ctx, key)
}

// MayAppend refuses what Append would, for want of the key that is in use, before something is done
// that the chain must have.
func (s *Store) MayAppend(ctx context.Context) error { return s.requireKey(ctx) }

// announceOwn has the chain say which key signs, where there is one, before an event of anybody's
// is signed with it.
func (s *Store) announceOwn(ctx context.Context, actor job.Actor) error {
	_, key, err := s.signing()
	if err == nil && key != "" {
		_, err = s.announce(ctx, key, actor)
	}
	return err
}

// announce has the chain say which key signs from here on, where it does not, and returns its
// end at a moment at which nobody writes: no event up to there is taken back.
func (s *Store) announce(ctx context.Context, key digest.Hex, actor job.Actor) (Head, error) {
	at, err := s.settled(ctx)
	if err != nil {
		return Head{}, err
	}
	if current, err := s.chain.key(at.size); err != nil || current == key {
		return at.head, err
	}
	if err := s.chain.mayUse(ctx, key); err != nil {
		return Head{}, err
	}
	if err := s.Append(ctx, Event{Kind: KindKeyUsed, Actor: actor, Name: "signs", Subjects: []Subject{{Role: RoleKey, SHA256: key}}}); err != nil {
		return Head{}, err
	}
	at, err = s.settled(ctx)
	return at.head, err
}

var errKeyChanged = errors.New("another key has come into use while it was recorded: run it again")

func unsuited(key, current digest.Hex) error {
	if key == "" {
		return keyless(current)
	}
	return errKeyChanged
}

// keyNow is the key that signs, and the one that the chain says is in use. The store's lock is held.
func (s *Store) keyNow() (by signingKey, current digest.Hex, err error) {
	if by.key, by.sum, err = s.signing(); err != nil {
		return signingKey{}, "", err
	}
	at, err := s.chain.tail()
	if err == nil {
		current, err = s.chain.key(at.size)
	}
	return by, current, err
}

// keyed finishes those of a group that would not be signed by the key in use when their line
// comes, and returns the others with that key. The store's lock is held.
func (s *Store) keyed(group []*commit) (left []*commit, by signingKey) {
	by, current, err := s.keyNow()
	for _, each := range group {
		next := cmp.Or(announces(each.event), current)
		switch {
		case err != nil:
			each.finish(err)
		case by.sum != next, signs(each.event) && each.event.Subject(RoleKey) != next:
			each.finish(unsuited(by.sum, next))
		default:
			current, left = next, append(left, each)
		}
	}
	return left, by
}
