package image

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
	"hotcell/internal/fingerprint"
)

func archive(t *testing.T, entries ...tar.Header) io.Reader {
	t.Helper()
	var content bytes.Buffer
	writer := tar.NewWriter(&content)
	for _, entry := range entries {
		require.NoError(t, writer.WriteHeader(&entry))
	}
	require.NoError(t, writer.Close())
	return &content
}

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	return root
}

func TestUnpackRefusesHostileEntries(t *testing.T) {
	file := func(name string) tar.Header { return tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644} }
	directory := func(name string) tar.Header { return tar.Header{Typeflag: tar.TypeDir, Name: name, Mode: 0o755} }
	link := func(name, target string) tar.Header {
		return tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: target, Mode: 0o777}
	}
	with := func(entry tar.Header, change func(*tar.Header)) tar.Header { change(&entry); return entry }
	tests := map[string][]tar.Header{
		"absolute name":                  {file("/etc/passwd")},
		"name that climbs":               {file("../passwd")},
		"name that climbs in the middle": {directory("a/"), file("a/../../passwd")},
		"name with a dot":                {file("./passwd")},
		"name with two slashes":          {directory("a/"), file("a//b")},
		"the root itself":                {directory("./")},
		"directory that climbs":          {directory("../a/")},
		"directory outside":              {directory("/a/")},
		"file twice":                     {file("a"), file("a")},
		"directory twice":                {directory("a/"), directory("a/")},
		"file in place of a link":        {link("a", "b"), file("a")},
		"file through an absolute link":  {link("a", "/tmp"), file("a/b")},
		"file through a climbing link":   {link("a", "../.."), file("a/b")},
		"file without its directory":     {file("a/b")},
		"hard link":                      {file("a"), {Typeflag: tar.TypeLink, Name: "b", Linkname: "a"}},
		"hard link to the host":          {{Typeflag: tar.TypeLink, Name: "b", Linkname: "/etc/shadow"}},
		"character device":               {{Typeflag: tar.TypeChar, Name: "null", Devmajor: 1, Devminor: 3}},
		"block device":                   {{Typeflag: tar.TypeBlock, Name: "sda", Devmajor: 8}},
		"fifo":                           {{Typeflag: tar.TypeFifo, Name: "fifo"}},
		"contiguous file":                {{Typeflag: tar.TypeCont, Name: "a"}},
		"setuid file":                    {with(file("su"), func(h *tar.Header) { h.Mode = 0o4755 })},
		"setgid file":                    {with(file("su"), func(h *tar.Header) { h.Mode = 0o2755 })},
		"sticky directory":               {with(directory("tmp/"), func(h *tar.Header) { h.Mode = 0o1755 })},
		"file for all to write":          {with(file("a"), func(h *tar.Header) { h.Mode = 0o666 })},
		"directory for all to write":     {with(directory("a/"), func(h *tar.Header) { h.Mode = 0o777 })},
		"file of a user":                 {with(file("a"), func(h *tar.Header) { h.Uid = 1000 })},
		"file of a group":                {with(file("a"), func(h *tar.Header) { h.Gid = 1000 })},
		"whiteout":                       {file(".wh.passwd")},
		"opaque whiteout":                {directory("a/"), file("a/.wh..wh..opq")},
		"file capability": {with(file("ping"), func(h *tar.Header) {
			h.PAXRecords = map[string]string{"SCHILY.xattr.security.capability": "\x01\x00\x00\x02"}
		})},
	}
	for name, entries := range tests {
		t.Run(name, func(t *testing.T) {
			outside := t.TempDir()
			inside := filepath.Join(outside, "a", "b")
			require.NoError(t, os.MkdirAll(inside, 0o755))
			require.Error(t, unpack(t.Context(), archive(t, entries...), openRoot(t, inside)))
			require.NoFileExists(t, filepath.Join(outside, "passwd"))
			require.NoFileExists(t, filepath.Join(outside, "a", "passwd"))
		})
	}
}

