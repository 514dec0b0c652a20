package containertest

import (
	"bytes"
	"crypto/rand"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func streamTests() []subtest {
	return []subtest{
		{"stdin reaches the program byte for byte to its end", stdinIsExact},
		{"stdout arrives as it is written", stdoutIsPrompt},
		{"a reader that waits loses nothing", slowReaderLosesNothing},
		{"both streams are drained byte for byte", streamsAreDrained},
		{"stdin that never ends does not hold the run", endlessStdin},
		{"stdin that nobody reads is no fault", unreadStdin},
		{"a line interrupts a program that works or waits", linesInterrupt},
	}
}

func stdinIsExact(t *testing.T, h Harness) {
	sent := make([]byte, 1<<20)
	rand.Read(sent)
	r := newTrial(t, h, Behaviour{Name: Echo})
	var stdout, stderr bytes.Buffer
	exit := r.run(t.Context(), container.Streams{Stdin: bytes.NewReader(sent), Stdout: &stdout, Stderr: &stderr})
	requireCleanEnd(t, exit)
	requireSameBytes(t, sent, stdout.Bytes())
	require.Empty(t, stderr.String())
}

// requireSameBytes is require.Equal without a page of hexadecimal digits.
func requireSameBytes(t *testing.T, want, got []byte) {
	t.Helper()
	require.Len(t, got, len(want))
	require.True(t, bytes.Equal(want, got), "bytes differ")
}

func stdoutIsPrompt(t *testing.T, h Harness) {
	running := newTrial(t, h, Behaviour{Name: Echo}).converse()
	for _, line := range []string{"first", "second", "third"} {
		running.say(line)
		running.expect(line)
	}
	requireCleanEnd(t, running.finish())
}

// slowReaderLosesNothing reads nothing until the program has filled every buffer
// on the way or has ended: exchanges have no buffer of their own.
func slowReaderLosesNothing(t *testing.T, h Harness) {
	const size = 1 << 20
	running := newTrial(t, h, Behaviour{Name: Flood, Streams: []int{1}, Bytes: size}).converse()
	got := make([]byte, size)
	_, err := io.ReadFull(running.stdout, got)
	require.NoError(t, err)
	requireSameBytes(t, Pattern(size), got)
	requireCleanEnd(t, running.finish())
}

func streamsAreDrained(t *testing.T, h Harness) {
	const size = 1 << 20
	r := newTrial(t, h, Behaviour{Name: Flood, Streams: []int{1, 2}, Bytes: size})
	stdin := bytes.NewReader(nil)
	var stdout, stderr bytes.Buffer
	exit := r.run(t.Context(), container.Streams{Stdin: stdin, Stdout: &stdout, Stderr: &stderr})
	requireCleanEnd(t, exit)
	requireSameBytes(t, Pattern(size), stdout.Bytes())
	requireSameBytes(t, Pattern(size), stderr.Bytes())
}

func endlessStdin(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ExitWith, Code: 3})
	silent, writer := io.Pipe()
	defer writer.Close()
	exit := r.run(t.Context(), container.Streams{Stdin: silent, Stdout: io.Discard, Stderr: io.Discard})
	require.Equal(t, 3, exit.Code)
}

func unreadStdin(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ExitWith, Code: 3})
	exit := r.run(t.Context(), container.Streams{Stdin: zeros{}, Stdout: io.Discard, Stderr: io.Discard})
	require.Equal(t, 3, exit.Code)
	require.False(t, exit.KilledByUs)
}

// linesInterrupt is what a session's time-outs rest on: what the host sends comes in while
// the program does something else, and a thread of it can tell the one that does.
func linesInterrupt(t *testing.T, h Harness) {
	running := newTrial(t, h, Behaviour{Name: Interruptible}).converse()
	for _, state := range []string{"working", "waiting"} {
		running.expect(state)
		running.say("interrupt")
		running.expect("interrupted")
	}
	requireCleanEnd(t, running.finish())
}

// zeros is a stdin without end.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(chunk []byte) (int, error) {
	clear(chunk)
	return len(chunk), nil
}
