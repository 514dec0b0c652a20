package mcpserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/client"
	"hotcell/internal/mcpserver"
)

// TestNoStepIsSpentOnLoading: a service whose session needs eighty seconds until it takes steps.
func TestNoStepIsSpentOnLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const id = "1795219431042-9f86d081884c7d65"
		begun, steps, over := time.Now(), 0, false
		answer := func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			status := "open"
			if time.Since(begun) < 80*time.Second {
				status = "opening"
			}
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/steps") {
				steps++
				w.WriteHeader(http.StatusCreated)
				fmt.Fprintf(w, `{"step": %d, "status": "cancelled"}`, steps)
				return
			}
			if r.Method == http.MethodPost {
				w.WriteHeader(http.StatusAccepted)
			}
			if over = over || r.Method == http.MethodDelete; over {
				status = "closed"
			}
			fmt.Fprintf(w, `{"session_id": %q, "status": %q, "policy": "study", "created_at": "2026-11-27T09:00:00Z", "steps": 0}`, id, status)
		}
		asked, err := client.New(client.Options{URL: "http://127.0.0.1:1", Transport: client.InProcess(http.HandlerFunc(answer))})
		require.NoError(t, err)
		session, _ := connect(t, newServer(t, mcpserver.Options{}), mcpserver.ByClient{Client: asked}, "", nil)
		opened := told(t, tell(t, session, "session_open", map[string]any{"policy": "study"}))
		require.Equal(t, "opening", opened["status"])
		require.Equal(t, id, opened["session_id"])
		require.Equal(t, 45*time.Second, time.Since(begun).Round(time.Second))
		begun = begun.Add(20 * time.Second) // it takes a little longer
		result := tell(t, session, "session_step", map[string]any{"session_id": id, "code": code})
		require.True(t, result.IsError)
		require.Contains(t, textOf(t, result, 0), "nothing of the step was run")
		require.Zero(t, steps)
		result = tell(t, session, "session_step", map[string]any{"session_id": id, "code": code})
		require.Equal(t, "cancelled", told(t, result)["status"])
		require.Equal(t, 1, steps)
	})
}
