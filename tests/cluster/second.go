package cluster

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

// SecondNode has a second node started, and returns the cluster as seen from there: images,
// profiles and faults are that node's. It is gone when the test ends, unless with-cluster.sh had
// it before. While it is there the scheduler chooses: a test must not run beside others.
func (c *Cluster) SecondNode(t testing.TB) *Cluster {
	t.Helper()
	second := *c
	second.Dir, second.NodeName = filepath.Join(c.Dir, "node2"), "node2"
	wanted := filepath.Join(c.Dir, "node2.wanted")
	if _, err := os.Stat(wanted); err == nil {
		return &second
	}
	client, err := corev1.NewForConfig(c.Config)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(wanted, nil, 0o644))
	t.Cleanup(func() {
		require.NoError(t, os.Remove(wanted))
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), Patience)
		defer cancel()
		for {
			if _, err := os.Stat(second.Dir); os.IsNotExist(err) {
				break
			}
			require.NoError(t, ctx.Err(), "node2 does not end")
			time.Sleep(20 * time.Millisecond)
		}
		if err := client.Nodes().Delete(ctx, second.NodeName, meta.DeleteOptions{}); !apierrors.IsNotFound(err) {
			require.NoError(t, err)
		}
	})
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(second.Dir, "node.ready"))
		return err == nil
	}, Patience, 50*time.Millisecond, "node2 is not ready: see %s/log", second.Dir)
	return &second
}
