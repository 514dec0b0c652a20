package docker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/api/types/system"
	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/apparmor"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// groupFile, in a sandbox's directory, names its control group.
const groupFile = "cgroup"

// sharesKernel says whether the daemon seems to run on this kernel, as root like
// us. Whether it shares our mounts too is verified on each container, which is
// refused otherwise.
func sharesKernel(host string, info system.Info) bool {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return false
	}
	rootless := daemon{info: info}.hasSecurity("rootless")
	return strings.HasPrefix(host, "unix://") && os.Geteuid() == 0 && !rootless &&
		info.KernelVersion == unix.ByteSliceToString(name.Release[:])
}

// parentCgroups says whether oom_kill can be read. On v1 a sandbox's processes
// are moved into a group of ours. On v2 that would leave the runtime's device
// filter behind; there the group is the container's parent, whose counters
// include it. With the systemd driver the parent is a slice, which systemd makes for
// us and keeps until we tell it.
func parentCgroups(ctx context.Context, daemon daemon) cgroupSupport {
	if !daemon.local {
		return cgroupSupport{detail: "the daemon is not local (or rootless), so that its kernel's oom_kill counter cannot be read"}
	}
	mode, err := cgroup.HostMode()
	if err == nil {
		err = cgroup.RequireMemoryCountsBelow()
	}
	switch {
	case err != nil:
		return cgroupSupport{detail: err.Error()}
	case daemon.wantsSlices():
		if err := cgroup.AskSystemd(ctx); err != nil {
			return cgroupSupport{detail: fmt.Sprintf("the daemon has the systemd cgroup driver, which wants a slice: %v", err)}
		}
		return cgroupSupport{parent: true}
	case mode == cgroup.ModeUnified && daemon.info.CgroupDriver != "cgroupfs":
		return cgroupSupport{detail: fmt.Sprintf("the daemon has the cgroup driver %q, which is not known here", daemon.info.CgroupDriver)}
	}
	if _, err := cgroup.Home(ctx); err != nil {
		return cgroupSupport{detail: err.Error()}
	}
	return cgroupSupport{parent: true}
}

// wantsSlices tells of a local daemon whether a container's parent must be a slice.
func (d daemon) wantsSlices() bool {
	mode, err := cgroup.HostMode()
	return err == nil && mode == cgroup.ModeUnified && d.info.CgroupDriver == "systemd"
}

func checkProfile(ctx context.Context, state string) (name, gap string, err error) {
	return apparmor.Check(ctx, state)
}

func loadProfile(ctx context.Context, state string) (name, gap string, err error) {
	return apparmor.Load(ctx, state)
}

// surround makes what the sandbox needs around its container.
func (s *sandbox) surround(ctx context.Context, daemon daemon, image string) error {
	if !daemon.local {
		return s.surroundRemote(ctx, daemon, image)
	}
	monitor := &localMonitor{
		api: s.engine.api, limits: s.spec.Enforced(), stats: newStats(s.engine.api, daemon),
		userNamespace: daemon.userNamespace(), noSwapLimit: !daemon.info.SwapLimit,
		readyPatience: readyTimeout, confined: daemon.confined, podman: daemon.podman != "",
	}
	s.fittings.watchedBy(monitor)
	if !daemon.cgroups.parent {
		s.fittings.watchedBy(&nearMonitor{localMonitor: monitor})
	}
	if err := s.makeGroup(ctx, monitor, daemon); err != nil {
		return err
	}
	output := &hostOutput{path: filepath.Join(s.dir.path, "output")}
	if err := output.mount(daemon.outputOptions(s.spec.Limits)); err != nil {
		return err
	}
	s.fittings.output, monitor.output = output, output.path
	return s.mountBundle(monitor)
}

// makeGroup makes the sandbox's own control group, with its limits, and before it
// the file by which a Sweep finds it.
func (s *sandbox) makeGroup(ctx context.Context, monitor *localMonitor, daemon daemon) error {
	if !daemon.cgroups.parent {
		return nil
	}
	resources := monitor.resources(s.spec.Enforced())
	path, err := s.groupPath(ctx, daemon)
	if err != nil {
		return err
	}
	if err := writeInto(s.dir.path, groupFile, path+"\n"); err != nil {
		return err
	}
	if daemon.wantsSlices() {
		s.fittings.parent, monitor.placed, monitor.slice = filepath.Base(path), true, s.id.String()
		monitor.group, err = cgroup.CreateSlice(ctx, monitor.slice, resources)
		return err
	}
	if daemon.info.CgroupDriver == "cgroupfs" {
		s.fittings.parent, monitor.placed = path, true
	}
	monitor.group, err = cgroup.Create(path, resources)
	return err
}

// resources are what the sandbox's control group allows.
func (m *localMonitor) resources(limits job.Limits) *specs.LinuxResources {
	resources := container.Resources(limits)
	if m.noSwapLimit {
		resources.Memory.Swap = nil
	}
	return resources
}

