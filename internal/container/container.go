// Package container is the contract between those who need a sandbox and the
// engines that make one, and the one place where a Spec becomes a runtime-spec
// configuration.
//
// It decides what every sandbox has (see Config). It does not decide what a run
// may do (internal/policy), what its output is worth (internal/output) or what
// became of the code (internal/runner). Use Engine and Sandbox; the engines are
// chosen in cmd/runner only.
package container

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"hotcell/internal/job"
)

// Engine makes sandboxes. Its methods may be called concurrently.
type Engine interface {
	// Name is "oci", "docker" or "fake".
	Name() string
	// Probe tells what this host enforces with the named runtime, control by
	// control; "" is the engine's choice, as in Spec.Runtime. An error says why the
	// engine, or the runtime, cannot be used here and what to do about it.
	Probe(ctx context.Context, runtime string) (Host, error)
	// Create makes an idle sandbox with nothing of the user's in it but the
	// mounted bundle. What the host has of it is named after id, which no other
	// sandbox may have. On error nothing is left behind. The caller must call Destroy
	// on the sandbox.
	Create(ctx context.Context, id ID, spec Spec) (Sandbox, error)
	// Sweep removes what runners that are dead left behind, and what this engine could not
	// destroy before, and returns the number of sandboxes removed. It never touches
	// another one whose runner is alive.
	Sweep(ctx context.Context) (int, error)
	// Close releases what the engine holds. Probe, Create and Sweep are ErrClosed from
	// then on. A sandbox that lives goes on, is its owner's to destroy, and has of the
	// engine what it needs until then. Idempotent.
	Close() error
}

// Sandbox is one execution's container. It has one owner; its methods are not
// for concurrent use, and one that is called during another is ErrInUse. Lifecycle
// keeps their order, for every engine.
type Sandbox interface {
	// Run starts the guard, feeds it and returns once every process of the
	// sandbox is dead. When ctx ends first, the sandbox is killed (SIGKILL to all
	// of it) and Run returns a normal Exit: why ctx ended is the caller's to
	// know. An error means that we failed, and says nothing of what still lives:
	// Destroy ends it. A second call is ErrUsed, one after Destroy ErrDestroyed.
	// Without all three streams it is an error, which does not use the sandbox up.
	Run(ctx context.Context, streams Streams) (Exit, error)
	// Output opens the output directory, as often as it is called. Only after a Run
	// that has returned an Exit: before, and after one that failed, it is ErrNotEnded,
	// for what lives may still write; after Destroy it is ErrDestroyed. An end of ctx
	// is its cause. The caller closes the directory, before Destroy. Everything in it is
	// hostile.
	Output(ctx context.Context) (*os.Root, error)
	// Hold stops every process of a sandbox while its Run is under way, waits until none
	// runs any more, and opens the output directory. It alone may be called during Run, once
	// something of Stdin has been read: before, the sandbox is still being checked. Run goes on, and kills when it must, which breaks the hold. An error says that nothing is
	// held; one that wraps ErrCannotHold, that this engine or host never does. The caller must
	// call Release.
	Hold(ctx context.Context) (*Held, error)
	// Destroy kills what lives and removes container, cgroup, mounts and files.
	// Idempotent, and after an error to be repeated. Give it a context of its own,
	// with a deadline.
	Destroy(ctx context.Context) error
}

// ErrUnknownRuntime is wrapped by Probe and Create for a runtime that was asked for by a
// name which the engine does not know, or will not use: the caller's mistake, and not the
// host's.
var ErrUnknownRuntime = errors.New("unknown runtime")

// Streams connects a sandbox. All three are required. What comes out is hostile.
type Streams struct {
	// Stdin is copied to the guard's descriptor 0, which is closed at io.EOF. Another
	// error of its Read is one of Run, which kills the sandbox first. Run does not wait for a Read that blocks after the sandbox has ended.
	Stdin io.Reader
	// Stdout gets the guard's descriptor 1 (the framed protocol) and Stderr its
	// descriptor 2, as they are written, from one goroutine each; Run returns
	// after the last Write. When a Write fails the sandbox is killed, and Run
	// returns a normal Exit.
	Stdout, Stderr io.Writer
}

// Exit is how a sandbox ended, by the kernel's own account.
type Exit struct {
	Code       int       // exit code of the guard, or -1 when a signal ended it
	Signal     string    // "SIGKILL", "SIGSYS", … or ""
	KilledByUs bool      // the signal was ours: ctx ended, a Write failed, or CPU time ran out
	Limit      job.Limit // LimitCPUTime when the sandbox used up Spec.Limits.CPUTime, else ""
	OOMKills   int64     // processes that the kernel killed because the sandbox had met its memory limit (oom_kill)
	// HostOOMKills are others by the out-of-memory killer: the host ran out, or a
	// control group around the sandbox.
	HostOOMKills int64
	PIDsDenied   int64 // forks and clones refused because of the sandbox's pids.max
	PID          int   // that the guard had on this host, for finding it in logs; 0 where it is not known
	Usage        job.Usage
}

// Host is what an engine found on this machine.
type Host struct {
	Engine   string
	Runtime  string // name and version, for example "runc 1.1.5"
	Kernel   string
	Controls []job.Control // every name of Controls, active or not
	// Components are the programs that the engine relies on, each with the version
	// that it gives itself.
	Components []Component
	// CPU is the processor that sandboxes run on; without a model where nobody can say, as of
	// a daemon elsewhere.
	CPU job.CPU
}

// Component is one program. Name is its project's name in lower case, for example
// "runc", "containerd" or "docker".
type Component struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// releaseTimeout bounds clean-up that goes on after its caller's context ended.
const releaseTimeout = 30 * time.Second

// ReleaseContext returns a context for clean-up: it carries parent's values, not
// its end, and has a deadline of its own (30 s, several times what the slowest
// engine's removal took when measured).
func ReleaseContext(parent context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(parent), releaseTimeout)
}
