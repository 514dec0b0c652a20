package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// Kind is what happened.
type Kind string

// The kinds. A run's event comes with its record, that of one that was interrupted from its draft;
// all others come from Store.Append.
const (
	KindRun           Kind = "run"            // a run has a record, whatever became of its code
	KindInterrupted   Kind = "interrupted"    // a run that may have begun has ended without a record
	KindRefused       Kind = "refused"        // what was asked for was not begun
	KindCheck         Kind = "check"          // code was vetted, not run
	KindToolCall      Kind = "tool_call"      // a script has called a program of the host
	KindAccess        Kind = "access"         // somebody has opened a part of a record
	KindExport        Kind = "export"         // a record, or its files, is copied out of the state
	KindRelease       Kind = "release"        // somebody has decided that files may leave
	KindReplication   Kind = "replication"    // a run was made again, to be compared
	KindBundleAdded   Kind = "bundle_added"   // the store has a bundle
	KindBundleRemoved Kind = "bundle_removed" // the store loses a bundle
	KindBundleSent    Kind = "bundle_sent"    // a bundle's data goes to another host
	KindImageBuilt    Kind = "image_built"    // the store has an image
	KindImageRemoved  Kind = "image_removed"  // the store loses an image
	KindPolicyChanged Kind = "policy_changed" // a policy is another than at the run before
	KindKeyUsed       Kind = "key_used"       // a key was made, or has signed
	KindTokenCreated  Kind = "token_created"  // a token of a service was made
	KindTokenRevoked  Kind = "token_revoked"  // a token is worth nothing any more
	KindDeletion      Kind = "deletion"       // something of a record is deleted, by a rule
	KindHold          Kind = "hold"           // a record must, or need no longer, be kept
	KindSweep         Kind = "sweep"          // what a dead runner left was removed
	KindAnchor        Kind = "anchor"         // a checkpoint of this chain was handed out
)

// Kinds are all kinds.
func Kinds() []Kind {
	return []Kind{
		KindRun, KindInterrupted, KindRefused, KindCheck, KindToolCall, KindAccess, KindExport, KindRelease, KindReplication, KindBundleAdded,
		KindBundleRemoved, KindBundleSent, KindImageBuilt, KindImageRemoved, KindPolicyChanged, KindKeyUsed, KindTokenCreated, KindTokenRevoked, KindDeletion,
		KindHold, KindSweep, KindAnchor,
	}
}

// The roles of subjects.
const (
	RoleRecord     = "record"     // record.json
	RoleCode       = "code"       // the saved code, as its file is
	RoleScript     = "script"     // code as it came
	RoleBundle     = "bundle"     // a bundle's digest
	RoleImage      = "image"      // an image's digest
	RolePolicy     = "policy"     // the policy's file
	RoleKey        = "key"        // a public key
	RoleToken      = "token"      // what a token file says of a token, which is not the token
	RoleStatement  = "statement"  // a signed statement about a run
	RoleFile       = "file"       // any file
	RoleCheckpoint = "checkpoint" // of this chain
)

// Subject is something that an event speaks of, by its hash.
type Subject struct {
	Role   string     `json:"role"`
	Name   string     `json:"name,omitempty"`
	SHA256 digest.Hex `json:"sha256"`
}

// Event is one line of audit.jsonl. It holds no code, no output, no data and no
// parameters.
//
// SHA256 is the hash of the line's own JSON without the sha256 member, and
// PrevSHA256 that of the line before (64 zeros in the first), so that a line
// cannot be altered, moved or taken out without breaking the chain after it.
// Lines cut off at the end show in the records that then have no line; whoever
// wants to be sure even against the removal of both keeps a Head elsewhere.
//
// From the first KindKeyUsed of a key that signs here on, every event is signed by the key in
// use: what nobody has decided cannot be written behind what an anchor has seen. Lines of
// version 2, in which only statements are signed, may stand before all others.
//
// Lines of version 1, which say less, may stand before all others. Events gives them as
// events of KindRun without an actor.
type Event struct {
	Version int        `json:"version"`
	Seq     int64      `json:"seq"`  // 1, 2, 3 …
	Time    time.Time  `json:"time"` // what the host's clock said: Seq has the order
	Kind    Kind       `json:"kind"`
	Actor   job.Actor  `json:"actor"`
	RunID   job.ID     `json:"run_id,omitzero"`
	Status  job.Status `json:"status,omitempty"`
	Name    string     `json:"name,omitempty"`   // of the tool, the policy, the bundle, the place: see Brief
	OK      *bool      `json:"ok,omitempty"`     // what became of it, where the kind does not say
	Reason  string     `json:"reason,omitempty"` // why, in a word or a sentence of ours: see Brief
	Count   int64      `json:"count,omitzero"`
	Bytes   int64      `json:"bytes,omitzero"`

	Subjects []Subject `json:"subjects,omitempty"`

	TornBytes  int64      `json:"torn_bytes,omitzero"` // of an incomplete line, left by a crash and cut off before this one
	PrevSHA256 digest.Hex `json:"prev_sha256"`
	SignedBy   digest.Hex `json:"signed_by,omitzero"`  // the key in use, by the SHA-256 of its public half; "" where there is none
	Signature  []byte     `json:"signature,omitempty"` // of the line's own JSON without this member and the next
	SHA256     digest.Hex `json:"sha256,omitzero"`
}

