package runner

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hotcell/internal/job"
)

// Ask is a request with what else belongs to its run alone. A Runner keeps nothing
// of it once the run has ended.
type Ask struct {
	// ID is the run's, or the session's, where its caller has given it one already; zero for a new
	// one. One that another run has, or has had, is ErrKnownID.
	ID      job.ID
	Caller  Caller
	Request job.Request
	Events  Events
	// Tools are of the host's administrator: they need no right of the caller's, and the policy
	// must allow them.
	Tools []job.Tool
	// OutputDir gets a copy of the verified files after success, unless it is "".
	OutputDir string
}

// Caller is who asks. The zero Caller has no rights: it may run what a policy offers
// to everybody.
type Caller struct {
	// Name tells people who it is, for example "shell user anna". It proves nothing.
	Name   string
	Rights Rights
	// Actor is what the audit chain says of them.
	Actor job.Actor
}

// Rights are what only some callers may ask for. The door that a request comes
// through decides about them, and never the request itself.
type Rights struct {
	BringTools    bool // Request.Tools: programs of the host, run with the runner's own rights
	RunUnguarded  bool // Request.AllowUnguarded: a policy whose guard is off
	ChooseRuntime bool // Request.Runtime: what makes the container
}

// AllRights are those of who could do the same without a Runner, as a user of the
// host's shell.
func AllRights() Rights { return Rights{BringTools: true, RunUnguarded: true, ChooseRuntime: true} }

// ErrForbidden is wrapped, with ErrInput, by the error for a request that asks for
// what its caller has no right to.
var ErrForbidden = fmt.Errorf("%w: forbidden", ErrInput)

// check names every right that the request needs and the caller lacks.
func (c Caller) check(request job.Request) error {
	var lacking []error
	for _, need := range []struct {
		asked, has  bool
		right, plea string
	}{
		{len(request.Tools) > 0, c.Rights.BringTools, "bring tools", "leave the tools out, or choose a policy that brings its own"},
		{request.AllowUnguarded, c.Rights.RunUnguarded, "run code without the guard", "do not ask for that, and choose a policy whose guard is on"},
		{request.Runtime != "", c.Rights.ChooseRuntime, "choose the runtime", "leave it to the engine"},
	} {
		if need.asked && !need.has {
			lacking = append(lacking, fmt.Errorf("%w: %s has no right to %s: %s", ErrForbidden, c.who(), need.right, need.plea))
		}
	}
	return errors.Join(lacking...)
}

func (c Caller) who() string {
	if c.Name == "" {
		return "a caller without a name"
	}
	return fmt.Sprintf("caller %.64q", c.Name)
}

// Events tells somebody how one run goes on. What is nil tells nobody.
type Events struct {
	Phase          func(Phase)       // called from one goroutine at a time
	Stdout, Stderr io.Writer         // the code's streams as they come, cut at the policy's limits; hostile
	ToolStderr     io.Writer         // what tools print to standard error, cut
	ToolCall       func(name string) // before a tool is called: the script's own word for it, hostile
}

// orNobody returns events in which only ToolStderr may be nil.
func (e Events) orNobody() Events {
	if e.Phase == nil {
		e.Phase = func(Phase) {}
	}
	if e.ToolCall == nil {
		e.ToolCall = func(string) {}
	}
	if e.Stdout == nil {
		e.Stdout = io.Discard
	}
	if e.Stderr == nil {
		e.Stderr = io.Discard
	}
	return e
}

// Phase is how far a run is.
type Phase string

// The phases, in order.
const (
	PhaseCreating  Phase = "creating the sandbox"
	PhaseStarting  Phase = "starting Python"
	PhaseLoading   Phase = "vetting the code, loading the tables"
	PhaseRunning   Phase = "running"
	PhaseVerifying Phase = "verifying the output"
)

// queuedIn begins PhaseQueued, and no other phase: that of a tool call begins otherwise.
const queuedIn = "queued in "

// PhaseQueued is the phase of a run whose sandbox waits in a queue that is not this host's.
func PhaseQueued(queue string) Phase { return Phase(queuedIn + queue) }

// Queue is the queue that a run in this phase waits in, or "".
func (p Phase) Queue() string {
	queue, waits := strings.CutPrefix(string(p), queuedIn)
	if !waits {
		return ""
	}
	return queue
}

// tellQueued tells where the sandbox waits before it is made.
func (e *execution) tellQueued(queue string) {
	if queue == "" {
		e.events.Phase(PhaseCreating)
		return
	}
	e.events.Phase(PhaseQueued(queue))
}

// PhaseCalling is the phase of a tool call. name is the script's own word for the
// tool, and hostile.
func PhaseCalling(name string) Phase {
	const most = 40
	if quoted := []rune(strconv.QuoteToGraphic(name)); len(quoted) <= most {
		return Phase("calling tool " + string(quoted))
	}
	return "calling a tool"
}
