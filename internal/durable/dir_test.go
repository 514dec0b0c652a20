package durable_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
)

// nobody is another user. Only root can act for him.
const nobody = 65534

func asRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to make what belongs to another user")
	}
}

func foreignLink(t *testing.T, target, path string) {
	t.Helper()
	require.NoError(t, os.Symlink(target, path))
	require.NoError(t, os.Lchown(path, nobody, nobody))
}

func TestOpenDirFollowsOurOwnLinksOnly(t *testing.T) {
	asRoot(t)
	dir, victim := t.TempDir(), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(victim, "below"), 0o700))
	require.NoError(t, os.Symlink(victim, filepath.Join(dir, "ours")))
	require.NoError(t, os.Symlink("ours/below/..", filepath.Join(dir, "again")))
	foreignLink(t, victim, filepath.Join(dir, "theirs"))
	require.NoError(t, os.Symlink("theirs", filepath.Join(dir, "ours-to-theirs")))
	require.NoError(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	for name, fault := range map[string]string{
		".": "", "ours": "", "ours/below": "", "again/below": "", "ours/../": "",
		"theirs": "of another user", "theirs/below": "of another user", "ours-to-theirs/below": "of another user",
		"loop": "too many levels", "file": "not a directory", "absent": "no such file",
	} {
		root, err := durable.OpenDir(dir + "/" + name)
		if fault != "" {
			require.ErrorContains(t, err, fault, name)
			continue
		}
		require.NoError(t, err, name)
		require.NoError(t, root.Close())
	}
}

func TestAnOpenDirStaysWhenItsNameLeadsElsewhere(t *testing.T) {
	above, victim := t.TempDir(), t.TempDir()
	dir := filepath.Join(above, "dir")
	require.NoError(t, os.Mkdir(dir, 0o700))
	root, err := durable.OpenDir(dir)
	require.NoError(t, err)
	defer root.Close()
	require.NoError(t, os.Rename(dir, dir+"-gone"))
	require.NoError(t, os.Symlink(victim, dir))
	require.NoError(t, root.WriteFile("file", nil, 0o600))
	require.FileExists(t, dir+"-gone/file")
	require.NoFileExists(t, filepath.Join(victim, "file"))
}

func TestMakeDirGivesModesToOurOwnOnly(t *testing.T) {
	asRoot(t)
	dir, victim := t.TempDir(), t.TempDir()
	require.NoError(t, os.Chmod(victim, 0o700))
	require.NoError(t, durable.MakeDir(filepath.Join(dir, "new"), 0o711))
	require.NoError(t, durable.MakeDir(filepath.Join(dir, "new"), 0o750))
	info, err := os.Stat(filepath.Join(dir, "new"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o750), info.Mode().Perm())

	require.NoError(t, os.Symlink(victim, filepath.Join(dir, "link")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "theirs"), 0o755))
	require.NoError(t, os.Chown(filepath.Join(dir, "theirs"), nobody, nobody))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	for _, name := range []string{"link", "theirs", "file"} {
		require.Error(t, durable.MakeDir(filepath.Join(dir, name), 0o777), name)
	}
	info, err = os.Stat(victim)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestCreateOverwritesNothingThroughAForeignName(t *testing.T) {
	asRoot(t)
	dir := t.TempDir()
	victim := filepath.Join(t.TempDir(), "precious")
	require.NoError(t, os.WriteFile(victim, []byte("precious"), 0o600))
	foreignLink(t, victim, filepath.Join(dir, "link"))
	foreignLink(t, filepath.Dir(victim), filepath.Join(dir, "directory"))
	require.NoError(t, os.Link(victim, filepath.Join(dir, "hard")))
	for _, name := range []string{"link", "directory/precious", "hard", "."} {
		_, err := durable.Create(filepath.Join(dir, name))
		require.Error(t, err, name)
	}
	content, err := os.ReadFile(victim)
	require.NoError(t, err)
	require.Equal(t, "precious", string(content))
}

func TestCreateEmptiesWhatTheUserNames(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "report"), []byte("much longer than the next"), 0o600))
	require.NoError(t, os.Symlink("report", filepath.Join(dir, "link")))
	for _, name := range []string{"report", "link", "new"} {
		file, err := durable.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		_, err = file.WriteString(name)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, name, string(content))
	}
}

