package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

var (
	// ErrNotRunning is wrapped by a Hold of a sandbox whose Run is not under way, or is on
	// its way to its end.
	ErrNotRunning = errors.New("sandbox does not run")
	// ErrHoldBroken is wrapped by a Release where processes of the sandbox may have run
	// since the Hold: it was killed, or somebody else has let them go on. What was read is
	// worth nothing.
	ErrHoldBroken = errors.New("sandbox was not held until now")
	// ErrCannotHold is wrapped by a Hold that this engine, or this host, cannot give. The
	// error names what is missing.
	ErrCannotHold = errors.New("sandbox cannot be held")
)

// holdPatience bounds how long it may take until nothing of a sandbox runs any more. What
// waits for a disk is stopped when that has answered.
const holdPatience = 30 * time.Second

var errHoldPatience = fmt.Errorf("it was not still within %s", holdPatience)

// Freezer is how an engine holds one sandbox's processes. Its methods are not called at the
// same time.
type Freezer struct {
	// Freeze stops every process and returns when the kernel, or the daemon, has said that
	// none runs any more. Thaw is called after it whatever it returns.
	Freeze func(ctx context.Context) error
	// Still asks once more, and is an error where one may have run since.
	Still func(ctx context.Context) error
	// Thaw lets them go on. Idempotent, and nothing for what is gone.
	Thaw func(ctx context.Context) error
	// Open opens the output directory.
	Open func(ctx context.Context) (*os.Root, error)
}

// Held is a sandbox none of whose processes runs.
type Held struct {
	// Output is the output directory, as Sandbox.Output opens it. Everything in it is
	// hostile. Release closes it.
	Output *os.Root

	of      *holding
	freezer Freezer
	broken  error
	over    bool
}

// holding is what a Lifecycle knows of holds. It has a lock of its own: a hold is within the
// call of Run.
type holding struct {
	begun, ended chan struct{} // closed when the sandbox may be held, and when not any more
	begin, end   func()        // close them

	mu      sync.Mutex
	running bool
	held    *Held
}

func newHolding() *holding {
	begun, ended := make(chan struct{}), make(chan struct{})
	return &holding{
		begun: begun, begin: sync.OnceFunc(func() { close(begun) }),
		ended: ended, end: sync.OnceFunc(func() { close(ended) }),
	}
}

func (h *holding) isOver() bool {
	select {
	case <-h.ended:
		return true
	default:
		return false
	}
}

// over is told of the end of Run. What is still held is dead, or for Destroy to let go.
func (h *holding) over() {
	h.end()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held != nil {
		h.held.broken = ErrHoldBroken
	}
}

func (h *holding) run() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.running = true
}

func (h *holding) isRunning() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.running
}

// Holdable is told by Run when the sandbox's processes are where the engine wants them and
// have been checked. What they have written may be known before: a Hold waits until then.
func (l *Lifecycle) Holdable() { l.hold.begin() }

// Hold is Sandbox.Hold.
func (l *Lifecycle) Hold(ctx context.Context, freezer Freezer) (*Held, error) {
	held, err := l.hold.take(ctx, freezer)
	if err != nil {
		return nil, fmt.Errorf("hold sandbox %s: %w", l.id, err)
	}
	return held, nil
}

func (h *holding) take(ctx context.Context, freezer Freezer) (*Held, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, holdPatience, errHoldPatience)
	defer cancel()
	if err := h.await(ctx); err != nil {
		return nil, err
	}
	go func() {
		select {
		case <-h.ended: // who kills does not wait
			cancel()
		case <-ctx.Done():
		}
	}()
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.isOver():
		return nil, ErrNotRunning
	case h.held != nil:
		return nil, ErrInUse
	}
	err := freezer.Freeze(ctx)
	var root *os.Root
	if err == nil {
		root, err = freezer.Open(ctx)
	}
	if err != nil {
		if h.isOver() {
			err = fmt.Errorf("%w: %w", ErrNotRunning, err)
		}
		return nil, errors.Join(err, thaw(ctx, freezer))
	}
	h.held = &Held{Output: root, of: h, freezer: freezer}
	return h.held, nil
}

// await waits for Holdable.
func (h *holding) await(ctx context.Context) error {
	if !h.isRunning() {
		return ErrNotRunning
	}
	select {
	case <-h.begun:
		return nil
	case <-h.ended:
		return ErrNotRunning
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// thaw has a time of its own: what is left frozen does not even die, on cgroup v1.
func thaw(ctx context.Context, freezer Freezer) error {
	ctx, cancel := ReleaseContext(ctx)
	defer cancel()
	return freezer.Thaw(ctx)
}

// EndHold lets a sandbox that is held go on, whoever holds it, and allows no other hold. An
// engine calls it before it kills: on cgroup v1 not even SIGKILL ends what is frozen.
func (l *Lifecycle) EndHold(ctx context.Context) error {
	h := l.hold
	h.end()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held == nil {
		return nil
	}
	h.held.broken = ErrHoldBroken
	err := thaw(ctx, h.held.freezer)
	h.held = nil
	if err != nil {
		return fmt.Errorf("let sandbox %s go on: %w", l.id, err)
	}
	return nil
}

// Release closes Output and lets the sandbox go on. An error that wraps ErrHoldBroken says
// that what was read is worth nothing, any other that the sandbox may not go on. A second
// call does nothing.
func (h *Held) Release(ctx context.Context) error {
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	if h.over {
		return nil
	}
	h.over = true
	err := errors.Join(h.broken, h.Output.Close())
	if h.of.held != h { // it has been let go
		return err
	}
	h.of.held = nil
	ctx, cancel := ReleaseContext(ctx)
	defer cancel()
	if h.broken != nil {
		return errors.Join(err, h.freezer.Thaw(ctx))
	}
	if still := h.freezer.Still(ctx); still != nil {
		err = errors.Join(err, fmt.Errorf("%w: %w", ErrHoldBroken, still))
	}
	return errors.Join(err, h.freezer.Thaw(ctx))
}
