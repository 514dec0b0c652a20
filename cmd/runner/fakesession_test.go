package main

import (
	"context"
	"time"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/service"
)

// fakeSession is a session of fakeService. Its limits are known after a moment, and it takes steps
// after another one; that of the bundle "broken" ends in the place of that.
type fakeSession struct {
	session api.Session
	inputs  []byte // what each of its steps has as its result, or nothing
	log     *journal.Log
	cancel  context.CancelFunc // of the step that goes on
}

func (f *fakeService) OpenSession(_ context.Context, _ access.Principal, ask api.OpenSession) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ask.Policy != "study-analysis" {
		return api.Session{}, service.ErrRefused
	}
	id := job.NewID(time.Now())
	one := &fakeSession{inputs: ask.Inputs, session: api.Session{SessionID: id, Status: api.SessionOpening, Policy: ask.Policy, CreatedAt: time.Now().UTC()}, log: journal.New(1 << 20)}
	f.sessions[id] = one
	opening := one.session
	time.AfterFunc(20*time.Millisecond, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		one.session.Limits = &api.SessionLimits{StepWallClockMS: 5000, MaxSteps: 9}
	})
	time.AfterFunc(200*time.Millisecond, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if ask.Bundle == "broken" {
			one.session.Over = "it did not become ready"
			f.closeSession(one)
			return
		}
		one.session.Status = api.SessionOpen
		(&fakeRun{log: one.log}).append(api.EventState, api.StateEvent{State: api.State(api.SessionOpen)})
	})
	return opening, nil
}

func (f *fakeService) ListSessions(_ context.Context, _ access.Principal, filter service.SessionFilter) (api.Sessions, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	page := api.Sessions{Sessions: []api.Session{}}
	for _, one := range f.sessions {
		if filter.Status == "" || filter.Status == one.session.Status {
			shown := one.session
			shown.Result = nil
			page.Sessions = append(page.Sessions, shown)
		}
	}
	return page, nil
}

func (f *fakeService) Session(_ context.Context, _ access.Principal, id job.ID) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.sessions[id]
	if one == nil {
		return api.Session{}, service.ErrNoSession
	}
	return one.session, nil
}

func (f *fakeService) Step(_ context.Context, _ access.Principal, id job.ID, step api.CreateStep) (api.Step, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.sessions[id]
	switch {
	case one == nil:
		return api.Step{}, service.ErrNoSession
	case one.session.Status == api.SessionOpening:
		panic("the command does not wait until the session is ready")
	case one.session.Status == api.SessionBusy:
		return api.Step{}, service.ErrBusy
	case one.session.Status == api.SessionClosed:
		return api.Step{}, service.ErrClosed
	}
	one.session.Status = api.SessionBusy
	one.session.Steps++
	begun := api.Step{Number: one.session.Steps, Status: api.StateRunning}
	ctx, cancel := context.WithCancel(context.Background())
	one.cancel = cancel
	stepID := job.NewID(time.Now())
	made := &fakeRun{log: one.log, files: map[string][]byte{}, over: make(chan struct{})}
	f.runs[stepID] = made
	go func() {
		made.append(api.EventStep, begun)
		result := perform(ctx, step.Code, stepID, made)
		if len(one.inputs) > 0 {
			result.Value = one.inputs
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		made.run = api.Run{RunID: stepID, Status: api.State(result.Status), Result: &result}
		one.session.Status = api.SessionOpen
		ended := api.Step{Number: begun.Number, Status: api.State(result.Status), Result: &result}
		if step.Code == "end\n" || step.Code == "end" {
			one.session.Over = "a step has ended it"
			f.closeSession(one)
		}
		made.append(api.EventStep, ended)
		close(made.over)
	}()
	return begun, nil
}

func (f *fakeService) WaitStep(context.Context, access.Principal, job.ID, int) (api.Step, error) {
	return api.Step{}, service.ErrNoSession
}

func (f *fakeService) StepNow(context.Context, access.Principal, job.ID, int) (api.Step, error) {
	return api.Step{}, service.ErrNotFound
}

func (f *fakeService) FollowSession(ctx context.Context, _ access.Principal, id job.ID, after int64, take func(api.Event) error) error {
	f.mu.Lock()
	one := f.sessions[id]
	f.mu.Unlock()
	if one == nil {
		return service.ErrNoSession
	}
	return followOnce(ctx, one.log, after, take)
}

func (f *fakeService) CancelStep(_ context.Context, _ access.Principal, id job.ID) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.sessions[id]
	if one.cancel != nil {
		one.cancel()
	}
	return one.session, nil
}

func (f *fakeService) CloseSession(_ context.Context, _ access.Principal, id job.ID) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.sessions[id]
	if one == nil {
		return api.Session{}, service.ErrNoSession
	}
	f.closeSession(one)
	return one.session, nil
}

// closeSession is with mu held.
func (f *fakeService) closeSession(one *fakeSession) {
	if one.session.Status == api.SessionClosed {
		return
	}
	if one.cancel != nil {
		one.cancel()
	}
	id := one.session.SessionID
	made := &fakeRun{log: one.log, files: map[string][]byte{}, over: make(chan struct{})}
	close(made.over)
	result := perform(context.Background(), "file end.txt the end", id, made)
	result.Provenance.Session, result.Provenance.Policy = id.String(), one.session.Policy
	one.session.Status, one.session.Result = api.SessionClosed, &result
	made.run = api.Run{RunID: id, Status: api.State(result.Status), Result: &result}
	f.runs[id] = made
	made.append(api.EventResult, one.session)
	one.log.End()
}
