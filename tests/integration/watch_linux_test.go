package integration_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// nameWatch knows every run, or every sandbox, that was begun in a state directory, also
// those that have left nothing there: a draft is made before anything else of a run, and
// a lock or a directory before anything else of a sandbox.
type nameWatch struct {
	t     *testing.T
	watch int // an inotify descriptor, which never blocks
	is    func(name string) error
	seen  map[string]bool
}

func isRun(name string) error {
	_, err := job.ParseID(name)
	return err
}

func isSandbox(name string) error {
	_, err := container.ParseID(name)
	return err
}

func watchNames(t *testing.T, dir string, is func(name string) error) *nameWatch {
	t.Helper()
	descriptor, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Close(descriptor)) })
	_, err = unix.InotifyAddWatch(descriptor, dir, unix.IN_CREATE|unix.IN_MOVED_TO)
	require.NoError(t, err)
	return &nameWatch{t, descriptor, is, map[string]bool{}}
}

// ids returns those so far. It reads the descriptor itself: an os.File needs a
// deadline in order not to block, and one that has passed on a busy machine before
// the read begins is reported without a look at what waits there.
func (r *nameWatch) ids() []string {
	r.t.Helper()
	buffer := make([]byte, 64<<10)
	for {
		n, err := unix.Read(r.watch, buffer)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return slices.Sorted(maps.Keys(r.seen))
		}
		require.NoError(r.t, err)
		r.note(buffer[:n])
	}
}

// note reads struct inotify_event, see inotify(7).
func (r *nameWatch) note(events []byte) {
	for len(events) >= unix.SizeofInotifyEvent {
		mask := binary.NativeEndian.Uint32(events[4:])
		require.Zero(r.t, mask&unix.IN_Q_OVERFLOW, "names were missed")
		end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(events[12:]))
		name := strings.TrimPrefix(string(bytes.TrimRight(events[unix.SizeofInotifyEvent:end], "\x00")), ".draft-")
		if r.is(name) == nil {
			r.seen[name] = true
		}
		events = events[end:]
	}
}

// awaitSleep waits until the script of some run of this workspace sleeps: then the
// sandbox is made and the code runs.
func (r *running) awaitSleep() {
	r.w.t.Helper()
	require.Eventually(r.w.t, r.asleep, patience, 10*time.Millisecond, "the script never came to its sleep")
}

// awaitSleeps waits until the scripts of so many runs of this workspace sleep.
func (w *workspace) awaitSleeps(many int) {
	w.t.Helper()
	asleep := func() bool {
		count := 0
		for _, id := range w.sandboxes.ids() {
			if slices.ContainsFunc(processesOf(w.t, []string{id}), inSleep) {
				count++
			}
		}
		return count == many
	}
	require.Eventually(w.t, asleep, patience, 10*time.Millisecond, "not all came to their sleep")
}

// awaitKill waits for the end of that: the runner then cleans up.
func (r *running) awaitKill() {
	r.w.t.Helper()
	require.Eventually(r.w.t, func() bool { return !r.asleep() }, patience, time.Millisecond, "the script still sleeps")
}

func (r *running) asleep() bool {
	return slices.ContainsFunc(processesOf(r.w.t, r.w.sandboxes.ids()), inSleep)
}

func inSleep(pid string) bool {
	call, err := os.ReadFile(filepath.Join("/proc", pid, "syscall"))
	return err == nil && strings.HasPrefix(string(call), fmt.Sprint(unix.SYS_CLOCK_NANOSLEEP, " "))
}
