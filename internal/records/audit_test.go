package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// chained is a store with four runs.
func chained(t *testing.T) (dir string, store *records.Store, ids []job.ID) {
	t.Helper()
	dir = t.TempDir()
	store = open(t, dir)
	for range 4 {
		ids = append(ids, commit(t, store))
	}
	return dir, store, ids
}

func audit(dir string) string { return filepath.Join(dir, "audit.jsonl") }

func lines(text string) []string {
	all := strings.SplitAfter(text, "\n")
	return all[:len(all)-1]
}

func TestAuditLinesHoldNoDataAndAreBounded(t *testing.T) {
	dir, store, ids := chained(t)
	draft, id := begin(t, store)
	entry := records.Entry{Result: result(id, job.Failed)}
	entry.Result.Stdout, entry.Result.Error = "patient Łuszcz", &job.Error{Message: "patient Łuszcz"}
	_, err := draft.Commit(t.Context(), entry)
	require.NoError(t, err)
	text, err := os.ReadFile(audit(dir))
	require.NoError(t, err)
	// No digest and no time spells a name, as some would spell a number.
	require.NotContains(t, string(text), "patient")
	require.NotContains(t, string(text), "uszcz")
	all := lines(string(text))
	require.Len(t, all, 5)
	for i, line := range all {
		require.Less(t, len(line), 900)
		if i < len(ids) {
			require.Contains(t, line, ids[i].String())
		}
	}
	info, err := os.Stat(audit(dir))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
}

func TestVerifyChainFindsTampering(t *testing.T) {
	for name, test := range map[string]struct {
		change func(all []string) []string
		fault  string
	}{
		"a line altered": {func(all []string) []string {
			all[1] = strings.Replace(all[1], "succeeded", "failed", 1)
			return all
		}, "line 2: it has been altered"},
		"a line removed":         {func(all []string) []string { return append(all[:1], all[2:]...) }, "line 2 does not follow"},
		"the first line removed": {func(all []string) []string { return all[1:] }, "line 1 does not follow"},
		"the last line removed":  {func(all []string) []string { return all[:3] }, "has no line"},
		"every line removed":     {func([]string) []string { return nil }, "has no line"},
		"the last line cut in two": {func(all []string) []string {
			all[3] = all[3][:40]
			return all
		}, "has no line"},
		"two lines exchanged": {func(all []string) []string {
			all[1], all[2] = all[2], all[1]
			return all
		}, "line 2 does not follow"},
		"a line doubled": {func(all []string) []string { return append(all, all[3]) }, "line 5 does not follow"},
		"a line spelled otherwise": {func(all []string) []string {
			all[1] = strings.Replace(all[1], `,"time"`, `, "time"`, 1)
			return all
		}, "line 2: it has been altered"},
		"a line that is not JSON": {func(all []string) []string {
			all[1] = "x\n"
			return all
		}, "line 2"},
		"an endless line":    {func(all []string) []string { return append(all, strings.Repeat("x", 1<<20)+"\n") }, "line 5"},
		"an empty line":      {func(all []string) []string { return append(all, "\n") }, "line 5"},
		"a line with a name": {func(all []string) []string { return append(all, `{"version":3,"seq":5,"data":"x"}`+"\n") }, "line 5"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, store, _ := chained(t)
			alter(t, audit(dir), func(text string) string { return strings.Join(test.change(lines(text)), "") })
			_, err := store.VerifyChain(t.Context())
			require.ErrorContains(t, err, test.fault)
		})
	}
}

func TestVerifyChainFindsAnyByteThatChanged(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	commit(t, store)
	whole, err := os.ReadFile(audit(dir))
	require.NoError(t, err)
	for i := range whole {
		damaged := append([]byte{}, whole...)
		damaged[i] ^= 1
		require.NoError(t, os.WriteFile(audit(dir), damaged, 0o600))
		_, err := store.VerifyChain(t.Context())
		require.Error(t, err, "byte %d", i)
	}
}

func TestVerifyChainComparesTheRecords(t *testing.T) {
	for name, test := range map[string]struct {
		change func(t *testing.T, store *records.Store, id job.ID)
		fault  string
	}{
		"altered": {func(t *testing.T, store *records.Store, id job.ID) {
			alter(t, filepath.Join(store.Path(id), "record.json"), func(text string) string { return strings.Replace(text, "out", "tuo", 1) })
		}, "has been altered"},
		"removed": {func(t *testing.T, store *records.Store, id job.ID) {
			require.NoError(t, os.RemoveAll(store.Path(id)))
		}, "has been removed"},
		"added": {func(t *testing.T, store *records.Store, _ job.ID) {
			require.NoError(t, os.Mkdir(store.Path(job.NewID(started)), 0o700))
		}, "has no line"},
	} {
		t.Run(name, func(t *testing.T) {
			_, store, ids := chained(t)
			test.change(t, store, ids[2])
			head, err := store.VerifyChain(t.Context())
			require.ErrorContains(t, err, test.fault)
			require.Equal(t, int64(4), head.Seq) // the chain itself holds
		})
	}
}

