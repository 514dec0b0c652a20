package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/internal/admission"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// call is one call of a tool.
type call struct {
	caller
	server  *Server
	request *mcp.CallToolRequest
	until   time.Time // callTime after its begin
}

// known refuses ids that a pinned process has not given out itself: what it pins, others of the
// same principal did not have to keep to.
func (c *call) known(text, name string) (job.ID, error) {
	id, err := parseID(text, name)
	if err == nil && c.server.options.Pin.Policy != "" && !c.held.knows(id) {
		err = refused("no %s of this conversation has this id", strings.TrimSuffix(name, "_id"))
	}
	return id, err
}

// tool is a tool but for what it does. All its words are constant: what a model reads before
// it calls anything has nothing in it that a bundle, a policy or a run has said.
type tool struct {
	name, title, description string
	reads                    bool // changes nothing
	repeats                  bool // a second time changes nothing more
	waits                    bool // for what may take all of callTime: the answer to that has endTime more
	timeout                  int  // most seconds of its timeout_s, or 0 for as many as a policy may have
	output                   *jsonschema.Schema
}

// addTool has arguments read as their schema says before a tool sees them.
func addTool[In any](s *Server, t tool, do func(context.Context, *call, In) (*mcp.CallToolResult, error)) {
	var decided []string
	if s.options.Pin.Policy != "" {
		decided = []string{"policy", "bundle"}
	}
	schema := inputSchema[In](decided...)
	if timeout := schema.Properties["timeout_s"]; timeout != nil && t.timeout > 0 {
		timeout.Maximum = new(float64(t.timeout))
	}
	definition := &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{
			Title: t.title, ReadOnlyHint: t.reads, IdempotentHint: t.reads || t.repeats, DestructiveHint: new(false), OpenWorldHint: new(false),
		},
	}
	if t.output != nil {
		definition.OutputSchema = t.output
	}
	s.mcp.AddTool(definition, func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		who, ok := callerOf(ctx)
		if !ok || who.backend == nil {
			return s.fault(errors.New("a call came without its caller")), nil
		}
		c := &call{caller: who, server: s, request: request, until: time.Now().Add(callTime)}
		last := c.until
		if t.waits {
			last = last.Add(endTime)
		}
		ctx, cancel := context.WithDeadlineCause(ctx, last, errLong)
		defer cancel()
		var arguments In
		err := decode(request.Params.Arguments, schema, &arguments)
		var result *mcp.CallToolResult
		if err == nil {
			result, err = do(ctx, c, arguments)
		}
		if err != nil {
			return s.fault(err), nil
		}
		return result, nil
	})
}

// structured answers with a value of ours, as its tool's output schema has it. Its text is the
// same: clients show the one or the other.
func structured(value any) (*mcp.CallToolResult, error) {
	noted, is := value.(interface{ beside() note })
	text, err := strictjson.Form{Lenient: true, Framed: is && noted.beside() != ""}.Encode(value)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, StructuredContent: json.RawMessage(text)}, nil
}

// turns is how many calls hold a whole result, or a resource, at a time. Callers take turns.
const turns = 4

// inTurn does what holds one, when its turn comes, or what holds none at once.
func (c *call) inTurn(ctx context.Context, holds bool, do func() error) error {
	if !holds {
		return do()
	}
	err := c.server.turns.Do(ctx, c.name, func(context.Context) error { return do() })
	if errors.Is(err, admission.ErrFull) {
		err = refused("too many calls wait for their turn: try again in a while")
	}
	return err
}

// waiting tells a client that asked for it that its call goes on, while work does.
func (c *call) waiting(ctx context.Context, work func(context.Context) error) error {
	ctx, cancel := context.WithDeadlineCause(ctx, c.until, errLong)
	defer cancel()
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return work(ctx)
	}
	ended, told := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(told)
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for told := progressEvery; ; told += progressEvery {
			select {
			case <-ended:
				return
			case <-ticker.C:
				// One that is lost costs nothing, and a connection that is gone ends the call.
				_ = c.request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
					ProgressToken: token, Progress: told.Seconds(), Message: "it has not ended yet",
				})
			}
		}
	}()
	defer func() { close(ended); <-told }()
	return work(ctx)
}

// errLong is the cause where a call has lasted as long as one may.
var errLong = fmt.Errorf("the call has lasted as long as one may: %w", context.DeadlineExceeded)

func (s *Server) addTools() {
	s.addRunTools()
	s.addSessionTools()
	s.addCatalogueTools()
	s.addFileTools()
}