func (s *sandbox) groupPath(ctx context.Context, daemon daemon) (string, error) {
	if daemon.wantsSlices() {
		return cgroup.SlicePath(s.id.String()), nil
	}
	place, err := cgroup.Home(ctx)
	if err != nil {
		return "", err
	}
	return filepath.Join(place.Path, s.id.String()), nil
}

// hostOutput is a tmpfs of ours, bind-mounted into the container.
type hostOutput struct{ path string }

func (o *hostOutput) mount(options string) error {
	if err := os.Mkdir(o.path, 0o700); err != nil {
		return fmt.Errorf("make output directory: %w", err)
	}
	err := unix.Mount("tmpfs", o.path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options)
	if err != nil {
		return fmt.Errorf("mount output file system: %w", err)
	}
	return nil
}

// Mount implements output.
func (o *hostOutput) Mount() mount.Mount { return bind(o.path, container.OutputDir) }

// Open implements output.
func (o *hostOutput) Open(context.Context) (*os.Root, error) { return os.OpenRoot(o.path) }

// OpenHeld implements output.
func (o *hostOutput) OpenHeld(ctx context.Context) (*os.Root, error) { return o.Open(ctx) }

// groupOfDir is the control group that a sandbox's file names, or "".
func groupOfDir(dir string, id container.ID) (string, error) {
	content, err := durable.ReadFile(filepath.Join(dir, groupFile), 8192)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read name of control group: %w", err)
	}
	path, whole := strings.CutSuffix(string(content), "\n")
	switch {
	case !whole:
		return "", nil
	case path != cgroup.SlicePath(id.String()) && filepath.Base(path) != id.String():
		return "", fmt.Errorf("control group %q is not that of sandbox %s", path, id)
	}
	return path, nil
}

// bind does not say ReadOnly even for the bundle: the runtime would remount with
// that flag alone and so drop nosuid, nodev and noexec. Without it, the flags of
// our own mount stay.
func bind(source, target string) mount.Mount {
	return mount.Mount{
		Type: mount.TypeBind, Source: source, Target: target,
		BindOptions: &mount.BindOptions{Propagation: mount.PropagationRPrivate},
	}
}

// mountBundle mounts the store's directory, with the flags that Docker cannot
// set, where the container then gets it from.
func (s *sandbox) mountBundle(monitor *localMonitor) error {
	if s.spec.Bundle == "" {
		return nil
	}
	source, err := s.engine.bundles.Path(s.spec.Bundle)
	if err != nil {
		return fmt.Errorf("find bundle: %w", err)
	}
	target := filepath.Join(s.dir.path, "bundle")
	if err := os.Mkdir(target, 0o700); err != nil {
		return fmt.Errorf("make bundle directory: %w", err)
	}
	const flags = unix.MS_BIND | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if err := unix.Mount(source, target, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount bundle: %w", err)
	}
	if err := unix.Mount("", target, "", flags|unix.MS_REMOUNT, ""); err != nil {
		return fmt.Errorf("mount bundle read-only: %w", err)
	}
	mounted := bind(target, container.BundleDir)
	s.fittings.bundle, monitor.bundle = &mounted, target
	return nil
}

// removeLocal removes mounts and control group of a sandbox whose container is
// gone. Idempotent.
func removeLocal(ctx context.Context, dir string, id container.ID) error {
	if os.Geteuid() != 0 {
		return nil // none were made
	}
	return errors.Join(
		unmount(filepath.Join(dir, "output")),
		unmount(filepath.Join(dir, "bundle")),
		removeGroup(ctx, dir, id),
	)
}

// unmount detaches: someone may still read the output through a descriptor of
// their own, and must not keep the name busy.
func unmount(path string) error {
	err := unix.Unmount(path, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW)
	if err == nil || errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EINVAL) { // EINVAL: not a mount point
		return nil
	}
	return fmt.Errorf("unmount %s: %w", path, err)
}

// thawLocal lets processes go on that a sandbox's owner has held and left so: on cgroup v1
// nothing ends them else. Idempotent.
func thawLocal(dir string, id container.ID) error {
	path, err := groupOfDir(dir, id)
	if err != nil || path == "" || os.Geteuid() != 0 {
		return err
	}
	return cgroup.Thaw(path)
}

// removeGroup removes what the sandbox's file names, if that is called after it. No group
// is made before its name is written: half a one, on a disk that was full, names none.
func removeGroup(ctx context.Context, dir string, id container.ID) error {
	path, err := groupOfDir(dir, id)
	if err != nil || path == "" {
		return err
	}
	if path == cgroup.SlicePath(id.String()) {
		return cgroup.RemoveSlice(ctx, id.String())
	}
	err = cgroup.Remove(path)
	if errors.Is(err, cgroup.ErrNoCgroups) { // none were made
		return nil
	}
	return err
}
