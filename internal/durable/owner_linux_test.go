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
	require.NoError(t, durable.OwnDir(dir))
	require.NoError(t, durable.OwnDir(filepath.Join(dir, "a", "b")), "it can be made")
	require.NoDirExists(t, filepath.Join(dir, "a"))
	// Who follows what it says gives nothing away that is there, whatever that holds.
	for _, holds := range []string{"", "signing.key", "audit.jsonl", "service.db", "passwd"} {
		its := filepath.Join(dir, "its "+holds)
		require.NoError(t, os.Mkdir(its, 0o755))
		if holds != "" {
			require.NoError(t, os.WriteFile(filepath.Join(its, holds), nil, 0o600))
		}
		require.NoError(t, os.Chown(its, 65534, 65534))
		err := durable.OwnDir(its)
		require.ErrorContains(t, err, "`install -d -o "+durable.ThisUser()+" -m 700 DIRECTORY`", holds)
		require.NotContains(t, err.Error(), "chown", holds)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	require.Error(t, durable.OwnDir(filepath.Join(dir, "file")))
	require.Error(t, durable.OwnDir(filepath.Join(dir, "file", "x")))
}
