package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/tool"
	"hotcell/internal/wire"
)

// Call implements wire.Receiver. The conversation lets no call through before the
// one before has its answer, so that at most one waits here for the answer to be
// read.
func (d *dialogue) Call(call wire.Call) error {
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
	result, fault, err := d.current().calls.Call(ctx, call.Name, call.Params)
	switch {
	case ctx.Err() != nil:
		return // nobody is left to be answered
	case errors.Is(err, tool.ErrFlood):
		d.end(err)
		return
	case err != nil:
		d.fail(err)
		return
	}
	d.phase(PhaseRunning)
	frame, err := d.conversation.Answer(wire.Answer{ID: call.ID, Result: result, Error: fault})
	if errors.Is(err, wire.ErrTurn) {
		return // the script ended without waiting
	}
	if err != nil {
		d.fail(err)
		return
	}
	d.tell(frame)
}

// frameOverhead is what a call's or an answer's frame holds beside its payload: an
// id, a name or a message, both bounded by internal/tool.
const frameOverhead = 4 << 10

// callLimits bounds the frames of calls: nothing where the script has no tools and
// no object to look for them in.
func (e *execution) callLimits() (call, answer int64) {
	tools := e.terms.Policy.Tools
	switch {
	case tools != nil:
		return min(int64(tools.Params)+frameOverhead, wire.MaxCall), min(int64(tools.Answer)+frameOverhead, wire.MaxAnswer)
	case e.terms.Policy.Guard.Inputs == string(wire.InputsContext):
		return frameOverhead, frameOverhead // for the answer that there is no such tool
	default:
		return 0, 0
	}
}

// openTools resolves what the script may call.
func (e *execution) openTools() error {
	tools := e.terms.Policy.Tools
	if tools == nil {
		if len(e.request.Tools) > 0 {
			return input(fmt.Errorf("policy %s has no tools section: run without --tool, or choose a policy that has one", e.terms.Policy.Name))
		}
		tools = &policy.Tools{}
	}
	registry, err := registered(tools.Registry)
	if err != nil {
		return err
	}
	call, answer := e.callLimits()
	e.tools, err = tool.New(tool.Options{
		Registry: registry, Brought: e.request.Tools, Allowed: tools.Allowed, MaxCalls: e.terms.Budgets.ToolCalls,
		Timeout: tools.CallTimeout, ParamsBytes: max(0, call-frameOverhead), AnswerBytes: max(0, answer-frameOverhead),
		Stderr: e.options.ToolStderr,
	})
	if err != nil {
		return input(err)
	}
	if len(e.tools.Names()) > 0 && e.terms.Policy.Guard.Inputs != string(wire.InputsContext) {
		return input(fmt.Errorf("policy %s has tools, but its guard.inputs is not context: the script could not call them", e.terms.Policy.Name))
	}
	return nil
}

func registered(tools []policy.Tool) ([]job.Tool, error) {
	list := make([]job.Tool, len(tools))
	for index, each := range tools {
		list[index] = job.Tool{Name: each.Name, Command: slices.Clone(each.Command)}
		if each.Schema == nil {
			continue
		}
		schema, err := json.Marshal(each.Schema)
		if err != nil {
			return nil, fmt.Errorf("encode schema of tool %s: %w", each.Name, err)
		}
		list[index].Schema = schema
	}
	return list, nil
}

var _ wire.Receiver = (*dialogue)(nil)
