package runner

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/wire"
)

// finish runs the code, or refuses it, and commits the record.
func (e *execution) finish(ctx context.Context, draft *records.Draft) (Answer, error) {
	if refused := refuseSource(e.request.Code, e.terms.Limits.CodeBytes); refused != nil {
		return e.commit(ctx, draft, settled{verdict: *refused})
	}
	e.options.Phase(PhaseCreating)
	sandbox, err := e.create(ctx)
	if ctx.Err() != nil && err != nil {
		return e.commit(ctx, draft, settled{verdict: *byRunner(evidence{ended: endedCancel})})
	}
	if err != nil {
		return Answer{}, err
	}
	settled, err := e.inside(ctx, sandbox, draft)
	releaseCtx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	destroyed := sandbox.Destroy(releaseCtx)
	if err != nil && !settled.began {
		return Answer{}, errors.Join(err, destroyed)
	}
	if err != nil {
		settled.verdict = unjudged()
	}
	// Code that has run on data is recorded, whatever it did to its judges, and even
	// if its sandbox could not be removed.
	answer, commitErr := e.commit(ctx, draft, settled)
	return answer, errors.Join(err, commitErr, destroyed)
}

func (e *execution) create(ctx context.Context) (container.Sandbox, error) {
	host, err := e.options.Engine.Probe(ctx)
	if err != nil {
		return nil, err
	}
	e.host = host
	return e.options.Engine.Create(ctx, e.id, e.spec)
}

// settled is all that a result is made of.
type settled struct {
	verdict        verdict
	exit           container.Exit
	report         *wire.Report
	verified       *output.Verified
	stdout, stderr *stream
	quarantined    bool
	began          bool // user code did
}

// inside uses the sandbox while it exists.
func (e *execution) inside(ctx context.Context, sandbox container.Sandbox, draft *records.Draft) (settled, error) {
	found, streams, err := e.run(ctx, sandbox)
	if err != nil {
		return settled{}, err
	}
	began := settled{exit: found.exit, stdout: streams.stdout, stderr: streams.stderr, began: found.ready}
	e.options.Phase(PhaseVerifying)
	// A caller who cancels has cancelled the code; what it left is still judged.
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	dir, err := sandbox.Output()
	if err != nil {
		return began, err
	}
	defer dir.Close()
	verified, err := e.judge(ctx, dir, draft, &found)
	if err != nil {
		return began, err
	}
	verdict, err := classify(found)
	if err != nil {
		return began, err
	}
	result := began
	result.verdict, result.report = verdict, found.report
	if verdict.status == job.Succeeded {
		result.verified = verified
		return result, nil
	}
	if verified != nil { // good files of a run that, say, met pids.max are not released
		if err := verified.Close(); err != nil {
			return began, err
		}
	}
	result.quarantined, err = e.quarantine(ctx, dir, draft, verdict)
	if err != nil {
		return began, err
	}
	return result, nil
}

// quarantine keeps what a run left that did not succeed, unread, with the
// reasons.
func (e *execution) quarantine(ctx context.Context, dir *os.Root, draft *records.Draft, v verdict) (bool, error) {
	first, err := fs.ReadDir(dir.FS(), ".")
	if err != nil || len(first) == 0 {
		return false, err
	}
	reasons := v.violations
	if len(reasons) == 0 {
		reasons = []job.Violation{{Rule: "run." + string(v.status), Message: "the run did not succeed, so its output was not verified"}}
	}
	return true, draft.Quarantine(ctx, dir, reasons, output.QuarantineLimits{
		MaxEntries: int(e.terms.Limits.OutputFiles), MaxBytes: e.terms.Limits.OutputBytes, MaxDepth: quarantineDepth,
	})
}

// quarantineDepth is more than any policy lets out.
const quarantineDepth = 32

// run feeds the guard and listens to it until the sandbox is dead.
func (e *execution) run(ctx context.Context, sandbox container.Sandbox) (evidence, *collector, error) {
	input, err := wire.Encode(e.startMessage(), e.request.Code)
	if err != nil {
		return evidence{}, nil, err
	}
	limits := e.terms.Limits
	end := e.terms.Policy.Output.WhenStdoutIsFull == policy.OverflowEnd
	streams := &collector{
		stdout: &stream{limit: limits.StdoutBytes, live: e.options.Stdout, endFull: end},
		stderr: &stream{limit: limits.StderrBytes, live: e.options.Stderr, endFull: end},
		phase:  e.options.Phase,
	}
	e.options.Phase(PhaseStarting)
	clock, cancel := context.WithTimeoutCause(ctx, limits.WallClock, errWallClock)
	defer cancel()

	reader, writer := io.Pipe()
	var report *wire.Report
	var protocol error
	listened := make(chan struct{})
	go func() {
		defer close(listened)
		report, protocol = wire.Receive(reader, e.terms.ReportBytes, streams)
		if protocol != nil {
			// The engine's next write fails, and it ends the sandbox.
			reader.CloseWithError(protocol)
		}
	}()
	exit, err := sandbox.Run(clock, container.Streams{
		Stdin: bytes.NewReader(input), Stdout: writer, Stderr: rawStderr{streams},
	})
	writer.Close()
	<-listened
	if err != nil {
		return evidence{}, nil, err
	}
	found := evidence{
		exit: exit, limits: limits, ready: streams.ready.Load(), report: report, boot: tail(streams.boot.text()),
	}
	if found.ready {
		// The ready frame takes a longer way than stderr: this may be the code's.
		if err := streams.stderr.write([]byte(streams.boot.text())); err != nil && protocol == nil {
			protocol = err
		}
	}
	found.ended, found.protocol, err = ended(clock, exit, protocol, streams)
	return found, streams, err
}

