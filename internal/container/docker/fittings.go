package docker

import (
	"context"
	"os"
	"time"

	"github.com/moby/moby/api/types/mount"

	"hotcell/internal/job"
)

// fittings is what a sandbox needs around its container. There is one set
// for a daemon that shares this kernel and one for any other.
type fittings struct {
	output  output
	parent  string // the control group that the container must be put in, or ""
	monitor monitor
	meter   meter
	bundle  *mount.Mount // nil without a bundle
}

// watchedBy fits what both watches and measures.
func (f *fittings) watchedBy(both interface {
	monitor
	meter
}) {
	f.monitor, f.meter = both, both
}

// output is the sandbox's output file system: capped in bytes and inodes, and
// alive until it is destroyed, whatever becomes of the container.
type output interface {
	// Mount is how the container gets it.
	Mount() mount.Mount
	// Open gives what was written. Only after the container's death.
	Open(ctx context.Context) (*os.Root, error)
	// OpenHeld is Open for a container that is held, and writes on afterwards.
	OpenHeld(ctx context.Context) (*os.Root, error)
}

// monitor watches a container from start to death.
type monitor interface {
	// Attach is called once the container has started and before anything of the
	// run is sent to it. It returns errIsolation when the container is not what
	// was asked for, and gone when it has ended already. Where the daemon has prepared
	// the first process before, that is its number on this host, else 0.
	Attach(ctx context.Context, containerID string, prepared int) (gone bool, err error)
	// Dead is closed when the kernel tells that all processes are dead. It is nil
	// where only the daemon knows.
	Dead() <-chan struct{}
	// Kill sends SIGKILL to all processes, without the daemon's help where it can.
	// A container that is dead already is no error.
	Kill(ctx context.Context, containerID string) error
	// Freeze stops all processes, after Attach, and returns when none runs; Still asks
	// again whether one does, and Thaw, which is idempotent, lets them go on.
	Freeze(ctx context.Context, containerID string) error
	Still(ctx context.Context, containerID string) error
	Thaw(ctx context.Context, containerID string) error
	// Detach ends what Attach began.
	Detach()
}

// keeper watches a container that waits for its run. It is a monitor, after Attach.
type keeper interface {
	// memory is what the container holds at this moment, in bytes.
	memory() (int64, error)
	// hasRoom is ErrCannotTighten where the container cannot have these limits. It changes
	// nothing, and may be called while memory is.
	hasRoom(limits job.Limits) error
	// tighten lowers what the kernel allows the container, and reads it back.
	tighten(ctx context.Context, containerID string, limits job.Limits) error
	// limitCPU leaves the first process so much CPU time from now on, and what CPUBackstop
	// adds.
	limitCPU(allowed time.Duration) error
}

// meter counts what a container has used up, from Attach on.
type meter interface {
	// Sample reads what the container has used up. It is called several times a
	// second while the container lives, and once after its death.
	Sample(ctx context.Context) (sample, error)
	// Account tells how the container ended, given what the daemon says.
	Account(ctx context.Context, containerID string, exitCode int64) (account, error)
}

// sample is what a container has used up so far. A peak is -1 where nobody
// counts it, and CPU time -1 ms.
type sample struct {
	cpuNanos   int64
	memoryPeak int64
	pidsPeak   int64
}

// account is how a container ended.
type account struct {
	exit         exitStatus
	oomKills     int64
	hostOOMKills int64
	pidsDenied   int64
	pid          int // on this host, or 0
	// uncounted says that it had met its memory limit, and that nobody has the kernel's count
	// of who was killed for that.
	uncounted bool
}

// surroundRemote serves a daemon that shares nothing with us, or, as a rootless Podman,
// everything but its mounts.
func (s *sandbox) surroundRemote(ctx context.Context, daemon daemon, image string) error {
	if err := s.offerBundle(ctx, daemon); err != nil {
		return err
	}
	s.watch(daemon)
	volume, err := s.makeVolume(ctx, daemon, image)
	if err != nil {
		return err
	}
	s.fittings.output = volume
	return nil
}
