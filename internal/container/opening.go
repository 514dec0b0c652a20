package container

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
)

// ErrClosed is wrapped by Probe, Create and Sweep of an engine that was closed.
var ErrClosed = errors.New("engine has been closed")

// Opening is the life of an engine: it lets calls in until Close, and then releases what
// the engine holds, once nobody is left who needs it. Its methods may be called
// concurrently.
type Opening struct {
	release func()

	mu      sync.Mutex
	users   int // calls under way, and sandboxes that are not destroyed
	closed  bool
	leaving map[*Lifecycle]func(context.Context) error // whose Destroy has begun, and not succeeded yet
}

// NewOpening is for an engine that release ends. It is called once.
func NewOpening(release func()) *Opening {
	return &Opening{release: release, leaving: map[*Lifecycle]func(context.Context) error{}}
}

// Enter lets one user in, or returns ErrClosed. leave may be called more than once.
func (o *Opening) Enter() (leave func(), err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, ErrClosed
	}
	o.users++
	return sync.OnceFunc(o.leave), nil
}

func (o *Opening) leave() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.users--; o.closed && o.users == 0 {
		o.release()
	}
}

// Close lets nobody in any more. Idempotent.
func (o *Opening) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	if o.closed = true; o.users == 0 {
		o.release()
	}
}

func (o *Opening) note(life *Lifecycle, remove func(context.Context) error) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.leaving[life] = remove
}

func (o *Opening) forget(life *Lifecycle) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.leaving, life)
}

// DestroyLeft destroys what could not be destroyed before, for a process that lives on: its
// own locks keep its Sweep from that. It returns how many are gone. What somebody is at is
// left to him.
func (o *Opening) DestroyLeft(ctx context.Context) (int, error) {
	o.mu.Lock()
	left := maps.Clone(o.leaving)
	o.mu.Unlock()
	gone := 0
	var faults []error
	for life, remove := range left {
		if ctx.Err() != nil {
			break
		}
		one, cancel := ReleaseContext(ctx)
		removed, err := life.destroy(one, remove)
		cancel()
		if removed {
			gone++
		}
		if !errors.Is(err, ErrInUse) {
			faults = append(faults, err)
		}
	}
	return gone, errors.Join(faults...)
}

// Create is Engine.Create: it refuses what no engine takes, and has the engine's own part
// make a sandbox with the Lifecycle. That sandbox is a user of the engine until it is
// destroyed.
func (o *Opening) Create(ctx context.Context, id ID, spec Spec, create func(*Lifecycle) (Sandbox, error)) (Sandbox, error) {
	leave, err := o.Enter()
	if err != nil {
		return nil, fmt.Errorf("create sandbox %s: %w", id, err)
	}
	made := false
	defer func() {
		if !made { // after a panic, too
			leave()
		}
	}()
	var sandbox Sandbox
	if err = errors.Join(context.Cause(ctx), id.validate(), spec.Validate()); err == nil {
		life := NewLifecycle(id, leave)
		life.opening = o
		sandbox, err = create(life)
	}
	if err != nil {
		return nil, fmt.Errorf("create sandbox %s: %w", id, err)
	}
	made = true
	return sandbox, nil
}

// CreateAs is Opening.Create with the type of sandbox that the engine's own part makes.
func CreateAs[S Sandbox](ctx context.Context, o *Opening, id ID, spec Spec, create func(*Lifecycle) (S, error)) (S, error) {
	var made, none S
	_, err := o.Create(ctx, id, spec, func(life *Lifecycle) (Sandbox, error) {
		var err error
		made, err = create(life)
		return made, err
	})
	if err != nil {
		return none, err
	}
	return made, nil
}
