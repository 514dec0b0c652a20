package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

func TestACallerMayGiveTheID(t *testing.T) {
	b := newBench(t, honest(t), nil)
	ask := b.ask(request())
	ask.ID = job.NewID(time.Now())
	response, err := b.runner.Run(t.Context(), ask)
	require.NoError(t, err)
	require.Equal(t, ask.ID, response.Result.RunID)
	_, err = b.runner.Run(t.Context(), ask)
	require.ErrorIs(t, err, ErrKnownID)

	s := newBench(t, serving(plain(t)), withPolicy(withSession))
	ask = s.ask(request())
	ask.ID = job.NewID(time.Now())
	session, err := s.runner.OpenSession(t.Context(), ask)
	require.NoError(t, err)
	_, err = s.runner.OpenSession(t.Context(), ask)
	require.ErrorIs(t, err, ErrKnownID, "while it is open")
	require.NotEqual(t, ask.ID, step(t, session, "one").RunID)
	closed, err := session.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, ask.ID, closed.Result.RunID)
	_, err = s.runner.OpenSession(t.Context(), ask)
	require.ErrorIs(t, err, ErrKnownID)
}

// note is how a draft of the run that goes on is marked: "asked", "begun" or "".
func (b *bench) note(id string) string {
	for _, name := range []string{"asked", "begun"} {
		if _, err := os.Lstat(filepath.Join(filepath.Dir(b.records.Path(job.NewID(time.Now()))), ".draft-"+id, name+".json")); err == nil {
			return name
		}
	}
	return ""
}

// A process that is killed after that leaves a mark: it is there before the guard gets a byte.
func TestTheMarkIsThereBeforeTheCode(t *testing.T) {
	var b *bench
	id := job.NewID(time.Now())
	seen := ""
	b = newBench(t, func(ctx context.Context, g guard) container.Exit {
		seen = b.note(id.String())
		return honest(t)(ctx, g)
	}, nil)
	b.events.Phase = func(phase Phase) {
		if phase == PhaseCreating {
			require.Equal(t, "asked", b.note(id.String()))
		}
	}
	ask := b.ask(request())
	ask.ID = id
	_, err := b.runner.Run(t.Context(), ask)
	require.NoError(t, err)
	require.Equal(t, "begun", seen)
	require.Empty(t, b.note(id.String()))
}

func TestASessionHasBegunWithItsFirstStep(t *testing.T) {
	var b *bench
	id := job.NewID(time.Now())
	var steps []string
	b = newBench(t, serving(func(ctx context.Context, g guard, code string) *container.Exit {
		drafts, err := filepath.Glob(filepath.Join(filepath.Dir(b.records.Path(id)), ".draft-*", "begun.json"))
		require.NoError(t, err)
		require.Len(t, drafts, 2, "the session's and the step's")
		steps = append(steps, code)
		return plain(t)(ctx, g, code)
	}), withPolicy(withSession))
	ask := b.ask(request())
	ask.ID = id
	session, err := b.runner.OpenSession(t.Context(), ask)
	require.NoError(t, err)
	<-session.Prepared()
	require.FileExists(t, filepath.Join(filepath.Dir(b.records.Path(id)), ".draft-"+id.String(), "asked.json"))
	step(t, session, "one")
	step(t, session, "two")
	require.Equal(t, []string{"one", "two"}, steps)
	_, err = session.Close(t.Context())
	require.NoError(t, err)
	requireNoDrafts(t, b)
}

// What could not be recorded is told, by the runner or by the next sweep, and what had not begun
// is not.
func TestARunThatHasBegunIsToldWhateverBecomesOfIt(t *testing.T) {
	broken := errors.New("no disk")
	for name, scene := range map[string]struct {
		spoil  bool // the chain, while the code runs
		faults []containertest.Fault
		told   bool
	}{
		"it cannot be recorded":                      {spoil: true, told: true},
		"its sandbox cannot be made":                 {faults: []containertest.Fault{{Call: containertest.CallCreate, Err: broken}}},
		"nothing says whether the code can still":    {faults: []containertest.Fault{{Call: containertest.CallRun, Err: broken}, {Call: containertest.CallDestroy, Err: broken}}, told: true},
		"its sandbox has not run, and is taken away": {faults: []containertest.Fault{{Call: containertest.CallRun, Err: broken}}},
	} {
		t.Run(name, func(t *testing.T) {
			var b *bench
			chain := func() string {
				return filepath.Join(filepath.Dir(filepath.Dir(b.records.Path(job.NewID(time.Now())))), "audit.jsonl")
			}
			var whole []byte
			b = newBench(t, func(ctx context.Context, g guard) container.Exit {
				if scene.faults != nil {
					return container.Exit{Code: 1} // before its code
				}
				if scene.spoil {
					var err error
					whole, err = os.ReadFile(chain())
					require.NoError(t, err)
					require.NoError(t, os.WriteFile(chain(), append(whole, "{}\n"...), 0o600))
				}
				return honest(t)(ctx, g)
			}, nil, scene.faults...)
			require.NoError(t, b.records.Append(t.Context(), records.Event{Kind: records.KindCheck}))
			ask := b.ask(request())
			ask.ID, ask.Caller.Actor = job.NewID(time.Now()), job.Actor{Principal: "token:berta"}
			_, err := b.runner.Run(t.Context(), ask)
			require.Error(t, err)
			if scene.spoil {
				require.NoError(t, os.WriteFile(chain(), whole, 0o600))
			}
			_, err = b.records.Sweep(t.Context(), job.Actor{})
			require.NoError(t, err)
			var told []records.Event
			for event, err := range b.records.Events(t.Context()) {
				require.NoError(t, err)
				if event.RunID == ask.ID {
					told = append(told, event)
				}
			}
			if !scene.told {
				require.Empty(t, told)
				return
			}
			require.Len(t, told, 1)
			require.Equal(t, records.KindInterrupted, told[0].Kind)
			require.Equal(t, ask.Caller.Actor, told[0].Actor)
			require.Equal(t, digest.Of(ask.Request.Code).Hex(), told[0].Subject(records.RoleScript))
			require.NotEmpty(t, told[0].Subject(records.RolePolicy))
			require.NotEmpty(t, told[0].Subject(records.RoleImage))
		})
	}
}
