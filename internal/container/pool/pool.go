package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/digest"
)

// Options configures a Pool. Engine is required; what is 0 has a default.
type Options struct {
	Engine container.Warmer
	// Runtime is what a Spec without one means: both are one kind of request then.
	Runtime string
	// Idle is how many sandboxes of a template wait at a time: 4.
	Idle int
	// Forks is after how many sandboxes a template is replaced, so that not too many runs
	// have their address space laid out alike: 1000.
	Forks int
	// Age is after what time a template is replaced: an hour.
	Age time.Duration
	// Unused is after what time a template that nobody has asked for is ended: 15 minutes.
	Unused time.Duration
	// Templates is how many there may be at a time: 4. The one that was not used for the
	// longest time makes room.
	Templates int
	// Makers is how many sandboxes are made at a time, but for those that a caller waits
	// for: 2.
	Makers int
	Logger *slog.Logger // nil discards

	// retry is how long nothing is prepared after a failure: 30 s, but in tests.
	retry time.Duration
}

func (o Options) withDefaults() (Options, error) {
	if o.Engine == nil {
		return Options{}, errors.New("make pool: the engine is missing")
	}
	for _, one := range []struct {
		value   *int
		instead int
	}{{&o.Idle, 4}, {&o.Forks, 1000}, {&o.Templates, 4}, {&o.Makers, 2}} {
		if *one.value < 0 {
			return Options{}, errors.New("make pool: a number is negative")
		}
		if *one.value == 0 {
			*one.value = one.instead
		}
	}
	for _, one := range []struct {
		value   *time.Duration
		instead time.Duration
	}{{&o.Age, time.Hour}, {&o.Unused, 15 * time.Minute}, {&o.retry, 30 * time.Second}} {
		if *one.value < 0 {
			return Options{}, errors.New("make pool: a time is negative")
		}
		if *one.value == 0 {
			*one.value = one.instead
		}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// Pool gives out sandboxes. Its methods may be called concurrently.
type Pool struct {
	options Options
	cold    container.Cold
	makers  chan struct{} // full while so many sandboxes are being made
	ctx     context.Context
	stop    context.CancelFunc
	work    sync.WaitGroup // a shelf each, and what is being removed

	mu      sync.Mutex
	closed  bool
	shelves map[digest.Digest]*shelf
}

// New makes an empty pool. The caller must Close it.
func New(options Options) (*Pool, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	p := &Pool{
		options: options, cold: container.Cold{Engine: options.Engine}, makers: make(chan struct{}, options.Makers),
		shelves: map[digest.Digest]*shelf{},
	}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p, nil
}

// EngineName is the name of the engine.
func (p *Pool) EngineName() string { return p.options.Engine.Name() }

// Acquire gives a sandbox that was ready, with the Spec's tightened limits, or one that is
// made now: from the template where there is one, else cold. A request whose preparation
// has no words is always cold. On error there is no sandbox, as with container.Cold.
func (p *Pool) Acquire(ctx context.Context, spec container.Spec, preparation container.Preparation) (container.Acquired, error) {
	if len(preparation.Words) == 0 {
		return p.cold.Acquire(ctx, spec, preparation)
	}
	spec.Runtime = cmp.Or(spec.Runtime, p.options.Runtime)
	host, err := p.options.Engine.Probe(ctx, spec.Runtime)
	if err == nil {
		err = host.Admit(spec.Optional) // the key is the same whatever a policy lets a host lack
	}
	if err != nil {
		return container.Acquired{Host: host}, err
	}
	if shelf := p.shelf(spec, preparation); shelf != nil {
		if id, ready, ok := shelf.take(ctx, spec.Tightened); ok {
			return container.Acquired{Sandbox: ready, ID: id, Host: host, Warm: true}, nil
		}
	}
	if err := context.Cause(ctx); err != nil {
		return container.Acquired{Host: host}, err
	}
	return p.cold.Acquire(ctx, spec, preparation)
}

// Warm begins to prepare for requests of this kind, and waits until one could be given a
// sandbox at once, or for ctx.
func (p *Pool) Warm(ctx context.Context, spec container.Spec, preparation container.Preparation) error {
	if len(preparation.Words) == 0 {
		return errors.New("warm sandboxes: the policy has none (isolation.warm: never)")
	}
	spec.Runtime = cmp.Or(spec.Runtime, p.options.Runtime)
	shelf := p.shelf(spec, preparation)
	if shelf == nil {
		return fmt.Errorf("warm sandboxes: %w", container.ErrClosed)
	}
	return shelf.await(ctx)
}

// shelf returns the one for such requests, which it begins to fill where there is none. It
// is nil once the pool is closed.
func (p *Pool) shelf(spec container.Spec, preparation container.Preparation) *shelf {
	key := preparation.Key(spec)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	found := p.shelves[key]
	if found == nil {
		p.makeRoom()
		spec.Tightened, spec.Optional = container.Tightened{}, container.Controls() // asked of each request
		found = newShelf(p, spec, preparation)
		p.shelves[key] = found
		p.work.Go(func() {
			found.tend(p.ctx)
			p.forget(key, found)
		})
	}
	found.used = time.Now()
	return found
}

// makeRoom ends the template that was not used for the longest time, where there are as
// many as there may be. mu is held.
func (p *Pool) makeRoom() {
	for len(p.shelves) >= p.options.Templates {
		var oldest digest.Digest
		for key, one := range p.shelves {
			if oldest == "" || one.used.Before(p.shelves[oldest].used) {
				oldest = key
			}
		}
		p.shelves[oldest].end()
		delete(p.shelves, oldest)
	}
}

// background does work for which Close waits, and after that does it at once.
func (p *Pool) background(work func()) {
	p.mu.Lock()
	open := !p.closed
	if open {
		p.work.Go(work)
	}
	p.mu.Unlock()
	if !open {
		work()
	}
}

func (p *Pool) forget(key digest.Digest, ended *shelf) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shelves[key] == ended {
		delete(p.shelves, key)
	}
}

// unused tells whether nobody has asked for the shelf for a long time.
func (p *Pool) unused(one *shelf) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Since(one.used) >= p.options.Unused
}

// Close ends templates and idle sandboxes, and waits until all of it is gone. Sandboxes
// that were given out stay their owners'. Acquire is cold from then on. Idempotent.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.stop()
	p.work.Wait()
}

// Stock tells of one template.
type Stock struct {
	Image, Bundle digest.Digest
	Idle          int
	Forks         int           // sandboxes that have come from the template so far
	Age           time.Duration // 0 while it is being made
	MemoryBytes   int64         // that the template holds itself
	Failure       string        // why there is none, or ""
}

// Stock tells of every template.
func (p *Pool) Stock() []Stock {
	p.mu.Lock()
	shelves := slices.Collect(maps.Values(p.shelves))
	p.mu.Unlock()
	var all []Stock
	for _, one := range shelves {
		all = append(all, one.stock())
	}
	return all
}
