package main

import (
	"context"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCtrlCInterruptsTheStepAndThenEndsTheSession(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	said := 0
	p := &presses{end: cancel, say: func(string) { said++ }}
	for range 3 {
		step := make(chan struct{})
		p.begin(step)
		p.take(os.Interrupt)
		<-step
		p.begin(nil)
		require.NoError(t, ctx.Err(), "the session stays")
	}
	p.take(os.Interrupt)
	require.NoError(t, ctx.Err(), "once between two steps")
	require.Equal(t, 4, said)
	step := make(chan struct{})
	p.begin(step)
	p.take(os.Interrupt)
	p.take(os.Interrupt)
	require.Error(t, ctx.Err())
}

func TestAnotherSignalEndsTheSessionAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := &presses{end: cancel, say: func(string) {}}
	p.begin(make(chan struct{}))
	p.take(syscall.SIGTERM)
	require.Error(t, ctx.Err())
}

func TestASignalThatCameBeforeEndsIt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	inner, _, done := untilPressedTwice(ctx, &endingSignals{heard: endings}, func(string) {})
	defer done()
	require.Error(t, inner.Err())
}
