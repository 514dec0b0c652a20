package runner

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/wire"
)

// slowToDie is a sandbox between the end of its context and its death.
type slowToDie struct {
	container.Sandbox
	streamEnded bool // before the sandbox did
}

func (s *slowToDie) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(io.Discard, streams.Stdin)
	}()
	<-ctx.Done()
	synctest.Wait() // all that the runner does because of it has been done
	select {
	case <-read:
		s.streamEnded = true
	default:
	}
	return container.Exit{Code: -1, Signal: "SIGKILL", KilledByUs: true}, nil
}

// A guard that waits for the next script, or for a tool's answer, ends by itself when
// its stream does. If cancelling ended the stream, the guard could be quicker than
// the kill, and its run would be told as one that failed or ended in order.
func TestCancellingReachesTheGuardAsAKillAndNotAsTheEndOfItsStream(t *testing.T) {
	for _, mode := range []wire.Mode{wire.ModeSession, wire.ModeRun} {
		synctestRun(t, string(mode), func(t *testing.T) {
			b := newBench(t, nil, withPolicy(withSession))
			e, err := b.runner.prepare(t.Context(), b.ask(request()), mode)
			require.NoError(t, err)
			d, err := e.newDialogue(mode, e.newTranscript(t.TempDir()))
			require.NoError(t, err)
			ctx, cancel := context.WithCancelCause(t.Context())
			go cancel(errors.New("the caller has had enough"))
			sandbox := &slowToDie{}
			_, _, err = d.run(ctx, cancel, sandbox)
			require.NoError(t, err)
			require.False(t, sandbox.streamEnded)
		})
	}
}
