package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
	"hotcell/tests/meddler"
)

// sampleImage is as much of an image as a sample is made of.
func sampleImage(t *testing.T) string {
	t.Helper()
	rootfs := t.TempDir()
	for _, sample := range samples {
		path := filepath.Join(rootfs, datasets, sample.path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("id,value\n1,2\n"), 0o644))
	}
	return rootfs
}

func TestASampleIsABundle(t *testing.T) {
	rootfs, dir := sampleImage(t), filepath.Join(t.TempDir(), "sample")
	made, err := deliverSample(t.Context(), rootfs, dir)
	require.NoError(t, err)
	require.Len(t, made.Manifest.Files, 2)
	require.FileExists(t, filepath.Join(dir, bundle.ManifestName))
	_, err = deliverSample(t.Context(), rootfs, dir)
	require.ErrorContains(t, err, "name a directory that does not exist yet")
	_, err = deliverSample(t.Context(), rootfs, filepath.Join(dir, "absent", "sample"))
	require.ErrorContains(t, err, "create its parent")
}

// TestASampleGoesNowhereElse has somebody exchange what gets the sample's name with
// directories of ours, for as long as samples are made and fail.
func TestASampleGoesNowhereElse(t *testing.T) {
	rootfs, shared, victim := sampleImage(t), t.TempDir(), t.TempDir()
	require.NoError(t, os.Chmod(shared, 0o777))
	at := func(name string) string { return filepath.Join(shared, name) }
	require.NoError(t, os.Mkdir(at("earlier"), 0o755))
	require.NoError(t, os.WriteFile(at("earlier/results"), []byte("precious"), 0o644))
	require.NoError(t, os.Symlink("nowhere", at("earlier/link"))) // no bundle can be made there
	require.NoError(t, os.Symlink(victim, at("link")))
	stop := meddler.Start(t, func(n int) {
		_ = unix.Renameat2(unix.AT_FDCWD, at("sample"), unix.AT_FDCWD, at([]string{"earlier", "link"}[n%2]), unix.RENAME_EXCHANGE)
	})
	for range 100 {
		_, _ = deliverSample(t.Context(), rootfs, at("sample"))
		_ = os.Rename(at("sample"), at("earlier"))
		_ = os.Remove(at("sample"))
		if _, err := os.Lstat(at("link")); err != nil {
			_ = os.Symlink(victim, at("link"))
		}
	}
	stop()
	found, err := filepath.Glob(at("*/results"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	entries, err := os.ReadDir(victim)
	require.NoError(t, err)
	require.Empty(t, entries)
}
