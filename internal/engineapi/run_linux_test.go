package engineapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/admission"
	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

func TestARequestCrossesUnchanged(t *testing.T) {
	for name, given := range map[string]job.Request{
		"everything": {
			Policy: "lab", Bundle: "b@1", Code: []byte("print('ü')\x00\xff\n"), ScriptName: "a.py", Runtime: "crun",
			Overrides: job.Overrides{
				WallClock: 3 * time.Second, MemoryBytes: 1 << 40, CPUMillis: 5, PIDs: 6,
				Budgets: job.Budgets{Operations: 7, LoopIterations: 8, ToolCalls: 9},
			},
			AllowUnguarded: true, Imports: []string{"math"}, Tables: []string{"visits"}, Seed: 1<<48 - 1, Inputs: []byte(`{"a": 1.50, "b" :[]}`),
			Tools: []job.Tool{{Name: "t", Command: []string{"/bin/t", "-x"}, Schema: []byte(`{"type" : "object"}`)}, {Name: "u", Command: []string{"/u"}}},
		},
		"little":          {Policy: "lab", Code: []byte("1")},
		"inputs that err": {Policy: "lab", Code: []byte("1"), Inputs: []byte(`{"a": 1, "a": 2`)},
	} {
		t.Run(name, func(t *testing.T) {
			var got runner.Ask
			s := newScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
				got = ask
				return responseOf(job.Succeeded), nil
			}})
			// The caller of the ask counts for nothing: the socket's does.
			_, err := s.client(t).Run(t.Context(), runner.Ask{Request: given, Caller: runner.Caller{Name: "forged", Rights: runner.AllRights()}})
			require.NoError(t, err)
			require.Equal(t, given, got.Request)
			require.Equal(t, runner.Caller{Name: "tester", Rights: runner.Rights{ChooseRuntime: true}}, got.Caller)
			require.Empty(t, got.OutputDir)
			require.Nil(t, got.Events.Stdout)
			require.Nil(t, got.Events.ToolStderr)
		})
	}
}

func TestStreamsCrossAsTheyCome(t *testing.T) {
	heard := make(chan struct{})
	s := newScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		ask.Events.Phase(runner.PhaseRunning)
		for index, to := range []io.Writer{ask.Events.Stdout, ask.Events.Stderr, ask.Events.ToolStderr} {
			text := []string{"out\x00\xff", "err\n", "tool"}[index]
			n, err := to.Write([]byte(text))
			require.NoError(t, err)
			require.Equal(t, len(text), n)
		}
		<-heard // before the run has ended
		return responseOf(job.Succeeded), nil
	}})
	var stdout, stderr, tools bytes.Buffer
	var phases []runner.Phase
	all := func() {
		if stdout.Len() > 0 && stderr.Len() > 0 && tools.Len() > 0 {
			close(heard)
		}
	}
	hear := func(to *bytes.Buffer) io.Writer {
		return piece(func(chunk []byte) error { to.Write(chunk); all(); return nil })
	}
	response, err := s.client(t).Run(t.Context(), runner.Ask{Events: runner.Events{
		Phase: func(phase runner.Phase) { phases = append(phases, phase) }, Stdout: hear(&stdout), Stderr: hear(&stderr), ToolStderr: hear(&tools),
	}})
	require.NoError(t, err)
	require.NoError(t, response.StreamError)
	require.Equal(t, []string{"out\x00\xff", "err\n", "tool"}, []string{stdout.String(), stderr.String(), tools.String()})
	require.Equal(t, []runner.Phase{runner.PhaseRunning}, phases)
}

