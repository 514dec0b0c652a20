package kubernetes

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/tests/cluster"
)

// decoys makes a pod with a sandbox's label as soon as there is its Job, as whoever may make
// pods in the namespace could, and returns how many it has made.
func decoys(ctx context.Context, t *testing.T, made *Engine) *atomic.Int64 {
	t.Helper()
	namespace := made.settings.Namespace
	jobs, err := made.api.batch.Jobs(namespace).Watch(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	t.Cleanup(jobs.Stop)
	count := new(atomic.Int64)
	go func() {
		seen := map[string]bool{}
		for event := range jobs.ResultChan() {
			found, is := event.Object.(*batchv1.Job)
			if !is || seen[found.Name] {
				continue
			}
			seen[found.Name] = true
			pod := &corev1.Pod{
				// Without the Job's own labels: with them its controller takes the pod for one too many.
				ObjectMeta: metav1.ObjectMeta{GenerateName: "zz-", Labels: map[string]string{labelSandbox: found.Labels[labelSandbox]}}, Spec: found.Spec.Template.Spec,
			}
			if _, err := made.api.core.Pods(namespace).Create(ctx, pod, metav1.CreateOptions{}); err == nil {
				count.Add(1)
			}
		}
	}()
	return count
}

// TestAStrangersPodIsNotTheSandboxs: it has the label, and is there before the Job's own.
func TestAStrangersPodIsNotTheSandboxs(t *testing.T) {
	h := newHarness(t)
	made := h.engine(t)
	strangers := decoys(t.Context(), t, made)
	spec := h.spec()
	spec.Command = containertest.PythonCommand(containertest.Behaviour{Name: containertest.WriteFiles, Files: map[string]string{"/output/a": "true"}})
	for round := range 3 {
		box, err := made.Create(t.Context(), container.NewID(), spec)
		require.NoError(t, err)
		owner := metav1.GetControllerOf(h.pod(t, made, box.(*sandbox).pod.name))
		require.NotNil(t, owner, "the sandbox is in a stranger's pod")
		require.Eventually(t, func() bool { return strangers.Load() == int64(round+1) }, cluster.Patience, time.Millisecond, "there is none")
		_, err = box.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
		require.NoError(t, err)
		root, err := box.Output(t.Context())
		require.NoError(t, err)
		content, err := root.ReadFile("a")
		require.NoError(t, err)
		require.Equal(t, "true", string(content))
		require.NoError(t, root.Close())
		require.NoError(t, box.Destroy(t.Context()))
	}
}

func (h harness) pod(t *testing.T, made *Engine, name string) *corev1.Pod {
	t.Helper()
	found, err := made.api.core.Pods(h.namespace).Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	return found
}

// TestAPodThatSaysThatItIsTheJobsIsCompared, and so is one that was changed on its way in.
func TestAPodThatSaysThatItIsTheJobsIsCompared(t *testing.T) {
	for name, dress := range map[string]func(*corev1.PodSpec){
		"a container more": func(spec *corev1.PodSpec) {
			spy := spec.Containers[0]
			spy.Name = "spy"
			spec.Containers = append(spec.Containers, spy)
		},
		"another command":    func(spec *corev1.PodSpec) { spec.Containers[0].Command = []string{"/usr/bin/python3"} },
		"another image":      func(spec *corev1.PodSpec) { spec.Containers[1].Image = "registry.test/other@sha256:0" },
		"a variable":         func(spec *corev1.PodSpec) { spec.Containers[1].Env = []corev1.EnvVar{{Name: "A", Value: "a"}} },
		"a volume":           func(spec *corev1.PodSpec) { spec.Volumes = append(spec.Volumes, corev1.Volume{Name: "more"}) },
		"the node's users":   func(spec *corev1.PodSpec) { spec.HostUsers = new(true) },
		"the node's network": func(spec *corev1.PodSpec) { spec.HostNetwork = true },
		"shared processes":   func(spec *corev1.PodSpec) { spec.ShareProcessNamespace = new(true) },
		"another profile": func(spec *corev1.PodSpec) {
			spec.Containers[1].SecurityContext.SeccompProfile.LocalhostProfile = new("a")
		},
		"a container to look": func(spec *corev1.PodSpec) { spec.EphemeralContainers = []corev1.EphemeralContainer{{}} },
		"a token":             func(spec *corev1.PodSpec) { spec.AutomountServiceAccountToken = new(true) },
	} {
		asked := newJob(reportSpec(), placement{id: container.NewID(), userSpace: true, profile: "hotcell/1.json"}).Spec.Template.Spec
		require.NoError(t, same(asked, *asked.DeepCopy()))
		found := asked.DeepCopy()
		dress(found)
		require.Error(t, same(asked, *found), name)
	}
}

// TestALeaseThatIsGoneIsMadeAgain: another runner takes this one's for dead when it was silent.
func TestALeaseThatIsGoneIsMadeAgain(t *testing.T) {
	h := newHarness(t)
	made := h.engine(t)
	held, err := made.hold(t.Context())
	require.NoError(t, err)
	leases := made.api.leases.Leases(h.namespace)
	require.NoError(t, leases.Delete(t.Context(), leaseName(held.runner), metav1.DeleteOptions{}))
	_, err = made.stamp(t.Context(), held)
	require.ErrorIs(t, err, errLeaseGone)
	box, err := made.Create(t.Context(), container.NewID(), h.spec())
	require.NoError(t, err)
	require.NoError(t, box.Destroy(t.Context()))
	_, err = made.Sweep(t.Context())
	require.NoError(t, err)
}

// TestALeaseThatWasRenewedIsNotRemoved, by whoever has seen it before that.
func TestALeaseThatWasRenewedIsNotRemoved(t *testing.T) {
	h := newHarness(t)
	made := h.newEngine(t, t.TempDir())
	held, err := made.hold(t.Context())
	require.NoError(t, err)
	seen, err := made.api.leases.Leases(h.namespace).Get(t.Context(), leaseName(held.runner), metav1.GetOptions{})
	require.NoError(t, err)
	_, err = made.stamp(t.Context(), held)
	require.NoError(t, err)
	dropped, err := made.dropLease(t.Context(), seen.Name, metav1.Preconditions{UID: &seen.UID, ResourceVersion: &seen.ResourceVersion})
	require.NoError(t, err)
	require.False(t, dropped)
}

func TestAStrangersLeaseKeepsNobodyFromSweeping(t *testing.T) {
	h := newHarness(t)
	made := h.newEngine(t, t.TempDir())
	_, err := made.api.leases.Leases(h.namespace).Create(t.Context(), &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "evil", Labels: map[string]string{labelRunner: "1"}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = made.Sweep(t.Context())
	require.NoError(t, err)
}

// hostile runs a script in a sandbox, and returns how it ended.
func (h harness) hostile(t *testing.T, made *Engine, script string) (container.Sandbox, container.Exit, string) {
	t.Helper()
	spec := h.spec()
	spec.Command = []string{"/usr/bin/python3", "-c", script}
	box, err := made.Create(t.Context(), container.NewID(), spec)
	require.NoError(t, err)
	t.Cleanup(func() {
		release, cancel := container.ReleaseContext(context.Background())
		defer cancel()
		require.NoError(t, box.Destroy(release))
	})
	var stdout, stderr bytes.Buffer
	exit, err := box.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr})
	require.NoError(t, err)
	require.Empty(t, stderr.String())
	return box, exit, stdout.String()
}

