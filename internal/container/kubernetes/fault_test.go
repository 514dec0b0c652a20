package kubernetes

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/digest"
	"hotcell/tests/cluster"
)

// refuse makes a sandbox that cannot be, and requires that nothing of it is left.
func (h harness) refuse(t *testing.T, made *Engine, spec container.Spec) error {
	t.Helper()
	id := container.NewID()
	ctx, cancel := context.WithTimeout(t.Context(), cluster.Patience)
	defer cancel()
	_, err := made.Create(ctx, id, spec)
	require.Error(t, err)
	left, lookErr := h.leftovers(id)
	require.NoError(t, lookErr)
	require.Empty(t, left)
	return err
}

func TestWhatANodeLacksIsNamedWithIt(t *testing.T) {
	h := newHarness(t)
	t.Run("profile", func(t *testing.T) {
		spec := h.spec()
		other := *spec.Seccomp
		other.Syscalls = append(other.Syscalls, other.Syscalls[0])
		spec.Seccomp = &other
		err := h.refuse(t, h.engine(t), spec)
		require.ErrorContains(t, err, "node "+h.cluster.NodeName)
		require.ErrorContains(t, err, "lacks the profile")
	})
	t.Run("image", func(t *testing.T) {
		lacking := h
		lacking.artifacts.image = digest.Of([]byte("on no node"))
		err := h.refuse(t, lacking.engine(t), lacking.spec())
		require.ErrorContains(t, err, "node "+h.cluster.NodeName)
		require.ErrorContains(t, err, testRegistry)
	})
	t.Run("bundle", func(t *testing.T) {
		lacking := h
		lacking.artifacts.manifest = digest.Of([]byte("on no node"))
		spec := lacking.spec()
		spec.Bundle = testBundle
		err := h.refuse(t, lacking.engine(t), spec)
		require.ErrorContains(t, err, "node "+h.cluster.NodeName)
		require.ErrorContains(t, err, testRegistry)
	})
}

func TestWhatAClusterRefusesIsTold(t *testing.T) {
	h := newHarness(t)
	made := h.engine(t)
	quotas := made.api.core.ResourceQuotas(h.namespace)
	_, err := quotas.Create(t.Context(), &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: "full"},
		Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourcePods: resource.MustParse("0")}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	require.Eventually(t, func() bool { // it holds once it has counted
		found, err := quotas.Get(t.Context(), "full", metav1.GetOptions{})
		return err == nil && len(found.Status.Hard) > 0
	}, cluster.Patience, 50*time.Millisecond)
	require.ErrorContains(t, h.refuse(t, made, h.spec()), "exceeded quota: full")
}

func TestWithoutItsSurroundingsNothingIsMade(t *testing.T) {
	h := newHarness(t)
	made := h.newEngine(t, t.TempDir())
	_, err := made.Probe(t.Context(), "")
	require.NoError(t, err)

	networks := made.api.networking.NetworkPolicies(h.namespace)
	all, err := networks.Get(t.Context(), "deny-all", metav1.GetOptions{})
	require.NoError(t, err)
	require.NoError(t, networks.Delete(t.Context(), "deny-all", metav1.DeleteOptions{}))
	require.ErrorContains(t, h.refuse(t, made, h.spec()), "no NetworkPolicy that denies all pods all traffic")
	all.ResourceVersion, all.UID = "", ""
	_, err = networks.Create(t.Context(), all, metav1.CreateOptions{})
	require.NoError(t, err)

	weaken := fmt.Appendf(nil, `{"metadata":{"labels":{%q:"baseline"}}}`, enforceLabel)
	_, err = made.api.core.Namespaces().Patch(t.Context(), h.namespace, types.MergePatchType, weaken, metav1.PatchOptions{})
	require.NoError(t, err)
	require.ErrorContains(t, h.refuse(t, made, h.spec()), `"baseline" and not "restricted"`)
}

// hanging is a run that never ends by itself.
type hanging struct {
	h      harness
	engine *Engine
	made   *sandbox
	marker string
	ended  chan error
}

