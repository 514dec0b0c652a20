package engineapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hotcell/internal/admission"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// playedSession is a session that echoes, until its caller or its test ends it.
type playedSession struct {
	ask  runner.Ask
	ctx  context.Context //nolint:containedctx // of the session's life
	dead chan struct{}
	hang chan struct{} // a step, or a question, is in it

	answer chan struct{} // to the question that waits

	prepared chan struct{}
	failed   error // why it could not prepare, or nil

	mu    sync.Mutex
	over  string
	steps []string
}

func newPlayedSession(ctx context.Context, ask runner.Ask) *playedSession {
	return &playedSession{ask: ask, ctx: ctx, dead: make(chan struct{}), hang: make(chan struct{}, 8), answer: make(chan struct{}), prepared: make(chan struct{})}
}

func (s *playedSession) Step(ctx context.Context, script runner.Script) (runner.Response, error) {
	code := script.Code
	s.mu.Lock()
	s.steps = append(s.steps, script.Name)
	over, failed := s.over, s.failed
	if failed != nil && over == "" {
		s.over = runner.StepFailed
	}
	s.mu.Unlock()
	if over != "" {
		return runner.Response{}, fmt.Errorf("%w: %s", runner.ErrSessionOver, over)
	}
	if failed != nil {
		return runner.Response{}, failed
	}
	switch string(code) {
	case "hang":
		s.hang <- struct{}{}
		<-ctx.Done()
		s.end("it was cancelled")
		return responseOf(job.Cancelled), nil
	case "wait":
		s.hang <- struct{}{}
		<-script.Interrupt
		return responseOf(job.Cancelled), nil
	case "interrupted":
		select {
		case <-script.Interrupt:
			return responseOf(job.Cancelled), nil
		default:
			return responseOf(job.Succeeded), nil
		}
	case "clock":
		response := responseOf(job.TimedOut)
		response.Result.Stdout = script.WallClock.String()
		return response, nil
	case "die":
		s.end("its sandbox has ended")
		return responseOf(job.Killed), nil
	case "fail":
		return runner.Response{}, fmt.Errorf("%w: why", runner.ErrSessionOver)
	}
	if _, err := s.ask.Events.Stdout.Write(append([]byte("echo "), code...)); err != nil {
		return runner.Response{}, err
	}
	response := responseOf(job.Succeeded)
	response.Result.Stdout = string(code)
	return response, nil
}

// cannotPrepare ends it as runner.Session does: the first step, or Close, tells why.
func (s *playedSession) cannotPrepare(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = why
	close(s.dead)
}

func (s *playedSession) end(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over == "" {
		s.over = why
		close(s.dead)
	}
}

func (s *playedSession) Close(ctx context.Context) (runner.Response, error) {
	if s.failed != nil {
		return runner.Response{}, s.failed
	}
	status := job.Succeeded
	if ctx.Err() != nil {
		status = job.Cancelled
	}
	return responseOf(status), nil
}

// Form returns the text, once its caller or the test has had enough.
func (s *playedSession) Form(ctx context.Context, text []byte) runner.Form {
	if string(text) == "wait" {
		s.hang <- struct{}{}
		select {
		case <-s.answer:
		case <-ctx.Done():
		}
	}
	return runner.Form(text)
}

func (s *playedSession) About() runner.About {
	return runner.About{Session: job.NewID(time.Unix(1, 0)), Policy: s.ask.Request.Policy, Limits: runner.SessionLimits{MaxSteps: 7}}
}

func (s *playedSession) Prepared() <-chan struct{} { return s.prepared }

func (s *playedSession) Done() <-chan struct{} { return s.dead }

func (s *playedSession) Over() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// newSessions is a scene whose sessions come out of the channel.
func newSessions(t *testing.T) (*scene, <-chan *playedSession) {
	t.Helper()
	all := make(chan *playedSession, 8)
	return newScene(t, played{open: func(ctx context.Context, ask runner.Ask) (Session, error) {
		session := newPlayedSession(ctx, ask)
		all <- session
		return session, nil
	}}), all
}

