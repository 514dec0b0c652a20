package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
	"hotcell/internal/strictjson"
)

// copyOf is a state directory again, without its locks.
func copyOf(t *testing.T, dir string) (copied string) {
	t.Helper()
	copied = t.TempDir()
	require.NoError(t, os.CopyFS(copied, os.DirFS(dir)))
	for _, lock := range []string{"lock", "retention.lock"} {
		if err := os.Remove(filepath.Join(copied, lock)); err != nil {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
	}
	return copied
}

// lineOf is an event as a line, which rechain makes hold.
func lineOf(t *testing.T, event records.Event) string {
	t.Helper()
	text, err := strictjson.Encode(event)
	require.NoError(t, err)
	return string(text) + "\n"
}

// unsigned puts a run of a store without a key into another, and returns its line.
func unsigned(t *testing.T, into string) (line string, id job.ID) {
	t.Helper()
	dir := t.TempDir()
	id = commit(t, open(t, dir))
	require.NoError(t, os.CopyFS(filepath.Join(into, "runs", id.String()), os.DirFS(filepath.Join(dir, "runs", id.String()))))
	text, err := os.ReadFile(audit(dir))
	require.NoError(t, err)
	return string(text), id
}

// Whoever writes the state without the key adds a run of their own behind the event that says
// that a key signs: before the first run that is signed, behind all, or where those that were
// signed are gone by events of deletion, and so is theirs.
func TestAnUnsignedRunIsFoundOnceAKeyIsInUse(t *testing.T) {
	dir, by := t.TempDir(), newSigner(t)
	store := open(t, dir)
	commit(t, store) // before there was a key
	store.SignWith(by)
	first, last := signOne(t, store), signOne(t, store)
	require.NoError(t, store.Remove(t.Context(), first, records.PartRecord, published))
	require.Empty(t, look(t, dir, by.options()).Faults)
	for name, test := range map[string]struct {
		at   int // of the chain: the old run, the key, first, last, its deletion
		gone bool
	}{
		"before the first signed": {at: 2}, "behind it": {at: 3}, "behind its deletion": {at: 5}, "deleted": {at: 2, gone: true},
	} {
		t.Run(name, func(t *testing.T) {
			forged := copyOf(t, dir)
			line, id := unsigned(t, forged)
			forge(t, forged, func(all []string) []string {
				all = append(append(append([]string{}, all[:test.at]...), line), all[test.at:]...)
				if test.gone {
					record := events(t, open(t, forged))[2].Subject(records.RoleRecord)
					sum := digest.Hex(line[strings.Index(line, `"role":"record","sha256":"`)+26:][:64])
					all = append(all, strings.ReplaceAll(strings.ReplaceAll(all[len(all)-1], first.String(), id.String()), string(record), string(sum)))
					require.NoError(t, os.RemoveAll(filepath.Join(forged, "runs", id.String())))
				}
				return all
			})
			for _, options := range []records.VerifyOptions{{}, by.options()} {
				found := look(t, forged, options)
				require.NotEmpty(t, found.Faults)
				require.Equal(t, records.Unsigned, found.Faults[0].Problem)
				require.Equal(t, id, found.Faults[0].RunID)
				require.Contains(t, found.Faults[0].Message, "is not signed, and since event 2 the key")
			}
			if !test.gone {
				into, err := os.OpenRoot(t.TempDir())
				require.NoError(t, err)
				defer into.Close()
				require.ErrorContains(t, open(t, forged).Copy(t.Context(), id, into), "is not signed")
			}
		})
	}
	require.DirExists(t, store.Path(last))
}

// A key that is only made is in use, and one that is gone is not replaced by none.
func TestNothingIsUnsignedWhereAKeyIsInUse(t *testing.T) {
	dir, by := t.TempDir(), newSigner(t)
	sum, err := by.Digest()
	require.NoError(t, err)
	store := open(t, dir)
	id := commit(t, store)
	draft, other := begin(t, store) // before there is a key
	store.SignWith(by)
	require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindKeyUsed, Name: "made", Subjects: []records.Subject{{Role: records.RoleKey, SHA256: sum.Hex()}}}))
	require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindCheck}))
	store.SignBy(func() (records.Signer, error) { return nil, nil })
	before := len(events(t, store))

	_, err = store.Begin(t.Context(), job.NewID(started), records.Asked{})
	require.ErrorIs(t, err, records.ErrNoKey)
	require.ErrorContains(t, err, "runner keygen")
	_, err = store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
	require.ErrorIs(t, err, records.ErrNoKey)
	_, err = draft.Commit(t.Context(), records.Entry{Result: result(other, job.Failed)})
	require.ErrorIs(t, err, records.ErrNoKey)
	require.ErrorIs(t, store.Append(t.Context(), records.Event{Kind: records.KindCheck}), records.ErrNoKey)
	_, err = store.Sweep(t.Context(), job.Actor{})
	require.ErrorIs(t, err, records.ErrNoKey)
	require.Len(t, events(t, store), before)

	store.SignWith(newSigner(t)) // another is made
	signOne(t, store)
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
}

