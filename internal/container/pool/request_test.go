package pool_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/pool"
	"hotcell/internal/digest"
)

func TestOptionsThatMakeNoSense(t *testing.T) {
	for name, options := range map[string]pool.Options{
		"no engine":                       {Files: lookers{&engine{}}},
		"nobody who looks":                {Engine: &engine{}},
		"less than no idle":               {Engine: &engine{}, Files: lookers{&engine{}}, Idle: -1},
		"less than no makers":             {Engine: &engine{}, Files: lookers{&engine{}}, Makers: -1},
		"less than no templates":          {Engine: &engine{}, Files: lookers{&engine{}}, Templates: -1},
		"less than no memory":             {Engine: &engine{}, Files: lookers{&engine{}}, MemoryBytes: -1},
		"less than no age":                {Engine: &engine{}, Files: lookers{&engine{}}, Age: -1},
		"worn before its idle are made":   {Engine: &engine{}, Files: lookers{&engine{}}, Idle: 5, Forks: 4},
		"worn when its idle are all made": {Engine: &engine{}, Files: lookers{&engine{}}, Forks: 4},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := pool.New(options)
			require.ErrorContains(t, err, "make pool")
		})
	}
}

func TestWithoutWordsNothingIsPrepared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{})
		require.Nil(t, f.take("").from)
		require.ErrorContains(t, f.Await(t.Context(), newSpec(), words("")), "isolation.warm")
		f.requireTemplates()
		require.Empty(t, f.Stock())
	})
}

func TestARequestWithoutARuntimeIsOneForThePoolsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{Runtime: "crun"})
		f.warm("a")
		for runtime, warm := range map[string]bool{"crun": true, "": true, "runc": false} {
			spec := newSpec()
			spec.Runtime = runtime
			acquired, err := f.Acquire(t.Context(), spec, words("a"))
			require.NoError(t, err)
			f.own(acquired)
			require.Equal(t, warm, acquired.Warm, runtime)
		}
		require.Equal(t, "crun", f.template(0).spec.Runtime)
	})
}

func TestEachRequestIsRefusedForItself(t *testing.T) {
	inBubble(t, "where its host lacks a control that it does not call optional", func(t *testing.T) {
		f := start(t, &engine{inactive: []string{container.ControlSeccomp}}, pool.Options{})
		lenient := newSpec()
		lenient.Optional = []string{container.ControlSeccomp}
		require.NoError(t, f.Await(t.Context(), lenient, words("a")))

		acquired, err := f.Acquire(t.Context(), newSpec(), words("a"))
		require.ErrorContains(t, err, container.ControlSeccomp)
		require.Nil(t, acquired.Sandbox)
		require.Equal(t, "counting", acquired.Host.Engine, "what was found out before")

		acquired, err = f.Acquire(t.Context(), lenient, words("a"))
		require.NoError(t, err)
		require.NotNil(t, f.own(acquired).from)
	})
	inBubble(t, "where its host cannot be asked", func(t *testing.T) {
		broken := errors.New("broken")
		begun := time.Now()
		f := start(t, &engine{probe: func() error {
			if time.Since(begun) > time.Second {
				return broken
			}
			return nil
		}}, pool.Options{})
		f.warm("a")
		time.Sleep(time.Minute)
		acquired, err := f.Acquire(t.Context(), newSpec(), words("a"))
		require.ErrorIs(t, err, broken)
		require.Zero(t, acquired)
		require.Len(t, f.idle(), 4)
	})
	inBubble(t, "where it is none, and no template is begun for it", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{})
		spec := newSpec()
		spec.Image = digest.Digest("none")
		_, err := f.Acquire(t.Context(), spec, words("a"))
		require.ErrorContains(t, err, "image")
		require.Empty(t, f.Stock())
	})
}

