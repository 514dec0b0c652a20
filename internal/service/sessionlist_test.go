package service_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// listed are the sessions that somebody sees, page by page.
func listed(t *testing.T, s *service.Broker, who access.Principal, filter service.SessionFilter) (ids []job.ID) {
	t.Helper()
	for range 100 {
		page, err := s.ListSessions(t.Context(), who, filter)
		require.NoError(t, err)
		require.NotNil(t, page.Sessions)
		if filter.Limit > 0 {
			require.LessOrEqual(t, len(page.Sessions), filter.Limit)
		}
		for _, one := range page.Sessions {
			require.Nil(t, one.Result)
			require.True(t, who.Sees(one.Principal))
			ids = append(ids, one.SessionID)
		}
		if filter.Cursor = page.NextCursor; filter.Cursor == "" {
			return ids
		}
	}
	require.Fail(t, "the list has no end")
	return nil
}

func TestALostSessionIsFound(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 9)})
	require.Empty(t, listed(t, s, anna, service.SessionFilter{}))
	var annas []job.ID
	for range 3 {
		annas = append(annas, opens(t, s).SessionID)
	}
	// Within a millisecond it is chance which is newer.
	slices.SortFunc(annas, func(a, b job.ID) int { return strings.Compare(b.String(), a.String()) })
	other, err := s.OpenSession(t.Context(), bert, api.OpenSession{Policy: "p"})
	require.NoError(t, err)
	for limit := range 5 {
		require.Equal(t, annas, listed(t, s, anna, service.SessionFilter{Limit: limit}), "the newest first, and no one else's")
	}
	require.Equal(t, []job.ID{other.SessionID}, listed(t, s, bert, service.SessionFilter{}))
	require.Len(t, listed(t, s, admin, service.SessionFilter{Limit: 1}), 4)

	_, err = s.CloseSession(t.Context(), anna, annas[1])
	require.NoError(t, err)
	closed(t, s, annas[1])
	require.Equal(t, annas, listed(t, s, anna, service.SessionFilter{}), "one that has ended is there for a while")
	require.Equal(t, []job.ID{annas[1]}, listed(t, s, anna, service.SessionFilter{Status: api.SessionClosed}))
	require.Equal(t, []job.ID{annas[0], annas[2]}, listed(t, s, anna, service.SessionFilter{Status: api.SessionOpen, Limit: 1}))

	_, err = s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "other"})
	require.ErrorIs(t, err, service.ErrRefused)
	require.Equal(t, annas, listed(t, s, anna, service.SessionFilter{}), "what was refused to who asked is no session")
	_, err = s.ListSessions(t.Context(), anna, service.SessionFilter{Cursor: "none of these"})
	require.ErrorIs(t, err, service.ErrCursor)
	_, err = s.ListSessions(t.Context(), accessNobody, service.SessionFilter{})
	require.Error(t, err)
}
