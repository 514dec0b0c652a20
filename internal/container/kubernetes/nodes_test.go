package kubernetes

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// nodesOf makes an engine whose cluster has these nodes, and what it was asked for.
func nodesOf(t *testing.T, settings Settings, nodes ...*corev1.Node) (*Engine, *[]string) {
	t.Helper()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		w.Header().Set("Content-Type", "application/json")
		list := corev1.NodeList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "NodeList"}}
		for _, node := range nodes {
			list.Items = append(list.Items, *node)
		}
		if nodes == nil {
			w.WriteHeader(http.StatusForbidden)
			_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Reason: metav1.StatusReasonForbidden, Code: http.StatusForbidden})
			return
		}
		_ = json.NewEncoder(w).Encode(list)
	}))
	t.Cleanup(server.Close)
	settings.Version, settings.Registry = settingsVersion, testRegistry
	made, err := New(Options{Settings: settings, StateDir: t.TempDir(), Artifacts: testArtifacts{}, config: &rest.Config{
		Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json", AcceptContentTypes: "application/json"},
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, made.Close()) })
	return made, &asked
}

func aNode(name string, taints ...corev1.Taint) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.NodeSpec{Taints: taints},
		Status: corev1.NodeStatus{NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.36.3"}},
	}
}

func taint(key string, effect corev1.TaintEffect) corev1.Taint {
	return corev1.Taint{Key: key, Effect: effect}
}

// TestNodesAreThoseThatTakeSandboxes: doctor waits on no other for a pod that never comes.
func TestNodesAreThoseThatTakeSandboxes(t *testing.T) {
	drained := aNode("drained", taint(corev1.TaintNodeUnschedulable, corev1.TaintEffectNoSchedule))
	drained.Spec.Unschedulable = true
	all := []*corev1.Node{
		aNode("plain"), drained,
		aNode("control-plane", taint("node-role.kubernetes.io/control-plane", corev1.TaintEffectNoSchedule)),
		aNode("for-sandboxes", taint("sandboxes", corev1.TaintEffectNoSchedule)),
		aNode("not-liked", taint("spot", corev1.TaintEffectPreferNoSchedule)),
		aNode("lost", taint(corev1.TaintNodeUnreachable, corev1.TaintEffectNoExecute)),
		aNode("short-of-memory", taint(corev1.TaintNodeMemoryPressure, corev1.TaintEffectNoSchedule)),
	}
	settings := Settings{NodeSelector: map[string]string{"pool": "runs"}, Tolerations: []Toleration{{Key: "sandboxes", Operator: "Exists"}}}
	made, asked := nodesOf(t, settings, all...)
	found, err := made.Nodes(t.Context())
	require.NoError(t, err)
	var names []string
	for _, node := range found {
		names = append(names, node.Name)
		if node.Name == "lost" {
			require.ErrorContains(t, node.Fault, "node lost starts no pods: unreachable")
			continue
		}
		require.NoError(t, node.Fault, node.Name)
	}
	require.Equal(t, []string{"plain", "for-sandboxes", "not-liked", "lost", "short-of-memory"}, names)
	require.Equal(t, []string{"/api/v1/nodes?labelSelector=kubernetes.io%2Fos%3Dlinux%2Cpool%3Druns"}, *asked)

	made, _ = nodesOf(t, Settings{}, all[1], all[2])
	_, err = made.Nodes(t.Context())
	require.ErrorContains(t, err, "drained is cordoned")
	require.ErrorContains(t, err, "control-plane has the taint node-role.kubernetes.io/control-plane")
	made, _ = nodesOf(t, Settings{}, []*corev1.Node{}...)
	_, err = made.Nodes(t.Context())
	require.ErrorContains(t, err, "no node with the labels")
}

