package integration_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/job"
)

// writesTwoMegabytes needs more than every disk of the tests below has.
const writesTwoMegabytes = `
for n in range(8):
    (OUTPUT / f"{n}.txt").write_text("x" * (1 << 18))
`

// TestAFullDiskFailsTheRunAndLeavesNothing gives the state directory disks of
// several sizes, so that it is full at several moments of a run.
func TestAFullDiskFailsTheRunAndLeavesNothing(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		for _, options := range []string{
			"size=4k", "size=8k", "size=16k", "size=24k", "size=64k", "size=512k", "size=1500k", "size=2052k", "size=2056k",
			"size=64m,nr_inodes=9", "size=64m,nr_inodes=12", "size=64m,nr_inodes=15", "size=64m,nr_inodes=19", "size=64m,nr_inodes=23",
		} {
			t.Run(options, func(t *testing.T) {
				w := newWorkspace(t, target)
				mountDisk(t, w.state, "size=64k,nr_inodes=100")
				w.begin()
				remountDisk(t, w.state, options)
				e := w.run(writesTwoMegabytes)
				t.Log(e.stderr)
				require.Equal(t, job.ExitInternal, e.code, e.stderr)
				require.Regexp(t, "(?i)no space left on device", e.stderr)
				remountDisk(t, w.state, "size=64m,nr_inodes=1000")
				if len(w.runs.ids()) > 0 {
					w.requireNothingLeft()
				}
				w.requireUsable()
				w.requireNothingLeft()
			})
		}
	})
}

// TestAFullDiskForOutputKeepsTheRecord copies to a disk that is too small.
func TestAFullDiskForOutputKeepsTheRecord(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		disk := w.path("disk")
		require.NoError(t, os.Mkdir(disk, 0o700))
		mountDisk(t, disk, "size=256k")
		e := w.run(writesTwoMegabytes, "--output", filepath.Join(disk, "out"))
		require.Equal(t, job.ExitInternal, e.code)
		require.Contains(t, e.stderr, "no space left on device")
		require.Empty(t, names(t, disk))
		w.requireNothingLeft()
		id := w.runs.ids()[0]
		require.Len(t, names(t, filepath.Join(w.state, "runs", id, "files")), 8)
		require.Contains(t, e.stderr, id, "the message does not say where the files are")
		require.NotContains(t, e.stderr, "  output   ", "nothing is there")

		e = w.run(writesTwoMegabytes, "--json", "--output", filepath.Join(disk, "out"))
		require.Equal(t, job.ExitInternal, e.code)
		var said struct {
			job.Result
			ExitCode int `json:"exit_code"`
		}
		require.NoError(t, json.Unmarshal([]byte(e.stdout), &said))
		require.Equal(t, e.code, said.ExitCode)
		require.Equal(t, job.Succeeded, said.Status, "the code did")
		require.Equal(t, "export.failed", said.Error.Type)
		require.Contains(t, said.Error.Message, filepath.Join(w.state, "runs", said.RunID.String(), "files"))
	})
}

func mountDisk(t *testing.T, dir, options string) {
	t.Helper()
	require.NoError(t, unix.Mount("hotcell-test", dir, "tmpfs", 0, "mode=700,"+options))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
}

func remountDisk(t *testing.T, dir, options string) {
	t.Helper()
	require.NoError(t, unix.Mount("", dir, "", unix.MS_REMOUNT, options))
}
