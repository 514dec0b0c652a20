package cluster_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"hotcell/internal/image/imagetest"
	"hotcell/tests/cluster"
)

// told is what the pod of these tests says of itself.
const told = `
import os, socket
print(open("/bundle/greeting").read(), end="")
print("the host's ids" if open("/proc/self/uid_map").read().split()[1] == "0" else "ids of its own")
try:
    print("a socket", socket.socket())
except PermissionError:
    print("no socket")
print("links", *sorted(os.listdir("/sys/class/net")))
`

// profile denies one system call that the pod asks for, and nothing else.
const profile = `{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["socket"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}]}`

// TestARestrictedPodRuns: with a user namespace, an image as a volume and a profile of the
// node's, which is what a sandbox is made of.
func TestARestrictedPodRuns(t *testing.T) {
	c := cluster.Require(t)
	reference := importPython(t, c)
	c.ImportImage(t, greeting(t, "imported"), "localhost/greeting:1")
	c.PutSeccomp(t, "hotcell/no-socket.json", []byte(profile))

	require.Equal(t, "imported\nids of its own\nno socket\nlinks eth0 lo\n", run(t, c, pod(reference, "localhost/greeting:1")))
}

// TestTheNodePullsFromARegistryOverTLS of which it trusts the authority.
func TestTheNodePullsFromARegistryOverTLS(t *testing.T) {
	c := cluster.Require(t)
	reference := importPython(t, c)
	c.PutSeccomp(t, "hotcell/no-socket.json", []byte(profile))
	server := httptest.NewTLSServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "https://")
	c.TrustRegistry(t, host, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	image := greeting(t, "pulled")
	sum, err := image.Digest()
	require.NoError(t, err)
	pushed, err := name.ParseReference(host + "/greeting@" + sum.String())
	require.NoError(t, err)
	require.NoError(t, remote.Write(pushed, image, remote.WithTransport(server.Client().Transport), remote.WithContext(t.Context())))

	require.Equal(t, "pulled\nids of its own\nno socket\nlinks eth0 lo\n", run(t, c, pod(reference, pushed.String())))
}

// importPython puts the built image on the node, and returns its reference.
func importPython(t *testing.T, c *cluster.Cluster) string {
	t.Helper()
	_, built := imagetest.Built(t)
	sum, err := v1.NewHash(string(built.Digest))
	require.NoError(t, err)
	stored, err := layout.FromPath(imagetest.Dir())
	require.NoError(t, err)
	image, err := stored.Image(sum)
	require.NoError(t, err)
	reference := "localhost/python-analysis@" + sum.String()
	c.ImportImage(t, image, reference)
	return reference
}

// greeting is an image with one file.
func greeting(t *testing.T, text string) v1.Image {
	t.Helper()
	var content bytes.Buffer
	archive := tar.NewWriter(&content)
	require.NoError(t, archive.WriteHeader(&tar.Header{Name: "greeting", Mode: 0o644, Size: int64(len(text) + 1), Typeflag: tar.TypeReg}))
	_, err := io.WriteString(archive, text+"\n")
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content.Bytes())), nil })
	require.NoError(t, err)
	image, err := mutate.AppendLayers(empty.Image, layer)
	require.NoError(t, err)
	return image
}

// pod is one that the restricted standard admits, and tells what is so in it.
func pod(image, bundle string) *core.Pod {
	return &core.Pod{
		ObjectMeta: meta.ObjectMeta{Name: "told"},
		Spec: core.PodSpec{
			RestartPolicy: core.RestartPolicyNever, HostUsers: new(false), AutomountServiceAccountToken: new(false),
			SecurityContext: &core.PodSecurityContext{RunAsNonRoot: new(true), RunAsUser: new(int64(65532)), RunAsGroup: new(int64(65532))},
			Containers: []core.Container{{
				Name: "told", Image: image, Command: []string{"/usr/bin/python3", "-I", "-S", "-c", told},
				SecurityContext: &core.SecurityContext{
					AllowPrivilegeEscalation: new(false), ReadOnlyRootFilesystem: new(true), Capabilities: &core.Capabilities{Drop: []core.Capability{"ALL"}},
					SeccompProfile: &core.SeccompProfile{Type: core.SeccompProfileTypeLocalhost, LocalhostProfile: new("hotcell/no-socket.json")},
				},
				VolumeMounts: []core.VolumeMount{{Name: "bundle", MountPath: "/bundle", ReadOnly: true}},
			}},
			Volumes: []core.Volume{{Name: "bundle", VolumeSource: core.VolumeSource{Image: &core.ImageVolumeSource{Reference: bundle, PullPolicy: core.PullIfNotPresent}}}},
		},
	}
}

// run runs a pod to its end in a namespace of its own, and returns what it wrote.
func run(t *testing.T, c *cluster.Cluster, pod *core.Pod) string {
	t.Helper()
	client, err := corev1.NewForConfig(c.Config)
	require.NoError(t, err)
	pods := client.Pods(c.Namespace(t))
	_, err = pods.Create(t.Context(), pod, meta.CreateOptions{})
	require.NoError(t, err)
	until(t, pods, pod.Name, func(now *core.Pod) bool {
		return now.Status.Phase == core.PodSucceeded || now.Status.Phase == core.PodFailed
	})
	written, err := pods.GetLogs(pod.Name, &core.PodLogOptions{}).DoRaw(t.Context())
	require.NoError(t, err)
	return string(written)
}

// until waits until something is so of a pod.
func until(t *testing.T, pods corev1.PodInterface, name string, so func(*core.Pod) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), cluster.Patience)
	defer cancel()
	for {
		now, err := pods.Get(ctx, name, meta.GetOptions{})
		require.NoError(t, err)
		if so(now) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}
