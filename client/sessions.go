package client

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"time"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// OpenSession asks for a session, and does not wait until it takes steps: see WaitSession. It is
// asked once: where the answer is lost, the session ends by itself when nothing comes.
func (c *Client) OpenSession(ctx context.Context, request api.OpenSession) (session api.Session, err error) {
	err = c.ask(ctx, call{method: http.MethodPost, path: []string{"v1", "sessions"}, body: request, most: c.most, linger: lastWords}, &session)
	if err != nil {
		return api.Session{}, err
	}
	return session, c.believe(checkSession(session, session.SessionID))
}

func checkSession(session api.Session, id job.ID) error {
	switch {
	case session.SessionID == job.ID{} || session.SessionID != id:
		return errors.New("it is about another session")
	case session.Status == "":
		return errors.New("it does not say how the session is")
	case session.Result == nil:
		return nil
	}
	return checkResult(session.Result, api.State(session.Result.Status), id)
}

// Session is how a session is.
func (c *Client) Session(ctx context.Context, id job.ID) (session api.Session, err error) {
	asked := c.get("sessions", id.String())
	asked.most, asked.repeat = c.most, true
	if err := c.ask(ctx, asked, &session); err != nil {
		return api.Session{}, err
	}
	if err := checkSession(session, id); err != nil {
		return api.Session{}, c.believe(err)
	}
	return session, nil
}

// Sessions lists those that the caller may see, the newest first, without their results. With a
// state it is those alone. It asks for each page when it is wanted. The error is the last of what it
// gives.
func (c *Client) Sessions(ctx context.Context, only api.SessionState) iter.Seq2[api.Session, error] {
	return pages(c, func(cursor string) ([]api.Session, string, error) {
		asked := c.get("sessions")
		asked.query = url.Values{}
		for name, value := range map[string]string{"status": string(only), "cursor": cursor} {
			if value != "" {
				asked.query.Set(name, value)
			}
		}
		var page api.Sessions
		if err := c.ask(ctx, asked, &page); err != nil {
			return nil, "", err
		}
		for _, one := range page.Sessions {
			if err := checkSession(one, one.SessionID); err != nil {
				return nil, "", c.believe(err)
			}
		}
		return page.Sessions, page.NextCursor, nil
	})
}

// WaitSession is Session once that is enough, such as TakesSteps, or closed. Where enough is nil
// only the end is.
func (c *Client) WaitSession(ctx context.Context, id job.ID, enough func(api.Session) bool) (api.Session, error) {
	retry := c.retry()
	for {
		session, err := c.Session(ctx, id)
		if err != nil || session.Status == api.SessionClosed || enough != nil && enough(session) {
			return session, err
		}
		if !retry.quietly(ctx) {
			return api.Session{}, context.Cause(ctx)
		}
	}
}

// TakesSteps reports whether a session is ready: a step that is given sooner waits for that.
func TakesSteps(session api.Session) bool {
	return session.Status == api.SessionOpen || session.Status == api.SessionBusy
}

// quietly waits a little longer each time, for what is asked for again and again.
func (r *retry) quietly(ctx context.Context) bool {
	clock := time.NewTimer(min(r.backoff(), 2*time.Second))
	defer clock.Stop()
	select {
	case <-clock.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Step begins one, and does not wait for its end: FollowSession tells of that. It is asked once,
// as code has begun when its answer is lost.
func (c *Client) Step(ctx context.Context, id job.ID, request api.CreateStep) (step api.Step, err error) {
	err = c.ask(ctx, call{method: http.MethodPost, path: []string{"v1", "sessions", id.String(), "steps"}, body: request, most: c.most, linger: lastWords}, &step)
	if err == nil && (step.Number < 1 || step.Status == "") {
		err = c.malformed("it does not say which step it is, or how far")
	}
	return step, err
}

// CancelStep ends the step that goes on, if one does, and leaves the session as it is.
func (c *Client) CancelStep(ctx context.Context, id job.ID) error {
	return c.ask(ctx, call{method: http.MethodPost, path: []string{"v1", "sessions", id.String(), "cancel"}, header: anything(), most: c.most}, nil)
}

// CloseSession ends a session in order, and waits for its own result.
func (c *Client) CloseSession(ctx context.Context, id job.ID) (api.Session, error) {
	err := c.ask(ctx, call{method: http.MethodDelete, path: []string{"v1", "sessions", id.String()}, header: anything(), most: c.most, repeat: true}, nil)
	if err != nil {
		return api.Session{}, err
	}
	return c.WaitSession(ctx, id, nil)
}

// FollowSession is Follow for a session: its EventResult is the session, once it is closed.
func (c *Client) FollowSession(ctx context.Context, id job.ID, after int64, take func(api.Event) error) error {
	f := &follower{client: c, path: []string{"v1", "sessions", id.String(), "events"}, last: after, take: take}
	f.check = func(result []byte) error {
		var session api.Session
		if err := strictjson.DecodeKnown(result, len(result), &session); err != nil {
			return err
		}
		if session.Status != api.SessionClosed {
			return errNoEnd
		}
		return checkSession(session, id)
	}
	return f.follow(ctx)
}
