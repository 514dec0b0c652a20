package kubernetes

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

// on makes an engine whose sandboxes are on one node.
func (h harness) on(t *testing.T, node string) *Engine {
	t.Helper()
	made := h.newEngine(t, t.TempDir())
	made.settings.NodeSelector = map[string]string{corev1.LabelHostname: node}
	return made
}

// TestTwoNodes are each told of for itself: what one lacks is named with it, and what becomes of one
// does not concern a run on the other.
func TestTwoNodes(t *testing.T) {
	h := newHarness(t)
	second := h
	second.cluster = h.cluster.SecondNode(t)
	anywhere, one, two := h.newEngine(t, t.TempDir()), h.on(t, h.cluster.NodeName), h.on(t, second.cluster.NodeName)

	nodes, err := anywhere.Nodes(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Node{{Name: h.cluster.NodeName}, {Name: second.cluster.NodeName}}, nodes)
	nodes, err = two.Nodes(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Node{{Name: second.cluster.NodeName}}, nodes)
	_, err = h.on(t, "node3").Nodes(t.Context())
	require.ErrorContains(t, err, `kubernetes.io/hostname=node3`)

	second.putArtifacts(t)
	err = h.refuse(t, two, h.spec())
	require.ErrorContains(t, err, "node "+second.cluster.NodeName+" cannot start it")
	require.ErrorContains(t, err, "lacks the profile")
	box, err := one.Create(t.Context(), container.NewID(), h.spec())
	require.NoError(t, err, "node1 has it")
	require.NoError(t, box.Destroy(t.Context()))

	second.putProfile(t)
	spec := h.spec()
	spec.Command = containertest.PythonCommand(containertest.Behaviour{Name: containertest.Echo})
	box, err = two.Create(t.Context(), container.NewID(), spec)
	require.NoError(t, err)
	require.Equal(t, second.cluster.NodeName, box.(*sandbox).pod.node)
	drain(t, one, h.cluster.NodeName)
	nodes, err = anywhere.Nodes(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Node{{Name: second.cluster.NodeName}}, nodes, "a drained node takes no sandbox")
	var stdout bytes.Buffer
	exit, err := box.Run(t.Context(), container.Streams{Stdin: strings.NewReader("still here"), Stdout: &stdout, Stderr: &bytes.Buffer{}})
	require.NoError(t, err)
	require.Zero(t, exit.Code)
	require.Equal(t, "still here", stdout.String())
	require.NoError(t, box.Destroy(t.Context()))

	box, err = anywhere.Create(t.Context(), container.NewID(), h.spec())
	require.NoError(t, err)
	require.Equal(t, second.cluster.NodeName, box.(*sandbox).pod.node)
	require.NoError(t, box.Destroy(t.Context()))
}

// TestANodeThatStartsNoPodsIsNamed, and is none that doctor waits for.
func TestANodeThatStartsNoPodsIsNamed(t *testing.T) {
	h := newHarness(t)
	second := h.cluster.SecondNode(t)
	made := h.newEngine(t, t.TempDir())
	// As an administrator does; what the cluster says by itself, it takes back at once.
	_, err := made.api.core.Nodes().Patch(t.Context(), second.NodeName, types.StrategicMergePatchType,
		[]byte(`{"spec":{"taints":[{"key":"node.kubernetes.io/out-of-service","effect":"NoSchedule"}]}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	nodes, err := made.Nodes(t.Context())
	require.NoError(t, err)
	require.Len(t, nodes, 2)
	require.NoError(t, nodes[0].Fault)
	require.ErrorContains(t, nodes[1].Fault, "node node2 starts no pods: out-of-service")
}

// drain cordons a node, and evicts what is there, until the test ends.
func drain(t *testing.T, made *Engine, name string) {
	t.Helper()
	cordon := func(ctx context.Context, is bool) {
		_, err := made.api.core.Nodes().Patch(ctx, name, types.MergePatchType, fmt.Appendf(nil, `{"spec": {"unschedulable": %t}}`, is), metav1.PatchOptions{})
		require.NoError(t, err)
	}
	t.Cleanup(func() { cordon(context.WithoutCancel(t.Context()), false) })
	cordon(t.Context(), true)
	there, err := made.api.core.Pods(made.settings.Namespace).List(t.Context(), metav1.ListOptions{FieldSelector: "spec.nodeName=" + name})
	require.NoError(t, err)
	for _, pod := range there.Items {
		require.NoError(t, made.api.core.Pods(pod.Namespace).EvictV1(t.Context(), &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: pod.Name}}))
	}
}
