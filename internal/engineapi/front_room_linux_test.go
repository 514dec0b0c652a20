package engineapi

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/runner"
)

func (s *frontScene) room() error {
	if s.full.Load() {
		return ErrNotKept
	}
	return nil
}

func TestNothingIsBegunThatCouldLeaveNoRecord(t *testing.T) {
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) { return ranAs(ask), nil }}, oneRoom)
	s.full.Store(true)
	request := job.Request{Policy: "p"}
	require.ErrorIs(t, s.front.Resolve(t.Context(), "a", request), ErrNotKept)
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(1), "a", request), ErrNotKept)
	_, err := s.front.OpenSession(t.Context(), idOf(2), "a", runner.Ask{Request: request})
	require.ErrorIs(t, err, ErrNotKept)
	s.unknown(t, idOf(1))
	s.unknown(t, idOf(2))
	s.shelf.mu.Lock()
	s.shelf.recorded[idOf(3)] = Outcome{Fate: FateInterrupted}
	s.shelf.mu.Unlock()
	_, err = s.front.OpenSession(t.Context(), idOf(3), "a", runner.Ask{Request: request})
	require.ErrorIs(t, err, ErrKnown, "a session of an id that a record has")

	s.full.Store(false)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", request), "it is given again")
	require.Equal(t, FateEnded, s.outcome(t, idOf(1)).Fate)
}

// A run that has met a full disk before its code was begun is not the one that pays for it.
func TestARunThatMetAFullDiskMayBeGivenAgainIfItHasNotBegun(t *testing.T) {
	failed := errors.New("begin record: no space left on device")
	for name, test := range map[string]struct {
		recorded, want Fate
		full           bool
	}{
		"it has not begun":                     {want: FateUnknown, full: true},
		"it has not begun, for another reason": {want: FateEnded},
		"its code may have begun":              {recorded: FateInterrupted, want: FateInterrupted, full: true},
	} {
		t.Run(name, func(t *testing.T) {
			var s *frontScene
			s = newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
				s.full.Store(test.full)
				if test.recorded != "" {
					s.shelf.mu.Lock()
					defer s.shelf.mu.Unlock()
					s.shelf.recorded[ask.ID] = Outcome{Fate: test.recorded}
				}
				return runner.Response{}, failed
			}}, oneRoom)
			require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
			require.Eventually(t, func() bool {
				found, err := s.front.Outcome(t.Context(), idOf(1), "a")
				return err == nil && found.Fate == test.want
			}, 10*time.Second, time.Millisecond)
		})
	}
}
