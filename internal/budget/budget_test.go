package budget_test

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/budget"
)

func TestAnOwnerHasAtMostHalfOfWhatOthersLeave(t *testing.T) {
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
	_, ok = b.Take("ben", 4)
	require.False(t, ok, "more than half of what is left")
	second, ok := b.Take("ben", 3)
	require.True(t, ok)
	third, ok := b.Take("carol", 1)
	require.True(t, ok, "two do not have all")
	require.EqualValues(t, 10, b.Taken())
	first.Free()
	first.Free()
	require.EqualValues(t, 4, b.Taken(), "it is given back once")
	require.True(t, second.Grow(5), "others have left more meanwhile")
	second.Free()
	third.Free()
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
	shared := budget.Shared(math.MaxInt64)
	_, ok := shared.Take("a", math.MaxInt64/2+1)
	require.True(t, ok)
	b := budget.New(math.MaxInt64)
	_, ok = b.Take("a", math.MaxInt64-1)
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
