package mcpserver

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/api"
	"hotcell/internal/job"
)

func (s *Server) addRunTools() {
	addTool(s, tool{
		name: "run_python", title: "Run Python", waits: true,
		description: "Run a Python script in a sandbox of its own, without a network, on the data of a bundle. " +
			"In most policies the tables of the bundle are DataFrames by their names, and files and figures are saved below OUTPUT; print what you want to see. " +
			"Answers with what became of the script, what it printed, figures and links to files. " +
			"A script that is refused (status rejected) is told by rule and line what to change. " +
			"A run that has not ended within 45 seconds is answered with its run_id: call run_wait for it, and do not run the script again.",
	}, runPython)
	addTool(s, tool{
		name: "check_python", title: "Check Python", reads: true, output: schemaOf[checkAnswer](),
		description: "Vet a Python script as run_python would, without running it. Answers with every rule that it breaks, by line; none if it would be run.",
	}, checkPython)
	addTool(s, tool{
		name: "run_wait", title: "Wait for a run", reads: true, waits: true, timeout: int(callTime / time.Second),
		description: "Wait until a run has ended, for at most 45 seconds, and answer as run_python does. Call it again while the status is queued or running.",
	}, runWait)
	addTool(s, tool{
		name: "run_cancel", title: "Cancel a run", repeats: true,
		description: "Cancel a run that has not ended. One that has ended stays as it is.",
	}, runCancel)
}

func runPython(ctx context.Context, c *call, in runArguments) (*mcp.CallToolResult, error) {
	if err := c.held.room(); err != nil {
		return nil, err
	}
	request := c.server.ask(in.Policy, in.Bundle, in.Code)
	request.Limits.WallClockMS = in.TimeoutS * 1000
	// A creation that is broken off would leave a run of which nobody knows.
	creating, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	ours := in.IdempotencyKey == ""
	var run api.Run
	create := func() (err error) {
		run, err = c.backend.CreateRun(creating, request, in.IdempotencyKey)
		run.Result = nil // of a run that has ended, by its key: it is fetched in its turn
		return err
	}
	err := c.inTurn(creating, !ours, create)
	cancel()
	if err != nil {
		return nil, err
	}
	c.held.run(run.RunID, ours && !run.Ended())
	look := c.ended
	if run.Ended() {
		look = c.asItIs
	}
	said, err := look(ctx, run.RunID, in.MaxOutputBytes)
	if err == nil {
		return said, nil
	}
	if ours && !run.Ended() && ctx.Err() != nil && !errors.Is(context.Cause(ctx), errLong) { // nobody hears of it
		c.abandon(ctx, run.RunID)
	}
	return nil, &runError{run.RunID, err}
}

// ask is a request for code, by what the caller can choose and what is pinned.
func (s *Server) ask(policy, bundle, code string) api.CreateRun {
	if pin := s.options.Pin; pin.Policy != "" {
		return api.CreateRun{Policy: pin.Policy, Bundle: pin.Bundle, Tables: pin.Tables, Code: code}
	}
	return api.CreateRun{Policy: policy, Bundle: bundle, Code: code}
}

// ended waits for a run, and answers with it as it is when it has ended, or the call has lasted long
// enough.
func (c *call) ended(ctx context.Context, id job.ID, most int64) (*mcp.CallToolResult, error) {
	err := c.waiting(ctx, func(ctx context.Context) error { return c.backend.Wait(ctx, id) })
	switch {
	case err == nil:
		c.held.over(id)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case time.Now().Before(c.until):
		return nil, err
	}
	return c.asItIs(ctx, id, most)
}

// asItIs answers with a run as it is now.
func (c *call) asItIs(ctx context.Context, id job.ID, most int64) (said *mcp.CallToolResult, err error) {
	err = c.inTurn(ctx, true, func() error {
		asking, cancel := context.WithTimeout(ctx, endTime)
		defer cancel()
		run, err := c.backend.Run(asking, id)
		if err != nil {
			return err
		}
		said, err = c.answer(ctx, run, most)
		return err
	})
	return said, err
}

// abandon cancels the run of a call that nobody waits for any more, and that nobody could find.
func (c *call) abandon(ctx context.Context, id job.ID) {
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if err := c.backend.Cancel(ending, id); err != nil {
		c.server.options.Logger.Error("a run whose call was broken off was not cancelled", "run_id", id.String(), "error", short(err.Error(), maxDetail))
		return
	}
	c.held.over(id)
}

func runWait(ctx context.Context, c *call, in waitArguments) (*mcp.CallToolResult, error) {
	id, err := c.known(in.RunID, "run_id")
	if err != nil {
		return nil, err
	}
	if in.TimeoutS > 0 {
		c.until = time.Now().Add(time.Duration(in.TimeoutS) * time.Second)
	}
	return c.ended(ctx, id, in.MaxOutputBytes)
}

func runCancel(ctx context.Context, c *call, in idArguments) (*mcp.CallToolResult, error) {
	id, err := c.known(in.RunID, "run_id")
	if err != nil {
		return nil, err
	}
	if err := c.backend.Cancel(ctx, id); err != nil {
		return nil, err
	}
	c.held.over(id)
	return c.asItIs(ctx, id, 0)
}

// checkAnswer is what check_python says.
type checkAnswer struct {
	noted
	Accepted        bool        `json:"accepted" jsonschema:"the script would be run"`
	Policy          string      `json:"policy"`
	PolicySHA256    string      `json:"policy_sha256"`
	Violations      []violation `json:"violations" jsonschema:"what to change, at most 20 of them"`
	ViolationsTotal int         `json:"violations_total"`
}

func checkPython(ctx context.Context, c *call, in checkArguments) (*mcp.CallToolResult, error) {
	var checked api.Checked
	err := c.waiting(ctx, func(ctx context.Context) (err error) {
		checked, err = c.backend.Check(ctx, c.server.ask(in.Policy, "", in.Code))
		return err
	})
	if err != nil {
		return nil, err
	}
	return structured(checkAnswer{
		noted: noted{scriptNote}, Accepted: len(checked.Violations) == 0, Policy: short(checked.Policy, maxName), PolicySHA256: checked.PolicySHA256,
		Violations: violations(checked.Violations), ViolationsTotal: len(checked.Violations),
	})
}