func TestARequestWhoseContextHasEnded(t *testing.T) {
	why := errors.New("the caller has gone")
	inBubble(t, "takes nothing and begins nothing", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{})
		f.warm("a")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		for _, kind := range []string{"a", "b", ""} {
			_, err := f.Acquire(ctx, newSpec(), words(kind))
			require.ErrorIs(t, err, why)
		}
		require.Len(t, f.idle(), 4)
		require.Len(t, f.Stock(), 1)
		require.Empty(t, all(f.engine, &f.cold))
	})
	inBubble(t, "while a sandbox is made for it is no failure of the template", func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{Idle: 1})
		f.warm("a")
		f.take("a")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second/2, func() { cancel(why) })
		_, err := f.Acquire(ctx, newSpec(), words("a"))
		require.ErrorIs(t, err, why)
		require.NotNil(t, f.take("a").from)
		synctest.Wait()
		require.Empty(t, f.log.String())
	})
}

// A caller that is late must not have the others do without.
func TestWhatFailsForOneCaller(t *testing.T) {
	type late struct{}
	fails := func(after time.Duration) *engine {
		return &engine{takes: time.Second, create: func(ctx context.Context, _ *sandbox) error {
			if ctx.Value(late{}) == nil {
				return nil
			}
			time.Sleep(after)
			return errors.New("too late")
		}}
	}
	fail := func(f fixture) {
		f.warm("a")
		f.take("a")
		acquired, err := f.Acquire(context.WithValue(f.t.Context(), late{}, true), newSpec(), words("a"))
		require.NoError(f.t, err)
		require.False(f.t, acquired.Warm)
		f.own(acquired)
	}
	inBubble(t, "is over once others have been made", func(t *testing.T) {
		f := start(t, fails(time.Second), pool.Options{Idle: 1})
		fail(f)
		time.Sleep(time.Second) // the shelf is left alone for a moment
		require.Contains(t, f.log.String(), "too late")
		require.Empty(t, f.Stock()[0].Failure)
	})
	inBubble(t, "is none of the template that has come since", func(t *testing.T) {
		f := start(t, fails(2*time.Hour), pool.Options{Idle: 1, Age: time.Hour, Unused: 24 * time.Hour})
		fail(f)
		synctest.Wait()
		require.Empty(t, f.log.String())
	})
}

func TestWarmWaitsUntilASandboxIsReady(t *testing.T) {
	inBubble(t, "and no longer", func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{})
		begun := time.Now()
		require.NoError(t, f.Await(t.Context(), newSpec(), words("a")))
		require.Equal(t, 2*time.Second, time.Since(begun), "a template, and one sandbox")
		require.NotNil(t, f.take("a").from)
	})
	inBubble(t, "or it is known that none will be", func(t *testing.T) {
		broken := errors.New("broken")
		f := start(t, &engine{prepare: func(context.Context, *template) error { return broken }}, pool.Options{})
		require.ErrorIs(t, f.Await(t.Context(), newSpec(), words("a")), broken)
	})
	inBubble(t, "or the caller has gone", func(t *testing.T) {
		why := errors.New("the caller has gone")
		f := start(t, &engine{takes: time.Hour}, pool.Options{Age: 10 * time.Hour})
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, why)
		defer cancel()
		require.ErrorIs(t, f.Await(ctx, newSpec(), words("a")), why)
	})
	inBubble(t, "or others were asked for", func(t *testing.T) {
		f := start(t, &engine{takes: time.Hour}, pool.Options{Templates: 1, Age: 10 * time.Hour})
		time.AfterFunc(2*time.Minute, func() { f.take("b") })
		require.ErrorContains(t, f.Await(t.Context(), newSpec(), words("a")), "made room")
		synctest.Wait() // until b has been taken, too
	})
	inBubble(t, "also where the template of before is just being ended", func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{Unused: time.Minute})
		for range 3 {
			f.warm("a")
			// Twice what it takes to look and to remove: for every moment of the end, somebody asks.
			for moment := time.Duration(0); moment < 20*time.Second; moment += 500 * time.Millisecond {
				time.Sleep(time.Minute + moment)
				f.warm("a")
			}
		}
	})
}

