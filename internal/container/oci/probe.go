//go:build linux

package oci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/job"
)

// discovery is what was found out about this host with one runtime.
type discovery struct {
	host          container.Host
	name, path    string // of the runtime
	mounts        *namespace
	userNamespace *container.IDRange // nil where there is none
	appArmor      string             // the profile's name, or ""
}

// Probe implements container.Engine. It tries what can be tried without a
// container; the rest is verified on every sandbox. The answer is kept for the
// engine's life, or until its place for control groups is gone.
func (e *Engine) Probe(ctx context.Context, runtime string) (container.Host, error) {
	leave, err := e.opening.Enter()
	if err != nil {
		return container.Host{}, fmt.Errorf("probe oci engine: %w", err)
	}
	defer leave()
	found, err := e.discover(ctx, runtime)
	if errors.Is(err, container.ErrUnknownRuntime) {
		return container.Host{}, err // the caller's mistake, whatever we were about to do
	}
	if err != nil {
		return container.Host{}, fmt.Errorf("probe oci engine: %w", err)
	}
	host := found.host
	host.Controls, host.Components = slices.Clone(host.Controls), slices.Clone(host.Components)
	return host, nil
}

// discover probes once per runtime and place; asked is "" for the engine's choice.
func (e *Engine) discover(ctx context.Context, asked string) (*discovery, error) {
	if asked == "" {
		asked = e.options.Runtime
	}
	name, path, err := findRuntime(asked)
	if err != nil {
		return nil, err
	}
	leave, err := e.await(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	mounts, err := e.prepareInTurn(ctx)
	if err != nil {
		return nil, err
	}
	if found := e.findings[name]; found != nil {
		return found, nil
	}
	found := &discovery{name: name, path: path, mounts: mounts}
	if err := found.look(ctx, e); err != nil {
		return nil, err
	}
	e.findings[name] = found
	return found, nil
}

func (d *discovery) look(ctx context.Context, e *Engine) error {
	version, userNamespace, err := d.version(ctx)
	if err != nil {
		return err
	}
	kernel, err := kernelRelease()
	if err != nil {
		return err
	}
	if userNamespace == nil {
		ids := container.DefaultIDRange()
		d.userNamespace = &ids
	}
	lacking, err := e.tryGroup(ctx, d.mounts)
	if err != nil {
		return err
	}
	lacking[container.ControlUserNamespace] = userNamespace
	d.tryKernel(lacking, version)
	lacking[container.ControlOutputQuota] = tryQuota(e.options.StateDir) // of bytes and of inodes
	lacking[container.ControlOutputInodes] = lacking[container.ControlOutputQuota]
	profile, gap, err := loadAppArmor(ctx, d.name, version, e.options.StateDir)
	d.appArmor, lacking[container.ControlAppArmor] = profile, err
	d.host = container.Host{
		CPU:    container.ThisCPU(),
		Engine: e.Name(), Runtime: firstLine(version), Kernel: kernel, Components: components(version),
		Controls: d.controls(lacking, gap),
	}
	return nil
}

// tryKernel adds what this kernel, or the runtime on it, lacks.
func (d *discovery) tryKernel(lacking map[string]error, version string) {
	lacking[container.ControlNamespaces] = kernelHas("mnt", "pid", "net", "ipc", "uts")
	lacking[container.ControlCgroupNamespace] = kernelHas("cgroup")
	lacking[container.ControlSeccomp] = trySeccomp(d.name, version)
	if d.name == gVisor {
		lacking[container.ControlPIDs] = errors.Join(lacking[container.ControlPIDs], sentryCounts(version))
	}
}

// controls tells of each control whether the host has it, and of those that it has what is
// to be said; gap is AppArmor's.
func (d *discovery) controls(lacking map[string]error, gap string) []job.Control {
	var found []job.Control
	for _, name := range container.Controls() {
		if name == container.ControlLandlock {
			found = append(found, d.landlock())
			continue
		}
		found = append(found, control(name, lacking[name]))
	}
	details := map[string]string{container.ControlAppArmor: gap}
	if d.name == gVisor {
		maps.Copy(details, sentryDetails())
	}
	addDetails(found, details)
	return found
}

// landlock tells what this kernel offers a guard.
func (d *discovery) landlock() job.Control {
	if d.name == gVisor {
		return container.LandlockControl(0, errors.New("the guard's kernel is gVisor, which has no Landlock"))
	}
	return container.LandlockControl(container.Landlock())
}

func control(name string, lacking error) job.Control {
	if lacking != nil {
		return job.Control{Name: name, Detail: lacking.Error()}
	}
	return job.Control{Name: name, Active: true}
}

// version asks the runtime for its version from within a new user namespace, so
// that one start answers two questions. The error of the namespace comes second.
func (d *discovery) version(ctx context.Context) (version string, userNamespace, err error) {
	ids := container.DefaultIDRange()
	mapping := []syscall.SysProcIDMap{{ContainerID: 0, HostID: int(ids.First), Size: int(ids.Count)}}
	version, userNamespace = d.runVersion(ctx, &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWUSER, UidMappings: mapping, GidMappings: mapping,
	})
	if userNamespace == nil {
		return version, nil, nil
	}
	version, err = d.runVersion(ctx, &syscall.SysProcAttr{})
	return version, fmt.Errorf("%w: see user.max_user_namespaces and kernel.unprivileged_userns_clone", userNamespace), err
}

