package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// releaseType is the type of what is said about a release.
const releaseType = "urn:hotcell:release:v1"

// The names of the statement beside released files: in a DSSE envelope, or without a key as it is.
const (
	signedRelease = "release.dsse.json"
	plainRelease  = "release.json"
)

// releasesDir is the directory of the state with a copy of each statement about a release, by its
// hash. One whose event may not be in the chain yet has a name of a draft.
const releasesDir = "releases"

// ReleaseStatement is an in-toto Statement v1 whose subjects are files that somebody let out.
type ReleaseStatement struct {
	Type          string          `json:"_type"`
	Subject       []StatementFile `json:"subject"`
	PredicateType string          `json:"predicateType"`
	Predicate     ReleaseDecision `json:"predicate"`
}

// ReleaseDecision is who let what out, and why.
type ReleaseDecision struct {
	Run        job.ID        `json:"run"`
	Record     StatementFile `json:"record"`
	Chain      string        `json:"chain"`      // as checkpoints name it
	AfterEvent string        `json:"afterEvent"` // of that chain: its number and hash
	Actor      job.Actor     `json:"actor"`
	Reason     string        `json:"reason"`
	ReleasedOn time.Time     `json:"releasedOn"` // which is the time of the event
	// Destination is the directory, as it was named, on one line: see Brief.
	Destination string `json:"destination"`
	Bytes       int64  `json:"bytes"` // of the files
	// Disclosure is "unchecked" where the policy has no checks made, else "nothing found" or
	// "accepted": then these findings, of the whole run, are those that the person has accepted.
	Disclosure       string              `json:"disclosure"`
	AcceptedFindings []job.ReviewFinding `json:"acceptedFindings"`
}

// words are what is said about a release.
func (l *leaving) words(at place, to string, now time.Time) ReleaseStatement {
	where := at.parameters()
	said := ReleaseStatement{
		Type: statementType, Subject: []StatementFile{}, PredicateType: releaseType,
		Predicate: ReleaseDecision{
			Run: l.record.Result.RunID, Record: named(recordName, l.event.Subject(RoleRecord)), Chain: where[paramChain], AfterEvent: where[paramAfter],
			Actor: l.by.Actor, Reason: l.by.Reason, ReleasedOn: now, Destination: to, Disclosure: "unchecked", AcceptedFindings: []job.ReviewFinding{},
		},
	}
	for _, file := range l.files {
		said.Subject = append(said.Subject, named(file.Path, file.SHA256))
		said.Predicate.Bytes += file.Bytes
	}
	switch review := l.record.Result.Review; {
	case review == nil:
	case review.Needed:
		said.Predicate.Disclosure, said.Predicate.AcceptedFindings = "accepted", append(said.Predicate.AcceptedFindings, review.Findings...)
	default:
		said.Predicate.Disclosure = "nothing found"
	}
	return said
}

// signRelease makes the file of what is said, and the subjects of its event that name it.
func (s *Store) signRelease(ctx context.Context, say func(place) ReleaseStatement, actor job.Actor) (name string, file []byte, more []Subject, err error) {
	signer, key, err := s.signing()
	if err != nil {
		return "", nil, nil, err
	}
	at, err := s.place(ctx, key, actor)
	if err != nil {
		return "", nil, nil, err
	}
	plain, err := strictjson.Form{Lenient: true}.Encode(say(at))
	if err != nil {
		return "", nil, nil, fmt.Errorf("write statement: %w", err)
	}
	if signer != nil {
		file, more, err = envelopeOf(ctx, signer, key, plain)
		return signedRelease, file, more, err
	}
	plain = append(plain, '\n')
	return plainRelease, plain, []Subject{{RoleStatement, "", digest.Of(plain).Hex()}}, nil
}

// keepStatement keeps a copy, until the chain has its event as a draft.
func keepStatement(store *os.Root, sum digest.Hex, statement []byte) error {
	if err := store.MkdirAll(releasesDir, 0o700); err != nil {
		return err
	}
	if err := writeSynced(store, path.Join(releasesDir, draftPrefix+string(sum)), statement, 0o400); err != nil {
		return err
	}
	return errors.Join(syncDir(store, releasesDir), durable.SyncDir(store))
}

// placeStatement gives the copy of a statement its name, once the chain has its event. It takes
// no other's place.
func placeStatement(store *os.Root, sum digest.Hex) error {
	if _, err := store.Lstat(statementPath(sum)); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("%s is there already: %w", statementPath(sum), fs.ErrExist), err)
	}
	if err := store.Rename(path.Join(releasesDir, draftPrefix+string(sum)), statementPath(sum)); err != nil {
		return err
	}
	return syncDir(store, releasesDir)
}

