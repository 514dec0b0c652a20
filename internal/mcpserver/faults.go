package mcpserver

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/api"
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

func (s *Server) explain(err error) faultText {
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
