package engineapi

import (
	"context"
	"errors"

	"hotcell/internal/admission"
)

// turns are where requests of a front wait. Its principals take turns among themselves: the
// front has as many names as it likes, and is one caller, who waits little, where all others
// wait.
type turns struct {
	server   *Server
	runs     *admission.Gate
	sessions *admission.Gate
}

// theFront is that caller. No user is called so.
const theFront = "the front"

func newTurns(s *Server) (turns, error) {
	runs, err := admission.New(s.options.Gate.Options())
	sessions, alike := admission.New(s.options.Sessions.Options())
	return turns{s, runs, sessions}, errors.Join(err, alike)
}

func (t turns) run(ctx context.Context, caller string, work func(context.Context) error) error {
	return t.runs.Do(ctx, caller, func(ctx context.Context) error {
		return t.server.options.Gate.Do(ctx, theFront, work)
	})
}

func (t turns) session(ctx context.Context, caller string, work func(context.Context) error) error {
	return t.sessions.Do(ctx, caller, func(ctx context.Context) error {
		return t.server.sessionTurn(ctx, theFront, work)
	})
}

func (t turns) drain() {
	t.runs.Drain()
	t.sessions.Drain()
}

// waiting is how many wait here.
func (t turns) waiting() int {
	_, runs := t.runs.Load()
	_, sessions := t.sessions.Load()
	return runs + sessions
}
