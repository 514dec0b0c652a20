package docker

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"hotcell/internal/container"
)

var _ container.Warmer = (*Engine)(nil)

// template has containers started in advance, in each of which a guard prepares for itself:
// Docker starts none from another. Nothing lives but the sandboxes that came from it.
type template struct {
	engine      *Engine
	life        *container.Lifecycle
	spec        container.Spec
	preparation container.Preparation
	dead        chan struct{} // closed by Destroy

	mu   sync.Mutex
	idle map[*standby]bool
}

// Prepare implements container.Warmer. Only a daemon that shares this kernel has sandboxes
// in advance.
func (e *Engine) Prepare(ctx context.Context, id container.ID, spec container.Spec, preparation container.Preparation) (container.Template, error) {
	made := &template{engine: e, spec: spec, preparation: preparation, dead: make(chan struct{}), idle: map[*standby]bool{}}
	_, err := e.opening.Create(ctx, id, spec, func(life *container.Lifecycle) (container.Sandbox, error) {
		made.life = life
		_, err := made.admit(ctx)
		return nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("prepare template: %w", err)
	}
	return made, nil
}

// admit refuses a daemon whose sandboxes cannot wait.
func (t *template) admit(ctx context.Context) (daemon, error) {
	found, err := t.engine.daemon(ctx)
	if err != nil {
		return daemon{}, err
	}
	return found, errors.Join(found.admit(t.spec), found.hasRuntime(t.spec.Runtime), found.canWait())
}

// canWait says why no sandbox can wait at this daemon: what it uses up before its run must be
// told apart from what the run does, to the process and the moment.
func (d daemon) canWait() error {
	switch {
	case !d.local:
		return errors.New("the daemon does not share this kernel (or is rootless): what sandboxes hold and use up while they wait cannot be read, nor their limits be set, from here")
	case !d.countsCPU():
		return errors.New("the daemon counts no CPU time: what sandboxes use up before their run would be the run's")
	default:
		return nil
	}
}

// Create implements container.Template.
func (t *template) Create(ctx context.Context, id container.ID) (container.PreparedSandbox, error) {
	made, err := container.CreateAs(ctx, t.engine.opening, id, t.spec, func(life *container.Lifecycle) (*standby, error) {
		return t.create(ctx, life)
	})
	if err != nil {
		return nil, err // and not a sandbox that is none
	}
	return made, nil
}

func (t *template) create(ctx context.Context, life *container.Lifecycle) (*standby, error) {
	if isClosed(t.dead) {
		return nil, container.ErrDestroyed
	}
	daemon, err := t.admit(ctx)
	if err != nil {
		return nil, err
	}
	box, err := t.engine.build(ctx, daemon, &sandbox{
		engine: t.engine, life: life, id: life.ID(), spec: t.spec, preparing: container.PrepareTime,
	})
	if err != nil {
		return nil, err
	}
	made := newStandby(box, t, daemon.host(t.spec.Runtime))
	if err := made.prepare(ctx, t.preparation); err != nil {
		release, cancel := container.ReleaseContext(ctx)
		defer cancel()
		return nil, errors.Join(fmt.Errorf("prepare sandbox: %w", err), made.Destroy(release))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle[made] = true
	return made, nil
}

// forget counts the sandbox no more: it has an owner, or is gone.
func (t *template) forget(one *standby) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.idle, one)
}

// Quick implements container.Template: each sandbox imports and loads for itself.
func (t *template) Quick() bool { return false }

// Memory implements container.Template: what the idle sandboxes hold, with a copy of the
// tables each.
func (t *template) Memory() (int64, error) {
	t.mu.Lock() // until all are read: who is forgotten is asked by its request alone
	defer t.mu.Unlock()
	var sum int64
	for one := range t.idle {
		held, err := one.keeper.memory()
		switch {
		case err == nil:
			sum += held
		case !isClosed(one.dead): // else its group is gone with it
			return 0, fmt.Errorf("sandbox %s: %w", one.id, err)
		}
	}
	return sum, nil
}

// Dead implements container.Template.
func (t *template) Dead() <-chan struct{} { return t.dead }

// Destroy implements container.Template.
func (t *template) Destroy(ctx context.Context) error {
	return t.life.Destroy(ctx, func(context.Context) error {
		close(t.dead)
		return nil
	})
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
