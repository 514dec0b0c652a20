package container_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func allStreams() container.Streams {
	return container.Streams{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}
}

func TestADestroyThatFailedIsRepeatedAndTheSandboxIsOver(t *testing.T) {
	left := 0
	life := container.NewLifecycle(container.NewID(), func() { left++ })
	busy := errors.New("device is busy")
	err := life.Destroy(t.Context(), func(context.Context) error { return busy })
	require.ErrorIs(t, err, busy)
	require.ErrorContains(t, err, life.ID().String())
	_, err = life.Run(allStreams(), func() (container.Exit, error) { panic("half of it is gone") })
	require.ErrorIs(t, err, container.ErrDestroyed)
	_, err = life.Output(t.Context(), func() (*os.Root, error) { panic("half of it is gone") })
	require.ErrorIs(t, err, container.ErrDestroyed)
	require.Zero(t, left)

	require.NoError(t, life.Destroy(t.Context(), func(context.Context) error { return nil }))
	require.NoError(t, life.Destroy(t.Context(), func(context.Context) error { panic("it is gone") }))
	require.Equal(t, 1, left)
}

// Whoever catches it knows no more than after an error.
func TestARunThatPanicsHasNotEnded(t *testing.T) {
	life := container.NewLifecycle(container.NewID(), nil)
	require.Panics(t, func() { _, _ = life.Run(allStreams(), func() (container.Exit, error) { panic("") }) })
	_, err := life.Output(t.Context(), func() (*os.Root, error) { panic("what lives may still write") })
	require.ErrorIs(t, err, container.ErrNotEnded)
	_, err = life.Run(allStreams(), func() (container.Exit, error) { panic("again") })
	require.ErrorIs(t, err, container.ErrUsed)
	require.NoError(t, life.Destroy(t.Context(), func(context.Context) error { return nil }))
}

func TestAFailedRunHasNoExit(t *testing.T) {
	life := container.NewLifecycle(container.NewID(), nil)
	broken := errors.New("broken host")
	exit, err := life.Run(allStreams(), func() (container.Exit, error) { return container.Exit{Code: 3}, broken })
	require.ErrorIs(t, err, broken)
	require.Zero(t, exit)
}

func TestAnEngineIsReleasedWithItsLastUser(t *testing.T) {
	released := 0
	opening := container.NewOpening(func() { released++ })
	leave, err := opening.Enter()
	require.NoError(t, err)
	var life *container.Lifecycle
	_, err = opening.Create(t.Context(), container.NewID(), configSpec(), func(made *container.Lifecycle) (container.Sandbox, error) {
		life = made
		return nil, nil
	})
	require.NoError(t, err)
	opening.Close()
	opening.Close()
	_, err = opening.Enter()
	require.ErrorIs(t, err, container.ErrClosed)
	leave()
	leave()
	require.Zero(t, released, "a sandbox lives")
	require.NoError(t, life.Destroy(t.Context(), func(context.Context) error { return nil }))
	require.Equal(t, 1, released)
	opening.Close()
	require.Equal(t, 1, released)
}