var errWallClock = errors.New("wall clock")

// ended tells why the runner itself ended the sandbox, if it did. What is neither
// the guard's breach of protocol nor an overflow is our own failure.
func ended(clock context.Context, exit container.Exit, received error, streams *collector) (ending, error, error) {
	if errors.Is(received, errOverflow) || (streams.stderr.endFull && streams.stderr.isFull()) {
		if streams.stdout.isFull() {
			return endedStdout, nil, nil
		}
		return endedStderr, nil, nil
	}
	if exit.KilledByUs && exit.Limit == "" && clock.Err() != nil {
		if errors.Is(context.Cause(clock), errWallClock) {
			return endedClock, nil, nil
		}
		return endedCancel, nil, nil
	}
	if broken, ok := errors.AsType[*wire.ProtocolError](received); ok {
		return endedByItself, broken, nil
	}
	return endedByItself, nil, received
}

// judge verifies the output of a run that says it completed, and finds which
// limit a full file system means.
func (e *execution) judge(ctx context.Context, dir *os.Root, draft *records.Draft, found *evidence) (*output.Verified, error) {
	if found.report == nil {
		return nil, nil
	}
	if found.report.Outcome == wire.OutcomeRaised {
		var err error
		found.fullLimit, err = fullLimit(ctx, dir, e.terms.Limits)
		return nil, err
	}
	if found.report.Outcome != wire.OutcomeCompleted {
		return nil, nil
	}
	verified, violations, err := output.Verify(ctx, output.Options{
		Dir: dir, Manifest: declared(found.report.Files), Staging: draft.Staging(),
		Rules: output.Rules{
			MaxFiles: int(e.terms.Limits.OutputFiles), MaxBytes: e.terms.Limits.OutputBytes,
			MaxDepth: e.terms.Policy.Output.MaxDepth, MediaTypes: e.terms.Policy.Output.MediaTypes,
		},
	})
	if err != nil {
		return nil, err
	}
	found.violations = violations
	if verified != nil {
		found.violations = checkCharts(found.report.Charts, verified.Files(), e.terms.Policy.Guard.MaxFigures)
	}
	return verified, nil
}

func declared(files []wire.File) []output.Declared {
	manifest := make([]output.Declared, len(files))
	for index, file := range files {
		manifest[index] = output.Declared{Path: file.Path, Bytes: file.Bytes, SHA256: file.SHA256, Role: file.Role}
	}
	return manifest
}

// refuseSource refuses what no guard needs to see.
func refuseSource(code []byte, most int64) *verdict {
	refuse := func(rule, message string, line int) *verdict {
		return &verdict{status: job.Rejected, violations: []job.Violation{{Rule: rule, Line: line, Column: 1, Message: message}}}
	}
	lineOf := func(offset int) int { return 1 + bytes.Count(code[:offset], []byte("\n")) }
	if int64(len(code)) > most {
		return &verdict{status: job.LimitExceeded, limit: job.LimitCode, failure: fault("LimitExceeded",
			"the script has "+policy.Size(len(code)).String()+", the policy allows "+policy.Size(most).String()+": split it, or read data from the bundle instead of writing it into the script")}
	}
	if len(bytes.TrimSpace(code)) == 0 {
		return refuse("source.empty", "the script is empty", 1)
	}
	if at := bytes.IndexByte(code, 0); at >= 0 {
		return refuse("source.nul", "the script has a NUL byte: is it a text file?", lineOf(at))
	}
	if at := invalidUTF8(code); at >= 0 {
		return refuse("source.encoding", "the script is not valid UTF-8: save it as UTF-8", lineOf(at))
	}
	return nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(code []byte) int {
	for offset := 0; offset < len(code); {
		r, size := utf8.DecodeRune(code[offset:])
		if r == utf8.RuneError && size == 1 {
			return offset
		}
		offset += size
	}
	return -1
}

// tail keeps the end of the interpreter's own words, for our error message.
func tail(text string) string {
	const most = 400
	text = strings.TrimSpace(text)
	if text == "" {
		return "it printed nothing"
	}
	if len(text) > most {
		text = "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}
