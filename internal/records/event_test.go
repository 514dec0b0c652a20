package records_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

var anna = job.Actor{UID: new(uint32(1001)), User: "anna", SudoUser: "berta"}

// events reads a whole chain that holds.
func events(t *testing.T, store *records.Store) (all []records.Event) {
	t.Helper()
	for event, err := range store.Events(t.Context()) {
		require.NoError(t, err)
		all = append(all, event)
	}
	return all
}

func TestAnEventIsInTheChainWithItsActor(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	commit(t, store)
	sum := digest.Of([]byte("x")).Hex()
	require.NoError(t, store.Append(t.Context(), records.Event{
		Kind: records.KindBundleAdded, Actor: anna, Name: "heart-study@1.0.0",
		Subjects: []records.Subject{{Role: records.RoleBundle, SHA256: sum}},
	}))
	id := job.NewID(started)
	require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindToolCall, RunID: id, Name: "lookup", OK: new(false)}))
	commit(t, store)
	all := events(t, open(t, dir))
	require.Len(t, all, 4)
	require.Equal(t, records.KindBundleAdded, all[1].Kind)
	require.Equal(t, anna, all[1].Actor)
	require.Equal(t, sum, all[1].Subject(records.RoleBundle))
	require.Equal(t, id, all[2].RunID)
	require.False(t, *all[2].OK)
	require.Nil(t, all[2].Actor.UID) // nobody that is known is not root
	require.Equal(t, records.KindRun, all[3].Kind)
	require.NotEmpty(t, all[3].Subject(records.RolePolicy))
	require.Equal(t, imageDigest.Hex(), all[3].Subject(records.RoleImage))
	head, err := store.VerifyChain(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(4), head.Seq)
}

func TestAnEventThatCouldNotBeReadAgainIsRefused(t *testing.T) {
	long := strings.Repeat("x", 257)
	for name, event := range map[string]records.Event{
		"no kind":             {},
		"an unknown kind":     {Kind: "party"},
		"a run":               {Kind: records.KindRun},
		"a number of its own": {Kind: records.KindSweep, Seq: 7},
		"a long name":         {Kind: records.KindSweep, Name: long},
		"two lines":           {Kind: records.KindSweep, Reason: "a\nb"},
		"an escape":           {Kind: records.KindSweep, Reason: "a\x1b[2J"},
		"no UTF-8":            {Kind: records.KindSweep, Name: "\xff"},
		"a long user":         {Kind: records.KindSweep, Actor: job.Actor{User: long}},
		"a bad hash":          {Kind: records.KindSweep, Subjects: []records.Subject{{Role: records.RoleKey, SHA256: "abc"}}},
		"many subjects":       {Kind: records.KindSweep, Subjects: make([]records.Subject, 33)},
		"too much together": {Kind: records.KindSweep, Subjects: func() (all []records.Subject) {
			for range 30 {
				all = append(all, records.Subject{Role: records.RoleFile, Name: long[:200], SHA256: digest.Of(nil).Hex()})
			}
			return all
		}()},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.Error(t, open(t, dir).Append(t.Context(), event))
			require.NoFileExists(t, audit(dir))
		})
	}
}

func TestBriefFitsIntoAnEvent(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"a \n\tc" + " ":           "a c",
		"\xff\x1b[2J":             "\ufffd\ufffd[2J",
		strings.Repeat("é", 400):  strings.Repeat("é", 126) + "…",
		strings.Repeat("x", 256):  strings.Repeat("x", 256),
		"\u202egnp.exe":           "\ufffdgnp.exe",
		strings.Repeat("\x1b", 3): "\ufffd\ufffd\ufffd",
	} {
		require.Equal(t, want, records.Brief(text))
		require.Equal(t, want, records.Brief(want))
	}
}

func FuzzBrief(f *testing.F) {
	f.Add("a\xffb\u202e")
	f.Fuzz(func(t *testing.T, text string) {
		short := records.Brief(text)
		require.Equal(t, short, records.Brief(short))
		require.LessOrEqual(t, len(short), 256)
	})
}

// oldChain is a store whose three lines a runner has written that knew runs only.
func oldChain(t *testing.T) (dir string, store *records.Store) {
	t.Helper()
	dir = t.TempDir()
	text, err := os.ReadFile("testdata/chain-v1.jsonl")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(audit(dir), text, 0o600))
	return dir, open(t, dir)
}