func (h harness) hang(t *testing.T, made *Engine) hanging {
	t.Helper()
	spec := h.spec()
	running := hanging{h: h, engine: made, marker: rand.Text(), ended: make(chan error, 1)}
	spec.Command = containertest.PythonCommand(containertest.Behaviour{Name: containertest.Hang, Marker: running.marker})
	box, err := made.Create(t.Context(), container.NewID(), spec)
	require.NoError(t, err)
	running.made = box.(*sandbox)
	output, into := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := box.Run(ctx, container.Streams{Stdin: strings.NewReader(""), Stdout: into, Stderr: io.Discard})
		_ = into.CloseWithError(err)
		running.ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		// As its owner does: a kubelet that lost its API server asks it again after half a minute.
		require.Eventually(t, func() bool {
			release, end := container.ReleaseContext(context.Background())
			defer end()
			return box.Destroy(release) == nil
		}, 2*cluster.Patience, time.Second)
		left, err := h.leftovers(running.made.id)
		require.NoError(t, err)
		require.Empty(t, left)
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	go io.Copy(io.Discard, output)
	return running
}

// end is how the run has ended that a fault ended. Nothing of the sandbox lives.
func (r hanging) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-r.ended:
		require.Error(t, err)
		r.requireDead(t)
		return err
	case <-time.After(cluster.Patience):
		require.FailNow(t, "the run has not ended")
		return nil
	}
}

func (r hanging) requireDead(t *testing.T) { t.Helper(); requireDead(t, r.marker) }

// requireDead waits: where the cluster was told to end a pod, its node does so when it is.
func requireDead(t *testing.T, marker string) {
	t.Helper()
	require.Eventually(t, func() bool {
		alive, err := containertest.HostProcesses(marker)
		return err == nil && len(alive) == 0
	}, cluster.Patience, 50*time.Millisecond, "processes of the sandbox are alive")
}

func TestWhatEndsAPodIsTold(t *testing.T) {
	h := newHarness(t)
	made := h.engine(t)
	for name, test := range map[string]struct {
		strike func(*testing.T, hanging)
		told   string
	}{
		"deleted": {func(t *testing.T, r hanging) {
			require.NoError(t, made.api.core.Pods(h.namespace).Delete(t.Context(), r.made.pod.name, metav1.DeleteOptions{}))
		}, "was deleted by somebody else"},
		"drained": {func(t *testing.T, r hanging) {
			require.NoError(t, made.api.core.RESTClient().Post().Namespace(h.namespace).Resource("pods").Name(r.made.pod.name).SubResource("eviction").
				Body(&policyv1.Eviction{
					TypeMeta: metav1.TypeMeta{APIVersion: "policy/v1", Kind: "Eviction"}, ObjectMeta: metav1.ObjectMeta{Name: r.made.pod.name},
				}).Do(t.Context()).Error())
		}, "EvictionByEvictionAPI"},
		"its time is over": {func(t *testing.T, r hanging) {
			_, err := made.api.core.Pods(h.namespace).Patch(t.Context(), r.made.pod.name, types.MergePatchType,
				[]byte(`{"spec":{"activeDeadlineSeconds":1}}`), metav1.PatchOptions{})
			require.NoError(t, err)
		}, "DeadlineExceeded"},
		"its keeper was killed": {func(t *testing.T, r hanging) {
			_, err := made.exec(t.Context(), r.made.pod.name, keeperContainer, []string{"/usr/bin/python3", "-c", "import os; os.kill(1, 15)"}, streamsOf(io.Discard))
			require.NoError(t, err)
		}, "keeper was ended"},
	} {
		t.Run(name, func(t *testing.T) {
			running := h.hang(t, made)
			test.strike(t, running)
			require.ErrorContains(t, running.end(t), test.told)
		})
	}
}

