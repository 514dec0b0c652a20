package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
)

var because = records.Cause{Actor: anna, Reason: "incident 42"}

// refuse commits a run whose output is in quarantine: one file with a hostile name.
func refuse(t *testing.T, store *records.Store) job.ID {
	t.Helper()
	return refuseThis(t, store, "patient 7")
}

func refuseThis(t *testing.T, store *records.Store, content string) job.ID {
	t.Helper()
	draft, id := begin(t, store)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "\x1b[2Ja\n.exe"), []byte(content), 0o755))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(dir, "link")))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	reasons := []job.Violation{{Rule: output.RuleSymlink, Path: "link", Message: "it is a symbolic link"}, {Rule: output.RuleMediaType, Path: "a"}}
	require.NoError(t, draft.Quarantine(t.Context(), root, reasons, output.QuarantineLimits{MaxEntries: 10, MaxBytes: 100, MaxDepth: 3}))
	_, err = draft.Commit(t.Context(), records.Entry{Result: result(id, job.OutputRejected)})
	require.NoError(t, err)
	return id
}

func TestTheQuarantineIsListed(t *testing.T) {
	store := open(t, t.TempDir())
	list, err := store.Quarantines(t.Context())
	require.NoError(t, err)
	require.Empty(t, list)
	first, second := refuse(t, store), refuse(t, store)
	commit(t, store)
	list, err = store.Quarantines(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 2)
	want := records.Quarantined{
		RunID: list[0].RunID, Path: store.QuarantinePath(list[0].RunID), Entries: 2, Files: 1, Bytes: int64(len("patient 7")),
		Rules: []string{output.RuleSymlink, output.RuleMediaType}, Complete: true,
	}
	require.Equal(t, want, list[0])
	require.ElementsMatch(t, []job.ID{first, second}, []job.ID{list[0].RunID, list[1].RunID})
}

// TestTheQuarantineIsExportedUnderNumbers also checks that the chain knows who and why.
func TestTheQuarantineIsExportedUnderNumbers(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := refuse(t, store)
	to := filepath.Join(t.TempDir(), "refused")
	require.NoError(t, store.ExportQuarantine(t.Context(), id, output.Destination{Dir: to}, because))
	require.Equal(t, []string{"0001.bin", "index.json"}, names(t, to))
	content, err := os.ReadFile(filepath.Join(to, "0001.bin"))
	require.NoError(t, err)
	require.Equal(t, "patient 7", string(content))
	info, err := os.Stat(to)
	require.NoError(t, err)
	require.EqualValues(t, 0o700, info.Mode().Perm())
	all := events(t, store)
	last := all[len(all)-1]
	require.Equal(t, records.KindExport, last.Kind)
	require.Equal(t, anna, last.Actor)
	require.Equal(t, id, last.RunID)
	require.Equal(t, "incident 42", last.Reason)
	require.EqualValues(t, 1, last.Count)
	chain, err := os.ReadFile(filepath.Join(dir, "audit.jsonl"))
	require.NoError(t, err)
	require.NotContains(t, string(chain), ".exe") // no name of the script's in the chain
}

func TestAChangedQuarantineIsNotExported(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, kept string){
		"content": func(t *testing.T, kept string) { rewrite(t, filepath.Join(kept, "0001.bin"), "patient 8") },
		"content is gone": func(t *testing.T, kept string) {
			require.NoError(t, os.Remove(filepath.Join(kept, "0001.bin")))
		},
		"content is a link": func(t *testing.T, kept string) {
			require.NoError(t, os.Remove(filepath.Join(kept, "0001.bin")))
			require.NoError(t, os.Symlink("/etc/hostname", filepath.Join(kept, "0001.bin")))
		},
		"no index":     func(t *testing.T, kept string) { require.NoError(t, os.Remove(filepath.Join(kept, "index.json"))) },
		"broken index": func(t *testing.T, kept string) { rewrite(t, filepath.Join(kept, "index.json"), "{") },
		"a name in the index": func(t *testing.T, kept string) {
			text, err := os.ReadFile(filepath.Join(kept, "index.json"))
			require.NoError(t, err)
			rewrite(t, filepath.Join(kept, "index.json"), strings.Replace(string(text), "0001.bin", "../../audit.jsonl", 1))
		},
		"a newer index": func(t *testing.T, kept string) {
			text, err := os.ReadFile(filepath.Join(kept, "index.json"))
			require.NoError(t, err)
			rewrite(t, filepath.Join(kept, "index.json"), strings.Replace(string(text), `"version": 1`, `"version": 2`, 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := open(t, t.TempDir())
			id := refuse(t, store)
			change(t, store.QuarantinePath(id))
			to := filepath.Join(t.TempDir(), "refused")
			require.Error(t, store.ExportQuarantine(t.Context(), id, output.Destination{Dir: to}, because))
			require.NoDirExists(t, to)
			_, err := store.RemoveQuarantine(t.Context(), id, because) // goes all the same
			require.NoError(t, err)
			require.NoDirExists(t, store.QuarantinePath(id))
		})
	}
}

func rewrite(t *testing.T, path, content string) {
	t.Helper()
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
}

func TestWhatIsNotInQuarantineIsSaid(t *testing.T) {
	store := open(t, t.TempDir())
	id := commit(t, store)
	before := len(events(t, store))
	_, _, err := store.Quarantined(t.Context(), id)
	require.ErrorIs(t, err, records.ErrNotQuarantined)
	require.ErrorIs(t, store.ExportQuarantine(t.Context(), id, output.Destination{Dir: filepath.Join(t.TempDir(), "x")}, because), records.ErrNotQuarantined)
	_, err = store.RemoveQuarantine(t.Context(), id, because)
	require.ErrorIs(t, err, records.ErrNotQuarantined)
	require.Len(t, events(t, store), before)
}

func TestTheQuarantineIsRemovedAndTheChainHolds(t *testing.T) {
	store := open(t, t.TempDir())
	id, other := refuse(t, store), refuse(t, store)
	gone, err := store.RemoveQuarantine(t.Context(), id, because)
	require.NoError(t, err)
	require.Equal(t, 1, gone.Files)
	require.NoDirExists(t, store.QuarantinePath(id))
	require.DirExists(t, store.QuarantinePath(other))
	all := events(t, store)
	require.Equal(t, records.KindDeletion, all[len(all)-1].Kind)
	_, err = store.VerifyChain(t.Context())
	require.NoError(t, err)
	record, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	require.True(t, record.Quarantined) // it was
}

func TestWhatDoesNotBelongInTheQuarantineIsSaid(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := refuse(t, store)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "quarantine", "lost\x1bfound"), 0o700))
	list, err := store.Quarantines(t.Context())
	require.ErrorContains(t, err, "does not belong there")
	require.NotContains(t, err.Error(), "\x1b")
	require.Len(t, list, 1)
	require.Equal(t, id, list[0].RunID)
}