func TestUnpackRefusesBrokenArchives(t *testing.T) {
	whole, err := io.ReadAll(archive(t, tar.Header{Typeflag: tar.TypeReg, Name: "a", Mode: 0o644}))
	require.NoError(t, err)
	require.Error(t, unpack(t.Context(), bytes.NewReader(whole[:300]), openRoot(t, t.TempDir())))
	require.Error(t, unpack(t.Context(), bytes.NewReader(bytes.Repeat([]byte("x"), 2048)), openRoot(t, t.TempDir())))
}

func TestLayerRoundTrip(t *testing.T) {
	dir := tree(t, map[string]string{"usr/bin/python3": "program", "usr/lib/lib.so": "library", "etc/empty": ""})
	require.NoError(t, os.Symlink("/usr/lib/lib.so", filepath.Join(dir, "etc", "link")))
	require.NoError(t, os.Chmod(filepath.Join(dir, "usr/lib/lib.so"), 0o777))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "proc"), 0o777))
	long := filepath.Join("etc", string(bytes.Repeat([]byte("n"), 200)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, long), nil, 0o600))

	var layer bytes.Buffer
	seen, err := writeLayer(t.Context(), &layer, openRoot(t, dir), ".", released)
	require.NoError(t, err)
	require.Equal(t, contents{bytes: int64(len("program" + "library")), files: 4}, seen)

	unpacked := t.TempDir()
	require.NoError(t, unpack(t.Context(), &layer, openRoot(t, unpacked)))
	modes := map[string]fs.FileMode{}
	require.NoError(t, filepath.WalkDir(unpacked, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		name, err := filepath.Rel(unpacked, path)
		require.NoError(t, err)
		if name != "." {
			modes[name] = info.Mode()
		}
		if name != "." && entry.Type() != fs.ModeSymlink {
			require.True(t, info.ModTime().Equal(released), name)
		}
		return nil
	}))
	require.Equal(t, map[string]fs.FileMode{
		"etc": fs.ModeDir | 0o755, "proc": fs.ModeDir | 0o755, "usr": fs.ModeDir | 0o755,
		"usr/bin": fs.ModeDir | 0o755, "usr/lib": fs.ModeDir | 0o755,
		"etc/empty": 0o644, long: 0o644, "etc/link": fs.ModeSymlink | 0o777,
		"usr/bin/python3": 0o711, "usr/lib/lib.so": 0o644,
	}, modes)
	target, err := os.Readlink(filepath.Join(unpacked, "etc/link"))
	require.NoError(t, err)
	require.Equal(t, "/usr/lib/lib.so", target)
}

func TestLayerDoesNotDependOnTheHost(t *testing.T) {
	write := func(names []string, mode os.FileMode) []byte {
		dir := t.TempDir()
		for _, name := range names {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
			require.NoError(t, os.Chmod(filepath.Join(dir, name), mode))
			require.NoError(t, os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Now().Add(time.Hour)))
		}
		var layer bytes.Buffer
		_, err := writeLayer(t.Context(), &layer, openRoot(t, dir), ".", released)
		require.NoError(t, err)
		return layer.Bytes()
	}
	require.Equal(t, write([]string{"a", "b", "c"}, 0o600), write([]string{"c", "b", "a"}, 0o755))
}

func TestLayerRefusesWhatAnImageMustNotHold(t *testing.T) {
	tests := map[string]func(path string) error{
		"setuid file":      func(path string) error { return createMode(path, os.ModeSetuid|0o755) },
		"setgid file":      func(path string) error { return createMode(path, os.ModeSetgid|0o755) },
		"fifo":             func(path string) error { return unix.Mkfifo(path, 0o600) },
		"setgid directory": func(path string) error { return firstError(os.Mkdir(path, 0o755), os.Chmod(path, os.ModeSetgid|0o755)) },
	}
	for name, create := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, create(filepath.Join(dir, "bad")))
			_, err := writeLayer(t.Context(), io.Discard, openRoot(t, dir), ".", released)
			require.ErrorContains(t, err, "bad")
		})
	}
}

