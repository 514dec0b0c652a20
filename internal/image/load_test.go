package image

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
)

// saved is an image of a store, and the archive of it without its compression.
func saved(t testing.TB, guard string) (Image, []byte) {
	t.Helper()
	store := newStore(t)
	image := addOwn(t, store, guard, runtime.GOARCH)
	var archive bytes.Buffer
	require.NoError(t, store.Save(t.Context(), image.Digest, &archive))
	return image, plain(t, archive.Bytes())
}

// addOwn is addImageFor with hashes that are some.
func addOwn(t testing.TB, store *Store, guard, architecture string) Image {
	t.Helper()
	dir := tree(t, map[string]string{"usr/bin/python3.13": "python", "etc/passwd": "root"})
	require.NoError(t, os.Symlink("usr/bin", filepath.Join(dir, "bin")))
	layer, seen, err := store.storeLayer(t.Context(), dir, ".", released)
	require.NoError(t, err)
	made := base{
		Recipe: digest.Of([]byte("recipe")).Hex(), Layer: digest.Digest(layer.digest.String()), Size: layer.size, Bytes: seen.bytes, Files: seen.files, Created: released,
		Packages: []debianBinary{{Name: "libc6", Version: "2.41-12", Architecture: "amd64", Source: "glibc", Licenses: []string{"LGPL-2.1+"}}},
	}
	above := tree(t, map[string]string{"usr/bin/guard": guard})
	top, seen, err := store.storeLayer(t.Context(), above, "usr/bin/guard", released)
	require.NoError(t, err)
	image, err := store.assemble(architecture, made, guardLayer{layer: top, seen: seen}, digest.Of([]byte(guard)).Hex())
	require.NoError(t, err)
	return image
}

func plain(t testing.TB, archive []byte) []byte {
	t.Helper()
	decoder, err := zstd.NewReader(nil)
	require.NoError(t, err)
	defer decoder.Close()
	content, err := decoder.DecodeAll(archive, nil)
	require.NoError(t, err)
	return content
}

func compressed(t testing.TB, archive []byte) []byte {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return encoder.EncodeAll(archive, nil)
}

// file is one of an archive.
type file struct {
	tar.Header
	content []byte
}

func filesOf(t testing.TB, archive []byte) (files []file) {
	t.Helper()
	for reader := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		content, err := io.ReadAll(reader)
		require.NoError(t, err)
		files = append(files, file{*header, content})
	}
}

func archiveOf(t testing.TB, files []file) []byte {
	t.Helper()
	var archive bytes.Buffer
	writer := tar.NewWriter(&archive)
	for _, one := range files {
		if one.Typeflag == tar.TypeReg {
			one.Size = int64(len(one.content))
		}
		one.Format = tar.FormatUnknown
		require.NoError(t, writer.WriteHeader(&one.Header))
		_, err := writer.Write(one.content)
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	return archive.Bytes()
}

// everything lists a directory with what is in its files.
func everything(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		require.NoError(t, err)
		name, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		if name == "build.lock" {
			return nil
		}
		found[name] = entry.Type().String()
		if entry.Type().IsRegular() {
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			found[name] = digest.Of(content).Short()
		}
		return nil
	}))
	return found
}

func TestAnImageThatWasSavedIsLoadedUnderItsDigest(t *testing.T) {
	image, archive := saved(t, "one")
	for name, form := range map[string][]byte{
		"compressed": compressed(t, archive), "not compressed": archive,
		"filled up as GNU tar does": append(slices.Clone(archive), make([]byte, 10<<10)...),
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			got, err := store.Load(t.Context(), iotest.HalfReader(bytes.NewReader(form)), LoadOptions{Digest: image.Digest})
			require.NoError(t, err)
			require.Equal(t, image, got)
			found, err := store.Resolve("python-analysis")
			require.NoError(t, err)
			require.Equal(t, image, found)
			_, err = store.Rootfs(t.Context(), image.Digest)
			require.NoError(t, err)
			require.NoError(t, store.Verify(t.Context(), image.Digest))
			bill, err := store.SBOM(image.Digest)
			require.NoError(t, err)
			require.Contains(t, string(bill), "libc6")
			require.NoDirExists(t, filepath.Join(store.dir, workDir, "load"), "nothing is left of the work")

			var again bytes.Buffer
			require.NoError(t, store.Save(t.Context(), image.Digest, &again))
			require.Equal(t, archive, plain(t, again.Bytes()), "the same image, the same archive")
		})
	}
}