func statementPath(sum digest.Hex) string { return path.Join(releasesDir, string(sum)+".json") }

// sweepReleases gives the copies of statements whose runner has ended their names, and removes
// those whose event is not in the chain. Whoever makes a release now does so for its own. What no
// runner has left stays: verify tells of it, and it is no reason to begin no run.
func (s *Store) sweepReleases(ctx context.Context) error {
	if _, err := os.Lstat(filepath.Join(s.dir, releasesDir)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.whileNobodyDeletes(ctx, func() error { return s.within(func(store *os.Root) error { return s.placeStatements(ctx, store) }) })
}

func (s *Store) placeStatements(ctx context.Context, store *os.Root) error {
	entries, err := fs.ReadDir(store.FS(), releasesDir)
	if err != nil {
		return err
	}
	var told map[digest.Hex]bool
	for _, entry := range entries {
		sum, isDraft := strings.CutPrefix(entry.Name(), draftPrefix)
		if !isDraft || digest.Hex(sum).Check() != nil || !entry.Type().IsRegular() {
			continue
		}
		if told == nil {
			if told, err = s.toldStatements(ctx); err != nil {
				return err // a damaged chain must not cost a statement
			}
		}
		if !told[digest.Hex(sum)] {
			err = store.Remove(path.Join(releasesDir, entry.Name()))
		} else if ours, fault := s.placeable(ctx, store, digest.Hex(sum)); ours || fault != nil {
			err = cmp.Or(fault, placeStatement(store, digest.Hex(sum)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// toldStatements are those that events of releases name.
func (s *Store) toldStatements(ctx context.Context) (map[digest.Hex]bool, error) {
	if err := s.chain.sync(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	told := map[digest.Hex]bool{}
	err := s.each(ctx, func(event Event) error {
		if event.Kind == KindRelease {
			told[event.Subject(RoleStatement)] = true
		}
		return nil
	})
	if errors.Is(err, ErrTorn) {
		err = nil
	}
	return told, err
}

// readStatement reads the copy of a statement: in its place, or as the draft that is being put
// there.
func (v *View) readStatement(ctx context.Context, sum digest.Hex) (statement []byte, err error) {
	if err := sum.Check(); err != nil {
		return nil, err
	}
	store, err := openDir(v.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	for _, name := range []string{statementPath(sum), path.Join(releasesDir, draftPrefix+string(sum)), statementPath(sum)} {
		statement, err = beneath.ReadFile(ctx, store, name, maxRecord)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err == nil && digest.Of(statement).Hex() != sum {
		err = digest.ErrMismatch
	}
	return statement, err
}

// Releases are those that the chain has, oldest first, whatever has become of their runs. One
// whose statement is not as it was is an error beside the others.
func (v *View) Releases(ctx context.Context) (all []Release, err error) {
	var faults []error
	for event, err := range v.Events(ctx) {
		if err != nil && !errors.Is(err, ErrTorn) {
			return all, errors.Join(append(faults, err)...)
		}
		if event.Kind != KindRelease || event.Subject(RoleStatement) == "" {
			continue
		}
		said, err := v.released(ctx, event)
		if err != nil {
			faults = append(faults, fmt.Errorf("read release of run %s, event %d: %w", event.RunID, event.Seq, err))
			continue
		}
		all = append(all, releaseOf(event, said))
	}
	return all, errors.Join(faults...)
}

// released is what the copy of a statement says, whoever has signed it: the chain has its hash.
func (v *View) released(ctx context.Context, event Event) (said ReleaseStatement, err error) {
	text, err := v.readStatement(ctx, event.Subject(RoleStatement))
	if err == nil && isSigned(event) {
		text, err = unopened(text)
	}
	if err == nil {
		err = strictjson.Decode(text, maxRecord, &said)
	}
	return said, err
}

func isSigned(release Event) bool { return release.Subject(RoleKey) != "" }

func releaseOf(event Event, said ReleaseStatement) Release {
	return Release{
		RunID: event.RunID, Time: said.Predicate.ReleasedOn, Actor: event.Actor, Reason: event.Reason, To: event.Name,
		Signed: isSigned(event), SHA256: event.Subject(RoleStatement), Files: said.Subject, Accepted: len(said.Predicate.AcceptedFindings),
	}
}
