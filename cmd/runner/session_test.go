package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/engineapi"
	"hotcell/internal/runner"
)

// deadSession could not prepare.
type deadSession struct {
	engineapi.Session
	done  chan struct{}
	steps int
}

func (s *deadSession) Prepared() <-chan struct{} { return nil }
func (s *deadSession) Done() <-chan struct{}     { return s.done }
func (s *deadSession) Over() string              { return "" }
func (s *deadSession) About() runner.About       { return runner.About{} }

func (s *deadSession) Step(context.Context, runner.Script) (runner.Response, error) {
	s.steps++
	return runner.Response{}, runner.ErrSessionOver
}

// However soon the step has come. It has its answer all the same.
func TestNoStepBeginsInASessionThatCouldNotPrepare(t *testing.T) {
	for range 100 {
		var out strings.Builder
		a := &app{stdin: strings.NewReader(`{"code":"1"}` + "\n"), stdout: &out, stderr: &out, json: true}
		session := &deadSession{done: make(chan struct{})}
		close(session.done)
		source, err := a.steps(t.Context(), t.Context(), shownSession{session, newProgress(&out), nil})
		require.NoError(t, err)
		require.NoError(t, a.refuseRest(session, source))
		require.Zero(t, session.steps)
		if out.Len() == 0 {
			continue // it has not even been read
		}
		require.JSONEq(t, `{"id":1,"exit_code":2,"error":{"message":"step refused: it was not begun: the session is over","exit_code":2}}`, out.String())
	}
}
