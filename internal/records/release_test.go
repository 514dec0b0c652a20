package records_test

import (
	"fmt"
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
	"hotcell/internal/signing"
	"hotcell/internal/strictjson"
)

var published = records.Cause{Actor: anna, Reason: "paper 12"}

// commitReviewed commits a run with one file, a.txt, and a review.
func commitReviewed(t *testing.T, store *records.Store, review *job.Review) job.ID {
	t.Helper()
	draft, id := begin(t, store)
	entry := records.Entry{Result: result(id, job.Succeeded), Verified: verify(t, draft, "x\n"), Actor: anna}
	entry.Result.Files, entry.Result.Review = entry.Verified.Files(), review
	_, err := draft.Commit(t.Context(), entry)
	require.NoError(t, err)
	return id
}

// keyed is a store whose runs are signed, and the key.
func keyed(t *testing.T, dir string) (*records.Store, signing.Key) {
	t.Helper()
	key, err := signing.Generate()
	require.NoError(t, err)
	store := open(t, dir)
	store.SignWith(signer{key, key.Public()})
	return store, key
}

// put writes a file, whatever is there.
func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
}

// verifyMany stages an output of many files in a draft.
func verifyMany(t *testing.T, draft *records.Draft, count int) *output.Verified {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	var declared []output.Declared
	for n := range count {
		text := []byte(fmt.Sprintf("%d\n", n))
		name := fmt.Sprintf("%02d-%s.txt", n, strings.Repeat("n", 60))
		require.NoError(t, root.WriteFile(name, text, 0o600))
		declared = append(declared, output.Declared{Path: name, Bytes: int64(len(text)), SHA256: digest.Of(text).Hex(), Role: output.RoleFile})
	}
	verified, found, err := output.Verify(t.Context(), output.Options{
		Dir: root, Staging: draft.Staging(), Manifest: declared,
		Rules: output.Rules{MaxFiles: 100, MaxBytes: 1 << 20, MaxDepth: 2, MediaTypes: []string{"text/plain"}},
	})
	require.NoError(t, err)
	require.Empty(t, found)
	t.Cleanup(func() { require.NoError(t, verified.Close()) })
	return verified
}

func TestAReleaseIsASignedStatementBesideTheFiles(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	id := commitReviewed(t, store, nil)
	to := filepath.Join(t.TempDir(), "out")
	made, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: to}, By: published})
	require.NoError(t, err)
	require.Equal(t, []string{"a.txt", "release.dsse.json"}, names(t, to))
	envelope, err := os.ReadFile(filepath.Join(to, "release.dsse.json"))
	require.NoError(t, err)
	statement, err := key.Public().Open(t.Context(), envelope)
	require.NoError(t, err)
	var said records.ReleaseStatement
	require.NoError(t, strictjson.Decode(statement, 1<<20, &said))
	require.Equal(t, "urn:hotcell:release:v1", said.PredicateType)
	require.Equal(t, []records.StatementFile{{Name: "a.txt", Digest: map[string]digest.Hex{"sha256": digest.Of([]byte("x\n")).Hex()}}}, said.Subject)
	all := events(t, store)
	last := all[len(all)-1]
	require.Equal(t, records.KindRelease, last.Kind)
	require.Equal(t, anna, last.Actor)
	require.Equal(t, "paper 12", last.Reason)
	require.Equal(t, digest.Of(envelope).Hex(), last.Subject(records.RoleStatement))
	require.Equal(t, digest.Of([]byte("x\n")).Hex(), last.Subject(records.RoleFile))
	require.Equal(t, "hotcell-audit/"+string(all[0].SHA256), said.Predicate.Chain)
	require.Equal(t, "unchecked", said.Predicate.Disclosure)

	releases, err := store.Releases(t.Context())
	require.NoError(t, err)
	require.Equal(t, []records.Release{made}, releases)
	found, err := store.Verify(t.Context(), records.VerifyOptions{Keys: []records.Opener{key.Public()}})
	require.NoError(t, err)
	require.Empty(t, found.Faults)
	require.EqualValues(t, 1, found.Releases)
}

