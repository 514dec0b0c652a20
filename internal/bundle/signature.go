package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/signing"
	"hotcell/internal/strictjson"
)

// A signature is two files beside the bundle's directory, of which no digest holds anything: a
// DSSE envelope, and the public key that it is checked with.
const (
	signaturePrefix = "signature-"
	envelopeEnd     = ".dsse.json"
	publicEnd       = ".pub"
	maxSignature    = 64 << 10 // bytes of a file
	maxSigners      = 64       // of a bundle
)

// The types of the statement that is signed.
const (
	statementType   = "https://in-toto.io/Statement/v1"
	attestationType = "urn:hotcell:attestation:v1"
)

// statement is an in-toto Statement about a bundle: its subject is bundle.json, whose hash is
// the bundle's digest, and its predicate what that says of the de-identification.
type statement struct {
	Type          string      `json:"_type"`
	Subject       []subject   `json:"subject"`
	PredicateType string      `json:"predicateType"`
	Predicate     attestation `json:"predicate"`
}

type subject struct {
	Name   string                `json:"name"`
	Digest map[string]digest.Hex `json:"digest"`
}

type attestation struct {
	Bundle           string           `json:"bundle"` // name@version
	Study            string           `json:"study"`
	Deidentification Deidentification `json:"deidentification"`
}

func (b Bundle) statement() statement {
	return statement{
		Type: statementType, Subject: []subject{{ManifestName, map[string]digest.Hex{"sha256": b.Digest.Hex()}}}, PredicateType: attestationType,
		Predicate: attestation{b.Reference(), b.Manifest.Study, b.Manifest.Deidentification},
	}
}

// Sign signs what is attested of a bundle, and keeps the signature beside it. It returns the
// digest of the public key. A bundle that the key has signed already stays as it is.
func (s *Store) Sign(ctx context.Context, signed Bundle, key signing.Key) (signer digest.Digest, err error) {
	if signer, err = key.Public().Digest(); err != nil {
		return "", err
	}
	text, err := strictjson.Encode(signed.statement())
	if err != nil {
		return "", fmt.Errorf("sign bundle %s: %w", signed, err)
	}
	envelope, err := key.Envelope(ctx, text)
	if err != nil {
		return "", fmt.Errorf("sign bundle %s: %w", signed, err)
	}
	public, err := key.Public().PEM()
	if err != nil {
		return "", fmt.Errorf("sign bundle %s: %w", signed, err)
	}
	release, err := s.lock(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, release()) }()
	already, err := s.SignedBy(ctx, signed)
	if err != nil || slices.Contains(already, signer) {
		return signer, err
	}
	if len(already) == maxSigners {
		return "", fault("bundle %s has %d signatures: more are not kept", signed, maxSigners)
	}
	return signer, s.keep(signatureName(signed.Digest, signer), envelope, public)
}

func signatureName(of, signer digest.Digest) string {
	return signaturePrefix + string(of.Hex()) + "-" + string(signer.Hex())
}

// keep writes the public key first: the envelope makes the signature.
func (s *Store) keep(name string, envelope, public []byte) (err error) {
	dir, err := durable.OpenDir(s.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	for _, file := range []struct {
		name string
		data []byte
	}{{name + publicEnd, public}, {name + envelopeEnd, envelope}} {
		if err := dir.Remove(file.name); err != nil && !errors.Is(err, fs.ErrNotExist) { // what a crash has left
			return fmt.Errorf("keep signature: %w", err)
		}
		if err := durable.WriteFile(dir, file.name, file.data); err != nil {
			return fmt.Errorf("keep signature: %w", err)
		}
	}
	return durable.SyncDir(dir)
}

// SignedBy are the digests of the public keys that have signed what is attested of a bundle, in
// their order. Each signature is checked; one that does not hold is a *FaultError. Whether a
// key is anybody's is not known here.
func (s *Store) SignedBy(ctx context.Context, of Bundle) (signers []digest.Digest, err error) {
	dir, err := durable.OpenDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("read signatures: %w", err)
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	names, err := s.signatures(of.Digest)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		signer, err := s.checked(ctx, dir, of, name)
		if err != nil {
			return nil, fault("bundle %s: its signature %s does not hold: %s; remove that file, and sign it again with \"runner bundle sign\"", of, name+envelopeEnd, err)
		}
		signers = append(signers, signer)
	}
	return signers, nil
}

// signatures are the names of a bundle's signatures, without their endings.
func (s *Store) signatures(of digest.Digest) ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("read signatures: %w", err)
	}
	var names []string
	for _, entry := range entries {
		name, isEnvelope := strings.CutSuffix(entry.Name(), envelopeEnd)
		if isEnvelope && strings.HasPrefix(name, signaturePrefix+string(of.Hex())+"-") {
			names = append(names, name)
		}
	}
	return names, nil
}

// checked opens a signature, whose statement must be the one about this bundle and no other.
func (s *Store) checked(ctx context.Context, dir *os.Root, of Bundle, name string) (digest.Digest, error) {
	envelope, err := beneath.ReadFile(ctx, dir, name+envelopeEnd, maxSignature)
	if err != nil {
		return "", err
	}
	public, err := signing.LoadPublic(filepath.Join(s.dir, name+publicEnd))
	if err != nil {
		return "", err
	}
	signer, err := public.Digest()
	if err != nil {
		return "", err
	}
	if name != signatureName(of.Digest, signer) {
		return "", errors.New("the key beside it is another")
	}
	text, err := public.Open(ctx, envelope)
	if err != nil {
		return "", err
	}
	want, err := strictjson.Encode(of.statement())
	if err != nil {
		return "", err
	}
	if string(text) != string(want) {
		return "", errors.New("it says something else than the bundle does")
	}
	return signer, nil
}

// unsign removes a bundle's signatures.
func (s *Store) unsign(dir *os.Root, of digest.Digest) error {
	names, err := s.signatures(of)
	if err != nil {
		return err
	}
	for _, name := range names {
		for _, end := range []string{envelopeEnd, publicEnd} {
			if err := dir.Remove(name + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove signature: %w", err)
			}
		}
	}
	return nil
}
