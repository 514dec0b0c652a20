package budget_test

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/budget"
)

func TestAnOwnerHasAtMostHalfOfWhatIsShared(t *testing.T) {
	b := budget.Shared(11)
	require.EqualValues(t, 6, b.Each())
	first, ok := b.Take("anna", 4)
	require.True(t, ok)
	require.False(t, first.Grow(7), "more than half")
	require.EqualValues(t, 4, first.Has(), "what is refused changes nothing")
	require.True(t, first.Grow(6))
	require.True(t, first.Grow(1), "a share does not shrink")
	_, ok = b.Take("anna", 1)
	require.False(t, ok)
	_, ok = b.Take("ben", 6)
	require.False(t, ok, "more than there is")
	second, ok := b.Take("ben", 5)
	require.True(t, ok)
	require.EqualValues(t, 11, b.Taken())
	first.Free()
	first.Free()
	require.EqualValues(t, 5, b.Taken(), "it is given back once")
	second.Free()
	require.Zero(t, b.Taken())
}

func TestOneOwnerMayHaveAllOfWhatIsNotShared(t *testing.T) {
	b := budget.New(10)
	share, ok := b.Take("", 10)
	require.True(t, ok)
	_, ok = b.Take("", 1)
	require.False(t, ok)
	share.Free()
	require.True(t, share.Grow(10), "a share that was freed can be used again")
}

func TestNoAmountOverflows(t *testing.T) {
	b := budget.New(math.MaxInt64)
	_, ok := b.Take("a", math.MaxInt64-1)
	require.True(t, ok)
	_, ok = b.Take("b", math.MaxInt64)
	require.False(t, ok)
}

func TestManyTakeAtATime(t *testing.T) {
	b := budget.Shared(1000)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 200 {
				if share, ok := b.Take("a", 30); ok {
					share.Grow(60)
					share.Free()
				}
				if b.Taken() > 500 {
					t.Error("one owner has more than half")
				}
			}
		})
	}
	all.Wait()
	require.Zero(t, b.Taken())
}