func TestAnArchiveIsAnOCILayoutForOthers(t *testing.T) {
	image, archive := saved(t, "one")
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, blobsDir), 0o700))
	for _, one := range filesOf(t, archive) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, one.Name), one.content, 0o600))
	}
	path, err := layout.FromPath(dir)
	require.NoError(t, err)
	index, err := path.ImageIndex()
	require.NoError(t, err)
	one, err := index.Image(hashOf(image.Digest))
	require.NoError(t, err)
	require.NoError(t, readAll(one))
}

func TestALoadedImageTakesTheNameAndStaysBesideOthers(t *testing.T) {
	image, archive := saved(t, "one")
	store := newStore(t)
	before := addOwn(t, store, "two", runtime.GOARCH)
	_, err := store.Load(t.Context(), bytes.NewReader(archive), LoadOptions{})
	require.NoError(t, err)
	_, err = store.Load(t.Context(), bytes.NewReader(archive), LoadOptions{})
	require.NoError(t, err, "again")
	images, err := store.List(t.Context())
	require.NoError(t, err)
	require.Len(t, images, 2)
	require.Equal(t, image, images[1])
	require.Equal(t, before.Digest, images[0].Digest)
	require.Empty(t, images[0].Name)
}

func TestLoadingMendsADamagedBlob(t *testing.T) {
	image, archive := saved(t, "one")
	store := newStore(t)
	_, err := store.Load(t.Context(), bytes.NewReader(archive), LoadOptions{})
	require.NoError(t, err)
	layer := manifestOf(t, store, image.Digest).Layers[0].Digest
	require.NoError(t, os.WriteFile(store.blobs.path(layer), []byte("damaged"), 0o600))
	require.Error(t, store.Verify(t.Context(), image.Digest))
	_, err = store.Load(t.Context(), bytes.NewReader(archive), LoadOptions{})
	require.NoError(t, err)
	require.NoError(t, store.Verify(t.Context(), image.Digest))
}

func TestAnImageForAnotherMachineIsLoaded(t *testing.T) {
	other := map[string]string{"amd64": "arm64", "arm64": "amd64"}[runtime.GOARCH]
	from := newStore(t)
	image := addOwn(t, from, "one", other)
	var archive bytes.Buffer
	require.NoError(t, from.Save(t.Context(), image.Digest, &archive))
	store := newStore(t)
	got, err := store.Load(t.Context(), &archive, LoadOptions{})
	require.NoError(t, err)
	require.Equal(t, image, got)
	_, err = store.Rootfs(t.Context(), image.Digest)
	require.ErrorContains(t, err, "and this machine is")
	found, err := store.ResolveFor("python-analysis", other)
	require.NoError(t, err)
	require.Equal(t, image, found)
}

func TestAnImageWithoutANameStaysWithoutOne(t *testing.T) {
	from := newStore(t)
	image := addOwn(t, from, "one", runtime.GOARCH)
	addOwn(t, from, "two", runtime.GOARCH)
	var archive bytes.Buffer
	require.NoError(t, from.Save(t.Context(), image.Digest, &archive))
	store := newStore(t)
	named := addOwn(t, store, "three", runtime.GOARCH)
	got, err := store.Load(t.Context(), &archive, LoadOptions{})
	require.NoError(t, err)
	require.Equal(t, image.Digest, got.Digest)
	require.Empty(t, got.Name)
	found, err := store.Resolve("python-analysis")
	require.NoError(t, err)
	require.Equal(t, named, found)
}