func createMode(path string, mode os.FileMode) error {
	return firstError(os.WriteFile(path, nil, 0o755), os.Chmod(path, mode))
}

func TestRootfsIsUnpackedOnce(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	var group sync.WaitGroup
	dirs := make([]string, 8)
	for n := range dirs {
		group.Go(func() {
			dir, err := store.Rootfs(context.Background(), image.Digest)
			if err == nil {
				dirs[n] = dir
			}
		})
	}
	group.Wait()
	for _, dir := range dirs {
		require.Equal(t, filepath.Join(store.dir, "rootfs", string(image.Digest.Hex())), dir)
	}
	content, err := os.ReadFile(filepath.Join(dirs[0], "usr/bin/guard"))
	require.NoError(t, err)
	require.Equal(t, "one", string(content))
	left, err := os.ReadDir(filepath.Join(store.dir, workDir))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestInterruptedUnpackingLeavesNothing(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := store.Rootfs(ctx, image.Digest)
	require.ErrorIs(t, err, context.Canceled)
	for _, dir := range []string{rootfsDir, workDir} {
		left, err := os.ReadDir(filepath.Join(store.dir, dir))
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

func TestWhatAKilledProcessLeftIsRemoved(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	stale := filepath.Join(store.dir, workDir, rootfsDir, "usr")
	require.NoError(t, os.MkdirAll(stale, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(stale, "half"), nil, 0o600))
	dir, err := store.Rootfs(t.Context(), image.Digest)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(dir, "usr", "half"))
}

func TestLockWaitsUntilTheContextEnds(t *testing.T) {
	store := newStore(t)
	release, err := store.lock(t.Context(), "build")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = store.lock(ctx, "build")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, release())
	release, err = store.lock(t.Context(), "build")
	require.NoError(t, err)
	require.NoError(t, release())
}

func TestVerifyFindsWhatHasChangedInTheRootfs(t *testing.T) {
	tests := map[string]struct {
		change  func(dir string) error
		message string
	}{
		"nothing":     {func(string) error { return nil }, ""},
		"a byte":      {func(dir string) error { return os.WriteFile(filepath.Join(dir, "etc/passwd"), []byte("rOOt"), 0o644) }, "etc/passwd has other bytes"},
		"a mode":      {func(dir string) error { return os.Chmod(filepath.Join(dir, "etc/passwd"), 0o666) }, "etc/passwd has mode"},
		"a setuid":    {func(dir string) error { return os.Chmod(filepath.Join(dir, "usr/bin/python3.13"), 0o755|os.ModeSetuid) }, "python3.13 has mode"},
		"a directory": {func(dir string) error { return os.Chmod(filepath.Join(dir, "etc"), 0o777) }, "etc has mode"},
		"a link": {func(dir string) error {
			return firstError(os.Remove(filepath.Join(dir, "bin")), os.Symlink("/tmp", filepath.Join(dir, "bin")))
		}, "bin leads to /tmp"},
		"a file in place of a link": {func(dir string) error {
			return firstError(os.Remove(filepath.Join(dir, "bin")), os.WriteFile(filepath.Join(dir, "bin"), nil, 0o644))
		}, "bin has mode"},
		"one more file": {func(dir string) error { return os.WriteFile(filepath.Join(dir, "etc/shadow"), nil, 0o644) }, "etc/shadow is not in the image"},
		"one less file": {func(dir string) error { return os.Remove(filepath.Join(dir, "etc/passwd")) }, "no such file"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			image := addImage(t, store, "one")
			require.NoError(t, store.Verify(t.Context(), image.Digest), "before it is unpacked")
			dir, err := store.Rootfs(t.Context(), image.Digest)
			require.NoError(t, err)
			require.NoError(t, test.change(dir))
			err = store.Verify(t.Context(), image.Digest)
			if test.message == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.message)
		})
	}
}

