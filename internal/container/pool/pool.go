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
	// Files is required: a template that was made while a file was another one holds what
	// its digest does not name.
	Files Files
	// Runtime is what a Spec without one means: both are one kind of request then.
	Runtime string
	// Idle is how many sandboxes of a template wait at a time: 4.
	Idle int
	// Forks is after how many sandboxes a template is replaced, so that not too many runs
	// have their address space laid out alike: 1000. It is more than Idle. Until the next one
	// is prepared, which takes seconds, sandboxes still come from it.
	Forks int
	// Age is after what time a template is replaced, in the same way: an hour.
	Age time.Duration
	// Unused is after what time a template that nobody has asked for is ended, if it is not
	// kept (Warm): 15 minutes.
	Unused time.Duration
	// Templates is how many there may be at a time: 4, and more while some are being ended. Of
	// those that are not kept, and that nobody has asked for within a minute, the one that was
	// not used for the longest time makes room. Where there is none, other kinds are cold.
	Templates int
	// MemoryBytes is what templates may hold together, by Template.Memory, beside one that is being
	// replaced by another; 0 is no bound. Above
	// it one makes room in the same way, and one that holds more alone, or beside those that
	// are kept, is ended. Where idle sandboxes do not share the template's memory, the pool
	// keeps fewer than Idle if more would exceed the bound.
	MemoryBytes int64
	// Makers is how many sandboxes are made at a time, but for those that a caller waits
	// for: 2. Templates are prepared one after the other.
	Makers int
	Logger *slog.Logger // nil discards
}

// Files tells of which files of the host a sandbox of a Spec would be made now. Two answers
// that are equal mean the same files, unchanged. It is an error where image or bundle are
// not what their digests name.
type Files interface {
	// Look looks at all of them. It is asked when something has been made, and now and then
	// of what waits.
	Look(ctx context.Context, spec container.Spec) (string, error)
	// Glance has the same answer in less than a millisecond, for each request. It may miss
	// a change in a file of an image, which only root can make.
	Glance(ctx context.Context, spec container.Spec) (string, error)
}

// DefaultTemplates is what Options.Templates is by default.
const DefaultTemplates = 4

func (o Options) withDefaults() (Options, error) {
	if o.Engine == nil {
		return Options{}, errors.New("make pool: the engine is missing")
	}
	if o.Files == nil {
		return Options{}, errors.New("make pool: who looks at the files is missing")
	}
	for _, one := range []struct {
		value   *int
		instead int
	}{{&o.Idle, 4}, {&o.Forks, 1000}, {&o.Templates, DefaultTemplates}, {&o.Makers, 2}} {
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
	}{{&o.Age, time.Hour}, {&o.Unused, 15 * time.Minute}} {
		if *one.value < 0 {
			return Options{}, errors.New("make pool: a time is negative")
		}
		if *one.value == 0 {
			*one.value = one.instead
		}
	}
	if o.MemoryBytes < 0 {
		return Options{}, errors.New("make pool: the memory is negative")
	}
	if o.Forks <= o.Idle {
		return Options{}, fmt.Errorf("make pool: a template of %d sandboxes is worn before %d are idle", o.Forks, o.Idle)
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
	turn    chan struct{} // full while a template is being prepared
	ctx     context.Context
	stop    context.CancelCauseFunc
	work    sync.WaitGroup // a shelf each, and what is being removed; begun with mu held, and not once closed

	mu      sync.Mutex // never waited for with a shelf's held
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
		turn: make(chan struct{}, 1), shelves: map[digest.Digest]*shelf{},
	}
	p.ctx, p.stop = context.WithCancelCause(context.Background())
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
		// As Create does: the key is the same whatever a policy lets a host lack.
		err = errors.Join(context.Cause(ctx), spec.Validate(), host.Admit(spec.Optional))
	}
	files := ""
	if err == nil {
		files, err = p.options.Files.Glance(ctx, spec)
	}
	if err != nil {
		return container.Acquired{Host: host}, err
	}
	if shelf, err := p.shelf(spec, preparation, files); err == nil { // else nothing can be ready
		if id, ready, ok := shelf.take(ctx, spec); ok {
			return container.Acquired{Sandbox: ready, ID: id, Host: ready.Host(), Warm: true}, nil
		}
	}
	if err := context.Cause(ctx); err != nil {
		return container.Acquired{Host: host}, err
	}
	return p.cold.Acquire(ctx, spec, preparation)
}