// TestAnAPIServerThatIsGone takes the connections along, and with them the sandbox: nobody
// could end it otherwise.
func TestAnAPIServerThatIsGone(t *testing.T) {
	h := newHarness(t)
	running := h.hang(t, h.engine(t))
	h.cluster.StopAPI(t)
	require.ErrorContains(t, running.end(t), "API server does not answer")
	h.cluster.StartAPI(t)
}

// TestAKubeletThatIsGone and comes back: what it had running is ended when it is.
func TestAKubeletThatIsGone(t *testing.T) {
	h := newHarness(t)
	running := h.hang(t, h.engine(t))
	h.cluster.StopKubelet(t)
	require.ErrorContains(t, running.end(t), "keeper")
	h.cluster.StartKubelet(t)
}

// The environment of a process that is a runner to be killed.
const (
	victimNamespace = "HOTCELL_TEST_VICTIM"
	victimState     = "HOTCELL_TEST_VICTIM_STATE"
	victimMarker    = "HOTCELL_TEST_VICTIM_MARKER"
)

// TestARunnerToBeKilled is one, in a process of its own.
func TestARunnerToBeKilled(t *testing.T) {
	if os.Getenv(victimNamespace) == "" {
		t.Skip("a part of TestWhatAKilledRunnerLeaves")
	}
	h := newHarness(t)
	h.namespace = os.Getenv(victimNamespace)
	made := h.newEngine(t, os.Getenv(victimState))
	spec := h.spec()
	spec.Command = containertest.PythonCommand(containertest.Behaviour{Name: containertest.Hang, Marker: os.Getenv(victimMarker)})
	box, err := made.Create(t.Context(), container.NewID(), spec)
	require.NoError(t, err)
	_, err = box.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: os.Stdout, Stderr: os.Stderr})
	require.NoError(t, err)
}

// killed is a runner that was killed while it ran something.
func (h harness) killed(t *testing.T, state string) (id container.ID) {
	t.Helper()
	marker := rand.Text()
	victim := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestARunnerToBeKilled$")
	victim.Env = append(os.Environ(), victimNamespace+"="+h.namespace, victimState+"="+state, victimMarker+"="+marker)
	output, err := victim.StdoutPipe()
	require.NoError(t, err)
	victim.Stderr = t.Output()
	require.NoError(t, victim.Start())
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	require.NoError(t, victim.Process.Kill())
	_ = victim.Wait()
	requireDead(t, marker) // without any runner
	entries, err := filepath.Glob(filepath.Join(state, strings.Repeat("?", 32)))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	id, err = container.ParseID(filepath.Base(entries[0]))
	require.NoError(t, err)
	left, err := h.leftovers(id)
	require.NoError(t, err)
	require.NotEmpty(t, left)
	return id
}

