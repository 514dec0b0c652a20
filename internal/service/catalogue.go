package service

import (
	"context"
	"errors"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// Check has code vetted, and nothing of it run.
func (s *Broker) Check(ctx context.Context, who access.Principal, asked api.CreateRun) (api.Checked, error) {
	if err := s.admit(who); err != nil {
		return api.Checked{}, err
	}
	wanted, err := requestOf(asked)
	if err != nil {
		return api.Checked{}, err
	}
	s.mu.Lock()
	err = s.hasCPU(who.Name)
	if s.draining {
		err = ErrDraining
	}
	s.mu.Unlock()
	if err != nil {
		return api.Checked{}, err
	}
	found, err := s.options.Engine.Check(ctx, engineapi.Principal(who.Name), wanted)
	if err != nil {
		return api.Checked{}, s.told(ctx, err)
	}
	checked := api.Checked{Policy: found.Policy, PolicySHA256: string(found.PolicySHA256), Violations: found.Violations}
	if checked.Violations == nil {
		checked.Violations = []job.Violation{}
	}
	return checked, nil
}

// Policies are all that requests may name, without their text.
func (s *Broker) Policies(ctx context.Context) (api.PolicyList, error) {
	all, err := s.options.Engine.Policies(ctx)
	return api.PolicyList{Policies: all}, s.told(ctx, err)
}

// Policy is one of them, with its text.
func (s *Broker) Policy(ctx context.Context, name string) (api.PolicyInfo, error) {
	one, err := s.options.Engine.Policy(ctx, name)
	return one, s.named(ctx, err)
}

// Bundles are all that requests may name, without their tables.
func (s *Broker) Bundles(ctx context.Context) (api.BundleList, error) {
	all, err := s.options.Engine.Bundles(ctx)
	return api.BundleList{Bundles: all}, s.told(ctx, err)
}

// Bundle is one by its digest, name or name@version, with its tables' shapes.
func (s *Broker) Bundle(ctx context.Context, reference string) (api.BundleInfo, error) {
	one, err := s.options.Engine.Bundle(ctx, reference)
	return one, s.named(ctx, err)
}

// Tools are those that the administrator has registered.
func (s *Broker) Tools(ctx context.Context) (api.ToolList, error) {
	all, err := s.options.Engine.Tools(ctx)
	return api.ToolList{Tools: all}, s.told(ctx, err)
}

// Host asks the engine what it does. One that does not answer is left out.
func (s *Broker) Host(ctx context.Context) (api.HostInfo, error) {
	host := api.HostInfo{Service: s.Load()}
	overview, err := s.options.Engine.Status(ctx)
	if isAway(err) {
		s.suspect()
		return host, nil
	}
	if err != nil {
		return host, s.told(ctx, err)
	}
	host.Engine = &api.EngineInfo{
		Version: overview.Engine.Version, Engine: overview.Engine.Engine, Places: overview.Engine.Places, Draining: overview.Engine.Draining,
		Running: overview.Running, Waiting: overview.Waiting, RemovalsFailed: overview.RemovalsFailed,
	}
	return host, nil
}

// named is told for what was asked for by its name: the engine's own words say what there is.
func (s *Broker) named(ctx context.Context, err error) error {
	if errors.Is(err, runner.ErrInput) && ctx.Err() == nil {
		return tell(ErrNotFound, err)
	}
	return s.told(ctx, err)
}
