package service

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/runner"
	"hotcell/internal/service/store"
	"hotcell/internal/strictjson"
)

// steps carries out the steps of a session, one at a time, and says why none follows.
func (s *Broker) steps(ctx context.Context, x *session, held engineapi.Session, flush func()) string {
	life := time.NewTimer(x.life.Sub(s.options.Now()))
	defer life.Stop()
	idle := time.NewTimer(x.idle)
	defer idle.Stop()
	for {
		select {
		case next := <-x.todo:
			// Its life ends also while it is busy: the step is then interrupted.
			late := time.AfterFunc(x.life.Sub(s.options.Now()), func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				next.cancel()
			})
			s.step(ctx, x, held, next, flush)
			late.Stop()
			idle.Reset(x.idle)
		case <-x.closing:
			return overClosed
		case <-held.Done():
			return held.Over()
		case <-life.C:
			return overTotal
		case <-idle.C:
			return overIdle
		case <-ctx.Done():
			return overService
		}
	}
}

// step carries out one.
func (s *Broker) step(ctx context.Context, x *session, held engineapi.Session, next *step, flush func()) {
	started := s.options.Now().UTC()
	s.mu.Lock()
	x.state = api.SessionBusy
	x.tell(api.EventStep, next.shown)
	x.change()
	s.mu.Unlock()
	response, err := held.Step(ctx, next.script)
	flush()
	if err == nil && response.Result.Status != "" {
		s.index(store.Row{
			ID: response.Result.RunID, Principal: x.owner, Policy: x.asked.Policy, Bundle: x.asked.Bundle, State: store.Done, Attempt: 1,
			Created: next.asked, Started: started, Ended: s.options.Now().UTC(), Status: api.State(response.Result.Status), Recorded: true, Last: store.LastUnknown,
			Used: store.Use{Bytes: max(0, response.RecordBytes)},
		})
	}
	heavy := weight(&response.Result)
	s.mu.Lock()
	defer s.mu.Unlock()
	next.script, next.weight = runner.Script{}, heavy
	if response.Result.Status != "" {
		next.shown.Status, next.shown.Result, next.run = api.State(response.Result.Status), &response.Result, response.Result.RunID
	} else {
		next.shown.Status = api.StateError
		next.shown.Error = problem("engine-failed", "The engine could not carry out the step", "")
		if err != nil {
			next.shown.Error.Detail = words(err)
			s.options.Logger.Warn("a step has ended without a result", "session", x.id.String(), "step", next.shown.Number, "error", err)
		}
	}
	if x.over == "" {
		x.over = held.Over()
	}
	now := s.options.Now().UTC()
	x.opens(now, now)
	x.tell(api.EventStep, next.shown)
	x.recorded = x.log.Last()
	x.forgetResults(next)
	close(next.done)
	x.change()
}

// resultsKept is what the results of a session's steps have in memory together. The newest one stays
// however large it is, and those before are in their records.
const resultsKept = 8 << 20

// forgetResults makes room for the result of a step that has ended. mu is held.
func (x *session) forgetResults(newest *step) {
	x.results += newest.weight
	for ; x.results > resultsKept && x.steps[x.kept] != newest; x.kept++ {
		gone := x.steps[x.kept]
		x.results -= gone.weight
		gone.shown.Result, gone.weight = nil, 0
	}
}

// tell keeps an event for who follows.
func (x *session) tell(kind api.EventType, of any) {
	if data, err := strictjson.Encode(of); err == nil { // what was decoded can be encoded
		x.log.Append(kind, data)
	}
}

// findSession is a session that a principal sees.
func (s *Broker) findSession(who access.Principal, id job.ID) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.sessions[id]
	if x == nil || !who.Sees(x.owner) {
		return nil, ErrNoSession
	}
	return x, nil
}

// Session is how a session is. One that has ended can be looked at for an hour; its record is a
// run's.
func (s *Broker) Session(ctx context.Context, who access.Principal, id job.ID) (api.Session, error) {
	return s.withSession(ctx, who, id, func(*session) {})
}