func TestCreateTakesWhatOnlyTakesBytes(t *testing.T) {
	for _, name := range []string{"/dev/null", "/dev/stderr"} {
		file, err := durable.Create(name)
		require.NoError(t, err, name)
		require.NoError(t, file.Close())
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, unix.Mkfifo(pipe, 0o600))
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0)
	require.NoError(t, err)
	defer reader.Close()
	file, err := durable.Create(pipe)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

// hasToAnswer runs what must not wait for another process.
func hasToAnswer(t *testing.T, what func() error) error {
	t.Helper()
	answer := make(chan error, 1)
	go func() { answer <- what() }()
	select {
	case err := <-answer:
		return err
	case <-time.After(time.Minute):
	}
	t.Fatal("it waits for another user")
	return nil
}

func TestNobodyElseKeepsAnOpenWaiting(t *testing.T) {
	asRoot(t)
	dir := t.TempDir()
	for _, name := range []string{"theirs", "theirs-read", "ours"} {
		require.NoError(t, unix.Mkfifo(filepath.Join(dir, name), 0o666))
	}
	for _, name := range []string{"theirs", "theirs-read"} {
		require.NoError(t, os.Chown(filepath.Join(dir, name), nobody, nobody))
	}
	reader, err := os.OpenFile(filepath.Join(dir, "theirs-read"), os.O_RDWR, 0)
	require.NoError(t, err)
	defer reader.Close()
	socket, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	require.NoError(t, err)
	defer unix.Close(socket)
	require.NoError(t, unix.Bind(socket, &unix.SockaddrUnix{Name: filepath.Join(dir, "socket")}))
	for name, fault := range map[string]string{
		"theirs": "nobody reads", "theirs-read": "another user", "ours": "nobody reads", "socket": "a socket",
	} {
		require.ErrorContains(t, hasToAnswer(t, func() error {
			_, err := durable.Create(filepath.Join(dir, name))
			return err
		}), fault, name)
	}
	for _, name := range []string{"theirs", "theirs-read", "ours"} {
		require.ErrorContains(t, hasToAnswer(t, func() error {
			_, err := durable.Open(filepath.Join(dir, name))
			return err
		}), "not a regular file", name)
	}
}

