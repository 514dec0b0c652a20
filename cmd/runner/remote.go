package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/digest"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/strictjson"
)

// remote is a service on the network (runner serve) as what carries requests out.
type remote struct {
	client *client.Client
	submission
}

var _ engineapi.Service = remote{}

func (a *app) remote(server serverFlags) (remote, error) {
	made, err := a.connected(server)
	if err != nil {
		return remote{}, err
	}
	if a.signals != nil {
		a.signals.leaving("ended by a second signal: the service was asked to end what it runs, and may not have heard")
	}
	return remote{made, server.submission}, nil
}

// cancelTime is how long a service may take to hear that a run is to end.
const cancelTime = 30 * time.Second

// Run implements engineapi.Service.
func (r remote) Run(ctx context.Context, ask runner.Ask) (runner.Response, error) {
	if err := checkText(ask.Request.Code); err != nil {
		return runner.Response{}, err
	}
	run, err := r.create(ctx, r.client, ask.Request)
	if err != nil {
		return runner.Response{}, ofService(r.client.Name(), err)
	}
	return r.follow(ctx, run.RunID, ask.Events, true)
}

// checkText refuses what JSON cannot carry.
func checkText(code []byte) error {
	if !utf8.Valid(code) {
		return usageError{errors.New("the script is not UTF-8, so that it cannot be sent to a service: save it as UTF-8")}
	}
	return nil
}

// create asks for a run.
func (s submission) create(ctx context.Context, service *client.Client, request job.Request) (api.Run, error) {
	asked := createRun(request)
	asked.Priority = int(s.priority)
	return service.CreateRun(ctx, asked, client.CreateOptions{Key: s.key})
}

func createRun(request job.Request) api.CreateRun {
	return api.CreateRun{
		Policy: request.Policy, Bundle: request.Bundle, Code: string(request.Code), ScriptName: request.ScriptName,
		Limits: tightened(request.Overrides), Imports: request.Imports, Tables: request.Tables, Inputs: request.Inputs, Seed: request.Seed,
	}
}

// wholeMS is a limit in milliseconds, of which 0 would be none.
func wholeMS(limit time.Duration) int64 {
	if limit <= 0 {
		return 0
	}
	return max(1, limit.Milliseconds())
}

func tightened(to job.Overrides) api.Tightened {
	return api.Tightened{
		WallClockMS: wholeMS(to.WallClock), MemoryBytes: to.MemoryBytes, CPUMillis: to.CPUMillis, PIDs: to.PIDs,
		Operations: to.Budgets.Operations, LoopIterations: to.Budgets.LoopIterations, ToolCalls: to.Budgets.ToolCalls,
	}
}

// follow tells how a run goes on until it has ended. The end of ctx cancels the run where
// that is wanted, and its answer is waited for; else only the following ends.
func (r remote) follow(ctx context.Context, id job.ID, events runner.Events, cancels bool) (runner.Response, error) {
	following, cancelled := ctx, make(chan error, 1)
	if cancels {
		var end context.CancelFunc
		following, end = context.WithCancel(context.WithoutCancel(ctx))
		defer end()
		stop := context.AfterFunc(ctx, func() {
			err := r.cancel(following, id)
			if err != nil {
				end() // nobody waits for an end that was not asked for
			}
			cancelled <- err
		})
		defer stop()
	}
	told := &teller{events: events}
	err := r.client.Follow(following, id, 0, told.take)
	if err == nil && told.run.RunID != id { // it was followed to its end before
		told.run, err = r.client.Run(following, id)
	}
	if err != nil && following.Err() != nil && cancels { // because of this alone
		return runner.Response{}, fmt.Errorf("run %s at %s may go on: %w", id, r.client.Name(), <-cancelled)
	}
	if err != nil && ctx.Err() != nil && !cancels {
		return runner.Response{}, leftError{id.String(), context.Canceled}
	}
	if err != nil {
		return runner.Response{}, fmt.Errorf("run %s: %w", id, ofService(r.client.Name(), err))
	}
	return r.response(told.run, told)
}

func (r remote) cancel(ctx context.Context, id job.ID) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer done()
	if err := r.client.Cancel(ctx, id); err != nil {
		return fmt.Errorf("cancel it: %w", ofService(r.client.Name(), err))
	}
	return nil
}

// leftError is for who does not wait any more for a run that goes on.
type leftError struct {
	run string
	error
}

// Unwrap lets errors.Is see the cause.
func (e leftError) Unwrap() error { return e.error }

// response is a run that has ended, as one of this machine's.
func (r remote) response(run api.Run, told *teller) (runner.Response, error) {
	switch {
	case run.Status == api.StateError:
		return runner.Response{}, remoteError{run.RunID.String(), problemText(r.client.Name(), run.Error)}
	case run.Result == nil: // cancelled while it was queued
		return runner.Response{}, context.Canceled
	}
	response := runner.Response{Result: *run.Result, StreamError: told.finish(*run.Result)}
	response.Elsewhere = r.elsewhere(run.RunID)
	return response, nil
}