// Step begins a step, and does not wait for its end: ErrBusy while another waits or goes on,
// ErrClosed where none may follow. Only the owner of a session has steps carried out in it.
func (s *Broker) Step(_ context.Context, who access.Principal, id job.ID, asked api.CreateStep) (api.Step, error) {
	if err := s.admit(who); err != nil {
		return api.Step{}, err
	}
	x, err := s.findSession(who, id)
	if err != nil {
		return api.Step{}, err
	}
	if x.owner != who.Name {
		return api.Step{}, errNotYours
	}
	wall, err := milliseconds("wall_clock_ms", asked.WallClockMS)
	if err != nil {
		return api.Step{}, err
	}
	if err := inBounds(job.Request{Code: []byte(asked.Code), ScriptName: asked.ScriptName}); err != nil {
		return api.Step{}, err
	}
	next := &step{asked: s.options.Now().UTC(), interrupt: make(chan struct{}), done: make(chan struct{})}
	next.script = runner.Script{Code: []byte(asked.Code), Name: asked.ScriptName, WallClock: wall, Interrupt: next.interrupt}
	if next.script.Name == "" {
		next.script.Name = "script.py"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.mayRecord(who.Name); err != nil {
		return api.Step{}, err
	}
	switch {
	case x.state == api.SessionClosed || x.isClosing || x.over != "":
		return api.Step{}, ErrClosed
	case x.current() != nil:
		return api.Step{}, ErrBusy
	}
	next.shown = api.Step{Number: len(x.steps) + 1, Status: api.StateRunning}
	x.steps = append(x.steps, next)
	x.todo <- next // there is room: no other waits
	return next.shown, nil
}

// WaitStep is StepNow once the step has ended, or ctx has. What it has ended with is not fetched for a
// ctx that has ended.
func (s *Broker) WaitStep(ctx context.Context, who access.Principal, id job.ID, number int) (api.Step, error) {
	_, one, err := s.findStep(who, id, number)
	if err != nil {
		return api.Step{}, err
	}
	select {
	case <-one.done:
	case <-ctx.Done():
	case <-s.ctx.Done():
	}
	return s.StepNow(ctx, who, id, number)
}

// StepNow is how a step is.
func (s *Broker) StepNow(ctx context.Context, who access.Principal, id job.ID, number int) (api.Step, error) {
	x, one, err := s.findStep(who, id, number)
	if err != nil {
		return api.Step{}, err
	}
	s.mu.Lock()
	shown, run := one.shown, one.run
	s.mu.Unlock()
	if shown.Result != nil && who.Name == x.owner || run == (job.ID{}) {
		return shown, nil
	}
	shown.Result, err = s.recorded(ctx, who, run)
	return shown, err
}

func (s *Broker) findStep(who access.Principal, id job.ID, number int) (*session, *step, error) {
	x, err := s.findSession(who, id)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if number < 1 || number > len(x.steps) {
		return nil, nil, ErrNoStep
	}
	return x, x.steps[number-1], nil
}

// CancelStep ends the step that waits or goes on, if one does. The session goes on where it can.
func (s *Broker) CancelStep(ctx context.Context, who access.Principal, id job.ID) (api.Session, error) {
	return s.withSession(ctx, who, id, func(x *session) {
		if last := x.current(); last != nil {
			last.cancel()
		}
		if x.state == api.SessionOpening { // it waits for that, and need not
			x.dropStep()
		}
	})
}

// CloseSession asks for the end of a session, and does not wait for it. A closed one stays as it is.
func (s *Broker) CloseSession(ctx context.Context, who access.Principal, id job.ID) (api.Session, error) {
	return s.withSession(ctx, who, id, func(x *session) {
		why := overClosed
		if x.owner != who.Name {
			why = overOther
		}
		x.end(why)
	})
}

// withSession tells others than its owner what a session has said by its record, of which the engine
// makes an event.
func (s *Broker) withSession(ctx context.Context, who access.Principal, id job.ID, do func(x *session)) (api.Session, error) {
	x, err := s.findSession(who, id)
	if err != nil {
		return api.Session{}, err
	}
	s.mu.Lock()
	do(x)
	shown := x.shown()
	s.mu.Unlock()
	if shown.Result == nil || who.Name == x.owner {
		return shown, nil
	}
	shown.Result, err = s.recorded(ctx, who, id)
	return shown, err
}

// FollowSession hands on the events of a session after a number: a step event when one begins and
// when it has ended, what it prints between, and as the last one a result event, for which Session
// has the data. All else is as with Follow. Others than its owner hear of steps while they go on, and
// of no result: WaitStep has those, by their records.
func (s *Broker) FollowSession(ctx context.Context, who access.Principal, id job.ID, after int64, take func(api.Event) error) error {
	x, err := s.findSession(who, id)
	if err != nil {
		return err
	}
	defer s.counted()()
	ctx, stop := s.until(ctx)
	defer stop()
	if who.Name != x.owner {
		give := take
		take = func(event api.Event) error { return withoutResult(event, give) }
		if after, err = s.skipRecorded(x, after, take); err != nil {
			return err
		}
	}
	if after, err = hand(ctx, x.log, after, take); err != nil {
		return err
	}
	s.mu.Lock()
	over, last := x.over, x.log.Last()
	s.mu.Unlock()
	if over == overRestart {
		last = store.LastUnknown
	}
	return result(last, after, take)
}

// skipRecorded passes over the steps that have ended.
func (s *Broker) skipRecorded(x *session, after int64, take func(api.Event) error) (int64, error) {
	s.mu.Lock()
	recorded := x.recorded
	s.mu.Unlock()
	if after = max(after, 0); after >= recorded {
		return after, nil
	}
	return recorded, takeNow(api.EventGap, api.GapEvent{From: after + 1, To: recorded}, take)
}

// withoutResult hands on an event without what a step has ended with.
func withoutResult(event api.Event, take func(api.Event) error) error {
	if event.Type != api.EventStep {
		return take(event)
	}
	var one api.Step
	err := strictjson.Decode(event.Data, maxStored, &one)
	if err == nil {
		one.Result = nil
		event.Data, err = strictjson.Encode(one)
	}
	if err != nil {
		return fmt.Errorf("write a step event: %w", err)
	}
	return take(event)
}

// textWriter makes events of what a step prints. What is cut within a character waits for the
// rest of it.
type textWriter struct {
	log  *journal.Log
	kind api.EventType
	rest []byte
}

// Write implements io.Writer. It is called from one goroutine at a time.
func (w *textWriter) Write(p []byte) (int, error) {
	text := slices.Concat(w.rest, p)
	whole := len(text)
	for back := 1; back <= min(utf8.UTFMax-1, len(text)); back++ {
		if utf8.RuneStart(text[len(text)-back]) {
			if !utf8.FullRune(text[len(text)-back:]) {
				whole = len(text) - back
			}
			break
		}
	}
	w.rest = append([]byte(nil), text[whole:]...)
	w.say(text[:whole])
	return len(p), nil
}

// flush tells what waits: nothing follows that could make it whole.
func (w *textWriter) flush() {
	w.say(w.rest)
	w.rest = nil
}

func (w *textWriter) say(text []byte) {
	if len(text) == 0 {
		return
	}
	if data, err := strictjson.Encode(api.TextEvent{Text: string([]rune(string(text)))}); err == nil {
		w.log.Append(w.kind, data)
	}
}
