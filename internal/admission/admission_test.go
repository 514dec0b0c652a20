package admission_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/admission"
)

func newGate(t *testing.T, options admission.Options) *admission.Gate {
	t.Helper()
	gate, err := admission.New(options)
	require.NoError(t, err)
	return gate
}

func one() admission.Options { return admission.Options{Places: 1, Queue: 8, Queues: 32} }

// hold enters, and stays inside until the returned function is called.
func hold(t *testing.T, gate *admission.Gate) (release func()) {
	t.Helper()
	end, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_ = gate.Do(context.Background(), "holder", func(context.Context) error { <-end; return nil })
	}()
	synctest.Wait()
	return sync.OnceFunc(func() { close(end); <-done })
}

func TestNeverMoreThanThePlacesAreInside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, admission.Options{Places: 3, Queue: 100, Queues: 400})
		var inside, most, done atomic.Int64
		var all sync.WaitGroup
		for number := range 200 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(number)*7*time.Millisecond)
			defer cancel()
			all.Go(func() {
				_ = gate.Do(ctx, fmt.Sprint("caller ", number%5), func(context.Context) error {
					now := inside.Add(1)
					for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
					}
					time.Sleep(time.Duration(1+number%11) * time.Millisecond)
					inside.Add(-1)
					done.Add(1)
					return nil
				})
			})
		}
		all.Wait()
		require.EqualValues(t, 3, most.Load())
		require.Positive(t, done.Load())
		// Whoever gave up has left nothing behind: all places are there.
		releases := []func(){hold(t, gate), hold(t, gate), hold(t, gate)}
		for _, release := range releases {
			release()
		}
	})
}

func TestButOneLeavesAPlaceWhereThereAreSeveral(t *testing.T) {
	for places, want := range map[int]int{1: 1, 2: 1, 3: 2, 8: 7} {
		whole := admission.For(places)
		less := whole.ButOne()
		require.Equal(t, want, less.Places)
		less.Places = places
		require.Equal(t, whole, less)
	}
}

func TestCallersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, one())
		release := hold(t, gate)
		var order []string
		var all sync.WaitGroup
		for _, name := range []string{"a1", "a2", "a3", "a4", "b1", "b2", "c1"} {
			all.Go(func() {
				_ = gate.Do(t.Context(), name[:1], func(context.Context) error { order = append(order, name); return nil })
			})
			synctest.Wait() // it stands in the queue
		}
		release()
		all.Wait()
		require.Equal(t, []string{"a1", "b1", "c1", "a2", "b2", "a3", "a4"}, order)
	})
}

// TestACallerLeavesSomethingToOthers: who is inside for long has never all places, be it by two names,
// and who waits for a share of their own holds up nobody else.
func TestACallerLeavesSomethingToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, admission.Options{Places: 4, Queue: 8, Queues: 32, Shared: true})
		ends := map[string][]chan struct{}{}
		inside := map[string]int{}
		var mu sync.Mutex
		var all sync.WaitGroup
		ask := func(caller string, times int) {
			for range times {
				end := make(chan struct{})
				all.Go(func() {
					_ = gate.Do(t.Context(), caller, func(context.Context) error {
						mu.Lock()
						inside[caller]++
						ends[caller] = append(ends[caller], end)
						mu.Unlock()
						<-end
						mu.Lock()
						defer mu.Unlock()
						inside[caller]--
						return nil
					})
				})
				synctest.Wait()
			}
		}
		leave := func(caller string) {
			mu.Lock()
			end := ends[caller][0]
			ends[caller] = ends[caller][1:]
			mu.Unlock()
			close(end)
			synctest.Wait()
		}
		ask("a", 4)
		require.Equal(t, map[string]int{"a": 2}, inside)
		ask("b", 3)
		require.Equal(t, map[string]int{"a": 2, "b": 1}, inside)
		ask("c", 1)
		require.Equal(t, map[string]int{"a": 2, "b": 1, "c": 1}, inside, "two have not all")
		ask("d", 1)
		leave("c")
		require.Equal(t, map[string]int{"a": 2, "b": 1, "c": 0, "d": 1}, inside, "whose turn it is, of those who may have more")
		leave("a")
		require.Equal(t, map[string]int{"a": 1, "b": 1, "c": 0, "d": 1}, inside, "the last place is for who has none")
		ask("f", 1)
		require.Equal(t, 1, inside["f"])
		leave("f")
		for range 5 {
			for _, caller := range []string{"a", "b", "d"} {
				if inside[caller] > 0 {
					leave(caller)
				}
			}
		}
		all.Wait()
		count, waiting := gate.Load()
		require.Zero(t, count+waiting)
		ask("e", 2) // what was given back is there
		require.Equal(t, 2, inside["e"])
		leave("e")
		leave("e")
		all.Wait()
	})
}

func TestAQueueThatIsFullRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, admission.Options{Places: 1, Queue: 2, Queues: 3})
		defer hold(t, gate)()
		ctx, cancel := context.WithCancel(t.Context())
		ask := func(caller string) <-chan error {
			answer := make(chan error, 1)
			go func() { answer <- gate.Do(ctx, caller, func(context.Context) error { return nil }) }()
			synctest.Wait()
			return answer
		}
		ask("a")
		ask("a")
		require.ErrorIs(t, <-ask("a"), admission.ErrFull, "of one caller")
		ask("b")
		err := <-ask("c")
		require.ErrorIs(t, err, admission.ErrFull, "of all callers")
		require.ErrorContains(t, err, "running now: 1, waiting: 3")
		cancel()
		synctest.Wait()
	})
}

func TestWhoGivesUpFreesThePlaceInTheQueueAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, admission.Options{Places: 1, Queue: 1, Queues: 1})
		release := hold(t, gate)
		because := errors.New("the caller has gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := make(chan error, 1)
		go func() {
			gone <- gate.Do(ctx, "a", func(context.Context) error { t.Error("it was let in"); return nil })
		}()
		synctest.Wait()
		cancel(because)
		require.ErrorIs(t, <-gone, because)
		next := make(chan error, 1)
		go func() { next <- gate.Do(t.Context(), "a", func(context.Context) error { return nil }) }()
		synctest.Wait()
		release()
		require.NoError(t, <-next)
	})
}

// Whoever is let in and gives up at the same moment must not take the place along. The
// holder gives both at once: the end of the waiting, and its place.
func TestGivingUpWhileBeingLetInLosesNoPlace(t *testing.T) {
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			gate := newGate(t, one())
			ctx, cancel := context.WithCancel(t.Context())
			end := make(chan struct{})
			go func() {
				_ = gate.Do(t.Context(), "holder", func(context.Context) error { <-end; cancel(); return nil })
			}()
			synctest.Wait()
			done := make(chan struct{})
			go func() {
				defer close(done)
				_ = gate.Do(ctx, "a", func(context.Context) error { return nil })
			}()
			synctest.Wait()
			close(end)
			<-done
			require.NoError(t, gate.Do(t.Context(), "b", func(context.Context) error { return nil }))
		})
	}
}

func TestAPanicInsideGivesThePlaceBack(t *testing.T) {
	gate := newGate(t, one())
	require.Panics(t, func() {
		_ = gate.Do(t.Context(), "a", func(context.Context) error { panic("broken") })
	})
	require.NoError(t, gate.Do(t.Context(), "a", func(context.Context) error { return nil }))
}

func TestLoadTellsWhoIsInsideAndWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, one())
		load := func() [2]int {
			inside, waiting := gate.Load()
			return [2]int{inside, waiting}
		}
		require.Equal(t, [2]int{0, 0}, load())
		release := hold(t, gate)
		done := make(chan error, 1)
		go func() { done <- gate.Do(t.Context(), "a", func(context.Context) error { return nil }) }()
		synctest.Wait()
		require.Equal(t, [2]int{1, 1}, load())
		release()
		require.NoError(t, <-done)
		require.Equal(t, [2]int{0, 0}, load())
	})
}

func TestDrainingRefusesWhoComesAndWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, one())
		release := hold(t, gate)
		waits := make(chan error, 1)
		go func() { waits <- gate.Do(t.Context(), "a", func(context.Context) error { return nil }) }()
		synctest.Wait()
		empty := gate.Drain()
		require.ErrorIs(t, <-waits, admission.ErrDraining)
		require.ErrorIs(t, gate.Do(t.Context(), "a", func(context.Context) error { return nil }), admission.ErrDraining)
		select {
		case <-empty:
			t.Fatal("somebody is inside")
		default:
		}
		release()
		<-empty
		<-gate.Drain()
	})
}

func TestWorkGetsItsErrorBack(t *testing.T) {
	gate := newGate(t, one())
	broken := errors.New("broken")
	require.ErrorIs(t, gate.Do(t.Context(), "a", func(context.Context) error { return broken }), broken)
}

func TestAGateLetsSomebodyIn(t *testing.T) {
	for _, options := range []admission.Options{{}, {Places: 1}, {Places: 1, Queue: 2, Queues: 1}, {Places: -1, Queue: 1, Queues: 1}} {
		_, err := admission.New(options)
		require.Error(t, err, options)
	}
}

func TestDefaultGoesByCoresAndMemory(t *testing.T) {
	for _, test := range []struct {
		cores  int
		memory int64
		places int
	}{{1, 256 << 20, 1}, {2, 24 << 30, 4}, {16, 4 << 30, 4}, {64, 1 << 40, 128}} {
		options := admission.Default(test.cores, test.memory)
		require.Equal(t, test.places, options.Places)
		_, err := admission.New(options)
		require.NoError(t, err)
	}
}