func TestAnOldChainGoesOn(t *testing.T) {
	dir, store := oldChain(t)
	require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindSweep, Actor: anna}))
	commit(t, store)
	all := events(t, store)
	require.Len(t, all, 5)
	require.Equal(t, 1, all[2].Version)
	require.Equal(t, digest.Of([]byte{2}).Hex(), all[2].Subject(records.RoleRecord))
	require.Equal(t, 3, all[3].Version)
	require.Equal(t, all[2].SHA256, all[3].PrevSHA256)
	for n := range 3 {
		changed := t.TempDir()
		text, err := os.ReadFile(audit(dir))
		require.NoError(t, err)
		split := strings.SplitAfter(string(text), "\n")
		split[n] = strings.Replace(split[n], "succeeded", "failed", 1)
		require.NoError(t, os.WriteFile(audit(changed), []byte(strings.Join(split, "")), 0o600))
		_, err = open(t, changed).VerifyChain(t.Context())
		require.ErrorContains(t, err, fmt.Sprintf("line %d: it has been altered", n+1))
	}
}

// No runner writes an old line after a new one: who does has made a chain of his own.
func TestAnOldLineDoesNotFollowANewOne(t *testing.T) {
	dir, store := oldChain(t)
	old, err := os.ReadFile(audit(dir))
	require.NoError(t, err)
	require.NoError(t, os.Remove(audit(dir)))
	for range 2 {
		require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindSweep}))
	}
	last := events(t, store)[1]
	third := strings.SplitAfter(string(old), "\n")[2]
	body, _, _ := strings.Cut(third, `,"prev_sha256"`)
	body += `,"prev_sha256":"` + string(last.SHA256) + `"`
	forged := body + `,"sha256":"` + string(digest.Of([]byte(body+"}")).Hex()) + "\"}\n"
	alter(t, audit(dir), func(text string) string { return text + forged })
	_, err = store.VerifyChain(t.Context())
	require.ErrorContains(t, err, "line 3 is of an older version")
}

// TestAnOlderRunnerRefusesWhatANewerOneWrote: it neither goes on with the chain nor calls it
// damaged.
func TestAnOlderRunnerRefusesWhatANewerOneWrote(t *testing.T) {
	for name, line := range map[string]string{
		"a version": `{"version":3,`,
		"a kind":    `{"version":3,`,
	} {
		t.Run(name, func(t *testing.T) {
			dir, store, _ := chained(t)
			draft, id := begin(t, store)
			require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindSweep}))
			forge(t, dir, func(all []string) []string {
				last := len(all) - 1
				all[last] = strings.Replace(strings.Replace(all[last], `"sweep"`, `"party"`, 1), `{"version":3,`, line, 1)
				return all
			})
			before, err := os.ReadFile(audit(dir))
			require.NoError(t, err)
			_, err = store.Begin(t.Context(), job.NewID(started), records.Asked{})
			require.ErrorIs(t, err, records.ErrNewer)
			require.NotContains(t, err.Error(), "damaged")
			_, err = draft.Commit(t.Context(), records.Entry{Result: result(id, job.Failed)})
			require.ErrorIs(t, err, records.ErrNewer)
			require.ErrorIs(t, store.Append(t.Context(), records.Event{Kind: records.KindSweep}), records.ErrNewer)
			_, err = store.VerifyChain(t.Context())
			require.ErrorIs(t, err, records.ErrNewer)
			after, err := os.ReadFile(audit(dir))
			require.NoError(t, err)
			require.True(t, bytes.Equal(before, after))
		})
	}
}

func TestARecordOfANewerRunnerIsRefused(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := commit(t, store)
	alter(t, store.Path(id)+"/record.json", func(text string) string {
		return strings.Replace(text, `"version":3,`, `"version":4,"more":1,`, 1)
	})
	_, err := store.Get(t.Context(), id)
	require.ErrorIs(t, err, records.ErrAltered) // by a number it does not become a newer runner's
	vouchFor(t, dir, id)
	_, err = store.Get(t.Context(), id)
	require.ErrorIs(t, err, records.ErrNewer)
	require.Equal(t, records.Newer, look(t, dir, records.VerifyOptions{}).Faults[0].Problem)
}

func TestEventsAndRunsAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		store := open(t, dir) // as another process would
		all.Go(func() {
			for range 10 {
				if err := store.Append(t.Context(), records.Event{Kind: records.KindCheck, Actor: anna}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	store := open(t, dir)
	for range 10 {
		commit(t, store)
	}
	all.Wait()
	head, err := store.VerifyChain(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(50), head.Seq)
}

// FuzzLine: whatever stands in a chain, it is read without harm, and only what we wrote holds.
func FuzzLine(f *testing.F) {
	old, err := os.ReadFile("testdata/chain-v1.jsonl")
	require.NoError(f, err)
	f.Add(old)
	f.Add([]byte(`{"version":3,"seq":1}` + "\n"))
	f.Add([]byte(`{"version":99999999999999999999,"seq":1}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(audit(dir), text, 0o600))
		for _, err := range open(t, dir).Events(t.Context()) {
			if err == nil {
				require.True(t, bytes.HasPrefix(text, old[:bytes.IndexByte(old, '\n')+1]))
			}
		}
	})
}
