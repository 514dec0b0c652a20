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
		all[2] = strings.Replace(all[2], `"sha256":"`+events(t, open(t, dir))[2].SHA256.Digest().String()[7:], signature+`"sha256":"`, 1)
		return all
	})
	require.NoError(t, open(t, dir).Copy(t.Context(), id, into)) // who has no key cannot know
	store.TrustOwn(func() (records.Opener, error) { return key.Public(), nil })
	require.ErrorContains(t, store.Copy(t.Context(), id, into), "its signature is not of the key")
}

// Who exports has the key that is in use, and not those of all the years.
func TestACopyIsMadeOfWhatAReplacedKeyHasSigned(t *testing.T) {
	store, first, second := open(t, t.TempDir()), newSigner(t), newSigner(t)
	store.SignWith(first)
	id := commit(t, store)
	store.SignWith(second)
	commit(t, store)
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

// forgeEvent appends an event that nobody has signed.
func forgeEvent(t *testing.T, dir string, event records.Event) {
	t.Helper()
	all := events(t, open(t, dir))
	last := all[len(all)-1]
	event.Version, event.Seq, event.Time, event.PrevSHA256, event.SHA256 = last.Version, last.Seq, last.Time, last.PrevSHA256, last.SHA256
	forge(t, dir, func(all []string) []string { return append(all, lineOf(t, event)) })
}

// What an honest command does by what the chain says, it does not do by a line that is not the
// chain's: it would be signed, and nobody could tell.
func TestNothingIsDoneByAForgedEvent(t *testing.T) {
	for name, forged := range map[string]func(id job.ID, record records.Subject) records.Event{
		"no hold": func(id job.ID, _ records.Subject) records.Event {
			return records.Event{Kind: records.KindHold, RunID: id, OK: new(false)}
		},
		"a deletion": func(id job.ID, record records.Subject) records.Event {
			return records.Event{Kind: records.KindDeletion, RunID: id, Name: records.PartRecord, Subjects: []records.Subject{record}}
		},
		"tables": func(job.ID, records.Subject) records.Event {
			sum := digest.Of([]byte("x")).Hex()
			return records.Event{Kind: records.KindBundleAdded, Subjects: []records.Subject{{Role: records.RoleBundle, SHA256: sum}, {Role: records.RoleFile, SHA256: sum}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store, _ := keyed(t, dir)
			id := commitReviewed(t, store, nil)
			by := records.Cause{Actor: anna, Reason: "paper 12"}
			require.NoError(t, store.Hold(t.Context(), id, by))
			forgeEvent(t, dir, forged(id, records.Subject{Role: records.RoleRecord, SHA256: events(t, store)[1].Subject(records.RoleRecord)}))

			for what, do := range map[string]func() error{
				"remove":   func() error { return store.Remove(t.Context(), id, records.PartRecord, by) },
				"finish":   func() error { _, err := store.FinishDeletions(t.Context()); return err },
				"unhold":   func() error { return store.Unhold(t.Context(), id, by) },
				"check":    func() error { return store.CheckRun(t.Context(), id) },
				"get":      func() error { _, err := store.Get(t.Context(), id); return err },
				"standing": func() error { _, err := store.Standing(t.Context()); return err },
				"compare":  func() error { return store.Compare(t.Context(), id) },
				"anchor": func() error {
					_, err := store.Lines(t.Context(), func(records.Event, []byte) error { return nil })
					return err
				},
				"release": func() error {
					_, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: by})
					return err
				},
			} {
				require.ErrorContains(t, do(), "line 4: ", what)
				require.ErrorContains(t, do(), "is not signed", what)
			}
			require.DirExists(t, store.Path(id))
		})
	}
}

// A run by another's key, and then ours again with a signature that is none: a key that was
// replaced does not come back.
func TestAForgedChangeOfTheKeyIsNotBelieved(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	commit(t, store)
	mine, err := key.Public().Digest()
	require.NoError(t, err)
	theirs := newSigner(t)
	other := open(t, dir)
	other.SignWith(theirs)
	id := signOne(t, other)
	forgeEvent(t, dir, records.Event{Kind: records.KindKeyUsed, Name: "signs", SignedBy: mine.Hex(), Signature: make([]byte, 64), Subjects: []records.Subject{{Role: records.RoleKey, SHA256: mine.Hex()}}})
	require.ErrorContains(t, store.CheckRun(t.Context(), id), "line 5: it says that the key")
	_, err = store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
	require.Error(t, err)
}

// What is appended while somebody verifies excuses nothing unless it holds, too.
func TestADeletionMeanwhileIsHeldToTheChain(t *testing.T) {
	for name, honest := range map[string]bool{"forged": false, "honest": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store, key := keyed(t, dir)
			id := commit(t, store)
			record := events(t, store)[1].Subject(records.RoleRecord)
			deletion := records.Event{Kind: records.KindDeletion, RunID: id, Name: records.PartRecord, Subjects: []records.Subject{{Role: records.RoleRecord, SHA256: record}}}
			require.NoError(t, os.RemoveAll(store.Path(id)))
			found := look(t, dir, records.VerifyOptions{Keys: []records.Opener{key.Public()}, Progress: func(int64, int64) { // the chain is read by then
				if honest {
					require.NoError(t, store.Append(t.Context(), deletion))
				} else {
					forgeEvent(t, dir, deletion)
				}
			}})
			if honest {
				require.Empty(t, found.Faults)
			} else {
				require.Len(t, found.Faults, 1)
				require.Equal(t, records.Missing, found.Faults[0].Problem)
			}
		})
	}
}

// A copy of a run that nobody has signed is not vouched for by what was signed behind it.
func TestACopyOfAnUnsignedRunIsNoProof(t *testing.T) {
	dir := t.TempDir()
	store, key := open(t, dir), newSigner(t)
	id := commit(t, store)
	store.SignWith(key)
	require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindExport, RunID: id, Name: "out"}))
	var lines [][]byte
	_, err := store.Lines(t.Context(), func(event records.Event, line []byte) error {
		if event.RunID == id {
			lines = append(lines, append([]byte{}, line...))
		}
		return nil
	})
	require.NoError(t, err)
	into, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer into.Close()
	require.NoError(t, store.Copy(t.Context(), id, into))
	options := records.CopyOptions{Lines: lines, Included: func(records.Event, []byte) bool { return true }, Chain: "hotcell-audit/x"}
	found, err := records.VerifyCopy(t.Context(), into, options)
	require.NoError(t, err)
	require.Empty(t, found.Faults)
	options.Keys = []records.Opener{key}
	found, err = records.VerifyCopy(t.Context(), into, options)
	require.NoError(t, err)
	require.Len(t, found.Faults, 1)
	require.Contains(t, found.Faults[0].Message, "nothing is signed by a key that was given")
}
