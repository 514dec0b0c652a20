package pool_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/pool"
)

// keep has a kind kept, which must succeed.
func (f fixture) keep(kind string) {
	f.t.Helper()
	require.NoError(f.t, f.Warm(f.t.Context(), newSpec(), words(kind)))
}

func (f fixture) requireNotKept(kind, why string) {
	f.t.Helper()
	require.ErrorContains(f.t, f.Warm(f.t.Context(), newSpec(), words(kind)), why)
}

func TestWhatIsKeptEndsForNobody(t *testing.T) {
	inBubble(t, "because nobody asks for it", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{})
		f.keep("a")
		f.take("b")
		time.Sleep(24 * time.Hour)
		f.requireTemplates("a")
		require.Len(t, f.idle(), 4)
		require.Less(t, f.Stock()[0].Age, 2*time.Hour, "it is replaced as any other")
	})
	inBubble(t, "also where it was there before", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{})
		f.take("a")
		f.keep("a")
		time.Sleep(24 * time.Hour)
		f.requireTemplates("a")
	})
	inBubble(t, "to make room for others", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{Templates: 2})
		f.keep("a")
		for _, kind := range []string{"b", "c", "b", "c"} {
			time.Sleep(2 * time.Minute)
			f.take(kind)
			f.requireTemplates("a", kind)
		}
	})
	inBubble(t, "for their memory", func(t *testing.T) {
		f := start(t, &engine{memory: sizes(map[string]int64{"a": 40, "b": 50, "c": 60})}, pool.Options{MemoryBytes: 100})
		f.keep("a")
		for _, kind := range []string{"b", "c", "b", "c"} {
			time.Sleep(2 * time.Minute)
			f.warm(kind)
			f.requireTemplates("a", kind)
		}
	})
}

func TestWhereAllAreKeptOthersAreCold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{Templates: 2})
		f.take("c")
		f.keep("a")
		f.keep("b")
		const why = "2 kinds are kept ready, and no more can be"
		f.requireNotKept("c", why)
		require.ErrorContains(t, f.Await(t.Context(), newSpec(), words("c")), why)
		f.keep("a")
		for range 3 {
			require.Nil(t, f.take("c").from)
			require.NotNil(t, f.take("a").from)
			time.Sleep(time.Minute)
		}
		f.requireTemplates("a", "b")
		require.Len(t, f.Stock(), 2)
	})
}

func TestWhatHasNoRoomBesideWhatIsKept(t *testing.T) {
	start := func(t *testing.T) fixture {
		t.Helper()
		f := start(t, &engine{memory: sizes(map[string]int64{"a": 60, "b": 50})}, pool.Options{MemoryBytes: 100, Age: time.Hour})
		f.warm("b")
		f.keep("a")
		f.requireTemplates("a")
		return f
	}
	inBubble(t, "is not kept", func(t *testing.T) {
		f := start(t)
		f.requireNotKept("b", "50 bytes, and they may hold 100, of which those that are kept have 60")
		time.Sleep(time.Hour)
		f.requireTemplates("a")
		require.Len(t, f.Stock(), 1)
	})
	inBubble(t, "is cold, and not made again and again", func(t *testing.T) {
		f := start(t)
		for range 50 {
			require.Nil(t, f.take("b").from)
			time.Sleep(time.Minute)
		}
		f.requireTemplates("a")
		require.Len(t, all(f.engine, &f.templates), 3)
	})
}

func TestWhatCouldNotBeWarmedIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		f := start(t, &engine{prepare: func(_ context.Context, made *template) error {
			if made.words == "a" {
				return broken
			}
			return nil
		}}, pool.Options{Templates: 1})
		require.ErrorIs(t, f.Warm(t.Context(), newSpec(), words("a")), broken)
		f.keep("b")
		f.requireTemplates("b")
		f.Pool.Close()
		require.ErrorIs(t, f.Warm(t.Context(), newSpec(), words("b")), container.ErrClosed)
	})
}

// What others took meanwhile could not be had back: they may be kept, too.
func TestWhatIsKeptHasRoomForOneWhileAllOfItsOwnAreUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &engine{slow: true, create: func(_ context.Context, made *sandbox) error {
			if made.from.words == "a" {
				time.Sleep(time.Minute)
			}
			return nil
		}}
		e.memory = func(one *template) (int64, error) {
			each := map[string]int64{"a": 20, "b": 30}[one.words]
			return each * int64(len(idleOf(e, one.words))), nil
		}
		f := start(t, e, pool.Options{MemoryBytes: 100, Idle: 3})
		f.keep("a")
		time.Sleep(3 * time.Minute)
		f.keep("b")
		require.Len(t, idleOf(e, "a"), 3)
		require.Len(t, idleOf(e, "b"), 1)
		for range 3 {
			require.NotNil(t, f.take("a").from)
		}
		time.Sleep(30 * time.Second)
		require.Empty(t, idleOf(e, "a"))
		require.Len(t, idleOf(e, "b"), 2, "a third would take what the first of the other needs")
		time.Sleep(10 * time.Minute)
		require.Len(t, idleOf(e, "a"), 2)
		require.Len(t, idleOf(e, "b"), 2)
	})
}