func TestASandboxThatWasNotMadeKeepsNoEngine(t *testing.T) {
	broken := errors.New("broken host")
	for name, create := range map[string]func(*container.Lifecycle) (container.Sandbox, error){
		"nothing was made": func(*container.Lifecycle) (container.Sandbox, error) { return nil, broken },
		"half of it, and ended": func(life *container.Lifecycle) (container.Sandbox, error) {
			return nil, errors.Join(broken, life.Destroy(t.Context(), func(context.Context) error { return nil }))
		},
		"half of it, and not": func(life *container.Lifecycle) (container.Sandbox, error) {
			return nil, errors.Join(broken, life.Destroy(t.Context(), func(context.Context) error { return broken }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			released := 0
			opening := container.NewOpening(func() { released++ })
			id := container.NewID()
			sandbox, err := opening.Create(t.Context(), id, configSpec(), create)
			require.ErrorIs(t, err, broken)
			require.ErrorContains(t, err, "create sandbox "+id.String())
			require.Nil(t, sandbox)
			require.Zero(t, released)
			opening.Close()
			require.Equal(t, 1, released)
		})
	}
}

// Whoever catches it has no sandbox to destroy.
func TestAPanicInAnEnginesOwnPartKeepsNoEngine(t *testing.T) {
	released := 0
	opening := container.NewOpening(func() { released++ })
	require.PanicsWithValue(t, "thrown", func() {
		_, _ = opening.Create(t.Context(), container.NewID(), configSpec(), func(*container.Lifecycle) (container.Sandbox, error) { panic("thrown") })
	})
	opening.Close()
	require.Equal(t, 1, released)
}

// A run that ends after somebody has removed what it ran in has nothing to show.
func TestNoCallComesBetweenAnother(t *testing.T) {
	never := func(context.Context) error { panic("two at once") }
	life := container.NewLifecycle(container.NewID(), nil)
	exit, err := life.Run(allStreams(), func() (container.Exit, error) {
		require.ErrorIs(t, life.Destroy(t.Context(), never), container.ErrInUse)
		_, err := life.Run(allStreams(), func() (container.Exit, error) { return container.Exit{}, never(t.Context()) })
		require.ErrorIs(t, err, container.ErrInUse)
		_, err = life.Output(t.Context(), func() (*os.Root, error) { return nil, never(t.Context()) })
		require.ErrorIs(t, err, container.ErrInUse)
		return container.Exit{Code: 3}, nil
	})
	require.NoError(t, err)
	require.Equal(t, 3, exit.Code)
	require.NoError(t, life.Destroy(t.Context(), func(context.Context) error {
		require.ErrorIs(t, life.Destroy(t.Context(), never), container.ErrInUse)
		return nil
	}))
	_, err = life.Output(t.Context(), func() (*os.Root, error) { return nil, never(t.Context()) })
	require.ErrorIs(t, err, container.ErrDestroyed)
}

func TestARunThatIsDestroyedFromElsewhereIsNotEnded(t *testing.T) {
	life := container.NewLifecycle(container.NewID(), nil)
	destroyed := make(chan error)
	_, err := life.Run(allStreams(), func() (container.Exit, error) {
		go func() { destroyed <- life.Destroy(t.Context(), func(context.Context) error { return nil }) }()
		return container.Exit{}, <-destroyed
	})
	require.ErrorIs(t, err, container.ErrInUse)
	require.NoError(t, life.Destroy(t.Context(), func(context.Context) error { return nil }))
}

func TestACallAfterOneThatPanickedIsNotInItsWay(t *testing.T) {
	life := container.NewLifecycle(container.NewID(), nil)
	require.Panics(t, func() { _ = life.Destroy(t.Context(), func(context.Context) error { panic("thrown") }) })
	require.NoError(t, life.Destroy(t.Context(), func(context.Context) error { return nil }))
}

// A process that lives on holds the locks of what it could not destroy: nobody else sweeps it.
func TestWhatCouldNotBeDestroyedIsTriedAgain(t *testing.T) {
	released := 0
	opening := container.NewOpening(func() { released++ })
	busy, broken := errors.New("device is busy"), errors.New("broken host")
	tries := 0
	remove := func(ctx context.Context) error {
		if tries++; tries <= 2 {
			return busy
		}
		_, bounded := ctx.Deadline()
		require.True(t, bounded)
		return ctx.Err()
	}
	_, err := opening.Create(t.Context(), container.NewID(), configSpec(), func(life *container.Lifecycle) (container.Sandbox, error) {
		return nil, errors.Join(broken, life.Destroy(t.Context(), remove))
	})
	require.ErrorIs(t, err, busy)
	gone, err := opening.DestroyLeft(t.Context())
	require.ErrorIs(t, err, busy)
	require.Zero(t, gone)
	gone, err = opening.DestroyLeft(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, gone)
	gone, err = opening.DestroyLeft(t.Context())
	require.NoError(t, err)
	require.Zero(t, gone)
	require.Equal(t, 3, tries)
	opening.Close()
	require.Equal(t, 1, released)
}

func TestADestroyThatPanickedIsTriedAgain(t *testing.T) {
	opening := container.NewOpening(func() {})
	tries := 0
	require.Panics(t, func() {
		_, _ = opening.Create(t.Context(), container.NewID(), configSpec(), func(life *container.Lifecycle) (container.Sandbox, error) {
			return nil, life.Destroy(t.Context(), func(context.Context) error {
				if tries++; tries == 1 {
					panic("thrown")
				}
				return nil
			})
		})
	})
	gone, err := opening.DestroyLeft(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, gone)
}

func TestWhatSomebodyIsDestroyingIsLeftToHim(t *testing.T) {
	opening := container.NewOpening(func() {})
	_, err := opening.Create(t.Context(), container.NewID(), configSpec(), func(life *container.Lifecycle) (container.Sandbox, error) {
		return nil, life.Destroy(t.Context(), func(context.Context) error {
			gone, err := opening.DestroyLeft(t.Context())
			require.NoError(t, err)
			require.Zero(t, gone)
			return nil
		})
	})
	require.NoError(t, err)
}
