package runner

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

// questioned plays a guard that is asked questions between its steps.
func questioned(t *testing.T, say func(g guard, text string)) play {
	return func(ctx context.Context, g guard) container.Exit {
		g.setUp()
		for {
			kind, payload := g.receive()
			switch kind {
			case 0:
				return container.Exit{}
			case wire.TypeInterrupt:
			case wire.TypeQuestion:
				say(g, payload)
			default:
				if exit := plain(t)(ctx, g, payload); exit != nil {
					return *exit
				}
			}
		}
	}
}

// sayForm answers with the question.
func sayForm(g guard, text string) { g.send(wire.TypeForm, text) }

func form(t *testing.T, s *Session, text string) Form {
	t.Helper()
	return s.Form(t.Context(), []byte(text))
}

func closes(t *testing.T, s *Session, status job.Status) {
	t.Helper()
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, status, response.Result.Status, "%+v", response.Result.Error)
}

func TestASessionSaysWhatATextIsBetweenItsSteps(t *testing.T) {
	b := newBench(t, questioned(t, sayForm), withPolicy(withSession))
	s := openSession(t, b, "")
	<-s.Prepared()
	for range 2 {
		for _, want := range []Form{wire.FormOpen, wire.FormWhole, wire.FormInvalid} {
			require.Equal(t, want, form(t, s, string(want)))
		}
		require.Equal(t, job.Succeeded, step(t, s, "1").Status)
	}
	require.Equal(t, FormUnknown, s.Form(t.Context(), bytes.Repeat([]byte("x"), wire.MaxQuestion+1)), "too long")
	require.EqualValues(t, 2, s.steps, "a question is none")
	closes(t, s, job.Succeeded)
	require.Equal(t, FormUnknown, form(t, s, "open"), "it is over")
}

func TestNobodyIsAskedWhileAStepRuns(t *testing.T) {
	var during Form
	asked := make(chan struct{})
	var s *Session
	b := newBench(t, questioned(t, sayForm), withPolicy(withSession))
	events := b.events
	b.events.Stdout = writer(func([]byte) {
		during = form(t, s, "open")
		close(asked)
	})
	s = openSession(t, b, "")
	b.events = events
	require.Equal(t, job.Succeeded, step(t, s, "1").Status)
	<-asked
	require.Equal(t, FormUnknown, during)
	closes(t, s, job.Succeeded)
}

type writer func([]byte)

func (w writer) Write(chunk []byte) (int, error) { w(chunk); return len(chunk), nil }

// Its answer is neither waited for, nor taken for that to another question, nor for the step's.
func TestAnAnswerThatIsLateIsOfNoUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, questioned(t, func(g guard, text string) {
			if text == "late" {
				time.Sleep(10 * time.Second)
				text = "open"
			}
			sayForm(g, text)
		}), withPolicy(withSession))
		s := openSession(t, b, "")
		<-s.Prepared()
		begun := time.Now()
		require.Equal(t, FormUnknown, form(t, s, "late"))
		require.Equal(t, formTime, time.Since(begun))
		require.Equal(t, FormUnknown, form(t, s, "whole"), "it is at the question before")
		require.Equal(t, formTime, time.Since(begun), "which is told at once")
		require.Equal(t, job.Succeeded, step(t, s, "1").Status)
		require.Equal(t, wire.FormWhole, form(t, s, "whole"))

		require.Equal(t, FormUnknown, form(t, s, "late"))
		time.Sleep(20 * time.Second)
		require.Equal(t, wire.FormBlock, form(t, s, "block"))
		closes(t, s, job.Succeeded)
	})
}

func TestWhoAsksMayGoAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, questioned(t, func(g guard, text string) { time.Sleep(time.Millisecond); sayForm(g, text) }), withPolicy(withSession))
		s := openSession(t, b, "")
		<-s.Prepared()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		begun := time.Now()
		require.Equal(t, FormUnknown, s.Form(ctx, []byte("open")))
		require.Zero(t, time.Since(begun))
		closes(t, s, job.Succeeded)
	})
}

// As in a parser that does not return: the step behind it has its time, and not more.
func TestAGuardThatIsStuckInAQuestionEndsLikeOneThatIsStuckInAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(ctx context.Context, g guard) container.Exit {
			g.setUp()
			for kind := byte(1); kind != 0; {
				kind, _ = g.receive()
			}
			return container.Exit{Code: -1, Signal: "SIGKILL", KilledByUs: ctx.Err() != nil}
		}, withPolicy(withSession))
		s := openSession(t, b, "")
		<-s.Prepared()
		begun := time.Now()
		require.Equal(t, FormUnknown, form(t, s, "open"))
		require.Equal(t, formTime, time.Since(begun))
		require.Equal(t, job.TimedOut, step(t, s, "1").Status)
		require.NotEmpty(t, s.Over())
		closes(t, s, job.TimedOut)
	})
}

// As before its first step, when nobody reads beside what runs.
func TestAGuardThatDoesNotEvenReadAQuestionHoldsUpNobody(t *testing.T) {
	b := newBench(t, func(ctx context.Context, g guard) container.Exit {
		g.setUp()
		<-ctx.Done()
		return container.Exit{Code: -1, Signal: "SIGKILL", KilledByUs: true}
	}, withPolicy(withSession))
	s := openSession(t, b, "")
	<-s.Prepared()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, FormUnknown, s.Form(ctx, []byte("open")))
	response, err := s.Step(t.Context(), Script{Code: []byte("1"), WallClock: time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, job.TimedOut, response.Result.Status)
	require.NotEmpty(t, s.Over())
	closes(t, s, job.TimedOut)
}

func TestWhatAnswersOtherwiseThanAskedEndsTheSession(t *testing.T) {
	for name, say := range map[string]func(g guard, text string){
		"another word":   func(g guard, _ string) { g.send(wire.TypeForm, "closed") },
		"a second one":   func(g guard, _ string) { g.send(wire.TypeForm, "open"); g.send(wire.TypeForm, "open") },
		"another frame":  func(g guard, _ string) { g.send(wire.TypeStdout, "open") },
		"a report":       func(g guard, _ string) { g.report("completed", "") },
		"more than fits": func(g guard, _ string) { g.send(wire.TypeForm, "open open open") },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, questioned(t, say), withPolicy(withSession))
			s := openSession(t, b, "")
			require.Equal(t, job.Succeeded, step(t, s, "1").Status)
			_ = form(t, s, "f(")
			<-s.Done()
			require.NotEmpty(t, s.Over())
			response, err := s.Close(t.Context())
			require.NoError(t, err)
			require.Equal(t, job.OutputRejected, response.Result.Status)
		})
	}
}

func TestAGuardThatDiesOfAQuestionEndsTheSession(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.setUp()
		g.receive()
		return container.Exit{Code: -1, Signal: "SIGSEGV"}
	}, withPolicy(withSession))
	s := openSession(t, b, "")
	<-s.Prepared()
	require.Equal(t, FormUnknown, form(t, s, "((("))
	<-s.Done()
	require.NotEmpty(t, s.Over())
	_, err := s.Step(t.Context(), Script{Code: []byte("1")})
	require.ErrorIs(t, err, ErrSessionOver)
	_, err = s.Close(t.Context())
	require.NoError(t, err)
}

func TestAnAnswerIsToItsOwnQuestion(t *testing.T) {
	d := &dialogue{asked: question{number: 2, answer: make(chan wire.Form, 1)}}
	require.NoError(t, d.Form(1, wire.FormOpen))
	require.NoError(t, d.Form(2, wire.FormBlock))
	require.Equal(t, wire.FormBlock, <-d.asked.answer)
}
