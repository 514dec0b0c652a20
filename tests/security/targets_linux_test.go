package security_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/container"
	"hotcell/internal/container/docker"
	"hotcell/internal/container/oci"
	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/image/imagetest"
	"hotcell/internal/job"
	"hotcell/internal/seccomp"
	"hotcell/policies"
)

// target is an engine under attack, and a Spec with the shipped seccomp profile.
// The driver sets Command.
type target struct {
	engine container.Engine
	spec   container.Spec
}

// targets opens every engine that this host should have.
func targets() map[string]func(*testing.T) target {
	return map[string]func(*testing.T) target{
		"oci with crun": func(t *testing.T) target { return openOCI(t, "crun") },
		"oci with runc": func(t *testing.T) target { return openOCI(t, "runc") },
		"docker":        openDocker,
	}
}

func openOCI(t *testing.T, runtime string) target {
	t.Helper()
	_, spec := prepare(t)
	engine, err := oci.New(oci.Options{
		StateDir: t.TempDir(), Runtime: runtime, Images: images{spec.Image, testRootfs(t)}, Bundles: bundles(t.TempDir()),
		Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	require.NoError(t, err)
	return usable(t, target{engine, spec})
}

func openDocker(t *testing.T) target {
	t.Helper()
	store, spec := prepare(t)
	engine, err := docker.New(docker.Options{StateDir: t.TempDir(), Images: store, Bundles: bundles(t.TempDir())})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, engine.Close()) })
	return usable(t, target{engine, spec})
}

// usable skips an engine that is not here.
func usable(t *testing.T, target target) target {
	t.Helper()
	if _, err := target.engine.Probe(t.Context(), target.spec.Runtime); err != nil {
		lacking(t, err.Error())
	}
	return target
}

// images has the root file system of one image, verified once: the store would look at
// each of its files before every attack.
type images struct {
	digest digest.Digest
	rootfs string
}

func (i images) Rootfs(_ context.Context, sum digest.Digest) (string, error) {
	if sum != i.digest {
		return "", errors.New("no such image")
	}
	return i.rootfs, nil
}

const bundleDigest = "sha256:00000000000000000000000000000000000000000000000000000000000000b0"

// bundles is the directory of the one bundle there is.
type bundles string

func (b bundles) Path(sum digest.Digest) (string, error) {
	if sum != bundleDigest {
		return "", errors.New("no such bundle")
	}
	return string(b), nil
}

// prepare finds the image and the profile that are shipped.
func prepare(t *testing.T) (*image.Store, container.Spec) {
	t.Helper()
	if os.Geteuid() != 0 {
		lacking(t, "needs root")
	}
	store, built := imagetest.Built(t)
	source, err := policies.Files.ReadFile("seccomp/python-analysis.json")
	require.NoError(t, err)
	profile, err := seccomp.Load("python-analysis", source)
	require.NoError(t, err)
	return store, container.Spec{
		Image: built.Digest, Bundle: bundleDigest, Seccomp: profile.OCI(), Environment: pythonanalysis.Environment(container.ScratchDir, 1),
		// Not every Docker daemon maps users. No attack may succeed for want of it.
		Optional: append(container.ExtraControls(), container.ControlUserNamespace),
		Limits: job.Limits{
			MemoryBytes: 256 << 20, PIDs: 32, CPUMillis: 1000, WallClock: time.Minute, CPUTime: time.Minute,
			OpenFiles: 64, ScratchBytes: 16 << 20, OutputBytes: 16 << 20, OutputFiles: 64,
			StdoutBytes: 1 << 20, StderrBytes: 1 << 20, CodeBytes: 1 << 20,
		},
	}
}

func testRootfs(t *testing.T) string {
	t.Helper()
	return imagetest.Rootfs(t)
}
