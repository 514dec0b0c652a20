package containertest

import (
	"context"
	"os"
	"sync"

	"hotcell/internal/container"
)

// Call names a method of an engine or of its sandboxes.
type Call string

// The calls that may have a fault.
const (
	CallName    Call = "name"
	CallProbe   Call = "probe"
	CallCreate  Call = "create"
	CallSweep   Call = "sweep"
	CallClose   Call = "close"
	CallRun     Call = "run"
	CallOutput  Call = "output"
	CallHold    Call = "hold"
	CallDestroy Call = "destroy"
)

// Fault makes a call go wrong when the engine's own part of it is done, as one whose last
// step fails; Output and Hold do before that, because there would be an open directory. A call that
// fails by itself has its own error. One of Err, Panic and Hang says how.
type Fault struct {
	Call Call
	// At is which of the calls of this name it is, over all sandboxes, the first being 1;
	// 0 is all of them.
	At    int
	Err   error
	Panic any
	Hang  bool // until the end of the call's context, whose cause is then its error
	// Loosen makes Create ask for another Spec, and is no fault that anybody is told of.
	Loosen func(*container.Spec)
}

// Faulty is an engine that keeps the contract, whatever its faults: after a Create that
// went wrong nothing is left, and a Run that did has not ended. CallName and CallClose have
// no context, and cannot hang.
type Faulty struct {
	container.Engine
	faults []Fault

	mu    sync.Mutex
	calls map[Call]int
}

// NewFaulty gives an engine faults. Without any it is as the engine.
func NewFaulty(engine container.Engine, faults ...Fault) *Faulty {
	return &Faulty{Engine: engine, faults: faults, calls: map[Call]int{}}
}

// next counts a call and returns its fault, which may be none.
func (f *Faulty) next(call Call) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls[call]++
	for _, fault := range f.faults {
		if fault.Call == call && (fault.At == 0 || fault.At == f.calls[call]) {
			return fault
		}
	}
	return Fault{}
}

func (f Fault) strike(ctx context.Context) error {
	if f.Panic != nil {
		panic(f.Panic)
	}
	if f.Hang {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return f.Err
}

// Name implements container.Engine.
func (f *Faulty) Name() string {
	_ = f.next(CallName).strike(context.Background()) // it panics or it does not
	return f.Engine.Name()
}

// Probe implements container.Engine.
func (f *Faulty) Probe(ctx context.Context, runtime string) (container.Host, error) {
	fault := f.next(CallProbe)
	host, err := f.Engine.Probe(ctx, runtime)
	if err == nil {
		err = fault.strike(ctx)
	}
	if err != nil {
		return container.Host{}, err
	}
	return host, nil
}

// Create implements container.Engine.
func (f *Faulty) Create(ctx context.Context, id container.ID, spec container.Spec) (container.Sandbox, error) {
	fault := f.next(CallCreate)
	if fault.Loosen != nil {
		fault.Loosen(&spec)
	}
	made, err := f.Engine.Create(ctx, id, spec)
	if err != nil {
		return nil, err
	}
	kept := false
	defer func() {
		if !kept {
			ctx, cancel := container.ReleaseContext(ctx)
			defer cancel()
			_ = made.Destroy(ctx) // the fault is told
		}
	}()
	if err := fault.strike(ctx); err != nil {
		return nil, err
	}
	kept = true
	return &faultySandbox{engine: f, own: made, life: container.NewLifecycle(id, nil)}, nil
}

// Sweep implements container.Engine.
func (f *Faulty) Sweep(ctx context.Context) (int, error) {
	fault := f.next(CallSweep)
	removed, err := f.Engine.Sweep(ctx)
	if err == nil {
		err = fault.strike(ctx)
	}
	return removed, err
}

// Close implements container.Engine.
func (f *Faulty) Close() error {
	fault := f.next(CallClose)
	if err := f.Engine.Close(); err != nil {
		return err
	}
	return fault.strike(context.Background())
}

// faultySandbox has a life of its own: its run may fail where the engine's did not.
type faultySandbox struct {
	engine *Faulty
	own    container.Sandbox
	life   *container.Lifecycle
}

// Run implements container.Sandbox.
func (s *faultySandbox) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	fault := s.engine.next(CallRun)
	return s.life.Run(streams, func() (container.Exit, error) {
		exit, err := s.own.Run(ctx, streams)
		if err == nil {
			err = fault.strike(ctx)
		}
		return exit, err
	})
}

// Output implements container.Sandbox.
func (s *faultySandbox) Output(ctx context.Context) (*os.Root, error) {
	fault := s.engine.next(CallOutput)
	return s.life.Output(ctx, func() (*os.Root, error) {
		if err := fault.strike(ctx); err != nil {
			return nil, err
		}
		return s.own.Output(ctx)
	})
}

// Hold implements container.Sandbox.
func (s *faultySandbox) Hold(ctx context.Context) (*container.Held, error) {
	if err := s.engine.next(CallHold).strike(ctx); err != nil {
		return nil, err
	}
	return s.own.Hold(ctx)
}

// Destroy implements container.Sandbox.
func (s *faultySandbox) Destroy(ctx context.Context) error {
	fault := s.engine.next(CallDestroy)
	return s.life.Destroy(ctx, func(ctx context.Context) error {
		if err := s.own.Destroy(ctx); err != nil {
			return err
		}
		return fault.strike(ctx)
	})
}