// Await begins to prepare for requests of this kind, and waits until one could be given a
// sandbox at once, or for ctx.
func (p *Pool) Await(ctx context.Context, spec container.Spec, preparation container.Preparation) error {
	_, err := p.await(ctx, spec, preparation, p.shelf)
	return err
}

// Warm does the same, and on success has the template kept: it is replaced as any other, and
// ended neither because nobody asks for it nor to make room. What has no room beside those
// that are kept already is an error.
func (p *Pool) Warm(ctx context.Context, spec container.Spec, preparation container.Preparation) error {
	kept, err := p.await(ctx, spec, preparation, p.keep)
	if err != nil && kept != nil {
		p.release(kept)
	}
	return err
}

func (p *Pool) await(
	ctx context.Context, spec container.Spec, preparation container.Preparation,
	find func(spec container.Spec, preparation container.Preparation, files string) (*shelf, error),
) (*shelf, error) {
	if len(preparation.Words) == 0 {
		return nil, errors.New("warm sandboxes: the policy has none (isolation.warm: never)")
	}
	spec.Runtime = cmp.Or(spec.Runtime, p.options.Runtime)
	files, err := p.options.Files.Look(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("warm sandboxes: %w", err)
	}
	found, err := find(spec, preparation, files)
	if err != nil {
		return nil, fmt.Errorf("warm sandboxes: %w", err)
	}
	return found, found.await(ctx)
}

// shelf returns the one for such requests, which it begins to fill where there is none.
func (p *Pool) shelf(spec container.Spec, preparation container.Preparation, files string) (*shelf, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.find(spec, preparation, files, false)
}

// find is shelf. What was made of other files than there are now is ended. mu is held.
func (p *Pool) find(spec container.Spec, preparation container.Preparation, files string, keep bool) (*shelf, error) {
	if p.closed {
		return nil, container.ErrClosed
	}
	key := preparation.Key(spec)
	found, keepers, first := p.shelves[key], 0, int64(0)
	if found != nil && found.files != files {
		keepers, first = found.keepers, found.first
		p.end(found, errChanged)
		found = nil
	}
	if found == nil {
		if err := p.makeRoom(keep); err != nil {
			return nil, err
		}
		spec.Tightened, spec.Optional = container.Tightened{}, container.Controls() // asked of each request
		found = newShelf(p, key, spec, preparation)
		found.files, found.keepers, found.first = files, keepers, first
		p.shelves[key] = found
		p.work.Go(found.tend)
	}
	found.used = time.Now()
	return found, nil
}

// filesOf is how the files looked of which a shelf is made.
func (p *Pool) filesOf(one *shelf) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return one.files
}

// adopt has a shelf on which there is nothing be of files as they look now.
func (p *Pool) adopt(one *shelf, files string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one.files = files
}

// retire ends the shelf if nobody has asked for it for a long time, and it is not kept. Whoever asks from then
// on begins another, and never waits for this one.
func (p *Pool) retire(one *shelf) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if one.keepers > 0 || time.Since(one.used) < p.options.Unused {
		return false
	}
	p.end(one, errUnused)
	return true
}

// background does work for which Close waits, and after that does it at once.
func (p *Pool) background(work func()) {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.work.Go(work)
	}
	p.mu.Unlock()
	if closed {
		work()
	}
}

// Close ends templates and idle sandboxes, and waits until all of it is gone. Sandboxes
// that were given out stay their owners'. Acquire is cold from then on. Idempotent.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	clear(p.shelves)
	p.mu.Unlock()
	p.stop(container.ErrClosed)
	p.work.Wait()
}

// MaxMemory is how many bytes templates may hold together; 0 is no bound.
func (p *Pool) MaxMemory() int64 { return p.options.MemoryBytes }

// Stock tells of one template.
type Stock struct {
	For           string // Preparation.For, of who asked first
	Runtime       string
	Image, Bundle digest.Digest
	Idle          int
	Made          int           // sandboxes that have come from the template so far
	Age           time.Duration // 0 while it is being made
	MemoryBytes   int64         // that the template holds, see container.Template
	Failure       string        // why there is none, or ""
}

// Stock tells of every template, the one that was used last first.
func (p *Pool) Stock() []Stock {
	var all []Stock
	for _, one := range p.latest() {
		all = append(all, one.stock()) // asks the kernel: without mu
	}
	return all
}

func (p *Pool) latest() []*shelf {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.SortedFunc(maps.Values(p.shelves), func(a, b *shelf) int { return b.used.Compare(a.used) })
}
