package docker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

// readyPoll is how often a process that is still the runtime's, about to become
// the guard, is looked at again.
const readyPoll = time.Millisecond

var pageSize = int64(os.Getpagesize())

// proc reads one process from outside.
type proc struct{ dir string }

func openProc(pid int) proc { return proc{filepath.Join("/proc", strconv.Itoa(pid))} }

// status returns the fields of /proc/PID/status.
func (p proc) status() (map[string]string, error) {
	file, err := os.Open(filepath.Join(p.dir, "status"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	fields := map[string]string{}
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		key, value, _ := strings.Cut(scanner.Text(), ":")
		fields[key] = strings.TrimSpace(value)
	}
	return fields, scanner.Err()
}

// cgroups returns the process's group by controller list, "" for v2.
func (p proc) cgroups() (map[string]string, error) {
	content, err := os.ReadFile(filepath.Join(p.dir, "cgroup"))
	if err != nil {
		return nil, err
	}
	groups := map[string]string{}
	for line := range strings.Lines(string(content)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 {
			return nil, fmt.Errorf("parse %s/cgroup: line %q", p.dir, line)
		}
		groups[parts[1]] = parts[2]
	}
	return groups, nil
}

// isContainer tells the container's process from one that happens to have its
// number. A daemon elsewhere tells numbers that mean nothing here.
func (m *localMonitor) isContainer(pid int, containerID string) error {
	groups, err := openProc(pid).cgroups()
	if err != nil {
		return fmt.Errorf("read cgroup of container: %w", err)
	}
	for _, path := range groups {
		if strings.Contains(path, containerID) {
			return nil
		}
	}
	return fmt.Errorf("%w: process %d, which Docker calls the container's, is not on this host: is the daemon in another PID namespace?",
		errIsolation, pid)
}

// adopt moves the processes into our own group where cgroup v1 would otherwise
// count oom_kill and denied forks in a group that vanishes with the container.
// The device filter, of another hierarchy, stays where the runtime put it.
func (m *localMonitor) adopt(pid int) error {
	if m.group == nil {
		return nil
	}
	if m.group.Mode() == cgroup.ModeUnified { // it started there
		m.adopted = true
		return nil
	}
	before, err := openProc(pid).cgroups()
	if err != nil {
		return fmt.Errorf("read cgroup of container: %w", err)
	}
	if err := m.group.AddProc(pid); err != nil {
		return err
	}
	return m.leave(groupOf(before, "pids"))
}

// moveRounds bounds the chase after processes that fork while they are moved. A
// guard has no children before it is spoken to.
const moveRounds = 100

// leave empties the runtime's group at path and takes over what it has counted.
func (m *localMonitor) leave(path string) error {
	group, err := cgroup.Load(path)
	if err != nil {
		return err
	}
	for range moveRounds {
		pids, err := group.Procs()
		if err != nil {
			return err
		}
		if len(pids) == 0 {
			used, err := group.Usage()
			m.early = account{oomKills: used.OOMKills, pidsDenied: used.PIDsDenied}
			m.adopted = err == nil
			return err
		}
		for _, pid := range pids {
			if err := m.group.AddProc(pid); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		}
	}
	return fmt.Errorf("%w: it forks faster than it can be moved to its control group", errIsolation)
}

// verify returns errIsolation unless the process is isolated as was asked for.
func (m *localMonitor) verify(ctx context.Context, pid int) error {
	process := openProc(pid)
	if err := m.awaitGuard(ctx, process); err != nil {
		return err
	}
	var faults []error
	for _, check := range []func(proc) error{m.checkNamespaces, m.checkMounts, m.checkGroup} {
		faults = append(faults, check(process))
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("%w: %w", errIsolation, err)
	}
	return nil
}

// awaitGuard waits until the runtime has given up its rights: it does so last,
// after the start has been reported.
func (m *localMonitor) awaitGuard(ctx context.Context, process proc) error {
	for {
		status, err := process.status()
		if err != nil {
			return fmt.Errorf("read status of container: %w", err)
		}
		fault := m.checkStatus(status)
		if fault == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", errIsolation, fault)
		case <-m.dead:
			return errIsolation
		case <-time.After(readyPoll):
		}
	}
}

// checkStatus compares identity, capabilities and filters.
func (m *localMonitor) checkStatus(status map[string]string) error {
	wanted := map[string]string{
		"NoNewPrivs": "1",
		"Seccomp":    "2", // filter
		"TracerPid":  "0",
	}
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		wanted[set] = "0000000000000000"
	}
	if !m.userNamespace { // mapped to a number that only the daemon knows
		wanted["Uid"] = strings.Repeat(strconv.Itoa(container.UserID)+"\t", 3) + strconv.Itoa(container.UserID)
		wanted["Gid"] = wanted["Uid"]
	}
	for name, value := range wanted {
		if status[name] != value {
			return fmt.Errorf("%s is %q instead of %q", name, status[name], value)
		}
	}
	return nil
}

// checkNamespaces compares with our own.
func (m *localMonitor) checkNamespaces(process proc) error {
	names := []string{"cgroup", "ipc", "mnt", "net", "pid", "uts"}
	if m.userNamespace {
		names = append(names, "user")
	}
	var faults []error
	for _, name := range names {
		theirs, err := os.Readlink(filepath.Join(process.dir, "ns", name))
		ours, ownErr := os.Readlink(filepath.Join("/proc/self/ns", name))
		if err := errors.Join(err, ownErr); err != nil {
			return fmt.Errorf("read namespaces: %w", err)
		}
		if theirs == ours {
			faults = append(faults, fmt.Errorf("%s namespace is this host's", name))
		}
	}
	return errors.Join(faults...)
}

