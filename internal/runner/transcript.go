package runner

import (
	"context"
	"sync/atomic"

	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/tool"
	"hotcell/internal/wire"
)

// transcript is what is kept of one script while its guard runs it: what it prints,
// calls and reports.
type transcript struct {
	stdout, stderr *stream
	calls          *tool.Calls
	ready          atomic.Bool                               // so the guard has said
	follows        bool                                      // other code has begun in the same sandbox, and may speak for the guard
	report         *wire.Report                              // to be read once reported is closed, or the sandbox is dead
	note           func(context.Context, job.ToolCall) error // tells the audit chain of a call
	interrupted    chan struct{}                             // closed when the script is: its tool calls end
	reported       chan struct{}                             // closed with the report
}

// began reports whether user code may have run since the script was sent. Where code of
// an earlier step has, the guard's silence says nothing: it could run the script, on
// data, without a record.
func (t *transcript) began() bool { return t.follows || t.ready.Load() }

// seal ends the streams, so that nothing is added while, and after, they are made a result.
func (t *transcript) seal() {
	t.stdout.seal()
	t.stderr.seal()
}

// newTranscript prepares for one script. Directories of tool calls are made below dir,
// a draft's, so that the next sweep finds what a crash leaves of them.
func (e *execution) newTranscript(dir string) *transcript {
	limits := e.terms.Limits
	end := e.terms.Policy.Output.WhenStdoutIsFull == policy.OverflowEnd
	return &transcript{
		stdout:   &stream{limit: limits.StdoutBytes, live: e.events.Stdout, endFull: end},
		stderr:   &stream{limit: limits.StderrBytes, live: e.events.Stderr, endFull: end},
		calls:    e.tools.Begin(dir),
		note:     e.noteCall,
		reported: make(chan struct{}), interrupted: make(chan struct{}),
	}
}