func TestASessionIsTheSameFromAfar(t *testing.T) {
	s, _ := newSessions(t)
	heard := ""
	stdout := piece(func(chunk []byte) error { heard += string(chunk); return nil })
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{Events: runner.Events{Stdout: stdout}})
	require.NoError(t, err)
	about := session.About()
	require.Equal(t, int64(7), about.Limits.MaxSteps)
	require.NotEqual(t, job.ID{}, about.Session)
	for number := range 3 {
		code := fmt.Sprint("ü", number)
		response, err := session.Step(t.Context(), runner.Script{Code: []byte(code), Name: "step.py"})
		require.NoError(t, err)
		require.Equal(t, code, response.Result.Stdout)
		require.Empty(t, session.Over())
	}
	require.Equal(t, "echo ü0echo ü1echo ü2", heard)
	_, err = session.Step(t.Context(), runner.Script{Code: []byte("fail"), Name: "step.py"})
	require.ErrorIs(t, err, runner.ErrSessionOver)
	response, err := session.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
	<-session.Done()
}

// Sessions that nobody uses would keep every run waiting.
func TestSessionsLeaveAPlaceForRuns(t *testing.T) {
	opened := make(chan *playedSession, 8)
	s := newSceneWith(t, played{
		run: func(context.Context, runner.Ask) (runner.Response, error) { return responseOf(job.Succeeded), nil },
		open: func(ctx context.Context, ask runner.Ask) (Session, error) {
			session := newPlayedSession(ctx, ask)
			opened <- session
			return session, nil
		},
	}, admission.Options{Places: 2, Queue: 4, Queues: 4})
	first, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	second, client := make(chan Session, 1), s.client(t)
	go func() {
		session, err := client.OpenSession(t.Context(), runner.Ask{})
		assert.NoError(t, err)
		second <- session
	}()
	ctx, cancel := context.WithCancel(t.Context())
	gone, impatient := make(chan error, 1), s.client(t)
	go func() {
		_, err := impatient.OpenSession(ctx, runner.Ask{})
		gone <- err
	}()
	require.Eventually(t, func() bool {
		status, err := s.client(t).Status(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, status.Running)
		return status.Waiting == 2
	}, time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-gone, context.Canceled)
	_, err = s.client(t).Run(t.Context(), runner.Ask{})
	require.NoError(t, err)
	require.Len(t, opened, 1)
	_, err = first.Close(t.Context())
	require.NoError(t, err)
	_, err = (<-second).Close(t.Context())
	require.NoError(t, err)
}

func TestASessionThatWaitsIsRefusedByAnEnd(t *testing.T) {
	s, all := newSessions(t)
	first, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	<-all
	refused, client := make(chan error, 1), s.client(t)
	go func() {
		_, err := client.OpenSession(t.Context(), runner.Ask{})
		refused <- err
	}()
	require.Eventually(t, func() bool { return s.server.status().Waiting == 1 }, time.Minute, time.Millisecond)
	empty := s.server.Drain()
	require.ErrorIs(t, <-refused, admission.ErrDraining)
	_, err = first.Close(t.Context())
	require.NoError(t, err)
	<-empty
}

func TestASessionSaysOnceThatItIsReady(t *testing.T) {
	s, all := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{Events: runner.Events{Stdout: io.Discard}})
	require.NoError(t, err)
	theirs := <-all
	_, err = session.Step(t.Context(), runner.Script{Code: []byte("1"), Name: "step.py"})
	require.NoError(t, err, "whoever does not wait need not")
	select {
	case <-session.Prepared():
		t.Fatal("it is not ready")
	default:
	}
	stepped := make(chan error, 1)
	go func() {
		_, err := session.Step(t.Context(), runner.Script{Code: []byte("hang"), Name: "step.py"})
		stepped <- err
	}()
	<-theirs.hang
	close(theirs.prepared)
	<-session.Prepared() // in the middle of a step, too
	require.NoError(t, session.(*clientSession).conn.Close())
	<-theirs.ctx.Done()
	theirs.end("its sandbox has ended")
	require.ErrorIs(t, <-stepped, ErrLost)
	_, err = session.Close(t.Context())
	require.ErrorIs(t, err, ErrLost)
}

