package containertest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func endTests() []subtest {
	return []subtest{
		{"cancelling kills a program that ignores signals", cancelKills(Behaviour{Name: Hang})},
		{"cancelling kills detached processes", cancelKills(Behaviour{Name: Orphans, Count: 3})},
		{"cancelling kills a program that closed its streams", cancelKills(Behaviour{Name: CloseStreams})},
		{"a deadline kills", deadlineKills},
		{"a context that ended before the run kills", endedContextKills},
		{"detached processes die with the guard", orphansDieWithGuard},
		{"destroy kills what runs", destroyKills},
		{"a failing stdout kills", failingWriterKills(1)},
		{"a failing stderr kills", failingWriterKills(2)},
	}
}

func cancelKills(b Behaviour) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		running := newTrial(t, h, b).converse()
		running.expect("ready")
		running.cancel()
		requireKilledByUs(t, running.wait(), "")
	}
}

func deadlineKills(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: Hang})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	requireKilledByUs(t, r.run(ctx, discard()), "")
	require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
}

func endedContextKills(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: Hang})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	requireKilledByUs(t, r.run(ctx, discard()), "")
}

func orphansDieWithGuard(t *testing.T, h Harness) {
	running := newTrial(t, h, Behaviour{Name: Orphans, Count: 3, Code: 7}).converse()
	running.expect("ready")
	exit := running.finish()
	require.Equal(t, 7, exit.Code)
	require.False(t, exit.KilledByUs)
}

// destroyKills ends the sandbox through its context first, because the methods of
// a sandbox are not for concurrent use; what Destroy must not need is that Run's
// caller waited.
func destroyKills(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: Orphans, Count: 1})
	running := r.converse()
	running.expect("ready")
	running.cancel()
	running.wait()
	require.NoError(t, r.sandbox.Destroy(t.Context()))
	r.requireDead()
}

var errFullDisk = errors.New("no space left")

// failingWriter takes one chunk and then fails.
type failingWriter struct{ calls int }

// Write implements io.Writer.
func (w *failingWriter) Write(chunk []byte) (int, error) {
	w.calls++
	if w.calls > 1 {
		return 0, errFullDisk
	}
	return len(chunk), nil
}

func failingWriterKills(descriptor int) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		r := newTrial(t, h, Behaviour{Name: Flood, Streams: []int{descriptor}})
		streams := container.Streams{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
		if descriptor == 1 {
			streams.Stdout = &failingWriter{}
		} else {
			streams.Stderr = &failingWriter{}
		}
		requireKilledByUs(t, r.run(t.Context(), streams), "")
	}
}
