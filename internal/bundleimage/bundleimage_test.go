package bundleimage_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/bundleimage"
	"hotcell/internal/digest"
)

// content is of a bundle with files of several sizes: none, one block exactly, and more.
func content() map[string]string {
	return map[string]string{
		"data/visits.csv": "id,age\n1,40\n2,51\n",
		"data/empty.txt":  "",
		"data/block.txt":  strings.Repeat("b", 512),
		"data/more.txt":   strings.Repeat("more of it\n", 9000),
		"data/" + strings.Repeat("long-", 25) + "name.txt": "its name is longer than USTAR has room for",
		"data/größe.txt": "and this one's is not ASCII",
	}
}

// stored adds the bundle to a store of its own.
func stored(t *testing.T) (*bundle.Store, bundle.Bundle) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range content() {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	_, err := bundle.Create(t.Context(), bundle.CreateOptions{
		Dir: dir, Name: "visits", Version: "1.0", Study: "IRB 2026-17",
		Deidentification: bundle.Deidentification{
			Method: bundle.SafeHarbor, AttestedBy: "Ada Example", AttestedOn: "2026-01-31", Statement: "All 18 classes were removed.",
		},
	})
	require.NoError(t, err)
	store, err := bundle.OpenStore(filepath.Join(t.TempDir(), "bundles"))
	require.NoError(t, err)
	added, err := store.Add(t.Context(), dir)
	require.NoError(t, err)
	return store, added
}

func images(t *testing.T) (*bundleimage.Store, bundle.Bundle, string) {
	t.Helper()
	bundles, added := stored(t)
	dir := filepath.Join(t.TempDir(), "registry")
	store, err := bundleimage.Open(bundles, dir)
	require.NoError(t, err)
	return store, added, dir
}

func read(t *testing.T, image *bundleimage.Volume, from int64) []byte {
	t.Helper()
	layer, err := image.OpenLayer(t.Context(), from)
	require.NoError(t, err)
	all, err := io.ReadAll(layer)
	require.NoError(t, err)
	require.NoError(t, layer.Close())
	return all
}

// TestABundleHasOneImageEverywhere: the digests are what every host, user, day and version of Go has to give.
// Whoever changes them has every node pull every bundle again, and changes the form in the notes.
func TestABundleHasOneImageEverywhere(t *testing.T) {
	for range 2 {
		store, added, _ := images(t)
		require.Equal(t, digest.Digest("sha256:4a302422a93387ecedec39c86efe96c12f13d0ffd5c764b8cd9c0ffb30391340"), added.Digest)
		image, err := store.Image(t.Context(), added.Digest)
		require.NoError(t, err)
		require.Equal(t, digest.Digest("sha256:f9e4e8515439e82f5a4f1fcf5571b6147d4e68ac29850ad5f5c97de76d774432"), image.LayerDigest())
		require.Equal(t, digest.Digest("sha256:2070f7582a31c78119c10f12c01bbf2bf65940e1d5a0cbf78cf0c6a245b9ec47"), image.ConfigDigest)
		require.Equal(t, digest.Digest("sha256:d6e0b5fac271c91b6e35ae12054740a4fa30ec7ee1638e3f53aa913c95046415"), image.Digest)
		require.Equal(t, digest.Of(image.Manifest), image.Digest)
	}
}

func TestALayerHasWhatRunsSee(t *testing.T) {
	store, added, _ := images(t)
	image, err := store.Image(t.Context(), added.Digest)
	require.NoError(t, err)
	all := read(t, image, 0)
	require.Equal(t, image.LayerDigest(), digest.Of(all))
	require.Len(t, all, int(image.LayerBytes()))
	seen := map[string]string{}
	last := ""
	archive := tar.NewReader(bytes.NewReader(all))
	for {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		require.Less(t, last, entry.Name)
		last = entry.Name
		require.Equal(t, [2]int{}, [2]int{entry.Uid, entry.Gid})
		require.True(t, entry.ModTime.Equal(time.Unix(0, 0)))
		if entry.Typeflag == tar.TypeDir {
			require.EqualValues(t, 0o555, entry.Mode)
			continue
		}
		require.EqualValues(t, tar.TypeReg, entry.Typeflag)
		require.EqualValues(t, 0o444, entry.Mode)
		text, err := io.ReadAll(archive)
		require.NoError(t, err)
		seen[entry.Name] = string(text)
	}
	want := map[string]string{}
	require.NoError(t, filepath.WalkDir(added.Path, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(added.Path, path)
		require.NoError(t, err)
		text, err := os.ReadFile(path)
		want[name] = string(text)
		return err
	}))
	require.Contains(t, want, ".tables/index.json")
	require.Equal(t, want, seen)
}

