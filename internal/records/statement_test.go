package records_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"testing"

	provenance "github.com/in-toto/attestation/go/predicates/provenance/v1"
	intoto "github.com/in-toto/attestation/go/v1"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/secure-systems-lab/go-securesystemslib/signerverifier"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
	"hotcell/internal/signing"
)

// signer is a key as the store takes one, and its other half.
type signer struct {
	key signing.Key
	signing.Public
}

// Envelope implements records.Signer.
func (s signer) Envelope(ctx context.Context, statement []byte) ([]byte, error) {
	return s.key.Envelope(ctx, statement)
}

// SignEvent implements records.Signer.
func (s signer) SignEvent(ctx context.Context, body []byte) ([]byte, error) {
	return s.key.SignEvent(ctx, body)
}

func (s signer) options() records.VerifyOptions {
	return records.VerifyOptions{Keys: []records.Opener{s}}
}

func newSigner(t *testing.T) signer {
	t.Helper()
	key, err := signing.Generate()
	require.NoError(t, err)
	return signer{key, key.Public()}
}

// signed is a store with three signed runs.
func signed(t *testing.T) (dir string, store *records.Store, ids []job.ID, by signer) {
	t.Helper()
	dir, by = t.TempDir(), newSigner(t)
	store = open(t, dir)
	commit(t, store) // before there was a key
	store.SignWith(by)
	for range 3 {
		draft, id := begin(t, store)
		entry := records.Entry{Result: result(id, job.Succeeded), Verified: verify(t, draft, "x\n"), Code: []byte("pass\n"), KeepCode: true}
		entry.Result.Provenance.CodeSHA256 = digest.Of(entry.Code).Hex()
		entry.Result.Files = entry.Verified.Files()
		_, err := draft.Commit(t.Context(), entry)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return dir, store, ids, by
}

// TestOthersReadWhatWasSigned: the field's own code checks the signature, with the public
// key's file alone, and finds a statement of in-toto and a provenance of SLSA in it.
func TestOthersReadWhatWasSigned(t *testing.T) {
	_, store, ids, by := signed(t)
	envelope, err := os.ReadFile(filepath.Join(store.Path(ids[0]), "statement.dsse.json"))
	require.NoError(t, err)
	text, err := by.PEM()
	require.NoError(t, err)
	block, _ := pem.Decode(text)
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	require.NoError(t, err)
	public, ok := parsed.(ed25519.PublicKey)
	require.True(t, ok)
	key := &signerverifier.SSLibKey{KeyVal: signerverifier.KeyVal{Public: hex.EncodeToString(public)}}
	theirs, err := signerverifier.NewED25519SignerVerifierFromSSLibKey(key)
	require.NoError(t, err)
	verifier, err := dsse.NewEnvelopeVerifier(theirs)
	require.NoError(t, err)
	var read dsse.Envelope
	require.NoError(t, json.Unmarshal(envelope, &read))
	_, payload, err := verifier.VerifyAndDecode(t.Context(), &read)
	require.NoError(t, err)

	var statement intoto.Statement
	require.NoError(t, protojson.Unmarshal(payload, &statement))
	require.NoError(t, statement.Validate())
	sums := map[string]string{}
	for _, one := range statement.GetSubject() {
		sums[one.GetName()] = one.GetDigest()["sha256"]
	}
	require.Len(t, sums, 3)
	for name, sum := range sums {
		data, err := os.ReadFile(filepath.Join(store.Path(ids[0]), name))
		require.NoError(t, err)
		require.Equal(t, string(digest.Of(data).Hex()), sum, name)
	}
	predicate, err := protojson.Marshal(statement.GetPredicate())
	require.NoError(t, err)
	var said provenance.Provenance
	require.NoError(t, protojson.Unmarshal(predicate, &said))
	require.NoError(t, said.Validate())
	require.Equal(t, ids[0].String(), said.GetRunDetails().GetMetadata().GetInvocationId())
	require.Equal(t, "policy/study-analysis", said.GetBuildDefinition().GetResolvedDependencies()[1].GetName())

	read.Payload = read.Payload[:len(read.Payload)-8] + "AAAAAAA="
	_, err = verifier.Verify(t.Context(), &read)
	require.Error(t, err)
}

func TestVerifyChecksWhatWasSigned(t *testing.T) {
	dir, store, ids, by := signed(t)
	statement := func(id job.ID) string { return filepath.Join(store.Path(id), "statement.dsse.json") }
	found := look(t, dir, by.options())
	require.Empty(t, found.Faults) // the first run was before there was a key
	require.Equal(t, int64(3), found.Signed)
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)

	found = look(t, dir, newSigner(t).options())
	require.Len(t, found.Faults, 4) // the chain's, and one of each run
	require.Equal(t, records.Unsigned, found.Faults[0].Problem)
	require.Contains(t, found.Faults[0].Message, "is none of those that were given")

	require.NoError(t, os.Rename(statement(ids[0]), statement(ids[0])+".x"))
	require.NoError(t, os.Rename(statement(ids[1]), statement(ids[0])))
	require.NoError(t, os.Rename(statement(ids[0])+".x", statement(ids[1])))
	require.NoError(t, os.Chmod(statement(ids[2]), 0o600))
	require.NoError(t, os.Remove(statement(ids[2])))
	problems := map[job.ID]records.Problem{}
	for _, fault := range look(t, dir, records.VerifyOptions{}).Faults {
		problems[fault.RunID] = fault.Problem
	}
	require.Equal(t, map[job.ID]records.Problem{ids[0]: records.Changed, ids[1]: records.Changed, ids[2]: records.Missing}, problems)
}

