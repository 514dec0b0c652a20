package records_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
	"hotcell/internal/signing"
)

var (
	seqOf       = regexp.MustCompile(`"seq":[0-9]+`)
	prevOf      = regexp.MustCompile(`"prev_sha256":"[0-9a-f]*"`)
	signatureOf = regexp.MustCompile(`,"signature":"[0-9A-Za-z+/=]*"$`)
	hashOf      = regexp.MustCompile(`,"sha256":"[0-9a-f]*"\}\n$`)
)

// rechain makes lines hold as who writes the chain can: each is numbered behind the one
// before it, and has its hashes again. The first stays where it was.
func rechain(all []string) []string { return rechainBy(all, nil) }

// rechainBy signs lines again that were signed.
func rechainBy(all []string, by *signing.Key) []string {
	for n, line := range all {
		if n > 0 {
			before := all[n-1]
			var seq int
			_, _ = fmt.Sscanf(seqOf.FindString(before), `"seq":%d`, &seq)
			line = seqOf.ReplaceAllString(line, fmt.Sprintf(`"seq":%d`, seq+1))
			line = prevOf.ReplaceAllString(line, `"prev_sha256":"`+before[len(before)-67:len(before)-3]+`"`)
		}
		body := hashOf.ReplaceAllString(line, "")
		if unsigned := signatureOf.ReplaceAllString(body, ""); by != nil && unsigned != body {
			signature, err := by.SignEvent(context.Background(), []byte(unsigned+"}"))
			if err != nil {
				panic(err)
			}
			body = unsigned + `,"signature":"` + base64.StdEncoding.EncodeToString(signature) + `"`
		}
		all[n] = body + `,"sha256":"` + string(digest.Of([]byte(body+"}")).Hex()) + "\"}\n"
	}
	return all
}

// forge changes a chain's lines and makes all of it hold again.
func forge(t *testing.T, dir string, change func(all []string) []string) {
	t.Helper()
	forgeBy(t, dir, nil, change)
}

// forgeBy is forge by somebody who has the key.
func forgeBy(t *testing.T, dir string, by *signing.Key, change func(all []string) []string) {
	t.Helper()
	alter(t, audit(dir), func(text string) string { return strings.Join(rechainBy(change(lines(text)), by), "") })
}

// vouchFor has the chain name a record as it lies there now.
func vouchFor(t *testing.T, dir string, id job.ID) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "runs", id.String(), "record.json"))
	require.NoError(t, err)
	record := regexp.MustCompile(`"role":"record","sha256":"[0-9a-f]*"`)
	forge(t, dir, func(all []string) []string {
		for n, line := range all {
			if strings.Contains(line, `"kind":"run"`) && strings.Contains(line, id.String()) {
				all[n] = record.ReplaceAllString(line, `"role":"record","sha256":"`+string(digest.Of(data).Hex())+`"`)
			}
		}
		return all
	})
}

// signOne commits a run with whatever key the store has.
func signOne(t *testing.T, store *records.Store) job.ID {
	t.Helper()
	draft, id := begin(t, store)
	_, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.Failed)})
	require.NoError(t, err)
	return id
}

func byKeys(all ...records.Opener) records.VerifyOptions { return records.VerifyOptions{Keys: all} }

func TestEachRunIsSignedByTheKeyThatWasInUse(t *testing.T) {
	dir := t.TempDir()
	store, first, second := open(t, dir), newSigner(t), newSigner(t)
	store.SignWith(first)
	signOne(t, store)
	signOne(t, store)
	store.SignWith(second)
	last := signOne(t, store)

	found := look(t, dir, byKeys(first, second))
	require.Empty(t, found.Faults)
	one, err := first.Digest()
	require.NoError(t, err)
	two, err := second.Digest()
	require.NoError(t, err)
	require.Equal(t, map[digest.Hex]int64{one.Hex(): 2, two.Hex(): 1}, found.SignedBy)

	found = look(t, dir, byKeys(first))
	require.Len(t, found.Faults, 2)
	require.EqualValues(t, 4, found.Faults[0].Line)
	require.Equal(t, last, found.Faults[1].RunID)
	for _, fault := range found.Faults {
		require.Contains(t, fault.Message, "none of those that were given")
	}

	// Whoever has the old key signs no more with it: neither through a runner …
	store.SignWith(first)
	_, err = store.Begin(t.Context(), job.NewID(started), records.Asked{})
	require.ErrorIs(t, err, records.ErrReplaced)

	// … nor by events of their own.
	forge(t, dir, func(all []string) []string {
		var used, run string
		for _, line := range all {
			if strings.Contains(line, `"kind":"key_used"`) && strings.Contains(line, string(one.Hex())) {
				used = line
			}
			if strings.Contains(line, `"kind":"run"`) && strings.Contains(line, string(one.Hex())) {
				run = line
			}
		}
		return append(all, used, run)
	})
	faults := look(t, dir, byKeys(first, second)).Faults
	require.NotEmpty(t, faults)
	require.Contains(t, faults[0].Message, "which another had replaced")
}

