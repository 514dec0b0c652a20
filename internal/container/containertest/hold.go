package containertest

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func holdTests() []subtest {
	return []subtest{
		{"nothing changes while a sandbox is held", nothingChangesWhileHeld},
		{"a sandbox that was held goes on", heldGoesOn},
		{"a held sandbox is killed", heldIsKilled},
		{"a sandbox that does not run cannot be held", idleIsNotHeld},
	}
}

// hold holds the sandbox and lets it go at the end of the test, if nobody has.
func (r *trial) hold() *container.Held {
	r.t.Helper()
	held, err := r.sandbox.Hold(r.t.Context())
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = held.Release(r.t.Context()) })
	return held
}

func nothingChangesWhileHeld(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: Restless})
	running := r.converse()
	running.expect("ready")
	for range 5 {
		held := r.hold()
		before := snapshot(t, held.Output)
		for range 200 {
			require.Equal(t, before, snapshot(t, held.Output))
		}
		time.Sleep(5 * time.Millisecond) // in which thousands of changes would be made
		require.Equal(t, before, snapshot(t, held.Output))
		require.NoError(t, held.Release(t.Context()))
		// It was the hold: without it the directory becomes another.
		for after := before; slices.Equal(before, after); {
			held := r.hold()
			after = snapshot(t, held.Output)
			require.NoError(t, held.Release(t.Context()))
		}
	}
	running.cancel()
	requireKilledByUs(t, running.wait(), "")
}

// snapshot is everything that the host can see of a directory: which names, which files
// they lead to, and what is in them.
func snapshot(t *testing.T, root *os.Root) []string {
	t.Helper()
	var seen []string
	err := fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := root.Lstat(name)
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			read, err := root.ReadFile(name)
			if err != nil {
				return err
			}
			content = string(read)
		}
		seen = append(seen, fmt.Sprintf("%s %s %d %s %s", name, info.Mode(), info.Size(), info.ModTime(), content))
		return nil
	})
	require.NoError(t, err)
	return seen
}

func heldGoesOn(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: Echo})
	running := r.converse()
	running.say("before")
	running.expect("before")
	for range 3 {
		held := r.hold()
		_, err := r.sandbox.Hold(t.Context())
		require.ErrorIs(t, err, container.ErrInUse)
		require.NoError(t, held.Release(t.Context()))
		require.NoError(t, held.Release(t.Context()), "idempotent")
		running.say("after")
		running.expect("after")
	}
	requireCleanEnd(t, running.finish())
}

func heldIsKilled(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: Hang})
	running := r.converse()
	running.expect("ready")
	held := r.hold()
	running.cancel()
	requireKilledByUs(t, running.wait(), "")
	require.ErrorIs(t, held.Release(t.Context()), container.ErrHoldBroken)
	_, err := r.sandbox.Hold(t.Context())
	require.ErrorIs(t, err, container.ErrNotRunning)
}

func idleIsNotHeld(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ExitWith})
	_, err := r.sandbox.Hold(t.Context())
	require.ErrorIs(t, err, container.ErrNotRunning)
	r.collect()
	_, err = r.sandbox.Hold(t.Context())
	require.ErrorIs(t, err, container.ErrNotRunning)
	require.NoError(t, r.sandbox.Destroy(t.Context()))
	_, err = r.sandbox.Hold(t.Context())
	require.ErrorIs(t, err, container.ErrNotRunning)
}