// elsewhere opens the files of a run, or of a step.
func (r remote) elsewhere(id job.ID) *runner.Elsewhere {
	return &runner.Elsewhere{Name: r.client.Name(), Open: func(ctx context.Context, file job.File) (io.ReadCloser, error) {
		opened, err := r.client.OpenListed(ctx, id, api.FileInfo{Path: file.Path, Bytes: file.Bytes, SHA256: string(file.SHA256), MediaType: file.MediaType, Role: file.Role})
		return opened, ofService(r.client.Name(), err)
	}}
}

// Check implements engineapi.Service.
func (r remote) Check(ctx context.Context, ask runner.Ask) (runner.Checked, error) {
	if err := checkText(ask.Request.Code); err != nil {
		return runner.Checked{}, err
	}
	found, err := r.client.Check(ctx, createRun(ask.Request))
	if err != nil {
		return runner.Checked{}, ofService(r.client.Name(), err)
	}
	return runner.Checked{Violations: found.Violations, Policy: found.Policy, PolicySHA256: digest.Hex(found.PolicySHA256)}, nil
}

// teller hands the events of a run on, as one of this machine's would tell them.
type teller struct {
	events runner.Events

	mu             sync.Mutex
	stdout, stderr heardStream
	run            api.Run // its end
}

func (t *teller) take(event api.Event) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var err error
	switch event.Type {
	case api.EventStdout:
		err = t.stdout.take(event, t.events.Stdout)
	case api.EventStderr:
		err = t.stderr.take(event, t.events.Stderr)
	case api.EventState:
		err = t.state(event)
	case api.EventToolCall:
		var call api.ToolCallEvent
		if err = readData(event, &call); err == nil {
			t.phase(runner.PhaseCalling(call.Name))
		}
	case api.EventGap: // what is missing is in the result
		t.stdout.broken, t.stderr.broken = true, true
	case api.EventResult:
		err = readData(event, &t.run)
	case api.EventViolation, api.EventStep: // the result has them
	default: // of a newer service
	}
	return err
}

// readData reads the data of an event whose type is known here.
func readData(event api.Event, into any) error {
	if err := strictjson.DecodeKnown(event.Data, len(event.Data), into); err != nil {
		return fmt.Errorf("event %s: %w", event.Type, err)
	}
	return nil
}

func (t *teller) phase(phase runner.Phase) {
	if t.events.Phase != nil {
		t.events.Phase(phase)
	}
}

func (t *teller) state(event api.Event) error {
	var state api.StateEvent
	if err := readData(event, &state); err != nil {
		return err
	}
	switch {
	case state.Phase != "":
		t.phase(runner.Phase(inLine(state.Phase)))
	case state.Queue != "":
		t.phase(runner.PhaseQueued(inLine(state.Queue)))
	case state.State == api.StateQueued && state.Position != nil:
		t.phase(runner.Phase(fmt.Sprintf("waiting for a place, %s before it", counted(*state.Position, "run"))))
	case state.State == api.StateQueued:
		t.phase("waiting for a place")
	}
	return nil
}

// finish writes what of the streams did not come as events, and says why not all was written.
// It begins anew, for another step.
func (t *teller) finish(result job.Result) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() { t.stdout, t.stderr = heardStream{}, heardStream{} }()
	return errors.Join(t.stdout.finish(result.Stdout, t.events.Stdout), t.stderr.finish(result.Stderr, t.events.Stderr))
}

// heardStream is what has come of one of the code's streams.
type heardStream struct {
	bytes  int
	sum    hash.Hash
	broken bool  // something of it has not come: the rest is written from the result
	failed error // to write
}

func (h *heardStream) take(event api.Event, to io.Writer) error {
	var piece api.TextEvent
	if err := readData(event, &piece); err != nil {
		return err
	}
	if !h.broken {
		h.write(piece.Text, to)
	}
	return nil
}

func (h *heardStream) write(text string, to io.Writer) {
	if to == nil || h.failed != nil || text == "" {
		return
	}
	if h.sum == nil {
		h.sum = sha256.New()
	}
	_, h.failed = io.WriteString(io.MultiWriter(h.sum, to), text)
	h.bytes += len(text)
}

// finish writes what of the whole text has not come, unless that begins otherwise.
func (h *heardStream) finish(whole string, to io.Writer) error {
	if to == nil || h.failed != nil || !h.broken {
		return h.failed
	}
	if h.bytes > len(whole) || h.sum != nil && string(h.sum.Sum(nil)) != sum(whole[:h.bytes]) {
		return errors.New("part of what the code has printed did not come: the result has all of it (--json)")
	}
	h.write(whole[h.bytes:], to)
	return h.failed
}

func sum(text string) string {
	made := sha256.Sum256([]byte(text))
	return string(made[:])
}
