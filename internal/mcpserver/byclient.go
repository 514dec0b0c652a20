package mcpserver

import (
	"context"
	"errors"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/job"
)

// ByClient is a Backend: a service, asked by a client that has the rights of its caller.
type ByClient struct{ *client.Client }

// CreateRun implements Backend.
func (s ByClient) CreateRun(ctx context.Context, request api.CreateRun, key string) (api.Run, error) {
	return s.Client.CreateRun(ctx, request, client.CreateOptions{Key: key})
}

// OpenSession implements Backend.
func (s ByClient) OpenSession(ctx context.Context, request api.OpenSession) (api.Session, error) {
	session, err := s.Client.OpenSession(ctx, request)
	if err != nil || session.Status != api.SessionOpening {
		return session, err
	}
	opened, err := s.WaitSession(ctx, session.SessionID, false)
	if err == nil && opened.Status != api.SessionClosed {
		return opened, nil
	}
	if err == nil { // it came to nothing, and says why
		return opened, refusal(opened)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	_, closing := s.CloseSession(ending, session.SessionID)
	return api.Session{}, errors.Join(err, closing)
}

// refusal is why a session takes no steps.
func refusal(closed api.Session) error {
	if closed.Error != nil {
		return closed.Error
	}
	return &api.Problem{Title: "the session was closed before it took steps", RunID: closed.SessionID.String()}
}

// Step implements Backend.
func (s ByClient) Step(ctx context.Context, id job.ID, step api.CreateStep) (api.Step, error) {
	return s.RunStep(ctx, id, step)
}
