package bundle_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
	"hotcell/internal/fingerprint"
)

// sealed is a bundle whose next check is a look only, and what a naive one would have
// noted of it: every file's size and mtime.
func sealed(t *testing.T) (store *bundle.Store, added bundle.Bundle, naive string) {
	t.Helper()
	store, _ = openStore(t)
	added = add(t, store, source(t))
	store.LookAt(time.Now().Add(time.Hour))
	require.NoError(t, store.Check(t.Context(), added.Digest))
	require.True(t, store.Sealed(added.Digest))
	naive = sizesAndTimes(t, added.Path)
	tick(t, filepath.Dir(added.Path))
	return store, added, naive
}

func sizesAndTimes(t *testing.T, dir string) (text string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		text += fmt.Sprintln(path, info.Size(), info.ModTime())
		return err
	}))
	return text
}

// tick returns when the kernel gives out another ctime than before.
func tick(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, "tick")
	ctime := func() unix.Timespec {
		require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
		var stat unix.Stat_t
		require.NoError(t, unix.Lstat(path, &stat))
		return stat.Ctim
	}
	first := ctime()
	for first == ctime() {
		require.NoError(t, t.Context().Err())
	}
	require.NoError(t, os.Remove(path))
}

// keepTimes does something to a tree, and puts every mtime back.
func keepTimes(t *testing.T, path string, do func()) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	do()
	require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
}

const readme, forged = "What this is.\n", "What that is.\n"

// Each attack leaves every size and mtime as it was.
func TestASealedBundleThatChangedIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		attack func(t *testing.T, dir string)
		fault  string
	}{
		"written in place": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "README.md")
			keepTimes(t, path, func() { overwrite(t, path, forged) })
		}, "README.md: its content differs"},
		"written in place and closed again": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "README.md")
			keepTimes(t, path, func() { overwrite(t, path, forged) })
			require.NoError(t, os.Chmod(path, 0o444))
		}, "README.md: its content differs"},
		"replaced by rename": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "README.md")
			keepTimes(t, path, func() {
				require.NoError(t, os.WriteFile(path+".new", []byte(forged), 0o444))
				require.NoError(t, os.Rename(path+".new", path))
			})
		}, "README.md: its content differs"},
		"a directory swapped": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "data", "visits.csv")
			keepTimes(t, path, func() {
				require.NoError(t, os.Rename(filepath.Join(dir, "data"), filepath.Join(t.TempDir(), "aside")))
				write(t, dir, "data/visits.csv", "id,age\n1,90\n")
			})
		}, "data/visits.csv: its content differs"},
		"the whole swapped": {func(t *testing.T, dir string) {
			other := filepath.Join(filepath.Dir(dir), "other")
			require.NoError(t, os.CopyFS(other, os.DirFS(dir)))
			overwrite(t, filepath.Join(other, "README.md"), forged)
			require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
				require.NoError(t, err)
				info, err := os.Stat(path)
				require.NoError(t, err)
				name, err := filepath.Rel(dir, path)
				require.NoError(t, err)
				return os.Chtimes(filepath.Join(other, name), info.ModTime(), info.ModTime())
			}))
			require.NoError(t, os.Rename(dir, dir+".aside"))
			require.NoError(t, os.Rename(other, dir))
		}, "README.md: its content differs"},
		"a symbolic link instead": {func(t *testing.T, dir string) {
			path, aside := filepath.Join(dir, "README.md"), filepath.Join(t.TempDir(), "README.md")
			keepTimes(t, path, func() {
				require.NoError(t, os.Rename(path, aside))
				require.NoError(t, os.Symlink(aside, path))
			})
		}, "README.md: it is a symbolic link"},
		"a hard link added": {func(t *testing.T, dir string) {
			require.NoError(t, os.Link(filepath.Join(dir, "README.md"), filepath.Join(filepath.Dir(dir), "second")))
		}, "README.md: it has 2 hard links"},
		"a bind mount over a file": {func(t *testing.T, dir string) {
			other := filepath.Join(t.TempDir(), "other")
			path := filepath.Join(dir, "README.md")
			keepTimes(t, path, func() {
				require.NoError(t, os.WriteFile(other, []byte(forged), 0o444))
				bind(t, other, path)
			})
		}, "README.md: it is a mount point"},
		"a bind mount over a directory": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "data", "visits.csv")
			keepTimes(t, path, func() {
				other := t.TempDir()
				write(t, other, "visits.csv", "id,age\n1,90\n")
				bind(t, other, filepath.Join(dir, "data"))
			})
		}, "data: it is a mount point"},
	} {
		t.Run(name, func(t *testing.T) {
			store, added, naive := sealed(t)
			require.NoError(t, os.Chmod(added.Path, 0o755))
			require.NoError(t, os.Chmod(filepath.Join(added.Path, "data"), 0o755))
			require.NoError(t, store.Check(t.Context(), added.Digest)) // hashed again, and intact
			tick(t, filepath.Dir(added.Path))
			test.attack(t, added.Path)
			require.Equal(t, naive, sizesAndTimes(t, added.Path), "a naive check lets it through")
			err := store.Check(t.Context(), added.Digest)
			require.ErrorContains(t, err, test.fault)
			require.Equal(t, err, store.Check(t.Context(), added.Digest), "also the next time")
			require.Equal(t, err, store.Verify(t.Context(), added.Digest), "a look words it as the whole check does")
		})
	}
}

