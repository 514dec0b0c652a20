package durable_test

import (
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