// rootfsOf unpacks an image.
func rootfsOf(t *testing.T, store *Store, image Image) string {
	t.Helper()
	dir, err := store.Rootfs(t.Context(), image.Digest)
	require.NoError(t, err)
	return dir
}

// changes are what can be done to an unpacked image, each with what is told of it.
var changes = map[string]struct {
	change  func(dir string) error
	message string
}{
	"one more file":      {func(dir string) error { return os.WriteFile(filepath.Join(dir, "etc/shadow"), nil, 0o644) }, "etc/shadow is not in the image"},
	"one more directory": {func(dir string) error { return os.Mkdir(filepath.Join(dir, "usr/lib"), 0o755) }, "usr/lib is not in the image"},
	"one less file":      {func(dir string) error { return os.Remove(filepath.Join(dir, "etc/passwd")) }, "etc/passwd: no such file"},
	"a renamed file": {func(dir string) error {
		return os.Rename(filepath.Join(dir, "etc/passwd"), filepath.Join(dir, "etc/passwd-"))
	}, "etc/passwd"},
	"a mode":   {func(dir string) error { return os.Chmod(filepath.Join(dir, "etc/passwd"), 0o666) }, "etc/passwd has mode"},
	"an owner": {func(dir string) error { return os.Chown(filepath.Join(dir, "etc/passwd"), 65534, 0) }, "etc/passwd belongs to another user"},
	"a link": {func(dir string) error {
		return firstError(os.Remove(filepath.Join(dir, "bin")), os.Symlink("/tmp", filepath.Join(dir, "bin")))
	}, "bin leads to /tmp"},
	"other bytes, as long": {func(dir string) error { return rewrite(filepath.Join(dir, "etc/passwd")) }, "etc/passwd has other bytes"},
	"an attribute": {func(dir string) error {
		return unix.Setxattr(filepath.Join(dir, "etc/passwd"), "user.planted", []byte("x"), 0)
	}, "etc/passwd has the attribute user.planted"},
}

// rewrite changes a file's bytes and takes back size and time, as whoever does not
// want to be noticed would.
func rewrite(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	content := make([]byte, info.Size())
	return firstError(os.WriteFile(path, content, 0), os.Chtimes(path, info.ModTime(), info.ModTime()))
}

// TestAChangedRootfsIsRefusedBeforeEachRun: a record names the digest of what ran.
func TestAChangedRootfsIsRefusedBeforeEachRun(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to give a file away")
	}
	for name, test := range changes {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			image := addImage(t, store, "one")
			dir := rootfsOf(t, store, image)
			require.Equal(t, dir, rootfsOf(t, store, image))
			if err := test.change(dir); errors.Is(err, unix.ENOTSUP) {
				t.Skip("no extended attributes on this file system")
			} else {
				require.NoError(t, err)
			}
			for range 2 { // it does not become the truth by having been seen
				_, err := store.Rootfs(t.Context(), image.Digest)
				require.ErrorIs(t, err, errChanged)
				require.ErrorContains(t, err, test.message)
				require.ErrorContains(t, err, "runner image verify --repair")
			}
			require.ErrorIs(t, store.Verify(t.Context(), image.Digest), errChanged)

			kept, err := store.Repair(t.Context(), image.Digest)
			require.NoError(t, err)
			require.DirExists(t, kept)
			require.Equal(t, dir, rootfsOf(t, store, image))
			require.NoError(t, store.Verify(t.Context(), image.Digest))
		})
	}
}

