package kubernetes

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/job"
	"hotcell/internal/seccomp"
	"hotcell/policies"
	"hotcell/tests/cluster"
)

// connected is a Spec of a pod with an interface, as a cluster's own ones have.
func (h harness) connected(t *testing.T) container.Spec {
	t.Helper()
	const name = "python-analysis"
	text, err := policies.Files.ReadFile("seccomp/" + name + ".json")
	require.NoError(t, err)
	profile, err := seccomp.Load(name, text)
	require.NoError(t, err)
	spec := testSpec(h.artifacts)
	spec.Seccomp = profile.OCI()
	file, content, err := NodeProfile(spec.Seccomp)
	require.NoError(t, err)
	h.cluster.PutSeccomp(t, file, content)
	return spec
}

// plain starts a program in a pod that nobody holds but Pod Security, and waits until so.
func (h harness) plain(t *testing.T, made *Engine, program string, so func(*corev1.Pod) bool) *corev1.Pod {
	t.Helper()
	spec := newJob(testSpec(h.artifacts), placement{
		id: container.NewID(), image: testRegistry + "/sandbox@" + h.artifacts.image.String(), arch: h.artifacts.architecture, userSpace: true,
	}).Spec.Template.Spec
	spec.Containers = spec.Containers[:1]
	spec.Containers[0].Command = []string{"/usr/bin/python3", "-c", program}
	pods := made.api.core.Pods(h.namespace)
	pod, err := pods.Create(t.Context(), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "plain-"}, Spec: spec}, metav1.CreateOptions{})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		pod, err = pods.Get(t.Context(), pod.Name, metav1.GetOptions{})
		return err == nil && so(pod)
	}, cluster.Patience, 50*time.Millisecond)
	return pod
}

func (h harness) written(t *testing.T, made *Engine, pod *corev1.Pod) string {
	t.Helper()
	text, err := made.api.core.Pods(h.namespace).GetLogs(pod.Name, &corev1.PodLogOptions{}).DoRaw(t.Context())
	require.NoError(t, err)
	return string(text)
}

const listener = `
import socket
server = socket.create_server(("0.0.0.0", 8000))
while True:
    connection, (who, _) = server.accept()
    print("reached by", who, flush=True)
    connection.close()
`

const caller = `
import socket
try:
    socket.create_connection((%q, 8000), 30).close()
    print("reached")
except OSError as error:
    print("refused", error.errno)
`

// TestASandboxReachesNoPod although its pod has an interface, the cluster's network lets a plain
// pod beside it through, and nothing enforces the NetworkPolicy that denies both.
func TestASandboxReachesNoPod(t *testing.T) {
	h := newHarness(t)
	made := h.newEngine(t, t.TempDir())
	listening := h.plain(t, made, listener, func(pod *corev1.Pod) bool {
		return pod.Status.Phase == corev1.PodRunning && pod.Status.PodIP != ""
	})
	ended := func(pod *corev1.Pod) bool { return pod.Status.Phase == corev1.PodSucceeded }
	call := fmt.Sprintf(caller, listening.Status.PodIP)
	var peer *corev1.Pod
	require.Eventually(t, func() bool { // it has a moment to listen
		peer = h.plain(t, made, call, ended)
		return h.written(t, made, peer) == "reached\n"
	}, cluster.Patience, time.Millisecond)

	spec := h.connected(t)
	spec.Command = []string{"/usr/bin/python3", "-c", call}
	box, err := made.Create(t.Context(), container.NewID(), spec)
	require.NoError(t, err)
	defer func() { require.NoError(t, box.Destroy(t.Context())) }()
	require.Contains(t, controlOf(box.(*sandbox).Host(), container.ControlNamespaces).Detail, `"eth0"`)
	require.NotContains(t, box.(*sandbox).Host().Inactive(), container.ControlNamespaces)
	var stdout bytes.Buffer
	exit, err := box.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &bytes.Buffer{}})
	require.NoError(t, err)
	require.NotContains(t, stdout.String(), "reached")
	require.True(t, exit.Signal != "" || strings.HasPrefix(stdout.String(), "refused"), "it did not try: %v", exit)
	require.Equal(t, "reached by "+peer.Status.PodIP+"\n", h.written(t, made, listening))
}

func controlOf(host container.Host, name string) job.Control {
	for _, control := range host.Controls {
		if control.Name == name {
			return control
		}
	}
	return job.Control{}
}

// TestAProfileThatAllowsSocketsGetsNoInterface, and one that does not is not refused for its sake.
func TestAProfileThatAllowsSocketsGetsNoInterface(t *testing.T) {
	h := newHarness(t)
	made := h.newEngine(t, t.TempDir())
	weak := testSpec(h.artifacts)
	for range 2 { // the second time Probe knows the node
		err := h.refuse(t, made, weak)
		require.ErrorContains(t, err, "node "+h.cluster.NodeName)
		require.ErrorContains(t, err, container.ControlNamespaces)
		require.ErrorContains(t, err, `"eth0"`)
		require.ErrorContains(t, err, "allows sockets")
	}
	spec := h.connected(t)
	spec.Command = containertest.PythonCommand(containertest.Behaviour{Name: containertest.ExitWith})
	box, err := made.Create(t.Context(), container.NewID(), spec)
	require.NoError(t, err)
	require.NoError(t, box.Destroy(t.Context()))
}

// TestAPodOfGVisorsIsNotTried: a sandbox in one says nothing until patience ends.
func TestAPodOfGVisorsIsNotTried(t *testing.T) {
	h := newHarness(t)
	made := h.newEngine(t, t.TempDir())
	classes := made.api.classes.RuntimeClasses()
	class, err := classes.Create(t.Context(), &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{GenerateName: "hotcell-test-"}, Handler: "runsc"}, metav1.CreateOptions{})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, classes.Delete(context.WithoutCancel(t.Context()), class.Name, metav1.DeleteOptions{}))
	})
	_, err = made.Probe(t.Context(), class.Name)
	require.ErrorIs(t, err, container.ErrUnknownRuntime)
	require.ErrorContains(t, err, "use the oci engine with runsc")
	spec := h.spec()
	spec.Runtime = class.Name
	require.ErrorIs(t, h.refuse(t, made, spec), container.ErrUnknownRuntime)
}
