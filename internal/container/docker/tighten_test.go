package docker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// asked is a keeper that counts what it is asked to lower.
type asked struct {
	lowered []job.Limits
	err     error
}

func (a *asked) memory() (int64, error) { return 0, nil }

func (a *asked) tighten(_ context.Context, _ string, limits job.Limits) error {
	a.lowered = append(a.lowered, limits)
	return a.err
}

func (a *asked) limitCPU(time.Duration) error { return nil }

func waiting(keeper keeper) *standby {
	made := newStandby(&sandbox{id: container.NewID(), spec: unitSpec()}, &template{idle: map[*standby]bool{}})
	made.keeper = keeper
	return made
}

// Each request names all its limits. For one whose limits are the policy's own the daemon is
// not asked, nor a keeper that cannot lower any.
func TestLimitsThatASandboxHasAreNotAskedForAgain(t *testing.T) {
	keeper := &asked{err: container.ErrCannotTighten}
	made := waiting(keeper)
	before := made.spec.Enforced()
	require.NoError(t, made.Tighten(container.TightenedTo(before)))
	require.NoError(t, made.Tighten(container.Tightened{}))
	require.Empty(t, keeper.lowered)
	require.Equal(t, before, made.spec.Enforced())

	less := before
	less.PIDs--
	require.ErrorIs(t, made.Tighten(container.TightenedTo(less)), container.ErrCannotTighten)
	require.Equal(t, before, made.spec.Enforced(), "it is as it was")
	keeper.err = nil
	require.NoError(t, made.Tighten(container.TightenedTo(less)))
	require.Equal(t, []job.Limits{less, less}, keeper.lowered)
	require.Equal(t, less, made.spec.Enforced())
	require.ErrorContains(t, made.Tighten(container.TightenedTo(before)), "does not tighten")
}