// TestATornLineIsFoundAndCutOff stops the writing of a line at every byte.
func TestATornLineIsFoundAndCutOff(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	first := commit(t, store)
	one, err := os.ReadFile(audit(dir))
	require.NoError(t, err)
	second := commit(t, store)
	two, err := os.ReadFile(audit(dir))
	require.NoError(t, err)
	for torn := 1; torn < len(two)-len(one); torn += 13 {
		// As after a crash: the line is torn, its run is still a draft.
		require.NoError(t, os.WriteFile(audit(dir), two[:len(one)+torn], 0o600))
		require.NoError(t, os.RemoveAll(store.Path(second)))
		head, err := store.VerifyChain(t.Context())
		require.ErrorIs(t, err, records.ErrTorn)
		require.Equal(t, int64(1), head.Seq)

		second = commit(t, store)
		head, err = store.VerifyChain(t.Context())
		require.NoError(t, err)
		require.Equal(t, int64(2), head.Seq)
		text, err := os.ReadFile(audit(dir))
		require.NoError(t, err)
		require.Contains(t, string(text), `"torn_bytes":`)
		require.Contains(t, string(text), first.String())
	}
}

// TestALongTornLineIsCutOffWhole wants nothing of it to stick out behind the next
// line.
func TestALongTornLineIsCutOffWhole(t *testing.T) {
	dir, store, _ := chained(t)
	alter(t, audit(dir), func(text string) string { return text + strings.Repeat("x", 1000) })
	commit(t, store)
	head, err := store.VerifyChain(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(5), head.Seq)
}

func TestADamagedChainStopsRunsBeforeTheyBegin(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"the last line altered":        func(text string) string { return text[:len(text)-10] + "0123456\"}\n" },
		"much more than a torn line":   func(text string) string { return text + strings.Repeat("\x00", 5000) },
		"something else at the end":    func(text string) string { return text + "{}\n" },
		"something else in its place":  func(string) string { return "hello\n" },
		"zeros where a line should be": func(text string) string { return text + "\x00\x00\x00\n" },
	} {
		t.Run(name, func(t *testing.T) {
			dir, store, _ := chained(t)
			draft, id := begin(t, store)
			alter(t, audit(dir), change)
			_, err := store.Begin(t.Context(), job.NewID(started), records.Asked{})
			require.ErrorContains(t, err, "is damaged")
			_, err = draft.Commit(t.Context(), records.Entry{Result: result(id, job.Failed)})
			require.ErrorContains(t, err, "is damaged")
			require.NoDirExists(t, store.Path(id))
		})
	}
}

// abandoned is a draft as a dead process leaves it.
func abandoned(t *testing.T, store *records.Store, id job.ID) string {
	t.Helper()
	return filepath.Join(filepath.Dir(store.Path(id)), ".draft-"+id.String())
}

func TestSweepPutsACommittedRunInPlace(t *testing.T) {
	for name, withQuarantine := range map[string]bool{"before its quarantine": true, "after its quarantine": false} {
		t.Run(name, func(t *testing.T) {
			store := open(t, t.TempDir())
			draft, id := begin(t, store)
			quarantine(t, draft)
			_, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.OutputRejected)})
			require.NoError(t, err)
			// As after a crash between the audit line and the renames.
			path := abandoned(t, store, id)
			require.NoError(t, os.Rename(store.Path(id), path))
			if withQuarantine {
				require.NoError(t, os.Rename(store.QuarantinePath(id), filepath.Join(path, "quarantine")))
			}
			_, err = store.VerifyChain(t.Context())
			require.ErrorContains(t, err, "nobody is putting it in its place")
			swept, err := store.Sweep(t.Context(), job.Actor{})
			require.NoError(t, err)
			require.Equal(t, 1, swept)
			require.FileExists(t, filepath.Join(store.QuarantinePath(id), "index.json"))
			_, err = store.Get(t.Context(), id)
			require.NoError(t, err)
			_, err = store.VerifyChain(t.Context())
			require.NoError(t, err)
		})
	}
}

func TestSweepRemovesWhatWasNotRecorded(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, path string, record []byte){
		"an empty draft": func(*testing.T, string, []byte) {},
		"a draft with a record": func(t *testing.T, path string, _ []byte) {
			require.NoError(t, os.WriteFile(filepath.Join(path, "record.json"), []byte("{}"), 0o400))
		},
		"a draft with another run's record": func(t *testing.T, path string, record []byte) {
			require.NoError(t, os.WriteFile(filepath.Join(path, "record.json"), record, 0o400))
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, store, ids := chained(t)
			record, err := os.ReadFile(filepath.Join(store.Path(ids[0]), "record.json"))
			require.NoError(t, err)
			path := abandoned(t, store, job.NewID(started))
			require.NoError(t, os.Mkdir(path, 0o700))
			leave(t, path, record)
			live, _ := begin(t, store)
			swept, err := store.Sweep(t.Context(), job.Actor{})
			require.NoError(t, err)
			require.Equal(t, 1, swept)
			require.NoDirExists(t, path)
			require.DirExists(t, live.Staging())
			list, err := store.List(t.Context())
			require.NoError(t, err)
			require.Len(t, list, 4)
		})
	}
}

func TestSweepRemovesNothingOnTheWordOfADamagedChain(t *testing.T) {
	dir, store, ids := chained(t)
	path := abandoned(t, store, ids[3])
	require.NoError(t, os.Rename(store.Path(ids[3]), path))
	alter(t, audit(dir), func(text string) string { return strings.Replace(text, "succeeded", "failed", 1) })
	_, err := store.Sweep(t.Context(), job.Actor{})
	require.ErrorContains(t, err, "is damaged")
	require.FileExists(t, filepath.Join(path, "record.json"))
}
