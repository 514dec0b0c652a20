package anchor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/anchor"
	"hotcell/internal/digest"
)

func TestOnlyALineOfTheTreeIsIncluded(t *testing.T) {
	tree := anchor.NewTree()
	for n := range 7 {
		require.NoError(t, tree.Add(fmt.Append(nil, "line ", n)))
	}
	checkpoint, err := anchor.Of(tree, digest.Hex(strings.Repeat("a", 64)))
	require.NoError(t, err)
	for n := range int64(7) {
		hashes, err := tree.Inclusion(n)
		require.NoError(t, err)
		require.True(t, checkpoint.Includes(n, fmt.Append(nil, "line ", n), hashes))
		require.False(t, checkpoint.Includes(n, fmt.Append(nil, "line ", n+1), hashes))
		require.False(t, checkpoint.Includes((n+1)%7, fmt.Append(nil, "line ", n), hashes))
		require.False(t, checkpoint.Includes(n, fmt.Append(nil, "line ", n), hashes[1:]))
		require.False(t, checkpoint.Includes(n-7, fmt.Append(nil, "line ", n), hashes))
		require.False(t, checkpoint.Includes(n+7, fmt.Append(nil, "line ", n), hashes))
	}
}