func bind(t *testing.T, from, to string) {
	t.Helper()
	if os.Geteuid() != 0 {
		require.NotEqual(t, "1", os.Getenv("HOTCELL_REQUIRE_ALL"), "this test needs root")
		t.Skip("this test needs root")
	}
	require.NoError(t, unix.Mount(from, to, "", unix.MS_BIND, ""))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(to, unix.MNT_DETACH)) })
}

func TestASealedBundleFindsWhatANaiveCheckFindsToo(t *testing.T) {
	for name, attack := range map[string]func(dir string) error{
		"a file grown": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme+"\n"), 0o644)
		},
		"a file added":   func(dir string) error { return os.WriteFile(filepath.Join(dir, "more.csv"), nil, 0o644) },
		"a file removed": func(dir string) error { return os.Remove(filepath.Join(dir, "README.md")) },
		"the manifest": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, bundle.ManifestName), []byte("{}"), 0o644)
		},
		"the manifest gone":  func(dir string) error { return os.Remove(filepath.Join(dir, bundle.ManifestName)) },
		"the bundle removed": os.RemoveAll,
	} {
		t.Run(name, func(t *testing.T) {
			store, added, _ := sealed(t)
			require.NoError(t, os.Chmod(added.Path, 0o755))
			require.NoError(t, attack(added.Path))
			err := store.Check(t.Context(), added.Digest)
			require.Error(t, err)
			require.Equal(t, err, store.Verify(t.Context(), added.Digest))
			_, pathErr := store.Path(added.Digest)
			_, lookupErr := store.Lookup(t.Context(), added.Digest.String())
			require.Equal(t, pathErr, lookupErr)
		})
	}
}

// What was just written could be written again at the same ctime.
func TestABundleIsNotSealedBeforeItsLastChangeIsLongAgo(t *testing.T) {
	store, _ := openStore(t)
	added := add(t, store, source(t))
	var stat unix.Stat_t
	require.NoError(t, unix.Lstat(added.Path, &stat)) // what was touched last: it was renamed
	changed := time.Unix(stat.Ctim.Unix())
	for _, at := range []time.Time{changed.Add(-time.Hour), changed, changed.Add(fingerprint.Margin)} {
		store.LookAt(at)
		require.NoError(t, store.Check(t.Context(), added.Digest))
		require.False(t, store.Sealed(added.Digest))
	}
	store.LookAt(changed.Add(fingerprint.Margin + 1))
	require.NoError(t, store.Check(t.Context(), added.Digest))
	require.True(t, store.Sealed(added.Digest))
}

