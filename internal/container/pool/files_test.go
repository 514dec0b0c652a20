package pool_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/pool"
)

// changing is an engine whose files are what the test says, and pool.Options.Look tells.
func changing(t *testing.T) (f fixture, now *string, fault *error) {
	t.Helper()
	now, fault = new(string), new(error)
	f = start(t, &engine{takes: time.Second, files: func() (string, error) { return *now, *fault }}, pool.Options{})
	return f, now, fault
}

func TestWhatWasMadeOfOtherFilesIsGivenToNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now, _ := changing(t)
		f.warm("a")
		time.Sleep(time.Minute)
		old := alive(f.engine, &f.templates)[0]
		require.Same(t, old, f.take("a").from)
		*now = "changed"
		require.Nil(t, f.take("a").from, "the bundle was put there anew, say")
		time.Sleep(time.Minute)
		require.True(t, old.gone())
		require.NotSame(t, old, f.take("a").from)
	})
}

func TestATemplateThatWasMadeWhileFilesChangedIsNotUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now, _ := changing(t)
		f.take("a") // its template takes a second
		time.Sleep(time.Second / 2)
		*now = "changed"
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
		f, now, _ := changing(t)
		f.warm("a")
		time.Sleep(time.Minute)
		for range 4 {
			f.take("a")
		}
		made := len(all(f.engine, &f.prepared))
		*now = "changed" // before the next one is there
		time.Sleep(2*time.Second + time.Second/2) // with its end
		require.Greater(t, len(all(f.engine, &f.prepared)), made)
		for _, one := range all(f.engine, &f.prepared)[made:] {
			require.True(t, one.gone())
		}
	})
}

func TestWhatIsNotWhatItsDigestNamesIsNoRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _, fault := changing(t)
		f.warm("a")
		*fault = errors.New("it was changed")
		_, err := f.Acquire(t.Context(), newSpec(), words("a"))
		require.ErrorIs(t, err, *fault)
		require.ErrorIs(t, f.Warm(t.Context(), newSpec(), words("b")), *fault)
	})
}

func TestAKeptKindStaysKeptWhenItsFilesChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, now, _ := changing(t)
		require.NoError(t, f.Warm(t.Context(), newSpec(), words("a")))
		*now = "changed"
		f.take("a")
		time.Sleep(24 * time.Hour)
		require.NotNil(t, f.take("a").from)
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
