//go:build linux

package oci

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// Each request names all its limits. One whose limits are the policy's own costs nothing.
func TestLimitsThatASandboxHasAreNotWrittenAgain(t *testing.T) {
	made := prepared{&sandbox{id: container.NewID(), spec: spec()}} // without a group that could be written to
	before := made.spec.Enforced()
	require.NoError(t, made.Tighten(t.Context(), container.TightenedTo(before)))
	require.NoError(t, made.Tighten(t.Context(), container.Tightened{}))
	require.Equal(t, before, made.spec.Enforced())
	require.ErrorContains(t, made.Tighten(t.Context(), container.Tightened{PIDs: before.PIDs + 1}), "does not tighten")
}
