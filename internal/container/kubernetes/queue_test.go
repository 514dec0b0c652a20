package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"hotcell/internal/container"
	"hotcell/tests/cluster"
)

const testQueue = "studies"

// queueDefinition is of Kueue's LocalQueues, as far as the engine knows them: that there is one.
const queueDefinition = `{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
	"metadata": {"name": "localqueues.kueue.x-k8s.io",
		"annotations": {"api-approved.kubernetes.io": "unapproved, a test's"}},
	"spec": {"group": "kueue.x-k8s.io", "scope": "Namespaced",
		"names": {"plural": "localqueues", "singular": "localqueue", "kind": "LocalQueue", "listKind": "LocalQueueList"},
		"versions": [{"name": "v1beta2", "served": true, "storage": true,
			"schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}`

// queue makes the LocalQueue, of which the test lets Jobs in where no Kueue does.
func (h harness) queue(t *testing.T, from *Engine) {
	t.Helper()
	api := from.api.core.RESTClient()
	err := api.Post().AbsPath("/apis/apiextensions.k8s.io/v1/customresourcedefinitions").SetHeader("Content-Type", "application/json").
		Body([]byte(queueDefinition)).Do(t.Context()).Error()
	if !apierrors.IsAlreadyExists(err) {
		require.NoError(t, err)
	}
	made := fmt.Appendf(nil, `{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": %q}, "spec": {"clusterQueue": "all"}}`, testQueue)
	require.Eventually(t, func() bool { // once it is served
		return api.Post().AbsPath("/apis/kueue.x-k8s.io/v1beta2/namespaces", h.namespace, "localqueues").SetHeader("Content-Type", "application/json").
			Body(made).Do(t.Context()).Error() == nil
	}, cluster.Patience, 100*time.Millisecond)
}

// making is a sandbox that is being made.
type making struct {
	id   container.ID
	told chan string // the queues that it waits in
	made chan error
	box  container.Sandbox // once made has answered
}

// begin makes a sandbox until ctx ends.
func (h harness) begin(ctx context.Context, t *testing.T, from *Engine) *making {
	t.Helper()
	m := &making{id: container.NewID(), told: make(chan string, 10), made: make(chan error, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		box, err := from.Create(container.WhileQueued(ctx, func(queue string) { m.told <- queue }), m.id, h.spec())
		m.box = box
		m.made <- err
	}()
	t.Cleanup(func() {
		<-ended
		if m.box != nil {
			require.NoError(t, m.box.Destroy(context.Background()))
		}
		h.requireNothing(t, m.id)
	})
	return m
}

// queued is what it says first, before it was made.
func (m *making) queued(t *testing.T) string {
	t.Helper()
	select {
	case queue := <-m.told:
		return queue
	case err := <-m.made:
		require.FailNow(t, "it does not wait", "%v", err)
	case <-time.After(cluster.Patience):
		require.FailNow(t, "it does not say that it waits")
	}
	return ""
}

func (m *making) requireMade(t *testing.T) {
	t.Helper()
	require.NoError(t, <-m.made)
	require.Empty(t, <-m.told, "it waits no more")
	require.Empty(t, m.told)
}

func TestAJobWaitsInItsQueue(t *testing.T) {
	h := newHarness(t)
	from := h.queueing(t, testQueue)
	h.queue(t, from)
	jobs := from.api.batch.Jobs(h.namespace)
	t.Run("until it is let in", func(t *testing.T) {
		waits := h.begin(t.Context(), t, from)
		require.Equal(t, testQueue, waits.queued(t))
		found, err := jobs.Get(t.Context(), jobName(waits.id), metav1.GetOptions{})
		require.NoError(t, err)
		require.Equal(t, testQueue, found.Labels[labelQueue])
		require.True(t, *found.Spec.Suspend)
		pods, err := from.api.core.Pods(h.namespace).List(t.Context(), from.pods(waits.id))
		require.NoError(t, err)
		require.Empty(t, pods.Items)
		require.Empty(t, waits.made)
		_, err = jobs.Patch(t.Context(), found.Name, types.MergePatchType, []byte(`{"spec":{"suspend":false}}`), metav1.PatchOptions{})
		require.NoError(t, err)
		waits.requireMade(t)
	})
	over := errors.New("the caller's time is over")
	for name, cause := range map[string]error{"until it is cancelled": context.Canceled, "until the caller's deadline": over} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			waits := h.begin(ctx, t, from)
			require.Equal(t, testQueue, waits.queued(t))
			cancel(cause)
			require.ErrorIs(t, <-waits.made, cause)
			require.Empty(t, waits.told)
			h.requireNothing(t, waits.id)
		})
	}
	t.Run("which is not there", func(t *testing.T) {
		lacking := h.queueing(t, "nobody-made-it")
		require.ErrorContains(t, h.refuse(t, lacking, h.spec()), "no LocalQueue nobody-made-it in the namespace "+h.namespace)
		_, err := lacking.Probe(t.Context(), "")
		require.ErrorContains(t, err, "no LocalQueue nobody-made-it")
	})
}

// TestAPodThatNoNodeHasRoomForWaits in the scheduler, and goes on when there is a node for it.
func TestAPodThatNoNodeHasRoomForWaits(t *testing.T) {
	h := newHarness(t)
	from := h.newEngine(t, t.TempDir())
	from.settings.NodeSelector = map[string]string{"hotcell.dev/test": h.namespace}
	waits := h.begin(t.Context(), t, from)
	require.Equal(t, schedulerQueue, waits.queued(t))
	label := func(value string) {
		_, err := from.api.core.Nodes().Patch(context.Background(), h.cluster.NodeName, types.MergePatchType,
			fmt.Appendf(nil, `{"metadata":{"labels":{"hotcell.dev/test":%s}}}`, value), metav1.PatchOptions{})
		require.NoError(t, err)
	}
	label(fmt.Sprintf("%q", h.namespace))
	defer label("null")
	waits.requireMade(t)
}

// queueing is an engine whose Jobs wait in a queue.
func (h harness) queueing(t *testing.T, queue string) *Engine {
	t.Helper()
	made := h.newEngine(t, t.TempDir())
	made.settings.Queue = queue
	return made
}

func TestWaitingEndsWithAnError(t *testing.T) {
	made := &starting{engine: &Engine{}}
	require.ErrorContains(t, made.suspended(t.Context()), "name no queue")

	made.since = time.Now().Add(-schedulePatience - time.Second)
	made.queue = schedulerQueue
	pod := &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: "0/1 nodes are available: 1 Insufficient memory.",
	}}}}
	err := made.unscheduled(t.Context(), pod)
	require.ErrorContains(t, err, "no node takes the pod")
	require.True(t, strings.HasSuffix(err.Error(), "Insufficient memory."), err)
}