// Subject is the hash of the first subject of a role, or "".
func (e Event) Subject(role string) digest.Hex {
	for _, one := range e.Subjects {
		if one.Role == role {
			return one.SHA256
		}
	}
	return ""
}

// said is what an event says beside what the chain fills in.
func (e Event) said() Event {
	e.Version, e.Seq, e.Time, e.TornBytes, e.PrevSHA256, e.SignedBy, e.Signature, e.SHA256 = 0, 0, time.Time{}, 0, "", "", nil, ""
	return e
}

// signature are the subjects by which an event names its statement and the key.
func (e Event) signature() (all []Subject) {
	for _, role := range []string{RoleStatement, RoleKey} {
		if sum := e.Subject(role); sum != "" {
			all = append(all, Subject{role, "", sum})
		}
	}
	return all
}

// lineVersion is the format of a line. Lines of version 2 have no signature and say nothing of a
// key by that, those of version 3 without one say that no key was in use.
const (
	lineVersion   = 3
	unsignedLines = 2
)

// ErrNewer is wrapped by the error for a chain or a record that a newer runner wrote.
var ErrNewer = errors.New("a newer runner wrote it: use that one, or a newer one still")

const (
	maxLine     = 4096 // bytes of a line
	maxText     = 256  // bytes of a text in an event
	maxSubjects = 32
)

// Brief makes a text fit for an event's Name or Reason: one line of what can be printed,
// and not longer than may be.
func Brief(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\ufffd'
	}, text)
	if len(text) <= maxText {
		return text
	}
	const mark = "…"
	cut := text[:maxText-len(mark)]
	for !utf8.ValidString(cut) {
		cut = cut[:len(cut)-1]
	}
	return cut + mark
}

// Append adds an event that has no record of its own. It returns when the event is on the
// disk, like a commit. Version, Seq, Time and the hashes are the chain's to fill in.
func (s *Store) Append(ctx context.Context, event Event) error {
	if err := event.check(); err != nil {
		return fmt.Errorf("append audit event %s: %w", event.Kind, err)
	}
	if event.Kind == KindRun || event.Kind == KindInterrupted {
		return fmt.Errorf("append audit event %s: it comes with a run's record or draft", event.Kind)
	}
	return s.append(ctx, event)
}

func (s *Store) append(ctx context.Context, event Event) error {
	if announces(event) == "" {
		if err := s.announceOwn(ctx, event.Actor); err != nil {
			return fmt.Errorf("append audit event %s: %w", event.Kind, err)
		}
	}
	if err := s.record(ctx, &commit{event: event, done: make(chan struct{})}); err != nil {
		return fmt.Errorf("append audit event %s: %w", event.Kind, err)
	}
	return nil
}

// check refuses what would not be read again.
func (e Event) check() error {
	if e.Version != 0 || e.Seq != 0 || !e.Time.IsZero() || e.TornBytes != 0 || e.PrevSHA256 != "" || e.SignedBy != "" || e.Signature != nil || e.SHA256 != "" {
		return errors.New("it has what the chain fills in")
	}
	if !slices.Contains(Kinds(), e.Kind) {
		return fmt.Errorf("there is no such kind: %q", string(e.Kind))
	}
	if len(e.Subjects) > maxSubjects {
		return fmt.Errorf("it has more than %d subjects", maxSubjects)
	}
	if err := e.checkTexts(); err != nil {
		return err
	}
	encoded, err := strictjson.Encode(e)
	if err == nil && len(encoded) > maxLine-512 { // what the chain fills in has less
		err = errors.New("it is too long")
	}
	return err
}

