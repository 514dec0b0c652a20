package runner

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestASignalToARuntimeIsWaitedForHere: it met the runtime first, and the runner's own comes a moment later.
func TestASignalToARuntimeIsWaitedForHere(t *testing.T) {
	died := func(signal string) error {
		err := exec.CommandContext(t.Context(), "sh", "-c", "kill -"+signal+" $$").Run()
		require.Error(t, err)
		return fmt.Errorf("create container: %w", errors.Join(err, nil))
	}
	for _, signal := range []string{"INT", "TERM", "HUP", "QUIT"} {
		ctx, cancel := context.WithCancel(t.Context())
		err := died(signal)
		time.AfterFunc(10*time.Millisecond, cancel)
		require.True(t, cancelled(ctx, err), signal)
	}
	require.False(t, cancelled(t.Context(), died("INT")), "nobody has ended it")
	ctx, cancel := context.WithCancel(t.Context())
	require.False(t, cancelled(ctx, died("KILL")))
	require.False(t, cancelled(ctx, nil))
	cancel()
	require.False(t, cancelled(ctx, nil), "nothing has failed")
	require.True(t, cancelled(ctx, died("KILL")))
}