// rewritten is an image of other layers or with another configuration, consistent in itself,
// as an archive.
func rewritten(t *testing.T, change func(v1.Image) v1.Image, layers ...[]file) []byte {
	t.Helper()
	store := newStore(t)
	about := Image{Name: "python-analysis", Recipe: digest.Of(nil).Hex(), Guard: digest.Of(nil).Hex(), Architecture: runtime.GOARCH, Created: released, Packages: 1}
	var stored []v1.Layer
	for _, files := range layers {
		blob, size, err := store.blobs.put(bytes.NewReader(archiveOf(t, files)))
		require.NoError(t, err)
		stored = append(stored, storedLayer{blobs: store.blobs, digest: blob, size: size})
		for _, one := range files {
			if one.Typeflag == tar.TypeReg {
				about.Files++
				about.Bytes += int64(len(one.content))
			}
		}
	}
	bill := []byte(`{}`)
	made, err := composeImage(about, hashOf(digest.Of(bill)), stored)
	require.NoError(t, err)
	made = change(made)
	manifest, err := made.RawManifest()
	require.NoError(t, err)
	config, err := made.RawConfigFile()
	require.NoError(t, err)
	about.Digest = digest.Of(manifest)
	index, err := indexOf(about, int64(len(manifest)))
	require.NoError(t, err)
	var files []file
	add := func(name string, content []byte) {
		files = append(files, file{tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644}, content})
	}
	add(layoutFile, []byte(layoutContent))
	add(indexFile, index)
	for _, content := range [][]byte{manifest, config, bill} {
		add(blobName(hashOf(digest.Of(content))), content)
	}
	for n, layer := range stored {
		add(blobName(layer.(storedLayer).digest), archiveOf(t, layers[n]))
	}
	return archiveOf(t, files)
}

func same(image v1.Image) v1.Image { return image }

// door is a store that takes no archive of a test.
type door struct {
	store  *Store
	before map[string]string
}

func newDoor(t *testing.T) door {
	t.Helper()
	store := newStore(t)
	addOwn(t, store, "mine", runtime.GOARCH)
	return door{store, everything(t, store.dir)}
}

func (d door) refuses(t *testing.T, archive []byte, says string) {
	t.Helper()
	for _, form := range [][]byte{archive, compressed(t, archive)} {
		_, err := d.store.Load(t.Context(), bytes.NewReader(form), LoadOptions{})
		require.ErrorIs(t, err, ErrArchive)
		require.ErrorContains(t, err, says)
		require.Equal(t, d.before, everything(t, d.store.dir), "nothing of it stays")
	}
}

