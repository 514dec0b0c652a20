package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// schedulePatience is how long a pod may wait for a node that has room, where no queue says
// otherwise.
const schedulePatience = 10 * time.Minute

// startPatience is how long a node may take to make a pod's containers: it may pull an image of
// hundreds of megabytes first.
const startPatience = 15 * time.Minute

// starting watches a pod until both containers run. It tells apart whose fault it is when they
// do not: the cluster's administrator's, the node's, or a lack of room.
type starting struct {
	engine    *Engine
	of        owned
	asked     corev1.PodSpec // and nothing else
	since     time.Time      // when it was made
	scheduled time.Time      // zero before
	queue     string         // that it waits in, as was told, or ""
	node      string
}

// startedPod is what is known of a pod whose containers run.
type startedPod struct {
	name, node string
	uid        types.UID
	since      time.Time // when it was first seen
}

// start waits until both containers of a sandbox run.
func (e *Engine) start(ctx context.Context, of owned, asked corev1.PodSpec) (startedPod, error) {
	watching := &starting{engine: e, of: of, asked: asked, since: time.Now()}
	var pod startedPod
	err := e.follow(ctx, of, func(ctx context.Context, found *corev1.Pod) (bool, error) {
		if found == nil {
			return false, watching.withoutPod(ctx)
		}
		if pod.uid != found.UID {
			pod.since = time.Now()
		}
		pod.name, pod.node, pod.uid = found.Name, found.Spec.NodeName, found.UID
		return watching.look(ctx, found)
	})
	if err != nil {
		return startedPod{}, err
	}
	return pod, nil
}

// withoutPod looks why a Job has no pod: it is suspended by a queue, or what admits pods
// refuses it, which only an event tells.
func (s *starting) withoutPod(ctx context.Context) error {
	found, err := s.engine.api.batch.Jobs(s.engine.settings.Namespace).Get(ctx, jobName(s.of.id), metav1.GetOptions{})
	if err != nil {
		return called("look at the Job", err)
	}
	if found.Spec.Suspend != nil && *found.Spec.Suspend {
		return s.suspended(ctx)
	}
	s.goOn(ctx)
	for _, condition := range found.Status.Conditions {
		if condition.Type == batchv1.JobFailed && condition.Status == corev1.ConditionTrue {
			return fmt.Errorf("the Job has failed before it had a pod: %s: %s", condition.Reason, condition.Message)
		}
	}
	refused, err := s.engine.lastEvent(ctx, string(found.UID), "FailedCreate")
	if err == nil && refused != "" {
		err = fmt.Errorf("the cluster admits no such pod: %s", refused)
	}
	if err == nil && time.Since(s.since) > startPatience {
		err = fmt.Errorf("the Job has no pod after %s: does the cluster's controller manager run?", startPatience)
	}
	return err
}

func (s *starting) look(ctx context.Context, pod *corev1.Pod) (bool, error) {
	s.node = pod.Spec.NodeName
	switch {
	case pod.DeletionTimestamp != nil:
		return false, fmt.Errorf("pod %s was deleted by somebody else while it started", pod.Name)
	case pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded:
		return false, overBy(pod)
	case s.node == "":
		return false, s.unscheduled(ctx, pod)
	}
	s.goOn(ctx)
	if err := same(s.asked, pod.Spec); err != nil {
		return false, fmt.Errorf("pod %s: %w", pod.Name, err)
	}
	if s.scheduled.IsZero() {
		s.scheduled = time.Now()
	}
	for _, name := range []string{keeperContainer, sandboxContainer} {
		if running, err := s.containerRuns(ctx, pod, name); !running || err != nil {
			return false, err
		}
	}
	return true, nil
}

// same compares a pod with what was asked for, part by part: whoever may make pods may say that
// one is the Job's, and what changes pods on their way in may add to them.
func same(asked, found corev1.PodSpec) error {
	var differ []string
	for part, both := range map[string][2]any{
		"containers": {asked.Containers, found.Containers}, "initContainers": {asked.InitContainers, found.InitContainers},
		"ephemeralContainers": {asked.EphemeralContainers, found.EphemeralContainers}, "volumes": {asked.Volumes, found.Volumes},
		"securityContext": {asked.SecurityContext, found.SecurityContext}, "hostUsers": {asked.HostUsers, found.HostUsers},
		"hostNetwork": {asked.HostNetwork, found.HostNetwork}, "hostPID": {asked.HostPID, found.HostPID}, "hostIPC": {asked.HostIPC, found.HostIPC},
		"shareProcessNamespace": {asked.ShareProcessNamespace, found.ShareProcessNamespace},
		"serviceAccountName":    {asked.ServiceAccountName, found.ServiceAccountName},
		"automountToken":        {asked.AutomountServiceAccountToken, found.AutomountServiceAccountToken},
		"runtimeClassName":      {asked.RuntimeClassName, found.RuntimeClassName},
		"dnsPolicy":             {asked.DNSPolicy, found.DNSPolicy}, "dnsConfig": {asked.DNSConfig, found.DNSConfig},
		"hostAliases": {asked.HostAliases, found.HostAliases}, "restartPolicy": {asked.RestartPolicy, found.RestartPolicy},
	} {
		if !equality.Semantic.DeepEqual(both[0], both[1]) {
			differ = append(differ, part)
		}
	}
	if differ != nil {
		slices.Sort(differ)
		return fmt.Errorf("it is not what was asked for: %s: does somebody else make pods in the namespace, or something change them (a sidecar's injector)?", strings.Join(differ, ", "))
	}
	return nil
}

