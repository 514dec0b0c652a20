package kubernetes

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/remotecommand"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/job"
	"hotcell/tests/cluster"
)

const (
	testRegistry = "registry.test"
	testManifest = `{"version":1}`
	// storeVariable names another image store than the command's default one.
	storeVariable = "HOTCELL_TEST_IMAGE"
)

var testBundle = digest.Of([]byte(testManifest))

// testArtifacts are one image and one bundle, which are on the node.
type testArtifacts struct {
	image, manifest digest.Digest
	architecture    string
}

// Image implements Artifacts.
func (a testArtifacts) Image(_ context.Context, sum digest.Digest) (string, error) {
	if sum != a.image {
		return "", fmt.Errorf("image %s is not here", sum)
	}
	return a.architecture, nil
}

// Bundle implements Artifacts.
func (a testArtifacts) Bundle(_ context.Context, sum digest.Digest) (digest.Digest, error) {
	if sum != testBundle {
		return "", fmt.Errorf("bundle %s is not here", sum)
	}
	return a.manifest, nil
}

// harness is a namespace of a cluster whose node has what sandboxes need.
type harness struct {
	cluster   *cluster.Cluster
	namespace string
	artifacts testArtifacts
}

func newHarness(t testing.TB) harness {
	t.Helper()
	h := harness{cluster: cluster.Require(t)}
	h.namespace = h.cluster.Namespace(t)
	client, err := coreclient.NewForConfig(h.cluster.Config)
	require.NoError(t, err)
	_, err = client.ServiceAccounts(h.namespace).Create(t.Context(), &corev1.ServiceAccount{
		ObjectMeta: metav1.ObjectMeta{Name: serviceAccount},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	h.artifacts = h.putArtifacts(t)
	h.putProfile(t)
	return h
}

// putProfile puts the suite's where the node finds it.
func (h harness) putProfile(t testing.TB) {
	t.Helper()
	name, content, err := NodeProfile(containertest.WeakSeccomp())
	require.NoError(t, err)
	h.cluster.PutSeccomp(t, name, content)
}

// putArtifacts puts the image and the bundle onto the node.
func (h harness) putArtifacts(t testing.TB) testArtifacts {
	t.Helper()
	store, err := image.OpenStore(cmp.Or(os.Getenv(storeVariable), "/var/lib/hotcell/images"))
	require.NoError(t, err)
	built, err := store.Resolve("python-analysis")
	require.NoError(t, err, "there is no image: build it with `runner image build`")
	found, err := store.OCIImage(built.Digest)
	require.NoError(t, err)
	config, err := found.ConfigFile()
	require.NoError(t, err)
	bundle := bundleImage(t)
	manifest, err := bundle.Digest()
	require.NoError(t, err)
	h.cluster.ImportImage(t, found, testRegistry+"/sandbox@"+built.Digest.String())
	h.cluster.ImportImage(t, bundle, testRegistry+"/bundle@"+manifest.String())
	return testArtifacts{image: built.Digest, manifest: digest.Digest(manifest.String()), architecture: config.Architecture}
}

// bundleImage is what a registry makes of a bundle with its manifest alone.
func bundleImage(t testing.TB) v1.Image {
	t.Helper()
	var content bytes.Buffer
	writer := tar.NewWriter(&content)
	require.NoError(t, writer.WriteHeader(&tar.Header{Name: "bundle.json", Mode: 0o444, Size: int64(len(testManifest))}))
	_, err := io.WriteString(writer, testManifest)
	require.NoError(t, errors.Join(err, writer.Close()))
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content.Bytes())), nil })
	require.NoError(t, err)
	base, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{Architecture: "amd64", OS: "linux"})
	require.NoError(t, err)
	made, err := mutate.AppendLayers(base, layer)
	require.NoError(t, err)
	return made
}

// engine makes one that has been told of this cluster's nodes.
func (h harness) engine(t *testing.T) *Engine {
	t.Helper()
	made := h.newEngine(t, t.TempDir())
	learnt.Lock()
	defer learnt.Unlock()
	if learnt.host.Engine == "" {
		first, err := made.Create(t.Context(), container.NewID(), h.spec())
		require.NoError(t, err)
		learnt.host = first.(*sandbox).Host()
		learnt.node, _, _, err = made.describe(t.Context(), h.cluster.NodeName)
		require.NoError(t, err)
		require.NoError(t, first.Destroy(t.Context()))
	}
	made.remember(loopbackRuntime, learnt.node, learnt.host)
	return made
}

// learnt is what was read back from the first pod: the node's for all of these tests.
var learnt struct {
	sync.Mutex
	host container.Host
	node *corev1.Node
}

func (h harness) newEngine(t testing.TB, state string) *Engine {
	t.Helper()
	made, err := New(Options{
		Settings: Settings{Version: 1, Namespace: h.namespace, Registry: testRegistry}, StateDir: state, Artifacts: h.artifacts,
		config: h.cluster.Config,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, made.Close()) })
	return made
}

