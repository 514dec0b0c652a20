package runner

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

// evidence is all that is known of a run when its sandbox is dead.
type evidence struct {
	exit       container.Exit
	stopped    stop            // why the runner stopped it, if it did
	ready      bool            // user code had begun, in this step of a session or in one before
	report     *wire.Report    // nil: the guard died before its report
	protocol   error           // the stream was not the guard's
	violations []job.Violation // of the output, for a completed run
	fullLimit  job.Limit       // of the output, that is used up; or ""
	boot       string          // what the interpreter itself printed before user code began
	pictures   []string        // of a session: paths of the charts that its steps left for its end
	charts     []job.Chart     // of a completed run whose violations are none
	forbidden  string          // for SIGSYS: which system call it was, or why that is not known
	limits     job.Limits
	budgets    job.Budgets
	step       bool // of a session; its limits are the step's
	outlived   bool // of a session: its sandbox was killed for a step, whose limits these are
}

// stop is why the runner itself stopped a sandbox that had not ended.
type stop string

const (
	notStopped       stop = ""
	stoppedByCaller  stop = "cancelled"
	stoppedByClock   stop = "wall clock"
	stoppedByStdout  stop = "stdout is full"
	stoppedByStderr  stop = "stderr is full"
	stoppedBySession stop = "the session's wall clock"
	stoppedByCalls   stop = "a flood of tool calls"
	stoppedAsMute    stop = "no end"
)

// verdict is what classify finds.
type verdict struct {
	status     job.Status
	limit      job.Limit
	failure    *job.Error
	violations []job.Violation
}

// GuardError means that the guard could not do its part before user code began:
// nothing is claimed about the code.
type GuardError struct{ Reason string }

// Error implements error.
func (e *GuardError) Error() string { return "guard: " + e.Reason }

// classify says what became of the code. It is a pure function. The kernel's and
// the runner's own findings come before the guard's word, because user code may
// speak for the guard. The error is a *GuardError.
func classify(e evidence) (verdict, error) {
	for _, rule := range []func(evidence) *verdict{byRunner, byKernel, byProtocol, bySignal} {
		if found := rule(e); found != nil {
			return *found, nil
		}
	}
	if e.report == nil {
		return byExit(e)
	}
	return byReport(e)
}

func byRunner(e evidence) *verdict {
	switch e.stopped {
	case stoppedByCaller:
		return &verdict{status: job.Cancelled, failure: fault("Cancelled", "the run was cancelled by its caller")}
	case stoppedByClock:
		return exceeded(e, job.TimedOut, job.LimitWallClock)
	case stoppedByStdout:
		return exceeded(e, job.LimitExceeded, job.LimitStdout)
	case stoppedByStderr:
		return exceeded(e, job.LimitExceeded, job.LimitStderr)
	case stoppedBySession:
		return &verdict{status: job.TimedOut, limit: job.LimitWallClock, failure: fault("LimitExceeded",
			"the session's time ended while the script ran (the policy's session.wall_clock)")}
	case stoppedByCalls:
		return exceeded(e, job.LimitExceeded, job.LimitToolCalls)
	case stoppedAsMute:
		if !e.ready { // it may be loading, and is told of the end by a stream that it does not read then
			return &verdict{status: job.Cancelled, failure: fault("Cancelled", "the session was closed before its first step had begun")}
		}
		return &verdict{status: job.OutputRejected, violations: []job.Violation{{
			Rule: "protocol.broken", Message: "guard went on after the session had been closed",
		}}}
	case notStopped:
	}
	return nil
}

func byKernel(e evidence) *verdict {
	switch {
	case e.exit.Limit == job.LimitCPUTime || e.exit.Signal == "SIGXCPU":
		return exceeded(e, job.TimedOut, job.LimitCPUTime)
	case e.exit.OOMKills > 0:
		return exceeded(e, job.OutOfMemory, job.LimitMemory)
	case e.exit.HostOOMKills > 0:
		return &verdict{status: job.Killed, failure: fault("SIGKILL", fmt.Sprintf("the kernel ended a process of the run because memory ran out, "+
			"though the run had not used the %s that it may: this host had no more, or a control group around the sandbox's "+
			"(a container's, a unit's or a slice's): run fewer at a time, or give them more", policy.Size(e.limits.MemoryBytes)))}
	case e.exit.PIDsDenied > 0:
		return exceeded(e, job.LimitExceeded, job.LimitPIDs)
	}
	return nil
}

