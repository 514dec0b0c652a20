package service_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// TestOthersSeeWhatASessionSaidByItsRecords: as of a run, by each way that there is to it. Who has
// opened it has the answers without an event.
func TestOthersSeeWhatASessionSaidByItsRecords(t *testing.T) {
	fake := newFake(t, 4)
	s := open(t, service.Options{Engine: fake})
	looks := func() (found []engineapi.Principal) {
		fake.set(func() { found, fake.looks = fake.looks, nil })
		return found
	}
	x := opens(t, s)
	step := stepOf(t, s, x.SessionID, "secret")
	record := func(id job.ID, said string) {
		fake.set(func() {
			fake.runs[id] = &fakeRun{fate: engineapi.FateEnded}
			fake.runs[id].answer.Result = job.Result{RunID: id, Status: job.Succeeded, Stdout: said}
		})
	}
	record(step.Result.RunID, "by the record")
	record(x.SessionID, "by the record")
	root := []engineapi.Principal{"user:root"}
	waits := func(who access.Principal) api.Step {
		got, err := s.WaitStep(t.Context(), who, x.SessionID, 1)
		require.NoError(t, err)
		return got
	}
	require.Equal(t, step, waits(anna))
	require.Empty(t, looks())
	require.Equal(t, "by the record", waits(admin).Result.Stdout)
	require.Equal(t, root, looks(), "while it is open")

	_, err := s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	require.Empty(t, closed(t, s, x.SessionID).Result.Stdout, "the answer from memory")
	follows := func(who access.Principal) (text string) {
		require.NoError(t, s.FollowSession(t.Context(), who, x.SessionID, 0, func(event api.Event) error {
			text += string(event.Type) + " " + string(event.Data) + "\n"
			return nil
		}))
		return text
	}
	own := follows(anna)
	require.Contains(t, own, step.Result.RunID.String())
	require.Equal(t, 6, strings.Count(own, "stdout {"))
	require.Empty(t, looks())
	others := follows(admin)
	require.NotContains(t, others, step.Result.RunID.String())
	require.NotContains(t, others, "stdout {")
	require.Contains(t, others, "gap ")
	require.Contains(t, others, "result ")
	require.Empty(t, looks(), "it tells nothing that the session has said: the result is Session's")

	require.Equal(t, "by the record", waits(admin).Result.Stdout)
	ways := map[string]func() (api.Session, error){
		"Session":      func() (api.Session, error) { return s.Session(t.Context(), admin, x.SessionID) },
		"CloseSession": func() (api.Session, error) { return s.CloseSession(t.Context(), admin, x.SessionID) },
		"CancelStep":   func() (api.Session, error) { return s.CancelStep(t.Context(), admin, x.SessionID) },
	}
	for name, look := range ways {
		seen, err := look()
		require.NoError(t, err, name)
		require.Equal(t, "by the record", seen.Result.Stdout, name)
	}
	require.Equal(t, slices.Repeat(root, 4), looks())
	fake.set(func() { fake.away = engineapi.ErrNone })
	for name, look := range ways {
		seen, err := look()
		require.ErrorIs(t, err, service.ErrUnavailable, "%s: there is no look of which there is no event", name)
		require.Nil(t, seen.Result)
	}
	_, err = s.WaitStep(t.Context(), admin, x.SessionID, 1)
	require.ErrorIs(t, err, service.ErrUnavailable)
}

// What goes on is heard by others, too, but for what it ends with.
func TestOthersHearOfAStepThatGoesOn(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 4)})
	x := opens(t, s)
	heard, began := make(chan string, 100), make(chan struct{})
	go func() {
		defer close(heard)
		err := s.FollowSession(t.Context(), admin, x.SessionID, 0, func(event api.Event) error {
			if event.Type == api.EventState {
				close(began)
			}
			heard <- string(event.Type) + " " + string(event.Data)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}()
	<-began
	step := stepOf(t, s, x.SessionID, "secret")
	_, err := s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	var all []string
	for one := range heard {
		all = append(all, one)
	}
	text := strings.Join(all, "\n")
	require.NotContains(t, text, step.Result.RunID.String())
	require.Contains(t, text, `"status":"succeeded"`)
	require.Contains(t, text, "result ")
}