// wantedMount is a mount whose options matter. host is the path of the same file
// system on this host, "" for none: a daemon in another mount namespace would
// give an ordinary directory in its place.
type wantedMount struct {
	target  string
	fstype  string
	options []string
	host    string
}

func (m *localMonitor) wantedMounts() []wantedMount {
	confined := []string{"nosuid", "nodev", "noexec"}
	mounts := []wantedMount{
		{target: "/", options: []string{"ro"}},
		{target: container.ScratchDir, fstype: "tmpfs", options: confined},
		{target: container.OutputDir, fstype: "tmpfs", options: confined, host: m.output},
	}
	if m.bundle != "" {
		mounts = append(mounts, wantedMount{
			target: container.BundleDir, options: append([]string{"ro"}, confined...), host: m.bundle,
		})
	}
	return mounts
}

// allowedMounts are what the runtime mounts besides wantedMounts: whole trees
// that end in "/", and single targets.
var allowedMounts = []string{
	"/proc", "/proc/", "/dev", "/dev/", "/sys", "/sys/",
	"/etc/hostname", "/etc/hosts", "/etc/resolv.conf",
}

func (m *localMonitor) checkMounts(process proc) error {
	file, err := os.Open(filepath.Join(process.dir, "mountinfo"))
	if err != nil {
		return fmt.Errorf("read mounts: %w", err)
	}
	defer file.Close()
	found, err := mountinfo.GetMountsFromReader(file, nil)
	if err != nil {
		return fmt.Errorf("read mounts: %w", err)
	}
	return compareMounts(m.wantedMounts(), found)
}

func compareMounts(wanted []wantedMount, found []*mountinfo.Info) error {
	var faults []error
	for _, want := range wanted {
		faults = append(faults, want.compare(found))
	}
	for _, info := range found {
		known := slices.ContainsFunc(wanted, func(want wantedMount) bool { return want.target == info.Mountpoint })
		if !known && !allowedMount(info.Mountpoint) {
			faults = append(faults, fmt.Errorf("there is a mount on %s", info.Mountpoint))
		}
	}
	return errors.Join(faults...)
}

func allowedMount(target string) bool {
	return slices.ContainsFunc(allowedMounts, func(allowed string) bool {
		return target == allowed || strings.HasSuffix(allowed, "/") && strings.HasPrefix(target, allowed)
	})
}

// compare looks at the last mount on the target, which hides those before.
func (w wantedMount) compare(found []*mountinfo.Info) error {
	var last *mountinfo.Info
	for _, info := range found {
		if info.Mountpoint == w.target {
			last = info
		}
	}
	switch {
	case last == nil:
		return fmt.Errorf("nothing is mounted on %s", w.target)
	case w.fstype != "" && last.FSType != w.fstype:
		return fmt.Errorf("%s is of type %s instead of %s", w.target, last.FSType, w.fstype)
	}
	options := strings.Split(last.Options, ",")
	for _, option := range w.options {
		if !slices.Contains(options, option) {
			return fmt.Errorf("%s is mounted without %s", w.target, option)
		}
	}
	return w.compareDevice(last)
}

func (w wantedMount) compareDevice(found *mountinfo.Info) error {
	if w.host == "" {
		return nil
	}
	var stat unix.Stat_t
	if err := unix.Stat(w.host, &stat); err != nil {
		return fmt.Errorf("look at %s: %w", w.host, err)
	}
	if major, minor := unix.Major(stat.Dev), unix.Minor(stat.Dev); int(major) != found.Major || int(minor) != found.Minor {
		return fmt.Errorf("%s is on device %d:%d instead of %d:%d: the daemon does not see this host's mounts",
			w.target, found.Major, found.Minor, major, minor)
	}
	return nil
}

// checkGroup looks where the limits apply.
func (m *localMonitor) checkGroup(process proc) error {
	if m.group == nil {
		return nil
	}
	groups, err := process.cgroups()
	if err != nil {
		return fmt.Errorf("read cgroup: %w", err)
	}
	needed := []string{"memory", "pids", "cpu", "cpuacct"}
	if m.group.Mode() == cgroup.ModeUnified {
		needed = []string{""}
	}
	for _, controller := range needed {
		if path := groupOf(groups, controller); path != m.group.Path() && !strings.HasPrefix(path, m.group.Path()+"/") {
			return fmt.Errorf("controller %q has it in %q instead of %q", controller, path, m.group.Path())
		}
	}
	return m.checkLimits()
}

// checkLimits reads back what the kernel enforces.
func (m *localMonitor) checkLimits() error {
	found, err := m.group.Limits()
	if err != nil {
		return err
	}
	want := cgroup.Limits{
		MemoryBytes: m.limits.MemoryBytes / pageSize * pageSize, // as the kernel rounds
		PIDs:        m.limits.PIDs,
		CPUMillis:   m.limits.CPUMillis,
	}
	if m.noSwapLimit {
		want.SwapBytes = cgroup.Unlimited
	}
	if found != want {
		return fmt.Errorf("limits are %+v instead of %+v", found, want)
	}
	return nil
}

func groupOf(groups map[string]string, controller string) string {
	for controllers, path := range groups {
		if slices.Contains(strings.Split(controllers, ","), controller) {
			return path
		}
	}
	return ""
}
