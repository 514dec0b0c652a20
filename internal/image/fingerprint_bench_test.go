package image

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkCheckBeforeARun is what the check costs that Rootfs makes each time, on
// the built image, beside one that finds nothing to compare.
func BenchmarkCheckBeforeARun(b *testing.B) {
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
	for b.Loop() {
		_, err := store.Rootfs(b.Context(), built.Digest)
		require.NoError(b, err)
	}
}
