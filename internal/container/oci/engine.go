//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/digest"
)

// Images finds unpacked images.
type Images interface {
	// Rootfs returns the directory of the image with this digest, after it has seen
	// that nothing in it has changed. It is asked before each sandbox.
	Rootfs(ctx context.Context, image digest.Digest) (string, error)
}

// Bundles finds data bundles.
type Bundles interface {
	// Path returns the directory of the bundle with this digest.
	Path(bundle digest.Digest) (string, error)
}

// Options configures an Engine. StateDir, Images and Bundles are required.
type Options struct {
	// StateDir is the engine's own, for example /run/hotcell. It is made when
	// absent. Processes that share it sweep each other's leftovers.
	StateDir string
	// Runtime is "crun", "runc", "runsc", or "" for crun or runc, whichever is
	// installed first.
	Runtime string
	Images  Images
	Bundles Bundles
	Logger  *slog.Logger // nil discards

	// cgroupParent is the group below which each sandbox gets its own; "", but in tests,
	// is the process's place (cgroup.Home).
	cgroupParent string
}

// Engine implements container.Engine.
type Engine struct {
	options Options

	opening *container.Opening

	turn     chan struct{}         // full while somebody is at what follows: see await
	mounts   *namespace            // nil until the first use
	owner    string                // durable.Owner of the state directory, from then on
	findings map[string]*discovery // in mounts, by name of the runtime
}

var _ container.Engine = (*Engine)(nil)

// New validates options. It touches nothing on the host: Probe says whether the
// engine can be used here.
func New(options Options) (*Engine, error) {
	checks := []struct {
		ok    bool
		fault error
	}{
		{filepath.IsAbs(options.StateDir) && filepath.Clean(options.StateDir) == options.StateDir && options.StateDir != "/",
			fmt.Errorf("state directory %q is not absolute and clean", options.StateDir)},
		{options.cgroupParent == "" || options.cgroupParent != "/" && filepath.IsAbs(options.cgroupParent) && filepath.Clean(options.cgroupParent) == options.cgroupParent,
			fmt.Errorf("cgroup parent %q is not absolute and clean", options.cgroupParent)},
		{options.Images != nil, errors.New("images are missing")},
		{options.Bundles != nil, errors.New("bundles are missing")},
	}
	for _, check := range checks {
		if !check.ok {
			return nil, fmt.Errorf("configure oci engine: %w", check.fault)
		}
	}
	if options.Runtime != "" && !slices.Contains(known(), options.Runtime) {
		return nil, unknownRuntime(options.Runtime) // in the words of Probe
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	engine := &Engine{options: options, turn: make(chan struct{}, 1)}
	engine.opening = container.NewOpening(engine.release)
	return engine, nil
}

// Name implements container.Engine.
func (e *Engine) Name() string { return "oci" }

// Close implements container.Engine.
func (e *Engine) Close() error {
	e.opening.Close()
	return nil
}

// release lets go of the mount namespace, which the kernel then ends. Nobody is left who
// could be at it.
func (e *Engine) release() {
	if e.mounts != nil {
		e.mounts.handle.Close()
	}
	e.mounts, e.findings = nil, nil
}

// Create implements container.Engine.
func (e *Engine) Create(ctx context.Context, id container.ID, spec container.Spec) (container.Sandbox, error) {
	return e.opening.Create(ctx, id, spec, func(life *container.Lifecycle) (container.Sandbox, error) {
		return e.create(ctx, life, spec)
	})
}

func (e *Engine) create(ctx context.Context, life *container.Lifecycle, spec container.Spec) (*sandbox, error) {
	host, sources, err := e.admit(ctx, spec)
	if err != nil {
		return nil, err
	}
	s, err := e.claim(ctx, life, spec, host)
	if err != nil {
		return nil, err
	}
	if err := s.build(ctx, sources); err != nil {
		releaseCtx, cancel := container.ReleaseContext(ctx)
		defer cancel()
		return nil, errors.Join(err, s.Destroy(releaseCtx))
	}
	return s, nil
}

// admit finds out whether this host can have the sandbox, and what it is made from.
func (e *Engine) admit(ctx context.Context, spec container.Spec) (*discovery, sources, error) {
	found := e.findSources(ctx, spec)
	host, err := e.discover(ctx, spec.Runtime)
	if err == nil {
		err = host.host.Admit(spec.Optional)
	}
	from, missing := found() // also after an error: nothing of ours goes on behind the caller's back
	if err == nil {
		err = missing
	}
	if err == nil {
		err = requireRoom(e.options.StateDir)
	}
	return host, from, err
}

// What a sandbox needs of the state directory's disk, many times over. Runtimes
// tell of a full one in words such as "Operation canceled", or in none.
const (
	roomBytes = 1 << 20
	roomFiles = 64
)

func requireRoom(dir string) error {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	// File systems without a fixed number of inodes say that there are none at all.
	if disk.Bavail*uint64(disk.Bsize) < roomBytes || disk.Files > 0 && disk.Ffree < roomFiles {
		return fmt.Errorf("make room on the disk of %s: %w", dir, unix.ENOSPC)
	}
	return nil
}

// sources are the host directories that a sandbox is made from.
type sources struct{ rootFS, bundle string }

// findSources begins to look for the sources, which costs a look at every file of
// the image, and returns the function that waits for them.
func (e *Engine) findSources(ctx context.Context, spec container.Spec) func() (sources, error) {
	var from sources
	var err error
	found := make(chan struct{})
	go func() {
		defer close(found)
		from, err = e.sources(ctx, spec)
	}()
	return func() (sources, error) {
		<-found
		return from, err
	}
}

func (e *Engine) sources(ctx context.Context, spec container.Spec) (sources, error) {
	var found sources
	var err error
	if found.rootFS, err = e.options.Images.Rootfs(ctx, spec.Image); err != nil {
		return sources{}, fmt.Errorf("find image %s: %w", spec.Image, err)
	}
	if spec.Bundle == "" {
		return found, nil
	}
	if found.bundle, err = e.options.Bundles.Path(spec.Bundle); err != nil {
		return sources{}, fmt.Errorf("find bundle %s: %w", spec.Bundle, err)
	}
	return found, nil
}

// await waits until ctx ends for those who make, or find out, what the engine keeps. They
// may take as long as their own contexts do, and a mutex would hold the caller as long.
func (e *Engine) await(ctx context.Context) (leave func(), err error) {
	select {
	case e.turn <- struct{}{}:
		return func() { <-e.turn }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for another's preparations: %w", context.Cause(ctx))
	}
}

// prepare makes the state directory, the place of the control groups and the mount
// namespace: at the first use, and when the place is gone.
func (e *Engine) prepare(ctx context.Context) (*namespace, error) {
	leave, err := e.await(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return e.prepareInTurn(ctx)
}

func (e *Engine) prepareInTurn(ctx context.Context) (*namespace, error) {
	if e.mounts == nil {
		if os.Geteuid() != 0 {
			return nil, errors.New("the oci engine needs root to make mounts and control groups: run it as root, or use the docker engine")
		}
		if err := e.makeState(); err != nil {
			return nil, err
		}
		if err := becomeSubreaper(); err != nil {
			return nil, err
		}
	}
	place, err := e.findPlace(ctx)
	if err != nil {
		return nil, err
	}
	if e.mounts != nil {
		if shown, err := e.mounts.shows(place); err != nil || shown {
			return e.mounts, err
		}
	}
	mounts, err := newNamespace(place)
	if err != nil {
		return nil, err
	}
	e.mounts, e.findings = mounts, map[string]*discovery{}
	return mounts, nil
}
