package client

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/api"
)

func step(status string) map[string]any {
	answer := map[string]any{"step": 2, "status": status}
	if status != "running" {
		answer["result"] = map[string]any{"run_id": otherID, "status": status, "stdout": "42\n", "result": nil, "files": []any{}}
	}
	return answer
}

func TestAStepIsWaitedForInOneRequest(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if r.Method != http.MethodPost || r.URL.Path != "/v1/sessions/"+testID+"/steps" || r.Header.Get("Prefer") != "wait=60" {
			refuse(w, http.StatusBadRequest, 0, r.URL.Path)
			return
		}
		say(w, http.StatusCreated, step("succeeded"))
	})
	done, err := s.client(t).RunStep(t.Context(), parseID(t, testID), api.CreateStep{Code: "1"})
	require.NoError(t, err)
	require.Equal(t, "42\n", done.Result.Stdout)
	require.Equal(t, otherID, done.Result.RunID.String())
	require.Len(t, s.requests(), 1)
}

func TestAStepThatGoesOnIsAskedForByItsNumber(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, time int) {
		switch {
		case time == 1:
			say(w, http.StatusAccepted, step("running"))
		case r.Method != http.MethodGet || r.URL.Path != "/v1/sessions/"+testID+"/steps/2":
			refuse(w, http.StatusBadRequest, 0, r.URL.Path)
		case time < 4:
			say(w, http.StatusOK, step("running"))
		default:
			say(w, http.StatusOK, step("failed"))
		}
	})
	done, err := s.client(t).RunStep(t.Context(), parseID(t, testID), api.CreateStep{Code: "1"})
	require.NoError(t, err)
	require.Equal(t, api.State("failed"), done.Status)
	require.Len(t, s.requests(), 4)
}

func TestAStepEndsWithItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if strings.HasSuffix(r.URL.Path, "/cancel") {
			say(w, http.StatusAccepted, map[string]any{"session_id": testID, "status": "open"})
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not see that its client goes
		cancel()
		<-r.Context().Done()
	})
	_, err := s.client(t).RunStep(ctx, parseID(t, testID), api.CreateStep{Code: "1"})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, s.requests(), 2)
	require.Equal(t, "/v1/sessions/"+testID+"/cancel", s.requests()[1].URL.Path)
}

func TestAStepOfNothingIsNone(t *testing.T) {
	for _, answer := range []any{
		map[string]any{"step": 0, "status": "running"}, map[string]any{"step": 1}, map[string]any{"step": 1, "status": "succeeded"}, map[string]any{"step": 1, "status": "error"},
		map[string]any{"step": 1, "status": "failed", "result": map[string]any{"run_id": otherID, "status": "succeeded"}},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request, time int) {
			if time == 1 {
				say(w, http.StatusCreated, answer)
				return
			}
			say(w, http.StatusCreated, map[string]any{"step": 1})
		})
		_, err := s.client(t).RunStep(t.Context(), parseID(t, testID), api.CreateStep{Code: "1"})
		require.Error(t, err, "%v", answer)
	}
}
