package records_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
)

// Whoever can write the state, and has no key, appends an event that a runner would have made:
// behind all that an anchor has seen, and with every hash right.
func TestNobodyAppendsWithoutTheKey(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	id := commitReviewed(t, store, nil)
	_, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
	require.NoError(t, err)
	run := events(t, store)[1]
	record := records.Subject{Role: records.RoleRecord, SHA256: run.Subject(records.RoleRecord)}
	sum, other := run.Subject(records.RoleKey), digest.Of([]byte("x")).Hex()
	for name, forged := range map[string]records.Event{
		"a deletion":     {Kind: records.KindDeletion, RunID: id, Name: records.PartRecord, Reason: "participant withdrew", Subjects: []records.Subject{record}},
		"no hold":        {Kind: records.KindHold, RunID: id, OK: new(false)},
		"other tables":   {Kind: records.KindBundleAdded, Subjects: []records.Subject{{Role: records.RoleBundle, SHA256: other}, {Role: records.RoleFile, SHA256: other}}},
		"a replication":  {Kind: records.KindReplication, RunID: id, OK: new(true)},
		"an anchor":      {Kind: records.KindAnchor, Count: 3},
		"a policy":       {Kind: records.KindPolicyChanged, Name: "study-analysis"},
		"another key":    {Kind: records.KindKeyUsed, Name: "signs", Subjects: []records.Subject{{Role: records.RoleKey, SHA256: other}}},
		"a bundle's key": {Kind: records.KindKeyUsed, Name: "bundle", Subjects: []records.Subject{{Role: records.RoleKey, SHA256: other}, {Role: records.RoleBundle, SHA256: other}}},
	} {
		forged.Actor = job.Actor{User: "anna"}
		taken := events(t, store)[0].Signature // of another event
		for how, sign := range map[string]func(*records.Event){
			"unsigned": func(*records.Event) {},
			"by the key, with the signature of another event": func(e *records.Event) { e.SignedBy, e.Signature = sum, taken },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				copied, event := copyOf(t, dir), forged
				event.Version, event.Seq, event.Time, event.PrevSHA256, event.SHA256 = run.Version, run.Seq, run.Time, run.PrevSHA256, run.SHA256
				sign(&event)
				forge(t, copied, func(all []string) []string { return append(all, lineOf(t, event)) })
				if forged.Kind == records.KindDeletion {
					require.NoError(t, os.RemoveAll(open(t, copied).Path(id)))
				}
				found := look(t, copied, byKeys(key.Public()))
				require.NotEmpty(t, found.Faults)
				require.Equal(t, records.Unsigned, found.Faults[0].Problem, found.Faults)
				require.EqualValues(t, 4, found.Faults[0].Line)
			})
		}
	}
}

// That there is a key in use is in the chain, and cannot be taken out of it: the signatures can.
func TestSignaturesCannotBeTakenAway(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	commit(t, store)
	require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindCheck}))
	forge(t, dir, func(all []string) []string {
		for n, line := range all {
			all[n] = regexp.MustCompile(`"signed_by":"[0-9a-f]*","signature":"[^"]*",`).ReplaceAllString(line, "")
		}
		return all
	})
	for _, options := range []records.VerifyOptions{{}, byKeys(key.Public())} {
		faults := look(t, dir, options).Faults
		require.GreaterOrEqual(t, len(faults), 3)
		for n, fault := range faults[:3] {
			require.Equal(t, records.Unsigned, fault.Problem)
			require.EqualValues(t, n+1, fault.Line)
			require.Contains(t, fault.Message, "is not signed")
		}
	}
}

// Half of a signature is none, and no runner writes it.
func TestALineNamesItsKeyAndHasItsSignature(t *testing.T) {
	for _, taken := range []string{`"signed_by":"[0-9a-f]*",`, `"signature":"[^"]*",`} {
		dir := t.TempDir()
		store, _ := keyed(t, dir)
		commit(t, store)
		forge(t, dir, func(all []string) []string {
			all[1] = regexp.MustCompile(taken).ReplaceAllString(all[1], "")
			return all
		})
		faults := look(t, dir, records.VerifyOptions{}).Faults
		require.NotEmpty(t, faults)
		require.Contains(t, faults[0].Message, "line 2: it names a key without a signature, or has one of no key")
	}
}

// Nothing leaves that somebody has vouched for who had no key.
func TestNoCopyIsMadeOfARunWithAForgedEvent(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	id := commit(t, store)
	forge(t, dir, func(all []string) []string {
		event := events(t, store)[1]
		event.Kind, event.Status, event.Name, event.Bytes, event.SignedBy, event.Signature = records.KindRelease, "", "/mnt/journal", 0, "", nil
		return append(all, lineOf(t, event))
	})
	into, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer into.Close()
	require.ErrorContains(t, store.Copy(t.Context(), id, into), "release "+id.String()+" is not signed")

	forge(t, dir, func(all []string) []string {
		signature := regexp.MustCompile(`"signed_by":"[0-9a-f]*","signature":"[^"]*",`).FindString(all[1])
		all[2] = strings.Replace(all[2], `"sha256":"`+events(t, store)[2].SHA256.Digest().String()[7:], signature+`"sha256":"`, 1)
		return all
	})
	require.NoError(t, store.Copy(t.Context(), id, into)) // nobody has looked at the signature
	store.TrustOwn(key.Public())
	require.ErrorContains(t, store.Copy(t.Context(), id, into), "its signature is not of the key")
}

// Who exports has the key that is in use, and not those of all the years.
func TestACopyIsMadeOfWhatAReplacedKeyHasSigned(t *testing.T) {
	store, first, second := open(t, t.TempDir()), newSigner(t), newSigner(t)
	store.SignWith(first)
	id := commit(t, store)
	store.SignWith(second)
	commit(t, store)
	store.TrustOwn(second)
	into, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer into.Close()
	require.NoError(t, store.Copy(t.Context(), id, into))
}

// Lines of the version that had no signature may stand before all others, and nowhere else.
func TestUnsignedLinesOfAnEarlierVersionGoOn(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	for range 3 {
		require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindCheck}))
	}
	older := func(line string) string {
		line = regexp.MustCompile(`"signed_by":"[0-9a-f]*","signature":"[^"]*",`).ReplaceAllString(line, "")
		return strings.Replace(line, `"version":3`, `"version":2`, 1)
	}
	forge(t, dir, func(all []string) []string {
		for n, line := range all {
			all[n] = older(line)
		}
		return all
	})
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
	commit(t, store)
	found := look(t, dir, byKeys(key.Public()))
	require.Empty(t, found.Faults)
	require.EqualValues(t, 5, found.Events)
	require.EqualValues(t, 1, found.SignedEvents)
	forge(t, dir, func(all []string) []string { return append(all, older(all[3])) })
	faults := look(t, dir, records.VerifyOptions{}).Faults
	require.NotEmpty(t, faults)
	require.Contains(t, faults[0].Message, "line 6 is of an older version than the one before it")

	forge(t, dir, func(all []string) []string { // and none of them is signed
		return append(all[:5], strings.Replace(all[4], `"version":3`, `"version":2`, 1))
	})
	require.Contains(t, look(t, dir, records.VerifyOptions{}).Faults[0].Message, "no runner has written such a line")
}