// TestAHostileLayerIsRefused has what a layer can hold that is consistent with all digests.
func TestAHostileLayerIsRefused(t *testing.T) {
	closed := newDoor(t)
	plainFile := func(name string) file {
		return file{tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644}, []byte("x")}
	}
	of := func(kind byte, name, link string, mode int64) file {
		return file{Header: tar.Header{Typeflag: kind, Name: name, Linkname: link, Mode: mode}}
	}
	usr := of(tar.TypeDir, "usr/", "", 0o755)
	good := rewritten(t, same, []file{usr, plainFile("usr/x")})
	_, err := newStore(t).Load(t.Context(), bytes.NewReader(good), LoadOptions{})
	require.NoError(t, err, "without any of it")

	owned := plainFile("x")
	owned.Uid = 1000
	setuid := plainFile("x")
	setuid.Mode = 0o4755
	writable := plainFile("x")
	writable.Mode = 0o666
	capable := plainFile("x")
	capable.PAXRecords = map[string]string{"SCHILY.xattr.security.capability": "x"}
	for name, test := range map[string]struct {
		files []file
		says  string
	}{
		"a name that leads out":        {[]file{plainFile("../x")}, "not a clean relative path"},
		"an absolute name":             {[]file{plainFile("/etc/x")}, "not a clean relative path"},
		"a name with a dot":            {[]file{usr, plainFile("usr/./x")}, "not a clean relative path"},
		"a name twice":                 {[]file{plainFile("x"), plainFile("x")}, "is there twice"},
		"a directory twice":            {[]file{usr, usr}, "is there twice"},
		"through a symbolic link":      {[]file{of(tar.TypeSymlink, "d", "/etc", 0o777), plainFile("d/x")}, "in no directory"},
		"below a file":                 {[]file{plainFile("d"), plainFile("d/x")}, "in no directory"},
		"without its directory":        {[]file{plainFile("d/x")}, "in no directory"},
		"a hard link":                  {[]file{plainFile("x"), of(tar.TypeLink, "y", "x", 0o644)}, "none of file, directory and symbolic link"},
		"a device":                     {[]file{of(tar.TypeChar, "x", "", 0o644)}, "none of file, directory and symbolic link"},
		"a block device":               {[]file{of(tar.TypeBlock, "x", "", 0o644)}, "none of file, directory and symbolic link"},
		"a named pipe":                 {[]file{of(tar.TypeFifo, "x", "", 0o644)}, "none of file, directory and symbolic link"},
		"a setuid file":                {[]file{setuid}, "allows more than 0755"},
		"a file that all may write":    {[]file{writable}, "allows more than 0755"},
		"another owner":                {[]file{owned}, "not root"},
		"a file with capabilities":     {[]file{capable}, "extended attribute"},
		"what removes from the layers": {[]file{plainFile(".wh.x")}, "remove nothing"},
	} {
		t.Run(name, func(t *testing.T) { closed.refuses(t, rewritten(t, same, test.files), test.says) })
	}
	t.Run("a name of another layer", func(t *testing.T) {
		closed.refuses(t, rewritten(t, same, []file{plainFile("x")}, []file{plainFile("x"), plainFile("y")}), "is there twice")
	})
	t.Run("the same layer twice", func(t *testing.T) {
		closed.refuses(t, rewritten(t, same, []file{plainFile("x")}, []file{plainFile("x")}), "twice")
	})
	t.Run("no tar archive", func(t *testing.T) {
		closed.refuses(t, withLayer(t, []byte("no archive")), "read layer")
	})
}

// withLayer is an archive whose one layer has these bytes.
func withLayer(t *testing.T, content []byte) []byte {
	t.Helper()
	files := filesOf(t, rewritten(t, same, []file{}))
	store := newStore(t)
	blob, size, err := store.blobs.put(bytes.NewReader(content))
	require.NoError(t, err)
	about := Image{Name: "python-analysis", Recipe: digest.Of(nil).Hex(), Guard: digest.Of(nil).Hex(), Architecture: runtime.GOARCH, Created: released, Packages: 1}
	made, err := composeImage(about, hashOf(digest.Of([]byte(`{}`))), []v1.Layer{storedLayer{digest: blob, size: size}})
	require.NoError(t, err)
	manifest, err := made.RawManifest()
	require.NoError(t, err)
	config, err := made.RawConfigFile()
	require.NoError(t, err)
	about.Digest = digest.Of(manifest)
	files[1].content, err = indexOf(about, int64(len(manifest)))
	require.NoError(t, err)
	for n, part := range [][]byte{manifest, config, []byte(`{}`), content} {
		files[2+n].Name, files[2+n].content = blobName(hashOf(digest.Of(part))), part
	}
	return archiveOf(t, files)
}

