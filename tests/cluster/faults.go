package cluster

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

// StopKubelet kills the node's kubelet, and keeps it from being started until StartKubelet, or
// the end of the test. Containers go on, and nobody tells of them.
func (c *Cluster) StopKubelet(t testing.TB) {
	t.Helper()
	c.stop(t, "kubelet")
	t.Cleanup(func() { c.StartKubelet(t) })
}

// StartKubelet has the kubelet started again, and returns when the node is ready.
func (c *Cluster) StartKubelet(t testing.TB) {
	t.Helper()
	c.start(t, "kubelet", func(ctx context.Context, client *corev1.CoreV1Client) bool {
		// What the API server knows of the node can be of before.
		if err := client.RESTClient().Get().Resource("nodes").Name(c.NodeName).SubResource("proxy", "healthz").Do(ctx).Error(); err != nil {
			return false
		}
		node, err := client.Nodes().Get(ctx, c.NodeName, meta.GetOptions{})
		return err == nil && slices.ContainsFunc(node.Status.Conditions, func(each core.NodeCondition) bool {
			return each.Type == core.NodeReady && each.Status == core.ConditionTrue
		})
	})
}

// StopAPI kills the API server, and keeps it from being started until StartAPI, or the end of
// the test. What it knows stays, and pods go on.
func (c *Cluster) StopAPI(t testing.TB) {
	t.Helper()
	c.stop(t, "api")
	t.Cleanup(func() { c.StartAPI(t) })
}

// StartAPI has the API server started again, and returns when it answers.
func (c *Cluster) StartAPI(t testing.TB) {
	t.Helper()
	c.start(t, "api", func(ctx context.Context, client *corev1.CoreV1Client) bool {
		return client.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() == nil
	})
}

// stop has node.sh kill a part, and waits until it has.
func (c *Cluster) stop(t testing.TB, part string) {
	t.Helper()
	path := filepath.Join(c.Dir, "parts", part)
	require.NoError(t, os.WriteFile(path+".stop", nil, 0o644))
	require.Eventually(t, func() bool {
		_, err := os.Stat(path + ".stopped")
		return err == nil
	}, Patience, 20*time.Millisecond, "%s is not stopped", part)
}

// start undoes stop, where nobody has yet, and waits until the part works, also when the test
// has ended.
func (c *Cluster) start(t testing.TB, part string, works func(context.Context, *corev1.CoreV1Client) bool) {
	t.Helper()
	if err := os.Remove(filepath.Join(c.Dir, "parts", part+".stop")); errors.Is(err, fs.ErrNotExist) {
		return
	} else if err != nil {
		require.NoError(t, err)
	}
	client, err := corev1.NewForConfig(c.Config)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), Patience)
	defer cancel()
	for !works(ctx, client) {
		require.NoError(t, ctx.Err(), "%s does not work again", part)
		time.Sleep(50 * time.Millisecond)
	}
}
