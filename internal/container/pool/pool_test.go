package pool_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/internal/container"
	"hotcell/internal/container/pool"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newSpec() container.Spec {
	return container.Spec{
		Image: digest.Of([]byte("image")), Command: []string{"/guard"}, Environment: []string{"PATH=/", "HOME=/"},
		Seccomp: &specs.LinuxSeccomp{DefaultAction: specs.ActErrno, Syscalls: []specs.LinuxSyscall{{Names: []string{"read"}, Action: specs.ActAllow}}},
		Limits: job.Limits{
			MemoryBytes: 100, PIDs: 100, CPUMillis: 100, WallClock: 1, CPUTime: 1, OpenFiles: 1, ScratchBytes: 1,
			OutputBytes: 1, OutputFiles: 1, StdoutBytes: 1, StderrBytes: 1, CodeBytes: 1,
		},
	}
}

func words(text string) container.Preparation { return container.Preparation{Words: []byte(text)} }

// fixture is a pool of an engine that counts. At the end of the test it is closed, and has
// destroyed once all that it did not give out.
type fixture struct {
	*engine
	*pool.Pool
	t   *testing.T
	log *bytes.Buffer
}

func start(t *testing.T, e *engine, options pool.Options) fixture {
	t.Helper()
	f := fixture{engine: e, t: t, log: &bytes.Buffer{}}
	options.Engine, options.Files, options.Logger = e, lookers{e}, slog.New(slog.NewTextHandler(f.log, nil))
	var err error
	f.Pool, err = pool.New(options)
	require.NoError(t, err)
	t.Cleanup(func() {
		f.Pool.Close()
		e.requireClean(t)
	})
	return f
}

// take acquires a sandbox of a kind, which must succeed.
func (f fixture) take(kind string) *sandbox {
	f.t.Helper()
	acquired, err := f.Acquire(f.t.Context(), newSpec(), words(kind))
	require.NoError(f.t, err)
	return f.own(acquired)
}

func (f fixture) warm(kind string) {
	f.t.Helper()
	require.NoError(f.t, f.Await(f.t.Context(), newSpec(), words(kind)))
	synctest.Wait()
}

func (f fixture) template(number int) *template { return all(f.engine, &f.templates)[number] }

func (f fixture) requireTemplates(want ...string) {
	f.t.Helper()
	synctest.Wait()
	var got []string
	for _, one := range alive(f.engine, &f.templates) {
		got = append(got, one.words)
	}
	require.ElementsMatch(f.t, want, got)
}

// inBubble runs a test in its own time, in which no goroutine outlives it.
func inBubble(t *testing.T, name string, test func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

func TestNoSandboxIsGivenToTwo(t *testing.T) {
	var number atomic.Int64
	every := func(n int64) bool { return number.Add(1)%n == 0 }
	for name, each := range map[string]struct {
		engine  *engine
		options pool.Options
		kinds   []string
		close   bool
	}{
		"of one kind":                    {kinds: []string{"a"}},
		"of more kinds than templates":   {kinds: []string{"a", "b", "c"}, options: pool.Options{Templates: 2}},
		"whose templates wear soon":      {kinds: []string{"a", "b"}, options: pool.Options{Forks: 7}},
		"whose pool is closed meanwhile": {kinds: []string{"a", "b"}, close: true},
		"whose templates are large":      {kinds: []string{"a", "b", "c"}, options: pool.Options{MemoryBytes: 2 << 20}},
		"some of which cannot have limits": {kinds: []string{"a"}, engine: &engine{tighten: func(*sandbox) error {
			if every(5) {
				return container.ErrCannotTighten
			}
			return nil
		}}},
		"some of which die": {kinds: []string{"a"}, engine: &engine{create: func(_ context.Context, made *sandbox) error {
			if every(3) {
				made.die()
			}
			return nil
		}}},
		"whose templates die": {kinds: []string{"a"}, engine: &engine{create: func(_ context.Context, made *sandbox) error {
			if every(9) {
				made.from.die()
			}
			return nil
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := start(t, cmp.Or(each.engine, &engine{}), each.options)
			var callers sync.WaitGroup
			for caller := range 64 {
				callers.Go(func() {
					for turn := range 20 {
						kind := each.kinds[(caller+turn)%len(each.kinds)]
						acquired, err := f.Acquire(t.Context(), newSpec(), words(kind))
						if err != nil {
							f.fault(err.Error())
							return
						}
						given := f.own(acquired)
						if from := given.from; from != nil && from.words != kind {
							f.fault("a sandbox was given that was told other words")
						}
						f.Stock()
						runtime.Gosched()
						if each.close && caller == 0 && turn == 10 {
							f.Pool.Close()
						}
					}
				})
			}
			callers.Wait()
			require.Len(t, f.owned, 64*20)
		})
	}
}

func TestTheFirstOfAKindIsColdAndTheNextIsReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{Idle: 3})
		require.Nil(t, f.take("a").from)
		time.Sleep(time.Minute)
		begun := time.Now()
		require.NotNil(t, f.take("a").from)
		require.Zero(t, time.Since(begun), "it was there")
		require.Nil(t, f.take("b").from, "words of another kind")
		time.Sleep(time.Minute)
		f.requireTemplates("a", "b")
	})
}

