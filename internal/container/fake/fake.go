// Package fake is an engine without containers: a sandbox is a function and a
// directory.
//
// It keeps the contract's promises about life cycle, streams and clean-up, and
// passes containertest with programs that play the kernel. It decides nothing
// about isolation and must never be offered to a user. The tests of internal/runner
// use it to play an honest guard, a hostile one, or a host that fails.
package fake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// Program plays everything in one sandbox. It returns how that ended, by the
// kernel's account. It must return soon after ctx has ended, which stands for
// SIGKILL: Run then replaces its Exit but for the Usage and the kernel's counts.
// Writes after that, or after Program has returned, fail.
type Program func(ctx context.Context, stdio Stdio, output *os.Root) container.Exit

// Stdio holds a program's descriptors 0 to 2.
type Stdio struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Options says what the engine offers. Dir and Program are required.
type Options struct {
	// Dir holds a directory for each sandbox until it is destroyed.
	Dir string
	// Program chooses what a sandbox runs.
	Program func(container.Spec) Program
	// Images and Bundles are the digests that are here; nil stands for all.
	Images, Bundles []string
	// Runtimes are the names that Spec.Runtime may have besides "".
	Runtimes []string
	// Inactive names the controls that this host lacks.
	Inactive []string
	// Faults make methods fail.
	Faults Faults
}

// Faults holds the error with which each method fails; nil for none. Create, Run
// and Destroy do their work first and then fail, as an engine does whose last step
// went wrong. A Destroy that failed may be repeated, and fails again.
type Faults struct {
	Probe, Create, Run, Output, Destroy, Sweep error
}

// Engine implements container.Engine.
type Engine struct {
	options Options

	mu   sync.Mutex
	live map[job.ID]*sandbox
}

// New checks the options and returns an engine.
func New(options Options) (*Engine, error) {
	if options.Dir == "" || options.Program == nil {
		return nil, errors.New("make fake engine: Dir and Program are required")
	}
	for _, name := range options.Inactive {
		if !slices.Contains(container.Controls(), name) {
			return nil, fmt.Errorf("make fake engine: unknown control %q", name)
		}
	}
	return &Engine{options: options, live: map[job.ID]*sandbox{}}, nil
}

// Name implements container.Engine.
func (e *Engine) Name() string { return "fake" }

// Probe implements container.Engine.
func (e *Engine) Probe(_ context.Context, runtime string) (container.Host, error) {
	if e.options.Faults.Probe != nil {
		return container.Host{}, e.options.Faults.Probe
	}
	if err := e.hasRuntime(runtime); err != nil {
		return container.Host{}, err
	}
	host := container.Host{Engine: e.Name(), Runtime: cmp.Or(runtime, "fake") + " 1", Kernel: goruntime.GOOS}
	for _, name := range container.Controls() {
		control := job.Control{Name: name, Active: !slices.Contains(e.options.Inactive, name)}
		if !control.Active {
			control.Detail = "switched off for this test"
		}
		host.Controls = append(host.Controls, control)
	}
	return host, nil
}

// Create implements container.Engine.
func (e *Engine) Create(ctx context.Context, id job.ID, spec container.Spec) (container.Sandbox, error) {
	if err := e.accept(ctx, spec); err != nil {
		return nil, fmt.Errorf("create sandbox %s: %w", id, err)
	}
	dir := filepath.Join(e.options.Dir, id.String())
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create sandbox %s: %w", id, err)
	}
	if e.options.Faults.Create != nil {
		return nil, errors.Join(e.options.Faults.Create, os.RemoveAll(dir))
	}
	s := &sandbox{engine: e, id: id, dir: dir, program: e.options.Program(spec)}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.live[id] = s
	return s, nil
}

func (e *Engine) accept(ctx context.Context, spec container.Spec) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := spec.Validate(); err != nil {
		return err
	}
	for _, control := range e.options.Inactive {
		if !slices.Contains(spec.Optional, control) {
			return fmt.Errorf("control %s is inactive on this host", control)
		}
	}
	if e.options.Images != nil && !slices.Contains(e.options.Images, spec.Image) {
		return fmt.Errorf("image %s is not here", spec.Image)
	}
	if spec.Bundle != "" && e.options.Bundles != nil && !slices.Contains(e.options.Bundles, spec.Bundle) {
		return fmt.Errorf("bundle %s is not here", spec.Bundle)
	}
	return e.hasRuntime(spec.Runtime)
}

func (e *Engine) hasRuntime(name string) error {
	if name != "" && !slices.Contains(e.options.Runtimes, name) {
		return fmt.Errorf("%w %q: known are %q", container.ErrUnknownRuntime, name, e.options.Runtimes)
	}
	return nil
}

// Sweep implements container.Engine. Nothing of a fake outlives its process but
// Options.Dir, which is its owner's to remove.
func (e *Engine) Sweep(context.Context) (int, error) { return 0, e.options.Faults.Sweep }

// Live returns the IDs of the sandboxes that nobody has destroyed, in the order of
// their start.
func (e *Engine) Live() []job.ID {
	e.mu.Lock()
	defer e.mu.Unlock()
	ids := make([]job.ID, 0, len(e.live))
	for id := range e.live {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b job.ID) int { return strings.Compare(a.String(), b.String()) })
	return ids
}

func (e *Engine) forget(id job.ID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.live, id)
}
