package pool_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// engine makes sandboxes that are names only, and counts them. What it is told to do
// otherwise is set before a pool uses it.
type engine struct {
	takes    time.Duration // that it takes to make or to remove anything
	inactive []string      // controls that its host lacks

	probe   func() error
	prepare func(context.Context, *template) error
	create  func(context.Context, *sandbox) error // of those that are prepared
	tighten func(*sandbox) error
	destroy func(name string) error
	memory  func(*template) (int64, error)
	files   func() (string, error)
	glance  func() string // nil for files
	slow    bool          // its templates make sandboxes no faster than it makes cold ones

	preparing, making gauge

	mu        sync.Mutex
	templates []*template
	prepared  []*sandbox
	cold      []*sandbox
	owned     map[container.ID]bool
	faults    []string
}

var _ container.Warmer = (*engine)(nil)

// gauge knows the highest of its values.
type gauge struct{ now, most atomic.Int64 }

func (g *gauge) enter() (leave func()) {
	now := g.now.Add(1)
	for before := g.most.Load(); now > before && !g.most.CompareAndSwap(before, now); before = g.most.Load() {
	}
	return func() { g.now.Add(-1) }
}

// lookers is how the files of an engine look.
type lookers struct{ *engine }

func (l lookers) Look(context.Context, container.Spec) (string, error) {
	if l.files == nil {
		return "", nil
	}
	return l.files()
}

func (l lookers) Glance(ctx context.Context, spec container.Spec) (string, error) {
	if l.glance != nil {
		return l.glance(), nil
	}
	return l.Look(ctx, spec)
}

func (e *engine) Name() string { return "counting" }

func (e *engine) Probe(context.Context, string) (container.Host, error) {
	if e.probe != nil {
		if err := e.probe(); err != nil {
			return container.Host{}, err
		}
	}
	return e.host(), nil
}

func (e *engine) host() container.Host {
	host := container.Host{Engine: e.Name()}
	for _, name := range container.Controls() {
		host.Controls = append(host.Controls, job.Control{Name: name, Active: !slices.Contains(e.inactive, name)})
	}
	return host
}

func (e *engine) Create(ctx context.Context, id container.ID, spec container.Spec) (container.Sandbox, error) {
	if err := errors.Join(context.Cause(ctx), spec.Validate()); err != nil {
		return nil, err
	}
	made := newSandbox(e, id)
	made.tightened = spec.Tightened
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cold = append(e.cold, made)
	return made, nil
}