func TestNoMoreAreMadeThanAreIdleAndAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{Idle: 4, Makers: 2})
		f.warm("a")
		for range 3 {
			time.Sleep(time.Minute)
			require.Len(t, f.idle(), 4)
			var callers sync.WaitGroup
			for range 30 {
				callers.Go(func() { f.take("a") })
			}
			callers.Wait()
		}
		time.Sleep(time.Minute)
		require.Len(t, f.idle(), 4)
		require.Len(t, all(f.engine, &f.prepared), 3*30+4)
		require.Empty(t, all(f.engine, &f.cold))
	})
}

func TestMakersBoundWhatIsMadeAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{Idle: 8, Makers: 2})
		for _, kind := range []string{"a", "b", "c", "d"} {
			f.take(kind)
		}
		time.Sleep(time.Minute)
		require.Len(t, f.idle(), 4*8)
		require.EqualValues(t, 2, f.making.most.Load())
		require.EqualValues(t, 1, f.preparing.most.Load(), "templates are prepared one after the other")
	})
}

func TestADeadSandboxIsNotGivenOut(t *testing.T) {
	inBubble(t, "that died while it waited", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{Idle: 3})
		f.warm("a")
		dead := f.idle()
		dead[0].die()
		dead[1].die()
		require.Same(t, dead[2], f.take("a"))
		synctest.Wait()
		require.True(t, dead[0].gone() && dead[1].gone())
		require.Len(t, f.idle(), 3)
	})
	inBubble(t, "and is replaced before anybody asks", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{Idle: 3})
		f.warm("a")
		dead := f.idle()[0]
		dead.die()
		time.Sleep(time.Minute)
		require.True(t, dead.gone())
		require.Len(t, f.idle(), 3)
	})
	inBubble(t, "that dies while it is tightened", func(t *testing.T) {
		f := start(t, &engine{tighten: func(one *sandbox) error { one.die(); return nil }}, pool.Options{})
		f.warm("a")
		require.Nil(t, f.take("a").from)
	})
}

func TestLimitsAreTightenedBeforeASandboxIsGivenOut(t *testing.T) {
	tightened := container.Tightened{MemoryBytes: 7, PIDs: 8, CPUMillis: 9}
	inBubble(t, "to the request's", func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{})
		for number, want := range []container.Tightened{tightened, tightened, {}, {PIDs: 3}} {
			spec := newSpec()
			spec.Tightened = want
			acquired, err := f.Acquire(t.Context(), spec, words("a"))
			require.NoError(t, err)
			require.Equal(t, number > 0, acquired.Warm, "the first begins the template")
			require.Equal(t, want, f.own(acquired).tightened)
			time.Sleep(time.Minute)
		}
		require.Len(t, all(f.engine, &f.templates), 1, "one serves all limits")
		require.Zero(t, f.template(0).spec.Tightened)
	})
	for name, cannot := range map[string]error{"or another is made": container.ErrCannotTighten, "and no failure is tried again": errors.New("broken")} {
		inBubble(t, name, func(t *testing.T) {
			tries := 0
			f := start(t, &engine{tighten: func(*sandbox) error { tries++; return cannot }}, pool.Options{})
			f.warm("a")
			spec := newSpec()
			spec.Tightened = tightened
			acquired, err := f.Acquire(t.Context(), spec, words("a"))
			require.NoError(t, err)
			require.False(t, acquired.Warm)
			require.Equal(t, tightened, f.own(acquired).tightened)
			require.Equal(t, 1, tries)
		})
	}
	inBubble(t, "and never loosened", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{})
		f.warm("a")
		spec := newSpec()
		spec.Tightened.PIDs = spec.Limits.PIDs + 1
		_, err := f.Acquire(t.Context(), spec, words("a"))
		require.ErrorContains(t, err, "does not tighten")
		require.Len(t, f.idle(), 4)
	})
}

