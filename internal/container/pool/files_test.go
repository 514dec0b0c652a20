package pool_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/pool"
)

// seen is how files look.
type seen struct {
	files string
	fault error
}

// changing is an engine whose files look as the test says.
func changing(t *testing.T) (f fixture, now *atomic.Pointer[seen]) {
	t.Helper()
	now = new(atomic.Pointer[seen])
	now.Store(&seen{})
	f = start(t, &engine{takes: time.Second, files: func() (string, error) { return now.Load().files, now.Load().fault }}, pool.Options{})
	return f, now
}

func TestWhatWasMadeOfOtherFilesIsGivenToNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now := changing(t)
		f.warm("a")
		time.Sleep(time.Minute)
		old := alive(f.engine, &f.templates)[0]
		require.Same(t, old, f.take("a").from)
		now.Store(&seen{files: "changed"})
		require.Nil(t, f.take("a").from, "the bundle was put there anew, say")
		time.Sleep(time.Minute)
		require.True(t, old.gone())
		require.NotSame(t, old, f.take("a").from)
	})
}

func TestATemplateThatWasMadeWhileFilesChangedIsNotUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now := changing(t)
		f.take("a") // its template takes a second
		time.Sleep(time.Second / 2)
		now.Store(&seen{files: "changed"})
		time.Sleep(2 * time.Second) // with its end
		require.Empty(t, alive(f.engine, &f.templates))
		require.Contains(t, f.Stock()[0].Failure, "have changed")
		require.Nil(t, f.take("a").from)
		time.Sleep(time.Minute)
		require.NotNil(t, f.take("a").from)
	})
}

func TestASandboxThatWasMadeWhileFilesChangedIsNotUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now := changing(t)
		f.warm("a")
		time.Sleep(time.Minute / 2) // it is not looked at before
		for range 4 {
			f.take("a")
		}
		made := len(all(f.engine, &f.prepared))
		now.Store(&seen{files: "changed"})        // before the next one is there
		time.Sleep(2*time.Second + time.Second/2) // with its end
		require.Greater(t, len(all(f.engine, &f.prepared)), made)
		for _, one := range all(f.engine, &f.prepared)[made:] {
			require.True(t, one.gone())
		}
	})
}

func TestWhatIsNotWhatItsDigestNamesIsNoRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now := changing(t)
		f.warm("a")
		changed := errors.New("it was changed")
		now.Store(&seen{fault: changed})
		_, err := f.Acquire(t.Context(), newSpec(), words("a"))
		require.ErrorIs(t, err, changed)
		require.ErrorIs(t, f.Warm(t.Context(), newSpec(), words("b")), changed)
	})
}

// Nobody has to ask before what is kept is ready again.
func TestAKeptKindIsMadeOfFilesThatHaveChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now := changing(t)
		require.NoError(t, f.Warm(t.Context(), newSpec(), words("a")))
		now.Store(&seen{files: "changed"})
		time.Sleep(5 * time.Minute)
		require.Len(t, all(f.engine, &f.templates), 2, "one each")
		require.NotNil(t, f.take("a").from)
	})
}

func TestAKeptKindStaysKeptWhenItsFilesChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now := changing(t)
		require.NoError(t, f.Warm(t.Context(), newSpec(), words("a")))
		now.Store(&seen{files: "changed"})
		f.take("a")
		time.Sleep(24 * time.Hour)
		require.NotNil(t, f.take("a").from)
	})
}

// A request's glance misses a change in a file of the image; a look does not.
func TestWhatWaitsIsLookedAtNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now := changing(t)
		f.glance = func() string { return "" }
		f.warm("a")
		now.Store(&seen{fault: errors.New("a file of the image was changed")})
		time.Sleep(2 * time.Minute)
		require.Nil(t, f.take("a").from)
		require.Empty(t, f.idle())
	})
}

// The run that has just begun has the machine, as long as others wait.
func TestMakingTheNextSandboxLetsARunBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{}, pool.Options{Idle: 4})
		f.warm("a")
		time.Sleep(15 * time.Second) // it is looked at each ten
		f.take("a")
		synctest.Wait()
		require.Len(t, f.idle(), 3)
		time.Sleep(time.Second)
		require.Len(t, f.idle(), 4)
		f.take("a")
		f.take("a")
		synctest.Wait()
		require.Len(t, f.idle(), 4, "few are left")
	})
}

// A daemon that has a control by now had it not when the sandbox was made.
func TestAControlThatASandboxLacksIsNotTheHostsOfNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &engine{inactive: []string{container.ControlAppArmor}}, pool.Options{})
		spec := newSpec()
		spec.Optional = []string{container.ControlAppArmor}
		require.NoError(t, f.Await(t.Context(), spec, words("a")))
		acquired, err := f.Acquire(t.Context(), spec, words("a"))
		require.NoError(t, err)
		require.NotNil(t, f.own(acquired).from)
		require.Contains(t, acquired.Host.Inactive(), container.ControlAppArmor)
		synctest.Wait()
		f.inactive = nil
		spec.Optional = nil
		acquired, err = f.Acquire(t.Context(), spec, words("a"))
		require.NoError(t, err)
		require.Nil(t, f.own(acquired).from)
		require.Empty(t, acquired.Host.Inactive())
	})
}
