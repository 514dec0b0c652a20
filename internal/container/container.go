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
	"slices"
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
	// mounted bundle. On error nothing is left behind. The caller must call
	// Destroy on the sandbox.
	Create(ctx context.Context, id job.ID, spec Spec) (Sandbox, error)
	// Sweep removes what runners that are dead left behind, and returns the
	// number of sandboxes removed. It never touches one whose runner is alive.
	Sweep(ctx context.Context) (int, error)
}

// Sandbox is one execution's container. It has one owner; its methods are not
// for concurrent use.
type Sandbox interface {
	// Run starts the guard, feeds it and returns once every process of the
	// sandbox is dead. When ctx ends first, the sandbox is killed (SIGKILL to all
	// of it) and Run returns a normal Exit: why ctx ended is the caller's to
	// know. An error means that we failed. A second call is ErrUsed.
	Run(ctx context.Context, streams Streams) (Exit, error)
	// Output opens the output directory. Only after Run has returned; before, it
	// is ErrRunning. The caller closes it. Everything in it is hostile.
	Output() (*os.Root, error)
	// Destroy kills what lives and removes container, cgroup, mounts and files.
	// Idempotent. Give it a context of its own, with a deadline.
	Destroy(ctx context.Context) error
}

var (
	// ErrUsed is returned by the second Run of a sandbox.
	ErrUsed = errors.New("sandbox has been used: make another")
	// ErrRunning is returned by Output before Run has returned.
	ErrRunning = errors.New("sandbox has not ended")
	// ErrUnknownRuntime is wrapped by Probe and Create for a runtime that was asked
	// for by a name which the engine does not know, or will not use: the caller's
	// mistake, and not the host's.
	ErrUnknownRuntime = errors.New("unknown runtime")
)

// Streams connects a sandbox. What comes out is hostile.
type Streams struct {
	// Stdin is copied to the guard's descriptor 0, which is closed at io.EOF. Run
	// does not wait for a Read that blocks after the sandbox has ended.
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
	// HostOOMKills are others that it killed for want of memory: the host had none, or a
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
}

// Component is one program. Name is its project's name in lower case, for example
// "runc", "containerd" or "docker".
type Component struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Inactive returns the names of the controls that the host lacks.
func (h Host) Inactive() []string {
	var names []string
	for _, control := range h.Controls {
		if !control.Active {
			names = append(names, control.Name)
		}
	}
	return names
}

// The controls that a host may or may not have, as policies and records name
// them; docs/policy.md lists them.
const (
	ControlUserNamespace   = "user_namespace"   // root of the sandbox is nobody on the host
	ControlNamespaces      = "namespaces"       // mount, pid, network, ipc, uts
	ControlCgroupNamespace = "cgroup_namespace" // own view of the cgroup tree
	ControlReadOnlyRoot    = "read_only_root"
	ControlNoNewPrivs      = "no_new_privs"
	ControlNoCapabilities  = "no_capabilities"
	ControlSeccomp         = "seccomp"
	ControlMemory          = "memory.max"
	ControlSwapOff         = "memory.swap.max"
	ControlPIDs            = "pids.max"
	ControlCPU             = "cpu.max"
	ControlOutputQuota     = "output_quota" // the output file system's own size and inode cap
	ControlOOMCount        = "oom_kill"     // the kernel's count can be read
	ControlCPUClock        = "cpu_clock"    // CPU time can be read while it runs
	ControlAppArmor        = "apparmor"     // the sandboxes' own AppArmor profile, in enforce mode
	ControlLandlock        = "landlock"     // the guard's lock confines file access to its zones
)

// Controls lists every control, in the order in which they are shown.
func Controls() []string {
	return []string{
		ControlNamespaces, ControlUserNamespace, ControlCgroupNamespace, ControlReadOnlyRoot,
		ControlNoCapabilities, ControlNoNewPrivs, ControlSeccomp, ControlMemory, ControlSwapOff,
		ControlPIDs, ControlCPU, ControlOutputQuota, ControlOOMCount, ControlCPUClock,
		ControlAppArmor, ControlLandlock,
	}
}

// ExtraControls lists those of Controls that are layers behind the others, which many
// kernels lack: a policy lets a host lack them unless it requires them by name. All
// others are required unless a policy calls them optional.
func ExtraControls() []string { return []string{ControlAppArmor, ControlLandlock} }

// WayOut tells what to change in a policy so that a host without the control is
// accepted.
func WayOut(control string) string {
	if slices.Contains(ExtraControls(), control) {
		return "take " + control + " out of the policy's required_controls"
	}
	return "name " + control + " among the policy's optional_controls"
}

// releaseTimeout bounds clean-up that goes on after its caller's context ended.
const releaseTimeout = 30 * time.Second

// ReleaseContext returns a context for clean-up: it carries parent's values, not
// its end, and has a deadline of its own (30 s, several times what the slowest
// engine's removal took when measured).
func ReleaseContext(parent context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(parent), releaseTimeout)
}
