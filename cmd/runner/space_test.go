package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDoctorTellsOfTwoFileSystems(t *testing.T) {
	a := &app{state: t.TempDir()}
	require.Empty(t, a.apart())
	require.NoError(t, os.Mkdir(filepath.Join(a.state, "images"), 0o700))
	require.Empty(t, a.apart())
	require.NoError(t, os.Mkdir(filepath.Join(a.state, "bundles"), 0o700))
	require.Empty(t, a.apart())
	require.NoError(t, os.Remove(filepath.Join(a.state, "bundles")))
	require.NoError(t, os.Symlink("/dev", filepath.Join(a.state, "bundles"))) // which is one of its own
	found := a.apart()
	require.Len(t, found, 1)
	require.Contains(t, found[0].Advice, "its runs begin cold: have both on one file system")
}
