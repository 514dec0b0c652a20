package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"hotcell/internal/panics"
)

// flushTime is how long the last answers may take to be read.
const flushTime = 10 * time.Second

// lead answers from the first moment, for whoever finds the socket waits there. It ends
// with ctx, where the server does, or where what shall be ready cannot be.
func (a *app) lead(ctx context.Context, made *engineProcess, listener net.Listener, flags engineFlags, signals chan os.Signal) error {
	beside, stop := context.WithCancel(ctx)
	defer stop()
	serving := begin("serving requests", func() error { return made.serve(listener) })
	warming := begin("making sandboxes ready", func() error { return a.warm(beside, made.runner, flags.warm) })
	sweeping := begin("sweeping", func() error { a.keepSwept(beside, flags.sweepEvery, made.sweep); return nil })
	notify(a.logger(), daemon.SdNotifyReady) // it answers: what shall be ready may take minutes
	a.stay(ctx, serving, warming, flags.front)
	notify(a.logger(), daemon.SdNotifyStopping)
	stop()
	return errors.Join(a.drain(ctx, made, signals), warming.wait(), sweeping.wait(), made.end(ctx), serving.wait(), listener.Close())
}

// notify tells systemd, where that has asked.
func notify(logger *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		logger.Warn("systemd was not told", "state", state, "reason", err)
	}
}

// serve answers at both sockets until the server ends. Where the one fails, the other ends, too.
func (e *engineProcess) serve(listener net.Listener) error {
	if e.front == nil {
		return e.server.Serve(listener)
	}
	fronting := begin("serving the front", func() error {
		err := e.server.ServeFront(e.front)
		if err != nil {
			err = errors.Join(err, listener.Close())
		}
		return err
	})
	err := e.server.Serve(listener)
	if err != nil {
		err = errors.Join(err, e.front.Close())
	}
	return errors.Join(err, fronting.wait())
}

// stay returns when the process has to end, and says when all is ready.
func (a *app) stay(ctx context.Context, serving, warming *task, front frontFlags) {
	ready := warming.done
	for {
		select {
		case <-ctx.Done():
			return
		case <-serving.done:
			return
		case <-ready:
			if warming.err != nil {
				return
			}
			fmt.Fprintf(a.stderr, "runner: engine ready at %s%s\n", inLine(a.socket()), front)
			ready = nil
		}
	}
}

// task is what goes on beside the rest. Who begins it waits for it.
type task struct {
	done chan struct{} // closed when err may be read
	err  error
}

func begin(doing string, work func() error) *task {
	t := &task{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		t.err = panics.Catch(doing, work)
	}()
	return t
}

func (t *task) wait() error {
	<-t.done
	return t.err
}

// drain ends the server in order. Where a signal has ended ctx, the second one cancels.
func (a *app) drain(ctx context.Context, ending *engineProcess, signals chan os.Signal) error {
	server, first, next := ending.server, ctx.Err() != nil, "a signal"
	if first {
		next = "a second signal"
	}
	empty := server.Drain()
	fmt.Fprintf(a.stderr, "runner: engine ends: it waits for the runs that go on; %s cancels them\n", next)
	for waiting := true; waiting; {
		select {
		case <-empty:
			waiting = false
		case <-signals:
			if !first {
				server.Cancel()
			}
			first = false
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	return server.End(ctx)
}

// warm makes ready what the user wants to be ready from the start. Who ends ctx does not
// want it any more.
func (a *app) warm(ctx context.Context, made keeper, wanted []string) (err error) {
	for _, one := range wanted {
		policy, bundle, _ := strings.Cut(one, ":")
		if err = made.Warm(ctx, policy, bundle); err != nil {
			err = fmt.Errorf("keep sandboxes ready for %s: %w", one, err)
			break
		}
	}
	if ctx.Err() != nil {
		err = nil
	}
	return err
}

// keepSwept sweeps until ctx ends. Commands that run cold are killed beside a process that
// stays, too, and perhaps none comes after them. A failure ends nothing, and is told when
// it is another one than the time before.
func (a *app) keepSwept(ctx context.Context, every time.Duration, sweep func(context.Context) error) {
	next := time.NewTicker(every)
	defer next.Stop()
	told := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		err := panics.Catch("sweeping", func() error { return sweep(ctx) })
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			told = ""
		case err.Error() != told:
			told = err.Error()
			a.logger().Warn("a sweep is incomplete, and is tried again", "reason", err)
		}
	}
}
