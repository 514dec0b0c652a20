package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/beneath"
	"hotcell/internal/bundle"
	"hotcell/tests/vectors"
)

func TestManifestsAreJudgedByEachVector(t *testing.T) {
	classes := []string{vectors.Accepted}
	for _, fault := range bundle.ManifestFaults() {
		classes = append(classes, string(fault))
	}
	vectors.Run(t, vectors.Load(t, "bundles"), classes, func(t *testing.T, vector vectors.Vector) string {
		_, err := bundle.ParseManifest(vector.Bytes(t))
		if err == nil {
			return vectors.Accepted
		}
		fault, ok := errors.AsType[*bundle.FaultError](err)
		require.True(t, ok)
		require.Len(t, fault.Manifest, 1, "it breaks one rule: %s", err)
		return string(fault.Manifest[0])
	})
}

func TestAFaultyManifestIsNotAdded(t *testing.T) {
	store, dir := openStore(t)
	src := source(t)
	path := filepath.Join(src, bundle.ManifestName)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	overwrite(t, path, strings.Replace(string(data), "README.md", "../README.md", 1))
	_, err = store.Add(t.Context(), src)
	requireFault(t, err, "leads out")
	require.Empty(t, visible(t, dir))
}

func TestManifestCutAnywhereIsRefused(t *testing.T) {
	store, _ := openStore(t)
	src := source(t)
	path := filepath.Join(src, bundle.ManifestName)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for length := 0; length < len(data)-1; length += 7 {
		overwrite(t, path, string(data[:length]))
		_, err := store.Add(t.Context(), src)
		requireFault(t, err, bundle.ManifestName)
	}
}

func TestManyFaultsMakeOneSentence(t *testing.T) {
	manifest := bundle.Manifest{Version: 2}
	for range 100 {
		manifest.Files = append(manifest.Files, bundle.DataFile{Path: "\x1b"})
	}
	err := manifest.Validate()
	requireFault(t, err, "and 99 more")
	require.Less(t, len(err.Error()), 2000)
}

func FuzzManifest(f *testing.F) {
	for _, vector := range vectors.Load(f, "bundles") {
		f.Add(vector.Bytes(f))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		manifest, err := bundle.ParseManifest(data)
		if err != nil {
			var fault *bundle.FaultError
			require.ErrorAs(t, err, &fault)
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), "\x1b")
			return
		}
		for _, file := range manifest.Files {
			require.NoError(t, beneath.CheckPath(file.Path))
			require.True(t, filepath.IsLocal(file.Path))
		}
	})
}