func TestAResponseCrossesUnchanged(t *testing.T) {
	given := responseOf(job.OutputRejected)
	given.QuarantineDir = "/quarantine/1"
	result := &given.Result
	result.Stdout, result.Value = "ü \u2028 <&>\n", []byte(`{"a":[1.50,"<"]}`)
	result.Charts = []job.Chart{{Kind: job.ChartPlotly, Spec: []byte(`{"data":[]}`)}, {Kind: job.ChartMatplotlib, Path: "figures/a.png"}}
	result.Files = []job.File{{Path: "a.csv", Bytes: 1, SHA256: digest.Of([]byte("a")).Hex(), MediaType: "text/csv", Role: "file"}}
	result.Error = &job.Error{Type: "E", Message: "m", Line: 1, Traceback: "t"}
	result.Violations = []job.Violation{{Rule: "r", Line: 1, Column: 2, Message: "m"}}
	result.ToolCalls = []job.ToolCall{{Name: "t", DurationMS: 1, Error: "e"}}
	result.Usage = job.Usage{WallMS: 1, CPUMS: -1}
	result.Provenance.PolicySHA256, result.Provenance.StartedAt = digest.Of([]byte("p")).Hex(), time.Now().UTC().Round(0)
	given.Trace = &job.Trace{Warm: true, Phases: []job.PhaseTime{{Phase: "running", MS: 1.234}}}
	beside := errors.New("the sandbox could not be removed")
	s := newScene(t, played{run: func(context.Context, runner.Ask) (runner.Response, error) { return given, beside }})
	got, err := s.client(t).Run(t.Context(), runner.Ask{})
	require.EqualError(t, err, beside.Error())
	require.Equal(t, given, got)
}

func TestAnErrorKeepsItsClassAndItsWords(t *testing.T) {
	known := []error{
		runner.ErrInput, runner.ErrForbidden, runner.ErrExport, runner.ErrSessionOver, container.ErrUnknownRuntime,
		context.Canceled, admission.ErrFull, admission.ErrDraining, ErrMalformed,
	}
	for _, given := range append([]error{errors.New("ours")}, known...) {
		t.Run(given.Error(), func(t *testing.T) {
			wrapped := fmt.Errorf("while it ran: %w", given)
			s := newScene(t, played{
				run:   func(context.Context, runner.Ask) (runner.Response, error) { return runner.Response{}, wrapped },
				check: func(context.Context, runner.Ask) (runner.Checked, error) { return runner.Checked{}, wrapped },
				open:  func(context.Context, runner.Ask) (Session, error) { return nil, wrapped },
			})
			client := s.client(t)
			response, err := client.Run(t.Context(), runner.Ask{})
			_, errChecked := client.Check(t.Context(), runner.Ask{})
			_, errOpened := client.OpenSession(t.Context(), runner.Ask{})
			require.Equal(t, runner.Response{}, response)
			for _, err := range []error{err, errChecked, errOpened} {
				require.EqualError(t, err, wrapped.Error())
				for _, one := range known {
					require.Equal(t, errors.Is(given, one), errors.Is(err, one), one)
				}
			}
		})
	}
	guard := fmt.Errorf("run: %w", &runner.GuardError{Reason: "it is old"})
	crossed := faultOf(guard).err()
	require.EqualError(t, crossed, guard.Error())
	found, ok := errors.AsType[*runner.GuardError](crossed)
	require.True(t, ok)
	require.Equal(t, "it is old", found.Reason)
	require.ErrorIs(t, (&fault{Classes: []class{"unheard of"}}).err(), ErrMalformed)
	require.NoError(t, inside().fault(nil).err())
}

func TestACheckCrosses(t *testing.T) {
	given := runner.Checked{Violations: []job.Violation{{Rule: "r", Line: 1}}, Policy: "lab", PolicySHA256: digest.Of(nil).Hex()}
	s := newScene(t, played{check: func(context.Context, runner.Ask) (runner.Checked, error) { return given, nil }})
	got, err := s.client(t).Check(t.Context(), runner.Ask{})
	require.NoError(t, err)
	require.Equal(t, given, got)
}

// Whoever cancels still hears what became of the run.
func TestACancelledRunIsAnswered(t *testing.T) {
	begun := make(chan struct{}, 1)
	s := newScene(t, played{run: untilCancelled(begun)})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	response, err := s.client(t).Run(ctx, runner.Ask{})
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, response.Result.Status)
}

