package bundle_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

// BenchmarkBeforeARun is what a run pays for its bundle: looked up and checked, beside
// the hash that the first one pays.
func BenchmarkBeforeARun(b *testing.B) {
	for _, size := range []struct {
		name  string
		files int
		bytes int
	}{{"three files", 3, 4 << 10}, {"500 files", 500, 4 << 10}, {"one of 500 MB", 1, 500 << 20}} {
		store, added := filled(b, size.files, size.bytes)
		b.Run(size.name+"/hashed", func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, store.Verify(b.Context(), added.Digest))
			}
		})
		b.Run(size.name+"/sealed", func(b *testing.B) {
			for b.Loop() {
				found, err := store.Lookup(b.Context(), "visits")
				require.NoError(b, err)
				require.NoError(b, store.Check(b.Context(), found.Digest))
			}
		})
	}
}

func filled(b *testing.B, files, size int) (*bundle.Store, bundle.Bundle) {
	dir := b.TempDir()
	for n := range files {
		require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.bin", n)), bytes.Repeat([]byte{byte(n)}, size), 0o644))
	}
	_, err := bundle.Create(b.Context(), options(dir))
	require.NoError(b, err)
	store, _ := openStore(b)
	added := add(b, store, dir)
	store.LookAt(time.Now().Add(time.Hour))
	require.NoError(b, store.Check(b.Context(), added.Digest))
	require.True(b, store.Sealed(added.Digest))
	return store, added
}
