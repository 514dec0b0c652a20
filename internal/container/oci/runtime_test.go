//go:build linux

package oci

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// A command that runs cold hears it from New, and one that asks an engine process from Probe.
func TestAnUnknownRuntimeIsToldInTheSameWords(t *testing.T) {
	options := host{state: t.TempDir(), runtime: "crun"}.options()
	engine, err := New(options)
	require.NoError(t, err)
	_, probed := engine.Probe(t.Context(), "nosuch")
	require.NoError(t, engine.Close())
	options.Runtime = "nosuch"
	_, made := New(options)
	require.ErrorIs(t, made, container.ErrUnknownRuntime)
	require.ErrorIs(t, probed, container.ErrUnknownRuntime)
	require.EqualError(t, probed, made.Error())
}