// TestAHostileConfigurationIsRefused has what a daemon would obey.
func TestAHostileConfigurationIsRefused(t *testing.T) {
	closed := newDoor(t)
	with := func(change func(*v1.ConfigFile)) func(v1.Image) v1.Image {
		return func(image v1.Image) v1.Image {
			config, err := image.ConfigFile()
			require.NoError(t, err)
			config = config.DeepCopy()
			change(config)
			changed, err := mutate.ConfigFile(image, config)
			require.NoError(t, err)
			return changed
		}
	}
	for name, change := range map[string]func(v1.Image) v1.Image{
		"a user":         with(func(c *v1.ConfigFile) { c.Config.User = "0" }),
		"an entry point": with(func(c *v1.ConfigFile) { c.Config.Entrypoint = []string{"/usr/bin/other"} }),
		"a volume":       with(func(c *v1.ConfigFile) { c.Config.Volumes = map[string]struct{}{"/etc": {}} }),
		"a health check": with(func(c *v1.ConfigFile) { c.Config.Healthcheck = &v1.HealthConfig{Test: []string{"CMD", "x"}} }),
		"a variable":     with(func(c *v1.ConfigFile) { c.Config.Env = append(c.Config.Env, "LD_PRELOAD=/x") }),
		"a system":       with(func(c *v1.ConfigFile) { c.OS = "windows" }),
		"a machine":      with(func(c *v1.ConfigFile) { c.Architecture = "riscv64" }),
		"an annotation": func(image v1.Image) v1.Image {
			return mutate.Annotations(image, map[string]string{"org.other": "x"}).(v1.Image)
		},
		"a number of files": func(image v1.Image) v1.Image {
			return mutate.Annotations(image, map[string]string{annotationFiles: "7"}).(v1.Image)
		},
		"bytes": func(image v1.Image) v1.Image {
			return mutate.Annotations(image, map[string]string{annotationBytes: "-1"}).(v1.Image)
		},
		"a time that is none": func(image v1.Image) v1.Image {
			return mutate.Annotations(image, map[string]string{annotationCreated: "now"}).(v1.Image)
		},
		"a recipe that is no hash": func(image v1.Image) v1.Image {
			return mutate.Annotations(image, map[string]string{annotationRecipe: "../x"}).(v1.Image)
		},
	} {
		t.Run(name, func(t *testing.T) {
			closed.refuses(t, rewritten(t, change, []file{{tar.Header{Typeflag: tar.TypeReg, Name: "x", Mode: 0o644}, []byte("x")}}), "")
		})
	}
}

// TestAHostileArchiveIsRefused changes an archive around the blobs.
func TestAHostileArchiveIsRefused(t *testing.T) {
	closed := newDoor(t)
	_, archive := saved(t, "one")
	for name, test := range map[string]struct {
		change func([]file) []file
		says   string
	}{
		"nothing":              {func([]file) []file { return nil }, "read oci-layout"},
		"no layout":            {func(f []file) []file { return f[1:] }, "where oci-layout should be"},
		"another layout":       {func(f []file) []file { f[0].content = []byte(`{"imageLayoutVersion":"9"}`); return f }, "is another"},
		"a large layout":       {func(f []file) []file { f[0].content = make([]byte, 1<<20); return f }, "and may have"},
		"a large index":        {func(f []file) []file { f[1].content = make([]byte, maxDocument+1); return f }, "and may have"},
		"an index of nothing":  {func(f []file) []file { f[1].content = []byte("{}"); return f }, "has 0 images"},
		"an index of no JSON":  {func(f []file) []file { f[1].content = []byte("x"); return f }, "index.json"},
		"an index with blanks": {func(f []file) []file { f[1].content = append(f[1].content, ' '); return f }, "is another"},
		"a blob less":          {func(f []file) []file { return f[:len(f)-1] }, "unexpected EOF"},
		"a file more": {func(f []file) []file {
			return append(f, file{tar.Header{Typeflag: tar.TypeReg, Name: "../../etc/passwd"}, []byte("x")})
		}, "it has more"},
		"the same file again":      {func(f []file) []file { return append(f, f[len(f)-1]) }, "it has more"},
		"another order":            {func(f []file) []file { f[2], f[3] = f[3], f[2]; return f }, "where blobs/sha256/"},
		"another byte in a layer":  {func(f []file) []file { f[len(f)-1].content[600] ^= 1; return f }, "other bytes than the digest names"},
		"another byte in the bill": {func(f []file) []file { f[4].content[0] ^= 1; return f }, "other bytes than the digest names"},
		"a layer that is too short": {func(f []file) []file {
			f[len(f)-1].content = f[len(f)-1].content[:100]
			return f
		}, "other bytes than the digest names"},
		"a layer that is too long": {func(f []file) []file {
			f[len(f)-1].content = append(f[len(f)-1].content, make([]byte, 512)...)
			return f
		}, "and may have"},
		"a link for a blob": {func(f []file) []file {
			f[2] = file{Header: tar.Header{Typeflag: tar.TypeSymlink, Name: f[2].Name, Linkname: "/etc/passwd"}}
			return f
		}, "is no plain file"},
		"a hard link for a blob": {func(f []file) []file {
			f[2] = file{Header: tar.Header{Typeflag: tar.TypeLink, Name: f[2].Name, Linkname: f[1].Name}}
			return f
		}, "is no plain file"},
		"a device for a blob": {func(f []file) []file {
			f[2] = file{Header: tar.Header{Typeflag: tar.TypeBlock, Name: f[2].Name}}
			return f
		}, "is no plain file"},
		"a blob with attributes": {func(f []file) []file {
			f[2].PAXRecords = map[string]string{"SCHILY.xattr.user.x": "x"}
			return f
		}, "is no plain file"},
		"a name that leads out": {func(f []file) []file { f[2].Name = "blobs/sha256/../../x"; return f }, "where blobs/sha256/"},
	} {
		t.Run(name, func(t *testing.T) { closed.refuses(t, archiveOf(t, test.change(filesOf(t, archive))), test.says) })
	}
	t.Run("bytes behind the archive", func(t *testing.T) { closed.refuses(t, append(slices.Clone(archive), "x"...), "something follows") })
	t.Run("much padding", func(t *testing.T) {
		closed.refuses(t, append(slices.Clone(archive), make([]byte, maxPadding+1)...), "something follows")
	})
	t.Run("another image than the one that it has to be", func(t *testing.T) {
		_, err := newStore(t).Load(t.Context(), bytes.NewReader(archive), LoadOptions{Digest: digest.Of([]byte("other"))})
		require.ErrorIs(t, err, ErrArchive)
		require.ErrorContains(t, err, "the archive has image")
	})
}

