package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// replacement is a delivery to a place where something of the user's stands.
func replacement(t *testing.T) (target string, delivery *Delivery) {
	t.Helper()
	parent := t.TempDir()
	require.NoError(t, os.Chmod(parent, 0o755))
	target = filepath.Join(parent, "out")
	require.NoError(t, os.Mkdir(target, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(target, "notes.txt"), []byte("precious"), 0o600))
	delivery, err := NewDelivery(target)
	require.NoError(t, err)
	require.NoError(t, delivery.Root().WriteFile("a.csv", []byte("new"), 0o600))
	return target, delivery
}

var errForeign = errors.New("there is something of the user's")

// crash leaves a delivery as a killed process does.
func crash(t *testing.T, delivery *Delivery) {
	t.Helper()
	require.NoError(t, delivery.content.Close())
	require.NoError(t, delivery.draft.release())
}

func requirePrecious(t *testing.T, dir string) {
	t.Helper()
	kept, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	require.Equal(t, "precious", string(kept))
}

// What was set aside when a delivery was killed is not the next one's to remove.
func TestWhatWasSetAsideOutlivesTheNextDelivery(t *testing.T) {
	target, delivery := replacement(t)
	require.NoError(t, delivery.mark())
	require.NoError(t, delivery.exchange())
	path := delivery.draft.Path()
	crash(t, delivery)
	for range 2 {
		_, err := NewDelivery(target)
		require.ErrorContains(t, err, "move what is in .out.hotcell-partial/content to where it belongs")
		requirePrecious(t, filepath.Join(path, "content"))
	}
	require.NoError(t, os.Rename(filepath.Join(path, "content"), target+"-before"))
	next, err := NewDelivery(target)
	require.NoError(t, err, "only the mark is left")
	require.NoError(t, next.Discard())
	require.NoDirExists(t, path)
}

// One that was killed before anything was exchanged has left only what was its own.
func TestWhatAKilledDeliveryMadeIsRemoved(t *testing.T) {
	target, delivery := replacement(t)
	require.NoError(t, delivery.mark())
	path := delivery.draft.Path()
	crash(t, delivery)
	next, err := NewDelivery(target)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(path, "content", "a.csv"))
	require.NoError(t, next.Discard())
	requirePrecious(t, target)
}

// So has one that was killed between the making of its mark and the writing: nothing is
// exchanged before the mark is on the disk.
func TestAMarkThatWasNotWrittenMarksNothing(t *testing.T) {
	target, delivery := replacement(t)
	path := delivery.draft.Path()
	require.NoError(t, WriteFile(delivery.draft.Root(), markName, nil))
	crash(t, delivery)
	next, err := NewDelivery(target)
	require.NoError(t, err)
	require.NoError(t, next.Discard())
	require.NoDirExists(t, path)
	requirePrecious(t, target)
}

// What may not be replaced comes back, whatever became of the place meanwhile, or is where
// the error says.
func TestWhatMayNotBeReplacedIsNotLost(t *testing.T) {
	for name, test := range map[string]struct {
		meanwhile func(t *testing.T, target string)
		kept      string // below the parent
	}{
		"nothing happened":           {func(*testing.T, string) {}, "out"},
		"the new one was moved away": {func(t *testing.T, target string) { require.NoError(t, os.Rename(target, target+"-gone")) }, "out"},
		"the new one was replaced, too": {func(t *testing.T, target string) {
			require.NoError(t, os.Rename(target, target+"-gone"))
			require.NoError(t, os.Mkdir(target, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(target, "other"), nil, 0o600))
		}, ".out.hotcell-partial/content"},
	} {
		t.Run(name, func(t *testing.T) {
			target, delivery := replacement(t)
			err := delivery.Replace(0o755, Earlier{
				Check:  func(*os.Root) error { test.meanwhile(t, target); return errForeign },
				Remove: func(*os.Root) error { t.Error("removed"); return nil },
			})
			require.ErrorIs(t, err, errForeign)
			kept := filepath.Join(filepath.Dir(target), test.kept)
			discarded := delivery.Discard()
			requirePrecious(t, kept)
			if test.kept == "out" {
				require.NoError(t, discarded)
				require.NoDirExists(t, delivery.draft.Path())
				return
			}
			require.ErrorContains(t, err, "what was there is in "+kept+" now")
			require.FileExists(t, filepath.Join(target, "other"))
			_, err = NewDelivery(target)
			require.ErrorIs(t, err, errSetAside)
			requirePrecious(t, kept)
		})
	}
}
