package engineapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"hotcell/api"
	"hotcell/internal/admission"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/panics"
	"hotcell/internal/runner"
)

// start takes a run. It goes on whatever becomes of the connection.
func (f *front) start(ctx context.Context, g given) (nothing, error) {
	made, ask, err := f.admit(ctx, g)
	if err != nil {
		return nothing{}, err
	}
	made.do = func(ctx context.Context) (runner.Response, error) { return f.server.options.Service.Run(ctx, ask) }
	go f.carryOut(made) //nolint:contextcheck // the run's own
	return nothing{}, nil
}

// hold reserves the id of a run or a session that neither this process nor a record knows.
// The holder drops or ends it. cancel ends what goes on under it.
func (f *front) hold(ctx context.Context, id job.ID, ask runner.Ask, cancel context.CancelFunc) (*detachedRun, error) {
	if id == (job.ID{}) {
		return nil, errNoID
	}
	run := &detachedRun{id: id, principal: Principal(ask.Caller.Actor.Principal), log: journal.New(f.options.Streams(ask.Request.Policy) + journalSlack), cancel: cancel}
	if err := f.runs.reserve(run); err != nil {
		return nil, err
	}
	kept := false
	defer func() {
		if !kept { // also where a panic has led here
			f.runs.drop(run)
		}
	}()
	recorded, err := f.options.Archive.Fate(ctx, id)
	if err == nil && recorded != FateUnknown {
		err = ErrKnown
	}
	if err == nil {
		err = f.options.Room()
	}
	if err != nil {
		return nil, err // the caller would drop it once more
	}
	kept = true
	return run, nil
}

// carryOut carries a run out, and keeps its answer.
func (f *front) carryOut(made *task) {
	run, ctx := made.run, made.ctx
	defer run.cancel()
	var said runner.Response
	begun := false
	err := panics.Catch("carrying out a run", func() error {
		return f.turns.run(ctx, made.caller, func(ctx context.Context) (err error) {
			begun = true
			said, err = made.do(ctx)
			return err
		})
	})
	f.places.leave()
	run.share.Free()
	made.telling.end()
	if said.Result.RunID == (job.ID{}) && err != nil && begun && (f.isRecorded(ctx, run.id) || f.options.Room() != nil) {
		f.server.options.Logger.Warn("a run has ended without an answer", "run_id", run.id, "reason", err)
		// Its code may have begun: that is what is to be known of it. Or nothing of it is on the disk,
		// because that is full: it may be given again.
		f.runs.drop(run)
		return
	}
	if !begun && (errors.Is(err, admission.ErrDraining) || errors.Is(err, admission.ErrFull)) {
		f.runs.drop(run) // there was no place for it: it may be given again
		return
	}
	text, failed := sealed(f.outside.answer(said, err))
	if failed != nil {
		text, _ = sealed(&answer{Error: f.outside.fault(failed)}) // of a text alone: it has a form
	}
	f.runs.end(run, text)
	_ = f.isRecorded(ctx, run.id) // its line is read now, for the next one's start not to wait for that
}

// isRecorded reports whether records, or the audit chain, say what became of a run.
func (f *front) isRecorded(ctx context.Context, id job.ID) bool {
	found, err := f.options.Archive.Fate(context.WithoutCancel(ctx), id)
	return err == nil && found != FateUnknown
}

// outcome is what became of a run. Its own principal has it from memory: that is the answer to what
// was asked. Every other look is one at the record.
func (f *front) outcome(ctx context.Context, q question) (fated[json.RawMessage], error) {
	caller, err := f.callerOf(ctx, q.Principal)
	if err != nil {
		return fated[json.RawMessage]{}, err
	}
	if q.ID == (job.ID{}) {
		return fated[json.RawMessage]{}, errNoID
	}
	kept, of := f.runs.outcome(q.ID)
	if of == q.Principal || kept.Fate == FateHeld {
		return kept, nil
	}
	found, err := f.options.Archive.Outcome(ctx, q.ID, caller.Actor)
	if err == nil && found.Fate == FateUnknown && of != "" { // it has no record
		return kept, nil
	}
	if err != nil || found.Fate != FateEnded {
		return fated[json.RawMessage]{Fate: found.Fate}, err
	}
	text, err := sealed(f.outside.answer(found.Response, found.Err))
	return fated[json.RawMessage]{FateEnded, text}, err
}

// cancel leaves a run that has ended as it is.
func (f *front) cancel(ctx context.Context, q question) (nothing, error) {
	if run := f.runs.find(q.ID); run != nil {
		run.cancel()
		return nothing{}, nil
	}
	return nothing{}, f.recorded(ctx, q.ID)
}

// recorded is nil for a run that a record knows.
func (f *front) recorded(ctx context.Context, id job.ID) error {
	if id == (job.ID{}) {
		return errNoID
	}
	found, err := f.options.Archive.Fate(ctx, id)
	if err == nil && found == FateUnknown {
		err = ErrUnknownRun
	}
	return err
}