func TestACallerThatIsGoneHasCancelled(t *testing.T) {
	begun, ended := make(chan struct{}, 1), make(chan struct{})
	s := newScene(t, played{run: func(ctx context.Context, ask runner.Ask) (runner.Response, error) {
		defer close(ended)
		return untilCancelled(begun)(ctx, ask)
	}})
	client := s.client(t)
	conn := client.idle
	body, err := encode(requestOf(runner.Ask{}))
	require.NoError(t, err)
	require.NoError(t, conn.send(t.Context(), "/v1/run", bytes.NewReader(body)))
	<-begun
	require.NoError(t, client.Close())
	<-ended
}

func TestWhoWaitsForAPlaceCanCancel(t *testing.T) {
	begun := make(chan struct{}, 1)
	s := newSceneWith(t, played{run: untilCancelled(begun)}, admission.Options{Places: 1, Queue: 1, Queues: 1})
	first, endFirst := context.WithCancel(t.Context())
	var answered error
	done := make(chan struct{})
	holder, waiter := s.client(t), s.client(t)
	go func() {
		defer close(done)
		_, answered = holder.Run(first, runner.Ask{})
	}()
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	waited := make(chan error, 1)
	go func() {
		_, err := waiter.Run(ctx, runner.Ask{})
		waited <- err
	}()
	require.Eventually(t, func() bool { return len(s.server.requests) == 2 }, time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-waited, context.Canceled)
	endFirst()
	<-done
	require.NoError(t, answered)
}

func TestMoreThanThereIsRoomForIsRefused(t *testing.T) {
	begun := make(chan struct{}, 1)
	s := newSceneWith(t, played{run: untilCancelled(begun)}, admission.Options{Places: 1, Queue: 1, Queues: 1})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{}, 2)
	for range 2 {
		client := s.client(t)
		go func() { _, _ = client.Run(ctx, runner.Ask{}); ended <- struct{}{} }()
	}
	<-begun
	require.Eventually(t, func() bool { return len(s.server.requests) == 2 }, time.Minute, time.Millisecond)
	_, err := s.client(t).Run(t.Context(), runner.Ask{})
	require.ErrorIs(t, err, admission.ErrFull)
	cancel()
	<-ended
	<-ended
}

// The engine closes the connection of who is refused, in the middle of what they send.
func TestALargeRequestHearsThatItIsRefused(t *testing.T) {
	begun := make(chan struct{}, 1)
	s := newSceneWith(t, played{run: untilCancelled(begun)}, admission.Options{Places: 1, Queue: 1, Queues: 1})
	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for range 2 {
		client := s.client(t)
		asking.Go(func() { _, _ = client.Run(ctx, runner.Ask{}) })
	}
	<-begun
	require.Eventually(t, func() bool { return len(s.server.requests) == 2 }, time.Minute, time.Millisecond)
	large := runner.Ask{Request: job.Request{Inputs: bytes.Repeat([]byte("x"), 1<<20)}}
	_, err := s.client(t).Run(t.Context(), large)
	require.ErrorIs(t, err, admission.ErrFull)
	_, err = s.client(t).Check(t.Context(), large)
	require.ErrorIs(t, err, admission.ErrFull)
	_, err = s.client(t).OpenSession(t.Context(), large)
	require.ErrorIs(t, err, admission.ErrFull)
	require.NotErrorIs(t, err, ErrLost)
	cancel()
	asking.Wait()
}

