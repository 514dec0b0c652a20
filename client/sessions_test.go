package client

import (
	"context"
	"maps"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
)

func sessionOf(status string, more map[string]any) map[string]any {
	session := map[string]any{"session_id": testID, "status": status, "policy": "p", "created_at": time.Unix(1, 0).UTC(), "steps": 0}
	maps.Copy(session, more)
	return session
}

func TestASessionIsAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, times, id := time.Now(), 0, parseID(t, testID)
		client := inBubble(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			times++
			switch {
			case r.Method == http.MethodPost:
				say(w, 202, sessionOf("opening", nil))
			case r.Method == http.MethodDelete:
				say(w, 202, sessionOf("busy", nil))
			case time.Since(begun) < 10*time.Second:
				say(w, 200, sessionOf("opening", nil))
			case time.Since(begun) < 30*time.Second:
				say(w, 200, sessionOf("open", map[string]any{"limits": map[string]any{"max_steps": 3}}))
			default:
				say(w, 200, sessionOf("closed", map[string]any{"over": "idle"}))
			}
		})
		opened, err := client.OpenSession(t.Context(), api.OpenSession{Policy: "p"})
		require.NoError(t, err)
		require.Equal(t, api.SessionOpening, opened.Status)
		opened, err = client.WaitSession(t.Context(), id, TakesSteps)
		require.NoError(t, err)
		require.Equal(t, int64(3), opened.Limits.MaxSteps)
		closed, err := client.CloseSession(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "idle", closed.Over)
		require.Less(t, times, 40, "it is not asked all the time")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = client.WaitSession(ctx, id, nil)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestSessionsAreReadPageByPage(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		switch r.URL.RawQuery {
		case "status=open":
			say(w, 200, map[string]any{"sessions": []any{sessionOf("open", nil), sessionOf("open", nil)}, "next_cursor": "b&c"})
		case "cursor=b%26c&status=open":
			say(w, 200, map[string]any{"sessions": []any{sessionOf("open", nil)}})
		default:
			say(w, 200, map[string]any{"sessions": []any{map[string]any{"status": "open"}}})
		}
	})
	count := 0
	for session, err := range service.client(t).Sessions(t.Context(), api.SessionOpen) {
		require.NoError(t, err)
		require.Equal(t, testID, session.SessionID.String())
		count++
	}
	require.Equal(t, 3, count)
	for _, err := range service.client(t).Sessions(t.Context(), "") {
		require.ErrorContains(t, err, "cannot be used")
	}
}

func TestASessionThatIsAnotherIsNone(t *testing.T) {
	id := parseID(t, testID)
	for name, answer := range map[string]map[string]any{
		"another": sessionOf("open", map[string]any{"session_id": otherID}), "nothing": {}, "no status": sessionOf("", nil),
		"another's result": sessionOf("closed", map[string]any{"result": map[string]any{"run_id": otherID, "status": "succeeded"}}),
	} {
		service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { say(w, 200, answer) })
		_, err := service.client(t).Session(t.Context(), id)
		require.ErrorContains(t, err, "cannot be used", name)
		events := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { event(w, 1, "result", answer) })
		err = events.client(t).FollowSession(t.Context(), id, 0, func(api.Event) error { return nil })
		require.ErrorContains(t, err, "cannot be used", name)
	}
	open := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { event(w, 1, "result", sessionOf("open", nil)) })
	require.ErrorIs(t, open.client(t).FollowSession(t.Context(), id, 0, func(api.Event) error { return nil }), errNoEnd)
	closed := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { event(w, 1, "result", sessionOf("closed", nil)) })
	require.NoError(t, closed.client(t).FollowSession(t.Context(), id, 0, func(api.Event) error { return nil }))
}
