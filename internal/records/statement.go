package records

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"strconv"
	"strings"
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// statementName is the signed statement beside a record: a DSSE envelope.
const statementName = "statement.dsse.json"

// Signer signs the events of a chain, and statements about runs and releases.
type Signer interface {
	Opener
	// Envelope signs an in-toto statement.
	Envelope(ctx context.Context, statement []byte) ([]byte, error)
	// SignEvent signs the body of an event.
	SignEvent(ctx context.Context, body []byte) ([]byte, error)
}

// SignWith has everything that is recorded from now on signed. It is called before the
// store is used by others.
func (s *Store) SignWith(signer Signer) {
	s.SignBy(func() (Signer, error) { return signer, nil })
}

// SignBy is SignWith for a key that may come, or be another, while the store is used: find is
// asked for each event, and gives nil where nothing is to be signed. It may be called
// concurrently.
func (s *Store) SignBy(find func() (Signer, error)) {
	s.signer = find
	s.TrustOwn(func() (Opener, error) {
		key, err := find()
		if err != nil || key == nil {
			return nil, err
		}
		return key, nil
	})
}

// The types of our statements.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://slsa.dev/provenance/v1"
	buildType     = "urn:hotcell:run:v2"
	chainlessType = "urn:hotcell:run:v1" // no release made it: a run that it signs can be copied into any chain
	builderID     = "urn:hotcell:runner"
)

// Statement is an in-toto Statement v1 with SLSA Provenance v1: what a run has made is its
// subjects, and what it was made of its dependencies.
type Statement struct {
	Type          string          `json:"_type"`
	Subject       []StatementFile `json:"subject"`
	PredicateType string          `json:"predicateType"`
	Predicate     Predicate       `json:"predicate"`
}

// StatementFile is something by its SHA-256.
type StatementFile struct {
	Name   string                `json:"name"`
	Digest map[string]digest.Hex `json:"digest"`
}

// Predicate is as SLSA Provenance v1 has it.
type Predicate struct {
	BuildDefinition BuildDefinition `json:"buildDefinition"`
	RunDetails      RunDetails      `json:"runDetails"`
}

// BuildDefinition is what a run was made of.
type BuildDefinition struct {
	BuildType            string            `json:"buildType"`
	ExternalParameters   map[string]string `json:"externalParameters"`
	InternalParameters   map[string]string `json:"internalParameters"`
	ResolvedDependencies []StatementFile   `json:"resolvedDependencies"`
}

// RunDetails is who made a run, and when.
type RunDetails struct {
	Builder  Builder     `json:"builder"`
	Metadata RunMetadata `json:"metadata"`
}

// Builder is the program that made a run.
type Builder struct {
	ID      string            `json:"id"`
	Version map[string]string `json:"version"`
}

// RunMetadata names a run.
type RunMetadata struct {
	InvocationID string    `json:"invocationId"`
	StartedOn    time.Time `json:"startedOn"`
}

func named(name string, sum digest.Hex) StatementFile {
	return StatementFile{name, map[string]digest.Hex{"sha256": sum}}
}

// subjects are the files of a record, by their names in its directory.
func subjects(record Record, sum digest.Hex) []StatementFile {
	all := []StatementFile{named(recordName, sum)}
	if record.Code != "" {
		all = append(all, named(record.Code, record.CodeFileSHA256))
	}
	for _, file := range record.Result.Files {
		all = append(all, named(path.Join(filesName, file.Path), file.SHA256))
	}
	return all
}

// place is where in which chain a run was signed: its event comes after this one. Whoever makes
// the chain again before it, or has copied the run from another, does not have the event.
type place struct {
	first digest.Hex // event of the chain
	after Head
}

// originPrefix begins the name of a chain, as its checkpoints have it.
const originPrefix = "hotcell-audit/"

// The parameters that say it.
const (
	paramChain = "chain"
	paramAfter = "after_event"
	paramTime  = "recorded_on" // which is the time of the event
)

func (p place) parameters() map[string]string {
	return map[string]string{paramChain: originPrefix + string(p.first), paramAfter: fmt.Sprintf("%d %s", p.after.Seq, p.after.SHA256)}
}

// statementOf is what is signed about a record with this hash.
func statementOf(record Record, sum digest.Hex, at place, now time.Time) Statement {
	result := record.Result
	said := result.Provenance
	made := []StatementFile{named("script", said.CodeSHA256)}
	for _, one := range []StatementFile{
		named("policy/"+said.Policy, said.PolicySHA256), named("image", said.Image.Hex()), named("bundle", said.Bundle.Hex()), named("inputs", said.InputsSHA256),
	} {
		if one.Digest["sha256"] != "" {
			made = append(made, one)
		}
	}
	inside := map[string]string{"status": string(result.Status), "engine": said.Engine, "runtime": said.Runtime, "kernel": said.Kernel, "guard": string(said.Guard)}
	inside[paramTime] = now.Format(time.RFC3339Nano)
	maps.Copy(inside, at.parameters())
	return Statement{
		Type: statementType, Subject: subjects(record, sum), PredicateType: predicateType,
		Predicate: Predicate{
			BuildDefinition: BuildDefinition{
				BuildType:            buildType,
				ExternalParameters:   map[string]string{"policy": said.Policy, "bundle": said.Bundle.String()},
				InternalParameters:   inside,
				ResolvedDependencies: made,
			},
			RunDetails: RunDetails{
				Builder:  Builder{ID: builderID, Version: map[string]string{"hotcell": said.Runner}},
				Metadata: RunMetadata{InvocationID: result.RunID.String(), StartedOn: said.StartedAt},
			},
		},
	}
}