// On Podman each request with limits of its own would otherwise cost a sandbox.
func TestASandboxThatCannotHaveLimitsWaitsForOthers(t *testing.T) {
	tight := newSpec()
	tight.Tightened.PIDs = 3
	inBubble(t, "before all that were idle with it", func(t *testing.T) {
		refused := false
		f := start(t, &engine{tighten: func(*sandbox) error {
			if !refused {
				refused = true
				return fmt.Errorf("as it is: %w", container.ErrCannotTighten)
			}
			return nil
		}}, pool.Options{Idle: 3})
		f.warm("a")
		before := f.idle()
		acquired, err := f.Acquire(t.Context(), tight, words("a"))
		require.NoError(t, err)
		require.False(t, acquired.Warm)
		f.own(acquired)
		synctest.Wait()
		require.Equal(t, before, f.idle())
		require.Len(t, all(f.engine, &f.prepared), 3)
		require.Empty(t, f.log.String())
		for _, one := range before {
			require.Same(t, one, f.take("a"))
		}
	})
	// meanwhile has something happen while a request finds out that it cannot have one.
	meanwhile := func(t *testing.T, options pool.Options, happens func(fixture)) fixture {
		t.Helper()
		asked, proceed := make(chan struct{}), make(chan struct{})
		f := start(t, &engine{tighten: func(*sandbox) error {
			close(asked)
			<-proceed
			return container.ErrCannotTighten
		}}, options)
		f.warm("a")
		var caller sync.WaitGroup
		caller.Go(func() {
			acquired, err := f.Acquire(t.Context(), tight, words("a"))
			if err != nil || acquired.Warm {
				f.fault(fmt.Sprint("it was to be cold: ", err))
			}
			f.own(acquired)
		})
		<-asked
		happens(f)
		close(proceed)
		caller.Wait()
		synctest.Wait()
		return f
	}
	inBubble(t, "whose number it still is one of", func(t *testing.T) {
		f := meanwhile(t, pool.Options{Idle: 3}, func(fixture) { time.Sleep(time.Minute) })
		require.Len(t, f.idle(), 3)
		require.Len(t, all(f.engine, &f.prepared), 3)
	})
	inBubble(t, "unless its template has been replaced", func(t *testing.T) {
		f := meanwhile(t, pool.Options{Idle: 3, Age: time.Hour, Unused: 24 * time.Hour}, func(fixture) { time.Sleep(2 * time.Hour) })
		time.Sleep(time.Second) // the shelf is left alone for a moment
		require.Len(t, f.idle(), 3)
		for _, one := range f.idle() {
			require.NotSame(t, f.template(0), one.from)
		}
	})
	inBubble(t, "unless the pool is closed", func(t *testing.T) {
		f := meanwhile(t, pool.Options{}, func(f fixture) { f.Pool.Close() })
		require.Empty(t, f.idle())
	})
}

// A template makes one sandbox at a time.
func TestWhoWouldWaitForOthersIsCold(t *testing.T) {
	inBubble(t, "and nothing has failed", func(t *testing.T) {
		var busy atomic.Bool
		e := &engine{create: func(context.Context, *sandbox) error {
			if busy.Load() {
				time.Sleep(time.Second)
				return container.ErrBusy
			}
			return nil
		}}
		f := start(t, e, pool.Options{Idle: 1, Forks: 5})
		f.warm("a")
		busy.Store(true)
		f.take("a")
		for range 10 {
			require.Nil(t, f.take("a").from)
		}
		busy.Store(false)
		time.Sleep(2 * time.Second)
		require.Len(t, f.idle(), 1)
		require.NotNil(t, f.take("a").from)
		f.requireTemplates("a")
		require.Len(t, all(f.engine, &f.templates), 1, "it has made two")
	})
}

