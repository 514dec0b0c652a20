package image

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// foreign is an architecture that is not this machine's.
func foreign() string {
	if runtime.GOARCH == "arm64" {
		return "amd64"
	}
	return "arm64"
}

// Where the host emulates other architectures, a foreign image starts, and what it does
// are the emulator's system calls: nothing of the filter's holds.
func TestAnImageOfAnotherArchitectureIsNotRun(t *testing.T) {
	store := newStore(t)
	other := addImageFor(t, store, "one", foreign())
	require.Equal(t, foreign(), other.Architecture)

	_, errRootfs := store.Rootfs(t.Context(), other.Digest)
	_, errImage := store.OCIImage(other.Digest)
	_, errName := store.Resolve(other.Name)
	for _, err := range []error{errRootfs, errImage, errName} {
		require.ErrorContains(t, err, "is for "+foreign()+", and this machine is "+runtime.GOARCH+": run: runner image build")
	}
	require.NoDirExists(t, store.rootfsPath(other.Digest))

	named, err := store.Resolve(other.Digest.String())
	require.NoError(t, err)
	require.Equal(t, other, named)
	sbom, err := store.SBOM(other.Digest)
	require.NoError(t, err)
	require.NotEmpty(t, sbom)
	require.NoError(t, store.Verify(t.Context(), other.Digest))
}

// The index is not covered by a digest: whoever edits it moves a name, and no more.
func TestTheIndexDoesNotDecideTheArchitecture(t *testing.T) {
	store := newStore(t)
	other := addImageFor(t, store, "one", foreign())
	entry, err := store.find(other.Digest.String(), "")
	require.NoError(t, err)
	entry.Platform.Architecture = runtime.GOARCH
	require.NoError(t, store.enter(entry))

	found, err := store.Resolve(other.Name)
	require.NoError(t, err)
	_, err = store.Rootfs(t.Context(), found.Digest)
	require.ErrorContains(t, err, "is for "+foreign())
}

func TestAnImageForAnotherMachineLeavesTheNameToThisOnes(t *testing.T) {
	store := newStore(t)
	own := addImage(t, store, "one")
	other := addImageFor(t, store, "one", foreign())
	require.NotEqual(t, own.Digest, other.Digest, "the digest covers the architecture")

	found, err := store.Resolve(own.Name)
	require.NoError(t, err)
	require.Equal(t, own, found)
	found, err = store.ResolveFor(own.Name, foreign())
	require.NoError(t, err)
	require.Equal(t, other, found)

	newer := addImageFor(t, store, "two", foreign())
	images, err := store.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{own.Name, "", newer.Name}, []string{images[0].Name, images[1].Name, images[2].Name})
}
