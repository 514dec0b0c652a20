package durable

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestADeliveryRemovesNothingThatItDidNotMake puts results of ours under each name
// that a delivery uses, right after the step that would have it taken for its own.
func TestADeliveryRemovesNothingThatItDidNotMake(t *testing.T) {
	for name, scene := range map[string]struct {
		placed bool
		taken  string // the name that earlier results get
	}{
		"the target, exchanged before it is looked at": {true, "out"},
		"the draft, while it is being filled":          {false, ".out.hotcell-partial"},
		"the draft, once it is empty":                  {true, ".out.hotcell-partial"},
		"the target, before anything is there":         {false, "out"},
	} {
		t.Run(name, func(t *testing.T) {
			shared := t.TempDir()
			require.NoError(t, os.Chmod(shared, 0o777))
			at := func(name string) string { return filepath.Join(shared, name) }
			require.NoError(t, os.MkdirAll(at("earlier/content"), 0o700))
			require.NoError(t, os.WriteFile(at("earlier/content/results"), []byte("precious"), 0o600))
			delivery, err := NewDelivery(at("out"))
			require.NoError(t, err)
			require.NoError(t, delivery.Root().WriteFile("a.txt", []byte("x"), 0o600))
			if scene.placed {
				require.NoError(t, delivery.place())
			}
			_ = os.Rename(at(scene.taken), at("gone"))
			require.NoError(t, os.Rename(at("earlier"), at(scene.taken)))
			if scene.taken == "out" && scene.placed {
				require.ErrorContains(t, delivery.finish(delivery.draft.parent, 0o755), "left alone")
			}
			require.NoError(t, delivery.Discard())
			require.FileExists(t, at(scene.taken+"/content/results"))
			require.NoFileExists(t, at("gone/a.txt"), "what a failed delivery made is emptied, wherever it is")
		})
	}
}
