package mcpserver

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/api"
	"hotcell/internal/job"
)

// Bounds of what is told beside a run's own words, in bytes.
const (
	maxDetail = 500
	maxName   = 256
	maxRule   = 64
)

// faultText is what a call is answered with that could not be carried out.
type faultText struct {
	Error       string `json:"error"`
	Problem     string `json:"problem,omitzero"`
	RunID       string `json:"run_id,omitzero"`
	RetryAfterS int    `json:"retry_after_s,omitzero"`
}

// fault says why a call could not be carried out. What code did is none.
func (s *Server) fault(err error) *mcp.CallToolResult {
	text, encoding := ownText(s.explain(err))
	if encoding != nil {
		text = &mcp.TextContent{Text: `{"error":"the error cannot be told"}`}
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{text}}
}

// runError is of a call whose run is there, and goes on: who is told its id can wait for it.
type runError struct {
	id  job.ID
	err error
}

// Error implements error.
func (e *runError) Error() string { return "run " + e.id.String() + ": " + e.err.Error() }

// Unwrap lets errors.Is and errors.As see the cause.
func (e *runError) Unwrap() error { return e.err }

func (s *Server) explain(err error) faultText {
	if of, ok := errors.AsType[*runError](err); ok {
		text := s.explain(of.err)
		text.RunID = of.id.String()
		return text
	}
	if _, ok := errors.AsType[argumentError](err); ok {
		return faultText{Error: short(err.Error(), maxDetail)}
	}
	if problem, ok := errors.AsType[*api.Problem](err); ok {
		return faultText{
			Error: short(problem.Error(), maxDetail), Problem: short(problem.Type, maxName), RunID: short(problem.RunID, maxName),
			RetryAfterS: problem.RetryAfter,
		}
	}
	if errors.Is(err, context.Canceled) {
		return faultText{Error: "the call was cancelled"}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return faultText{Error: "the service did not answer in time"}
	}
	// What else there is may hold paths of this host, and is for whoever runs it.
	s.options.Logger.Error("a call could not be carried out", "error", short(err.Error(), maxDetail))
	return faultText{Error: "the service could not be asked: whoever runs this server finds the reason in its log"}
}
