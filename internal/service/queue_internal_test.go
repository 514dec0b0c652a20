package service

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func anybody(string) bool { return true }

func waiting(owner string, priority int, seq int64) *run {
	return &run{owner: owner, priority: priority, seq: seq}
}

func TestPrincipalsTakeTurns(t *testing.T) {
	q := newQueue()
	for seq := range int64(4) {
		q.add(waiting("many", 0, seq))
	}
	q.add(waiting("one", -100, 10))
	q.add(waiting("two", 0, 11))
	q.add(waiting("two", 5, 12))
	var order []string
	for q.load.runs > 0 {
		r := q.next(anybody)
		order = append(order, r.owner+strconv.FormatInt(r.seq, 10))
	}
	require.Equal(t, []string{"many0", "one10", "two12", "many1", "two11", "many2", "many3"}, order)
	require.Empty(t, q.lines)
	require.Empty(t, q.ring)
	require.Nil(t, q.next(anybody))
}

func TestWhoMayHaveNoMoreKeepsTheTurn(t *testing.T) {
	q := newQueue()
	q.add(waiting("a", 0, 1))
	q.add(waiting("b", 0, 2))
	q.add(waiting("b", 0, 3))
	notA := func(owner string) bool { return owner != "a" }
	require.EqualValues(t, 2, q.next(notA).seq)
	require.EqualValues(t, 1, q.next(anybody).seq)
	require.Nil(t, q.next(func(string) bool { return false }))
}

func TestWhatComesBackHasTheNextTurn(t *testing.T) {
	for _, more := range []bool{false, true} {
		q := newQueue()
		q.add(waiting("a", 0, 1))
		if more {
			q.add(waiting("a", 0, 2))
		}
		q.add(waiting("b", 0, 3))
		q.putBack(q.next(anybody))
		require.EqualValues(t, 1, q.next(anybody).seq)
		require.EqualValues(t, 3, q.next(anybody).seq)
	}
}

// The position of a run is how many are given before it.
func TestPositionIsHowManyGoBefore(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		q := newQueue()
		var all []*run
		for seq := range int64(1 + random.IntN(40)) {
			r := waiting(strconv.Itoa(random.IntN(5)), random.IntN(3), seq)
			all = append(all, r)
			q.add(r)
			if random.IntN(4) == 0 {
				q.next(anybody)
			}
			if random.IntN(6) == 0 {
				q.remove(all[random.IntN(len(all))])
			}
		}
		want := map[*run]int{}
		for _, r := range all {
			if position := q.position(r); position >= 0 {
				want[r] = position
			}
		}
		require.Len(t, want, q.load.runs)
		for before := range q.load.runs {
			r := q.next(anybody)
			require.Equal(t, want[r], before, "seed %d", seed)
			require.False(t, q.remove(r))
		}
	}
}

// What is done for each request and each follower stays cheap when everybody waits.
func TestAQueueOfHundredThousandIsFast(t *testing.T) {
	for _, principals := range []int{1, 10, 1000} {
		q := newQueue()
		var all []*run
		for seq := range int64(100_000) {
			r := waiting(strconv.Itoa(int(seq)%principals), int(seq)%3, seq)
			all = append(all, r)
		}
		q.fill(all)
		begun := time.Now()
		const times = 1000
		for i := range times {
			one := all[(i*37+11)%len(all)]
			q.position(one)
			if q.remove(one) {
				q.putBack(one)
			}
			q.add(waiting("new", 0, int64(1_000_000+i)))
			q.next(anybody)
		}
		each := time.Since(begun) / times
		t.Logf("%d principals: %v for a position, a removal, a putting back, an adding and a giving", principals, each)
		require.Less(t, each, 5*time.Millisecond)
	}
}

func BenchmarkQueueOfHundredThousand(b *testing.B) {
	q := newQueue()
	var all []*run
	for seq := range int64(100_000) {
		all = append(all, waiting(strconv.Itoa(int(seq)%1000), 0, seq))
	}
	q.fill(all)
	b.Run("position", func(b *testing.B) {
		for i := range b.N {
			q.position(all[i%len(all)])
		}
	})
	b.Run("give and add", func(b *testing.B) {
		for range b.N {
			r := q.next(anybody)
			q.add(r)
		}
	})
	b.Run("cancel and add", func(b *testing.B) {
		for i := range b.N {
			q.remove(all[i%len(all)])
			q.add(all[i%len(all)])
		}
	})
}

func TestRatesAreBoundedAndForgetTheQuietest(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	r := newRates("requests_per_minute", func() time.Time { return now })
	require.NoError(t, r.take("a", 2))
	require.NoError(t, r.take("a", 2))
	var quota *QuotaError
	require.ErrorAs(t, r.take("a", 2), &quota)
	require.Equal(t, "requests_per_minute", quota.Quota)
	require.Equal(t, 30*time.Second, quota.After.Round(time.Millisecond))
	require.NoError(t, r.take("b", 2), "each has a quota of their own")
	now = now.Add(quota.After)
	require.NoError(t, r.take("a", 2))
	require.Error(t, r.take("a", 2))
	for i := range 2 * maxRates {
		require.NoError(t, r.take(strconv.Itoa(i), 2))
	}
	require.Len(t, r.known, maxRates)
	require.Equal(t, maxRates, r.order.Len())
	require.NoError(t, newRates("requests_per_minute", nil).take("a", 0))
}