// absent are the controls that no pod has, or none of this node.
var absent = []string{
	container.ControlCgroupNamespace, container.ControlOutputInodes, container.ControlMountOptions,
	container.ControlAppArmor, container.ControlLandlock,
}

// loopbackRuntime is the RuntimeClass of pods without an interface. The suite's profile allows
// sockets, so that it hides no other control: where a pod has an interface, no sandbox gets it.
const loopbackRuntime = "loopback"

func (h harness) spec() container.Spec {
	spec := testSpec(h.artifacts)
	spec.Runtime = loopbackRuntime
	return spec
}

// testSpec runs nothing.
func testSpec(found testArtifacts) container.Spec {
	return container.Spec{
		Image: found.image, Optional: absent, Command: []string{"/usr/bin/python3"}, Environment: []string{"PATH=/usr/bin", "HOME=/tmp"},
		Seccomp: containertest.WeakSeccomp(), Limits: job.Limits{
			MemoryBytes: 128 << 20, PIDs: 32, CPUMillis: 1000, WallClock: 10 * time.Minute, CPUTime: time.Minute, OpenFiles: 64,
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

// leftovers names what the cluster still has of a sandbox, and who on this host still knows it.
func (h harness) leftovers(id container.ID) ([]string, error) {
	api, err := dial(h.cluster.Config)
	if err != nil {
		return nil, err
	}
	defer api.close()
	selector := metav1.ListOptions{LabelSelector: labelSandbox + "=" + id.String()}
	var left []string
	pods, err := api.core.Pods(h.namespace).List(context.Background(), selector)
	if err != nil {
		return nil, err
	}
	for _, pod := range pods.Items {
		left = append(left, "pod "+pod.Name)
	}
	jobs, err := api.batch.Jobs(h.namespace).List(context.Background(), selector)
	if err != nil {
		return nil, err
	}
	for _, one := range jobs.Items {
		left = append(left, "Job "+one.Name)
	}
	return left, nil
}

// TestBehaviour waits for a kubelet most of the time, as the next one does: both go on at once,
// after the tests that stop parts of the cluster.
func TestBehaviour(t *testing.T) {
	t.Parallel()
	containertest.Run(t, newHarness(t).behaviours())
}

// TestBehaviourOfSandboxesInAdvance runs the suite in pods whose guard was started, and has
// prepared, before there was a run.
func TestBehaviourOfSandboxesInAdvance(t *testing.T) {
	t.Parallel()
	suite := newHarness(t).behaviours()
	cold := suite.New
	suite.New = func(t *testing.T) container.Engine { return containertest.InAdvance{Warmer: cold(t).(*Engine)} }
	suite.Command = func(b containertest.Behaviour) []string {
		return containertest.PreparedCommand(containertest.PythonCommand(b))
	}
	suite.LeftOut["lifecycle/a sandbox is idle until it runs"] = "its guard is there, and waits"
	for _, limit := range []string{
		"what a request tightened is enforced", "memory that a request tightened is enforced",
		"a share of processors that a request tightened is enforced", "what a request tightened does not show",
	} {
		suite.LeftOut["limits/"+limit] = "a pod's limits are set when it is made: such a request gets one of its own"
	}
	containertest.Run(t, suite)
}

func (h harness) behaviours() containertest.Harness {
	const noFreezer, noCap = "Kubernetes freezes no container", "a volume has no cap of inodes"
	return containertest.Harness{
		New:           func(t *testing.T) container.Engine { return h.engine(t) },
		Spec:          func(*testing.T) container.Spec { spec := h.spec(); spec.Bundle = testBundle; return spec },
		Bundle:        containertest.BundleFile{Path: container.BundleDir + "/bundle.json", Content: testManifest},
		Processes:     containertest.HostProcesses,
		Kill:          killCommand,
		Leftovers:     h.leftovers,
		LoopbackUp:    true,
		Besides:       []int{1},
		PIDsUncounted: true,
		// A pod keeps its wall clock, too, for a runner that is gone; here others are made meanwhile.
		Limits: func(limits *job.Limits) { limits.WallClock = 10 * time.Minute },
		Absent: []string{container.ControlOutputInodes, container.ControlMountOptions},
		LeftOut: map[string]string{
			"limits/output_files refuses files":            noCap,
			"limits/scratch refuses files":                 noCap,
			"identity/mounts are nosuid, nodev, noexec":    "Kubernetes has no field for them",
			"isolation//sys is empty":                      "containers of pods have it, read-only",
			"exit/exit code 137 is the program's":          "to a cluster it is SIGKILL",
			"streams/stdin that nobody reads is no fault":  "exec does not tell the end of a command that has left megabytes unread",
			"hold/nothing changes while a sandbox is held": noFreezer,
			"hold/a sandbox that was held goes on":         noFreezer,
			"hold/a held sandbox is killed":                noFreezer,
		},
	}
}

// streamsOf are those of an exec that is told nothing.
func streamsOf(output io.Writer) remotecommand.StreamOptions {
	return remotecommand.StreamOptions{Stdout: output, Stderr: output}
}