func TestStatusTellsWhoRunsAndWhoWaits(t *testing.T) {
	begun := make(chan struct{}, 2)
	s := newScene(t, played{run: untilCancelled(begun)})
	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for range 3 {
		client := s.client(t)
		asking.Go(func() { _, _ = client.Run(ctx, runner.Ask{}) })
	}
	for range 2 {
		<-begun
	}
	var status Overview
	require.Eventually(t, func() bool {
		var err error
		status, err = s.client(t).Status(t.Context())
		require.NoError(t, err)
		return status.Waiting == 1
	}, time.Minute, time.Millisecond)
	require.Equal(t, Overview{
		Engine:  Description{Protocol: Protocol, Version: "v1", Engine: "fake", Places: 2, Signer: "sha256:signer"},
		Running: 2, Waiting: 1, RemovalsFailed: 3, Templates: []Kind{oneKind}, TemplatesBytes: 1 << 30,
	}, status)
	cancel()
	asking.Wait()
}

func TestADrainingEngineSaysSo(t *testing.T) {
	begun := make(chan struct{}, 1)
	s := newScene(t, played{run: untilCancelled(begun)})
	ended := make(chan job.Status, 1)
	holder := s.client(t)
	go func() {
		response, _ := holder.Run(t.Context(), runner.Ask{})
		ended <- response.Result.Status
	}()
	<-begun
	client := s.client(t)
	require.False(t, client.About().Draining)
	empty := s.server.Drain()
	require.True(t, s.client(t).About().Draining)
	_, err := client.Run(t.Context(), runner.Ask{})
	require.ErrorIs(t, err, admission.ErrDraining)
	s.server.Cancel()
	<-empty
	require.Equal(t, job.Cancelled, <-ended)
}

func TestAnEngineThatDiesIsNotAskedAgain(t *testing.T) {
	var runs atomic.Int64
	begun := make(chan struct{}, 1)
	s := newScene(t, played{run: func(ctx context.Context, ask runner.Ask) (runner.Response, error) {
		runs.Add(1)
		return untilCancelled(begun)(ctx, ask)
	}})
	go func() { <-begun; s.server.http.Close() }()
	_, err := s.client(t).Run(t.Context(), runner.Ask{})
	require.ErrorIs(t, err, ErrLost)
	require.NotErrorIs(t, err, context.Canceled)
	require.EqualValues(t, 1, runs.Load())
}

func TestAPanicFreesThePlace(t *testing.T) {
	var calls atomic.Int64
	s := newSceneWith(t, played{run: func(context.Context, runner.Ask) (runner.Response, error) {
		if calls.Add(1) == 1 {
			panic("broken")
		}
		return responseOf(job.Succeeded), nil
	}}, admission.Options{Places: 1, Queue: 1, Queues: 1})
	_, err := s.client(t).Run(t.Context(), runner.Ask{})
	require.ErrorIs(t, err, ErrLost)
	_, err = s.client(t).Run(t.Context(), runner.Ask{})
	require.NoError(t, err)
}

// `runner run … | less` must not keep a place while somebody reads.
func TestWhoReadsSlowlyKeepsNobodyWaiting(t *testing.T) {
	s := newSceneWith(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		for range 64 {
			if ask.Events.Stdout != nil {
				_, err := ask.Events.Stdout.Write(bytes.Repeat([]byte("x"), 64<<10))
				require.NoError(t, err)
			}
		}
		return responseOf(job.Succeeded), nil
	}}, admission.Options{Places: 1, Queue: 1, Queues: 1})
	held, stuck, read := make(chan struct{}), make(chan struct{}, 64), make(chan error, 1)
	slow := s.client(t)
	go func() {
		_, err := slow.Run(t.Context(), runner.Ask{Events: runner.Events{Stdout: piece(func([]byte) error { stuck <- struct{}{}; <-held; return nil })}})
		read <- err
	}()
	<-stuck
	_, err := s.client(t).Run(t.Context(), runner.Ask{})
	require.NoError(t, err)
	close(held)
	require.NoError(t, <-read)
}

func TestAListenerThatFailsIsReportedAndGetsNoMore(t *testing.T) {
	s := newScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		for range 3 {
			_, err := ask.Events.Stdout.Write([]byte("x"))
			require.NoError(t, err)
		}
		return responseOf(job.Succeeded), nil
	}})
	calls := 0
	response, err := s.client(t).Run(t.Context(), runner.Ask{Events: runner.Events{Stdout: piece(func([]byte) error { calls++; return syscall.EPIPE })}})
	require.NoError(t, err)
	require.ErrorIs(t, response.StreamError, syscall.EPIPE)
	require.Equal(t, 1, calls)
}

