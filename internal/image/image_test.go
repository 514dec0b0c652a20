package image

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
)

var released = time.Date(2025, 8, 9, 0, 0, 0, 0, time.UTC)

func newStore(t testing.TB) *Store {
	t.Helper()
	store, err := OpenStore(filepath.Join(t.TempDir(), "images"))
	require.NoError(t, err)
	store.after = func(time.Duration) <-chan time.Time { return time.After(0) } // nobody changes anything meanwhile
	return store
}

// tree makes a small tree of files with the given contents.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return dir
}

// addImage puts an image of a base layer and a guard into the store.
func addImage(t *testing.T, store *Store, guard string) Image {
	t.Helper()
	return addImageFor(t, store, guard, runtime.GOARCH)
}

func addImageFor(t *testing.T, store *Store, guard, architecture string) Image {
	t.Helper()
	dir := tree(t, map[string]string{"usr/bin/python3.13": "python", "etc/passwd": "root"})
	require.NoError(t, os.Symlink("usr/bin", filepath.Join(dir, "bin")))
	layer, seen, err := store.storeLayer(t.Context(), dir, ".", released)
	require.NoError(t, err)
	made := base{
		Recipe: "recipe", Layer: digest.Digest(layer.digest.String()), Size: layer.size, Bytes: seen.bytes, Files: seen.files, Created: released,
		Packages: []debianBinary{{Name: "libc6", Version: "2.41-12", Architecture: "amd64", Source: "glibc", Licenses: []string{"LGPL-2.1+"}}},
	}
	above := tree(t, map[string]string{"usr/bin/guard": guard})
	guardLayerOf, seen, err := store.storeLayer(t.Context(), above, "usr/bin/guard", released)
	require.NoError(t, err)
	image, err := store.assemble(architecture, made, guardLayer{layer: guardLayerOf, seen: seen}, digest.Hex(guard))
	require.NoError(t, err)
	return image
}

func manifestOf(t *testing.T, store *Store, sum digest.Digest) *v1.Manifest {
	t.Helper()
	stored, err := store.open(sum)
	require.NoError(t, err)
	return stored.manifest
}

func named(t *testing.T, blob v1.Hash) digest.Digest {
	t.Helper()
	sum, err := digest.Parse(blob.String())
	require.NoError(t, err)
	return sum
}

func TestStoreFindsImages(t *testing.T) {
	store := newStore(t)
	first := addImage(t, store, "one")
	second := addImage(t, store, "two")
	require.NotEqual(t, first.Digest, second.Digest)

	byName, err := store.Resolve("python-analysis")
	require.NoError(t, err)
	require.Equal(t, second, byName, "the name means the last build")

	byDigest, err := store.Resolve(first.Digest.String())
	require.NoError(t, err)
	require.Equal(t, first.Digest, byDigest.Digest)
	require.Empty(t, byDigest.Name)

	images, err := store.List(t.Context())
	require.NoError(t, err)
	require.Len(t, images, 2)
	require.Equal(t, second, images[1])
	require.Equal(t, Image{
		Digest: second.Digest, Name: "python-analysis", Recipe: "recipe", Guard: "two", Architecture: runtime.GOARCH,
		Created: released, Bytes: int64(len("python" + "root" + "two")), Files: 3, Packages: 1,
	}, second)
}

func TestEnteringAnImageAgainMovesItsName(t *testing.T) {
	store := newStore(t)
	first := addImage(t, store, "one")
	addImage(t, store, "two")
	require.Equal(t, first, addImage(t, store, "one"))

	found, err := store.Resolve("python-analysis")
	require.NoError(t, err)
	require.Equal(t, first, found)
	images, err := store.List(t.Context())
	require.NoError(t, err)
	require.Len(t, images, 2)
}

func TestUnknownImageSaysWhatToDo(t *testing.T) {
	store := newStore(t)
	for _, name := range []string{"python-analysis", "", "sha256:00"} {
		_, err := store.Resolve(name)
		require.ErrorContains(t, err, "run: runner image build")
	}
	_, err := store.Rootfs(t.Context(), "python-analysis")
	require.ErrorContains(t, err, "not a digest")
}

func TestImageDependsOnItsContentAlone(t *testing.T) {
	first, second := addImage(t, newStore(t), "one"), addImage(t, newStore(t), "one")
	require.Equal(t, first.Digest, second.Digest)
}

func TestStoreIsAnOCILayout(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	index, err := layout.ImageIndexFromPath(store.dir)
	require.NoError(t, err)
	digest, err := v1.NewHash(image.Digest.String())
	require.NoError(t, err)
	fromLayout, err := index.Image(digest)
	require.NoError(t, err)
	require.NoError(t, readAll(fromLayout))

	fromStore, err := store.OCIImage(image.Digest)
	require.NoError(t, err)
	require.NoError(t, readAll(fromStore))
	got, err := fromStore.Digest()
	require.NoError(t, err)
	require.Equal(t, digest, got)
}