func TestASessionThatIsNeverReadyEnds(t *testing.T) {
	s, all := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	(<-all).end("its tables cannot be read")
	<-session.Done()
	select {
	case <-session.Prepared():
		t.Fatal("it is not ready")
	default:
	}
	_, err = session.Close(t.Context())
	require.NoError(t, err)
}

// Its first step fails as in this process, whether it is asked for before or after the end.
func TestASessionThatCannotPrepareFailsItsFirstStep(t *testing.T) {
	why := fmt.Errorf("run session: %w", &runner.GuardError{Reason: "its table cannot be loaded"})
	s, all := newSessions(t)
	for range 20 {
		session, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
		require.NoError(t, err)
		theirs := <-all
		here := newPlayedSession(t.Context(), runner.Ask{})
		theirs.cannotPrepare(why)
		here.cannotPrepare(why)
		for _, one := range []Session{here, session} {
			<-one.Done()
			require.Empty(t, one.Over(), "a step may follow")
			_, err = one.Step(t.Context(), runner.Script{Code: []byte("1"), Name: "step.py"})
			require.EqualError(t, err, why.Error())
			guard, ok := errors.AsType[*runner.GuardError](err)
			require.True(t, ok)
			require.Equal(t, "its table cannot be loaded", guard.Reason)
			_, err = one.Step(t.Context(), runner.Script{Code: []byte("1"), Name: "step.py"})
			require.EqualError(t, err, "the session is over: a step could not be carried out")
			require.ErrorIs(t, err, runner.ErrSessionOver)
			_, err = one.Close(t.Context())
			require.EqualError(t, err, why.Error())
		}
	}
}

func TestASessionThatEndsByItselfSaysWhy(t *testing.T) {
	s, all := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	response, err := session.Step(t.Context(), runner.Script{Code: []byte("die"), Name: "step.py"})
	require.NoError(t, err)
	require.Equal(t, job.Killed, response.Result.Status)
	require.Equal(t, "its sandbox has ended", session.Over())
	<-session.Done()
	_, err = session.Step(t.Context(), runner.Script{Code: []byte("1"), Name: "step.py"})
	require.ErrorIs(t, err, runner.ErrSessionOver)
	_, err = session.Close(t.Context())
	require.NoError(t, err)
	<-all

	idle, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	(<-all).end("nothing was asked of it")
	<-idle.Done()
	require.Equal(t, "nothing was asked of it", idle.Over())
	_, err = idle.Close(t.Context())
	require.NoError(t, err)
}

func TestACancelledStepIsAnsweredAndEndsTheSession(t *testing.T) {
	s, all := newSessions(t)
	ctx, cancel := context.WithCancel(t.Context())
	session, err := s.client(t).OpenSession(ctx, runner.Ask{})
	require.NoError(t, err)
	theirs := <-all
	go func() { <-theirs.hang; cancel() }()
	response, err := session.Step(ctx, runner.Script{Code: []byte("hang"), Name: "step.py"})
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, response.Result.Status)
	require.Equal(t, "it was cancelled", session.Over())
	response, err = session.Close(ctx)
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, response.Result.Status)
}

func TestACancelledSessionIsAnswered(t *testing.T) {
	s, all := newSessions(t)
	ctx, cancel := context.WithCancel(t.Context())
	session, err := s.client(t).OpenSession(ctx, runner.Ask{})
	require.NoError(t, err)
	theirs := <-all
	cancel()
	<-theirs.ctx.Done()
	theirs.end("its sandbox has ended") // as its context makes it
	<-session.Done()
	response, err := session.Close(ctx)
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, response.Result.Status)
}

func TestASessionEndsWithItsConnection(t *testing.T) {
	for name, busy := range map[string]bool{"between steps": false, "in a step": true} {
		t.Run(name, func(t *testing.T) {
			s, all := newSessions(t)
			opened, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
			require.NoError(t, err)
			session, theirs := opened.(*clientSession), <-all
			stepped := make(chan error, 1)
			if busy {
				go func() {
					_, err := session.Step(t.Context(), runner.Script{Code: []byte("hang"), Name: "step.py"})
					stepped <- err
				}()
				<-theirs.hang
			}
			require.NoError(t, session.conn.Close())
			<-theirs.ctx.Done()
			theirs.end("its sandbox has ended")
			if busy {
				require.ErrorIs(t, <-stepped, ErrLost)
			}
			_, err = session.Close(t.Context())
			require.ErrorIs(t, err, ErrLost)
		})
	}
}

