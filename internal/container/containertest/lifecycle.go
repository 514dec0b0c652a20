package containertest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func lifecycleTests() []subtest {
	return []subtest{
		{"probe names every control once", probeIsComplete},
		{"a sandbox is idle until it runs", idleUntilRun},
		{"destroying one sandbox leaves its neighbour running", destroyLeavesNeighbour},
		{"sweep leaves live sandboxes alone", sweepLeavesLiveOnes},
		{"create on an ended context leaves nothing", createOnEndedContext},
		{"many sandboxes at once keep their streams apart", manyAtOnce},
	}
}

func probeIsComplete(t *testing.T, h Harness) {
	engine := h.New(t)
	host, err := engine.Probe(t.Context(), h.Spec(t).Runtime)
	require.NoError(t, err)
	require.Equal(t, engine.Name(), host.Engine)
	require.NotEmpty(t, host.Runtime)
	require.NotEmpty(t, host.Kernel)
	var names []string
	for _, control := range host.Controls {
		names = append(names, control.Name)
		if !control.Active {
			require.NotEmpty(t, control.Detail, "%s is inactive without a reason", control.Name)
		}
	}
	require.ElementsMatch(t, container.Controls(), names)
}

func idleUntilRun(t *testing.T, h Harness) {
	newTrial(t, h, Behaviour{Name: Hang}).requireDead()
}

func destroyLeavesNeighbour(t *testing.T, h Harness) {
	engine := h.New(t)
	neighbour := newTrialOn(t, h, engine, Behaviour{Name: Echo}).converse()
	neighbour.say("before")
	neighbour.expect("before")
	doomed := newTrialOn(t, h, engine, Behaviour{Name: ExitWith})
	doomed.collect()
	require.NoError(t, doomed.sandbox.Destroy(t.Context()))
	neighbour.say("after")
	neighbour.expect("after")
	requireCleanEnd(t, neighbour.finish())
}

func sweepLeavesLiveOnes(t *testing.T, h Harness) {
	engine := h.New(t)
	idle := newTrialOn(t, h, engine, Behaviour{Name: ExitWith, Code: 3})
	running := newTrialOn(t, h, engine, Behaviour{Name: Echo}).converse()
	running.say("before")
	running.expect("before")
	for _, sweeper := range []container.Engine{engine, h.New(t)} {
		_, err := sweeper.Sweep(t.Context())
		require.NoError(t, err)
	}
	running.say("after")
	running.expect("after")
	requireCleanEnd(t, running.finish())
	exit, _ := idle.collect()
	require.Equal(t, 3, exit.Code)
}

func createOnEndedContext(t *testing.T, h Harness) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	id := container.NewID()
	sandbox, err := h.New(t).Create(ctx, id, h.spec(t, Behaviour{Name: ExitWith}))
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, sandbox)
	requireNothingLeft(t, h, id)
}

func manyAtOnce(t *testing.T, h Harness) {
	const sandboxes = 8
	engine := h.New(t)
	trials := make([]*trial, sandboxes)
	for i := range trials {
		trials[i] = newTrialOn(t, h, engine, Behaviour{Name: Echo})
	}
	outputs, errs := make([]bytes.Buffer, sandboxes), make([]error, sandboxes)
	var running sync.WaitGroup
	for i, r := range trials {
		running.Go(func() {
			streams := container.Streams{Stdin: strings.NewReader(stanza(i)), Stdout: &outputs[i], Stderr: &bytes.Buffer{}}
			_, errs[i] = r.sandbox.Run(t.Context(), streams)
		})
	}
	running.Wait()
	for i := range trials {
		require.NoError(t, errs[i])
		require.Equal(t, stanza(i), outputs[i].String())
	}
}

func stanza(i int) string { return strings.Repeat(fmt.Sprintf("sandbox %d\n", i), 1000) }
