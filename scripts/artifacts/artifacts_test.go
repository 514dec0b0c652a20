package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/require"
)

func TestVersionsAreComparedByNumbers(t *testing.T) {
	for _, order := range [][2]string{{"2.4", "2.34"}, {"2.34", "2.34.1"}, {"", "2.2.5"}, {"2.36", "3"}, {"PRIVATE", "2.2.5"}} {
		require.Negative(t, compareVersions(order[0], order[1]), order)
		require.Positive(t, compareVersions(order[1], order[0]), order)
	}
	require.Zero(t, compareVersions("2.34", "2.34"))
}

// TestABillListsWhatTheBinaryHas reads this program's own binary.
func TestABillListsWhatTheBinaryHas(t *testing.T) {
	own := filepath.Join(t.TempDir(), "artifacts")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", own, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1") // it loads glibc, as the runner does
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	var bill bytes.Buffer
	require.NoError(t, writeBill(&bill, own, "v0.0.7", time.Unix(7, 0).UTC()))
	var read struct {
		Metadata   struct{ Timestamp string }
		Components []struct{ Name, Version, Purl string }
	}
	require.NoError(t, json.Unmarshal(bill.Bytes(), &read))
	require.Equal(t, "1970-01-01T00:00:07Z", read.Metadata.Timestamp)
	names := map[string]string{}
	for _, one := range read.Components {
		names[one.Name] = one.Purl
	}
	require.Contains(t, names["github.com/CycloneDX/cyclonedx-go"], "pkg:golang/github.com/CycloneDX/cyclonedx-go@v")
	require.Contains(t, names["std"], "pkg:golang/std@1.")
	require.Contains(t, names, "libc.so.6")
}

// forEverybody are the names of what everybody may write, with the sticky bit.
func forEverybody(t *testing.T, layer []byte) (found []string) {
	t.Helper()
	for archive := tar.NewReader(bytes.NewReader(layer)); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		if header.Mode&0o022 != 0 {
			require.EqualValues(t, 0o1777, header.Mode, header.Name)
			found = append(found, header.Name)
		}
	}
}

func TestAnImageIsTheSameEachTimeAndForOthers(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "usr/bin"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, "usr/bin/runner"), []byte("program"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "usr/readme"), []byte("text"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(root, "tmp"), 0o700))
	of := imageOf{root: root, architecture: "arm64", version: "v0.0.7", made: time.Unix(7, 0).UTC()}
	layer, err := of.layer()
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(layer, make([]byte, 1024)), "the archive has its end, without which tar refuses it")
	require.Equal(t, []string{"tmp/"}, forEverybody(t, layer))
	first := filepath.Join(t.TempDir(), "first.tar")
	require.NoError(t, writeImage(of, first))
	require.NoError(t, os.Chtimes(filepath.Join(root, "usr/readme"), time.Unix(9, 0), time.Unix(9, 0)))
	second := filepath.Join(t.TempDir(), "second.tar")
	require.NoError(t, writeImage(of, second))
	one, err := os.ReadFile(first)
	require.NoError(t, err)
	other, err := os.ReadFile(second)
	require.NoError(t, err)
	require.Equal(t, one, other)
	require.ErrorIs(t, writeImage(of, first), os.ErrExist, "nothing is replaced")

	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "blobs/sha256"), 0o755))
	for archive := tar.NewReader(bytes.NewReader(one)); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		content, err := io.ReadAll(archive)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, header.Name), content, 0o600))
	}
	index, err := layout.ImageIndexFromPath(dir)
	require.NoError(t, err)
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	image, err := index.Image(manifest.Manifests[0].Digest)
	require.NoError(t, err)
	require.NoError(t, validate.Image(image))
	config, err := image.ConfigFile()
	require.NoError(t, err)
	require.Equal(t, "arm64", config.Architecture)
	require.Equal(t, []string{"/usr/bin/runner"}, config.Config.Entrypoint)

	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(root, "link")))
	require.ErrorContains(t, writeImage(of, filepath.Join(t.TempDir(), "third.tar")), "files and directories alone")
}
