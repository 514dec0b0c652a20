package budget_test

import (
	"math"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/budget"
)

func TestAnOwnerHasAtMostHalfOfWhatOthersLeave(t *testing.T) {
	b := budget.Shared(13) // of which one is for those who have little
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

// TestAFewDoNotHaveAll: as many as there are doublings take as much as each can.
func TestAFewDoNotHaveAll(t *testing.T) {
	const most = 256
	b := budget.Shared(most)
	for owner := range 12 {
		for {
			if _, ok := b.Take(strconv.Itoa(owner), 1); !ok {
				break
			}
		}
	}
	require.Less(t, b.Taken(), int64(most))
	for range most / 64 {
		_, ok := b.Take("anna", 1)
		require.True(t, ok, "who has little has a place")
	}
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
	_, ok := shared.Take("a", math.MaxInt64/16*7)
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