func TestASessionWhoseEngineDiesSaysSo(t *testing.T) {
	s, _ := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	require.NoError(t, s.server.http.Close())
	<-session.Done()
	require.Equal(t, "its engine has gone", session.Over())
	_, err = session.Close(t.Context())
	require.ErrorIs(t, err, ErrLost)
}

// A peer that sends steps ahead would hide the end of its connection behind them.
func TestStepsAheadOfTheirAnswersEndTheSession(t *testing.T) {
	s, all := newSessions(t)
	opened, err := s.client(t).OpenSession(t.Context(), runner.Ask{})
	require.NoError(t, err)
	session, theirs := opened.(*clientSession), <-all
	text, err := encode(step{Code: []byte("hang"), Name: "step.py"})
	require.NoError(t, err)
	for range 3 {
		_, err := session.body.Write(text)
		require.NoError(t, err)
	}
	<-theirs.ctx.Done()
	_, _ = session.Close(t.Context())
}

// Its interrupt comes with it: as a line of its own it would come when the step may be over.
func TestNothingIsRunOfAStepThatWasInterruptedBeforeItWasSent(t *testing.T) {
	s, all := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{Events: runner.Events{Stdout: io.Discard}})
	require.NoError(t, err)
	<-all
	onlySteps(t, session.(*clientSession))
	interrupt := make(chan struct{})
	close(interrupt)
	for range 20 {
		response, err := session.Step(t.Context(), runner.Script{Code: []byte("interrupted"), Name: "step.py", Interrupt: interrupt})
		require.NoError(t, err)
		require.Equal(t, job.Cancelled, response.Result.Status)
		response, err = session.Step(t.Context(), runner.Script{Code: []byte("1"), Name: "step.py"})
		require.NoError(t, err)
		require.Equal(t, job.Succeeded, response.Result.Status, "an interrupt is one step's")
	}
	_, err = session.Close(t.Context())
	require.NoError(t, err)
}

// onlySteps sends an engine the steps of a session, and loses the lines that interrupt one.
func onlySteps(t *testing.T, session *clientSession) {
	t.Helper()
	engine := session.body
	from, to := io.Pipe()
	session.body = to
	go func() {
		defer func() { _ = engine.Close() }()
		for lines := bufio.NewReader(from); ; {
			var next step
			if decode(lines, maxStep, &next) != nil {
				return
			}
			text, err := encode(next)
			if err == nil && !next.Interrupt {
				_, err = engine.Write(text)
			}
			if err != nil {
				return
			}
		}
	}()
}

func TestAStepIsInterruptedFromAfarAndItsSessionStays(t *testing.T) {
	s, all := newSessions(t)
	session, err := s.client(t).OpenSession(t.Context(), runner.Ask{Events: runner.Events{Stdout: io.Discard}})
	require.NoError(t, err)
	theirs := <-all
	for range 2 {
		interrupt := make(chan struct{})
		go func() {
			<-theirs.hang
			close(interrupt)
		}()
		response, err := session.Step(t.Context(), runner.Script{Code: []byte("wait"), Name: "step.py", Interrupt: interrupt})
		require.NoError(t, err)
		require.Equal(t, job.Cancelled, response.Result.Status)
		require.Empty(t, session.Over())
		response, err = session.Step(t.Context(), runner.Script{Code: []byte("1"), Name: "step.py"})
		require.NoError(t, err)
		require.Equal(t, job.Succeeded, response.Result.Status, "an interrupt is one step's")
	}
	response, err := session.Step(t.Context(), runner.Script{Code: []byte("clock"), WallClock: 3 * time.Second})
	require.NoError(t, err)
	require.Equal(t, "3s", response.Result.Stdout)
	_, err = session.Close(t.Context())
	require.NoError(t, err)
}