func TestATemplateIsReplaced(t *testing.T) {
	inBubble(t, "after so many sandboxes", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{Idle: 2, Forks: 5})
		f.warm("a")
		first := f.template(0)
		for range 20 {
			f.take("a")
			synctest.Wait()
		}
		from := map[*template]int{}
		for _, one := range all(f.engine, &f.prepared) {
			from[one.from]++
		}
		require.Greater(t, len(from), 4)
		for _, forks := range from {
			require.LessOrEqual(t, forks, 5)
		}
		require.True(t, first.gone())
		f.requireTemplates("a")
	})
	inBubble(t, "while it makes one for a caller, who has one of the next then", func(t *testing.T) {
		type asks struct{}
		var f fixture
		e := &engine{create: func(ctx context.Context, one *sandbox) error {
			if ctx.Value(asks{}) == nil || one.from != f.template(0) {
				time.Sleep(time.Minute)
				return nil
			}
			time.Sleep(2 * time.Hour)
			return errors.New("the template has ended")
		}}
		f = start(t, e, pool.Options{Idle: 1, Age: time.Hour, Unused: 24 * time.Hour})
		f.warm("a")
		f.take("a") // and the next before another is idle
		acquired, err := f.Acquire(context.WithValue(t.Context(), asks{}, true), newSpec(), words("a"))
		require.NoError(t, err)
		require.True(t, acquired.Warm)
		require.NotSame(t, f.template(0), f.own(acquired).from)
	})
	inBubble(t, "when it is old, with what came from it", func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{Age: time.Hour, Unused: 24 * time.Hour})
		f.warm("a")
		first, old := f.template(0), f.idle()
		time.Sleep(time.Hour - time.Minute)
		require.False(t, first.gone())
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		require.True(t, first.gone())
		for _, one := range old {
			require.True(t, one.gone())
		}
		require.NotSame(t, first, f.take("a").from)
	})
	inBubble(t, "when it dies, and with it what is idle", func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{})
		f.warm("a")
		time.Sleep(time.Minute)
		first := f.template(0)
		old := f.idle()
		first.die()
		require.Nil(t, f.take("a").from)
		time.Sleep(20 * time.Second)
		for _, one := range old {
			require.True(t, one.gone())
		}
		require.True(t, first.gone())
		require.NotSame(t, first, f.take("a").from)
	})
	inBubble(t, "and not used for longer because no other can be made", func(t *testing.T) {
		begun := time.Now()
		f := start(t, &engine{prepare: func(context.Context, *template) error {
			if time.Since(begun) > time.Minute {
				return errors.New("broken")
			}
			return nil
		}}, pool.Options{Age: time.Hour, Unused: 24 * time.Hour})
		f.warm("a")
		time.Sleep(time.Hour + time.Minute)
		require.Nil(t, f.take("a").from)
		f.requireTemplates()
	})
}

func TestATemplateThatDiesUnderACallerMeansACold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{takes: time.Second}, pool.Options{Idle: 1, Makers: 1})
		f.warm("a")
		time.Sleep(time.Minute)
		f.take("a")
		go func() {
			time.Sleep(time.Second / 2)
			f.template(0).die()
		}()
		require.Nil(t, f.take("a").from)
		time.Sleep(time.Minute)
		require.NotNil(t, f.take("a").from)
	})
}