// checkTexts refuses words that no runner writes: what is read is printed, and a hash that
// holds is no proof of who made it.
func (e Event) checkTexts() error {
	texts := []string{e.Name, e.Reason, e.Actor.User, e.Actor.SudoUser, e.Actor.Principal}
	for _, one := range e.Subjects {
		if err := one.SHA256.Check(); err != nil {
			return fmt.Errorf("subject %.40q: %w", one.Role, err)
		}
		texts = append(texts, one.Role, one.Name)
	}
	for _, text := range texts {
		if text != Brief(text) {
			return fmt.Errorf("%.40q is too long, or not one printable line", text)
		}
	}
	if e.Status != "" && e.Status.ExitCode() == job.ExitInternal {
		return fmt.Errorf("there is no status %.40q", string(e.Status))
	}
	return e.checkRun()
}

// seal completes an event that follows head, and signs it with the key in use.
func (e Event) seal(ctx context.Context, head Head, by signingKey) (Event, error) {
	e.Version, e.Seq, e.PrevSHA256, e.SignedBy = lineVersion, head.Seq+1, head.SHA256, by.sum
	if by.key != nil {
		body, err := e.body()
		if err != nil {
			return Event{}, err
		}
		if e.Signature, err = by.key.SignEvent(ctx, body); err != nil {
			return Event{}, fmt.Errorf("sign audit line: %w", err)
		}
	}
	return e.hashed()
}

// body is what is signed.
func (e Event) body() ([]byte, error) {
	e.Signature, e.SHA256 = nil, ""
	return e.line()
}

func (e Event) hashed() (Event, error) {
	e.SHA256 = ""
	text, err := e.line()
	e.SHA256 = digest.Of(text).Hex()
	return e, err
}

func (e Event) line() ([]byte, error) {
	encoded, err := strictjson.Encode(e)
	if err != nil {
		return nil, fmt.Errorf("encode audit line: %w", err)
	}
	return encoded, nil
}

func (e Event) encode() ([]byte, error) {
	encoded, err := e.line()
	return append(encoded, '\n'), err
}

var errAltered = errors.New("it has been altered: its hash is wrong")

// parseLine reads a line, without its newline, and checks its own hash and that
// it is spelled as we spell it. With ErrNewer comes what can be known of the line.
func parseLine(text []byte) (Event, error) {
	switch version := versionOf(text); {
	case version == 0:
		return parseOldLine(text)
	case version > lineVersion:
		return parseNewerLine(text, version)
	}
	var event Event
	if err := strictjson.Decode(text, maxLine, &event); err != nil {
		return Event{}, err
	}
	sealed, err := event.hashed()
	if err != nil {
		return Event{}, err
	}
	encoded, err := sealed.encode()
	if err != nil {
		return Event{}, err
	}
	if !bytes.Equal(encoded, append(bytes.Clone(text), '\n')) {
		return Event{}, errAltered
	}
	if !slices.Contains(Kinds(), event.Kind) {
		return event, fmt.Errorf("it is of a kind that this runner does not know: %w", ErrNewer)
	}
	if event.Version < unsignedLines || event.Version == unsignedLines && event.SignedBy != "" {
		return event, errors.New("no runner has written such a line")
	}
	if (event.SignedBy == "") != (len(event.Signature) == 0) {
		return event, errors.New("it names a key without a signature, or has one of no key")
	}
	return event, event.checkTexts()
}

// versionOf tells the version of a line or a record by how it begins, as we spell it, or 0.
func versionOf(text []byte) int {
	rest, ok := bytes.CutPrefix(text, []byte(`{"version":`))
	digits, _, found := bytes.Cut(rest, []byte(","))
	version, err := strconv.Atoi(string(digits))
	if !ok || !found || err != nil || len(digits) > 9 {
		return 0
	}
	return version
}

// Events are the events of the chain, oldest first, as long as it holds: the error that
// comes with the last pair says why it does not, and is ErrTorn after a crash. They are
// not compared with the records: see Verify.
func (v *View) Events(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		stopped := errors.New("stopped")
		err := v.each(ctx, func(event Event) error {
			if !yield(event, nil) {
				return stopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, stopped) {
			yield(Event{}, err)
		}
	}
}
