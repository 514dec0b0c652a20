package mcpserver

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/api"
	"hotcell/internal/job"
)

func (s *Server) addSessionTools() {
	addTool(s, tool{
		name: "session_open", title: "Open a session", waits: true, output: schemaOf[sessionAnswer](),
		description: "Open a session: a sandbox for several scripts, each of which finds what the ones before have left in memory. " +
			"Answers with a session_id for session_step, once packages and tables are loaded, or after 45 seconds. Close it with session_close; it is closed after a while without a step.",
	}, sessionOpen)
	addTool(s, tool{
		name: "session_step", title: "Run a step of a session", waits: true, timeout: int(callTime / time.Second),
		description: "Run a script in a session, for at most 45 seconds, and answer as run_python does. What takes longer belongs into run_python.",
	}, sessionStep)
	addTool(s, tool{
		name: "session_close", title: "Close a session", repeats: true, output: schemaOf[sessionAnswer](),
		description: "Close a session. Its files are verified then, where they were not with its steps.",
	}, sessionClose)
}

// sessionAnswer is how a session is.
type sessionAnswer struct {
	SessionID job.ID           `json:"session_id"`
	Status    api.SessionState `json:"status" jsonschema:"opening, open, busy or closed"`
	Steps     int              `json:"steps"`
	IdleUntil string           `json:"idle_until,omitzero" jsonschema:"while it is open: it is closed then, if there is no step before"`
	Until     string           `json:"until,omitzero" jsonschema:"and then in any case"`
	Outcome   job.Status       `json:"outcome,omitzero" jsonschema:"of the session as a whole, once it is closed"`
}

func answerSession(session api.Session) (*mcp.CallToolResult, error) {
	answer := sessionAnswer{
		SessionID: session.SessionID, Status: session.Status, Steps: session.Steps,
		IdleUntil: timeText(session.IdleUntil), Until: timeText(session.Until),
	}
	if session.Result != nil {
		answer.Outcome = session.Result.Status
	}
	return structured(answer)
}

func timeText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

func sessionOpen(ctx context.Context, c *call, in openArguments) (*mcp.CallToolResult, error) {
	if err := c.held.room(); err != nil {
		return nil, err
	}
	asked := c.server.ask(in.Policy, in.Bundle, "")
	var session api.Session
	// One whose opening is broken off would be there, and nobody would know of it.
	err := c.waiting(context.WithoutCancel(ctx), func(ctx context.Context) (err error) {
		session, err = c.backend.OpenSession(ctx, api.OpenSession{Policy: asked.Policy, Bundle: asked.Bundle, Tables: asked.Tables})
		return err
	})
	if err != nil {
		return nil, err
	}
	c.held.session(session.SessionID)
	if ctx.Err() != nil {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
		defer cancel()
		_, err := c.backend.CloseSession(ending, session.SessionID)
		c.held.over(session.SessionID)
		return nil, errors.Join(ctx.Err(), err)
	}
	return answerSession(session)
}

func sessionStep(ctx context.Context, c *call, in stepArguments) (*mcp.CallToolResult, error) {
	id, err := c.known(in.SessionID, "session_id")
	if err != nil {
		return nil, err
	}
	var step api.Step
	err = c.waiting(ctx, func(ctx context.Context) (err error) {
		step, err = c.backend.Step(ctx, id, api.CreateStep{Code: in.Code, WallClockMS: in.TimeoutS * 1000})
		return err
	})
	if errors.Is(err, errOpening) && ctx.Err() == nil {
		return nil, refused("nothing of the step was run: the session still loads its packages and tables. Give the step again")
	}
	if err != nil && ctx.Err() == nil && !time.Now().Before(c.until) {
		return nil, refused("the step was stopped after %d seconds; the session may go on. Use run_python for what takes longer", int(callTime/time.Second))
	}
	if err != nil {
		return nil, err
	}
	run := api.Run{RunID: id, Status: step.Status, Result: step.Result, Error: step.Error}
	if step.Result != nil {
		run.RunID = step.Result.RunID
		c.held.run(run.RunID, false)
	}
	return c.answer(ctx, run, in.MaxOutputBytes)
}

func sessionClose(ctx context.Context, c *call, in closeArguments) (*mcp.CallToolResult, error) {
	id, err := c.known(in.SessionID, "session_id")
	if err != nil {
		return nil, err
	}
	var session api.Session
	err = c.waiting(ctx, func(ctx context.Context) (err error) {
		session, err = c.backend.CloseSession(ctx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.held.over(id)
	return answerSession(session)
}