func byProtocol(e evidence) *verdict {
	fault := e.protocol
	if fault == nil && e.report != nil && e.exit.Signal == "" && e.exit.Code != 0 {
		fault = fmt.Errorf("guard reported and then ended with code %d", e.exit.Code)
	}
	if fault == nil {
		return nil
	}
	return &verdict{
		status:     job.OutputRejected,
		violations: []job.Violation{{Rule: "protocol.broken", Message: fault.Error()}},
	}
}

func bySignal(e evidence) *verdict {
	if e.exit.Signal == "" {
		return nil
	}
	message := fmt.Sprintf("the interpreter was ended by %s", e.exit.Signal)
	switch e.exit.Signal {
	case "SIGSYS":
		message += ": " + e.forbidden
	case "SIGSEGV":
		message += ": most often calls were nested deeper than its stack holds, after sys.setrecursionlimit or in a deeply nested value; " +
			"leave the recursion limit as it is and write the recursion as a loop. Else native code of a library has failed"
	}
	return &verdict{status: job.Killed, failure: fault(e.exit.Signal, message)}
}

// byExit judges a guard that ended without a report.
func byExit(e evidence) (verdict, error) {
	if !e.ready {
		return verdict{}, &GuardError{fmt.Sprintf("ended with code %d before the code ran: %s", e.exit.Code, e.boot)}
	}
	message := fmt.Sprintf("the interpreter ended with code %d before the guard could report", e.exit.Code)
	return verdict{status: job.Failed, failure: fault("InterpreterExit", message)}, nil
}

func byReport(e evidence) (verdict, error) {
	switch e.report.Outcome {
	case wire.OutcomeRejected:
		return verdict{status: job.Rejected, violations: findings(e.report.Violations)}, nil
	case wire.OutcomeRaised:
		if e.report.Limit == wire.LimitOperations || e.report.Limit == wire.LimitLoopIterations {
			return overBudget(e), nil
		}
		return raised(e), nil
	case wire.OutcomeVetted:
		return verdict{status: job.Succeeded}, nil
	case wire.OutcomeCompleted:
		return completed(e.violations), nil
	case wire.OutcomeLimit:
		return overBudget(e), nil
	case wire.OutcomeGuardFailed:
		return guardFailed(e)
	default:
		return verdict{}, &GuardError{fmt.Sprintf("unknown outcome %q", e.report.Outcome)}
	}
}

// guardFailed believes a guard that it could not do its part only while it can be
// nobody else's word. Afterwards the run has a record like any other.
func guardFailed(e evidence) (verdict, error) {
	if !e.ready {
		return verdict{}, &GuardError{e.report.Error.Message}
	}
	return verdict{status: job.Failed, failure: fault("GuardFailed",
		"the guard, for which code of an earlier step may speak, says that it could not run this one: "+cut(e.report.Error.Message))}, nil
}