func (h harness) requireNothing(t *testing.T, id container.ID) {
	t.Helper()
	left, err := h.leftovers(id)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestWhatAKilledRunnerLeavesIsSwept(t *testing.T) {
	h := newHarness(t)
	t.Run("on its own host at once", func(t *testing.T) {
		state := t.TempDir()
		id := h.killed(t, state)
		removed, err := h.newEngine(t, state).Sweep(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, removed)
		h.requireNothing(t, id)
		entries, err := os.ReadDir(state)
		require.NoError(t, err)
		require.Empty(t, entries)
	})
	t.Run("though its node does not say that it has ended", func(t *testing.T) {
		state := t.TempDir()
		id := h.killed(t, state)
		sweeper := h.newEngine(t, state)
		sweeper.sweepPatience = time.Millisecond
		letGo := h.hold(t, sweeper, id)
		removed, err := sweeper.Sweep(t.Context())
		require.ErrorContains(t, err, "node node1 does not say that its pod has ended")
		require.Zero(t, removed)
		removed, err = sweeper.Sweep(t.Context())
		require.NoError(t, err, "nobody waits for it again")
		require.Equal(t, 1, removed)
		letGo()
		require.Eventually(t, func() bool {
			left, err := h.leftovers(id)
			return err == nil && len(left) == 0
		}, cluster.Patience, time.Second)
	})
	t.Run("from another host when its lease is over", func(t *testing.T) {
		id := h.killed(t, t.TempDir())
		sweeper, other := h.newEngine(t, t.TempDir()), h.newEngine(t, t.TempDir())
		removed, err := sweeper.Sweep(t.Context())
		require.NoError(t, err)
		require.Zero(t, removed, "it may be alive")
		h.expireLeases(t, sweeper, other)
		type swept struct {
			removed int
			err     error
		}
		both := make(chan swept, 2)
		for _, engine := range []*Engine{sweeper, other} {
			go func() {
				removed, err := engine.Sweep(context.WithoutCancel(t.Context()))
				both <- swept{removed, err}
			}()
		}
		first, second := <-both, <-both
		require.NoError(t, first.err)
		require.NoError(t, second.err)
		require.Positive(t, first.removed+second.removed)
		h.requireNothing(t, id)
	})
}

// hold keeps a sandbox's pod in the cluster, as one that is to end on a lost node, until it is let go.
func (h harness) hold(t *testing.T, made *Engine, id container.ID) (letGo func()) {
	t.Helper()
	pods := made.api.core.Pods(h.namespace)
	found, err := pods.List(t.Context(), made.pods(id))
	require.NoError(t, err)
	require.Len(t, found.Items, 1)
	name := found.Items[0].Name
	_, err = pods.Patch(t.Context(), name, types.JSONPatchType, []byte(`[{"op":"add","path":"/metadata/finalizers/-","value":"hotcell.test/held"}]`), metav1.PatchOptions{})
	require.NoError(t, err)
	letGo = func() {
		_, err := pods.Patch(context.WithoutCancel(t.Context()), name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		if !apierrors.IsNotFound(err) {
			require.NoError(t, err)
		}
	}
	t.Cleanup(letGo)
	return letGo
}

// expireLeases makes those of all other runners short, and waits until they are over.
func (h harness) expireLeases(t *testing.T, ours ...*Engine) {
	t.Helper()
	own := map[string]bool{}
	for _, engine := range ours {
		held, err := engine.hold(t.Context())
		require.NoError(t, err)
		own[held.runner] = true
	}
	leases := ours[0].api.leases.Leases(h.namespace)
	found, err := leases.List(t.Context(), metav1.ListOptions{LabelSelector: labelRunner})
	require.NoError(t, err)
	for _, lease := range found.Items {
		if !own[lease.Labels[labelRunner]] {
			_, err := leases.Patch(t.Context(), lease.Name, types.MergePatchType, []byte(`{"spec":{"leaseDurationSeconds":1}}`), metav1.PatchOptions{})
			require.NoError(t, err)
		}
	}
	require.Eventually(t, func() bool {
		now, err := ours[0].now(t.Context())
		require.NoError(t, err)
		found, err := leases.List(t.Context(), metav1.ListOptions{LabelSelector: labelRunner})
		require.NoError(t, err)
		return !slices.ContainsFunc(found.Items, func(lease coordinationv1.Lease) bool {
			return !own[lease.Labels[labelRunner]] && now.Sub(renewed(&lease)) <= time.Second
		})
	}, cluster.Patience, 100*time.Millisecond)
}

// TestAFirstProcessThatFailsIsNamed, with its node: what it has said is in that node's logs.
func TestAFirstProcessThatFailsIsNamed(t *testing.T) {
	h := newHarness(t)
	spec := h.spec()
	without := *spec.Seccomp
	without.Syscalls = append([]specs.LinuxSyscall{{Names: []string{"prctl"}, Action: specs.ActErrno, ErrnoRet: new(uint(1))}}, without.Syscalls...)
	spec.Seccomp = &without
	name, content, err := NodeProfile(&without)
	require.NoError(t, err)
	h.cluster.PutSeccomp(t, name, content)
	require.ErrorContains(t, h.refuse(t, h.newEngine(t, t.TempDir()), spec), "first process has ended on node node1")
}
