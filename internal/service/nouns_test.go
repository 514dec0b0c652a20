package service_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// TestWhatIsNotThereIsNamed: whatever takes an id says of what there is none. A method that comes
// anew has its place here, or the test says so.
func TestWhatIsNotThereIsNamed(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 2)})
	x := opens(t, s)
	none := job.NewID(time.Unix(1, 0))
	const run, session = "no run that you may see has this id", "no session that you may see has this id"
	asked := map[string]struct {
		noun string
		ask  func() error
	}{
		"Run":           {run, func() error { _, err := s.Run(t.Context(), admin, none); return err }},
		"Wait":          {run, func() error { _, err := s.Wait(t.Context(), admin, none); return err }},
		"Cancel":        {run, func() error { _, err := s.Cancel(t.Context(), admin, none); return err }},
		"Files":         {run, func() error { _, err := s.Files(t.Context(), admin, none); return err }},
		"Follow":        {run, func() error { return s.Follow(t.Context(), admin, none, 0, nil) }},
		"Read":          {run, func() error { _, _, err := s.Read(t.Context(), admin, none, "record"); return err }},
		"Session":       {session, func() error { _, err := s.Session(t.Context(), admin, none); return err }},
		"Step":          {session, func() error { _, err := s.Step(t.Context(), admin, none, api.CreateStep{}); return err }},
		"CancelStep":    {session, func() error { _, err := s.CancelStep(t.Context(), admin, none); return err }},
		"CloseSession":  {session, func() error { _, err := s.CloseSession(t.Context(), admin, none); return err }},
		"FollowSession": {session, func() error { return s.FollowSession(t.Context(), admin, none, 0, nil) }},
		"WaitStep":      {"the session has no step of this number", func() error { _, err := s.WaitStep(t.Context(), anna, x.SessionID, 7); return err }},
		"StepNow":       {"the session has no step of this number", func() error { _, err := s.StepNow(t.Context(), anna, x.SessionID, 7); return err }},
	}
	id := reflect.TypeFor[job.ID]()
	for method := range reflect.TypeFor[*service.Broker]().Methods() {
		takes := false
		for input := range method.Type.Ins() {
			takes = takes || input == id
		}
		one, there := asked[method.Name]
		if !takes || strings.HasSuffix(method.Name, "Kept") { // of a test
			continue
		}
		require.True(t, there, "%s takes an id", method.Name)
		err := one.ask()
		require.ErrorIs(t, err, service.ErrNotFound, method.Name)
		require.Equal(t, service.ErrNotFound.Error()+": "+one.noun, service.Words(err), method.Name)
	}
	_, err := s.WaitStep(t.Context(), admin, none, 1)
	require.ErrorIs(t, err, service.ErrNoSession)
	_, err = s.Step(t.Context(), admin, x.SessionID, api.CreateStep{})
	require.ErrorContains(t, err, "another principal's")
}

// TestNothingIsMissingWithoutItsName: the bare error names nothing.
func TestNothingIsMissingWithoutItsName(t *testing.T) {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	bare := regexp.MustCompile(`return .*\bErrNotFound$`)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			require.NotRegexp(t, bare, strings.TrimSpace(line), name)
		}
	}
	require.Regexp(t, bare, "return nil, ErrNotFound")
}

// TestAPartThatIsNotThereSaysWhy: the run is there, so that there is another reason.
func TestAPartThatIsNotThereSaysWhy(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	run := ended(t, s, create(t, s, anna, "ok").RunID)
	for _, one := range []struct {
		is   error
		part string
		says string
	}{
		{engineapi.ErrUnknownRun, "statement", "the run has left no record"},
		{engineapi.ErrUnknownRun, "record", "the run has left no record"},
		{engineapi.ErrNoRecord, "statement", "the run has no record: it was deleted"},
		{os.ErrNotExist, "statement", "the run is not signed"},
		{os.ErrNotExist, "files/x", "the record has no such part"},
	} {
		fake.set(func() { fake.readErr = one.is })
		_, _, err := s.Read(t.Context(), anna, run.RunID, one.part)
		require.ErrorIs(t, err, service.ErrNotFound)
		require.True(t, strings.HasPrefix(service.Words(err), one.says), "%s: %v", one.part, service.Words(err))
		require.NotErrorIs(t, err, service.ErrNoRun)
	}
}

func TestWhoClosedASessionIsTold(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 5)})
	own, others := opens(t, s), opens(t, s)
	_, err := s.CloseSession(t.Context(), anna, own.SessionID)
	require.NoError(t, err)
	require.Equal(t, "it was closed", closed(t, s, own.SessionID).Over)
	_, err = s.CloseSession(t.Context(), admin, others.SessionID)
	require.NoError(t, err)
	require.Equal(t, "an administrator of the service closed it", closed(t, s, others.SessionID).Over)
}
