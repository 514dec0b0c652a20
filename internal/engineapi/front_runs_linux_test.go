package engineapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/admission"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/runner"
)

func TestADetachedRunHasItsPrincipalAndNoRights(t *testing.T) {
	var got runner.Ask
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		got = ask
		return ranAs(ask), nil
	}}, oneRoom)
	given := job.Request{Policy: "p", Bundle: "b@1", Code: []byte("1\x00"), ScriptName: "a.py", Imports: []string{"math"}, Seed: 7, Inputs: []byte(`{}`)}
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "user:anna", given))
	found := s.outcome(t, idOf(1))
	require.Equal(t, FateEnded, found.Fate)
	require.NoError(t, found.Err)
	require.Equal(t, idOf(1), found.Response.Result.RunID)
	require.Empty(t, found.Response.RecordDir+found.Response.CodeFile, "where the host keeps things is nothing to a front")
	require.EqualValues(t, 8<<10, found.Response.RecordBytes, "and how much it keeps is")
	actor := job.ActorOf(uint32(os.Getuid()), "hotcell-front")
	actor.Principal = "user:anna"
	require.Equal(t, runner.Caller{Name: "principal user:anna", Actor: actor}, got.Caller)
	require.Equal(t, given, got.Request)
	require.Equal(t, idOf(1), got.ID)
}

func TestPrincipalsHaveTheToolsOfTheHost(t *testing.T) {
	var got runner.Ask
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		got = ask
		return ranAs(ask), nil
	}}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "tooled"}))
	s.outcome(t, idOf(1))
	require.Equal(t, "lookup", got.Tools[0].Name)
	require.Empty(t, got.Request.Tools)
	err := s.front.Start(t.Context(), idOf(2), "a", job.Request{Policy: "broken"})
	require.ErrorContains(t, err, "tools.yaml: line 3")
	require.NotErrorIs(t, err, runner.ErrInput, "it is the host's fault")
	s.unknown(t, idOf(2))
}

func TestWhatNeedsARightIsRefusedToAFront(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom) // which would panic
	for name, request := range map[string]job.Request{
		"a tool of its own":    {Policy: "p", Tools: []job.Tool{{Name: "t", Command: []string{"/bin/sh"}}}},
		"a run without guard":  {Policy: "p", AllowUnguarded: true},
		"a runtime of its own": {Policy: "p", Runtime: "runc"},
	} {
		t.Run(name, func(t *testing.T) {
			s.refused = nil
			require.ErrorIs(t, s.front.Resolve(t.Context(), "a", request), runner.ErrForbidden)
			require.ErrorIs(t, s.front.Start(t.Context(), idOf(1), "a", request), runner.ErrForbidden)
			_, err := s.front.Check(t.Context(), "a", request)
			require.ErrorIs(t, err, runner.ErrForbidden)
			_, err = s.front.OpenSession(t.Context(), idOf(2), "a", runner.Ask{Request: request})
			require.ErrorIs(t, err, runner.ErrForbidden)
			require.Len(t, s.refused, 4, "the audit chain has each")
			found, err := s.front.Outcome(t.Context(), idOf(1), "a")
			require.NoError(t, err)
			require.Equal(t, FateUnknown, found.Fate)
		})
	}
}

func TestAPolicyThatIsNotForPrincipalsIsRefusedByAnEvent(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom) // which would panic
	s.refused = nil
	require.ErrorContains(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "unguarded"}), "there is no policy")
	require.Len(t, s.refused, 1, "the audit chain has it")
	s.unknown(t, idOf(1))
}

