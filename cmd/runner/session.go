package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

const sessionHelp = `Run scripts one after the other in one sandbox, for one owner.

The tables are loaded once, and variables keep their values from step to step. Each
step is a line of JSON on standard input, {"code": "...", "id": "..."}. The id, a string
or a whole number, comes back with the answer; without one it is the number of the line.
A step may have a shorter time, {"timeout": "5s"}, and {"cancel": ID} interrupts it. One
that is interrupted leaves the session as it is, unless it does not end within 3 seconds.
With --json the first line is {"ready": {...}}, once everything is imported and loaded,
and each step is answered by one line: its id, and a result as ` + "`runner run --json`" + `
prints it. On a terminal, a step runs with Enter, a block with two empty lines, pasted
text with the Enter behind it. Arrows bring back lines; exit or Ctrl-D ends the session.

Wall clock, streams, budgets and tool calls are limited per step; memory, processes,
CPU time and files for the session as a whole. The session ends with its input, on
Ctrl-C (on a terminal the second one: the first interrupts the step), or at a limit of
the policy's session section. A step that succeeds has the files that it has written or
changed, verified, in its answer and record; with --inline-files SIZE also the content
of those up to that size, as base64. Those of the end are copied to --output.
The last line, {"session": {...}}, and the exit code are the
session's own.

` + serverHelp + `
A step that is cancelled while it waits here is refused.

` + toolHelp

func (a *app) sessionCommand() *cobra.Command {
	var flags runFlags
	command := &cobra.Command{
		Use:   "session --policy NAME [--bundle NAME] [--output DIR]",
		Short: "Run scripts one after the other in one sandbox",
		Long:  sessionHelp,
		Example: `  runner session --policy table-query --bundle awards
  echo '{"code": "print(len(award_data))"}' | runner session --policy table-query --bundle awards --json`,
		Args: arguments(0, 0, "no script: steps come on standard input"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.session(cmd.Context(), cmd, flags)
		},
	}
	a.addRunFlags(command, &flags)
	command.AddCommand(a.sessionList(), a.sessionClose())
	return command
}

func (a *app) session(ctx context.Context, cmd *cobra.Command, flags runFlags) error {
	if err := flags.refuseInputs(); err != nil {
		return err
	}
	request, err := a.surroundings(ctx, cmd, flags)
	if err != nil {
		return a.withPolicy(err, flags.target)
	}
	a.inSession = true
	delivery, err := a.newDelivery(ctx, flags.destination())
	if err != nil {
		return err
	}
	request.ScriptName = "session"
	shown := newProgress(a.stderr) // until the session is ready: it would stand in the way of the prompt
	defer shown.close()
	flags.tools = len(request.Tools) > 0
	made, err := a.service(ctx, flags.target)
	if err != nil {
		return err
	}
	var pressed *presses
	if a.types() {
		var quiet func()
		ctx, pressed, quiet = untilPressedTwice(ctx, a.signals, func(what string) { fmt.Fprintln(a.stderr, "\nrunner:", what) })
		defer quiet()
	}
	session, err := made.OpenSession(ctx, a.ask(request, shown))
	if err != nil {
		return err
	}
	reading, done := context.WithCancel(context.WithoutCancel(ctx))
	defer done()
	source, stepsErr := a.steps(ctx, reading, shownSession{session, shown, pressed})
	if reason := session.Over(); reason != "" && stepsErr == nil {
		fmt.Fprintln(a.stderr, "runner: the session is over:", inLine(reason))
	}
	response, err := session.Close(ctx)
	err = errors.Join(stepsErr, err, a.refuseRest(session, source))
	if response.Result.RunID == (job.ID{}) {
		return err
	}
	dir, err := a.delivered(ctx, delivery, response, err)
	response, err = a.inlined(ctx, response, err)
	said, err := outcome(response, err)
	said.Paths.Output = said.delivered(dir)
	return printed(a.reportSession(response, said, request, dir), err)
}

// reportSession prints the session's own result, marked, for no step's answer is like it.
func (a *app) reportSession(response runner.Response, said answered, request job.Request, dir string) error {
	if a.json {
		a.answered = true // whatever becomes of it
		return a.writeLine(map[string]any{"session": said})
	}
	return a.reportLine(response, said, request, dir)
}

// refuseRest answers the steps that have come and were not begun: each line has its answer
// before the session's own.
func (a *app) refuseRest(session engineapi.Session, source *stepSource) error {
	if !a.json {
		return nil
	}
	var faults []error
	for _, left := range source.rest() {
		if left.err == nil {
			left.err = notBegun(session)
		}
		faults = append(faults, a.refuseLine(left))
	}
	return errors.Join(faults...)
}

// shownSession is a session, and what its steps have left on the terminal.
type shownSession struct {
	engineapi.Session
	shown   *progress
	pressed *presses // or nil, where nobody types
}

// begins tells that a step begins, or that there is none any more.
func (s shownSession) begins(next *received) {
	switch {
	case s.pressed == nil:
	case next == nil:
		s.pressed.begin(nil)
	default:
		next.interrupt = make(chan struct{})
		s.pressed.begin(next.interrupt)
	}
}

// steps runs what comes until the input or the session ends. Steps are numbered as
// the guard numbers them: a line that is no step does not count.
// Reading goes on in the background until its own context ends.
func (a *app) steps(ctx, reading context.Context, session shownSession) (*stepSource, error) {
	source := a.stepSource(reading, session)
	defer source.endPrompt()
	err := a.awaitReady(ctx, session)
	source.cancels.begin()
	if err != nil {
		return source, err
	}
	for number := 1; session.Over() == ""; {
		source.prompt()
		next, more := nextStep(ctx, session, source)
		if !more {
			return source, a.unread(next.err)
		}
		session.begins(&next)
		err := a.step(ctx, session, next, number)
		session.begins(nil)
		source.known.answered(next)
		if err != nil {
			return source, err
		}
		if next.err == nil {
			number++
		}
	}
	return source, nil
}