func TestCloseLeavesNothing(t *testing.T) {
	inBubble(t, "and waits until all of it is gone", func(t *testing.T) {
		f := start(t, &engine{takes: 3 * time.Second}, pool.Options{})
		f.warm("a")
		f.warm("b")
		time.Sleep(time.Minute)
		mine := f.take("a")
		synctest.Wait()
		f.Pool.Close()
		f.requireTemplates()
		require.Empty(t, f.idle())
		require.Empty(t, f.Stock())
		require.False(t, mine.gone(), "it is its owner's")
		f.Pool.Close()
	})
	inBubble(t, "and acquires what is asked for later as if there were no pool", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{})
		f.warm("a")
		f.Pool.Close()
		require.Nil(t, f.take("a").from)
		require.ErrorIs(t, f.Await(t.Context(), newSpec(), words("a")), container.ErrClosed)
		f.requireTemplates()
	})
	inBubble(t, "of a template that is being prepared", func(t *testing.T) {
		f := start(t, &engine{takes: time.Hour}, pool.Options{})
		time.AfterFunc(time.Minute, f.Pool.Close)
		require.ErrorIs(t, f.Await(t.Context(), newSpec(), words("a")), container.ErrClosed)
		f.Pool.Close()
		require.Empty(t, f.log.String(), "an end is no failure")
	})
	inBubble(t, "of what an engine makes in spite of it", func(t *testing.T) {
		stubborn := func() error { time.Sleep(time.Hour); return nil }
		f := start(t, &engine{
			prepare: func(context.Context, *template) error { return stubborn() },
			create:  func(context.Context, *sandbox) error { return stubborn() },
		}, pool.Options{Age: 10 * time.Hour, Unused: 10 * time.Hour})
		f.take("a")
		f.take("b")
		time.Sleep(time.Hour + time.Minute)
		f.Pool.Close()
		f.requireTemplates()
		require.Empty(t, f.idle())
		require.NotEmpty(t, all(f.engine, &f.prepared))
	})
	inBubble(t, "of what is being removed", func(t *testing.T) {
		f := start(t, &engine{takes: 3 * time.Second}, pool.Options{})
		f.warm("a")
		time.Sleep(time.Minute)
		dead := f.idle()[0]
		dead.die()
		f.take("a")
		time.Sleep(time.Second)
		require.False(t, dead.gone())
		f.Pool.Close()
		require.True(t, dead.gone())
	})
	inBubble(t, "of what a caller could not use", func(t *testing.T) {
		tightening, closed := make(chan struct{}), make(chan struct{})
		f := start(t, &engine{tighten: func(*sandbox) error {
			close(tightening)
			<-closed
			return errors.New("too late")
		}}, pool.Options{})
		f.warm("a")
		go func() {
			<-tightening
			f.Pool.Close()
			close(closed)
		}()
		require.Nil(t, f.take("a").from)
		require.Empty(t, f.idle(), "it is gone before the caller goes on")
	})
}

func TestAPanicOfTheEngineLeaksNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{
			tighten: func(*sandbox) error { panic("tighten") },
			destroy: func(string) error { panic("destroy") },
		}, pool.Options{})
		f.warm("a")
		require.Nil(t, f.take("a").from)
		f.Pool.Close()
		require.Contains(t, f.log.String(), "tightening a sandbox")
		require.Contains(t, f.log.String(), "could not remove what was ready")
	})
}

// sizes has templates hold so much, by their words.
func sizes(sizes map[string]int64) func(*template) (int64, error) {
	return func(one *template) (int64, error) { return sizes[one.words], nil }
}

