package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALinkInTheWayIsCalledOne(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(t.TempDir(), link))
	require.False(t, vacant(link))
	require.ErrorContains(t, occupied(link), "is a symbolic link")
	require.ErrorContains(t, occupied(dir), "is there, and not empty")
}
