// Package fake is an engine without containers: a sandbox is a function and a
// directory.
//
// It keeps the contract's promises about life cycle, streams and clean-up, and
// passes containertest with programs that play the kernel. It decides nothing
// about isolation and must never be offered to a user. The tests of internal/runner
// use it to play an honest guard or a hostile one; containertest.Faulty makes a host of it
// that fails.
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
	"sync"

	"hotcell/internal/container"
	"hotcell/internal/digest"
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

// Options configures an Engine. StateDir and Program are required.
type Options struct {
	// StateDir holds a directory for each sandbox until it is destroyed.
	StateDir string
	// Program chooses what a sandbox runs.
	Program func(container.Spec) Program
	// Images and Bundles are the digests that are here; nil stands for all.
	Images, Bundles []digest.Digest
	// Runtimes are the names that Spec.Runtime may have besides "".
	Runtimes []string
	// Freeze is called for each Hold, which fails with its error. nil succeeds.
	Freeze func(context.Context) error
	// Still is called for each Release: its error says that the hold was broken.
	Still func(context.Context) error
	// Inactive names the controls that this host lacks.
	Inactive []string
}

// Engine implements container.Engine.
type Engine struct {
	options Options
	opening *container.Opening

	mu   sync.Mutex
	live []container.ID // in the order of Create
}

// New checks the options and returns an engine.
func New(options Options) (*Engine, error) {
	if options.StateDir == "" || options.Program == nil {
		return nil, errors.New("make fake engine: StateDir and Program are required")
	}
	for _, name := range options.Inactive {
		if !slices.Contains(container.Controls(), name) {
			return nil, fmt.Errorf("make fake engine: unknown control %q", name)
		}
	}
	return &Engine{options: options, opening: container.NewOpening(func() {})}, nil
}

// Name implements container.Engine.
func (e *Engine) Name() string { return "fake" }

// Close implements container.Engine.
func (e *Engine) Close() error {
	e.opening.Close()
	return nil
}

// Probe implements container.Engine.
func (e *Engine) Probe(_ context.Context, runtime string) (container.Host, error) {
	leave, err := e.opening.Enter()
	if err != nil {
		return container.Host{}, err
	}
	defer leave()
	if err := e.hasRuntime(runtime); err != nil {
		return container.Host{}, err
	}
	return container.Host{
		CPU:    job.CPU{Model: "fake", Features: []string{}},
		Engine: e.Name(), Runtime: cmp.Or(runtime, "fake") + " 1", Kernel: goruntime.GOOS, Controls: e.controls(),
	}, nil
}

func (e *Engine) controls() []job.Control {
	var controls []job.Control
	for _, name := range container.Controls() {
		control := job.Control{Name: name, Active: !slices.Contains(e.options.Inactive, name)}
		if !control.Active {
			control.Detail = "switched off for this test"
		}
		controls = append(controls, control)
	}
	return controls
}

// Create implements container.Engine.
func (e *Engine) Create(ctx context.Context, id container.ID, spec container.Spec) (container.Sandbox, error) {
	return e.opening.Create(ctx, id, spec, func(life *container.Lifecycle) (container.Sandbox, error) {
		if err := e.accept(spec); err != nil {
			return nil, err
		}
		return e.create(life, spec)
	})
}

func (e *Engine) create(life *container.Lifecycle, spec container.Spec) (*sandbox, error) {
	dir := filepath.Join(e.options.StateDir, life.ID().String())
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.live = append(e.live, life.ID())
	return &sandbox{engine: e, life: life, dir: dir, program: e.options.Program(spec)}, nil
}

func (e *Engine) accept(spec container.Spec) error {
	if err := (container.Host{Controls: e.controls()}).Admit(spec.Optional); err != nil {
		return err
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
// Options.StateDir, which is its owner's to remove.
func (e *Engine) Sweep(ctx context.Context) (int, error) {
	leave, err := e.opening.Enter()
	if err != nil {
		return 0, err
	}
	defer leave()
	return e.opening.DestroyLeft(ctx)
}

// Live returns the IDs of the sandboxes that nobody has destroyed, in the order of
// Create.
func (e *Engine) Live() []container.ID {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.live)
}

// perhaps calls what a test wants to be called.
func perhaps(ctx context.Context, call func(context.Context) error) error {
	if call == nil {
		return context.Cause(ctx)
	}
	return call(ctx)
}

func (e *Engine) forget(id container.ID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.live = slices.DeleteFunc(e.live, func(live container.ID) bool { return live == id })
}
