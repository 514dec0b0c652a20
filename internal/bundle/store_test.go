package bundle_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
)

func TestAddCopiesAndVerifies(t *testing.T) {
	store, dir := openStore(t)
	added := add(t, store, source(t))
	require.Regexp(t, "^sha256:[0-9a-f]{64}$", added.Digest)
	require.Equal(t, int64(35), added.Bytes)
	require.Equal(t, "visits", added.Manifest.Name)
	require.False(t, added.AddedAt.IsZero())
	path, err := store.Path(added.Digest)
	require.NoError(t, err)
	require.Equal(t, added.Path, path)
	require.NotContains(t, path, ":") // it ends a path in mount options
	data, err := os.ReadFile(filepath.Join(path, "data/visits.csv"))
	require.NoError(t, err)
	require.Equal(t, "id,age\n1,40\n", string(data))
	require.Equal(t, []string{filepath.Base(path)}, visible(t, dir))
	require.NoError(t, store.Verify(t.Context(), added.Digest))
}

// TestTheCopyCanBeReadAndNotWrittenByOthers: the guard is another user, mapped
// into a user namespace, to whom the engine mounts the copy. The store itself is
// closed to him.
func TestTheCopyCanBeReadAndNotWrittenByOthers(t *testing.T) {
	store, dir := openStore(t)
	added := add(t, store, source(t))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
	require.NoError(t, filepath.WalkDir(added.Path, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		want := fs.FileMode(0o444)
		if entry.IsDir() {
			want = 0o555
		}
		require.Equal(t, want, info.Mode().Perm(), path)
		return nil
	}))
}

func TestAddIsIdempotent(t *testing.T) {
	store, dir := openStore(t)
	src := source(t)
	first := add(t, store, src)
	inode := inodeOf(t, first.Path)
	require.Equal(t, first, add(t, store, src))
	require.Equal(t, inode, inodeOf(t, first.Path)) // runs may have it mounted
	require.Len(t, visible(t, dir), 1)
}

func inodeOf(t *testing.T, path string) uint64 {
	t.Helper()
	var stat unix.Stat_t
	require.NoError(t, unix.Stat(path, &stat))
	return stat.Ino
}

func TestAddRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(t *testing.T, dir string)
		fault string
	}{
		"no manifest": {func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "bundle.json")))
		}, `has no bundle.json: make one with "runner bundle create"`},
		"a manifest that is a link": {func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, "bundle.json"), filepath.Join(dir, "m.json")))
			require.NoError(t, os.Symlink("m.json", filepath.Join(dir, "bundle.json")))
		}, "symbolic link"},
		"a manifest that is a pipe": {func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "bundle.json")))
			require.NoError(t, unix.Mkfifo(filepath.Join(dir, "bundle.json"), 0o600))
		}, "named pipe"},
		"a huge manifest": {func(t *testing.T, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, "bundle.json"), 1<<40))
		}, "too many bytes"},
		"an undeclared file":  {func(t *testing.T, dir string) { write(t, dir, "extra.csv", "x") }, "extra.csv: it is not in the manifest"},
		"a missing file":      {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "README.md"))) }, "README.md: it is missing"},
		"a file that changed": {func(t *testing.T, dir string) { write(t, dir, "README.md", "What that is.\n") }, "README.md: its content differs"},
		"a file that grew":    {func(t *testing.T, dir string) { write(t, dir, "README.md", "What this is.\n\n") }, "README.md: it has 15 bytes, the manifest says 14"},
		"a file that is a sea": {func(t *testing.T, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, "README.md"), 1<<40))
		}, "the manifest says 14"},
		"a symlink for a file": {func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, "README.md"), filepath.Join(dir, "real.md")))
			require.NoError(t, os.Symlink("real.md", filepath.Join(dir, "README.md")))
		}, "README.md: it is a symbolic link"},
		"a symlink for a directory": {func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, "data"), filepath.Join(dir, "real")))
			require.NoError(t, os.Symlink("real", filepath.Join(dir, "data")))
		}, "data: it is a symbolic link"},
		"a hard link": {func(t *testing.T, dir string) {
			require.NoError(t, os.Link(filepath.Join(dir, "README.md"), filepath.Join(t.TempDir(), "x")))
		}, "README.md: it has 2 hard links"},
		"a setuid file": {func(t *testing.T, dir string) {
			require.NoError(t, os.Chmod(filepath.Join(dir, "README.md"), 0o755|os.ModeSetuid))
		}, "setuid"},
		"a named pipe": {func(t *testing.T, dir string) {
			require.NoError(t, unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
		}, "pipe: it is a named pipe"},
	} {
		t.Run(name, func(t *testing.T) {
			store, dir := openStore(t)
			src := source(t)
			test.spoil(t, src)
			_, err := store.Add(t.Context(), src)
			requireFault(t, err, test.fault)
			require.Empty(t, visible(t, dir))
		})
	}
}