func TestFilesAreCopiedByWhoAsked(t *testing.T) {
	record := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(record, "files"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(record, "files", "a.txt"), []byte("a"), 0o600))
	var runs atomic.Int64
	s := newScene(t, played{run: func(context.Context, runner.Ask) (runner.Response, error) {
		runs.Add(1)
		response := responseOf(job.Succeeded)
		response.RecordDir = record
		response.Result.Files = []job.File{{Path: "a.txt", Bytes: 1, SHA256: digest.Of([]byte("a")).Hex()}}
		return response, nil
	}})
	t.Chdir(t.TempDir())
	client := s.client(t)
	_, err := client.Run(t.Context(), runner.Ask{OutputDir: "out"})
	require.NoError(t, err)
	require.FileExists(t, "out/a.txt")
	_, err = client.Run(t.Context(), runner.Ask{OutputDir: "out"})
	require.ErrorIs(t, err, runner.ErrInput, "heard before the run")
	require.EqualValues(t, 1, runs.Load())
	require.NoError(t, os.Remove(filepath.Join(record, "files", "a.txt")))
	response, err := client.Run(t.Context(), runner.Ask{OutputDir: "other"})
	require.ErrorIs(t, err, runner.ErrExport)
	require.Equal(t, job.Succeeded, response.Result.Status)
}

// raw sends bytes as the body of a request, and returns the answer.
func raw(t *testing.T, s *scene, path, body string) string {
	t.Helper()
	conn, err := net.Dial("unix", filepath.Join(s.dir, SocketName))
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
	require.NoError(t, err)
	answer, err := io.ReadAll(conn)
	require.NoError(t, err)
	return string(answer)
}

func TestWhatIsNoRequestIsRefused(t *testing.T) {
	s := newScene(t, played{}) // that carries nothing out
	good, err := encode(requestOf(runner.Ask{}))
	require.NoError(t, err)
	text := strings.TrimSpace(string(good))
	for name, body := range map[string]string{
		"nothing":            "",
		"no JSON":            "x\n",
		"an unknown name":    `{"rights":{"bring_tools":true},` + text[1:] + "\n",
		"a name twice":       `{"policy":"a",` + text[1:] + "\n",
		"a name in capitals": strings.Replace(text, `"policy"`, `"Policy"`, 1) + "\n",
		"two lines":          text + "\n" + text + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			answer := raw(t, s, "/v1/run", body)
			require.True(t, strings.HasPrefix(answer, "HTTP/1.1 400 "), answer)
			require.Contains(t, answer, `"classes":["malformed"]`)
		})
	}
	require.Contains(t, raw(t, s, "/v1/elsewhere", text), "404")
	require.Contains(t, raw(t, s, "/v1/engine", text), "405")
}

func FuzzRequest(f *testing.F) {
	good, err := encode(requestOf(runner.Ask{Request: job.Request{Policy: "p", Code: []byte("1"), Tools: []job.Tool{{Name: "t"}}}}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var got request
		if decode(newReader(text), 1<<20, &got) != nil {
			return
		}
		again, err := encode(requestOf(runner.Ask{Request: got.job()}))
		require.NoError(t, err)
		var second request
		require.NoError(t, decode(newReader(again), 1<<20, &second))
		require.Equal(t, got.job(), second.job())
	})
}

func FuzzAnswer(f *testing.F) {
	good, err := encode(line{Final: inside().answer(responseOf(job.Failed), runner.ErrInput)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Fuzz(func(_ *testing.T, text []byte) {
		box := newInbox(newReader(text))
		for {
			next, err := box.next()
			if err != nil || next.Final != nil {
				break
			}
		}
		box.wait()
	})
}