func TestTemplatesHoldNoMoreMemoryThanTheyMay(t *testing.T) {
	inBubble(t, "the one that was not used for the longest time is ended", func(t *testing.T) {
		f := start(t, &engine{memory: sizes(map[string]int64{"a": 40, "b": 30, "c": 20, "d": 60})}, pool.Options{MemoryBytes: 100})
		for _, kind := range []string{"a", "b", "c"} {
			f.warm(kind)
			time.Sleep(time.Second)
		}
		f.requireTemplates("a", "b", "c")
		f.take("a")
		time.Sleep(2 * time.Minute)
		f.warm("d")
		f.requireTemplates("a", "d")
		require.Len(t, f.idle(), 2*4)
	})
	inBubble(t, "what is in use makes no room", func(t *testing.T) {
		f := start(t, &engine{memory: sizes(map[string]int64{"a": 60, "b": 60})}, pool.Options{MemoryBytes: 100})
		f.warm("a")
		for range 40 {
			require.NotNil(t, f.take("a").from)
			time.Sleep(2 * time.Second)
			require.Nil(t, f.take("b").from)
			time.Sleep(2 * time.Second)
		}
		require.LessOrEqual(t, len(all(f.engine, &f.templates)), 4, "that b has none is tried out each minute")
		require.ErrorContains(t, f.Await(t.Context(), newSpec(), words("b")), "other kinds are in use")
		time.Sleep(3 * time.Minute)
		f.warm("b")
		f.requireTemplates("b")
	})
	inBubble(t, "what grows ends nothing that is in use", func(t *testing.T) {
		began := time.Now()
		f := start(t, &engine{memory: func(one *template) (int64, error) {
			if one.words == "a" {
				return 60, nil
			}
			return int64(30 + time.Since(began)/time.Second), nil
		}}, pool.Options{MemoryBytes: 100})
		f.warm("a")
		f.warm("b")
		for range 60 {
			require.NotNil(t, f.take("a").from)
			f.take("b")
			time.Sleep(5 * time.Second)
		}
	})
	inBubble(t, "no bound is none", func(t *testing.T) {
		f := start(t, &engine{memory: sizes(map[string]int64{"a": 1 << 50, "b": 1 << 50})}, pool.Options{})
		f.warm("a")
		f.warm("b")
		f.requireTemplates("a", "b")
	})
	inBubble(t, "one that is too large alone ends no other, and is not made again and again", func(t *testing.T) {
		f := start(t, &engine{memory: sizes(map[string]int64{"a": 40, "b": 101})}, pool.Options{MemoryBytes: 100, Age: time.Hour})
		f.warm("a")
		require.ErrorContains(t, f.Await(t.Context(), newSpec(), words("b")), "101 bytes, and they may hold 100")
		for range 50 {
			f.requireTemplates("a")
			require.NotNil(t, f.take("a").from)
			require.Nil(t, f.take("b").from)
			time.Sleep(time.Minute)
		}
		require.Len(t, all(f.engine, &f.templates), 2)
	})
	inBubble(t, "one is weighed before anything comes from it", func(t *testing.T) {
		f := start(t, &engine{memory: func(*template) (int64, error) {
			time.Sleep(time.Second)
			return 101, nil
		}}, pool.Options{MemoryBytes: 100})
		f.take("a")
		time.Sleep(time.Second / 2)
		require.Nil(t, f.take("a").from)
		time.Sleep(time.Minute)
		f.requireTemplates()
		require.Empty(t, all(f.engine, &f.prepared))
	})
	inBubble(t, "one that has died holds nothing", func(t *testing.T) {
		var made atomic.Int64
		f := start(t, &engine{
			takes:  time.Second,
			memory: sizes(map[string]int64{"a": 60, "b": 60}),
			prepare: func(_ context.Context, one *template) error {
				if one.words == "a" && made.Add(1) > 1 {
					return errors.New("broken")
				}
				return nil
			},
		}, pool.Options{MemoryBytes: 100})
		f.warm("a")
		time.Sleep(time.Minute)
		f.template(0).die()
		time.Sleep(10 * time.Second)
		time.AfterFunc(time.Second/2, func() { f.take("a") })
		f.warm("b") // which is then the one that was not used for the longest time
		f.requireTemplates("b")
	})
	inBubble(t, "also when they grow", func(t *testing.T) {
		begun := time.Now()
		f := start(t, &engine{memory: func(*template) (int64, error) {
			return 30 + int64(time.Since(begun)/time.Minute), nil
		}}, pool.Options{MemoryBytes: 100})
		for _, kind := range []string{"a", "b", "c"} {
			f.warm(kind)
			time.Sleep(time.Second)
		}
		f.requireTemplates("a", "b", "c")
		time.Sleep(5 * time.Minute)
		f.requireTemplates("b", "c")
	})
}

