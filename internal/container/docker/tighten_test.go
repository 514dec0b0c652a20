package docker

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// asked is a keeper that counts what it is asked to lower.
type asked struct {
	room    error
	hangs   bool
	lowered []job.Limits
}

func (a *asked) memory() (int64, error) { return 7, nil }

func (a *asked) hasRoom(job.Limits) error { return a.room }

func (a *asked) tighten(ctx context.Context, _ string, limits job.Limits) error {
	if a.hangs {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	a.lowered = append(a.lowered, limits)
	return nil
}

func (a *asked) limitCPU(time.Duration) error { return nil }

func waiting(keeper keeper) *standby {
	from := &template{idle: map[*standby]bool{}}
	made := newStandby(&sandbox{id: container.NewID(), spec: unitSpec()}, from, container.Host{})
	made.keeper, from.idle[made] = keeper, true
	return made
}

// Each request names all its limits. For one whose limits are the policy's own the daemon is
// not asked, nor a keeper that cannot lower any.
func TestLimitsThatASandboxHasAreNotAskedForAgain(t *testing.T) {
	keeper := &asked{room: container.ErrCannotTighten}
	made := waiting(keeper)
	before := made.spec.Enforced()
	require.NoError(t, made.Tighten(t.Context(), container.TightenedTo(before)))
	require.NoError(t, made.Tighten(t.Context(), container.Tightened{}))
	require.Empty(t, keeper.lowered)
	require.Equal(t, before, made.spec.Enforced())

	less := before
	less.PIDs--
	require.ErrorIs(t, made.Tighten(t.Context(), container.TightenedTo(less)), container.ErrCannotTighten)
	require.Equal(t, before, made.spec.Enforced(), "it is as it was")
	keeper.room = nil
	require.NoError(t, made.Tighten(t.Context(), container.TightenedTo(less)))
	require.Equal(t, []job.Limits{less}, keeper.lowered)
	require.Equal(t, less, made.spec.Enforced())
	require.ErrorContains(t, made.Tighten(t.Context(), container.TightenedTo(before)), "does not tighten")
}

// What a daemon that hangs is asked for one request must keep neither the weighing of all
// from going on, nor the request from ending.
func TestTighteningEndsWithItsRequestAndHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := waiting(&asked{hangs: true})
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := errors.New("nobody waits any more")
		answered := make(chan error, 1)
		go func() { answered <- made.Tighten(ctx, container.Tightened{PIDs: 1}) }()
		synctest.Wait()
		held, err := made.template.Memory()
		require.NoError(t, err)
		require.Zero(t, held, "it is the request's")
		cancel(gone)
		require.ErrorIs(t, <-answered, gone)
	})
}

func TestWhatIsCountedWhileItWaits(t *testing.T) {
	weigh := func(made *standby) int64 {
		held, err := made.template.Memory()
		require.NoError(t, err)
		return held
	}
	made := waiting(&asked{room: container.ErrCannotTighten})
	require.ErrorIs(t, made.Tighten(t.Context(), container.Tightened{PIDs: 1}), container.ErrCannotTighten)
	require.EqualValues(t, 7, weigh(made), "it waits on")
	require.NoError(t, made.Tighten(t.Context(), container.Tightened{}))
	require.Zero(t, weigh(made), "it is a request's, whatever its limits are")
}
