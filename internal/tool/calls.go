package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"hotcell/internal/job"
)

// ErrFlood means that a script went on calling after its budget was used up.
var ErrFlood = errors.New("too many tool calls")

// patience is how many calls above the budget are answered with a refusal, so that
// a script can handle it, before a flood is a flood. Each of them costs the host a
// line in the record.
const patience = 100

// Calls is the calls of one script. Call is for one goroutine at a time; Made may
// be called at any time.
type Calls struct {
	set *Set
	dir string // holds a directory of each call's own while it lasts

	mu   sync.Mutex
	made []job.ToolCall
}

// refusal is why a call has no result: told goes to the script and may repeat what
// it has sent; kept goes to the record and never does.
type refusal struct{ told, kept string }

// Error implements error.
func (r *refusal) Error() string { return r.kept }

func refuse(format string, values ...any) *refusal {
	text := fmt.Sprintf(format, values...)
	return &refusal{text, text}
}

// Call carries out one call. Either result is the tool's answer, or fault says to
// the script why there is none. The error is ErrFlood, or that of ctx when it ended
// first: there is then nobody to be answered. Whatever it was, the call counts.
func (c *Calls) Call(ctx context.Context, name string, params json.RawMessage) (result json.RawMessage, fault string, err error) {
	begun := time.Now()
	number := int64(len(c.Made())) + 1
	if number > c.set.options.MaxCalls+patience {
		return nil, "", ErrFlood
	}
	result, err = c.carryOut(ctx, number, name, params)
	if ctx.Err() != nil {
		err = refuse("the run ended before the tool had answered")
	}
	c.note(name, time.Since(begun), err)
	if ctx.Err() != nil {
		return nil, "", context.Cause(ctx)
	}
	if err == nil {
		return result, "", nil
	}
	if refused, ok := errors.AsType[*refusal](err); ok {
		return null, refused.told, nil
	}
	return nil, "", err
}

func (c *Calls) carryOut(ctx context.Context, number int64, name string, params json.RawMessage) (json.RawMessage, error) {
	options := c.set.options
	if number > options.MaxCalls {
		return nil, refuse("the script has made all of its %d tool calls: combine calls, or do without", options.MaxCalls)
	}
	called := c.set.tools[name]
	if called == nil {
		return nil, &refusal{
			told: fmt.Sprintf("there is no tool %s: known are %s", printable(name), orNone(c.set.Names())),
			kept: "there is no such tool",
		}
	}
	if int64(len(params)) > options.ParamsBytes {
		return nil, refuse("the parameters have more than %d bytes", options.ParamsBytes)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, options.Timeout, errTimeout)
	defer cancel()
	if err := called.checkParams(ctx, params); err != nil {
		return nil, overtime(err, options)
	}
	answer, err := called.start(ctx, c.dir, params, options)
	if err != nil {
		return nil, overtime(err, options)
	}
	return answer, checkAnswer(answer)
}

// overtime words the end of a call's own clock.
func overtime(err error, options Options) error {
	if errors.Is(err, errTimeout) {
		return refuse("the tool took longer than %s", options.Timeout)
	}
	return err
}

func (c *Calls) note(name string, took time.Duration, err error) {
	call := job.ToolCall{Name: printable(name), OK: err == nil, DurationMS: took.Milliseconds()}
	if err != nil {
		call.Error = err.Error()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = append(c.made, call)
}

// Made lists the calls so far, in their order.
func (c *Calls) Made() []job.ToolCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.made)
}

// printable makes a name from the sandbox short and harmless.
func printable(name string) string {
	const most = 64
	quoted := strconv.QuoteToASCII(name)
	if quoted = quoted[1 : len(quoted)-1]; len(quoted) > most {
		quoted = quoted[:most] + "..."
	}
	return quoted
}