func TestAPrincipalIsOneInTheAuditChain(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom)
	for _, name := range []Principal{"", "a\nb", "a  b", " a", "a\x1b[2J", "\xff", Principal(strings.Repeat("a", 257))} {
		require.ErrorIs(t, s.front.Resolve(t.Context(), name, job.Request{Policy: "p"}), ErrMalformed, "%q", name)
		_, err := ask[nothing](t.Context(), s.front, "resolve", given{Principal: name})
		if name != "\xff" { // which JSON does not have
			require.ErrorIs(t, err, ErrMalformed, "%q", name)
		}
	}
	s.refused = nil
	require.NoError(t, s.front.Resolve(t.Context(), Principal("oidc:https://login.example.org/r#"+strings.Repeat("é", 100)), job.Request{Policy: "p"}))
	require.ErrorIs(t, s.front.Resolve(t.Context(), "a", job.Request{Policy: "nope"}), runner.ErrInput)
}

func TestARunIsBegunOnceHoweverOftenItIsGiven(t *testing.T) {
	begun, release := make(chan struct{}, 9), make(chan struct{})
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		begun <- struct{}{}
		<-release
		return ranAs(ask), nil
	}}, oneRoom)
	var fed sync.WaitGroup
	var mu sync.Mutex
	taken := 0
	for range 8 {
		fed.Go(func() {
			switch err := s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}); {
			case err == nil:
				mu.Lock()
				taken++
				mu.Unlock()
			case !errors.Is(err, ErrKnown):
				t.Error(err)
			}
		})
	}
	fed.Wait()
	<-begun
	require.Equal(t, 1, taken)
	found, err := s.front.Outcome(t.Context(), idOf(1), "a")
	require.NoError(t, err)
	require.Equal(t, Outcome{Fate: FateHeld}, found)
	close(release)
	s.outcome(t, idOf(1))
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}), ErrKnown, "in memory")
	for number, fate := range map[int]Fate{2: FateEnded, 3: FateInterrupted} {
		s.shelf.recorded[idOf(number)] = Outcome{Fate: fate, Response: responseOf(job.Failed)}
		require.ErrorIs(t, s.front.Start(t.Context(), idOf(number), "a", job.Request{Policy: "p"}), ErrKnown, "in a record")
	}
	require.Empty(t, begun)
	found, err = s.front.Outcome(t.Context(), idOf(3), "a")
	require.NoError(t, err)
	require.Equal(t, Outcome{Fate: FateInterrupted}, found)
	found, err = s.front.Outcome(t.Context(), idOf(2), "a")
	require.NoError(t, err)
	require.Equal(t, job.Failed, found.Response.Result.Status)
	require.ErrorIs(t, s.front.Start(t.Context(), job.ID{}, "a", job.Request{Policy: "p"}), ErrMalformed)
}

// The front gives it, is gone before the answer, and asks again.
func TestAStartWhoseAnswerIsLostRunsOnce(t *testing.T) {
	begun, release := make(chan struct{}, 9), make(chan struct{})
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		begun <- struct{}{}
		<-release
		return ranAs(ask), nil
	}}, oneRoom)
	text, err := encode(given{ID: idOf(1), Principal: "a", Request: requestOf(runner.Ask{Request: job.Request{Policy: "p"}})})
	require.NoError(t, err)
	conn, err := net.Dial("unix", s.path)
	require.NoError(t, err)
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s", frontPath("start"), len(text), text)
	<-begun
	require.NoError(t, conn.Close())
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}), ErrKnown)
	close(release)
	require.Equal(t, job.Succeeded, s.outcome(t, idOf(1)).Response.Result.Status)
	require.Empty(t, begun)
}

