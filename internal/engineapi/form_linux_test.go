package engineapi

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/runner"
)

func TestWhatATextIsIsAskedFromAfar(t *testing.T) {
	s, all := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	theirs := <-all
	for _, text := range []string{"open", "whole", "", strings.Repeat("ü", 200_000)} {
		require.Equal(t, runner.Form(text), session.Form(t.Context(), []byte(text)))
	}
	require.Empty(t, theirs.steps, "it is no step")
	_, err = session.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, runner.FormUnknown, session.Form(t.Context(), []byte("open")))
}

// Who does not wait for an answer any more sends the step that is typed meanwhile, and takes the
// answer for none of another question.
func TestAStepDoesNotWaitForAnAnswerFromAfar(t *testing.T) {
	s, all := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{Events: runner.Events{Stdout: io.Discard}})
	require.NoError(t, err)
	theirs := <-all
	ctx, cancel := context.WithCancel(t.Context())
	unknown := make(chan runner.Form)
	go func() { unknown <- session.Form(ctx, []byte("wait")) }()
	<-theirs.hang
	cancel()
	require.Equal(t, runner.FormUnknown, <-unknown)
	require.Equal(t, runner.FormUnknown, session.Form(t.Context(), []byte("open")), "the one before has no answer yet")
	stepped := make(chan runner.Response)
	go func() {
		response, _ := session.Step(t.Context(), runner.Script{Code: []byte("x"), Name: "step.py"})
		stepped <- response
	}()
	close(theirs.answer)
	require.Equal(t, job.Succeeded, (<-stepped).Result.Status)
	require.Equal(t, runner.Form("block"), session.Form(t.Context(), []byte("block")))
	_, err = session.Close(t.Context())
	require.NoError(t, err)
}

func TestASessionEndsInOrderThoughAQuestionWaits(t *testing.T) {
	s, all := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	theirs := <-all
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, runner.FormUnknown, session.Form(ctx, []byte("wait")))
	<-theirs.hang
	closed := make(chan job.Status)
	go func() {
		response, _ := session.Close(t.Context())
		closed <- response.Result.Status
	}()
	close(theirs.answer)
	require.Equal(t, job.Succeeded, <-closed)
}

func TestQuestionsAheadOfTheirAnswersEndTheSession(t *testing.T) {
	s, all := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	theirs := <-all
	text, err := encode(step{Code: []byte("wait"), Question: true})
	require.NoError(t, err)
	own := session.(*clientSession)
	_, err = own.body.Write(text)
	require.NoError(t, err)
	<-theirs.hang
	for range 2 {
		_, err = own.body.Write(text)
		require.NoError(t, err)
	}
	<-theirs.ctx.Done()
	theirs.end("it was cancelled")
	<-session.Done()
	_, err = session.Close(t.Context())
	require.ErrorIs(t, err, ErrMalformed, "its answer was not asked for here")
}
