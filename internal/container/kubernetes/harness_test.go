package kubernetes

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/job"
)

const (
	testRegistry = "registry.test"
	testManifest = `{"version":1}`
)

var testBundle = digest.Of([]byte(testManifest))

// testArtifacts are one image and one bundle.
type testArtifacts struct{ image, bundle, manifest digest.Digest }

func (a testArtifacts) Image(_ context.Context, sum digest.Digest) (string, error) {
	if sum != a.image {
		return "", fmt.Errorf("image %s is not here", sum)
	}
	return "amd64", nil
}

func (a testArtifacts) Bundle(_ context.Context, sum digest.Digest) (digest.Digest, error) {
	if sum != a.bundle {
		return "", fmt.Errorf("bundle %s is not here", sum)
	}
	return a.manifest, nil
}

func run(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %v: %w: %s", name, args, err, out)
	}
	return nil
}

var prepared = sync.OnceValues(func() (testArtifacts, error) {
	dir := os.Getenv("HOTCELL_TEST_IMAGE")
	store, err := image.OpenStore(dir)
	if err != nil {
		return testArtifacts{}, err
	}
	built, err := store.Resolve("python-analysis")
	if err != nil {
		return testArtifacts{}, err
	}
	found, err := store.OCIImage(built.Digest)
	if err != nil {
		return testArtifacts{}, err
	}
	if err := importImage(found, "sandbox"); err != nil {
		return testArtifacts{}, err
	}
	bundle, err := bundleImage()
	if err != nil {
		return testArtifacts{}, err
	}
	sum, err := bundle.Digest()
	if err != nil {
		return testArtifacts{}, err
	}
	return testArtifacts{built.Digest, testBundle, digest.Digest(sum.String())}, importImage(bundle, "bundle")
})

func bundleImage() (v1.Image, error) {
	var content bytes.Buffer
	writer := tar.NewWriter(&content)
	_ = writer.WriteHeader(&tar.Header{Name: "bundle.json", Mode: 0o444, Size: int64(len(testManifest))})
	_, _ = io.WriteString(writer, testManifest)
	_ = writer.Close()
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content.Bytes())), nil })
	if err != nil {
		return nil, err
	}
	base, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{Architecture: "amd64", OS: "linux"})
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(base, layer)
}

func importImage(found v1.Image, repository string) error {
	sum, err := found.Digest()
	if err != nil {
		return err
	}
	state := os.Getenv("HOTCELL_TEST_CLUSTER")
	ctr := []string{"-a", filepath.Join(state, "ctrd/sock"), "-n", "k8s.io"}
	reference := testRegistry + "/" + repository + "@" + sum.String()
	out, _ := exec.Command(state+"/../bin1/ctr", append(ctr, "images", "ls", "-q", "name=="+reference)...).Output()
	if len(bytes.TrimSpace(out)) > 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "hotcell-kube")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	archive := filepath.Join(dir, "image.tar")
	layout := filepath.Join(dir, "layout")
	if err := writeLayout(layout, found, reference); err != nil {
		return err
	}
	if err := run("tar", "-C", layout, "-cf", archive, "."); err != nil {
		return err
	}
	return run(state+"/../bin1/ctr", append(ctr, "images", "import", "--local", archive)...)
}

func newHarness(t *testing.T) (testArtifacts, func(*testing.T) container.Engine) {
	t.Helper()
	if os.Getenv("HOTCELL_TEST_CLUSTER") == "" {
		t.Skip("no cluster")
	}
	found, err := prepared()
	require.NoError(t, err)
	name, content, err := NodeProfile(containertest.WeakSeccomp())
	require.NoError(t, err)
	path := filepath.Join(os.Getenv("HOTCELL_TEST_CLUSTER"), "kubelet/seccomp", name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, content, 0o644))
	return found, func(t *testing.T) container.Engine {
		engine, err := New(Options{
			Settings: Settings{Version: 1, Namespace: "lead", Registry: testRegistry}, StateDir: t.TempDir(), Artifacts: found,
		})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, engine.Close()) })
		learn(t, engine, found)
		return engine
	}
}

var optional = []string{
	container.ControlCgroupNamespace, container.ControlOutputInodes, container.ControlMountOptions,
	container.ControlAppArmor, container.ControlLandlock,
}

var learnt struct {
	sync.Mutex
	host container.Host
}

// learn gives an engine what one before it was told of this cluster's nodes.
func learn(t *testing.T, engine *Engine, found testArtifacts) {
	t.Helper()
	learnt.Lock()
	defer learnt.Unlock()
	if learnt.host.Engine == "" {
		made, err := engine.Create(t.Context(), container.NewID(), testSpec(found))
		require.NoError(t, err)
		learnt.host = made.(*sandbox).Host()
		require.NoError(t, made.Destroy(t.Context()))
	}
	engine.remember("", learnt.host)
}

func testSpec(found testArtifacts) container.Spec {
	return container.Spec{
		Image: found.image, Optional: optional, Command: []string{"/usr/bin/python3"}, Environment: []string{"PATH=/usr/bin", "HOME=/tmp"},
		Seccomp: containertest.WeakSeccomp(), Limits: job.Limits{
			MemoryBytes: 128 << 20, PIDs: 32, CPUMillis: 1000, WallClock: time.Minute, CPUTime: time.Minute, OpenFiles: 64,
			ScratchBytes: 4 << 20, OutputBytes: 4 << 20, OutputFiles: 64, StdoutBytes: 1 << 20, StderrBytes: 1 << 20, CodeBytes: 1 << 20,
		},
	}
}

// killCommand ends what exec has started. The first process of its namespace is another.
func killCommand(marker string) error {
	pids, err := containertest.HostProcesses(marker)
	for _, pid := range pids {
		err = errors.Join(err, unix.Kill(pid, unix.SIGKILL))
	}
	return err
}

func TestBehaviour(t *testing.T) {
	found, engine := newHarness(t)
	containertest.Run(t, containertest.Harness{
		New: engine,
		Spec: func(*testing.T) container.Spec {
			return container.Spec{Image: found.image, Bundle: testBundle, Optional: optional}
		},
		Bundle:     containertest.BundleFile{Path: "/bundle/bundle.json", Content: testManifest},
		Processes:  containertest.HostProcesses,
		Kill:       killCommand,
		LoopbackUp: true,
		// A pod keeps it, too, for a runner that is gone; here others are made meanwhile.
		Limits:        func(limits *job.Limits) { limits.WallClock = 10 * time.Minute },
		Besides:       []int{1},
		PIDsUncounted: true,
		Absent:        []string{container.ControlOutputInodes, container.ControlMountOptions},
		LeftOut: map[string]string{
			"limits/output_files refuses files":            "a volume has no cap of inodes",
			"limits/scratch refuses files":                 "a volume has no cap of inodes",
			"identity/mounts are nosuid, nodev, noexec":    "Kubernetes has no field for them",
			"streams/stdin that nobody reads is no fault":  "exec does not tell the end of a command that has left megabytes unread",
			"isolation//sys is empty":                      "containers of pods have it, read-only",
			"exit/exit code 137 is the program's":          "to a cluster it is SIGKILL",
			"hold/nothing changes while a sandbox is held": "Kubernetes freezes no container",
			"hold/a sandbox that was held goes on":         "Kubernetes freezes no container",
			"hold/a held sandbox is killed":                "Kubernetes freezes no container",
		},
	})
}
