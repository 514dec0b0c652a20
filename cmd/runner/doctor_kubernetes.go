package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/container"
	"hotcell/internal/container/docker"
	"hotcell/internal/container/kubernetes"
	"hotcell/internal/doctor"
	"hotcell/internal/job"
	"hotcell/internal/policy"
)

// defaultPolicy is whose sandbox a cluster is tried with where the user names none.
const defaultPolicy = "study-analysis"

// examined is what is looked at: this host, or the nodes of a cluster, of which nothing of this
// host's settings tells anything.
func (a *app) examined(ctx context.Context, chosen *policy.Policy, flags doctorFlags) ([]doctor.Setting, []doctor.Probed, error) {
	if flags.engine == kubernetes.Name {
		probed, err := a.probeCluster(ctx, chosen, flags)
		return nil, probed, err
	}
	settings, err := doctor.Settings(os.DirFS("/"))
	if err != nil {
		return nil, nil, err
	}
	host, why := docker.DefaultHost()
	settings = append(settings, doctor.Setting{Name: "docker daemon", Value: fmt.Sprintf("%s (%s)", host, why)})
	settings = append(append(settings, placeSettings(ctx)...), a.imageSettings(ctx)...)
	settings = append(settings, a.spaceSettings()...)
	probed, err := a.probeEngines(ctx, flags.runtime)
	return settings, probed, err
}

// probeCluster has a sandbox that runs nothing made on each node that sandboxes may be on, or
// on the one that is named, and tells what it had there.
func (a *app) probeCluster(ctx context.Context, chosen *policy.Policy, flags doctorFlags) ([]doctor.Probed, error) {
	spec, err := a.idleSpec(chosen, flags.runtime)
	if err != nil {
		return nil, err
	}
	nodes, err := a.clusterNodes(ctx, flags.node)
	if err != nil {
		return nil, err
	}
	var all []doctor.Probed
	for _, node := range nodes {
		probed := doctor.Probed{Name: kubernetes.Name + "/" + node.Name, Err: node.Fault}
		if node.Fault != nil {
			all = append(all, probed)
			continue
		}
		a.node = node.Name
		made, err := a.construct(kubernetes.Name, "")
		if err == nil {
			probed.Host, err = lookInside(ctx, made, spec)
		}
		if errors.Is(err, container.ErrUnknownRuntime) {
			return nil, usageError{err}
		}
		probed.Err = err
		all = append(all, probed)
	}
	return all, nil
}

// clusterNodes are those that sandboxes may be on, or the one of that name.
func (a *app) clusterNodes(ctx context.Context, name string) ([]kubernetes.Node, error) {
	a.node = name
	made, err := a.construct(kubernetes.Name, "")
	if err != nil {
		return nil, err
	}
	return made.(*kubernetes.Engine).Nodes(ctx)
}

// idleSpec is a policy's sandbox. It accepts the absence of everything: what there is, is the
// answer.
func (a *app) idleSpec(chosen *policy.Policy, runtime string) (container.Spec, error) {
	if chosen == nil {
		found, err := a.policies().Get(defaultPolicy)
		if err != nil {
			return container.Spec{}, policyFault(err)
		}
		chosen = &found
	}
	images, err := a.images()
	if err != nil {
		return container.Spec{}, err
	}
	image, err := images.Resolve(chosen.Image)
	if err != nil {
		return container.Spec{}, err
	}
	profile, err := loadProfile(chosen.Isolation.Seccomp)
	if err != nil {
		return container.Spec{}, err
	}
	terms, err := policy.Resolve(*chosen, job.Overrides{})
	if err != nil {
		return container.Spec{}, err
	}
	return container.Spec{
		Image: image.Digest, Runtime: runtime, Command: pythonanalysis.Command(),
		Environment: pythonanalysis.Environment(container.ScratchDir, 1), Seccomp: profile.OCI(), Limits: terms.Limits,
		Optional: container.Controls(),
	}, nil
}

// lookInside makes a sandbox, and removes it again.
func lookInside(ctx context.Context, engine container.Engine, spec container.Spec) (container.Host, error) {
	acquired, err := container.Cold{Engine: engine}.Acquire(ctx, spec, container.Preparation{})
	if err != nil {
		return container.Host{}, err
	}
	release, cancel := container.ReleaseContext(ctx)
	defer cancel()
	if err := acquired.Sandbox.Destroy(release); err != nil {
		return container.Host{}, fmt.Errorf("remove the sandbox that was looked at: %w", err)
	}
	return acquired.Host, nil
}
