package docker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/panics"
)

// standby is a sandbox whose container was started in advance, and whose guard has prepared
// and waits on the streams that the run then goes on with.
type standby struct {
	*sandbox
	template *template
	host     container.Host // when it was made
	keeper   keeper
	current  *watch // nil before the container was started
	dead     chan struct{}

	stdout *io.PipeReader // what the guard writes, and nobody has read yet
	into   *io.PipeWriter
	stderr container.Kept
}

var _ container.PreparedSandbox = (*standby)(nil)

func newStandby(box *sandbox, from *template, host container.Host) *standby {
	made := &standby{sandbox: box, template: from, host: host, dead: make(chan struct{})}
	made.stdout, made.into = io.Pipe()
	return made
}

// prepare starts the container, checks it as for a run, and has the guard prepare.
func (p *standby) prepare(ctx context.Context, preparation container.Preparation) error {
	var able bool
	if p.keeper, able = p.fittings.monitor.(keeper); !able {
		return errors.New("what its container holds while it waits cannot be known")
	}
	if err := p.begin(ctx); err != nil {
		return err
	}
	if err := p.check(ctx); err != nil {
		return p.stderr.Explain(err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, container.PrepareTime, fmt.Errorf("it was not prepared within %s", container.PrepareTime))
	defer cancel()
	if err := p.tell(ctx, preparation); err != nil {
		return p.stderr.Explain(err)
	}
	return p.settle(ctx)
}

// begin starts the container. What its guard writes is read by nobody yet, and waits: not
// when the daemon has not answered in time.
func (p *standby) begin(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = p.stdout.CloseWithError(context.Cause(ctx)) }) // never fails
	defer stop()
	p.current, err = p.open(ctx, p.receive)
	return err
}

func (p *standby) receive(a *attachment) {
	a.receiveInto(p.into, &p.stderr)
	go func() {
		<-a.drained
		_ = p.into.Close() // never fails
	}()
}

// check looks at the container before it gets its first byte, and at its life from then on.
func (p *standby) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	gone, err := p.fittings.monitor.Attach(ctx, p.containerID, p.prepared)
	go p.watchLife(p.fittings.monitor.Dead())
	if gone {
		return errors.New("its container has ended before it was spoken to")
	}
	return err
}

// watchLife closes dead when the guard is dead, or cannot be spoken to any more.
func (p *standby) watchLife(ended <-chan struct{}) {
	defer close(p.dead)
	select {
	case <-ended:
	case <-p.current.attachment.drained:
	}
}

// tell has the guard prepare, and waits until it has.
func (p *standby) tell(ctx context.Context, preparation container.Preparation) error {
	conn := p.current.attachment.conn.Conn
	stop := context.AfterFunc(ctx, func() { conn.Close() }) // ends both what is written and what is read
	_, err := conn.Write(preparation.Words)
	if err == nil {
		err = preparation.Await(p.stdout)
	}
	if !stop() {
		return context.Cause(ctx)
	}
	return err
}

// settle takes what was used up so far for the preparation's.
func (p *standby) settle(ctx context.Context) error {
	used, err := p.fittings.meter.Sample(ctx)
	if err != nil {
		return fmt.Errorf("read CPU time: %w", err)
	}
	p.setupCPU = used.cpuNanos
	if err := p.keeper.limitCPU(p.spec.Limits.CPUTime); err != nil {
		return err
	}
	if _, err := p.keeper.memory(); err != nil {
		return fmt.Errorf("what it holds while it waits cannot be known: %w", err)
	}
	return nil
}

// Host implements container.PreparedSandbox.
func (p *standby) Host() container.Host { return p.host }

// Dead implements container.PreparedSandbox.
func (p *standby) Dead() <-chan struct{} { return p.dead }

// Tighten implements container.PreparedSandbox.
func (p *standby) Tighten(ctx context.Context, tightened container.Tightened) error {
	next, less, err := p.spec.Tighten(tightened)
	if err == nil && less {
		err = p.keeper.hasRoom(next.Enforced()) // or it is as it was, and waits on
	}
	if err == nil {
		p.template.forget(p) // nobody else asks its keeper from now on
		if less {
			err = p.lower(ctx, next)
		}
	}
	if err != nil {
		return fmt.Errorf("tighten sandbox %s: %w", p.id, err)
	}
	return nil
}

func (p *standby) lower(ctx context.Context, next container.Spec) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := p.keeper.tighten(ctx, p.containerID, next.Enforced()); err != nil {
		return err
	}
	p.spec = next
	return nil
}

// Run implements container.Sandbox, in a container that was started and checked before.
func (p *standby) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	return p.life.Run(streams, func() (container.Exit, error) { return p.run(ctx, streams) })
}

func (p *standby) run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	started := time.Now()
	p.template.forget(p)
	calls := context.WithoutCancel(ctx) // as of any run
	current := p.current
	defer current.close()
	p.handOver(streams)
	current.wait(calls)
	if ctx.Err() != nil {
		current.end(ctx)
	} else {
		p.life.Holdable()
		current.attachment.send(streams.Stdin)
	}
	return current.finish(calls, started, current.supervise(ctx))
}

// handOver has all that comes from now on go to the run's owner.
func (p *standby) handOver(streams container.Streams) {
	attachment := p.current.attachment
	p.stderr.HandOver(attachment.reporting(streams.Stderr))
	relayed := make(chan struct{})
	p.current.relayed = relayed
	go func() {
		defer close(relayed)
		err := panics.Catch("handing on the container's output", func() error {
			_, err := io.Copy(attachment.reporting(streams.Stdout), p.stdout)
			return err
		})
		if err != nil {
			_ = p.stdout.CloseWithError(err) // never fails: whoever writes into it stops
			attachment.failed <- err
		}
	}()
}

// Destroy implements container.Sandbox.
func (p *standby) Destroy(ctx context.Context) error {
	return p.life.Destroy(ctx, func(ctx context.Context) error {
		p.template.forget(p)
		if p.current != nil {
			p.current.close()
			_ = p.stdout.Close() // never fails
			<-p.current.attachment.drained
			<-p.dead
		}
		return p.engine.remove(ctx, p.id, p.dir)
	})
}