// TestAddRefusesTablesThatCannotBeLoaded whoever wrote the manifest.
func TestAddRefusesTablesThatCannotBeLoaded(t *testing.T) {
	store, dir := openStore(t)
	src := source(t)
	path := filepath.Join(src, bundle.ManifestName)
	manifest, err := os.ReadFile(path)
	require.NoError(t, err)
	good, bad := "id,age\n1,40\n", "id,age\n1,\"4\n" // of one size
	write(t, src, "data/visits.csv", bad)
	overwrite(t, path, strings.Replace(string(manifest), sumOf(good), sumOf(bad), 1))
	_, err = store.Add(t.Context(), src)
	requireFault(t, err, "tables are not what their schemas say: data/visits.csv: line 2 opens a quote")
	require.Empty(t, visible(t, dir))
}

func sumOf(content string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(content))) }

func TestAddAtOnce(t *testing.T) {
	_, dir := openStore(t)
	same, src := source(t), []string{}
	for i := range 4 {
		src = append(src, same)
		other := t.TempDir()
		write(t, other, "x.csv", "x"+strconv.Itoa(i))
		opts := options(other)
		opts.Version = "2." + strconv.Itoa(i)
		_, err := bundle.Create(t.Context(), opts)
		require.NoError(t, err)
		src = append(src, other)
	}
	var all sync.WaitGroup
	for _, src := range src {
		all.Go(func() {
			store, err := bundle.OpenStore(dir) // as another process would
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := store.Add(t.Context(), src); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	require.Len(t, visible(t, dir), 5)
}

// TestAddNeverKeepsWhatIsNotInTheManifest changes a file while it is copied.
func TestAddNeverKeepsWhatIsNotInTheManifest(t *testing.T) {
	store, dir := openStore(t)
	src := source(t)
	path := filepath.Join(src, "README.md")
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				os.WriteFile(path, []byte([]string{"What this is.\n", "What evil is.\n", "short", "longer than it was\n"}[i%4]), 0o644)
			}
		}
	})
	for range 100 {
		added, err := store.Add(t.Context(), src)
		if err != nil {
			requireFault(t, err, "README.md")
			continue
		}
		data, err := os.ReadFile(filepath.Join(added.Path, "README.md"))
		require.NoError(t, err)
		require.Equal(t, "What this is.\n", string(data))
	}
	close(stop)
	writer.Wait()
	require.LessOrEqual(t, len(visible(t, dir)), 1)
}

func TestAddClearsWhatAKilledOneLeft(t *testing.T) {
	store, dir := openStore(t)
	write(t, dir, ".adding-sha256-dead/half.csv", "x")
	added := add(t, store, source(t))
	require.Equal(t, []string{filepath.Base(added.Path)}, visible(t, dir))
}

func TestVerifyFindsEveryChange(t *testing.T) {
	for name, test := range map[string]struct {
		change func(t *testing.T, dir string)
		fault  string
	}{
		"content": {func(t *testing.T, dir string) { overwrite(t, filepath.Join(dir, "README.md"), "What that is.\n") }, "README.md: its content differs"},
		"size":    {func(t *testing.T, dir string) { overwrite(t, filepath.Join(dir, "README.md"), "x") }, "README.md: it has 1 bytes"},
		"removal": {func(t *testing.T, dir string) {
			require.NoError(t, os.Chmod(dir, 0o755))
			require.NoError(t, os.Remove(filepath.Join(dir, "README.md")))
		}, "README.md: it is missing"},
		"addition": {func(t *testing.T, dir string) {
			require.NoError(t, os.Chmod(dir, 0o755))
			write(t, dir, "extra.csv", "x")
		}, "extra.csv: it is not in the manifest"},
		"link": {func(t *testing.T, dir string) {
			require.NoError(t, os.Chmod(dir, 0o755))
			require.NoError(t, os.Rename(filepath.Join(dir, "README.md"), filepath.Join(t.TempDir(), "x")))
			require.NoError(t, os.Symlink("data/visits.csv", filepath.Join(dir, "README.md")))
		}, "README.md: it is a symbolic link"},
		"an empty directory": {func(t *testing.T, dir string) {
			require.NoError(t, os.Chmod(dir, 0o755))
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "extra", "below"), 0o755))
		}, "extra/below: it is a directory without a file of the bundle"},
		"a directory beside tables": {func(t *testing.T, dir string) {
			require.NoError(t, os.Chmod(filepath.Join(dir, ".tables"), 0o755))
			require.NoError(t, os.Mkdir(filepath.Join(dir, ".tables", "x"), 0o755))
		}, ".tables/x: it is a directory without a file of the bundle"},
		"a blank behind the list of tables": {func(t *testing.T, dir string) {
			data, err := os.ReadFile(filepath.Join(dir, ".tables/index.json"))
			require.NoError(t, err)
			overwrite(t, filepath.Join(dir, ".tables/index.json"), string(data)+"\n")
		}, ".tables/index.json: it has "},
		"the form of the list of tables": {func(t *testing.T, dir string) {
			data, err := os.ReadFile(filepath.Join(dir, ".tables/index.json"))
			require.NoError(t, err)
			overwrite(t, filepath.Join(dir, ".tables/index.json"), strings.Replace(string(data), "\n", "\t", 1))
		}, ".tables/index.json: its content differs"},
		"a second name": {func(t *testing.T, dir string) {
			require.NoError(t, os.Link(filepath.Join(dir, "README.md"), filepath.Join(t.TempDir(), "x")))
		}, "README.md: it has 2 hard links"},
		"the manifest": {func(t *testing.T, dir string) {
			data, err := os.ReadFile(filepath.Join(dir, "bundle.json"))
			require.NoError(t, err)
			overwrite(t, filepath.Join(dir, "bundle.json"), strings.Replace(string(data), "IRB", "irb", 1))
		}, "bundle.json: its content differs"},
		"the manifest's removal": {func(t *testing.T, dir string) {
			require.NoError(t, os.Chmod(dir, 0o755))
			require.NoError(t, os.Remove(filepath.Join(dir, "bundle.json")))
		}, "bundle.json is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			store, dir := openStore(t)
			src := source(t)
			added := add(t, store, src)
			test.change(t, added.Path)
			err := store.Verify(t.Context(), added.Digest)
			requireFault(t, err, test.fault)
			require.ErrorContains(t, err, "changed since it was added")
			require.ErrorContains(t, err, `add it again with "runner bundle add DIR"`)
			// And the advice is good.
			require.Equal(t, added.Digest, add(t, store, src).Digest)
			require.NoError(t, store.Verify(t.Context(), added.Digest))
			require.Len(t, visible(t, dir), 1)
		})
	}
}