// unread is why somebody cannot go on typing.
func (a *app) unread(err error) error {
	if !a.types() || err == io.EOF { //nolint:errorlint // alone it is the end of the input
		return nil
	}
	return err
}

// nextStep waits for a step, and tells where none can follow: Close says why. A step
// that comes with the session's end, or after it, is never begun.
func nextStep(ctx context.Context, session engineapi.Session, source *stepSource) (next received, more bool) {
	select {
	case <-ctx.Done():
		return received{}, false
	case <-session.Done():
		return received{}, false
	case next = <-source.steps:
	}
	source.taken(next)
	if source.ended {
		return next, false
	}
	over := ctx.Err() != nil
	select {
	case <-session.Done():
		over = true
	default:
	}
	if over {
		next.err = cmp.Or(next.err, notBegun(session))
	}
	return next, true
}

// notBegun says of a step that it came too late, and for what.
func notBegun(session engineapi.Session) error {
	if reason := session.Over(); reason != "" {
		return fmt.Errorf("it was not begun: the session is over: %s", reason)
	}
	return errors.New("it was not begun: the session is over")
}

// awaitReady says when the session is ready for its first step, which waits for that: its
// time is the script's. Where it does not become ready, whatever comes next tells why.
func (a *app) awaitReady(ctx context.Context, session shownSession) error {
	defer session.shown.close()
	select {
	case <-session.Prepared():
	case <-session.Done():
		return nil
	case <-ctx.Done():
		return nil
	}
	if a.json {
		return a.writeLine(map[string]any{"ready": ready{sessionProtocol, session.About()}})
	}
	session.shown.close()
	_, err := fmt.Fprintln(a.stderr, "runner: session ready")
	return err
}

// sessionProtocol counts the versions of the lines that a session reads and writes.
const sessionProtocol = 2

// ready is what the first line says.
type ready struct {
	Protocol int `json:"protocol"`
	runner.About
}

// step answers one line. A line that is no step is answered too, and the session
// goes on.
func (a *app) step(ctx context.Context, session shownSession, next received, number int) error {
	most := time.Duration(session.About().Limits.StepWallClockMS) * time.Millisecond
	if next.err == nil && next.timeout > most {
		next.err = fmt.Errorf("timeout %s is above the %s that a step of this session may have", next.timeout, most)
	}
	if next.err != nil {
		return a.refuseLine(next)
	}
	name := fmt.Sprintf("step-%d.py", number)
	response, err := session.Step(ctx, runner.Script{Code: []byte(next.code), Name: name, WallClock: next.timeout, Interrupt: next.interrupt})
	session.shown.endLine(a.stderr)
	switch {
	case errors.Is(err, runner.ErrSessionOver):
		next.err = notBegun(session) // it ended meanwhile
		return a.refuseLine(next)
	case errors.Is(err, errNeverBegun):
		next.err = err
		return a.refuseLine(next)
	}
	if response.Result.RunID == (job.ID{}) {
		return err
	}
	response, err = a.inlined(ctx, response, err)
	said, err := outcome(response, err)
	said.ID = next.id
	if _, failed := errors.AsType[hostError](err); !failed {
		err = nil // of the step's code: the session goes on
	}
	return printed(a.reportLine(response, said, job.Request{ScriptName: name}, ""), err)
}

// refuseLine answers a line that was not carried out.
func (a *app) refuseLine(refused received) error {
	message := "step refused: " + refused.err.Error()
	if !a.json {
		if refused.id != nil {
			message = fmt.Sprintf("step refused: id %s: %s", refused.id, refused.err)
		}
		_, err := fmt.Fprintln(a.stderr, "runner:", inLine(message))
		return err
	}
	said := unanswered{ID: refused.id, ExitCode: job.ExitUsage}
	said.Error.Message, said.Error.ExitCode = message, job.ExitUsage
	return a.writeLine(said)
}

// answerCancel answers a line that cancels: what becomes of the step its own answer says.
func (a *app) answerCancel(id json.RawMessage, met cancelling) {
	if !a.json {
		return
	}
	said := struct {
		Cancel  json.RawMessage `json:"cancel"`
		Found   bool            `json:"found"`
		Already bool            `json:"already,omitempty"`
	}{id, met.found, met.already}
	_ = a.writeLine(said) // the next answer tells that nobody reads
}

// unanswered is the answer to a line that was not carried out.
type unanswered struct {
	ID       json.RawMessage `json:"id,omitempty"`
	ExitCode int             `json:"exit_code"`
	Error    struct {
		Message  string `json:"message"`
		ExitCode int    `json:"exit_code"`
	} `json:"error"`
}

// reportLine prints one answer: a line of JSON, or a summary for people.
func (a *app) reportLine(response runner.Response, said answered, request job.Request, outputDir string) error {
	if a.json {
		return a.writeLine(said)
	}
	if said.ExitCode != 0 {
		outputDir = "" // nothing is there
	}
	text := a.page()
	if response.Result.Provenance.Session == response.Result.RunID.String() {
		summary(text, response, request, outputDir)
	} else {
		stepSummary(text, response, request.ScriptName)
	}
	_, err := fmt.Fprint(a.stderr, printable(text.String()))
	return err
}
