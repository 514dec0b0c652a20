package bundle_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

func write(t testing.TB, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

func attestation() bundle.Deidentification {
	return bundle.Deidentification{
		Method: bundle.SafeHarbor, AttestedBy: "Ada Example", AttestedOn: "2026-01-31", Statement: "All 18 classes were removed.",
	}
}

func options(dir string) bundle.CreateOptions {
	return bundle.CreateOptions{Dir: dir, Name: "visits", Version: "1.0", Study: "IRB 2026-17", Deidentification: attestation()}
}

// source is a directory with a bundle of three files.
func source(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "data/visits.csv", "id,age\n1,40\n")
	write(t, dir, "patients.jsonl", "{\"id\":1}\n")
	write(t, dir, "README.md", "What this is.\n")
	_, err := bundle.Create(t.Context(), options(dir))
	require.NoError(t, err)
	return dir
}

func openStore(t testing.TB) (*bundle.Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundles")
	store, err := bundle.OpenStore(dir)
	require.NoError(t, err)
	return store, dir
}

func add(t testing.TB, store *bundle.Store, dir string) bundle.Bundle {
	t.Helper()
	added, err := store.Add(t.Context(), dir)
	require.NoError(t, err)
	return added
}

// requireFault wants an error that is the user's to mend, in one line.
func requireFault(t testing.TB, err error, contains string) {
	t.Helper()
	require.ErrorContains(t, err, contains)
	var fault *bundle.FaultError
	require.ErrorAs(t, err, &fault)
	require.NotContains(t, err.Error(), "\n")
}

func visible(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	list := []string{}
	for _, entry := range entries {
		if entry.Name() != ".lock" {
			list = append(list, entry.Name())
		}
	}
	return list
}

// untyped is the manifest of a bundle as it was when tables had no types.
func untyped(t testing.TB, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, bundle.ManifestName))
	require.NoError(t, err)
	text := regexp.MustCompile(`(?s),\n      "schema": \{.*?\n      \}`).ReplaceAllString(string(data), "")
	return strings.Replace(text, `"version": 2`, `"version": 1`, 1)
}
