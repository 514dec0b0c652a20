package container

import "context"

// Acquired is a sandbox for one owner, with what is known of it. The owner must
// Destroy the sandbox.
type Acquired struct {
	Sandbox Sandbox
	ID      ID   // the sandbox's own
	Host    Host // what the sandbox's host enforces
	Warm    bool // its guard is prepared: it was ready, or has come from a template just now
}

// Cold makes each sandbox when it is asked for. Its methods may be called
// concurrently.
type Cold struct{ Engine Engine }

// EngineName is the name of the engine.
func (c Cold) EngineName() string { return c.Engine.Name() }

// Acquire probes the host and makes a sandbox with an ID of its own, whose guard is not
// prepared. On error there is no sandbox and nothing is left behind; Host is what was found
// out before.
func (c Cold) Acquire(ctx context.Context, spec Spec, _ Preparation) (Acquired, error) {
	host, err := c.Engine.Probe(ctx, spec.Runtime)
	if err != nil {
		return Acquired{}, err
	}
	acquired := Acquired{ID: NewID(), Host: host}
	acquired.Sandbox, err = c.Engine.Create(ctx, acquired.ID, spec)
	if err != nil {
		return Acquired{Host: host}, err
	}
	if own, told := acquired.Sandbox.(interface{ Host() Host }); told {
		acquired.Host = own.Host() // of the node that it is on
	}
	return acquired, nil
}