func TestAnIndexThatSaysOtherThingsIsRefused(t *testing.T) {
	closed := newDoor(t)
	_, archive := saved(t, "one")
	for old, changed := range map[string]string{
		`"python-analysis"`: `"other"`,
		`"os":"linux"`:      `"os":"other"`,
		`"architecture":"`:  `"variant":"v1","architecture":"`,
		`"mediaType":"application/vnd.oci.image.manifest.v1+json"`: `"mediaType":"application/vnd.oci.image.index.v1+json"`,
		`"schemaVersion":2`: `"schemaVersion":1`,
		`"manifests":[`:     `"annotations":{"a":"b"},"manifests":[`,
		`"size":`:           `"size":9`,
		`"digest":"sha256:`: `"digest":"sha512:`,
	} {
		files := filesOf(t, archive)
		require.Contains(t, string(files[1].content), old)
		files[1].content = []byte(strings.Replace(string(files[1].content), old, changed, 1))
		closed.refuses(t, archiveOf(t, files), "")
	}
}

// TestABombIsRefused: what an archive makes of few bytes is bounded by what its parts say
// before, and not by what comes.
func TestABombIsRefused(t *testing.T) {
	closed := newDoor(t)
	_, archive := saved(t, "one")
	files := filesOf(t, archive)
	manifest := string(files[2].content)
	layer := files[len(files)-1]
	for name, size := range map[string]string{"beyond all bounds": "9223372036854775807", "more than all layers may have": "4294967297", "less than nothing": "-1"} {
		t.Run(name, func(t *testing.T) {
			changed := slices.Clone(files)
			from := `"size":` + strconv.Itoa(len(layer.content))
			require.Contains(t, manifest, from)
			content := []byte(strings.ReplaceAll(manifest, from, `"size":`+size))
			changed[2].content, changed[2].Name = content, blobName(hashOf(digest.Of(content)))
			index := strings.NewReplacer(
				string(digest.Of([]byte(manifest)).Hex()), string(digest.Of(content).Hex()),
				`"size":`+strconv.Itoa(len(manifest)), `"size":`+strconv.Itoa(len(content))).Replace(string(files[1].content))
			changed[1].content = []byte(index)
			closed.refuses(t, archiveOf(t, changed), "more than 4294967296 bytes")
		})
	}
	t.Run("zeros without end", func(t *testing.T) {
		_, err := newStore(t).Load(t.Context(), zeros{}, LoadOptions{})
		require.ErrorIs(t, err, ErrArchive)
	})
	t.Run("a window of gigabytes", func(t *testing.T) {
		// A frame's header that asks for 2 GiB (RFC 8878, 3.1.1.1.2), and nothing else.
		_, err := newStore(t).Load(t.Context(), bytes.NewReader([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0, 0, 0}), LoadOptions{})
		require.ErrorIs(t, err, ErrArchive)
	})
	t.Run("garbage behind the frame", func(t *testing.T) {
		_, err := newStore(t).Load(t.Context(), bytes.NewReader(append(compressed(t, archive), "garbage"...)), LoadOptions{})
		require.ErrorIs(t, err, ErrArchive)
	})
}

