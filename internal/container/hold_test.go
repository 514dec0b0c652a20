package container_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// still is a sandbox that is held whenever it may be.
func still(t *testing.T) container.Freezer {
	nothing := func(context.Context) error { return nil }
	return container.Freezer{
		Freeze: nothing, Still: nothing, Thaw: nothing,
		Open: func(context.Context) (*os.Root, error) { return os.OpenRoot(t.TempDir()) },
	}
}

// What a program has written may be known before it is where it is held.
func TestAHoldWaitsUntilTheSandboxHasBeenChecked(t *testing.T) {
	for name, test := range map[string]struct {
		run  func(*container.Lifecycle) error
		want error
	}{
		"and is given":                           {func(life *container.Lifecycle) error { life.Holdable(); return nil }, nil},
		"and is refused where that went wrong":   {func(*container.Lifecycle) error { return errors.New("in another group") }, container.ErrNotRunning},
		"and is refused where it ended before":   {func(*container.Lifecycle) error { return nil }, container.ErrNotRunning},
		"and is refused where it is killed then": {func(life *container.Lifecycle) error { return life.EndHold(t.Context()) }, container.ErrNotRunning},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				life := container.NewLifecycle(container.NewID(), nil)
				held := make(chan error)
				_, _ = life.Run(allStreams(), func() (container.Exit, error) {
					go func() {
						taken, err := life.Hold(context.Background(), still(t))
						if err == nil {
							err = taken.Release(context.Background())
						}
						held <- err
					}()
					synctest.Wait()
					select {
					case err := <-held:
						t.Errorf("it did not wait: %v", err)
					default:
					}
					err := test.run(life)
					if err == nil && test.want == nil {
						require.NoError(t, <-held)
						held = nil
					}
					return container.Exit{}, err
				})
				if held != nil {
					require.ErrorIs(t, <-held, test.want)
				}
			})
		})
	}
}