// having is a host with all controls but these.
func having(kernel string, lacking ...string) container.Host {
	host := container.Host{Engine: Name, Runtime: "containerd 2", Kernel: kernel, Controls: expected(), CPU: job.CPU{Model: kernel}}
	for i := range host.Controls {
		host.Controls[i].Active = true
		for _, name := range lacking {
			if host.Controls[i].Name == name {
				host.Controls[i] = job.Control{Name: name, Detail: "there is none"}
			}
		}
	}
	return host
}

// TestWhatOneNodeHasIsNotToldOfAnother, neither that there is a control nor that there is none.
func TestWhatOneNodeHasIsNotToldOfAnother(t *testing.T) {
	one, two := aNode("node1"), aNode("node2")
	made, _ := nodesOf(t, Settings{}, one, two)
	told := func() (container.Host, bool) {
		host, known, err := made.known(t.Context(), "")
		require.NoError(t, err)
		return host, known
	}
	_, known := told()
	require.False(t, known)
	made.remember("", one, having("6.18", container.ControlLandlock, container.ControlAppArmor))
	_, known = told()
	require.False(t, known, "node2 was not looked at")

	made.remember("gvisor", two, having("4.4.0"))
	_, known = told()
	require.False(t, known, "node2 was not looked at with this runtime")

	made.remember("", two, having("6.6", container.ControlAppArmor))
	host, known := told()
	require.True(t, known)
	require.Equal(t, []string{container.ControlAppArmor}, host.Inactive(), "each lacks it")
	require.Equal(t, theNodesOwn, host.Kernel)
	require.Equal(t, "containerd 2", host.Runtime)
	require.Equal(t, job.CPU{Features: []string{}}, host.CPU)
	for _, control := range host.Controls {
		if control.Name == container.ControlLandlock {
			require.Equal(t, "read back from each pod before its run: not on node1: there is none", control.Detail)
		}
	}
	two.Status.NodeInfo.KubeletVersion = "v1.37.0"
	made.nodesAt = made.nodesAt.Add(-nodesAge)
	_, known = told()
	require.False(t, known, "node2 was updated")
}

func TestOneNodeIsToldAsItWasSeen(t *testing.T) {
	node := aNode("node1")
	drained := aNode("node2")
	drained.Spec.Unschedulable = true
	made, asked := nodesOf(t, Settings{}, node, drained)
	made.remember("", node, having("6.18", container.ControlLandlock))
	for range 3 {
		host, known, err := made.known(t.Context(), "")
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, having("6.18", container.ControlLandlock), host)
	}
	require.Len(t, *asked, 1, "each run asks")
	old := made.seen[where{"", "node1"}]
	old.at = old.at.Add(-seenAge)
	made.seen[where{"", "node1"}] = old
	_, known, err := made.known(t.Context(), "")
	require.NoError(t, err)
	require.False(t, known, "it was looked at too long ago")
}

// TestWhoMayNotLookAtNodesIsToldOfNone: there may be others than those that were seen.
func TestWhoMayNotLookAtNodesIsToldOfNone(t *testing.T) {
	made, _ := nodesOf(t, Settings{})
	made.remember("", nil, having("6.18"))
	require.Empty(t, made.seen)
	made.remember("", aNode("node1"), having("6.18"))
	_, known, err := made.known(t.Context(), "")
	require.NoError(t, err)
	require.False(t, known)
	_, err = made.Nodes(t.Context())
	require.ErrorContains(t, err, "deploy/ has the rights")
}

// TestASandboxsNetworkIsNotItsNodes: one with a profile that allows sockets would have all others
// refused for as long as it is remembered.
func TestASandboxsNetworkIsNotItsNodes(t *testing.T) {
	node := aNode("node1")
	made, _ := nodesOf(t, Settings{}, node)
	made.remember("", node, having("6.18", container.ControlNamespaces))
	host, known, err := made.known(t.Context(), "")
	require.NoError(t, err)
	require.True(t, known)
	require.Empty(t, host.Inactive())
	require.Contains(t, host.Controls[0].Detail, "there is none")
}
