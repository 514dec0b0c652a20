//go:build linux

package oci

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/durable"
)

// sandbox implements container.Sandbox. What is nil has not been made yet.
type sandbox struct {
	life     *container.Lifecycle
	id       container.ID // life's
	spec     container.Spec
	host     container.Host
	paths    container.Paths
	place    string // group above its own
	dir      string
	owner    string // the engine's
	logger   *slog.Logger
	mounts   *namespace
	runtime  *client
	lockFile *os.File

	// origin is what the sandbox is forked from, or nil.
	origin *fork
	// template is what is special about a template's own container, or nil for a sandbox.
	template *templateParts

	pipes  *pipes
	output *os.Root
	group  *cgroup.Group
	anchor *anchor
	guard  *guardProcess
	// pidNamespace is the anchor's, of a sandbox that a fork may enter.
	pidNamespace string
	// anchorTasks are the threads of the anchor where that is not the guard.
	anchorTasks int64
	setupCPU    time.Duration // used by the runtime's own set-up, which is not the guard's
	// sentryGroups are the process groups of gVisor's own processes.
	sentryGroups []int
}

var _ container.Sandbox = (*sandbox)(nil)

func (s *sandbox) path(name string) string { return filepath.Join(s.dir, name) }

// mountPoint exists in the engine's mount namespace only.
func (s *sandbox) mountPoint(name string) string { return filepath.Join(mountDir, s.id.String(), name) }

// claim takes the lock of a new sandbox, before anything of it exists.
func (e *Engine) claim(ctx context.Context, life *container.Lifecycle, spec container.Spec, host *discovery) (*sandbox, error) {
	s := e.handle(life.ID(), host.mounts)
	s.life, s.spec, s.host = life, spec, host.host
	s.runtime = e.runtimeFor(host.name, host.path, s.path(logFile))
	s.paths = container.Paths{
		RootFS: s.mountPoint(rootFSDir), Output: s.mountPoint(outputDir), Cgroups: s.shownGroup(),
		UserNamespace: host.userNamespace, NoSwapLimit: !s.enforces(container.ControlSwapOff),
		AppArmor: host.appArmor,
	}
	if spec.Bundle != "" {
		s.paths.Bundle = s.mountPoint(bundleDir)
	}
	var err error
	if s.lockFile, err = e.lock(ctx, s.id); err != nil {
		return nil, err
	}
	return s, nil
}

// handle returns a sandbox of which only the places are known.
func (e *Engine) handle(id container.ID, mounts *namespace) *sandbox {
	return &sandbox{
		id: id, dir: e.sandboxDir(id), owner: e.owner, logger: e.options.Logger, mounts: mounts,
		place: mounts.place,
	}
}

// guardID is the user and the group that the guard is on this host.
func (s *sandbox) guardID() uint32 {
	if s.template != nil {
		return s.template.user
	}
	return s.paths.HostID(container.UserID)
}

// enforces reports whether the host has the control, so that the sandbox must.
func (s *sandbox) enforces(control string) bool {
	return !slices.Contains(s.host.Inactive(), control)
}

// build makes everything up to the idle container, and verifies it.
func (s *sandbox) build(ctx context.Context, from sources) error {
	if err := s.makeDir(); err != nil {
		return err
	}
	if err := s.mountAll(from); err != nil {
		return err
	}
	if err := s.makeSentryGroup(); err != nil {
		return err
	}
	var err error
	if s.pipes, err = newPipes(s.template != nil); err != nil {
		return err
	}
	if err := s.beginFork(ctx); err != nil {
		return err
	}
	if err := s.writeConfig(); err != nil {
		return err
	}
	if err := s.createContainer(ctx); err != nil {
		return err
	}
	if err := s.adopt(); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return s.verify(s.idleChecks())
}

// makeDir makes the sandbox's directory. The signature comes first: what follows must
// not be taken for a dead owner's by a copy of the state directory. Then the place,
// which a Sweep by another process could not know.
func (s *sandbox) makeDir() error {
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return fmt.Errorf("make sandbox directory: %w", err)
	}
	for _, file := range []struct{ name, content string }{{ownerFile, s.owner}, {placeFile, s.place}} {
		err := os.WriteFile(s.path(file.name), []byte(file.content), 0o600) //nolint:forbidigo // in the directory with mode 0700 that was just made
		if err != nil {
			return fmt.Errorf("sign sandbox directory: %w", err)
		}
	}
	return nil
}

// config is the container's.
func (s *sandbox) config() (*specs.Spec, error) {
	if s.template != nil {
		return container.TemplateConfig(s.spec, s.paths, s.template.user, s.template.seccomp)
	}
	return container.Config(s.spec, s.paths)
}

func (s *sandbox) writeConfig() error {
	config, err := s.config()
	if err != nil {
		return err
	}
	if s.origin != nil {
		config.Process.Rlimits = nil // the fork's own: see encodedLimits
	}
	if s.hasSentry() {
		sentryConfig(config, s.mountPoint(scratchDir), s.spec.Enforced().PIDs)
		if err := s.mounts.do(func() (err error) {
			config.Process.Args, err = readable(s.paths.RootFS, config.Process.Args)
			return err
		}); err != nil {
			return err
		}
	}
	encoded, err := json.Marshal(config)
	if err != nil {
		return fmt.Errorf("encode sandbox configuration: %w", err)
	}
	err = os.WriteFile(s.path(configFile), encoded, 0o600) //nolint:forbidigo // in the directory with mode 0700 that makeDir made
	if err != nil {
		return fmt.Errorf("write sandbox configuration: %w", err)
	}
	return nil
}

// adopt takes over the container's first process, which is anchor and guard, and its
// control group.
func (s *sandbox) adopt() error {
	content, err := durable.ReadFile(s.path(pidFile), maxSmall)
	if err != nil {
		return fmt.Errorf("read container's pid: %w", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil || pid <= 1 {
		return fmt.Errorf("read container's pid: %q is none", content)
	}
	first, err := openChild(pid)
	if err != nil {
		return err
	}
	s.anchor, s.guard = &anchor{first}, &guardProcess{first}
	if s.origin != nil {
		if s.pidNamespace, err = os.Readlink(pidNamespaceOf(pid)); err != nil {
			return err
		}
	}
	if s.group, err = cgroup.Load(s.groupPath()); err != nil {
		return err
	}
	if err := errors.Join(s.findSentryGroups(), takeLoopbackDown(pid)); err != nil {
		return err
	}
	s.setupCPU, err = s.group.CPUTime()
	return err
}

// Output implements container.Sandbox.
func (s *sandbox) Output(ctx context.Context) (*os.Root, error) {
	return s.life.Output(ctx, func() (*os.Root, error) { return s.output.OpenRoot(".") })
}