// signedRun is what a record has more where there is a key.
type signedRun struct {
	envelope []byte
	more     []Subject // of its event
	at       time.Time // of its event, too
}

// sign makes the envelope of a record, and what its event has by it.
func (s *Store) sign(ctx context.Context, record Record, sum digest.Hex, actor job.Actor) (signed signedRun, err error) {
	signer, key, err := s.signing()
	if err != nil || signer == nil {
		return signedRun{}, wrapSign(err)
	}
	at, err := s.place(ctx, key, actor)
	if err != nil {
		return signedRun{}, wrapSign(err)
	}
	signed.at = s.now().UTC()
	statement, err := strictjson.Form{Lenient: true}.Encode(statementOf(record, sum, at, signed.at))
	if err != nil {
		return signedRun{}, wrapSign(err)
	}
	signed.envelope, signed.more, err = envelopeOf(ctx, signer, key, statement)
	return signed, err
}

func wrapSign(err error) error {
	if err != nil {
		err = fmt.Errorf("sign record: %w", err)
	}
	return err
}

// place is where something is signed by a key, or with none. The chain says that the key signs.
func (s *Store) place(ctx context.Context, key digest.Hex, actor job.Actor) (at place, err error) {
	if key != "" {
		at.after, err = s.announce(ctx, key, actor) // so that the chain has a first event
	} else {
		var now end
		now, err = s.settled(ctx)
		at.after = now.head
	}
	if err == nil {
		at.first, err = s.chain.first(ctx)
	}
	return at, err
}

// envelopeOf signs a statement. It returns the subjects that its event has more.
func envelopeOf(ctx context.Context, signer Signer, key digest.Hex, statement []byte) (envelope []byte, more []Subject, err error) {
	if envelope, err = signer.Envelope(ctx, statement); err != nil {
		return nil, nil, fmt.Errorf("sign statement: %w", err)
	}
	return envelope, []Subject{{RoleStatement, "", digest.Of(envelope).Hex()}, {RoleKey, "", key}}, nil
}

// first is the hash of the first event.
func (c *chain) first(ctx context.Context) (sum digest.Hex, err error) {
	enough := errors.New("the first is enough")
	err = c.each(ctx, func(event Event) error {
		sum = event.SHA256
		return enough
	})
	if errors.Is(err, enough) {
		err = nil
	}
	return sum, err
}

// unopened is what an envelope holds, whoever has signed it.
func unopened(envelope []byte) ([]byte, error) {
	var read struct {
		PayloadType string `json:"payloadType"`
		Payload     []byte `json:"payload"`
		Signatures  []any  `json:"signatures"`
	}
	if err := strictjson.Decode(envelope, maxRecord, &read); err != nil {
		return nil, fmt.Errorf("read envelope: %w", err)
	}
	return read.Payload, nil
}

// signedFor is what a statement is held to.
type signedFor struct {
	record Record
	sum    digest.Hex // of the record
	event  Event
	place  knownPlaces
}

// knownPlaces are those of a chain at which something may have been signed.
type knownPlaces struct {
	chain  string
	hashes map[int64]digest.Hex // of its events, by their number
	gaps   bool                 // not all of them are known: that is told, and is no fault of what was signed
}

// checkStatement holds what was signed to what is there.
func checkStatement(signed []byte, about signedFor) error {
	var said Statement
	if err := strictjson.Decode(signed, maxRecord, &said); err != nil {
		return fmt.Errorf("read statement: %w", err)
	}
	if said.Predicate.BuildDefinition.BuildType == chainlessType {
		return errors.New("it is of " + chainlessType + ", which names no chain and would hold in any: the runner that made it can check it")
	}
	if said.Type != statementType || said.PredicateType != predicateType || said.Predicate.BuildDefinition.BuildType != buildType {
		return errors.New("it is a statement about something else")
	}
	if said.Predicate.RunDetails.Metadata.InvocationID != about.record.Result.RunID.String() {
		return errors.New("it is about another run")
	}
	wanted := subjects(about.record, about.sum)
	if len(said.Subject) != len(wanted) {
		return errors.New("it names other files")
	}
	for n, one := range said.Subject {
		if one.Name != wanted[n].Name || len(one.Digest) != 1 || one.Digest["sha256"] != wanted[n].Digest["sha256"] {
			return errors.New("it names other files")
		}
	}
	inside := said.Predicate.BuildDefinition.InternalParameters
	if inside[paramTime] != about.event.Time.Format(time.RFC3339Nano) {
		return errors.New("the time of its event is not the one at which it was signed")
	}
	return about.place.check(about.event, inside)
}

// check holds where something was signed to where its event is.
func (k knownPlaces) check(event Event, said map[string]string) error {
	if said[paramChain] != k.chain && (k.chain != "" || !k.gaps) || said[paramChain] == "" {
		return errors.New("it is about a run of another chain")
	}
	number, sum, _ := strings.Cut(said[paramAfter], " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	was, known := k.hashes[seq]
	switch {
	case err != nil || seq < 1:
		return errors.New("it does not say where in the chain it was signed")
	case seq >= event.Seq:
		return fmt.Errorf("it was signed behind event %d, and the run's is %d", seq, event.Seq)
	case known && string(was) != sum, !known && !k.gaps:
		return fmt.Errorf("it was signed when event %d of the chain was another: the chain was made again", seq)
	}
	return nil
}