func (d *discovery) runVersion(ctx context.Context, attributes *syscall.SysProcAttr) (string, error) {
	var output bytes.Buffer
	command := exec.CommandContext(ctx, d.path, "--version")
	command.Env = runtimeEnvironment()
	command.Stdout, command.SysProcAttr = &output, attributes
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("run %s --version: %w", d.path, err)
	}
	return output.String(), nil
}

// firstLine turns "crun version 1.8.1" and "runc version 1.1.5+ds1" into "crun
// 1.8.1" and "runc 1.1.5+ds1".
func firstLine(version string) string {
	line, _, _ := strings.Cut(version, "\n")
	return strings.Replace(strings.TrimSpace(line), " version ", " ", 1)
}

// components reads the runtime's own version and that of the libseccomp that it
// was built with, where it names it ("libseccomp: 2.5.4").
func components(version string) []container.Component {
	name, number, _ := strings.Cut(firstLine(version), " ")
	found := []container.Component{{Name: name, Version: number}}
	for line := range strings.Lines(version) {
		if number, ok := strings.CutPrefix(strings.TrimSpace(line), "libseccomp: "); ok {
			found = append(found, container.Component{Name: "libseccomp", Version: number})
		}
	}
	return found
}

func kernelRelease() (string, error) {
	var names unix.Utsname
	if err := unix.Uname(&names); err != nil {
		return "", fmt.Errorf("read kernel release: %w", err)
	}
	return unix.ByteSliceToString(names.Release[:]), nil
}

func kernelHas(namespaces ...string) error {
	for _, name := range namespaces {
		if _, err := os.Stat("/proc/self/ns/" + name); err != nil {
			return fmt.Errorf("this kernel has no %s namespace: %w", name, err)
		}
	}
	return nil
}

// trySeccomp asks kernel and runtime. Both name the library in their version when
// they are built with it, but for gVisor, which has its own.
func trySeccomp(runtime, version string) error {
	actions, err := os.ReadFile("/proc/sys/kernel/seccomp/actions_avail")
	if err != nil {
		return fmt.Errorf("this kernel has no seccomp filters: %w", err)
	}
	for _, action := range []string{"kill_process", "errno", "allow"} {
		if !slices.Contains(strings.Fields(string(actions)), action) {
			return fmt.Errorf("this kernel's seccomp lacks %s", action)
		}
	}
	if runtime != gVisor && !strings.Contains(strings.ToLower(version), "seccomp") {
		return errors.New("the runtime is built without seccomp")
	}
	return nil
}

// tryQuota mounts a small tmpfs on dir in a mount namespace that ends with its
// thread.
func tryQuota(dir string) error {
	const bytes, files = 1 << 20, 8
	return onThread(func() error {
		if err := unshareMounts(); err != nil {
			return err
		}
		options := strings.Join(container.TmpfsOptions(bytes, files, 0), ",")
		if err := unix.Mount("hotcell", dir, "tmpfs", locked, options); err != nil {
			return fmt.Errorf("mount tmpfs: %w", err)
		}
		var stat unix.Statfs_t
		if err := unix.Statfs(dir, &stat); err != nil {
			return fmt.Errorf("read tmpfs size: %w", err)
		}
		if int64(stat.Blocks)*stat.Bsize != bytes || stat.Files != files+1 {
			return fmt.Errorf("tmpfs takes %d blocks and %d inodes", stat.Blocks, stat.Files)
		}
		return nil
	})
}

// tryGroup makes a control group, reads limits and counters back and removes it.
// It returns what is lacking by control; an error says that control groups cannot
// be used at all.
func (e *Engine) tryGroup(ctx context.Context, mounts *namespace) (lacking map[string]error, err error) {
	s := e.handle(container.NewID(), mounts)
	// So that Sweep finds what a kill leaves here.
	if s.lockFile, err = e.lock(ctx, s.id); err != nil {
		return nil, err
	}
	defer func() {
		if removed := os.RemoveAll(s.dir); removed != nil {
			err = errors.Join(err, removed, s.lockFile.Close())
			return
		}
		err = errors.Join(err, s.unlockAtLast())
	}()
	if err := s.makeDir(); err != nil {
		return nil, err
	}
	limits := job.Limits{MemoryBytes: 64 << 20, PIDs: 16, CPUMillis: 1000}
	group, err := cgroup.Create(s.groupPath(), container.Resources(limits))
	if err != nil { // perhaps only swap cannot be limited (swapaccount=0)
		resources := container.Resources(limits)
		resources.Memory.Swap = nil
		group, err = cgroup.Create(s.groupPath(), resources)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: mount the memory, pids and cpu controllers writable below /sys/fs/cgroup", err)
	}
	lacking, err = compareGroup(group, limits)
	return lacking, errors.Join(err, group.Delete())
}

func compareGroup(group *cgroup.Group, want job.Limits) (map[string]error, error) {
	got, err := group.Limits()
	if err != nil {
		return nil, err
	}
	_, counters := group.Usage()
	_, clock := group.CPUTime()
	lacking := map[string]error{container.ControlOOMCount: counters, container.ControlCPUClock: clock}
	for name, differs := range map[string]bool{
		container.ControlMemory:  got.MemoryBytes != want.MemoryBytes,
		container.ControlSwapOff: got.SwapBytes != 0,
		container.ControlPIDs:    got.PIDs != want.PIDs,
		container.ControlCPU:     got.CPUMillis != want.CPUMillis,
	} {
		if differs {
			lacking[name] = errors.New("the kernel did not keep the limit")
		}
	}
	return lacking, nil
}