// A run's event that names another key than the one in use is found without any key.
func TestARunByAnotherKeyThanTheOneInUseIsFound(t *testing.T) {
	dir := t.TempDir()
	store, by := open(t, dir), newSigner(t)
	store.SignWith(by)
	signOne(t, store)
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
	other, err := newSigner(t).Digest()
	require.NoError(t, err)
	forge(t, dir, func(all []string) []string {
		all[1] = regexp.MustCompile(`"role":"key","sha256":"[0-9a-f]*"`).ReplaceAllString(all[1], `"role":"key","sha256":"`+string(other.Hex())+`"`)
		return all
	})
	faults := look(t, dir, records.VerifyOptions{}).Faults
	require.NotEmpty(t, faults)
	require.Contains(t, faults[0].Message, "and its statement by another or none")
	forge(t, dir, func(all []string) []string {
		all[1] = regexp.MustCompile(`"signed_by":"[0-9a-f]*"`).ReplaceAllString(all[1], `"signed_by":"`+string(other.Hex())+`"`)
		return all
	})
	faults = look(t, dir, records.VerifyOptions{}).Faults
	require.NotEmpty(t, faults)
	require.Contains(t, faults[0].Message, "and the one in use since event 1 is")
}

// Where the event cannot be read by which a key came into use, no run behind it is accused.
func TestALostChangeOfTheKeyAccusesNoRun(t *testing.T) {
	dir := t.TempDir()
	store, first, second := open(t, dir), newSigner(t), newSigner(t)
	store.SignWith(first)
	signOne(t, store)
	store.SignWith(second)
	signOne(t, store)
	alter(t, audit(dir), func(text string) string {
		all := lines(text)
		all[2] = all[2][1:]
		return strings.Join(all, "")
	})
	found := look(t, dir, byKeys(first, second))
	require.Len(t, found.Faults, 1)
	require.Contains(t, found.Faults[0].Message, "line 3")
	require.EqualValues(t, 2, found.Signed)
}

// A key of a bundle's producer is not the chain's.
func TestTheKeyOfABundleReplacesNone(t *testing.T) {
	dir := t.TempDir()
	store, by := open(t, dir), newSigner(t)
	store.SignWith(by)
	signOne(t, store)
	sum := digest.Of([]byte("x")).Hex()
	require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindKeyUsed, Name: "bundle",
		Subjects: []records.Subject{{Role: records.RoleKey, SHA256: sum}, {Role: records.RoleBundle, SHA256: sum}}}))
	signOne(t, store)
	found := look(t, dir, byKeys(by))
	require.Empty(t, found.Faults)
	require.EqualValues(t, 2, found.Signed)
	require.EqualValues(t, 4, found.Events)
}

func TestNothingSignedIsNoProof(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	commit(t, store)
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
	found := look(t, dir, newSigner(t).options())
	require.Len(t, found.Faults, 1)
	require.Equal(t, records.Unsigned, found.Faults[0].Problem)
}

// A key that comes into use between a run's signature and its line.
func TestARunWhoseKeyIsReplacedMeanwhileIsNotRecorded(t *testing.T) {
	dir := t.TempDir()
	store, first, second := open(t, dir), newSigner(t), newSigner(t)
	store.SignWith(meanwhile{first, func() {
		other := open(t, dir)
		other.SignWith(second)
		signOne(t, other)
	}})
	draft, id := begin(t, store)
	_, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.Failed)})
	require.ErrorContains(t, err, "another key has come into use while it was recorded: run it again")
	require.Empty(t, look(t, dir, byKeys(first, second)).Faults)
}

type meanwhile struct {
	signer
	do func()
}

// Envelope implements records.Signer.
func (m meanwhile) Envelope(ctx context.Context, statement []byte) ([]byte, error) {
	m.do()
	return m.signer.Envelope(ctx, statement)
}

// A run is of one chain, and of one place in it: neither a copy, with its signature, in
// another state directory of the same key holds, nor a chain that was made again before it.
func TestASignedRunIsOfItsChain(t *testing.T) {
	by := newSigner(t)
	from, to := t.TempDir(), t.TempDir()
	for _, dir := range []string{from, to} {
		store := open(t, dir)
		store.SignWith(by)
		require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindCheck, Name: filepath.Base(dir)}))
		require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindCheck, Count: 1}))
		signOne(t, store)
	}
	store := open(t, from)
	store.SignWith(by)
	taken := signOne(t, store)
	var line string
	text, err := os.ReadFile(audit(from))
	require.NoError(t, err)
	for _, one := range lines(string(text)) {
		if strings.Contains(one, taken.String()) {
			line = one
		}
	}
	require.NoError(t, os.CopyFS(filepath.Join(to, "runs", taken.String()), os.DirFS(filepath.Join(from, "runs", taken.String()))))
	forge(t, to, func(all []string) []string { return append(all, line) })
	found := look(t, to, byKeys(by))
	require.Len(t, found.Faults, 2)
	require.Equal(t, taken, found.Faults[0].RunID)
	require.Contains(t, found.Faults[0].Message, "its signature is not of the key")
	require.Equal(t, taken, found.Faults[1].RunID)
	require.Contains(t, found.Faults[1].Message, "it is about a run of another chain")

	require.Empty(t, look(t, from, byKeys(by)).Faults)
	forgeBy(t, from, &by.key, func(all []string) []string { // also by who has the key
		all[2] = strings.Replace(all[2], `"count":1`, `"count":2`, 1)
		return all
	})
	found = look(t, from, byKeys(by))
	require.Len(t, found.Faults, 2)
	require.Contains(t, found.Faults[0].Message, "the chain was made again")
}