// cut bounds what the guard says of the code to far more than it has to say.
func cut(text string) string {
	const most = 2000
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// raised tells a limit that was met from other exceptions. Both are failures, so a lie of
// whoever speaks for the guard gains nothing.
func raised(e evidence) verdict {
	reported := e.report.Error
	failure := &job.Error{Type: reported.Type, Message: reported.Message, Line: reported.Line, Traceback: reported.Traceback}
	if limit := metBy(e); limit != "" {
		return verdict{status: job.LimitExceeded, limit: limit, failure: failure}
	}
	return verdict{status: job.Failed, failure: failure}
}

// metBy is the limit that has ended the code, or "". An exception's number alone is none: the
// code may raise it. Of the output the host has looked itself.
func metBy(e evidence) job.Limit {
	number := linuxErrno(e.report.Error.Errno)
	switch {
	case number == syscall.EFBIG: // what was too large has not been written
		return job.LimitOutputBytes
	case (number == syscall.ENOSPC || number == syscall.EDQUOT) && e.fullLimit != "":
		return e.fullLimit
	}
	if e.report.Limit == wire.LimitFiles && e.fullLimit == job.LimitOutputFiles {
		return job.LimitOutputFiles
	}
	met := map[string]job.Limit{
		wire.LimitFiles:  job.LimitReport, // as many as it may leave, and their list is too long
		wire.LimitReport: job.LimitReport, wire.LimitScratch: job.LimitScratch, wire.LimitOpenFiles: job.LimitOpenFiles,
	}
	return met[e.report.Limit]
}

// overBudget believes the guard that the script did not succeed. That is all that a
// script which speaks for it could gain.
func overBudget(e evidence) verdict {
	limit, line := job.LimitOperations, 0
	if e.report.Limit == wire.LimitLoopIterations {
		limit = job.LimitIterations
	}
	if e.report.Error != nil {
		line = e.report.Error.Line
	}
	found := *exceeded(e, job.LimitExceeded, limit)
	found.failure.Line = line
	return found
}

// linuxErrno maps the sandbox's numbers, which are Linux's, to this host's.
func linuxErrno(number int) syscall.Errno {
	switch number {
	case 24:
		return syscall.EMFILE
	case 27:
		return syscall.EFBIG
	case 28:
		return syscall.ENOSPC
	case 122:
		return syscall.EDQUOT
	default:
		return 0
	}
}

func completed(violations []job.Violation) verdict {
	if len(violations) == 0 {
		return verdict{status: job.Succeeded}
	}
	limit := onlyLimit(violations)
	if limit != "" {
		return verdict{status: job.LimitExceeded, limit: limit, violations: violations}
	}
	return verdict{status: job.OutputRejected, violations: violations}
}

func exceeded(e evidence, status job.Status, limit job.Limit) *verdict {
	size := func(bytes int64) string { return policy.Size(bytes).String() }
	messages := map[job.Limit]string{
		job.LimitWallClock: fmt.Sprintf("the run took longer than the %s of wall clock that it may (at most the policy's wall_clock)", e.limits.WallClock),
		job.LimitCPUTime:   fmt.Sprintf("the run used more than the %s of CPU time that it may (the policy's cpu_time)", e.limits.CPUTime),
		job.LimitMemory:    fmt.Sprintf("the kernel ended the run because it needed more than %s (at most the policy's memory)", size(e.limits.MemoryBytes)),
		job.LimitPIDs:      fmt.Sprintf("the run wanted more than %d processes and threads (at most the policy's pids)", e.limits.PIDs),
		job.LimitStdout:    fmt.Sprintf("the run printed more than %s to stdout (the policy's stdout)", size(e.limits.StdoutBytes)),
		job.LimitStderr:    fmt.Sprintf("the run printed more than %s to stderr (the policy's stderr)", size(e.limits.StderrBytes)),

		job.LimitOperations: fmt.Sprintf("the script used up its %d operations (at most the policy's operations): work on whole columns instead of single values", e.budgets.Operations),
		job.LimitIterations: fmt.Sprintf("the script used up its %d loop iterations (at most the policy's loop_iterations): work on whole columns instead of loops", e.budgets.LoopIterations),
		job.LimitToolCalls:  fmt.Sprintf("the script went on calling tools after its %d calls were used up (at most the policy's max_calls)", e.budgets.ToolCalls),
	}
	message := messages[limit]
	if limit == job.LimitWallClock && (e.step || e.outlived) {
		message = lateStep(e)
	}
	if !e.ready {
		message += "; the code had not begun"
	}
	return &verdict{status: status, limit: limit, failure: fault("LimitExceeded", message)}
}

// lateStep says of which step the time was over, and what that did to its session.
func lateStep(e evidence) string {
	const bound = "the %s of wall clock that it may (its timeout, at most the policy's wall_clock)"
	if e.outlived {
		return fmt.Sprintf("a step took longer than "+bound+" and did not end when it was interrupted: the session ended with it", e.limits.WallClock)
	}
	return fmt.Sprintf("the step took longer than "+bound, e.limits.WallClock)
}

// unjudged is the verdict on code whose output could not be verified to the end,
// because of err.
func unjudged(err error) verdict {
	violation := job.Violation{Rule: "output.unverifiable", Message: "the output could not be verified to the end, so nothing of it is released"}
	if broken, ok := errors.AsType[*panics.Error](err); ok {
		violation = job.Violation{Rule: "runner.panic", Message: "nothing of the output is released: " + broken.Error()}
	}
	return verdict{status: job.OutputRejected, violations: []job.Violation{violation}}
}

func fault(kind, message string) *job.Error { return &job.Error{Type: kind, Message: message} }

func findings(reported []wire.Violation) []job.Violation {
	violations := make([]job.Violation, len(reported))
	for index, v := range reported {
		violations[index] = job.Violation{Rule: cut(v.Rule), Line: v.Line, Column: v.Column, Message: cut(v.Message)}
	}
	return violations
}
