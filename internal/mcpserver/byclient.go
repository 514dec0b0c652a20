package mcpserver

import (
	"context"
	"errors"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/job"
)

// ByClient is a Backend: a service, asked by a client that has the rights of its caller.
type ByClient struct {
	*client.Client
	// Once has runs without a key of their caller's created without one: a service in this process
	// loses no answer, and would keep the key for days.
	Once bool
}

// Wait implements Backend. It takes nothing of the result: many may wait.
func (s ByClient) Wait(ctx context.Context, id job.ID) error { return s.WaitEnd(ctx, id) }

// CreateRun implements Backend.
func (s ByClient) CreateRun(ctx context.Context, request api.CreateRun, key string) (api.Run, error) {
	return s.Client.CreateRun(ctx, request, client.CreateOptions{Key: key, Once: s.Once})
}

// OpenSession implements Backend. Where ctx ends sooner, the session goes on loading.
func (s ByClient) OpenSession(ctx context.Context, request api.OpenSession) (api.Session, error) {
	session, err := s.Client.OpenSession(ctx, request)
	if err != nil || session.Status != api.SessionOpening {
		return session, err
	}
	opened, err := s.WaitSession(ctx, session.SessionID, client.TakesSteps)
	switch {
	case err == nil && opened.Status == api.SessionClosed: // it came to nothing, and says why
		return opened, refusal(opened)
	case err == nil:
		return opened, nil
	case ctx.Err() != nil:
		return session, nil
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	_, closing := s.CloseSession(ending, session.SessionID)
	return api.Session{}, errors.Join(err, closing)
}

// refusal is why a session takes no steps.
func refusal(closed api.Session) error {
	why := &api.Problem{Title: "the session was closed before it took steps", RunID: closed.SessionID.String()}
	switch {
	case closed.Error != nil:
		return closed.Error
	case closed.Result != nil && closed.Result.Error != nil:
		why.Detail = closed.Result.Error.Message
	}
	return why
}

// errOpening is of a step that was not given: its time would have been over before it began.
var errOpening = errors.New("the session is not ready for steps yet")

// Step implements Backend.
func (s ByClient) Step(ctx context.Context, id job.ID, step api.CreateStep) (api.Step, error) {
	if _, err := s.WaitSession(ctx, id, client.TakesSteps); err != nil {
		if ctx.Err() != nil {
			return api.Step{}, errOpening
		}
		return api.Step{}, err
	}
	return s.RunStep(ctx, id, step)
}
