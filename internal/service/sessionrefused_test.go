package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// A session that was refused to who waited for it is not kept, and not listed. One of whose refusal
// nobody has heard is there to be looked at.
func TestARefusedSessionTakesNoRoom(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 2)})
	for range 20 {
		_, err := s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "nosuch"})
		require.ErrorIs(t, err, service.ErrRefused)
	}
	require.Zero(t, s.SessionsKept())
	list, err := s.ListSessions(t.Context(), anna, service.SessionFilter{})
	require.NoError(t, err)
	require.Empty(t, list.Sessions)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	var unheard api.Session
	require.Eventually(t, func() bool { // or else it is refused before who asks has gone
		unheard, err = s.OpenSession(gone, anna, api.OpenSession{Policy: "nosuch"})
		return err == nil
	}, 10*time.Second, time.Millisecond)
	require.Equal(t, "it was not opened", closed(t, s, unheard.SessionID).Over)
	require.Equal(t, 1, s.SessionsKept())
}

// opening asks for a session for which there is no place yet, and hands on what its opener is told.
func opening(t *testing.T, s *service.Broker) (id job.ID, told chan error, shown *api.Session) {
	t.Helper()
	told, shown = make(chan error, 1), new(api.Session)
	go func() {
		var err error
		*shown, err = s.OpenSession(context.WithoutCancel(t.Context()), anna, api.OpenSession{Policy: "p", Bundle: "slow"})
		told <- err
	}()
	require.Eventually(t, func() bool {
		list, err := s.ListSessions(t.Context(), anna, service.SessionFilter{Status: api.SessionOpening})
		if err != nil || len(list.Sessions) == 0 {
			return false
		}
		id = list.Sessions[0].SessionID
		return true
	}, 10*time.Second, time.Millisecond)
	return id, told, shown
}

// Who ends the opening of a session has an answer, and no fault of the engine's.
func TestWhoClosesASessionThatOpensIsToldSo(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 2)})
	id, told, shown := opening(t, s)
	_, err := s.CloseSession(t.Context(), anna, id)
	require.NoError(t, err)
	require.NoError(t, <-told)
	require.Equal(t, id, shown.SessionID)
	closed(t, s, id)
	if shown.Status == api.SessionClosed { // else its opener has waited for two seconds
		require.Equal(t, "it was closed", shown.Over)
		require.Nil(t, shown.Error)
	}
}

func TestAServiceThatEndsSaysSoToWhoOpensASession(t *testing.T) {
	s := begin(t, service.Options{Engine: newFake(t, 2), Dir: t.TempDir()})
	_, told, shown := opening(t, s)
	require.NoError(t, s.Close())
	require.ErrorIs(t, <-told, service.ErrDraining, "%+v", shown)
}