func TestRepairLosesNothingAndTouchesNothingThatIsWell(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	dir := rootfsOf(t, store, image)
	kept, err := store.Repair(t.Context(), image.Digest)
	require.NoError(t, err)
	require.Empty(t, kept)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "planted"), []byte("evidence"), 0o644))
	kept, err = store.Repair(t.Context(), image.Digest)
	require.NoError(t, err)
	content, err := os.ReadFile(filepath.Join(kept, "planted"))
	require.NoError(t, err)
	require.Equal(t, "evidence", string(content))
	require.NoFileExists(t, filepath.Join(dir, "planted"))
}

// TestARootfsThatOnlyLooksOtherIsReadAgain: a state directory that was moved, or
// comes from an older version, which knew no seals.
func TestARootfsThatOnlyLooksOtherIsReadAgain(t *testing.T) {
	for name, disturb := range map[string]func(store *Store, sum digest.Digest, dir string) error{
		"no seal": func(store *Store, sum digest.Digest, _ string) error { return os.Remove(store.sealPath(sum)) },
		"a damaged seal": func(store *Store, sum digest.Digest, _ string) error {
			return os.WriteFile(store.sealPath(sum), []byte("{"), 0o600)
		},
		"another's seal": func(store *Store, sum digest.Digest, _ string) error {
			return os.WriteFile(store.sealPath(sum), []byte(`{"version":1,"digest":"sha256:0","fingerprint":"x","verified_at":"2026-01-01T00:00:00Z"}`), 0o600)
		},
		"other ctimes": func(_ *Store, _ digest.Digest, dir string) error {
			return os.Chmod(filepath.Join(dir, "etc/passwd"), 0o644)
		},
		"another inode": func(_ *Store, _ digest.Digest, dir string) error {
			path := filepath.Join(dir, "etc/passwd")
			content, err := os.ReadFile(path)
			return firstError(err, os.Remove(path), os.WriteFile(path, content, 0o644), os.Chmod(path, 0o644))
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			image := addImage(t, store, "one")
			dir := rootfsOf(t, store, image)
			require.NoError(t, disturb(store, image.Digest, dir))
			held, err := store.holds(t.Context(), image.Digest)
			require.NoError(t, err)
			require.False(t, held)
			rootfsOf(t, store, image)
			held, err = store.holds(t.Context(), image.Digest)
			require.NoError(t, err)
			require.True(t, held)
			require.WithinDuration(t, time.Now(), store.VerifiedAt(image.Digest), time.Minute)
		})
	}
}

// What was changed last could be changed again at the same ctime, after it was read.
func TestATreeIsReadForItsSealWhenItsLastChangeIsLongAgo(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	dir := store.rootfsPath(image.Digest)
	var waited []time.Duration
	store.after = func(wait time.Duration) <-chan time.Time {
		waited = append(waited, wait)
		if len(waited) == 1 {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "etc/passwd"), []byte("root:x:0:1"), 0o644))
		}
		return time.After(0)
	}
	_, err := store.Rootfs(t.Context(), image.Digest)
	require.ErrorIs(t, err, errChanged)
	require.Len(t, waited, 1)
	require.Positive(t, waited[0])
	require.LessOrEqual(t, waited[0], fingerprint.Margin)
	require.True(t, store.VerifiedAt(image.Digest).IsZero())

	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	store.after = func(time.Duration) <-chan time.Time { cancel(gone); return nil }
	_, err = store.Rootfs(ctx, image.Digest)
	require.ErrorIs(t, err, gone)
}

// TestRepairMovesNothingThatItCannotMakeAgain: the layers are read first.
func TestRepairMovesNothingThatItCannotMakeAgain(t *testing.T) {
	store := newStore(t)
	image := addImage(t, store, "one")
	dir := rootfsOf(t, store, image)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "planted"), nil, 0o644))
	require.NoError(t, rewrite(store.blobs.path(manifestOf(t, store, image.Digest).Layers[0].Digest)))
	_, err := store.Repair(t.Context(), image.Digest)
	require.ErrorContains(t, err, "runner image build")
	require.FileExists(t, filepath.Join(dir, "planted"))
}
