package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/tool"
	"hotcell/internal/wire"
)

// openTools resolves what the script may call. registered are the host's.
func (e *execution) openTools(registered []job.Tool) error {
	tools := e.terms.Policy.Tools
	if tools == nil {
		if len(e.request.Tools) > 0 {
			return input(fmt.Errorf("policy %s has no tools section: run without --tool, or choose a policy that has one", e.terms.Policy.Name))
		}
		tools, registered = &policy.Tools{}, nil
	}
	registry, err := tools.Programs()
	if err != nil {
		return err
	}
	e.tools, err = tool.New(tool.Options{
		Registry: registry, Brought: slices.Concat(registered, e.request.Tools), Allowed: tools.Allowed, MaxCalls: e.terms.Budgets.ToolCalls, Timeout: tools.CallTimeout,
		ParamsBytes: min(int64(tools.Params), wire.MaxCall-tool.FrameOverhead),
		AnswerBytes: min(int64(tools.Answer), wire.MaxReply-tool.FrameOverhead),
		Stderr:      e.events.ToolStderr,
	})
	if len(registered) > 0 && len(e.request.Tools) == 0 {
		return err // of the administrator's, and not of the request
	}
	return input(err)
}

// Call implements wire.Receiver. The conversation lets no call through before the
// one before has its answer, so that at most one waits here for the answer to be
// read.
func (d *dialogue) Call(call wire.Call) error {
	d.told(call.Name)
	d.phase(PhaseCalling(call.Name))
	d.calls <- call
	return nil
}

// serve answers calls, one after the other, while the sandbox lives.
func (d *dialogue) serve(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case call := <-d.calls:
			d.answer(ctx, call)
		}
	}
}

func (d *dialogue) answer(ctx context.Context, call wire.Call) {
	result, fault, err := d.current().call(ctx, call)
	switch {
	case ctx.Err() != nil:
		return // nobody is left to be answered
	case errors.Is(err, errInterrupted):
		result, fault = nil, "the step was interrupted before the tool had answered"
	case errors.Is(err, tool.ErrFlood):
		d.end(err)
		return
	case err != nil:
		d.fail(err)
		return
	}
	d.phase(PhaseRunning)
	frame, err := d.conversation.Reply(wire.Reply{ID: call.ID, Result: result, Error: fault})
	if errors.Is(err, wire.ErrTurn) {
		return // the script ended without waiting
	}
	if err != nil {
		d.fail(err)
		return
	}
	d.tell(frame)
}

// call carries out one call, as long as its script has not been interrupted.
func (t *transcript) call(ctx context.Context, call wire.Call) (result json.RawMessage, fault string, err error) {
	var watching sync.WaitGroup
	defer watching.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watching.Go(func() {
		select {
		case <-t.interrupted:
			cancel(errInterrupted)
		case <-ctx.Done():
		}
	})
	before := len(t.calls.Made())
	result, fault, err = t.calls.Call(ctx, call.Name, call.Params)
	// What has happened on the host is in the chain before the script goes on.
	for _, made := range t.calls.Made()[before:] {
		if failed := t.note(ctx, made); failed != nil {
			return nil, "", errors.Join(failed, err)
		}
	}
	return result, fault, err
}

var _ wire.Receiver = (*dialogue)(nil)