func TestStockTellsOfEachTemplate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{prepare: func(_ context.Context, made *template) error {
			if made.words == "b" {
				return errors.New("broken")
			}
			return nil
		}}, pool.Options{})
		f.warm("a")
		time.Sleep(time.Minute)
		f.take("a")
		time.Sleep(time.Second)
		require.Error(t, f.Await(t.Context(), newSpec(), words("b")))
		image := newSpec().Image
		require.Equal(t, []pool.Stock{
			{Image: image, Failure: "broken"},
			{Image: image, Idle: 4, Made: 5, Age: time.Minute + time.Second, MemoryBytes: 1 << 20},
		}, f.Stock())
	})
}

func TestNobodyWaitsForASandboxThatIsNoFasterThanACold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{takes: time.Second, slow: true}, pool.Options{Idle: 1})
		f.warm("a")
		require.NotNil(t, f.take("a").from)
		before := time.Now()
		require.Nil(t, f.take("a").from, "the next one is being made")
		require.Equal(t, before, time.Now())
		f.warm("a")
		require.NotNil(t, f.take("a").from)
	})
}

// idleOf returns those of a kind.
func idleOf(e *engine, kind string) []*sandbox {
	return slices.DeleteFunc(e.idle(), func(one *sandbox) bool { return one.from.words != kind })
}

// holding has each idle sandbox hold so much, and templates nothing.
func holding(e *engine, each int64) *engine {
	e.memory = func(one *template) (int64, error) {
		var sum int64
		for _, idle := range e.idle() {
			if idle.from == one {
				sum += each
			}
		}
		return sum, nil
	}
	return e
}

func TestWhatIdleSandboxesHoldIsBoundedTogether(t *testing.T) {
	count := func(f fixture, kind string) int {
		synctest.Wait()
		return len(idleOf(f.engine, kind))
	}
	inBubble(t, "fewer wait where no more have room", func(t *testing.T) {
		f := start(t, holding(&engine{}, 30), pool.Options{MemoryBytes: 100})
		f.warm("a")
		require.Equal(t, 3, count(f, "a"))
		require.NotNil(t, f.take("a").from)
		require.Equal(t, 3, count(f, "a"), "the place of one that is used is free")
		time.Sleep(time.Minute)
		require.Equal(t, 3, count(f, "a"))
		require.EqualValues(t, 90, f.Stock()[0].MemoryBytes)
	})
	inBubble(t, "the first of another kind makes room, and no more than that", func(t *testing.T) {
		f := start(t, holding(&engine{}, 20), pool.Options{MemoryBytes: 100})
		f.warm("a")
		require.Equal(t, 4, count(f, "a"))
		time.Sleep(2 * time.Minute)
		f.warm("b")
		f.requireTemplates("a", "b")
		require.Equal(t, 1, count(f, "b"))
		time.Sleep(20 * time.Second)
		f.warm("c")
		f.requireTemplates("b", "c")
		time.Sleep(time.Minute) // b may have some of it, too
		require.Positive(t, count(f, "c"))
		require.Equal(t, 5, count(f, "b")+count(f, "c"), "what a held is free")
	})
	inBubble(t, "what holds the memory still does when it has just been replaced", func(t *testing.T) {
		e := holding(&engine{}, 30)
		held := e.memory
		e.memory = func(one *template) (int64, error) {
			if one.words == "b" {
				return held(one)
			}
			time.Sleep(time.Minute)
			return 60, nil
		}
		f := start(t, e, pool.Options{MemoryBytes: 100, Age: time.Hour, Unused: 24 * time.Hour})
		f.warm("a")
		f.warm("b")
		time.Sleep(5 * time.Hour)
		f.requireTemplates("a", "b")
		require.Equal(t, 1, count(f, "b"))
		made := map[*template]bool{}
		for _, one := range all(f.engine, &f.prepared) {
			if one.from.words == "b" {
				require.NotContains(t, made, one.from, "there was never room for a second")
				made[one.from] = true
			}
		}
	})
	inBubble(t, "one that is too large alone is not kept, and not made again and again", func(t *testing.T) {
		f := start(t, holding(&engine{}, 101), pool.Options{MemoryBytes: 100})
		require.ErrorContains(t, f.Await(t.Context(), newSpec(), words("a")), "101 bytes, and they may hold 100")
		time.Sleep(50 * time.Minute)
		require.Empty(t, f.idle())
		require.Len(t, all(f.engine, &f.prepared), 1)
	})
}