func overwrite(t *testing.T, path, content string) {
	t.Helper()
	require.NoError(t, os.Chmod(path, 0o644))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

func TestPathChecksTheManifest(t *testing.T) {
	store, _ := openStore(t)
	added := add(t, store, source(t))
	overwrite(t, filepath.Join(added.Path, "bundle.json"), "{}")
	_, err := store.Path(added.Digest)
	requireFault(t, err, "changed since it was added")
}

func TestLookup(t *testing.T) {
	store, _ := openStore(t)
	one := add(t, store, source(t))
	versioned := func(name, version, content string) bundle.Bundle {
		dir := t.TempDir()
		write(t, dir, "x.csv", content)
		opts := options(dir)
		opts.Name, opts.Version = name, version
		_, err := bundle.Create(t.Context(), opts)
		require.NoError(t, err)
		return add(t, store, dir)
	}
	heart9, heart10, old := versioned("heart", "1.9", "a"), versioned("heart", "1.10.0", "a"), versioned("heart", "1.10.0-rc.1", "a")
	versioned("twin", "1.0", "a")
	versioned("twin", "1.0.0", "b")
	versioned("dated", "2026-01-05", "a")
	versioned("dated", "2026-02-05", "a")
	for reference, want := range map[string]bundle.Bundle{
		"visits": one, "visits@1.0": one, one.Digest.String(): one, one.Digest.String()[:15]: one,
		"heart@1.9": heart9, "heart@1.10.0-rc.1": old, "heart": heart10,
	} {
		found, err := store.Lookup(t.Context(), reference)
		require.NoError(t, err, reference)
		require.Equal(t, want, found, reference)
	}
	for reference, fault := range map[string]string{
		"dated":                             `bundle "dated" can be dated@2026-01-05 (sha256:`,
		"twin":                              "which is the newest cannot be told",
		"twin@1":                            "there is no bundle",
		"absent":                            "there is no bundle \"absent\": `runner bundle ls` lists those in the store, and `runner bundle add DIR` adds one",
		"visits@2":                          "there is no bundle",
		"":                                  "there is no bundle",
		"sha256:":                           "there is no bundle",
		one.Digest.String()[:10]:            "there is no bundle",
		"sha256:" + strings.Repeat("0", 64): "there is no bundle",
		"../../etc":                         "there is no bundle",
		"a\x1b[2J\n":                        `there is no bundle "a\x1b[2J\n"`,
	} {
		_, err := store.Lookup(t.Context(), reference)
		requireFault(t, err, fault)
	}
	for _, text := range []string{"", "visits", "sha256:../../etc", strings.ToUpper(one.Digest.String()), one.Digest.String() + "\n"} {
		_, err := store.Path(digest.Digest(text))
		requireFault(t, err, "not a digest")
	}
}

func TestListTellsOfWhatCannotBeRead(t *testing.T) {
	store, _ := openStore(t)
	list, err := store.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, list)
	good := add(t, store, source(t))
	other := t.TempDir()
	write(t, other, "x.csv", "x")
	opts := options(other)
	opts.Version = "2.0"
	_, err = bundle.Create(t.Context(), opts)
	require.NoError(t, err)
	bad := add(t, store, other)
	overwrite(t, filepath.Join(bad.Path, "bundle.json"), "{}")
	list, err = store.List(t.Context())
	requireFault(t, err, "changed since it was added")
	require.Equal(t, []bundle.Bundle{good}, list)
}
