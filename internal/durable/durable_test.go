package durable_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/durable"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	list := []string{}
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

func open(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	return root
}

func draft(t *testing.T, dir string) *durable.Draft {
	t.Helper()
	draft, err := durable.NewDraft(filepath.Join(dir, ".draft-x"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, draft.Discard()) })
	return draft
}

func TestPublishShowsAllAtOnce(t *testing.T) {
	dir := t.TempDir()
	d := draft(t, dir)
	require.NoError(t, durable.WriteFile(d.Root(), "file", []byte("x")))
	require.NoError(t, d.Publish(filepath.Join(dir, "target")))
	require.NoError(t, d.Discard())
	require.Equal(t, []string{"target"}, names(t, dir))
	require.Equal(t, []string{"file"}, names(t, filepath.Join(dir, "target")))
	require.Error(t, d.Publish(filepath.Join(dir, "again")))
}

func TestPublishReplacesNothing(t *testing.T) {
	for name, occupy := range map[string]func(target string) error{
		"a file": func(target string) error { return os.WriteFile(target, nil, 0o600) },
		"a link": func(target string) error { return os.Symlink(".", target) },
		"a directory with a file": func(target string) error {
			return errors.Join(os.Mkdir(target, 0o700), os.WriteFile(target+"/x", nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, occupy(filepath.Join(dir, "target")))
			d := draft(t, dir)
			require.Error(t, d.Publish(filepath.Join(dir, "target")))
			require.NoError(t, d.Discard())
			require.NoError(t, d.Discard())
			require.Equal(t, []string{"target"}, names(t, dir))
		})
	}
}

func TestADraftHasOneOwner(t *testing.T) {
	dir := t.TempDir()
	d := draft(t, dir)
	_, err := durable.NewDraft(d.Path())
	require.ErrorIs(t, err, durable.ErrBusy)
	swept, err := durable.Sweep(open(t, dir), ".draft-", durable.Remove)
	require.NoError(t, err)
	require.Zero(t, swept)
	require.Equal(t, []string{".draft-x"}, names(t, dir))
}

// TestMain plays the process that dies with a draft in its hands.
func TestMain(m *testing.M) {
	if path := os.Getenv("DURABLE_TEST_ABANDON"); path != "" {
		if _, err := durable.NewDraft(path); err != nil {
			os.Exit(1)
		}
		if err := os.WriteFile(filepath.Join(path, "half"), []byte("x"), 0o400); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func abandon(t *testing.T, path string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{"DURABLE_TEST_ABANDON=" + path}
	require.NoError(t, cmd.Run())
	require.DirExists(t, path)
}

func TestTheDraftOfADeadProcessIsSwept(t *testing.T) {
	dir := t.TempDir()
	abandon(t, filepath.Join(dir, ".draft-dead"))
	live := draft(t, dir)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "published"), 0o700))
	swept, err := durable.Sweep(open(t, dir), ".draft-", durable.Remove)
	require.NoError(t, err)
	require.Equal(t, 1, swept)
	require.Equal(t, []string{filepath.Base(live.Path()), "published"}, names(t, dir))
}

func TestTheDraftOfADeadProcessGivesWay(t *testing.T) {
	dir := t.TempDir()
	abandon(t, filepath.Join(dir, ".draft-x"))
	require.Empty(t, names(t, draft(t, dir).Path()))
}

func TestADraftDoesNotTakeThePlaceOfALink(t *testing.T) {
	dir, victim := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(victim, "precious"), nil, 0o600))
	require.NoError(t, os.Symlink(victim, filepath.Join(dir, ".draft-x")))
	_, err := durable.NewDraft(filepath.Join(dir, ".draft-x"))
	require.ErrorContains(t, err, "in the way")
	_, err = durable.Sweep(open(t, dir), ".draft-", durable.Remove)
	require.NoError(t, err)
	require.Equal(t, []string{"precious"}, names(t, victim))
}

func TestDraftsAndSweepsAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				if _, err := durable.Sweep(open(t, dir), ".draft-", durable.Remove); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 100 {
				d, err := durable.NewDraft(filepath.Join(dir, ".draft-x"))
				if errors.Is(err, durable.ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
					continue
				}
				if err := durable.WriteFile(d.Root(), "file", nil); err != nil {
					t.Error(err) // somebody swept or took a draft that is alive
				}
				if err := d.Discard(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.Empty(t, names(t, dir))
}

func TestReadOnlyTreesCanBeRemoved(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "tree")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a/b"), 0o755))
	require.NoError(t, durable.WriteFile(open(t, dir), "a/b/file", nil))
	require.NoError(t, durable.SetModes(open(t, dir), 0o444, 0o555))
	require.NoError(t, durable.Remove(open(t, above), "tree"))
	require.NoDirExists(t, dir)
}

func TestWriteFileOverwritesNothing(t *testing.T) {
	dir := open(t, t.TempDir())
	require.NoError(t, durable.WriteFile(dir, "file", nil))
	require.ErrorIs(t, durable.WriteFile(dir, "file", nil), os.ErrExist)
}

func TestSyncTreeRefusesWhatItCannotSync(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "link")))
	require.ErrorContains(t, durable.SyncTree(open(t, dir)), "not a file")
}

func TestPlaceIsPublishOfWhatWasSynced(t *testing.T) {
	dir := t.TempDir()
	d := draft(t, dir)
	require.NoError(t, durable.WriteFile(d.Root(), "file", []byte("x")))
	require.NoError(t, d.Sync())
	require.Error(t, d.Place(filepath.Join(dir, "elsewhere", "target")))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "taken", "x"), 0o700))
	require.Error(t, d.Place(filepath.Join(dir, "taken")))
	require.Equal(t, []string{".draft-x", "taken"}, names(t, dir), "it is where it was")
	require.NoError(t, d.Place(filepath.Join(dir, "target")))
	require.Equal(t, []string{"file"}, names(t, filepath.Join(dir, "target")))
	require.Error(t, d.Place(filepath.Join(dir, "again")))
	require.Error(t, d.Sync())
	require.NoError(t, d.Discard())
	require.Equal(t, []string{"taken", "target"}, names(t, dir))
}
