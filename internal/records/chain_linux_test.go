package records

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// TestALineThatDoesNotFitLeavesTheChainAsItWas fills the disk when the next line
// would cross a page, so that the kernel writes its first part and no more.
func TestALineThatDoesNotFitLeavesTheChainAsItWas(t *testing.T) {
	if os.Geteuid() != 0 {
		require.NotEqual(t, "1", os.Getenv("HOTCELL_REQUIRE_ALL"), "this test needs root")
		t.Skip("this test needs root")
	}
	dir := t.TempDir()
	require.NoError(t, unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=64k"))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	c := newChain(dir)
	line := Event{Kind: KindRun, Time: time.Now().UTC(), RunID: job.NewID(time.Now()), Status: job.Succeeded, Subjects: []Subject{{Role: RoleRecord, SHA256: digest.Of(nil).Hex()}}}
	for size := 0; size/4096 == (size+430)/4096; {
		_, _, err := c.append(t.Context(), []Event{line}, signingKey{})
		require.NoError(t, err)
		data, err := os.ReadFile(c.path)
		require.NoError(t, err)
		size = len(data)
	}
	before, err := os.ReadFile(c.path)
	require.NoError(t, err)
	require.ErrorIs(t, os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 128<<10), 0o600), unix.ENOSPC)
	_, _, err = c.append(t.Context(), []Event{line}, signingKey{})
	require.ErrorIs(t, err, unix.ENOSPC)
	after, err := os.ReadFile(c.path)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
}

// Whoever put a pipe there would decide how long the lock is held.
func TestTheChainIsNoPipe(t *testing.T) {
	for name, holdOpen := range map[string]bool{"nobody reads": false, "somebody reads": true} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t.TempDir())
			require.NoError(t, unix.Mkfifo(c.path, 0o600))
			if holdOpen {
				reader, err := os.OpenFile(c.path, os.O_RDONLY|unix.O_NONBLOCK, 0)
				require.NoError(t, err)
				defer reader.Close()
			}
			require.Error(t, c.write([]byte("x\n"), 0))
			require.Error(t, c.sync())
			require.Error(t, c.cut(0))
		})
	}
}
