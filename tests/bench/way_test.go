package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// counted is a way that takes as many milliseconds as it has been carried out.
func counted(every int, err error) (*way, *int) {
	calls := 0
	return &way{name: "counted", every: every, once: func(context.Context) (float64, error) {
		calls++
		return float64(calls), err
	}}, &calls
}

func noRest(context.Context) error { return nil }

func TestWaysTakeTurnsAndTheFirstTimeDoesNotCount(t *testing.T) {
	often, _ := counted(1, nil)
	seldom, _ := counted(2, nil)
	absent := &way{absent: "not installed"}
	require.NoError(t, turns{4, time.Minute, noRest}.take(t.Context(), []*way{often, absent, seldom}))
	require.Equal(t, sample{2, 3, 4, 5}, often.took)
	require.Equal(t, sample{2, 3}, seldom.took)
	require.Empty(t, absent.took)
}

func TestNoRoundBeginsOnceTheTimeIsOver(t *testing.T) {
	w, _ := counted(1, nil)
	require.NoError(t, turns{100, 0, noRest}.take(t.Context(), []*way{w}))
	require.Len(t, w.took, 1, "the first one that counts is always measured")
}

func TestAFailedRunIsNoFigure(t *testing.T) {
	failure := errors.New("it failed")
	failing, _ := counted(1, failure)
	require.ErrorIs(t, turns{4, time.Minute, noRest}.take(t.Context(), []*way{failing}), failure)
	require.Empty(t, failing.took)
}

func TestARowOfReadySandboxesHasNoOtherOnes(t *testing.T) {
	never, calls := counted(1, errNotWarm)
	require.ErrorContains(t, turns{100, time.Minute, noRest}.take(t.Context(), []*way{never}), "too busy")
	require.Less(t, *calls, 10, "it gives up soon")
	require.Empty(t, never.took)
}

func TestWhoWaitsForRestIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, rest(ctx), context.Canceled)
}

func TestTheKernelsAccountOfIdleTimeIsRead(t *testing.T) {
	found, err := parseLoad("cpu  10 2 3 100 5 0 1 0 0 0\ncpu0 1 2 3 4 5\n")
	require.NoError(t, err)
	require.Equal(t, load{idle: 100, all: 121}, found)
	for _, text := range []string{"", "cpu 1 2\n", "cpu a b c d e\n", "intr 1 2 3 4 5 6\n"} {
		_, err := parseLoad(text)
		require.Error(t, err, text)
	}
}