func TestARunWithFindingsIsReleasedBySomebodyWhoAcceptsThem(t *testing.T) {
	store := open(t, t.TempDir())
	finding := job.ReviewFinding{Rule: "disclosure.small_cell", Path: "a.txt", Count: 2, Message: "a count is below 10"}
	id := commitReviewed(t, store, &job.Review{Needed: true, Findings: []job.ReviewFinding{finding}})
	unchecked := commitReviewed(t, store, &job.Review{Needed: true}) // it was not looked at to its end
	to := filepath.Join(t.TempDir(), "out")
	for _, each := range []job.ID{id, unchecked} {
		_, err := store.Release(t.Context(), records.ReleaseOptions{RunID: each, To: output.Destination{Dir: to}, By: published})
		require.ErrorIs(t, err, records.ErrFindings)
		require.NoDirExists(t, to)
	}
	require.Len(t, events(t, store), 2, "what is refused leaves no event")
	made, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: to}, By: published, AcceptFindings: true})
	require.NoError(t, err)
	require.Equal(t, 1, made.Accepted)
	text, err := os.ReadFile(filepath.Join(to, "release.json")) // there is no key
	require.NoError(t, err)
	var said records.ReleaseStatement
	require.NoError(t, strictjson.Decode(text, 1<<20, &said))
	require.Equal(t, "accepted", said.Predicate.Disclosure)
	require.Equal(t, []job.ReviewFinding{finding}, said.Predicate.AcceptedFindings)
}

func TestWhatIsNotAskedForAsItMustBeIsNotReleased(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := commitReviewed(t, store, nil)
	draft, none := begin(t, store)
	_, err := draft.Commit(t.Context(), records.Entry{Result: result(none, job.Failed)})
	require.NoError(t, err)
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "mine"), nil, 0o600))
	before := len(events(t, store))
	to := filepath.Join(t.TempDir(), "out")
	for name, ask := range map[string]records.ReleaseOptions{
		"a file of no run":            {RunID: id, Files: []string{"b.txt"}},
		"a file above":                {RunID: id, Files: []string{"../record.json"}},
		"one of two":                  {RunID: id, Files: []string{"a.txt", "b.txt"}},
		"a run without files":         {RunID: none},
		"no such run":                 {RunID: job.ID{}},
		"a directory with something":  {RunID: id, To: output.Destination{Dir: full}},
		"a directory in none":         {RunID: id, To: output.Destination{Dir: filepath.Join(full, "no", "such")}},
		"a reason that is cut":        {RunID: id, By: records.Cause{Reason: strings.Repeat("x", 257)}},
		"no directory, and no reason": {RunID: id, By: records.Cause{Reason: " "}},
	} {
		t.Run(name, func(t *testing.T) {
			if ask.To.Dir == "" {
				ask.To.Dir = to
			}
			if ask.By.Reason == "" {
				ask.By = published
			}
			_, err := store.Release(t.Context(), ask)
			require.Error(t, err)
			require.NoDirExists(t, to)
			require.Len(t, events(t, store), before)
			require.Equal(t, []string{"mine"}, names(t, full))
		})
	}
}

// Nothing is released on the word of a record that does not hold, in any part.
func TestARunThatDoesNotHoldIsNotReleased(t *testing.T) {
	for _, name := range []string{"record.json", "files/a.txt", "statement.dsse.json", "files/added"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store, _ := keyed(t, dir)
			id := commitReviewed(t, store, nil)
			put(t, filepath.Join(store.Path(id), name), "altered")
			to := filepath.Join(t.TempDir(), "out")
			_, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: to}, By: published})
			require.Error(t, err)
			require.NoDirExists(t, to)
			require.Len(t, events(t, store), 2)
		})
	}
}

// More files than a line has room for are in the statement, which the event names.
func TestAReleaseOfManyFilesIsFoundByEach(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	draft, id := begin(t, store)
	entry := records.Entry{Result: result(id, job.Succeeded), Verified: verifyMany(t, draft, 60)}
	entry.Result.Files = entry.Verified.Files()
	_, err := draft.Commit(t.Context(), entry)
	require.NoError(t, err)
	to := filepath.Join(t.TempDir(), "out")
	made, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: to}, By: published})
	require.NoError(t, err)
	require.Len(t, made.Files, 60)
	all := events(t, store)
	require.EqualValues(t, 60, all[len(all)-1].Count)
	releases, err := store.Releases(t.Context())
	require.NoError(t, err)
	require.Len(t, releases[0].Files, 60)
	found, err := store.Verify(t.Context(), records.VerifyOptions{Keys: []records.Opener{key.Public()}})
	require.NoError(t, err)
	require.Empty(t, found.Faults)
}