// readAll reads an image as a consumer does that holds each layer against the
// digests in manifest and configuration.
func readAll(image v1.Image) error {
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	layers, err := image.Layers()
	if err != nil {
		return err
	}
	for n, layer := range layers {
		content, err := layer.Uncompressed()
		if err != nil {
			return err
		}
		sum, _, err := v1.SHA256(content)
		if err := errors.Join(err, content.Close()); err != nil {
			return err
		}
		if sum != config.RootFS.DiffIDs[n] {
			return fmt.Errorf("layer %s has other bytes", sum)
		}
	}
	return nil
}

func TestSBOMNamesPackagesAndGuard(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	sbom, err := store.SBOM(image.Digest)
	require.NoError(t, err)
	require.Contains(t, string(sbom), `"bomFormat": "CycloneDX"`)
	require.Contains(t, string(sbom), `"pkg:deb/debian/libc6@2.41-12?arch=amd64&distro=debian-13&upstream=glibc"`)
	require.Contains(t, string(sbom), `"LGPL-2.1+"`)
	require.Contains(t, string(sbom), `"hotcell-guard"`)
}

func TestOpenStoreRefusesUnsafeDirectories(t *testing.T) {
	tests := map[string]struct {
		prepare func(dir string) error
		message string
	}{
		"writable for others":  {func(dir string) error { return os.Chmod(dir, 0o777) }, "nobody else can write"},
		"writable for a group": {func(dir string) error { return os.Chmod(dir, 0o770) }, "nobody else can write"},
		"a symbolic link": {func(dir string) error {
			return firstError(os.Remove(dir), os.Symlink(os.TempDir(), dir))
		}, "must be a directory"},
		"another kind of layout": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, layoutFile), []byte(`{"imageLayoutVersion":"9"}`), 0o600)
		}, "not the one of an image store"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "images")
			require.NoError(t, os.Mkdir(dir, 0o700))
			require.NoError(t, test.prepare(dir))
			_, err := OpenStore(dir)
			require.ErrorContains(t, err, test.message)
		})
	}
	_, err := OpenStore("images")
	require.ErrorContains(t, err, "must be absolute")
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestStoreLetsNobodyElsePass(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	dir, err := store.Rootfs(t.Context(), image.Digest)
	require.NoError(t, err)
	for path, mode := range map[string]os.FileMode{
		store.dir:                         0o700,
		filepath.Join(store.dir, "blobs"): 0o700,
		filepath.Join(store.dir, "bases"): 0o700,
		filepath.Dir(dir):                 0o700,
		dir:                               0o755,
	} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), path)
	}
}

// Every byte that the store reads, damaged in turn.
func TestDamageIsRefused(t *testing.T) {
	blob := func(choose func(*v1.Manifest) string) func(*testing.T, *Store, Image) string {
		return func(t *testing.T, store *Store, image Image) string {
			hash, err := v1.NewHash(choose(manifestOf(t, store, image.Digest)))
			require.NoError(t, err)
			return store.blobs.path(hash)
		}
	}
	sources := map[string]struct {
		path func(*testing.T, *Store, Image) string
		uses []string
	}{
		"index": {func(_ *testing.T, s *Store, _ Image) string { return filepath.Join(s.dir, indexFile) }, []string{"list", "resolve", "oci", "rootfs", "sbom"}},
		"manifest": {func(_ *testing.T, s *Store, i Image) string {
			return filepath.Join(s.blobs.dir, string(i.Digest.Hex()))
		}, []string{"list", "resolve", "oci", "rootfs", "sbom"}},
		"config":      {blob(func(m *v1.Manifest) string { return m.Config.Digest.String() }), []string{"list", "resolve", "oci", "rootfs", "sbom"}},
		"base layer":  {blob(func(m *v1.Manifest) string { return m.Layers[0].Digest.String() }), []string{"rootfs", "layers", "verify"}},
		"guard layer": {blob(func(m *v1.Manifest) string { return m.Layers[1].Digest.String() }), []string{"rootfs", "layers", "verify"}},
		"sbom":        {blob(func(m *v1.Manifest) string { return m.Annotations[annotationSBOM] }), []string{"sbom"}},
	}
	damages := map[string]func(t *testing.T, path string){
		"first byte changed": func(t *testing.T, path string) { changeByte(t, path, 0) },
		"last byte changed":  func(t *testing.T, path string) { changeByte(t, path, -1) },
		"cut short": func(t *testing.T, path string) {
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.NoError(t, os.Truncate(path, info.Size()-2))
		},
		"emptied": func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 0)) },
		"lengthened": func(t *testing.T, path string) {
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, append(content, "}}"...), 0o600))
		},
	}
	for source, s := range sources {
		for damage, change := range damages {
			for _, use := range s.uses {
				t.Run(source+" "+damage+" "+use, func(t *testing.T) {
					store := newStore(t)
					image := addImage(t, store, "one")
					require.NoError(t, useStore(t.Context(), store, image, use))
					require.NoError(t, os.RemoveAll(filepath.Join(store.dir, rootfsDir, string(image.Digest.Hex()))))
					change(t, s.path(t, store, image))
					require.Error(t, useStore(t.Context(), store, image, use))
					require.NoDirExists(t, filepath.Join(store.dir, rootfsDir, string(image.Digest.Hex())))
				})
			}
		}
	}
}