func TestWhatARunTellsIsFollowedFromAnyPlace(t *testing.T) {
	told, release := make(chan struct{}), make(chan struct{})
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		ask.Events.Phase(runner.PhaseRunning)
		for _, part := range []string{"a", "b", "\xc3"} {
			fmt.Fprint(ask.Events.Stdout, part)
		}
		fmt.Fprint(ask.Events.Stderr, "err\xff")
		fmt.Fprint(ask.Events.Stdout, "\xbc\n")
		ask.Events.ToolCall("lookup")
		close(told)
		<-release
		fmt.Fprint(ask.Events.Stdout, "end\xe2\x82") // and no more of it
		return ranAs(ask), nil
	}}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	<-told
	enough := errors.New("enough")
	last := int64(0)
	_, err := s.front.Follow(t.Context(), idOf(1), 0, func(event api.Event) error {
		if last = event.Seq; event.Type == api.EventToolCall {
			return enough
		}
		return nil
	})
	require.ErrorIs(t, err, enough, "while it goes on")
	close(release)
	all := s.events(t, idOf(1), 0)
	var lines []string
	for index, event := range all {
		require.EqualValues(t, index+1, event.Seq)
		lines = append(lines, fmt.Sprintf("%s %s", event.Type, event.Data))
	}
	require.Equal(t, []string{
		`state {"state":"running","phase":"running"}`, `stdout {"text":"ab"}`, `stderr {"text":"err�"}`, `stdout {"text":"ü\n"}`,
		`tool_call {"name":"lookup"}`, `stdout {"text":"end"}`, `stdout {"text":"�"}`,
	}, lines)
	require.Equal(t, all[last:], s.events(t, idOf(1), last), "from where it broke off")
	require.Empty(t, s.events(t, idOf(1), int64(len(all))))
	_, err = s.front.Follow(t.Context(), idOf(9), 0, nil)
	require.ErrorIs(t, err, ErrUnknownRun)
	s.shelf.recorded[idOf(8)] = Outcome{Fate: FateEnded}
	require.Empty(t, s.events(t, idOf(8), 0), "only a record knows it")
}

func TestASmallAnswerComesWithTheLastEvent(t *testing.T) {
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		if ask.Request.Policy == "refused" {
			return runner.Response{}, fmt.Errorf("%w: it is", runner.ErrInput)
		}
		ran := ranAs(ask)
		if ask.Request.Policy == "large" {
			ran.Result.Output = strings.Repeat("x", smallAnswer)
		}
		return ran, nil
	}}, oneRoom)
	follow := func(n int, policy string) Outcome {
		require.NoError(t, s.front.Start(t.Context(), idOf(n), "a", job.Request{Policy: policy}))
		told, err := s.front.Follow(t.Context(), idOf(n), 0, func(api.Event) error { return nil })
		require.NoError(t, err)
		require.Equal(t, FateEnded, s.outcome(t, idOf(n)).Fate)
		return told
	}
	told := follow(1, "p")
	require.Equal(t, FateEnded, told.Fate)
	require.Equal(t, idOf(1), told.Response.Result.RunID)
	require.ErrorIs(t, follow(2, "refused").Err, runner.ErrInput)
	require.Equal(t, Outcome{}, follow(3, "large"), "it is asked for")
}

// A script that prints and then works for an hour is heard at once.
func TestWhatIsPrintedIsHeardWhileTheRunGoesOn(t *testing.T) {
	s := newFrontScene(t, played{run: func(ctx context.Context, ask runner.Ask) (runner.Response, error) {
		fmt.Fprint(ask.Events.Stdout, "half of a line")
		<-ctx.Done()
		return ranAs(ask), nil
	}}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	heard := errors.New("heard")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err := s.front.Follow(ctx, idOf(1), 0, func(api.Event) error { return heard })
	require.ErrorIs(t, err, heard)
}

func TestEventsThatAreNotKeptAreAGap(t *testing.T) {
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		for range 400 {
			fmt.Fprint(ask.Events.Stdout, strings.Repeat("x", joinBytes))
		}
		return ranAs(ask), nil
	}}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	s.outcome(t, idOf(1))
	all := s.events(t, idOf(1), 3)
	require.Equal(t, api.EventGap, all[0].Type)
	require.JSONEq(t, fmt.Sprintf(`{"from":4,"to":%d}`, all[0].Seq), string(all[0].Data))
	require.Equal(t, all[0].Seq+1, all[1].Seq)
	require.EqualValues(t, 400, all[len(all)-1].Seq)
}

