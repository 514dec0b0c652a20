package client

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"hotcell/api"
	"hotcell/internal/job"
)

// RunStep is Step, and waits for the step's end. Where ctx ends before, so does the step, and the
// session stays.
func (c *Client) RunStep(ctx context.Context, id job.ID, request api.CreateStep) (api.Step, error) {
	step, err := c.runStep(ctx, id, request)
	if ctx.Err() == nil || err == nil {
		return step, err
	}
	if cancelling := c.cancelStepOf(ctx, id); cancelling != nil {
		return step, cancelling
	}
	return step, err
}

func (c *Client) runStep(ctx context.Context, id job.ID, request api.CreateStep) (step api.Step, err error) {
	path := []string{"v1", "sessions", id.String(), "steps"}
	if err = c.ask(ctx, call{method: http.MethodPost, path: path, body: request, most: c.most, wait: longestWait}, &step); err != nil {
		return api.Step{}, err
	}
	retry := c.retry()
	for {
		if err := c.checkStep(step); err != nil || step.Status != api.StateRunning {
			return step, err
		}
		if !retry.quietly(ctx) {
			return step, context.Cause(ctx)
		}
		asked := c.get("sessions", id.String(), "steps", strconv.Itoa(step.Number))
		asked.most, asked.repeat = c.most, true
		var now api.Step // what the last answer said is not to fill what this one leaves out
		if err := c.ask(ctx, asked, &now); err != nil {
			return step, err
		}
		if now.Number != step.Number {
			return step, c.malformed("it is about another step")
		}
		step = now
	}
}

// checkStep is checkRun for a step.
func (c *Client) checkStep(step api.Step) error {
	switch {
	case step.Number < 1 || step.Status == "":
		return c.malformed("it does not say which step it is, or how far")
	case step.Status == api.StateError && step.Error == nil:
		return c.malformed("it does not say why there is no result")
	case step.Status == api.StateRunning || step.Status == api.StateError, step.NotBegun():
		return nil
	case step.Result == nil || api.State(step.Result.Status) != step.Status:
		return c.malformed("it says how the step has ended, and has no result of that")
	}
	return c.believe(checkFiles(infos(step.Result.Files)))
}

// cancelTime is how long somebody who has gone away cancels what they had begun.
const cancelTime = 5 * time.Second

func (c *Client) cancelStepOf(ctx context.Context, id job.ID) error {
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer cancel()
	return c.CancelStep(ending, id)
}
