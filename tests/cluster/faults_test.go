package cluster_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"hotcell/tests/cluster"
)

func TestAStoppedAPIServerAnswersNobodyUntilItIsStarted(t *testing.T) {
	c := cluster.Require(t)
	client, err := corev1.NewForConfig(c.Config)
	require.NoError(t, err)

	c.StopAPI(t)
	_, err = client.Nodes().Get(t.Context(), c.NodeName, meta.GetOptions{})
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	c.StartAPI(t)
	_, err = client.Nodes().Get(t.Context(), c.NodeName, meta.GetOptions{})
	require.NoError(t, err)
}

func TestWithoutAKubeletPodsWait(t *testing.T) {
	c := cluster.Require(t)
	client, err := corev1.NewForConfig(c.Config)
	require.NoError(t, err)
	pods := client.Pods(c.Namespace(t))

	c.StopKubelet(t)
	require.Error(t, client.RESTClient().Get().Resource("nodes").Name(c.NodeName).SubResource("proxy", "healthz").Do(t.Context()).Error())
	waiting := pod("localhost/nobody/has:1", "localhost/nobody/has:2")
	_, err = pods.Create(t.Context(), waiting, meta.CreateOptions{})
	require.NoError(t, err)
	c.StartKubelet(t)
	// It is told by the kubelet alone that there is a container to wait for.
	until(t, pods, waiting.Name, func(now *core.Pod) bool { return len(now.Status.ContainerStatuses) == 1 })
}

// TestAClusterEndsWithWhoStartedIt, by whatever signal, and with it the command. What one that
// is killed cannot remove, the next one does.
func TestAClusterEndsWithWhoStartedIt(t *testing.T) {
	cluster.Require(t)
	var pids []int
	for _, by := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT} {
		t.Run(by.String(), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "c")
			ctx, cancel := context.WithTimeout(t.Context(), 2*cluster.Patience)
			defer cancel()
			started := exec.CommandContext(ctx, "../../scripts/with-cluster.sh", "sh", "-c", "echo up; exec sleep 3600")
			started.Env = append(os.Environ(), "HOTCELL_TEST_CLUSTER="+dir)
			started.Stderr = t.Output()
			output, err := started.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, started.Start())
			lines := bufio.NewScanner(output)
			require.True(t, lines.Scan(), "it did not start")
			require.NotEmpty(t, processes(t, dir))
			pids = append(pids, started.Process.Pid)
			require.NotEmpty(t, groups(t, pids))

			require.NoError(t, started.Process.Signal(by))
			require.False(t, lines.Scan(), "the command goes on")
			require.Error(t, started.Wait())
			if by == syscall.SIGKILL { // nobody is left to wait for them
				require.Eventually(t, func() bool { return len(processes(t, dir)) == 0 }, cluster.Patience, 20*time.Millisecond)
				return
			}
			require.Empty(t, processes(t, dir))
			require.NoDirExists(t, dir)
			require.Empty(t, groups(t, pids))
		})
	}
}

// groups lists the control groups of clusters that these processes have started.
func groups(t *testing.T, pids []int) []string {
	t.Helper()
	var found []string
	for _, pid := range pids {
		for _, hierarchy := range []string{"", "*/"} {
			some, err := filepath.Glob(fmt.Sprintf("/sys/fs/cgroup/%shotcell-cluster-%d", hierarchy, pid))
			require.NoError(t, err)
			found = append(found, some...)
		}
	}
	return found
}

// processes lists those that have to do with a directory, by their arguments.
func processes(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var found []string
	for _, each := range all {
		if line, err := os.ReadFile(each); err == nil && strings.Contains(string(line), dir) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
