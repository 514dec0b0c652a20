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
		fault := cmp.Or(m.checkStatus(status), m.checkProfile())
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
	if strings.HasPrefix(status["Uid"], "0\t") {
		return errors.New("it runs with Uid 0, this host's root")
	}
	own, _, _ := strings.Cut(status["Gid"], "\t")
	for group := range strings.FieldsSeq(status["Groups"]) {
		if group != own { // a daemon names its own group once more
			return fmt.Errorf("it has the additional group %s", group)
		}
	}
	return nil
}

// checkProfile wants the profile that the daemon names to be the kernel's, too, which
// changes it when the guard is executed.
func (m *localMonitor) checkProfile() error {
	if !m.confined.active {
		return nil
	}
	if err := m.confined.accepts(m.profile); err != nil {
		return err
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