// A whole store that was made again, with other content and events that hold, is found by
// the signature alone.
func TestAForgedStoreLacksTheSignature(t *testing.T) {
	_, store, ids, by := signed(t)
	dir := t.TempDir()
	forged := open(t, dir)
	envelope, err := os.ReadFile(filepath.Join(store.Path(ids[0]), "statement.dsse.json"))
	require.NoError(t, err)
	forged.SignWith(replay{envelope, by.Public})
	commit(t, forged)
	found := look(t, dir, records.VerifyOptions{})
	require.Len(t, found.Faults, 1)
	require.Contains(t, found.Faults[0].Message, "it is about another run")
	found = look(t, dir, by.options())
	require.Len(t, found.Faults, 3) // none of the two events is signed, either
	require.Contains(t, found.Faults[0].Message, "its signature is not of the key")
}

// Whoever copies a run that a statement without a chain signs would have it hold anywhere.
func TestAStatementThatNamesNoChainDoesNotHold(t *testing.T) {
	dir, by := t.TempDir(), newSigner(t)
	store := open(t, dir)
	store.SignWith(chainless{by})
	signOne(t, store)
	for _, options := range []records.VerifyOptions{{}, by.options()} {
		found := look(t, dir, options)
		require.Len(t, found.Faults, 1)
		require.Contains(t, found.Faults[0].Message, "it is of urn:hotcell:run:v1, which names no chain")
		require.Zero(t, found.Signed)
	}
}

type chainless struct{ signer }

// Envelope implements records.Signer.
func (c chainless) Envelope(ctx context.Context, statement []byte) ([]byte, error) {
	return c.signer.Envelope(ctx, bytes.Replace(statement, []byte("hotcell:run:v2"), []byte("hotcell:run:v1"), 1))
}

// replay has an envelope that somebody else has signed.
type replay struct {
	envelope []byte
	signing.Public
}

// Envelope implements records.Signer.
func (r replay) Envelope(context.Context, []byte) ([]byte, error) { return r.envelope, nil }

// SignEvent implements records.Signer.
func (replay) SignEvent(context.Context, []byte) ([]byte, error) { return make([]byte, 64), nil }

func TestARunThatCannotBeSignedIsNotRecorded(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	store.SignWith(broken{})
	draft, id := begin(t, store)
	_, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.Failed)})
	require.ErrorIs(t, err, errBroken)
	for _, event := range events(t, store) {
		require.NotEqual(t, records.KindRun, event.Kind)
	}
}

var errBroken = errors.New("the key is gone")

type broken struct{ signing.Public }

// Envelope implements records.Signer.
func (broken) Envelope(context.Context, []byte) ([]byte, error) { return nil, errBroken }

// SignEvent implements records.Signer.
func (broken) SignEvent(context.Context, []byte) ([]byte, error) { return nil, errBroken }

// A key may come while a store is used, as an engine process uses its own: from then on runs
// are signed, and none is recorded unsigned because the key cannot be read.
func TestAKeyThatComesLaterSigns(t *testing.T) {
	store := open(t, t.TempDir())
	var key records.Signer
	var fault error
	store.SignBy(func() (records.Signer, error) { return key, fault })
	before := commit(t, store)
	key = newSigner(t)
	after := commit(t, store)
	require.NoFileExists(t, filepath.Join(store.Path(before), "statement.dsse.json"))
	require.FileExists(t, filepath.Join(store.Path(after), "statement.dsse.json"))
	draft, id := begin(t, store)
	fault = errors.New("key can be read by others")
	verified := verify(t, draft, "x\n")
	entry := records.Entry{Result: result(id, job.Succeeded), Verified: verified}
	entry.Result.Files = verified.Files()
	_, err := draft.Commit(t.Context(), entry)
	require.ErrorIs(t, err, fault)
	require.NoDirExists(t, store.Path(id))
	_, err = store.Begin(t.Context(), job.NewID(started), records.Asked{})
	require.ErrorIs(t, err, fault)
}
