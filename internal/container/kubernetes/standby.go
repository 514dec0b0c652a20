package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"k8s.io/client-go/tools/remotecommand"

	"hotcell/internal/container"
)

var _ container.Warmer = (*Engine)(nil)

// template has pods made in advance, in each of which a guard prepares for itself.
type template struct {
	engine      *Engine
	life        *container.Lifecycle
	spec        container.Spec
	preparation container.Preparation
	dead        chan struct{} // closed by Destroy
}

// Prepare implements container.Warmer.
func (e *Engine) Prepare(ctx context.Context, id container.ID, spec container.Spec, preparation container.Preparation) (container.Template, error) {
	made := &template{engine: e, spec: spec, preparation: preparation, dead: make(chan struct{})}
	_, err := e.opening.Create(ctx, id, spec, func(life *container.Lifecycle) (container.Sandbox, error) {
		made.life = life
		if e.settings.Queue != "" { // it would wait for ever, or hold what others wait for
			return nil, fmt.Errorf("no pods are kept ready where the settings name a queue (%s): they would wait there, and have part of its quota", e.settings.Queue)
		}
		host, err := e.probe(ctx, spec.Runtime)
		if err == nil {
			err = host.Admit(spec.Optional)
		}
		return nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("prepare template: %w", err)
	}
	return made, nil
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
	select {
	case <-t.dead:
		return nil, container.ErrDestroyed
	default:
	}
	box, err := t.engine.create(ctx, &sandbox{
		engine: t.engine, life: life, id: life.ID(), spec: t.spec, preparing: container.PrepareTime, waits: t.engine.standbyAge,
	})
	if err != nil {
		return nil, err
	}
	made := newStandby(box)
	if err := made.prepare(ctx, t.preparation); err != nil {
		release, cancel := container.ReleaseContext(ctx)
		defer cancel()
		return nil, errors.Join(fmt.Errorf("prepare sandbox: %w", made.stderr.Explain(err)), made.Destroy(release))
	}
	return made, nil
}

// Quick implements container.Template: a pod takes as long as for a cold sandbox.
func (t *template) Quick() bool { return false }

// Memory implements container.Template. What the nodes hold is none of this host's.
func (t *template) Memory() (int64, error) { return 0, nil }

// Dead implements container.Template.
func (t *template) Dead() <-chan struct{} { return t.dead }

// Destroy implements container.Template.
func (t *template) Destroy(ctx context.Context) error {
	return t.life.Destroy(ctx, func(context.Context) error {
		close(t.dead)
		return nil
	})
}

// standby is a sandbox whose guard was started in advance, has prepared, and waits on the
// streams that the run then goes on with.
type standby struct {
	*sandbox
	current *running
	dead    chan struct{} // closed when its guard is not alive any more, or too old

	stdin  *io.PipeWriter // what the guard reads
	from   *io.PipeReader
	stdout *io.PipeReader // what the guard writes, and nobody has read yet
	into   *io.PipeWriter
	stderr container.Kept
}

var _ container.PreparedSandbox = (*standby)(nil)

func newStandby(box *sandbox) *standby {
	made := &standby{sandbox: box, current: box.newRunning(), dead: make(chan struct{})}
	made.from, made.stdin = io.Pipe()
	made.stdout, made.into = io.Pipe()
	return made
}

// prepare starts the guard, and waits until it has prepared.
func (p *standby) prepare(ctx context.Context, preparation container.Preparation) error {
	ctx, cancel := context.WithTimeoutCause(ctx, container.PrepareTime, fmt.Errorf("it was not prepared within %s", container.PrepareTime))
	defer cancel()
	p.current.enter(context.WithoutCancel(ctx), remotecommand.StreamOptions{Stdin: p.from, Stdout: p.into, Stderr: &p.stderr})
	go p.watchLife()
	stop := context.AfterFunc(ctx, p.shut) // ends both what is written and what is read
	_, err := p.stdin.Write(preparation.Words)
	if err == nil {
		err = preparation.Await(p.stdout)
	}
	if !stop() {
		return context.Cause(ctx)
	}
	return err
}

// watchLife ends both pipes when the guard has ended, or cannot be reached any more. One that grows
// old is handed out no more; where it was, it goes on.
func (p *standby) watchLife() {
	die := sync.OnceFunc(func() { close(p.dead) })
	aging := time.AfterFunc(time.Until(p.pod.since.Add(p.waits)), die)
	defer aging.Stop()
	select {
	case <-p.current.exited:
	case <-p.keeper.gone:
	}
	die()
	_ = p.from.CloseWithError(io.ErrClosedPipe) // never fails
	<-p.current.exited                          // its last words are in the pipe, or read
	_ = p.into.Close()
}

// shut keeps nobody waiting for the guard.
func (p *standby) shut() {
	_ = p.from.CloseWithError(io.ErrClosedPipe) // never fails
	_ = p.stdout.Close()
}

// Dead implements container.PreparedSandbox.
func (p *standby) Dead() <-chan struct{} { return p.dead }

// Tighten implements container.PreparedSandbox. A pod's limits, and its command's, are set when
// they are made.
func (p *standby) Tighten(_ context.Context, tightened container.Tightened) error {
	_, less, err := p.spec.Tighten(tightened)
	if err == nil && less {
		err = container.ErrCannotTighten
	}
	if err != nil {
		return fmt.Errorf("tighten sandbox %s: %w", p.id, err)
	}
	return nil
}

// Run implements container.Sandbox.
func (p *standby) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	return p.life.Run(streams, func() (container.Exit, error) { return p.run(ctx, streams) })
}

func (p *standby) run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	started := time.Now()
	x := p.current
	relayed := p.handOver(streams)
	if ctx.Err() != nil {
		x.kill()
	} else {
		if err := x.begin(context.WithoutCancel(ctx)); err != nil {
			return x.drain(ctx, container.Exit{}, err)
		}
		go p.send(streams.Stdin)
	}
	exit, err := x.conclude(ctx, started)
	<-relayed
	return x.drain(ctx, exit, err)
}

// send is the run's stdin. Who has ended reads no more.
func (p *standby) send(stdin io.Reader) {
	_, _ = io.Copy(p.stdin, &reading{p.current, stdin}) // its faults are kept
	_ = p.stdin.Close()                                 // never fails
}

// handOver has all that comes from now on go to the run's owner.
func (p *standby) handOver(streams container.Streams) (relayed <-chan struct{}) {
	p.stderr.HandOver(p.current.writing(streams.Stderr))
	stdout := p.current.writing(streams.Stdout)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := io.Copy(stdout, p.stdout); err != nil { // it was closed: what takes it never fails
			p.current.fail()
		}
	}()
	return done
}

// Destroy implements container.Sandbox.
func (p *standby) Destroy(ctx context.Context) error {
	p.shut()
	p.current.abandon()
	return p.sandbox.Destroy(ctx)
}
