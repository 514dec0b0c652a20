package container_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
)

func fakeEngine(t *testing.T) *fake.Engine {
	t.Helper()
	engine, err := fake.New(fake.Options{
		StateDir: t.TempDir(), Runtimes: []string{"other"},
		Program: func(container.Spec) fake.Program {
			return func(context.Context, fake.Stdio, *os.Root) container.Exit { return container.Exit{} }
		},
	})
	require.NoError(t, err)
	return engine
}

func TestColdMakesASandboxOfItsOwnEachTime(t *testing.T) {
	engine := fakeEngine(t)
	cold, spec := container.Cold{Engine: engine}, configSpec()
	spec.Runtime = "other"
	var ids []container.ID
	for range 2 {
		acquired, err := cold.Acquire(t.Context(), spec, container.Preparation{})
		require.NoError(t, err)
		require.False(t, acquired.Warm)
		require.Equal(t, "other 1", acquired.Host.Runtime)
		ids = append(ids, acquired.ID)
		defer func() { require.NoError(t, acquired.Sandbox.Destroy(context.Background())) }()
	}
	require.NotEqual(t, ids[0], ids[1])
	require.Equal(t, ids, engine.Live())
}

func failing(t *testing.T, call containertest.Call, err error) container.Cold {
	t.Helper()
	return container.Cold{Engine: containertest.NewFaulty(fakeEngine(t), containertest.Fault{Call: call, Err: err})}
}

func TestColdWithoutASandboxTellsWhatItKnows(t *testing.T) {
	broken := errors.New("broken host")
	acquired, err := failing(t, containertest.CallCreate, broken).Acquire(t.Context(), configSpec(), container.Preparation{})
	require.ErrorIs(t, err, broken)
	require.Equal(t, "fake", acquired.Host.Engine)
	require.Equal(t, container.Acquired{Host: acquired.Host}, acquired)

	acquired, err = failing(t, containertest.CallProbe, broken).Acquire(t.Context(), configSpec(), container.Preparation{})
	require.ErrorIs(t, err, broken)
	require.Zero(t, acquired)
}
