package httpapi_test

import (
	"context"
	"time"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/service"
	"hotcell/internal/strictjson"
)

func (f *fake) OpenSession(_ context.Context, by access.Principal, ask api.OpenSession) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.broken(); err != nil {
		return api.Session{}, err
	}
	id := job.NewID(time.Now())
	made := &fakeSession{owner: by.Name, log: journal.New(1 << 20)}
	made.session = api.Session{SessionID: id, Status: api.SessionOpening, Policy: ask.Policy, Principal: by.Name, CreatedAt: time.Now()}
	f.sessions[id] = made
	return made.session, nil
}

func (f *fake) findSession(by access.Principal, id job.ID) (*fakeSession, error) {
	if err := f.broken(); err != nil {
		return nil, err
	}
	if one, ok := f.sessions[id]; ok && by.Sees(one.owner) {
		return one, nil
	}
	return nil, service.ErrNoSession
}

func (f *fake) ListSessions(_ context.Context, by access.Principal, filter service.SessionFilter) (api.Sessions, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	page := api.Sessions{Sessions: []api.Session{}}
	if filter.Cursor != "" && filter.Cursor != "next" {
		return page, service.ErrCursor
	}
	for _, one := range f.sessions {
		if by.Sees(one.owner) && (filter.Status == "" || filter.Status == one.session.Status) {
			page.Sessions = append(page.Sessions, one.session)
		}
	}
	if filter.Limit == 1 && filter.Cursor == "" {
		page.NextCursor = "next"
	}
	return page, f.broken()
}

func (f *fake) Session(_ context.Context, by access.Principal, id job.ID) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, err := f.findSession(by, id)
	if err != nil {
		return api.Session{}, err
	}
	return one.session, nil
}

func (f *fake) Step(_ context.Context, by access.Principal, id job.ID, step api.CreateStep) (api.Step, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, err := f.findSession(by, id)
	switch {
	case err != nil:
		return api.Step{}, err
	case one.session.Status == api.SessionClosed:
		return api.Step{}, service.ErrClosed
	case one.session.Status == api.SessionBusy:
		return api.Step{}, service.ErrBusy
	}
	made := api.Step{Number: len(one.steps) + 1, Status: api.StateRunning}
	one.session.Steps, one.session.Status = made.Number, api.SessionBusy
	if step.Code == "end" {
		one.session.Status, made.Status = api.SessionOpen, api.State(job.Succeeded)
	}
	one.steps = append(one.steps, made)
	data, _ := strictjson.Encode(made)
	one.log.Append(api.EventStep, data)
	return made, nil
}

func (f *fake) WaitStep(ctx context.Context, by access.Principal, id job.ID, number int) (api.Step, error) {
	f.mu.Lock()
	waited := f.waited
	f.mu.Unlock()
	if waited != nil {
		return api.Step{}, waited
	}
	return f.StepNow(ctx, by, id, number)
}

func (f *fake) StepNow(_ context.Context, by access.Principal, id job.ID, number int) (api.Step, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, err := f.findSession(by, id)
	if err != nil {
		return api.Step{}, err
	}
	if number < 1 || number > len(one.steps) {
		return api.Step{}, service.ErrNoSession
	}
	return one.steps[number-1], nil
}

func (f *fake) FollowSession(ctx context.Context, by access.Principal, id job.ID, after int64, take func(api.Event) error) error {
	f.mu.Lock()
	one, err := f.findSession(by, id)
	f.mu.Unlock()
	if err != nil {
		return err
	}
	return followLog(ctx, one.log, after, take)
}

func (f *fake) CancelStep(ctx context.Context, by access.Principal, id job.ID) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, err := f.findSession(by, id)
	if err != nil {
		return api.Session{}, err
	}
	if one.session.Status == api.SessionBusy {
		one.session.Status, one.steps[len(one.steps)-1].Status = api.SessionOpen, api.State(job.Cancelled)
	}
	return one.session, nil
}

func (f *fake) CloseSession(_ context.Context, by access.Principal, id job.ID) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, err := f.findSession(by, id)
	if err != nil {
		return api.Session{}, err
	}
	one.session.Status = api.SessionClosed
	one.log.End()
	return one.session, nil
}