func (e *engine) Prepare(ctx context.Context, id container.ID, spec container.Spec, preparation container.Preparation) (container.Template, error) {
	defer e.preparing.enter()()
	made := &template{mortal: newMortal(e, id, "template"), spec: spec, words: string(preparation.Words)}
	if err := e.work(ctx); err != nil {
		return nil, err
	}
	if e.prepare != nil {
		if err := e.prepare(ctx, made); err != nil {
			return nil, err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.templates = append(e.templates, made)
	return made, nil
}

func (e *engine) Sweep(context.Context) (int, error) { return 0, nil }

func (e *engine) Close() error { return nil }

// work takes time, or ends with ctx.
func (e *engine) work(ctx context.Context) error {
	if e.takes == 0 {
		return context.Cause(ctx)
	}
	select {
	case <-time.After(e.takes):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (e *engine) fault(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults = append(e.faults, text)
}

// own notes that a caller was given a sandbox.
func (e *engine) own(acquired container.Acquired) *sandbox {
	given := acquired.Sandbox.(*sandbox)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.owned[acquired.ID]:
		e.faults = append(e.faults, "a sandbox was given to two")
	case given.id != acquired.ID:
		e.faults = append(e.faults, "a sandbox was given under the name of another")
	case given.destroyed.Load() > 0:
		e.faults = append(e.faults, "a sandbox was given that had been destroyed")
	case acquired.Warm != slices.Contains(e.prepared, given):
		e.faults = append(e.faults, "a sandbox was not as warm as it was said to be")
	}
	if e.owned == nil {
		e.owned = map[container.ID]bool{}
	}
	e.owned[acquired.ID] = true
	return given
}

// requireClean wants everything that nobody owns to have been destroyed, and nothing else.
func (e *engine) requireClean(t *testing.T) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	require.Empty(t, e.faults)
	for _, one := range e.templates {
		require.EqualValues(t, 1, one.destroyed.Load(), "templates are destroyed once")
	}
	for _, one := range slices.Concat(e.prepared, e.cold) {
		if e.owned[one.id] {
			require.Zero(t, one.destroyed.Load(), "what was given out is its owner's to destroy")
		} else {
			require.EqualValues(t, 1, one.destroyed.Load(), "what nobody was given is destroyed once")
		}
	}
}

// alive returns those of what was made that nobody has destroyed.
func alive[T interface{ gone() bool }](e *engine, made *[]T) []T {
	return slices.DeleteFunc(all(e, made), func(one T) bool { return one.gone() })
}

func (e *engine) idle() []*sandbox {
	return slices.DeleteFunc(alive(e, &e.prepared), func(one *sandbox) bool { return one.asked.Load() })
}

// all returns what was made.
func all[T any](e *engine, made *[]T) []T {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(*made)
}

// mortal is what templates and sandboxes have in common.
type mortal struct {
	engine    *engine
	id        container.ID
	kind      string
	dead      chan struct{}
	die       func()
	destroyed atomic.Int64
}

func newMortal(e *engine, id container.ID, kind string) *mortal {
	dead := make(chan struct{})
	return &mortal{engine: e, id: id, kind: kind, dead: dead, die: sync.OnceFunc(func() { close(dead) })}
}

func (m *mortal) Dead() <-chan struct{} { return m.dead }

func (m *mortal) gone() bool { return m.destroyed.Load() > 0 }

func (m *mortal) Destroy(ctx context.Context) error {
	if _, bounded := ctx.Deadline(); !bounded || ctx.Err() != nil {
		m.engine.fault("something was destroyed without time of its own")
	}
	if err := m.engine.work(ctx); err != nil {
		return err
	}
	m.destroyed.Add(1)
	m.die()
	if m.engine.destroy != nil {
		return m.engine.destroy(m.kind)
	}
	return nil
}

type template struct {
	*mortal
	spec  container.Spec
	words string
}

func (t *template) Create(ctx context.Context, id container.ID) (container.PreparedSandbox, error) {
	defer t.engine.making.enter()()
	made := newSandbox(t.engine, id)
	made.from = t
	if err := t.engine.work(ctx); err != nil {
		return nil, err
	}
	if t.engine.create != nil {
		if err := t.engine.create(ctx, made); err != nil {
			return nil, err
		}
	}
	select {
	case <-t.dead:
		return nil, errors.New("the template is dead")
	default:
	}
	t.engine.mu.Lock()
	defer t.engine.mu.Unlock()
	t.engine.prepared = append(t.engine.prepared, made)
	return made, nil
}

func (t *template) Quick() bool { return !t.engine.slow }

func (t *template) Memory() (int64, error) {
	if t.engine.memory != nil {
		return t.engine.memory(t)
	}
	return 1 << 20, nil
}

type sandbox struct {
	*mortal
	from      *template // nil for a cold one
	host      container.Host
	tightened container.Tightened
	asked     atomic.Bool // whether it is a request's
}

func newSandbox(e *engine, id container.ID) *sandbox {
	return &sandbox{mortal: newMortal(e, id, "sandbox"), host: e.host()}
}

func (s *sandbox) Host() container.Host { return s.host }

func (s *sandbox) Tighten(ctx context.Context, tightened container.Tightened) error {
	if s.engine.tighten != nil {
		if err := s.engine.tighten(s); err != nil {
			return err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	s.tightened = tightened
	s.asked.Store(true)
	return nil
}

func (s *sandbox) Run(context.Context, container.Streams) (container.Exit, error) {
	return container.Exit{}, errors.New("nothing runs here")
}

func (s *sandbox) Hold(context.Context) (*container.Held, error) {
	return nil, container.ErrCannotHold
}

func (s *sandbox) Output(context.Context) (*os.Root, error) {
	return nil, errors.New("nothing runs here")
}