// unscheduled is of a pod that has no node yet.
func (s *starting) unscheduled(ctx context.Context, pod *corev1.Pod) error {
	for _, condition := range pod.Status.Conditions {
		if condition.Type != corev1.PodScheduled || condition.Status != corev1.ConditionFalse {
			continue
		}
		s.waitIn(ctx, schedulerQueue, "reason", condition.Message)
		if time.Since(s.since) > schedulePatience {
			return fmt.Errorf("no node takes the pod for %s: %s: %s", schedulePatience, condition.Reason, condition.Message)
		}
	}
	return nil
}

// hopeful are the reasons for which a container waits that go away by themselves: it is being
// made, or an image did not come at the first attempt. All others are the node's refusals.
var hopeful = []string{"", "ContainerCreating", "PodInitializing", "ErrImagePull"}

func (s *starting) containerRuns(ctx context.Context, pod *corev1.Pod, name string) (bool, error) {
	state := stateOf(pod, name)
	switch {
	case state.Running != nil:
		return true, nil
	case state.Terminated != nil:
		return false, errors.Join(containerEnded(pod, name, "before there was a run the "+name+"'s first process has ended"), said(state.Terminated.Message))
	case state.Waiting != nil && !slices.Contains(hopeful, state.Waiting.Reason):
		return false, s.onNode(state.Waiting.Reason, state.Waiting.Message)
	}
	return false, s.overdue(ctx, pod)
}

// said is a message of the node's, or nil where there is none.
func said(message string) error {
	if message == "" {
		return nil
	}
	return errors.New(message)
}

// onNode names the node, and what is to be done there.
func (s *starting) onNode(reason, message string) error {
	fault := fmt.Errorf("node %s cannot start it: %s: %s", s.node, reason, message)
	switch {
	case strings.Contains(message, "seccomp"):
		return fmt.Errorf("%w: the node lacks the profile: the DaemonSet of deploy/ puts it there (runner seccomp export PROFILE --format node writes it)", fault)
	case strings.HasPrefix(reason, "ErrImage") || strings.HasPrefix(reason, "ImagePull"):
		return fmt.Errorf("%w: does %s serve it to the nodes (runner registry)?", fault, s.engine.settings.Registry)
	}
	return fault
}

// overdue asks the events of a pod that takes long to start: what a node cannot do before
// there is a container stands nowhere else.
func (s *starting) overdue(ctx context.Context, pod *corev1.Pod) error {
	const grace = 5 * time.Second
	waited := time.Since(s.scheduled)
	if waited < grace {
		return nil
	}
	for _, reason := range []string{"FailedCreatePodSandBox", "FailedMount"} {
		message, err := s.engine.lastEvent(ctx, string(pod.UID), reason)
		if err != nil {
			return err
		}
		if message != "" {
			return s.onNode(reason, message)
		}
	}
	if waited > startPatience {
		return fmt.Errorf("node %s has not started it for %s", s.node, startPatience)
	}
	return nil
}

// lastEvent returns the newest message with a reason about an object, or "".
func (e *Engine) lastEvent(ctx context.Context, uid, reason string) (string, error) {
	events, err := e.api.core.Events(e.settings.Namespace).List(ctx, metav1.ListOptions{
		FieldSelector: "involvedObject.uid=" + uid + ",reason=" + reason,
	})
	if err != nil {
		return "", called("list events", err)
	}
	message := ""
	var newest time.Time
	for _, event := range events.Items {
		if at := event.LastTimestamp.Time; !at.Before(newest) {
			newest, message = at, event.Message
		}
	}
	return message, nil
}

func stateOf(pod *corev1.Pod, name string) corev1.ContainerState {
	for _, status := range pod.Status.ContainerStatuses {
		if status.Name == name {
			return status.State
		}
	}
	return corev1.ContainerState{}
}

// overBy says why a pod is over that should not be.
func overBy(pod *corev1.Pod) error {
	reason, message := pod.Status.Reason, pod.Status.Message
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.DisruptionTarget && condition.Status == corev1.ConditionTrue {
			reason, message = condition.Reason, condition.Message
		}
	}
	if reason == "" {
		return fmt.Errorf("pod %s on node %s has ended (%s)", pod.Name, pod.Spec.NodeName, pod.Status.Phase)
	}
	return fmt.Errorf("the cluster has ended pod %s on node %s: %s: %s", pod.Name, pod.Spec.NodeName, reason, message)
}

// errPodGone is told of a pod that somebody else has removed.
var errPodGone = errors.New("the cluster has no such pod any more: it was deleted, or its node is lost")