func TestOpenReadsFilesOnly(t *testing.T) {
	asRoot(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
	require.NoError(t, os.Symlink("file", filepath.Join(dir, "link")))
	foreignLink(t, file, filepath.Join(dir, "theirs"))
	foreignLink(t, dir, filepath.Join(dir, "above"))
	for name, fault := range map[string]string{
		"file": "", "link": "", "theirs": "of another user", "above/file": "of another user",
		".": "not a regular file", "../../../../../dev/zero": "not a regular file", "absent": "no such file",
	} {
		opened, err := durable.Open(filepath.Join(dir, name))
		if fault != "" {
			require.ErrorContains(t, err, fault, name)
			continue
		}
		require.NoError(t, err, name)
		content, err := io.ReadAll(opened)
		require.NoError(t, errors.Join(err, opened.Close()))
		require.Equal(t, "text", string(content))
	}
}

func TestOpenReadsWhatIsOpenAlready(t *testing.T) {
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer reader.Close()
	_, err = writer.WriteString("text")
	require.NoError(t, errors.Join(err, writer.Close()))
	file, err := durable.Open(fmt.Sprintf("/dev/fd/%d", reader.Fd()))
	require.NoError(t, err)
	content, err := io.ReadAll(file)
	require.NoError(t, errors.Join(err, file.Close()))
	require.Equal(t, "text", string(content))
}

func TestOthersBelow(t *testing.T) {
	asRoot(t)
	for name, spoil := range map[string]struct {
		above func(dir string) error
		fault string
	}{
		"nothing to say": {func(string) error { return nil }, ""},
		"sticky":         {func(dir string) error { return os.Chmod(dir, 0o777|os.ModeSticky) }, ""},
		"another user's": {func(dir string) error { return os.Chown(dir, nobody, 0) }, "belongs to user 65534"},
		"another user's sticky": {func(dir string) error {
			return errors.Join(os.Chown(dir, nobody, 0), os.Chmod(dir, 0o755|os.ModeSticky))
		}, "belongs to user 65534"},
		"everybody writes":                {func(dir string) error { return os.Chmod(dir, 0o757) }, "by everybody"},
		"an access control list":          {func(dir string) error { return listed(dir, 7, 7) }, "access control list"},
		"a list that its mask makes void": {func(dir string) error { return listed(dir, 7, 5) }, ""},
		"root's group writes":             {func(dir string) error { return os.Chmod(dir, 0o775) }, "by group 0"},
		"a group writes":                  {func(dir string) error { return errors.Join(os.Chown(dir, 0, nobody), os.Chmod(dir, 0o775)) }, "by group 65534"},
	} {
		t.Run(name, func(t *testing.T) {
			above := filepath.Join(t.TempDir(), "above")
			require.NoError(t, os.MkdirAll(filepath.Join(above, "middle"), 0o755))
			require.NoError(t, spoil.above(above))
			err := durable.OthersBelow(filepath.Join(above, "middle/state"))
			made, makeErr := durable.MakeTrusted(filepath.Join(above, "middle/new/state"))
			if spoil.fault == "" {
				require.NoError(t, err)
				require.NoError(t, makeErr)
				require.Equal(t, filepath.Join(above, "middle/new/state"), made)
				return
			}
			require.ErrorContains(t, err, spoil.fault)
			require.ErrorContains(t, err, above)
			require.ErrorIs(t, makeErr, durable.ErrNotTrusted)
			require.ErrorContains(t, makeErr, spoil.fault)
			require.NoDirExists(t, filepath.Join(above, "middle/new"))
		})
	}
}

// listed gives nobody rights by an access control list, of which the mask leaves
// what it has too.
func listed(dir string, rights, mask uint16) error {
	list := binary.LittleEndian.AppendUint32(nil, 2)
	for _, entry := range []struct {
		tag, rights uint16
		id          uint32
	}{{1, 7, ^uint32(0)}, {2, rights, nobody}, {4, 5, ^uint32(0)}, {0x10, mask, ^uint32(0)}, {0x20, 5, ^uint32(0)}} {
		list = binary.LittleEndian.AppendUint16(list, entry.tag)
		list = binary.LittleEndian.AppendUint16(list, entry.rights)
		list = binary.LittleEndian.AppendUint32(list, entry.id)
	}
	return unix.Setxattr(dir, "system.posix_acl_access", list, 0)
}

// TestMakeTrustedFollowsNobodyElse: a link is judged by its directory too, for its
// owner could have made it lead elsewhere by the next command.
func TestMakeTrustedFollowsNobodyElse(t *testing.T) {
	asRoot(t)
	above, victim := t.TempDir(), t.TempDir()
	theirs, sticky := filepath.Join(above, "theirs"), filepath.Join(above, "sticky")
	require.NoError(t, os.Mkdir(theirs, 0o755))
	require.NoError(t, os.Mkdir(sticky, 0o755))
	require.NoError(t, os.Symlink(victim, filepath.Join(theirs, "our-link")))
	foreignLink(t, victim, filepath.Join(theirs, "link"))
	require.NoError(t, os.Chown(theirs, nobody, nobody))
	require.NoError(t, os.Chmod(sticky, 0o777|os.ModeSticky))
	foreignLink(t, victim, filepath.Join(sticky, "link"))
	require.NoError(t, os.Symlink(victim, filepath.Join(sticky, "our-link")))
	require.NoError(t, os.Symlink("../theirs/our-link", filepath.Join(sticky, "over-theirs")))
	require.NoError(t, os.WriteFile(filepath.Join(above, "file"), nil, 0o600))
	for path, want := range map[string]error{
		"theirs/link": durable.ErrNotTrusted, "theirs/link/new": durable.ErrNotTrusted,
		"theirs/our-link": durable.ErrNotTrusted, "theirs/new": durable.ErrNotTrusted,
		"sticky/over-theirs/new": durable.ErrNotTrusted, "sticky/link": durable.ErrForeignLink,
		"sticky/link/new": durable.ErrForeignLink, "file": unix.ENOTDIR, "file/new": unix.ENOTDIR,
	} {
		_, err := durable.MakeTrusted(filepath.Join(above, path))
		require.ErrorIs(t, err, want, path)
	}
	entries, err := os.ReadDir(victim)
	require.NoError(t, err)
	require.Empty(t, entries)
	made, err := durable.MakeTrusted(filepath.Join(sticky, "our-link/a/b"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(victim, "a/b"), made)
	info, err := os.Stat(made)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}