// A mapping that is older than the look writes without a trace: the kernel stamps the
// file at its first write only.
func TestABundleThatSomebodyHasMappedForWritingIsNeverSealed(t *testing.T) {
	for name, file := range map[string]string{"a file": "README.md", "the manifest": bundle.ManifestName} {
		t.Run(name, func(t *testing.T) {
			store, _ := openStore(t)
			added := add(t, store, source(t))
			path := filepath.Join(added.Path, file)
			memory := mapped(t, path)
			store.LookAt(time.Now().Add(time.Hour))
			require.NoError(t, store.Check(t.Context(), added.Digest))
			before, err := fingerprint.Look(path)
			require.NoError(t, err)
			tick(t, filepath.Dir(added.Path))
			memory[0] ^= 1
			after, err := fingerprint.Look(path)
			require.NoError(t, err)
			require.Equal(t, before, after, "no look finds it")
			requireFault(t, store.Check(t.Context(), added.Digest), file+": its content differs")
			require.False(t, store.Sealed(added.Digest))
		})
	}
}

// mapped has written to a file once already, and changed nothing.
func mapped(t *testing.T, path string) []byte {
	t.Helper()
	require.NoError(t, os.Chmod(path, 0o644))
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer file.Close()
	info, err := file.Stat()
	require.NoError(t, err)
	memory, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Munmap(memory)) })
	memory[0] ^= 1
	memory[0] ^= 1
	return memory
}

func TestABundleIsSealedOnceItsWriterHasGone(t *testing.T) {
	store, _ := openStore(t)
	added := add(t, store, source(t))
	store.LookAt(time.Now().Add(time.Hour))
	path := filepath.Join(added.Path, "README.md")
	require.NoError(t, os.Chmod(path, 0o644))
	writer, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	require.NoError(t, store.Check(t.Context(), added.Digest))
	require.False(t, store.Sealed(added.Digest))
	require.NoError(t, writer.Close())
	require.NoError(t, store.Check(t.Context(), added.Digest))
	require.True(t, store.Sealed(added.Digest))
}

// What was loaded while a file was another one must not be taken for what is there once the
// file is as it was.
func TestABundleThatWasAnotherMeanwhileLooksOther(t *testing.T) {
	store, added, _ := sealed(t)
	first, err := store.Look(t.Context(), added.Digest)
	require.NoError(t, err)
	require.NotEmpty(t, first)
	again, err := store.Look(t.Context(), added.Digest)
	require.NoError(t, err)
	require.Equal(t, first, again)
	path := filepath.Join(added.Path, "README.md")
	for _, content := range []string{forged, readme} {
		require.NoError(t, os.Chmod(path, 0o644))
		keepTimes(t, path, func() { require.NoError(t, os.WriteFile(path, []byte(content), 0o644)) })
		require.NoError(t, os.Chmod(path, 0o444))
		second, err := store.Look(t.Context(), added.Digest)
		if content == forged {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.NotEqual(t, first, second)
	}
}

func TestAnotherStoreOfTheSameDirectoryHashesForItself(t *testing.T) {
	_, added, _ := sealed(t)
	other, err := bundle.OpenStore(filepath.Dir(added.Path))
	require.NoError(t, err)
	require.False(t, other.Sealed(added.Digest))
}

func TestWhatACallerDoesToABundleIsNotInTheNext(t *testing.T) {
	store, added, _ := sealed(t)
	first, err := store.Lookup(t.Context(), added.Digest.String())
	require.NoError(t, err)
	first.Manifest.Files[0].Path = "elsewhere"
	second, err := store.Lookup(t.Context(), "visits")
	require.NoError(t, err)
	require.Equal(t, added, second)
}

// The changes all keep the bundle whole or spoil it for good: never is a spoilt one let
// through after its change was complete.
func TestACheckBesideAChangeIsNeverFooled(t *testing.T) {
	store, added, _ := sealed(t)
	path := filepath.Join(added.Path, "README.md")
	require.NoError(t, os.Chmod(path, 0o644))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				var fault *bundle.FaultError
				if err := store.Check(t.Context(), added.Digest); err != nil && !errors.As(err, &fault) {
					t.Error(err)
				}
			}
		})
	}
	for n := range 100 {
		content := readme
		if n%2 == 0 {
			content = forged
		}
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		tick(t, filepath.Dir(added.Path)) // no seal of this test is too young
		if err := store.Check(t.Context(), added.Digest); n%2 == 0 {
			requireFault(t, err, "README.md: its content differs")
		} else {
			require.NoError(t, err)
		}
	}
	all.Wait()
}