// A script that writes byte by byte must not push out what it has written.
func TestTinyWritesAreJoined(t *testing.T) {
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		for range 100_000 {
			fmt.Fprint(ask.Events.Stdout, "é"[:1])
			fmt.Fprint(ask.Events.Stdout, "é"[1:])
		}
		return ranAs(ask), nil
	}}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	s.outcome(t, idOf(1))
	var text bytes.Buffer
	all := s.events(t, idOf(1), 0)
	for _, event := range all {
		require.Equal(t, api.EventStdout, event.Type)
		var one api.TextEvent
		require.NoError(t, decode(newReader(append(event.Data, '\n')), maxLine, &one))
		text.WriteString(one.Text)
	}
	require.Equal(t, strings.Repeat("é", 100_000), text.String())
	require.Less(t, len(all), 2_000)
}

func TestACancelledRunEndsAndKeepsItsAnswer(t *testing.T) {
	begun := make(chan struct{}, 2)
	s := newFrontScene(t, played{run: untilCancelled(begun)}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	<-begun // it has the place
	require.NoError(t, s.front.Start(t.Context(), idOf(2), "a", job.Request{Policy: "p"}))
	require.NoError(t, s.front.Cancel(t.Context(), idOf(2)), "while it waits")
	require.ErrorIs(t, s.outcome(t, idOf(2)).Err, context.Canceled)
	require.NoError(t, s.front.Cancel(t.Context(), idOf(1)))
	require.Equal(t, job.Cancelled, s.outcome(t, idOf(1)).Response.Result.Status)
	require.NoError(t, s.front.Cancel(t.Context(), idOf(1)), "once more")
	require.ErrorIs(t, s.front.Cancel(t.Context(), idOf(3)), ErrUnknownRun)
	s.shelf.recorded[idOf(3)] = Outcome{Fate: FateInterrupted}
	require.NoError(t, s.front.Cancel(t.Context(), idOf(3)))
	require.Empty(t, begun)
}

func TestAnEngineThatEndsGivesBackWhatHasNotBegun(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		begun <- struct{}{}
		<-release
		return ranAs(ask), nil
	}}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	<-begun
	require.NoError(t, s.front.Start(t.Context(), idOf(2), "a", job.Request{Policy: "p"}))
	require.Eventually(t, func() bool { overview, err := s.front.Status(t.Context()); return err == nil && overview.Waiting == 1 }, 10*time.Second, time.Millisecond)
	empty := s.server.Drain()
	s.unknown(t, idOf(2))
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(3), "a", job.Request{Policy: "p"}), admission.ErrDraining)
	about, err := s.front.About(t.Context())
	require.NoError(t, err)
	require.True(t, about.Draining)
	close(release)
	<-empty
	require.Equal(t, job.Succeeded, s.outcome(t, idOf(1)).Response.Result.Status)
}

// It has not begun: the same front gives it once more.
func TestARunForWhichThereWasNoRoomMayBeGivenAgain(t *testing.T) {
	begun, release := make(chan struct{}, 9), make(chan struct{})
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		begun <- struct{}{}
		<-release
		return ranAs(ask), nil
	}}, admission.Options{Places: 1, Queue: 1, Queues: 2})
	for number := 1; number <= 2; number++ { // one runs, one waits
		require.NoError(t, s.front.Start(t.Context(), idOf(number), "a", job.Request{Policy: "p"}))
		require.Eventually(t, func() bool { o, err := s.front.Status(t.Context()); return err == nil && o.Running+o.Waiting == number }, 10*time.Second, time.Millisecond)
	}
	require.NoError(t, s.front.Start(t.Context(), idOf(3), "a", job.Request{Policy: "p"}))
	s.unknown(t, idOf(3)) // too many of one principal
	require.NoError(t, s.front.Start(t.Context(), idOf(4), "b", job.Request{Policy: "p"}))
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(5), "c", job.Request{Policy: "p"}), admission.ErrFull, "of all")
	close(release)
	s.outcome(t, idOf(4))
	s.outcome(t, idOf(2))
	require.NoError(t, s.front.Start(t.Context(), idOf(3), "a", job.Request{Policy: "p"}))
	require.NoError(t, s.outcome(t, idOf(3)).Err)
	require.Len(t, begun, 4)
}

