package fake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

type sandbox struct {
	engine  *Engine
	id      job.ID
	dir     string
	program Program

	used, ended, destroyed bool
}

// errKilled ends the streams of a program that was killed or has returned.
var errKilled = errors.New("program has ended")

// Run implements container.Sandbox.
func (s *sandbox) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	if s.used || s.destroyed {
		return container.Exit{}, container.ErrUsed
	}
	s.used = true
	output, err := os.OpenRoot(s.dir)
	if err != nil {
		return container.Exit{}, fmt.Errorf("run sandbox %s: %w", s.id, err)
	}
	exit := s.play(ctx, streams, output)
	s.ended = true
	return exit, errors.Join(output.Close(), s.engine.options.Faults.Run)
}

// play runs the program as long as ctx lasts and every Write succeeds.
func (s *sandbox) play(ctx context.Context, streams container.Streams, output *os.Root) container.Exit {
	ctx, kill := context.WithCancel(ctx)
	defer kill()
	stdin, feed := io.Pipe()
	defer stdin.CloseWithError(errKilled)
	go feedStdin(feed, streams.Stdin)
	stdout := &stream{killed: ctx.Done(), kill: kill, to: streams.Stdout}
	stderr := &stream{killed: ctx.Done(), kill: kill, to: streams.Stderr}
	defer stdout.close()
	defer stderr.close()
	stop := context.AfterFunc(ctx, func() { stdin.CloseWithError(errKilled) })
	defer stop()

	var exit container.Exit
	if ctx.Err() == nil {
		exit = s.program(ctx, Stdio{stdin, stdout, stderr}, output)
	}
	if ctx.Err() != nil {
		exit.Code, exit.Signal, exit.KilledByUs, exit.Limit = -1, "SIGKILL", true, ""
	}
	return exit
}

// feedStdin ends when the program does, or when a Read that blocks returns: nobody
// waits for it, as the contract says.
func feedStdin(to *io.PipeWriter, from io.Reader) {
	_, err := io.Copy(to, from)
	to.CloseWithError(err) // nil is io.EOF to the program
}

// stream is descriptor 1 or 2 of a program.
type stream struct {
	killed <-chan struct{}
	kill   context.CancelFunc

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
		w.kill()
	}
	return n, err
}

func (w *stream) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = nil
}

// Output implements container.Sandbox.
func (s *sandbox) Output() (*os.Root, error) {
	if !s.ended {
		return nil, container.ErrRunning
	}
	if s.engine.options.Faults.Output != nil {
		return nil, s.engine.options.Faults.Output
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, fmt.Errorf("open output of sandbox %s: %w", s.id, err)
	}
	return root, nil
}

// Destroy implements container.Sandbox.
func (s *sandbox) Destroy(context.Context) error {
	s.destroyed = true
	if err := os.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("destroy sandbox %s: %w", s.id, err)
	}
	s.engine.forget(s.id)
	return s.engine.options.Faults.Destroy
}
