package kubernetes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

const (
	// seenAge is for how long what was read back from a node's pod is told of its next one.
	seenAge = 10 * time.Minute
	// nodesAge is for how long a list of nodes is taken for the present one by Probe, which each
	// run asks. One that has come meanwhile is read back from its pods all the same.
	nodesAge = 15 * time.Second
	// mostNodes is of how many nodes Probe tells anything: of more, a list is too long to ask for.
	mostNodes = 64
)

// Node is one that sandboxes may be on.
type Node struct {
	Name string
	// Fault is why it starts no pod now; nil where it does.
	Fault error
}

// Nodes returns those that sandboxes may be on by the settings' labels and tolerations, without
// those that take no pods: a node that is drained, and one with a taint that is not tolerated, as
// those of control planes have.
func (e *Engine) Nodes(ctx context.Context) ([]Node, error) {
	found, err := e.listNodes(ctx, 0)
	if err != nil {
		return nil, err
	}
	nodes, left := e.eligible(found)
	if len(nodes) > 0 {
		return nodes, nil
	}
	fault := fmt.Errorf("the cluster has no node with the labels %q", e.nodeLabels())
	if len(left) > 0 {
		fault = fmt.Errorf("%w that takes pods: %s", fault, strings.Join(left, "; "))
	}
	return nil, fault
}

// nodeLabels are those of every node that a sandbox may be on, whatever its image.
func (e *Engine) nodeLabels() labels.Set {
	wanted := labels.Set{corev1.LabelOSStable: "linux"}
	maps.Copy(wanted, e.settings.NodeSelector)
	return wanted
}

// listNodes lists those with the labels, and at most so many; 0 is all.
func (e *Engine) listNodes(ctx context.Context, most int64) ([]corev1.Node, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := e.api.core.Nodes().List(ctx, metav1.ListOptions{LabelSelector: e.nodeLabels().String(), Limit: most})
	if err != nil {
		return nil, called("list nodes", err)
	}
	return found.Items, nil
}

// eligible tells apart those that take pods and those that do not, of which it says why.
func (e *Engine) eligible(all []corev1.Node) (nodes []Node, left []string) {
	for _, node := range all {
		out, fault := e.holdsOff(node)
		if out != "" {
			left = append(left, node.Name+" "+out)
			continue
		}
		nodes = append(nodes, Node{node.Name, fault})
	}
	return nodes, left
}

// holdsOff says why a node takes no pods: what somebody wants, "" for nothing, or a fault of the
// node's.
func (e *Engine) holdsOff(node corev1.Node) (out string, fault error) {
	if node.Spec.Unschedulable {
		return "is cordoned", nil
	}
	for _, taint := range node.Spec.Taints {
		if taint.Effect == corev1.TaintEffectPreferNoSchedule || taint.Key == corev1.TaintNodeMemoryPressure || e.tolerates(taint) {
			continue // Kubernetes has pods that ask for memory tolerate its pressure
		}
		if !strings.HasPrefix(taint.Key, "node.kubernetes.io/") {
			return fmt.Sprintf("has the taint %s, which the settings do not tolerate", taint.ToString()), nil
		}
		fault = errors.Join(fault, fmt.Errorf("node %s starts no pods: %s: kubectl describe node %s", node.Name, strings.TrimPrefix(taint.Key, "node.kubernetes.io/"), node.Name))
	}
	return "", fault
}

func (e *Engine) tolerates(taint corev1.Taint) bool {
	return slices.ContainsFunc(tolerations(e.settings), func(one corev1.Toleration) bool {
		return one.ToleratesTaint(logr.Discard(), &taint, false)
	})
}

// where is what decides what a pod gets: a RuntimeClass, and a node's name.
type where struct{ runtime, node string }

// sighting is what was read back from a pod.
type sighting struct {
	host container.Host
	info corev1.NodeSystemInfo // of the node, which is another one after an update
	at   time.Time
}

