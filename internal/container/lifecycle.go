package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

var (
	// ErrUsed is wrapped by the second Run of a sandbox.
	ErrUsed = errors.New("sandbox has been used: make another")
	// ErrNotEnded is wrapped by Output where no Run has returned an Exit.
	ErrNotEnded = errors.New("sandbox has not ended")
	// ErrDestroyed is wrapped by Run and Output once Destroy was called.
	ErrDestroyed = errors.New("sandbox has been destroyed")
	// ErrCannotTighten is wrapped by Tighten where a limit cannot be changed any more.
	ErrCannotTighten = errors.New("limit of an idle sandbox cannot be tightened")
	// ErrBusy is wrapped by a Template's Create where others are having theirs made.
	ErrBusy = errors.New("others are having sandboxes made from the template")
	// ErrInUse is wrapped by a call that comes while another of the same sandbox is under
	// way. It has done nothing.
	ErrInUse = errors.New("sandbox is in use: wait for the end of the call before")
)

// Lifecycle is the order of a sandbox's calls, which is the same whoever made it: each
// engine's sandbox has one, which calls the engine's own part where it is due, and words
// its errors. A sandbox is not for concurrent use, and what would come between another
// call, be it from that call's own streams, is ErrInUse: a run must not end in what has
// been removed meanwhile.
type Lifecycle struct {
	id      ID
	opening *Opening // that tries again what could not be destroyed; nil where nobody does
	leave   func()   // the engine, which may then release what it holds

	hold *holding

	mu    sync.Mutex // held as long as a call takes, and never waited for
	stage stage
}

// stage is how far a sandbox is.
type stage int

const (
	idle    stage = iota
	begun         // Run was called, and has returned no Exit: what lives may still write
	ended         // Run has returned an Exit
	leaving       // Destroy was called, and has failed if it is over
	gone
)

// NewLifecycle is for a sandbox that is idle. destroyed is called once, after a Destroy
// that succeeded; nil for nothing.
func NewLifecycle(id ID, destroyed func()) *Lifecycle {
	if destroyed == nil {
		destroyed = func() {}
	}
	return &Lifecycle{id: id, leave: destroyed, hold: newHolding()}
}

// ID is the sandbox's.
func (l *Lifecycle) ID() ID { return l.id }

// Run is Sandbox.Run. Streams that are not whole do not use the sandbox up.
func (l *Lifecycle) Run(streams Streams, run func() (Exit, error)) (Exit, error) {
	var exit Exit
	err := l.alone(func() (err error) {
		if err = l.requireIdle(streams); err != nil {
			return err
		}
		l.stage = begun
		l.hold.run()
		exit, err = run()
		if l.hold.over(); err != nil {
			return err
		}
		l.stage = ended
		return nil
	})
	if err != nil {
		return Exit{}, fmt.Errorf("run sandbox %s: %w", l.id, err)
	}
	return exit, nil
}

// alone carries out a call if no other is under way.
func (l *Lifecycle) alone(call func() error) error {
	if !l.mu.TryLock() {
		return ErrInUse
	}
	defer l.mu.Unlock()
	return call()
}

func (l *Lifecycle) requireIdle(streams Streams) error {
	switch {
	case l.stage >= leaving:
		return ErrDestroyed
	case l.stage != idle:
		return ErrUsed
	case streams.Stdin == nil || streams.Stdout == nil || streams.Stderr == nil:
		return errors.New("a stream is missing")
	default:
		return nil
	}
}

// Output is Sandbox.Output.
func (l *Lifecycle) Output(ctx context.Context, open func() (*os.Root, error)) (*os.Root, error) {
	var root *os.Root
	err := l.alone(func() (err error) {
		if err = l.requireEnded(ctx); err == nil {
			root, err = open()
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open output of sandbox %s: %w", l.id, err)
	}
	return root, nil
}

func (l *Lifecycle) requireEnded(ctx context.Context) error {
	switch {
	case l.stage >= leaving:
		return ErrDestroyed
	case l.stage != ended:
		return ErrNotEnded
	default:
		return context.Cause(ctx)
	}
}

// Destroy is Sandbox.Destroy. One that failed may be repeated, and the engine's Sweep does.
func (l *Lifecycle) Destroy(ctx context.Context, remove func(context.Context) error) error {
	_, err := l.destroy(ctx, remove)
	return err
}

// destroy tells besides whether it was this call that has removed the sandbox.
func (l *Lifecycle) destroy(ctx context.Context, remove func(context.Context) error) (removed bool, err error) {
	err = l.alone(func() error {
		if l.stage == gone {
			return nil
		}
		l.stage = leaving
		l.opening.note(l, remove) // before: it may panic
		if err := errors.Join(l.EndHold(ctx), remove(ctx)); err != nil {
			return err
		}
		l.stage, removed = gone, true
		l.opening.forget(l)
		l.leave()
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("destroy sandbox %s: %w", l.id, err)
	}
	return removed, nil
}