// A panic in a goroutine of ours would end the engine with all its runs.
func TestAPanicEndsOneDetachedRun(t *testing.T) {
	s := newFrontScene(t, played{run: func(context.Context, runner.Ask) (runner.Response, error) { panic("of the code") }}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	found := s.outcome(t, idOf(1))
	require.ErrorContains(t, found.Err, "panic of the runner while carrying out a run")
	require.NotContains(t, found.Err.Error(), "of the code")
	require.NoError(t, s.front.Start(t.Context(), idOf(2), "a", job.Request{Policy: "p"}), "its place is free")
}

// What fails before code began may be given again; what fails afterwards never.
func TestARunThatFailsIsInterruptedIfItsCodeMayHaveBegun(t *testing.T) {
	failed := errors.New("no space left")
	var s *frontScene
	s = newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		if string(ask.Request.Code) == "began" {
			s.shelf.mu.Lock()
			defer s.shelf.mu.Unlock()
			s.shelf.recorded[ask.ID] = Outcome{Fate: FateInterrupted}
		}
		return runner.Response{}, failed
	}}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	found := s.outcome(t, idOf(1))
	require.Equal(t, FateEnded, found.Fate)
	require.EqualError(t, found.Err, failed.Error())
	require.NoError(t, s.front.Start(t.Context(), idOf(2), "a", job.Request{Policy: "p", Code: []byte("began")}))
	require.Eventually(t, func() bool {
		found, err := s.front.Outcome(t.Context(), idOf(2), "a")
		return err == nil && found.Fate == FateInterrupted
	}, 10*time.Second, time.Millisecond)
}

func TestAFollowerThatIsGoneIsNotWaitedFor(t *testing.T) {
	begun := make(chan struct{}, 1)
	s := newFrontScene(t, played{run: untilCancelled(begun)}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	followed := make(chan error, 1)
	go func() {
		_, err := s.front.Follow(ctx, idOf(1), 0, func(api.Event) error { return nil })
		followed <- err
	}()
	followers := func() int { return len(s.server.front.following) }
	require.Eventually(t, func() bool { return followers() == 1 }, 10*time.Second, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-followed, context.Canceled)
	require.Eventually(t, func() bool { return followers() == 0 }, 10*time.Second, time.Millisecond, "the run goes on")
}

// What memory does not have any more is for records to say.
func TestEndedRunsAreKeptForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := newDetachedRuns()
		ended := func(number, many int) {
			run := &detachedRun{id: idOf(number), principal: "a", log: journal.New(1)}
			require.NoError(t, runs.reserve(run))
			runs.end(run, bytes.Repeat([]byte("x"), many))
		}
		known := func(number int) bool { _, of := runs.outcome(idOf(number)); return of != "" }
		for number := range keptRuns + 2 {
			ended(number, 1)
		}
		require.False(t, known(1), "so many")
		require.True(t, known(2))
		ended(1000, keptBytes/2)
		ended(1001, keptBytes/2+1)
		require.False(t, known(keptRuns+1), "so many bytes")
		require.False(t, known(1000))
		require.True(t, known(1001))
		ended(1002, keptBytes+1)
		require.False(t, known(1001))
		require.True(t, known(1002), "the newest one, whatever it has")
		time.Sleep(keptFor - time.Second)
		ended(1003, 1)
		require.False(t, known(1002))
		time.Sleep(2 * time.Second)
		require.True(t, known(1003))
		time.Sleep(keptFor)
		require.False(t, known(1003), "so long")
		require.Zero(t, runs.kept)
		require.Empty(t, runs.known)
	})
}
