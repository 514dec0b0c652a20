package docker

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/container/apparmor"
)

// readyPoll is how often a process that is still the runtime's, about to become
// the guard, is looked at again.
const readyPoll = time.Millisecond

// readyTimeout bounds that. It takes a few milliseconds.
const readyTimeout = 10 * time.Second

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
	ctx, cancel := context.WithTimeout(ctx, m.readyPatience)
	defer cancel()
	for {
		status, err := process.status()
		if err != nil {
			return fmt.Errorf("read status of container: %w", err)
		}
		user, group, err := m.wantedIDs(process)
		if err != nil {
			return fmt.Errorf("read identity of container: %w", err)
		}
		fault := cmp.Or(m.checkStatus(status, user, group), m.checkProfile())
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

// wantedIDs are the numbers that the sandbox's user and group have on this host.
func (m *localMonitor) wantedIDs(process proc) (user, group int, err error) {
	if !m.userNamespace {
		return container.UserID, container.UserID, nil
	}
	user, userErr := process.hostID("uid_map")
	group, groupErr := process.hostID("gid_map")
	return user, group, errors.Join(userErr, groupErr)
}

// hostID is what the process's user namespace has here for the sandbox's number, -1 where
// it has none (yet). It must be another one, and this host's root nobody's in there.
func (p proc) hostID(name string) (int, error) {
	content, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		return -1, err
	}
	found := -1
	for line := range strings.Lines(string(content)) { // see user_namespaces(7)
		var inside, outside, count int
		if _, err := fmt.Sscan(line, &inside, &outside, &count); err != nil {
			return -1, fmt.Errorf("parse %s: %w", name, err)
		}
		offset := container.UserID - inside
		if offset >= 0 && offset < count {
			found = outside + offset
		}
		if outside == 0 || found == container.UserID {
			return -1, fmt.Errorf("%w: its %s %q keeps this host's numbers", errIsolation, name, strings.TrimSpace(line))
		}
	}
	return found, nil
}

// checkStatus compares identity, capabilities and filters.
func (m *localMonitor) checkStatus(status map[string]string, user, group int) error {
	wanted := map[string]string{
		"NoNewPrivs": "1",
		"Seccomp":    "2", // filter
		"TracerPid":  "0",
		"Uid":        fourTimes(user),
		"Gid":        fourTimes(group),
	}
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		wanted[set] = "0000000000000000"
	}
	for name, value := range wanted {
		if status[name] != value {
			return fmt.Errorf("%s is %q instead of %q", name, status[name], value)
		}
	}
	if strings.HasPrefix(status["Uid"], "0\t") {
		return errors.New("it runs with Uid 0, this host's root")
	}
	for additional := range strings.FieldsSeq(status["Groups"]) {
		if additional != strconv.Itoa(group) { // a daemon names its own group once more
			return fmt.Errorf("it has the additional group %s", additional)
		}
	}
	return nil
}

// fourTimes is how the kernel tells real, effective, saved and file system IDs that are one.
func fourTimes(id int) string { return strings.Repeat(strconv.Itoa(id)+"\t", 3) + strconv.Itoa(id) }

// checkProfile wants the profile that the daemon names to be the kernel's, too, which
// changes it when the guard is executed.
func (m *localMonitor) checkProfile() error {
	if !m.confined.active {
		return nil
	}
	if err := m.confined.accepts(m.profile); err != nil {
		return err
	}
	if m.confined.profile == "" { // the daemon's own, of which nothing is promised
		return apparmor.Runs(m.pid, m.profile)
	}
	return apparmor.Confined(m.pid, m.profile)
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