func TestALayerIsReadFromAnyByte(t *testing.T) {
	store, added, _ := images(t)
	image, err := store.Image(t.Context(), added.Digest)
	require.NoError(t, err)
	all := read(t, image, 0)
	for from := 0; from <= len(all); from += 257 {
		require.True(t, bytes.Equal(all[from:], read(t, image, int64(from))), "from byte %d", from)
	}
	require.Empty(t, read(t, image, int64(len(all))))
}

// damage changes one byte of a stored file, as one who writes to the disk does.
func damage(t *testing.T, added bundle.Bundle, name string, at int64) {
	t.Helper()
	path := filepath.Join(added.Path, name)
	require.NoError(t, os.Chmod(path, 0o600))
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = file.WriteAt([]byte("X"), at)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

func TestADamagedFileIsNotReadToItsEnd(t *testing.T) {
	store, added, _ := images(t)
	image, err := store.Image(t.Context(), added.Digest)
	require.NoError(t, err)
	whole := read(t, image, 0)
	damage(t, added, "data/more.txt", 98_000)
	layer, err := image.OpenLayer(t.Context(), 0)
	require.NoError(t, err)
	got, err := io.ReadAll(layer)
	require.ErrorIs(t, err, digest.ErrMismatch)
	require.Less(t, len(got), len(whole))
	require.NoError(t, layer.Close(), "it was told")

	// Who wants a part of the file gets it, and is told when the rest was read.
	at := int64(bytes.Index(whole, []byte("more of it\n"))) + 100
	layer, err = image.OpenLayer(t.Context(), at)
	require.NoError(t, err)
	_, err = io.ReadFull(layer, make([]byte, 1000))
	require.NoError(t, err)
	require.ErrorIs(t, layer.Close(), digest.ErrMismatch)
}

func TestAnEmptyFileIsHeldToItsDigest(t *testing.T) {
	store, added, _ := images(t)
	image, err := store.Image(t.Context(), added.Digest)
	require.NoError(t, err)
	damage(t, added, "data/empty.txt", 0)
	layer, err := image.OpenLayer(t.Context(), 0)
	require.NoError(t, err)
	_, err = io.ReadAll(layer)
	require.ErrorIs(t, err, digest.ErrSize)
	require.NoError(t, layer.Close())
}

func TestADamagedBundleHasNoImage(t *testing.T) {
	store, added, dir := images(t)
	damage(t, added, "data/block.txt", 1)
	_, err := store.Image(t.Context(), added.Digest)
	require.ErrorIs(t, err, digest.ErrMismatch)
	_, err = store.Find(t.Context(), added.Digest)
	require.ErrorIs(t, err, bundleimage.ErrUnknown)
	require.NoFileExists(t, filepath.Join(dir, string(added.Digest.Hex())+".json"))
}

func TestWhatIsKnownIsKept(t *testing.T) {
	bundles, added := stored(t)
	dir := filepath.Join(t.TempDir(), "registry")
	first, err := bundleimage.Open(bundles, dir)
	require.NoError(t, err)
	want, err := first.Digest(t.Context(), added.Digest)
	require.NoError(t, err)

	damage(t, added, "data/block.txt", 1) // nobody reads it again
	second, err := bundleimage.Open(bundles, dir)
	require.NoError(t, err)
	got, err := second.Digest(t.Context(), added.Digest)
	require.NoError(t, err)
	require.Equal(t, want, got)

	note := filepath.Join(dir, string(added.Digest.Hex())+".json")
	text, err := os.ReadFile(note)
	require.NoError(t, err)
	tables := regexp.MustCompile(`"tables":"[0-9a-f]`).FindString(string(text))
	for name, change := range map[string][2]string{
		"cut": {"}", ""}, "another bundle's": {`"bundle":"` + added.Digest.String(), `"bundle":"` + want.String()},
		"of another form": {`"form":1`, `"form":2`}, "of other tables": {tables, tables[:len(tables)-1] + "g"},
		"no digest": {`"layer":"sha256:`, `"layer":"sha512:`}, "no size": {`"bytes":`, `"bytes":-`}, "more": {"}", `,"more":1}`},
	} {
		require.Contains(t, string(text), change[0], name)
		require.NoError(t, os.WriteFile(note, []byte(strings.Replace(string(text), change[0], change[1], 1)), 0o600))
		third, err := bundleimage.Open(bundles, dir)
		require.NoError(t, err)
		_, err = third.Digest(t.Context(), added.Digest)
		require.ErrorIs(t, err, digest.ErrMismatch, "what this version has not written is made again: %s", name)
	}
}

func TestAnImageIsFoundByEachOfItsParts(t *testing.T) {
	store, added, _ := images(t)
	_, err := store.Find(t.Context(), digest.Of([]byte("another")))
	require.ErrorIs(t, err, bundleimage.ErrUnknown)
	want, err := store.Image(t.Context(), added.Digest)
	require.NoError(t, err)
	for _, part := range []digest.Digest{want.Digest, want.ConfigDigest, want.LayerDigest()} {
		found, err := store.Find(t.Context(), part)
		require.NoError(t, err)
		require.Equal(t, want.Digest, found.Digest)
	}
	_, err = store.Find(t.Context(), added.Digest)
	require.ErrorIs(t, err, bundleimage.ErrUnknown, "a bundle's own digest is no part of its image")
}

func TestManyAskForAnImageAtOnce(t *testing.T) {
	bundles, added := stored(t)
	dir := filepath.Join(t.TempDir(), "registry")
	var group sync.WaitGroup
	found := make([]digest.Digest, 8)
	for at := range found {
		group.Go(func() {
			store, err := bundleimage.Open(bundles, dir)
			if err == nil {
				found[at], _ = store.Digest(t.Context(), added.Digest)
			}
		})
	}
	group.Wait()
	for _, one := range found {
		require.NoError(t, one.Check())
		require.Equal(t, found[0], one)
	}
}

func TestABundleStaysWhileItIsRead(t *testing.T) {
	bundles, added := stored(t)
	dir := filepath.Join(t.TempDir(), "registry")
	store, err := bundleimage.Open(bundles, dir)
	require.NoError(t, err)
	image, err := store.Image(t.Context(), added.Digest)
	require.NoError(t, err)
	layer, err := image.OpenLayer(t.Context(), 0)
	require.NoError(t, err)
	require.ErrorContains(t, bundles.Remove(t.Context(), added.Digest), "in use")
	require.NoError(t, store.Forget())
	require.FileExists(t, filepath.Join(dir, string(added.Digest.Hex())+".json"))
	require.NoError(t, layer.Close())
	require.NoError(t, bundles.Remove(t.Context(), added.Digest))
	_, err = image.OpenLayer(t.Context(), 0)
	require.Error(t, err)
	require.NoError(t, store.Forget())
	require.NoFileExists(t, filepath.Join(dir, string(added.Digest.Hex())+".json"))
}

func TestAReadingEndsWithItsContext(t *testing.T) {
	store, added, _ := images(t)
	image, err := store.Image(t.Context(), added.Digest)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	layer, err := image.OpenLayer(ctx, 0)
	require.NoError(t, err)
	_, err = io.ReadFull(layer, make([]byte, 10))
	require.NoError(t, err)
	cancel()
	_, err = io.ReadAll(layer)
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, layer.Close(), digest.ErrMismatch)
}
