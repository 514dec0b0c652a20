package durable_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
)

// What a file system makes of another without copying has the same inodes with the
// same times of birth.
func TestACloneOfTheFileSystemHasAnotherOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount")
	}
	base := t.TempDir()
	dirs := map[string]string{}
	for _, name := range []string{"state", "upper", "work", "clone"} {
		dirs[name] = filepath.Join(base, name)
		require.NoError(t, os.Mkdir(dirs[name], 0o700))
	}
	first := owner(t, dirs["state"])
	layers := "lowerdir=" + dirs["state"] + ",upperdir=" + dirs["upper"] + ",workdir=" + dirs["work"]
	require.NoError(t, unix.Mount("overlay", dirs["clone"], "overlay", 0, layers))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dirs["clone"], 0)) })
	clone := owner(t, dirs["clone"])
	require.False(t, durable.IsOwn(first, clone), "%s and %s", first, clone)
	require.False(t, durable.IsOwn(clone, first))
	require.True(t, durable.IsOwn(first, owner(t, dirs["state"])))
}

func TestADirectoryThatIsAnothersIsNotThisUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives a directory away")
	}
	dir := t.TempDir()
	require.NoError(t, durable.OwnDir(dir, "service.db"))
	require.NoError(t, durable.OwnDir(filepath.Join(dir, "a", "b"), "service.db"), "it can be made")
	require.NoDirExists(t, filepath.Join(dir, "a"))
	// Who follows what it says gives nothing away that is there, whatever that holds.
	for _, holds := range []string{"", "signing.key", "audit.jsonl", "service.db", "passwd"} {
		its := filepath.Join(dir, "its "+holds)
		require.NoError(t, os.Mkdir(its, 0o755))
		if holds != "" {
			require.NoError(t, os.WriteFile(filepath.Join(its, holds), nil, 0o600))
		}
		require.NoError(t, os.Chown(its, 65534, 65534))
		err := durable.OwnDir(its, "service.db")
		require.ErrorContains(t, err, "`install -d -o "+durable.ThisUser()+" -m 700 DIRECTORY`", holds)
		require.NotContains(t, err.Error(), "chown", holds)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	require.Error(t, durable.OwnDir(filepath.Join(dir, "file"), "service.db"))
	require.Error(t, durable.OwnDir(filepath.Join(dir, "file", "x"), "service.db"))
}

// TestADirectoryThatOthersNeedIsNotClosed: it is the service's where it is empty, or has what the
// service has left.
func TestADirectoryThatOthersNeedIsNotClosed(t *testing.T) {
	for name, mine := range map[string]bool{"": true, "service.db": true, "lock": false, "a.sock": false, ".profile": false} {
		dir := filepath.Join(t.TempDir(), "data")
		require.NoError(t, os.Mkdir(dir, 0o755))
		if name != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
		}
		err := durable.OwnDir(dir, "service.db")
		if mine {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, "is open to others, who would be shut out", name)
		require.ErrorContains(t, err, "install -d", name)
		require.NoError(t, os.Chmod(dir, 0o700))
		require.NoError(t, durable.OwnDir(dir, "service.db"), "nobody loses anything")
	}
}

func TestAClosedDirectoryAboveAFileIsNamed(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, durable.ClosedAbove(filepath.Join(dir, "a", "file")), "what is missing is not closed")
	if os.Geteuid() == 0 {
		t.Skip("nothing is closed to root")
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "closed"), 0))
	require.ErrorContains(t, durable.ClosedAbove(filepath.Join(dir, "closed", "file")), "may not enter "+filepath.Join(dir, "closed"))
}

// As sshd has it with the files that it believes: the directory, and each above it.
func TestOnlyOwnIsForADirectoryThatNobodyElseCanChange(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives a directory away")
	}
	above := filepath.Join(t.TempDir(), "above")
	dir := filepath.Join(above, "state")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, durable.OnlyOwn(dir))
	link := above + "-link"
	require.NoError(t, os.Symlink(dir, link))
	require.NoError(t, durable.OnlyOwn(link), "a link of this user's")
	for name, test := range map[string]struct {
		spoil, mend func() error
		want        string
	}{
		"another's":            {func() error { return os.Chown(dir, 65534, 0) }, func() error { return os.Chown(dir, 0, 0) }, "belongs to nobody, and not to root"},
		"a group's":            {func() error { return os.Chmod(dir, 0o770) }, func() error { return os.Chmod(dir, 0o700) }, "can be written by its group or by others (mode 0770)"},
		"everybody's":          {func() error { return os.Chmod(dir, 0o777|os.ModeSticky) }, func() error { return os.Chmod(dir, 0o700) }, "(mode 0777)"},
		"another's above":      {func() error { return os.Chown(above, 65534, 0) }, func() error { return os.Chown(above, 0, 0) }, above + " is above it and belongs to user 65534"},
		"everybody's above":    {func() error { return os.Chmod(above, 0o777) }, func() error { return os.Chmod(above, 0o700) }, "can be written by everybody"},
		"not there":            {func() error { return os.Rename(dir, dir+"2") }, func() error { return os.Rename(dir+"2", dir) }, "no such file"},
		"a file":               {func() error { return errors.Join(os.Rename(dir, dir+"2"), os.WriteFile(dir, nil, 0o600)) }, func() error { return errors.Join(os.Remove(dir), os.Rename(dir+"2", dir)) }, "not a directory"},
		"another's link to it": {func() error { return os.Lchown(link, 65534, 0) }, func() error { return os.Lchown(link, 0, 0) }, "link of another user"},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, test.spoil())
			err := durable.OnlyOwn(link)
			require.NoError(t, test.mend())
			require.ErrorContains(t, err, test.want)
			require.NoError(t, durable.OnlyOwn(link))
		})
	}
	require.NoError(t, os.Chmod(above, 0o777|os.ModeSticky))
	require.NoError(t, durable.OnlyOwn(dir), "as in /tmp: nobody else renames what is root's there")
}
