//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/job"
)

// gVisor is the runtime that gives a sandbox a kernel of its own, the Sentry, an
// ordinary process of this host. The guest's processes do not exist here: anchor
// and guard are the Sentry, and beside it is the gofer, which opens files for
// it. What the Sentry tells its guest is its word; the controls' details say where
// we rely on it.
const gVisor = "runsc"

// runtimeNames are all that this engine has ever run, by the names of their programs.
var runtimeNames = []string{"crun", "runc", gVisor} //nolint:gochecknoglobals // read only

// sentryFlags are given with each call. Without --oci-seccomp, runsc ignores the
// profile; with any network but none, the guest would reach this host's.
func sentryFlags() []string { return []string{"--network=none", "--oci-seccomp"} }

func (s *sandbox) hasSentry() bool { return s.runtime != nil && s.runtime.name == gVisor }

// sentryPIDs and sentryThreads are pids.max with gVisor, where it counts threads of
// this host: 33 of its own when its guest has one (measured with 0.0~20221219.0; with
// a limit of 24 its start fails, with 32 it dies during the start), and 39 with
// pandas; and up to two for each thread of the guest's that is busy (66 with 16, 78
// with 32). What keeps the policy's figure is the guest's own RLIMIT_NPROC.
const sentryPIDs, sentryThreads = 48, 2

// limits are those that the Spec enforces, with what the runtime needs for itself.
func (s *sandbox) limits() job.Limits {
	limits := s.spec.Enforced()
	if s.hasSentry() {
		limits.PIDs = sentryThreads*limits.PIDs + sentryPIDs
	}
	limits.PIDs += s.anchorTasks
	return limits
}

// sentryCounts wants a gVisor that was seen to keep RLIMIT_NPROC: nothing outside
// shows whether it does, because its guest's threads are goroutines. Its versions are
// dates.
func sentryCounts(version string) error {
	const since = "20221219"
	if date := sentryDate.FindString(version); date < since {
		return fmt.Errorf("of gVisor it is known since version %s that it counts its guest's threads, and this is %q", since, firstLine(version))
	}
	return nil
}

var sentryDate = regexp.MustCompile(`\b20[0-9]{6}\b`)

// sentryDetails says of active controls where they are not what they are with a
// container of this kernel.
func sentryDetails() map[string]string {
	const word = "the guest's are gVisor's word; "
	return map[string]string{
		container.ControlNamespaces:      word + "the Sentry has its own, but for pid on the ptrace platform",
		container.ControlUserNamespace:   "Sentry and gofer are nobody on this host",
		container.ControlCgroupNamespace: word + "no group of this host's is shown",
		container.ControlReadOnlyRoot:    "as the gofer has it mounted, through which alone the guest reaches files",
		container.ControlNoCapabilities:  word + "the Sentry has two in a user namespace that maps nobody alone",
		container.ControlNoNewPrivs:      "of Sentry and gofer",
		container.ControlSeccomp:         "gVisor's own filters; that the guest's profile is kept is gVisor's word",
		container.ControlPIDs: "kept by gVisor (RLIMIT_NPROC in the guest), which does not count refusals; on this host its threads are " +
			"bounded by twice the figure and 48, and one too many ends the sandbox",
	}
}

func addDetails(controls []job.Control, details map[string]string) {
	for i, control := range controls {
		if detail := details[control.Name]; control.Active && detail != "" {
			controls[i].Detail = detail
		}
	}
}

// sentryConfig changes what runsc cannot do. The Sentry's tmpfs has no limit of
// inodes, so that the scratch directory is a file system of this kernel, too. On a
// read-only /dev, it would refuse to write to /dev/null; the guest may make nothing
// in it. And it knows one way to kill, by thread.
func sentryConfig(config *specs.Spec, scratch string, pids int64) {
	for i, mount := range config.Mounts {
		switch mount.Destination {
		case container.ScratchDir:
			config.Mounts[i] = specs.Mount{Destination: container.ScratchDir, Type: "bind", Source: scratch,
				Options: []string{"rw", "nosuid", "nodev", "noexec", "private", "bind"}}
		case "/dev":
			config.Mounts[i].Options = slices.DeleteFunc(slices.Clone(mount.Options), func(option string) bool { return option == "ro" })
		}
	}
	for _, path := range sentryExtras() {
		config.Mounts = append(config.Mounts, specs.Mount{Destination: path, Type: "tmpfs", Source: "tmpfs",
			Options: []string{"ro", "nosuid", "nodev", "noexec", "mode=555", "size=4k"}})
	}
	config.Process.Rlimits = countThreads(config.Process.Rlimits, pids)
	profile := *config.Linux.Seccomp // the Spec's own is not ours to change
	profile.DefaultAction = sentryAction(profile.DefaultAction)
	profile.Syscalls = slices.Clone(profile.Syscalls)
	for i := range profile.Syscalls {
		profile.Syscalls[i].Action = sentryAction(profile.Syscalls[i].Action)
	}
	config.Linux.Seccomp = &profile
}

// readableSuffix ends the name of a program's copy that its user can read.
const readableSuffix = "-readable"