// A statement is of one release: a second event with it would say that it went elsewhere, too.
func TestAStatementIsOfOneRelease(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	id := commitReviewed(t, store, nil)
	_, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
	require.NoError(t, err)
	forgeBy(t, dir, &key, func(all []string) []string { return append(all, all[len(all)-1]) })
	for _, options := range []records.VerifyOptions{{}, {Keys: []records.Opener{key.Public()}}} {
		found := look(t, dir, options)
		require.Len(t, found.Faults, 1)
		require.Equal(t, records.Added, found.Faults[0].Problem)
		require.Contains(t, found.Faults[0].Message, "it was released once")
	}
}

// The last event of a chain is named by none: what it says is held to the record, and when it
// was to what was signed.
func TestTheEventOfARunSaysWhatItsRecordDoes(t *testing.T) {
	dir, store, _, by := signed(t)
	all := events(t, store)
	honest := all[len(all)-1]
	role := func(role string) func(*records.Event) {
		return func(event *records.Event) {
			for n, one := range event.Subjects {
				if one.Role == role {
					event.Subjects[n].SHA256 = digest.Of([]byte("another")).Hex()
				}
			}
		}
	}
	for name, change := range map[string]func(*records.Event){
		"its code": role(records.RoleCode), "its policy": role(records.RolePolicy), "its image": role(records.RoleImage), "its bundle": role(records.RoleBundle),
		"its policy's name": func(event *records.Event) {
			for n := range event.Subjects {
				event.Subjects[n].Name += strings.Repeat("x", min(1, len(event.Subjects[n].Name)))
			}
		},
		"earlier": func(event *records.Event) { event.Time = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) },
		"later":   func(event *records.Event) { event.Time = event.Time.Add(time.Nanosecond) },
		"a name":  func(event *records.Event) { event.Name = "x" },
		"an end":  func(event *records.Event) { event.OK = new(false) },
		"a count": func(event *records.Event) { event.Count = 1 },
		"a size":  func(event *records.Event) { event.Bytes = 1 },
		"a reason": func(event *records.Event) {
			event.Reason = "x"
		},
		"a file": func(event *records.Event) {
			event.Subjects = append(event.Subjects, records.Subject{Role: records.RoleFile, SHA256: digest.Of(nil).Hex()})
		},
		"no code": func(event *records.Event) {
			event.Subjects = append(event.Subjects[:1:1], event.Subjects[2:]...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			forged := copyOf(t, dir)
			event := honest
			event.Subjects = append([]records.Subject{}, honest.Subjects...)
			change(&event)
			require.NotEqual(t, honest, event)
			forge(t, forged, func(all []string) []string { return append(all[:len(all)-1], lineOf(t, event)) })
			for _, options := range []records.VerifyOptions{{}, by.options()} {
				require.NotEmpty(t, look(t, forged, options).Faults)
			}
		})
	}
}
