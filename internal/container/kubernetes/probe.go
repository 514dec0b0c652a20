package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// enforceLabel makes a namespace refuse pods that have more than it names.
const enforceLabel = "pod-security.kubernetes.io/enforce"

// Probe implements container.Engine. It asks the cluster's API, and makes no pod: what a node
// enforces is read back from each sandbox, and Create refuses one that lacks what was
// asked for. Where this engine has made a sandbox on each node that there is, what those had is
// told.
func (e *Engine) Probe(ctx context.Context, runtime string) (container.Host, error) {
	leave, err := e.opening.Enter()
	if err != nil {
		return container.Host{}, fmt.Errorf("probe kubernetes: %w", err)
	}
	defer leave()
	host, err := e.probe(ctx, runtime)
	if err != nil {
		return container.Host{}, fmt.Errorf("probe kubernetes: %w", err)
	}
	return host, nil
}

func (e *Engine) probe(ctx context.Context, runtime string) (container.Host, error) {
	if err := e.hasRuntime(ctx, runtime); err != nil {
		return container.Host{}, err
	}
	if known, is, err := e.known(ctx, runtime); err != nil || is {
		return known, errors.Join(err, e.surroundings(ctx))
	}
	version, err := discovery.NewDiscoveryClientForConfigAndClient(e.api.config, e.api.http)
	if err != nil {
		return container.Host{}, fmt.Errorf("make a client of the cluster: %w", err)
	}
	asking, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	told, err := version.ServerVersionWithContext(asking)
	if err != nil {
		return container.Host{}, called("ask the cluster's version", err)
	}
	if err := e.surroundings(ctx); err != nil {
		return container.Host{}, err
	}
	return container.Host{
		Engine: Name, Runtime: runtimeName(runtime, theNodesOwn), Kernel: theNodesOwn, Controls: expected(),
		Components: []container.Component{{Name: "kubernetes", Version: strings.TrimPrefix(told.GitVersion, "v")}},
		CPU:        job.CPU{Features: []string{}},
	}, nil
}

// theNodesOwn is told of what is not the same for all, or not known yet.
const theNodesOwn = "the nodes' own"

func runtimeName(class, what string) string {
	if class == "" {
		return what
	}
	return class + " (" + what + ")"
}

// expected is what can be told of every pod before there is one.
func expected() []job.Control {
	lacking := map[string]string{
		container.ControlOutputInodes: "a volume of Kubernetes' has no cap but memory.max",
		container.ControlMountOptions: "Kubernetes has no field for nosuid, nodev and noexec",
		container.ControlAppArmor:     "pods have the node's own profile, if any",
	}
	var controls []job.Control
	for _, name := range container.Controls() {
		detail, none := lacking[name]
		if !none {
			detail = "read back from each pod before its run"
		}
		controls = append(controls, job.Control{Name: name, Active: !none, Detail: detail})
	}
	return controls
}

// sentryHandlers are what gVisor's documentation and clouds call its handler.
var sentryHandlers = []string{"gvisor", "runsc"}

// hasRuntime requires a RuntimeClass of that name, and none of gVisor's, in which a sandbox would
// say nothing for minutes.
func (e *Engine) hasRuntime(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	if !namePattern.MatchString(name) {
		return fmt.Errorf("%w %q: name a RuntimeClass of the cluster", container.ErrUnknownRuntime, name)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := e.api.classes.RuntimeClasses().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("%w %q: the cluster has no such RuntimeClass", container.ErrUnknownRuntime, name)
	}
	if err != nil {
		return called("look for the RuntimeClass "+name, err)
	}
	if slices.Contains(sentryHandlers, found.Handler) {
		return fmt.Errorf("%w %q: its handler %s is gVisor's, in whose pods no sandbox of this engine works (docs/kubernetes.md): use the oci engine with runsc, or another RuntimeClass",
			container.ErrUnknownRuntime, name, found.Handler)
	}
	return nil
}

// surroundings requires what must be there before any pod: a namespace that refuses weaker
// pods, a policy that gives pods no network, and the settings' queue. A policy that comes later
// finds connections that stand.
func (e *Engine) surroundings(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	namespace, err := e.api.core.Namespaces().Get(ctx, e.settings.Namespace, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("the cluster has no namespace %s: kubectl apply -k deploy/", e.settings.Namespace)
	}
	if err != nil {
		return called("look at the namespace "+e.settings.Namespace, err)
	}
	if level := namespace.Labels[enforceLabel]; level != "restricted" {
		return fmt.Errorf("the namespace %s has the label %s=%q and not \"restricted\": anybody who may make pods there may make privileged ones",
			e.settings.Namespace, enforceLabel, level)
	}
	policies, err := e.api.networking.NetworkPolicies(e.settings.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return called("list NetworkPolicies", err)
	}
	return errors.Join(denied(policies.Items), e.hasQueue(ctx))
}

// denied requires one policy for all pods, and none beside it that lets anything through:
// what several allow adds up.
func denied(policies []networkingv1.NetworkPolicy) error {
	both := []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}
	found := false
	for _, policy := range policies {
		spec := policy.Spec
		if len(spec.Ingress) > 0 || len(spec.Egress) > 0 {
			return fmt.Errorf("the NetworkPolicy %s lets something through: move it, and the pods that it is for, to another namespace", policy.Name)
		}
		all := len(spec.PodSelector.MatchLabels) == 0 && len(spec.PodSelector.MatchExpressions) == 0
		found = found || all && !slices.ContainsFunc(both, func(one networkingv1.PolicyType) bool { return !slices.Contains(spec.PolicyTypes, one) })
	}
	if !found {
		return errors.New("the namespace has no NetworkPolicy that denies all pods all traffic: kubectl apply -k deploy/")
	}
	return nil
}

// describe tells of the node that a pod runs on. Who may not look at nodes learns less, and no node.
func (e *Engine) describe(ctx context.Context, name string) (node *corev1.Node, runtime string, components []container.Component, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := e.api.core.Nodes().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsForbidden(err) {
		return nil, "not told: this account may not look at nodes", nil, nil
	}
	if err != nil {
		return nil, "", nil, called("look at node "+name, err)
	}
	runtime, components, err = versions(found.Status.NodeInfo)
	return found, runtime, components, err
}

func versions(info corev1.NodeSystemInfo) (string, []container.Component, error) {
	name, version, found := strings.Cut(info.ContainerRuntimeVersion, "://")
	if !found {
		return "", nil, fmt.Errorf("the node says that its runtime is %q", info.ContainerRuntimeVersion)
	}
	version = strings.TrimPrefix(version, "v")
	return name + " " + version, []container.Component{
		{Name: name, Version: version}, {Name: "kubernetes", Version: strings.TrimPrefix(info.KubeletVersion, "v")},
	}, nil
}