// remember keeps what was read back from a pod of a node.
func (e *Engine) remember(runtime string, node *corev1.Node, host container.Host) {
	if node == nil {
		return // who may not look at nodes cannot tell which of them there are
	}
	// A network of its own is none of the node's: it depends on the sandbox's profile.
	host.Controls = slices.Clone(host.Controls)
	for i, control := range host.Controls {
		if control.Name == container.ControlNamespaces && !control.Active {
			host.Controls[i] = job.Control{Name: control.Name, Active: true, Detail: "with a profile that allows no socket: " + control.Detail}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	maps.DeleteFunc(e.seen, func(_ where, old sighting) bool { return time.Since(old.at) >= seenAge })
	e.seen[where{runtime, node.Name}] = sighting{host, node.Status.NodeInfo, time.Now()}
}

// known is what the next pod will have, wherever it is: false where not each node that it may be
// on has been seen. A control that some of them lack is told as one that a pod may have.
func (e *Engine) known(ctx context.Context, runtime string) (container.Host, bool, error) {
	e.mu.Lock()
	some := false
	for one := range e.seen {
		some = some || one.runtime == runtime
	}
	e.mu.Unlock()
	if !some {
		return container.Host{}, false, nil
	}
	nodes, err := e.nodesNow(ctx)
	if err != nil || len(nodes) == 0 {
		return container.Host{}, false, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	hosts := map[string]container.Host{}
	for _, node := range nodes {
		found, is := e.seen[where{runtime, node.Name}]
		if !is || time.Since(found.at) >= seenAge || !equality.Semantic.DeepEqual(found.info, node.Status.NodeInfo) {
			return container.Host{}, false, nil
		}
		hosts[node.Name] = found.host
	}
	return common(hosts), true, nil
}

// nodesNow are those that sandboxes may be on, none where this account may not look at them, or
// where they are too many.
func (e *Engine) nodesNow(ctx context.Context) ([]corev1.Node, error) {
	e.mu.Lock()
	nodes, at := e.nodes, e.nodesAt
	e.mu.Unlock()
	if time.Since(at) < nodesAge {
		return nodes, nil
	}
	all, err := e.listNodes(ctx, mostNodes+1)
	if err != nil && !apierrors.IsForbidden(err) {
		return nil, err
	}
	nodes = slices.DeleteFunc(all, func(node corev1.Node) bool {
		out, _ := e.holdsOff(node)
		return out != ""
	})
	if len(all) > mostNodes {
		nodes = nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.nodes, e.nodesAt = nodes, time.Now()
	return nodes, nil
}

// common is what can be told of a pod that may be on any of these nodes.
func common(hosts map[string]container.Host) container.Host {
	names := slices.Sorted(maps.Keys(hosts))
	told := hosts[names[0]]
	told.Controls = slices.Clone(told.Controls)
	for _, name := range names[1:] {
		other := hosts[name]
		told.Runtime = alike(told.Runtime, other.Runtime)
		told.Kernel = alike(told.Kernel, other.Kernel)
		told.Components = slices.DeleteFunc(slices.Clone(told.Components), func(one container.Component) bool { return !slices.Contains(other.Components, one) })
		if !equality.Semantic.DeepEqual(told.CPU, other.CPU) {
			told.CPU = job.CPU{Features: []string{}}
		}
	}
	for i, control := range told.Controls {
		var lacking []string
		detail := ""
		for _, name := range names {
			found := hosts[name].Controls[i]
			if !found.Active {
				lacking = append(lacking, name)
				detail = cmp.Or(detail, found.Detail)
			}
		}
		if len(lacking) > 0 && len(lacking) < len(names) {
			told.Controls[i] = job.Control{Name: control.Name, Active: true, Detail: fmt.Sprintf("read back from each pod before its run: not on %s: %s", strings.Join(lacking, ", "), detail)}
		}
	}
	return told
}

// alike is what two nodes say, where it is the same.
func alike(one, other string) string {
	if one != other {
		return theNodesOwn
	}
	return one
}