func useStore(ctx context.Context, store *Store, image Image, use string) error {
	switch use {
	case "list":
		_, err := store.List(ctx)
		return err
	case "resolve":
		_, err := store.Resolve("python-analysis")
		return err
	case "rootfs":
		_, err := store.Rootfs(ctx, image.Digest)
		return err
	case "sbom":
		_, err := store.SBOM(image.Digest)
		return err
	case "verify":
		return store.Verify(ctx, image.Digest)
	case "layers":
		read, err := store.OCIImage(image.Digest)
		if err != nil {
			return err
		}
		return readAll(read)
	default:
		_, err := store.OCIImage(image.Digest)
		return err
	}
}

func changeByte(t *testing.T, path string, at int) {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	content[(at+len(content))%len(content)] ^= 1
	require.NoError(t, os.WriteFile(path, content, 0o600))
}

func TestForeignImagesAreRefused(t *testing.T) {
	compressed, err := random.Image(100, 2)
	require.NoError(t, err)
	without := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	tests := map[string]struct {
		image   v1.Image
		message string
	}{
		"no layers":                          {without, "manifest has 0 layers"},
		"Docker's manifest":                  {compressed, "has media type"},
		"compressed layers":                  {mutate.MediaType(compressed, types.OCIManifestSchema1), "has media type"},
		"another layer in the configuration": {otherDiffID(t), "in the configuration"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			config, err := test.image.RawConfigFile()
			require.NoError(t, err)
			manifest, err := test.image.RawManifest()
			require.NoError(t, err)
			_, err = store.blobs.putBytes(config)
			require.NoError(t, err)
			blob, err := store.blobs.putBytes(manifest)
			require.NoError(t, err)
			mediaType, err := test.image.MediaType()
			require.NoError(t, err)
			require.NoError(t, store.enter(v1.Descriptor{MediaType: mediaType, Digest: blob, Size: int64(len(manifest))}))

			_, err = store.Resolve(blob.String())
			require.ErrorContains(t, err, test.message)
			_, err = store.Rootfs(t.Context(), named(t, blob))
			require.ErrorContains(t, err, test.message)
		})
	}
}

// otherDiffID returns an image whose configuration names another layer than its
// manifest.
func otherDiffID(t *testing.T) v1.Image {
	t.Helper()
	store := newStore(t)
	stored, err := store.OCIImage(addImage(t, store, "one").Digest)
	require.NoError(t, err)
	config, err := stored.ConfigFile()
	require.NoError(t, err)
	config = config.DeepCopy()
	config.RootFS.DiffIDs[0] = config.RootFS.DiffIDs[1]
	changed, err := mutate.ConfigFile(stored, config)
	require.NoError(t, err)
	return changed
}

func TestMissingBlobSaysWhatToDo(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	require.NoError(t, os.Remove(store.blobs.path(manifestOf(t, store, image.Digest).Layers[0].Digest)))
	_, err := store.Rootfs(t.Context(), image.Digest)
	require.ErrorContains(t, err, "run: runner image build")
}

func TestStoringABlobAgainRepairsIt(t *testing.T) {
	store := newStore(t)
	hash, err := store.blobs.putBytes([]byte("content"))
	require.NoError(t, err)
	changeByte(t, store.blobs.path(hash), 0)
	_, err = store.blobs.readUnsized(hash)
	require.ErrorContains(t, err, "damaged")
	_, err = store.blobs.putBytes([]byte("content"))
	require.NoError(t, err)
	content, err := store.blobs.readUnsized(hash)
	require.NoError(t, err)
	require.Equal(t, "content", string(content))
}

func TestReadingABlobIsBounded(t *testing.T) {
	store := newStore(t)
	hash, err := store.blobs.putBytes([]byte("content"))
	require.NoError(t, err)
	_, err = store.blobs.read(v1.Descriptor{Digest: hash, Size: maxDocument + 1})
	require.ErrorContains(t, err, "larger than 8388608 bytes")
	for _, size := range []int64{-1, 0, 6, 8} {
		_, err = store.blobs.read(v1.Descriptor{Digest: hash, Size: size})
		require.ErrorIs(t, err, digest.ErrSize)
	}
	_, err = store.blobs.read(v1.Descriptor{Digest: hash, Size: 7})
	require.NoError(t, err)
	_, err = store.blobs.open(v1.Descriptor{Digest: v1.Hash{Algorithm: "sha256", Hex: "../../../etc/passwd"}})
	require.ErrorContains(t, err, "not a digest")
}

func TestADescriptionIsWholeAndKnown(t *testing.T) {
	whole := Image{Recipe: "r", Guard: "g"}.annotations(v1.Hash{Algorithm: "sha256", Hex: "00"})
	require.NoError(t, checkAnnotations(whole))
	for name := range whole {
		lacking := maps.Clone(whole)
		delete(lacking, name)
		require.ErrorContains(t, checkAnnotations(lacking), "it lacks "+name)
	}
	whole["org.hotcell.other"] = "x"
	require.ErrorContains(t, checkAnnotations(whole), `its field "org.hotcell.other" is unknown`)
}