// follow writes the events of a run as they come. Who is gone ends r's context.
func (f *front) follow(w http.ResponseWriter, r *http.Request) {
	to := f.server.newStream(w, f.outside)
	var asked question
	err := f.receive(r, to, bounds{most: maxQuestion}, &asked)
	if err == nil {
		err = f.tellEvents(r.Context(), to, asked)
	}
	end := &ending[json.RawMessage]{Error: to.fault(err)}
	if found, _ := f.runs.outcome(asked.ID); err == nil && found.Fate == FateEnded && len(found.Answer) <= smallAnswer {
		end.Outcome = &found
	}
	_ = to.write(followed[json.RawMessage]{End: end}, end.Error) // who does not take it follows again
}

// smallAnswer is the most bytes of an answer that ends a stream of events. A larger one is asked
// for: few are sent at a time.
const smallAnswer = 64 << 10

func (f *front) tellEvents(ctx context.Context, to *stream, asked question) error {
	run := f.runs.find(asked.ID)
	if run == nil { // its events are not kept any more
		return f.working.do(ctx, func() error { return f.recorded(ctx, asked.ID) })
	}
	select {
	case f.following <- struct{}{}:
		defer func() { <-f.following }()
	default:
		return fmt.Errorf("%w: too many streams of events are followed: try again later", admission.ErrFull)
	}
	for after := asked.After; ; {
		page, err := run.log.Joined(ctx, after, joinFor)
		if errors.Is(err, journal.ErrEnded) {
			return nil
		}
		if err != nil {
			return err
		}
		var lines []byte
		for _, event := range eventsOf(page) {
			line, failed := encode(followed[nothing]{Event: &event})
			lines, err, after = append(lines, line...), errors.Join(err, failed), event.Seq
		}
		if err := to.writeText(lines, nil, err); err != nil {
			return err
		}
	}
}

// eventsOf are a page's, with a gap as the event in the place of those that are missing.
func eventsOf(page journal.Page) []api.Event {
	if page.Gap == nil {
		return page.Events
	}
	text, err := encode(page.Gap)
	if err != nil {
		return page.Events // two numbers have a form
	}
	return append([]api.Event{{Seq: page.Gap.To, Type: api.EventGap, Data: text[:len(text)-1]}}, page.Events...)
}

// session is as Server's, under an id. It ends with its connection, or by Cancel.
func (f *front) session(r *http.Request, in *received) (*answer, error) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var run *detachedRun
	in.share, _ = f.budget.Take(theFront, 0)
	defer in.share.Free()
	first := func(r *http.Request, in *received) error {
		var asked given
		if err := f.reading.do(r.Context(), func() error { return decodeFirst(in, &asked) }); err != nil {
			return err
		}
		var err error
		if in.ask, err = f.askOf(r.Context(), asked); err != nil {
			return err
		}
		asked.Request.ToolStderr = false // what the host's tools print there is the host's
		in.ask.Events = in.stream.events(asked.Request)
		return f.working.do(r.Context(), func() (err error) { //nolint:contextcheck // a session outlives its first line
			run, err = f.hold(r.Context(), asked.ID, in.ask, cancel)
			return err
		})
	}
	last, err := f.server.sessionAfter(r.WithContext(ctx), in, entry{first, f.turns.session})
	if run != nil { // its record says what became of it
		f.runs.drop(run)
	}
	return last, err
}

// read sends a part of a record: its length, and then its bytes.
func (f *front) read(w http.ResponseWriter, r *http.Request) {
	to := f.server.newStream(w, f.outside)
	var asked question
	err := f.receive(r, to, bounds{most: maxQuestion}, &asked)
	var content io.ReadCloser
	var size int64
	if err == nil {
		content, size, err = f.open(r.Context(), asked)
	}
	if err != nil {
		said := told[nothing]{Error: to.fault(err)}
		_ = to.write(said, said.Error) // who does not take it asks again
		return
	}
	defer content.Close()
	w.Header().Set("Content-Type", contentBytes)
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	if err := copyPatiently(w, to.control, content); err != nil {
		// The length was told: that the rest is missing must show.
		panic(http.ErrAbortHandler)
	}
}

func (f *front) open(ctx context.Context, asked question) (content io.ReadCloser, size int64, err error) {
	caller, err := f.callerOf(ctx, asked.Principal)
	if err != nil {
		return nil, 0, err
	}
	if asked.ID == (job.ID{}) {
		return nil, 0, errNoID
	}
	err = f.working.do(ctx, func() (err error) {
		content, size, err = f.options.Archive.Read(ctx, asked.ID, caller.Actor, asked.Name)
		return err
	})
	return content, size, err
}

const contentBytes = "application/octet-stream"

// copyPatiently gives who reads a time limit for each piece, and none for the whole.
func copyPatiently(to io.Writer, control *http.ResponseController, from io.Reader) error {
	_, err := io.Copy(piece(func(chunk []byte) error {
		if err := control.SetWriteDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		_, err := to.Write(chunk)
		return err
	}), from)
	return err
}