// Whoever can write the state directory cannot change a release behind verify's back.
func TestVerifyFindsAReleaseThatWasChanged(t *testing.T) {
	for name, test := range map[string]struct {
		change func(t *testing.T, dir, statement string)
		want   records.Problem
	}{
		"altered": {func(t *testing.T, _, statement string) { put(t, statement, "{}") }, records.Changed},
		"removed": {func(t *testing.T, _, statement string) { require.NoError(t, os.Remove(statement)) }, records.Missing},
		"added": {func(t *testing.T, _, statement string) {
			put(t, filepath.Join(filepath.Dir(statement), strings.Repeat("0", 64)+".json"), "{}")
		}, records.Added},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store, key := keyed(t, dir)
			id := commitReviewed(t, store, nil)
			made, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
			require.NoError(t, err)
			test.change(t, dir, filepath.Join(dir, "releases", string(made.SHA256)+".json"))
			for _, options := range []records.VerifyOptions{{}, {Keys: []records.Opener{key.Public()}}} {
				found, err := store.Verify(t.Context(), options)
				require.NoError(t, err)
				require.Len(t, found.Faults, 1)
				require.Equal(t, test.want, found.Faults[0].Problem, found.Faults[0].Message)
			}
		})
	}
}

// The event and the statement must say the same of the run, and name no file that it has not left.
// The statement about a release may be of a line that only a newer runner understands.
func TestAReleaseOfANewerRunnerIsNotCalledAdded(t *testing.T) {
	dir := t.TempDir()
	store, _ := keyed(t, dir)
	id := commit(t, store)
	_, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
	require.NoError(t, err)
	forge(t, dir, func(all []string) []string {
		last := len(all) - 1
		all[last] = strings.Replace(all[last], `"kind":"release"`, `"kind":"lease"`, 1)
		return all
	})
	found := look(t, dir, records.VerifyOptions{})
	require.Len(t, found.Faults, 1)
	require.Equal(t, records.Newer, found.Faults[0].Problem)
}

func TestVerifyFindsAReleaseWithoutItsRun(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	id := commitReviewed(t, store, nil)
	made, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
	require.NoError(t, err)
	all := events(t, store)
	honest := all[len(all)-1]
	for name, change := range map[string]func(*records.Event){
		"another run":       func(e *records.Event) { e.RunID = job.NewID(made.Time) },
		"another reason":    func(e *records.Event) { e.Reason = "paper 13" },
		"another person":    func(e *records.Event) { e.Actor = job.Actor{User: "ben"} },
		"more files":        func(e *records.Event) { e.Count++ },
		"another record":    func(e *records.Event) { e.Subjects[0].SHA256 = digest.Of([]byte("other")).Hex() },
		"another file":      func(e *records.Event) { e.Subjects[3].SHA256 = digest.Of([]byte("other")).Hex() },
		"no statement":      func(e *records.Event) { e.Subjects[1].Role = "other" },
		"another statement": func(e *records.Event) { e.Subjects[1].SHA256 = digest.Of([]byte("other")).Hex() },
		"no signature":      func(e *records.Event) { e.Subjects[2].Role = "other" },
		"no file":           func(e *records.Event) { e.Subjects = e.Subjects[:3] },
		"elsewhere":         func(e *records.Event) { e.Name = "/mnt/press-office" },
		"another time":      func(e *records.Event) { e.Time = e.Time.Add(time.Second) },
		"another end":       func(e *records.Event) { e.OK = new(false) },
		"another size":      func(e *records.Event) { e.Bytes = 999999 },
		"a status":          func(e *records.Event) { e.Status = job.Failed },
	} {
		t.Run(name, func(t *testing.T) {
			copied := copyOf(t, dir)
			forged := honest
			forged.Subjects = append([]records.Subject{}, honest.Subjects...)
			change(&forged)
			forgeBy(t, copied, &key, func(all []string) []string { return append(all[:len(all)-1], lineOf(t, forged)) })
			other := open(t, copied)
			found, err := other.Verify(t.Context(), records.VerifyOptions{Keys: []records.Opener{key.Public()}})
			require.NoError(t, err)
			require.NotEmpty(t, found.Faults)
			require.Regexp(t, "release of files|release .* is signed by the key .*, and its statement by another or none", found.Faults[0].Message)
		})
	}
}

// The statement outlives the record: what has left has left.
func TestAReleaseIsKnownWhenItsRecordIsDeleted(t *testing.T) {
	store, key := keyed(t, t.TempDir())
	id := commitReviewed(t, store, nil)
	_, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
	require.NoError(t, err)
	require.NoError(t, store.Remove(t.Context(), id, records.PartRecord, records.Cause{Actor: anna, Reason: "retention"}))
	releases, err := store.Releases(t.Context())
	require.NoError(t, err)
	require.Len(t, releases, 1)
	commit(t, store) // verify wants a run that is signed
	found, err := store.Verify(t.Context(), records.VerifyOptions{Keys: []records.Opener{key.Public()}})
	require.NoError(t, err)
	require.Empty(t, found.Faults)
}