// What fails at once must not fail without end, and no caller is told: there are cold
// sandboxes.
func TestWhatFailsIsTriedAgainAfterAWhile(t *testing.T) {
	broken := errors.New("the host is broken")
	dies := func(_ context.Context, made *template) error { made.die(); return nil }
	for name, broke := range map[string]func(*engine){
		"prepare":        func(e *engine) { e.prepare = func(context.Context, *template) error { return broken } },
		"prepare panics": func(e *engine) { e.prepare = func(context.Context, *template) error { panic("x") } },
		"create":         func(e *engine) { e.create = func(context.Context, *sandbox) error { return broken } },
		"create panics":  func(e *engine) { e.create = func(context.Context, *sandbox) error { panic("x") } },
		"templates die":  func(e *engine) { e.prepare = dies },
		"templates die of creating": func(e *engine) {
			e.create = func(_ context.Context, made *sandbox) error { made.from.die(); return nil }
		},
		"no memory is told":           func(e *engine) { e.memory = func(*template) (int64, error) { return 0, broken } },
		"templates cannot be removed": func(e *engine) { e.prepare = dies; e.destroy = func(string) error { return broken } },
	} {
		inBubble(t, name, func(t *testing.T) {
			var prepared, created atomic.Int64
			e := &engine{}
			broke(e)
			prepare, create := e.prepare, e.create
			e.prepare = func(ctx context.Context, made *template) error {
				prepared.Add(1)
				if prepare != nil {
					return prepare(ctx, made)
				}
				return nil
			}
			e.create = func(ctx context.Context, made *sandbox) error {
				created.Add(1)
				if create != nil {
					return create(ctx, made)
				}
				return nil
			}
			f := start(t, e, pool.Options{MemoryBytes: 1 << 30})
			for range 600 {
				require.Nil(t, f.take("a").from)
				time.Sleep(time.Second)
			}
			synctest.Wait()
			const templates, forks = 600/30 + 5, 600/4 + 5
			require.LessOrEqual(t, prepared.Load(), int64(templates), "each 30 s, and a few times at first")
			require.LessOrEqual(t, created.Load(), int64(forks), "each 4 s where there is a template")
			require.GreaterOrEqual(t, prepared.Load()+created.Load(), int64(20))
			lines := strings.Count(f.log.String(), "no sandboxes are kept ready")
			require.GreaterOrEqual(t, lines, 10, "what goes on is told again")
			require.LessOrEqual(t, lines, 21, "not more often than each 30 s")
			require.NotEmpty(t, f.Stock()[0].Failure)
		})
	}
}

// What is wrong with one that has loaded everything does not become right by asking it again.
func TestATemplateOfWhichNothingComesIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &engine{}
		e.create = func(_ context.Context, made *sandbox) error {
			if made.from == all(e, &e.templates)[0] {
				return errors.New("it cannot fork")
			}
			return nil
		}
		f := start(t, e, pool.Options{})
		f.take("a")
		time.Sleep(20 * time.Second)
		synctest.Wait()
		require.Nil(t, f.take("a").from)
		require.Len(t, all(e, &e.templates), 1, "it may have been the host")
		time.Sleep(20 * time.Second)
		synctest.Wait()
		require.Same(t, f.template(1), f.take("a").from)
	})
}

func TestAfterASuccessTheFirstFailureIsTriedAgainSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := false
		var tried []time.Time
		f := start(t, &engine{prepare: func(context.Context, *template) error {
			tried = append(tried, time.Now())
			if broken {
				return errors.New("not now")
			}
			return nil
		}}, pool.Options{})
		f.warm("a")
		time.Sleep(2 * time.Minute)
		broken = true
		f.template(0).die()
		time.Sleep(30 * time.Second)
		synctest.Wait()
		require.Greater(t, len(tried), 4)
		for number, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			require.Equal(t, want, tried[number+2].Sub(tried[number+1]))
		}
	})
}

func TestAfterAFailureAllIsAsBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		f := start(t, &engine{prepare: func(context.Context, *template) error {
			if time.Since(begun) < time.Minute {
				return errors.New("not yet")
			}
			return nil
		}}, pool.Options{})
		require.Nil(t, f.take("a").from)
		time.Sleep(2 * time.Minute)
		require.Empty(t, f.Stock()[0].Failure)
		require.NotNil(t, f.take("a").from)
		require.Equal(t, 2, strings.Count(f.log.String(), "not yet"), "at once, and after more than 30 s")
	})
}

