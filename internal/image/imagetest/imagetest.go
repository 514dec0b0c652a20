// Package imagetest finds the built image for the tests that need one.
//
// It decides where a test looks: in the store that HOTCELL_TEST_IMAGE names, else in
// the one that `make image` fills. Nothing else that a test runs comes from outside
// of the repository. It builds nothing, and is called by tests alone.
package imagetest

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/image"
)

// Name is the image that the policies name.
const Name = "python-analysis"

// Dir is the directory of the image store.
func Dir() string { return cmp.Or(os.Getenv("HOTCELL_TEST_IMAGE"), "/var/lib/hotcell/images") }

// Lacking skips a test that cannot run on this host, or fails it where everything is
// required: in CI a skip is a failure.
func Lacking(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// Require is Lacking where there is no built image, or no root to run it.
func Require(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		Lacking(t, "needs root")
	}
	if _, err := os.Stat(filepath.Join(Dir(), "index.json")); err != nil {
		Lacking(t, "needs the image, see `make image`: "+err.Error())
	}
}

// Built is the store and the newest image in it.
func Built(t testing.TB) (*image.Store, image.Image) {
	t.Helper()
	Require(t)
	store, err := image.OpenStore(Dir())
	require.NoError(t, err)
	built, err := store.Resolve(Name)
	require.NoError(t, err)
	return store, built
}

// Rootfs is the built image's root file system. It belongs to every run on this host:
// whoever has to write to it lays something over it.
func Rootfs(t testing.TB) string {
	t.Helper()
	store, built := Built(t)
	dir, err := store.Rootfs(t.Context(), built.Digest)
	require.NoError(t, err)
	return dir
}
