package service_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

var errLate = errors.New("it took too long")

// TestNobodyWaitsForAnEngineThatHangs: what only a record has ends with who asks for it, by each way
// that there is to it, and is told at once to who does not want to wait.
func TestNobodyWaitsForAnEngineThatHangs(t *testing.T) {
	fake := newFake(t, 4)
	s := open(t, service.Options{Engine: fake})
	run := create(t, s, anna, "ok").RunID
	ended(t, s, run)
	x := opens(t, s)
	stepOf(t, s, x.SessionID, "x")
	_, err := s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	closed(t, s, x.SessionID)
	fake.set(func() { fake.hangs = true })
	ways := map[string]func(ctx context.Context, who access.Principal) error{
		"Run":     func(ctx context.Context, who access.Principal) error { return second(s.Run(ctx, who, run)) },
		"Wait":    func(ctx context.Context, who access.Principal) error { return second(s.Wait(ctx, who, run)) },
		"Files":   func(ctx context.Context, who access.Principal) error { return second(s.Files(ctx, who, run)) },
		"Cancel":  func(ctx context.Context, who access.Principal) error { return second(s.Cancel(ctx, who, run)) },
		"Session": func(ctx context.Context, who access.Principal) error { return second(s.Session(ctx, who, x.SessionID)) },
		"CloseSession": func(ctx context.Context, who access.Principal) error {
			return second(s.CloseSession(ctx, who, x.SessionID))
		},
		"CancelStep": func(ctx context.Context, who access.Principal) error {
			return second(s.CancelStep(ctx, who, x.SessionID))
		},
		"WaitStep": func(ctx context.Context, who access.Principal) error {
			return second(s.WaitStep(ctx, who, x.SessionID, 1))
		},
		"StepNow": func(ctx context.Context, who access.Principal) error {
			return second(s.StepNow(ctx, who, x.SessionID, 1))
		},
	}
	for name, ask := range ways {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, errLate)
		require.ErrorIs(t, ask(ctx, admin), errLate, name)
		cancel()
		require.ErrorIs(t, ask(service.FromMemory(t.Context()), admin), service.ErrElsewhere, name)
		require.NoError(t, ask(service.FromMemory(t.Context()), anna), "%s: it is in memory", name)
	}
	now, cancel := context.WithCancel(t.Context())
	cancel()
	step, err := s.WaitStep(now, anna, x.SessionID, 1)
	require.NoError(t, err)
	require.EqualValues(t, job.Succeeded, step.Status)
	require.ErrorIs(t, second(s.StepNow(t.Context(), bert, x.SessionID, 1)), service.ErrNotFound)
	require.ErrorIs(t, second(s.StepNow(t.Context(), anna, x.SessionID, 2)), service.ErrNotFound)
}

func second[T api.Run | api.Session | api.Step | api.FileList](_ T, err error) error { return err }