// readable returns a command with such a copy of its program, if the image has one.
// The Sentry opens a program for reading, as its guest's user: the image's Python is
// not for that user to read, so that its processes are never dumpable. Here it need
// not be. The guest's processes do not exist on this host.
func readable(rootfs string, command []string) ([]string, error) {
	info, err := os.Lstat(filepath.Join(rootfs, command[0]+readableSuffix))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return command, nil
	case err != nil:
		return nil, fmt.Errorf("look for a program that can be read: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s%s in the image is not a file", command[0], readableSuffix)
	default:
		return append([]string{command[0] + readableSuffix}, command[1:]...), nil
	}
}

// sentryExtras are what the Sentry offers beyond what a sandbox may have: devices
// that its kernel implements (each is open to anybody) and its own /sys. Something
// empty is mounted over each, in this order: runsc mounts /dev/pts if nobody does,
// and again as what it is.
func sentryExtras() []string {
	return []string{"/sys", "/dev/fuse", "/dev/net", "/dev/shm", "/dev/pts", "/dev/pts/ptmx"}
}

// countThreads makes RLIMIT_NPROC the policy's figure, which elsewhere is a backstop
// of twice as many: the Sentry keeps it for all threads of a guest's user, and its
// guest has one user.
func countThreads(limits []specs.POSIXRlimit, pids int64) []specs.POSIXRlimit {
	const name = "RLIMIT_NPROC"
	limits = slices.DeleteFunc(slices.Clone(limits), func(limit specs.POSIXRlimit) bool { return limit.Type == name })
	return append(limits, specs.POSIXRlimit{Type: name, Hard: uint64(pids), Soft: uint64(pids)})
}

func sentryAction(action specs.LinuxSeccompAction) specs.LinuxSeccompAction {
	if action == specs.ActKillProcess || action == specs.ActKillThread {
		return specs.ActKill
	}
	return action
}

// endedWith returns how the guard ended. The Sentry cannot pass on a signal and
// exits as a shell would, with 128 and its number: a guard has no exit code above
// 128.
func (s *sandbox) endedWith(status unix.WaitStatus) (code int, signal unix.Signal) {
	const base, last = 128, 64
	switch code := status.ExitStatus(); {
	case status.Signaled():
		return -1, status.Signal()
	case s.hasSentry() && code > base && code <= base+last:
		return -1, unix.Signal(code - base)
	default:
		return code, 0
	}
}

// removeSentryState takes away what runsc keeps. Its own delete would wait for a
// gofer that has ended already, and ask it of the Sentry.
func (s *sandbox) removeSentryState() error {
	paths, err := filepath.Glob(filepath.Join(s.runtime.root, "*"+s.id.String()+"*"))
	if err != nil {
		return err
	}
	var faults []error
	for _, path := range paths {
		faults = append(faults, os.RemoveAll(path))
	}
	return errors.Join(faults...)
}

// dyingPatience is how long a Sentry may be on its way out. Its gofer sees the end
// of their connection some time before the Sentry is dead.
const dyingPatience = time.Second

// unlessEnded turns a failure into nil when the Sentry has ended meanwhile, which
// makes any look at it and its gofer fail. Its guest has had no input: there was
// nothing to protect, and how it ended is the Exit's to tell.
func (s *sandbox) unlessEnded(err error) error {
	if err == nil || !s.hasSentry() {
		return err
	}
	watched := []unix.PollFd{{Fd: int32(s.guard.handle.Fd()), Events: unix.POLLIN}}
	for {
		ready, pollErr := unix.Poll(watched, int(dyingPatience.Milliseconds()))
		switch {
		case errors.Is(pollErr, unix.EINTR):
			continue
		case pollErr == nil && ready == 1:
			return nil
		default:
			return errors.Join(err, pollErr)
		}
	}
}

// findSentryGroups remembers the process groups of the idle sandbox: the gofer's,
// the Sentry's, and that of the processes in which the Sentry runs its guest's.
func (s *sandbox) findSentryGroups() error {
	if !s.hasSentry() {
		return nil
	}
	pids, err := s.group.Procs()
	if err != nil {
		return err
	}
	for _, pid := range pids {
		group, err := unix.Getpgid(pid)
		if errors.Is(err, unix.ESRCH) {
			continue // a helper of the Sentry's start
		}
		if err != nil {
			return fmt.Errorf("find process group of %d: %w", pid, err)
		}
		if !slices.Contains(s.sentryGroups, group) {
			s.sentryGroups = append(s.sentryGroups, group)
		}
	}
	return nil
}

// reapSentry waits for the children of this process, a subreaper, that gVisor has
// left. They become our children only when their parent is gone; nothing of them
// lives any more. Without it they would be zombies for as long as this process
// lives.
func (s *sandbox) reapSentry(ctx context.Context) error {
	for _, group := range s.sentryGroups {
		if err := reapGroup(ctx, group); err != nil {
			return fmt.Errorf("reap what gVisor has left: %w", err)
		}
	}
	return nil
}

// makeSentryGroup makes the control group itself, with its limits: runsc puts its
// processes into a group that exists, and makes nothing of the limits it was told.
// Its device rules are left out: the Sentry opens no device of this host.
func (s *sandbox) makeSentryGroup() error {
	if !s.hasSentry() {
		return nil
	}
	resources := container.Resources(s.limits())
	if s.paths.NoSwapLimit {
		resources.Memory.Swap = nil
	}
	group, err := cgroup.Create(s.groupPath(), resources)
	if err != nil {
		return err
	}
	s.group = group
	return nil
}
