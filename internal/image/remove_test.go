package image

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRemoveTakesWhatNoOtherImageHas(t *testing.T) {
	store := newStore(t)
	first, second := addImage(t, store, "one"), addImage(t, store, "two")
	rootfsOf(t, store, first)
	rootfsOf(t, store, second)
	before, err := os.ReadDir(filepath.Join(store.dir, blobsDir))
	require.NoError(t, err)
	require.ErrorIs(t, store.Remove(t.Context(), second.Digest), ErrNamed)

	require.NoError(t, store.Remove(t.Context(), first.Digest))
	_, err = store.Resolve(first.Digest.String())
	require.ErrorContains(t, err, "there is no image")
	require.NoDirExists(t, store.rootfsPath(first.Digest))
	require.NoFileExists(t, store.sealPath(first.Digest))
	after, err := os.ReadDir(filepath.Join(store.dir, blobsDir))
	require.NoError(t, err)
	require.Less(t, len(after), len(before))
	require.NoError(t, store.Verify(t.Context(), second.Digest), "the layer that both have stays")
	require.ErrorContains(t, store.Remove(t.Context(), first.Digest), "there is no image")
	require.Equal(t, first.Digest, addImage(t, store, "one").Digest)
}

// An image that cannot be read may need any layer.
func TestRemoveRefusesBesideAnImageThatCannotBeRead(t *testing.T) {
	store := newStore(t)
	first, second := addImage(t, store, "one"), addImage(t, store, "two")
	require.NoError(t, os.Remove(store.blobs.path(hashOf(second.Digest))))
	require.Error(t, store.Remove(t.Context(), first.Digest))
	require.NoError(t, store.Verify(t.Context(), first.Digest))
}

func TestRemoveRefusesBesideABaseThatCannotBeRead(t *testing.T) {
	store := newStore(t)
	first := addImage(t, store, "one")
	addImage(t, store, "two")
	require.NoError(t, os.WriteFile(filepath.Join(store.dir, basesDir, "x.json"), []byte("{}"), 0o600))
	require.ErrorContains(t, store.Remove(t.Context(), first.Digest), "the base x.json cannot be read")
	require.NoError(t, store.Verify(t.Context(), first.Digest))
}
