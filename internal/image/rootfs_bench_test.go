package image

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkBeforeARun is what a run pays for its image, of which nothing has changed:
// found by its name, opened, and looked at, by itself or with those before it.
func BenchmarkBeforeARun(b *testing.B) {
	dir := os.Getenv("HOTCELL_TEST_IMAGE")
	if dir == "" {
		dir = "/var/lib/hotcell/images"
	}
	if os.Geteuid() != 0 {
		b.Skip("needs root")
	}
	store, err := OpenStore(dir)
	require.NoError(b, err)
	built, err := store.Resolve("python-analysis")
	if err != nil {
		b.Skip("needs the image, see `make image`")
	}
	recent := NewRecent(store, time.Hour)
	for _, each := range []struct {
		name string
		do   func() error
	}{
		{"Resolve", func() error { _, err := store.Resolve("python-analysis"); return err }},
		{"OCIImage", func() error { _, err := store.OCIImage(built.Digest); return err }},
		{"Rootfs", func() error { _, err := store.Rootfs(b.Context(), built.Digest); return err }},
		{"Recent.Rootfs", func() error { _, err := recent.Rootfs(b.Context(), built.Digest); return err }},
	} {
		b.Run(each.name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, each.do())
			}
		})
	}
}
