package kubernetes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"k8s.io/client-go/tools/remotecommand"

	"hotcell/internal/container"
	"hotcell/internal/panics"
)

// greeting goes ahead of all that a sandbox's command is sent, and comes back ahead of all that
// it writes (programs/enter.py).
const greeting = '\n'

// greeted are streams whose stdin has no end before the greeting has come back, or over is
// closed. containerd opens what it passes stdin on by in the background, and closes the other
// side of it when it hears of the end: where that is sooner, the command waits for it for good.
func greeted(streams remotecommand.StreamOptions, over <-chan struct{}) remotecommand.StreamOptions {
	entered := make(chan struct{})
	streams.Stdin = io.MultiReader(bytes.NewReader([]byte{greeting}), &opened{streams.Stdin, entered, over})
	streams.Stdout = &answered{to: streams.Stdout, enter: sync.OnceFunc(func() { close(entered) })}
	return streams
}

// opened is a stdin whose end waits until somebody reads it.
type opened struct {
	from          io.Reader
	entered, over <-chan struct{}
}

// Read implements io.Reader.
func (o *opened) Read(chunk []byte) (int, error) {
	count, err := o.from.Read(chunk)
	if err == nil || count > 0 { // an error comes again
		return count, nil
	}
	select {
	case <-o.entered:
	case <-o.over:
	}
	return 0, err
}

// answered is a stdout that begins with a greeting.
type answered struct {
	to    io.Writer
	enter func()
	begun bool
}

// Write implements io.Writer.
func (a *answered) Write(chunk []byte) (int, error) {
	if a.begun || len(chunk) == 0 {
		return a.to.Write(chunk)
	}
	if chunk[0] != greeting {
		return 0, fmt.Errorf("what exec started begins with %q, which is not from the sandbox's command", chunk[:min(len(chunk), 100)])
	}
	a.begun = true
	a.enter()
	if len(chunk) == 1 {
		return 1, nil
	}
	count, err := a.to.Write(chunk[1:])
	return 1 + count, err
}

// reading is a run's stdin. What fails is no end of it.
type reading struct {
	of   *running
	from io.Reader
}

// Read implements io.Reader.
func (r *reading) Read(chunk []byte) (int, error) {
	count, err := r.from.Read(chunk)
	if err != nil && !errors.Is(err, io.EOF) {
		r.of.mu.Lock()
		r.of.stdin = fmt.Errorf("read stdin of the sandbox: %w", err)
		r.of.mu.Unlock()
		r.of.fail()
		err = io.EOF
	}
	return count, err
}

func (x *running) readFault() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.stdin
}

// maxAhead is how much of what a run has written may wait for its reader, in bytes.
const maxAhead = 16 << 20

// ahead is one of what a run writes. It is taken from exec at once, and handed to a reader that
// may be slow: what is under way when exec ends is lost. Where the reader fails, the rest goes
// nowhere: what writes must not be held until it is killed.
type ahead struct {
	to   io.Writer
	fail func()
	done chan struct{} // closed when nothing will be handed any more

	mu      sync.Mutex
	changed *sync.Cond
	waiting []byte
	taken   int  // pieces
	over    bool // nothing comes any more
	broken  bool
	fault   error // of ours
}

// writing begins to hand one of the streams on. Its owner must call drain.
func (x *running) writing(to io.Writer) *ahead {
	made := &ahead{to: to, fail: x.fail, done: make(chan struct{})}
	made.changed = sync.NewCond(&made.mu)
	x.written = append(x.written, made)
	go made.hand()
	return made
}

// Write implements io.Writer. It never fails.
func (a *ahead) Write(chunk []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.waiting) >= maxAhead && !a.broken {
		a.changed.Wait()
	}
	if !a.broken {
		a.waiting = append(a.waiting, chunk...)
		a.changed.Broadcast()
	}
	return len(chunk), nil
}

func (a *ahead) hand() {
	defer close(a.done)
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		for len(a.waiting) == 0 && !a.over && !a.broken {
			a.changed.Wait()
		}
		if len(a.waiting) == 0 || a.broken {
			return
		}
		piece := a.waiting
		a.waiting = nil
		a.mu.Unlock()
		var refused error
		fault := panics.Catch("handing on the sandbox's output", func() error {
			_, refused = a.to.Write(piece)
			return nil
		})
		a.mu.Lock()
		a.taken++
		if refused != nil || fault != nil {
			a.fault = fault
			a.stop()
			a.fail()
		}
		a.changed.Broadcast()
	}
}

// stop has the rest go nowhere. mu is held.
func (a *ahead) stop() {
	a.broken, a.waiting = true, nil
	a.changed.Broadcast()
}

// drain waits until all is handed on. When ctx has ended, its reader must go on taking.
func (a *ahead) drain(ctx context.Context) error {
	a.mu.Lock()
	a.over = true
	a.changed.Broadcast()
	a.mu.Unlock()
	select {
	case <-a.done:
		return a.fault
	case <-ctx.Done():
	}
	for taken := -1; ; {
		a.mu.Lock()
		if a.taken == taken {
			a.stop()
			a.mu.Unlock()
			return fmt.Errorf("what the sandbox has written is not taken: its reader has had %s", tellPatience)
		}
		taken = a.taken
		a.mu.Unlock()
		select {
		case <-a.done:
			return a.fault
		case <-time.After(tellPatience):
		}
	}
}

// drain waits until all that the run has written is handed on.
func (x *running) drain(ctx context.Context, exit container.Exit, err error) (container.Exit, error) {
	for _, one := range x.written {
		err = errors.Join(err, one.drain(ctx))
	}
	if err != nil {
		return container.Exit{}, err
	}
	return exit, nil
}