func TestAFailureIsOverWithTheFirstSandboxThatIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		f := start(t, &engine{takes: time.Second, create: func(context.Context, *sandbox) error {
			if time.Since(begun) < 10*time.Second {
				return errors.New("not yet")
			}
			return nil
		}}, pool.Options{})
		f.take("a")
		time.Sleep(11 * time.Second)
		require.Equal(t, "not yet", f.Stock()[0].Failure)
		time.Sleep(time.Second + time.Second/2)
		require.Len(t, f.idle(), 1)
		require.Empty(t, f.Stock()[0].Failure)
	})
}

func TestTheTemplateThatWasNotUsedForTheLongestTimeMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{takes: time.Second / 10}, pool.Options{Templates: 3})
		for _, kind := range []string{"a", "b", "c", "a", "d", "c", "e"} {
			f.take(kind)
			time.Sleep(2 * time.Minute)
		}
		f.requireTemplates("c", "d", "e")
		require.Len(t, f.idle(), 3*4)
		require.NotNil(t, f.take("c").from)
		require.Nil(t, f.take("a").from)
	})
}

// All would be prepared again and again, and none would be ready when it is asked for.
func TestAKindThatIsInUseMakesNoRoom(t *testing.T) {
	never := errors.New("it cannot fork")
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{takes: time.Second / 10, prepare: func(_ context.Context, made *template) error {
			if made.words == "never" {
				return never
			}
			return nil
		}}, pool.Options{Templates: 2})
		for turn := range 40 {
			for _, kind := range []string{"a", "b", "c", "never"} {
				given := f.take(kind)
				require.True(t, turn == 0 || (given.from != nil) == (kind == "a" || kind == "b"), "%s in turn %d", kind, turn)
				time.Sleep(10 * time.Second)
			}
		}
		f.requireTemplates("a", "b")
		require.Len(t, all(f.engine, &f.templates), 2)
		// Nothing comes of this one, so that another need not wait until nobody asks for it.
		time.Sleep(2 * time.Minute)
		f.take("never")
		time.Sleep(10 * time.Second)
		f.take("c")
		time.Sleep(time.Second)
		f.requireTemplates("b", "c")
	})
}

func TestATemplateThatNobodyAsksForIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{Unused: 15 * time.Minute})
		f.take("a")
		f.take("b")
		time.Sleep(14 * time.Minute)
		f.take("b")
		time.Sleep(2 * time.Minute)
		f.requireTemplates("b")
		require.Len(t, f.Stock(), 1)
		time.Sleep(15 * time.Minute)
		f.requireTemplates()
		require.Empty(t, f.idle())
		f.warm("b")
	})
}

// TestNeverMoreIsReadyThanShallBe takes many at a time, and kills what waits and what it
// comes from, at random.
func TestNeverMoreIsReadyThanShallBe(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	synctest.Test(t, func(t *testing.T) {
		options := pool.Options{Idle: 3, Forks: 25, Templates: 2, Age: time.Minute, Unused: 2 * time.Minute}
		f := start(t, &engine{takes: 10 * time.Millisecond}, options)
		var callers sync.WaitGroup
		for range 2000 {
			switch kind := []string{"a", "b", "c"}[chance.IntN(3)]; chance.IntN(8) {
			case 0:
				for range chance.IntN(10) {
					callers.Go(func() { f.take(kind) })
				}
			case 1:
				for _, one := range f.idle() {
					if chance.IntN(2) == 0 {
						one.die()
					}
				}
			case 2:
				for _, one := range alive(f.engine, &f.templates) {
					if chance.IntN(20) == 0 {
						one.die()
					}
				}
			default:
				time.Sleep(time.Duration(chance.IntN(300)) * time.Millisecond)
			}
			stock := f.Stock()
			require.LessOrEqual(t, len(stock), options.Templates)
			for _, one := range stock {
				require.LessOrEqual(t, one.Idle, options.Idle)
			}
		}
		callers.Wait()
		time.Sleep(time.Hour - time.Nanosecond) // whatever was asked for has been ended again
		require.Empty(t, f.Stock())
		require.Empty(t, f.idle())
		require.NotEmpty(t, all(f.engine, &f.prepared))
		require.NotEmpty(t, all(f.engine, &f.cold))
	})
}
