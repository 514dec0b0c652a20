package image

import (
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
)

// TestAnImageIsFoundByEachOfItsParts, for machines of every kind: nodes may be others than this host.
func TestAnImageIsFoundByEachOfItsParts(t *testing.T) {
	store := newStore(t)
	for _, added := range []Image{addImage(t, store, "own"), addImageFor(t, store, "other", foreign())} {
		manifest := manifestOf(t, store, added.Digest)
		parts := []digest.Digest{added.Digest, named(t, manifest.Config.Digest)}
		for _, layer := range manifest.Layers[1:] { // the base layer is both's
			parts = append(parts, named(t, layer.Digest))
		}
		for _, part := range parts {
			found, err := store.Find(t.Context(), part)
			require.NoError(t, err)
			require.Equal(t, added.Digest, found.Digest)
			require.Equal(t, added.Digest, digest.Of(found.Manifest))
			require.Equal(t, found.ConfigDigest, digest.Of(found.Config))
			image, err := found.V1()
			require.NoError(t, err)
			require.NoError(t, readAll(image))
		}
	}
	newest, err := store.Resolve("python-analysis")
	require.NoError(t, err)
	sbom, err := digest.Parse(manifestOf(t, store, newest.Digest).Annotations[annotationSBOM])
	require.NoError(t, err)
	for _, unknown := range []digest.Digest{sbom, digest.Of([]byte("another")), ""} {
		_, err := store.Find(t.Context(), unknown)
		require.ErrorIs(t, err, ErrUnknown)
	}
}

func TestACarriedLayerIsHeldToItsDigest(t *testing.T) {
	store := newStore(t)
	added := addImage(t, store, "own")
	layer := named(t, manifestOf(t, store, added.Digest).Layers[0].Digest)
	found, err := store.Find(t.Context(), layer)
	require.NoError(t, err)
	_, err = found.OpenLayer(t.Context(), digest.Of(nil))
	require.ErrorIs(t, err, ErrUnknown)
	changeByte(t, store.blobs.path(hashOf(layer)), 600)
	opened, err := found.OpenLayer(t.Context(), layer)
	require.NoError(t, err)
	_, err = io.ReadFull(opened, make([]byte, 10))
	require.NoError(t, err)
	require.ErrorIs(t, opened.Close(), digest.ErrMismatch)
	require.NoError(t, os.Remove(store.blobs.path(hashOf(layer))))
	_, err = found.OpenLayer(t.Context(), layer)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestADamagedImageHidesNoOther(t *testing.T) {
	store := newStore(t)
	first, second := addImage(t, store, "one"), addImage(t, store, "two")
	changeByte(t, store.blobs.path(hashOf(first.Digest)), 10)
	_, err := store.Find(t.Context(), second.Digest)
	require.NoError(t, err)
	_, err = store.Find(t.Context(), first.Digest)
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorIs(t, err, digest.ErrMismatch)
}
