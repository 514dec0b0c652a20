package container

import (
	"context"
	"io"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/digest"
)

// Preparation is what a guard can do before there is a request: import packages, load the
// bundle's tables, lock itself. To an engine it is bytes.
type Preparation struct {
	// For tells people which requests it is for, as `runner engine --warm` names them. It is
	// no part of the Key: requests of one Key may name the same thing in two ways.
	For string
	// Words are what the guard is told. Sandboxes of one Key that were told the same are
	// interchangeable. None means that there is nothing to prepare.
	Words []byte
	// Await reads what the guard answers, and not a byte more, and returns nil once it is
	// prepared.
	Await func(io.Reader) error
	// Seccomp returns the profile of the process that sandboxes are forked from. It allows
	// all that Spec.Seccomp does, but for signals.
	Seccomp func() (*specs.LinuxSeccomp, error)
}

// Key is a digest of everything that distinguishes one prepared sandbox of a Spec from
// another on the same host, but for what is Tightened.
func (p Preparation) Key(spec Spec) digest.Digest {
	sum := digest.New()
	for _, part := range []string{spec.Key().String(), digest.Of(p.Words).String()} {
		_, _ = io.WriteString(sum, part+"\n") // a hash never fails
	}
	return sum.Digest()
}

// PrepareTime bounds how long a guard may take to import and to load, and what CPU time it
// may use for that. A table of the largest bundle takes seconds.
const PrepareTime = 5 * time.Minute

// Warmer is an Engine that can have sandboxes whose guard is prepared.
type Warmer interface {
	Engine
	// Prepare makes what prepared sandboxes of the Spec come from. id is its own. The
	// template holds the bundle's tables and nothing of any user's. The caller must call
	// Destroy on it. On error nothing is left behind.
	Prepare(ctx context.Context, id ID, spec Spec, preparation Preparation) (Template, error)
}

// Template makes prepared sandboxes, each to be used once, like any other. Its methods may
// be called concurrently.
type Template interface {
	// Create makes an idle sandbox whose guard is prepared: what its Run sends comes after
	// the Words. On error nothing is left behind; ErrBusy says that others have it make theirs,
	// and nothing else. The caller must call Destroy on it, which does not depend on the
	// template's life.
	Create(ctx context.Context, id ID) (PreparedSandbox, error)
	// Quick tells whether Create takes milliseconds, so that a request for which none is
	// idle waits for one. Where it takes as long as a cold sandbox, the request has that.
	Quick() bool
	// Memory is what the template holds of the host's, in bytes, by the kernel's account,
	// and with it what the idle sandboxes that came from it hold for themselves, where they
	// do not share the template's.
	Memory() (int64, error)
	// Dead is closed when no sandbox can come from it any more.
	Dead() <-chan struct{}
	// Destroy ends the template. Sandboxes that were made stay. Idempotent, and after an
	// error to be repeated.
	Destroy(ctx context.Context) error
}

// PreparedSandbox is a Sandbox that is there before its request.
type PreparedSandbox interface {
	Sandbox
	// Tighten lowers the limits of an idle sandbox, as Create does with Spec.Tightened, and
	// reads them back. ErrCannotTighten says that this one cannot have them, and that it is
	// as it was. After any other answer it is its request's, or to be destroyed.
	Tighten(ctx context.Context, tightened Tightened) error
	// Host is what its host enforced when it was made, and so in it.
	Host() Host
	// Dead is closed when its guard is not alive any more.
	Dead() <-chan struct{}
}
