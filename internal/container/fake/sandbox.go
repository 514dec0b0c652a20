package fake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"hotcell/internal/container"
)

type sandbox struct {
	engine  *Engine
	life    *container.Lifecycle
	dir     string
	program Program
}

// errKilled ends the streams of a program that was killed or has returned.
var errKilled = errors.New("program has ended")

// Run implements container.Sandbox.
func (s *sandbox) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	return s.life.Run(streams, func() (container.Exit, error) { return s.run(ctx, streams) })
}

func (s *sandbox) run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	output, err := os.OpenRoot(s.dir)
	if err != nil {
		return container.Exit{}, err
	}
	exit, err := s.play(ctx, streams, output)
	return exit, errors.Join(err, output.Close())
}

// play runs the program as long as ctx lasts, Stdin can be read and every Write
// succeeds.
func (s *sandbox) play(ctx context.Context, streams container.Streams, output *os.Root) (container.Exit, error) {
	ctx, kill := context.WithCancelCause(ctx)
	defer kill(nil)
	stdin, feed := io.Pipe()
	defer stdin.CloseWithError(errKilled)
	go feedStdin(feed, streams.Stdin, kill)
	stdout := &stream{killed: ctx.Done(), kill: kill, to: streams.Stdout}
	stderr := &stream{killed: ctx.Done(), kill: kill, to: streams.Stderr}
	defer stdout.close()
	defer stderr.close()
	stop := context.AfterFunc(ctx, func() { stdin.CloseWithError(errKilled) })
	defer stop()

	var exit container.Exit
	if ctx.Err() == nil {
		s.life.Holdable()
		exit = s.program(ctx, Stdio{stdin, stdout, stderr}, output)
	}
	if ctx.Err() != nil {
		exit.Code, exit.Signal, exit.KilledByUs, exit.Limit = -1, "SIGKILL", true, ""
	}
	if broken, ok := errors.AsType[*stdinError](context.Cause(ctx)); ok {
		return container.Exit{}, broken
	}
	return exit, nil
}

// stdinError is our own fault, and not the program's.
type stdinError struct{ error }

// Unwrap lets errors.Is and errors.As see the cause.
func (e *stdinError) Unwrap() error { return e.error }

// feedStdin ends when the program does, or when a Read that blocks returns: nobody
// waits for it, as the contract says.
func feedStdin(to *io.PipeWriter, from io.Reader, kill context.CancelCauseFunc) {
	_, err := io.Copy(to, from)
	if err != nil && !errors.Is(err, errKilled) {
		kill(&stdinError{fmt.Errorf("read stdin: %w", err)})
	}
	to.CloseWithError(err) // nil is io.EOF to the program
}

// stream is descriptor 1 or 2 of a program.
type stream struct {
	killed <-chan struct{}
	kill   context.CancelCauseFunc

	mu sync.Mutex
	to io.Writer
}

// Write passes chunk on. When its reader fails, the sandbox is killed.
func (w *stream) Write(chunk []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.to == nil {
		return 0, errKilled
	}
	select {
	case <-w.killed:
		return 0, errKilled
	default:
	}
	n, err := w.to.Write(chunk)
	if err != nil {
		w.kill(nil)
	}
	return n, err
}

func (w *stream) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = nil
}

// Output implements container.Sandbox.
func (s *sandbox) Output(ctx context.Context) (*os.Root, error) {
	return s.life.Output(ctx, func() (*os.Root, error) { return os.OpenRoot(s.dir) })
}

// Hold implements container.Sandbox. A program does not stop: only its writes to the
// streams are what a test can hold.
func (s *sandbox) Hold(ctx context.Context) (*container.Held, error) {
	return s.life.Hold(ctx, container.Freezer{
		Freeze: func(ctx context.Context) error { return perhaps(ctx, s.engine.options.Freeze) },
		Still:  func(ctx context.Context) error { return perhaps(ctx, s.engine.options.Still) },
		Thaw:   func(context.Context) error { return nil },
		Open:   func(context.Context) (*os.Root, error) { return os.OpenRoot(s.dir) },
	})
}

// Destroy implements container.Sandbox.
func (s *sandbox) Destroy(ctx context.Context) error {
	return s.life.Destroy(ctx, func(context.Context) error {
		if err := os.RemoveAll(s.dir); err != nil {
			return err
		}
		s.engine.forget(s.life.ID())
		return nil
	})
}