// TestNoScriptEndsTheFirstProcess, whose end would be without its last words.
func TestNoScriptEndsTheFirstProcess(t *testing.T) {
	h := newHarness(t)
	_, exit, stdout := h.hostile(t, h.engine(t), `
import os, signal, time
for number in range(1, 65):
    if number != signal.SIGKILL and number != signal.SIGSTOP:
        try:
            os.kill(1, number)
        except OSError:
            pass
os.kill(1, signal.SIGKILL)
time.sleep(0.2)
print("alive")
`)
	require.Equal(t, "alive\n", stdout)
	require.Zero(t, exit.Code)
	require.Positive(t, exit.Usage.CPUMS)
}

// TestMoreThanAnOutputMayHoldIsMarked, and neither read nor held by the keeper.
func TestMoreThanAnOutputMayHoldIsMarked(t *testing.T) {
	h := newHarness(t)
	made := h.engine(t)
	for name, script := range map[string]string{
		"sparse files": `
for i in range(60):
    with open(f"/output/{i}", "wb") as file:
        file.truncate(4 << 20)
`,
		"many names": `
for i in range(20000):
    open("/output/" + str(i) + "n" * 240, "w").close()
`,
		"a deep directory": `
import os
os.chdir("/output")
for i in range(900):
    os.mkdir("d" * 255)
    os.chdir("d" * 255)
`,
	} {
		t.Run(name, func(t *testing.T) {
			box, exit, _ := h.hostile(t, made, script)
			require.Zero(t, exit.Code)
			root, err := box.Output(t.Context())
			require.NoError(t, err)
			defer root.Close()
			entries, err := fs.ReadDir(root.FS(), ".")
			require.NoError(t, err)
			require.Contains(t, fmt.Sprint(entries), "hotcell-refused-too-much")
		})
	}
}