// zeros is an archive of nothing else.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestEveryCutOfAnArchiveIsRefused(t *testing.T) {
	_, archive := saved(t, "one")
	files := filesOf(t, archive)
	end := len(archiveOf(t, files)) - 1024 // what ends a tar archive: two blocks of zeros
	store := newStore(t)
	before := everything(t, store.dir)
	for cut := 0; cut < end; cut += 509 {
		_, err := store.Load(t.Context(), bytes.NewReader(archive[:cut]), LoadOptions{})
		require.ErrorIs(t, err, ErrArchive, "cut at %d", cut)
	}
	require.Equal(t, before, everything(t, store.dir))
	small := compressed(t, archive)
	for cut := 0; cut < len(small); cut += 13 {
		_, err := store.Load(t.Context(), bytes.NewReader(small[:cut]), LoadOptions{})
		require.ErrorIs(t, err, ErrArchive, "cut at %d", cut)
	}
}

func TestLoadingCanBeInterrupted(t *testing.T) {
	_, archive := saved(t, "one")
	store := newStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	reader := io.MultiReader(bytes.NewReader(archive[:len(archive)/2]), readerFunc(func([]byte) (int, error) { cancel(); return 0, nil }), bytes.NewReader(archive[len(archive)/2:]))
	_, err := store.Load(ctx, reader, LoadOptions{})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, ErrArchive)
	images, err := store.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, images)
}

type readerFunc func([]byte) (int, error)

// Read implements io.Reader.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestSavingTellsADamagedImage(t *testing.T) {
	store := newStore(t)
	image := addOwn(t, store, "one", runtime.GOARCH)
	layer := manifestOf(t, store, image.Digest).Layers[0].Digest
	content, err := os.ReadFile(store.blobs.path(layer))
	require.NoError(t, err)
	content[600] ^= 1
	require.NoError(t, os.WriteFile(store.blobs.path(layer), content, 0o600))
	var archive bytes.Buffer
	require.ErrorContains(t, store.Save(t.Context(), image.Digest, &archive), "blob is damaged")
	_, err = newStore(t).Load(t.Context(), &archive, LoadOptions{})
	require.ErrorIs(t, err, ErrArchive, "nor is what was written one")
	require.ErrorContains(t, store.Save(t.Context(), digest.Of(nil), io.Discard), "there is no image")
}

// FuzzLoad: whatever an archive is, it is refused as one or becomes an image that holds, and
// what is refused leaves nothing.
func FuzzLoad(f *testing.F) {
	_, archive := saved(f, "one")
	f.Add(archive)
	f.Add(compressed(f, archive))
	files := filesOf(f, archive)
	f.Add(archiveOf(f, files[:2]))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, archive []byte) {
		store := newStore(t)
		before := everything(t, store.dir)
		image, err := store.Load(t.Context(), bytes.NewReader(archive), LoadOptions{})
		if err != nil {
			require.ErrorIs(t, err, ErrArchive)
			require.Equal(t, before, everything(t, store.dir))
			return
		}
		require.NoError(t, store.Verify(t.Context(), image.Digest))
	})
}
