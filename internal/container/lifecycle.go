package container

import (
	"context"
	"errors"
	"fmt"
	"os"
)

var (
	// ErrUsed is wrapped by the second Run of a sandbox.
	ErrUsed = errors.New("sandbox has been used: make another")
	// ErrNotEnded is wrapped by Output where no Run has returned an Exit.
	ErrNotEnded = errors.New("sandbox has not ended")
	// ErrDestroyed is wrapped by Run and Output once Destroy was called.
	ErrDestroyed = errors.New("sandbox has been destroyed")
)

// Lifecycle is the order of a sandbox's calls, which is the same whoever made it: each
// engine's sandbox has one, which calls the engine's own part where it is due, and words
// its errors. Like a Sandbox, it is not for concurrent use.
type Lifecycle struct {
	id    ID
	leave func() // the engine, which may then release what it holds
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
	return &Lifecycle{id: id, leave: destroyed}
}

// ID is the sandbox's.
func (l *Lifecycle) ID() ID { return l.id }

// Run is Sandbox.Run. Streams that are not whole do not use the sandbox up.
func (l *Lifecycle) Run(streams Streams, run func() (Exit, error)) (Exit, error) {
	err := l.requireIdle(streams)
	var exit Exit
	if err == nil {
		l.stage = begun
		exit, err = run()
	}
	if err != nil {
		return Exit{}, fmt.Errorf("run sandbox %s: %w", l.id, err)
	}
	l.stage = ended
	return exit, nil
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
	err := l.requireEnded(ctx)
	var root *os.Root
	if err == nil {
		root, err = open()
	}
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

// Destroy is Sandbox.Destroy. One that failed may be repeated.
func (l *Lifecycle) Destroy(remove func() error) error {
	if l.stage == gone {
		return nil
	}
	l.stage = leaving
	if err := remove(); err != nil {
		return fmt.Errorf("destroy sandbox %s: %w", l.id, err)
	}
	l.stage = gone
	l.leave()
	return nil
}
