package docker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"hotcell/internal/container"
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
	for _, check := range []func(proc) error{m.checkNamespaces, m.checkNumbers, m.checkMounts, m.checkGroup} {
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
	if strings.HasPrefix(status["Uid"], "0\t") {
		return errors.New("it runs with Uid 0, this host's root")
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

// checkNumbers looks whose the ids in the container's user namespace are outside, and
// that the process is the guard's user there: a namespace alone keeps nobody from
// being this host's root, and its own root could change what the guard's user cannot.
func (m *localMonitor) checkNumbers(process proc) error {
	if !m.userNamespace {
		return nil
	}
	status, err := process.status()
	if err != nil {
		return fmt.Errorf("read status of container: %w", err)
	}
	var faults []error
	for name, field := range map[string]string{"uid_map": "Uid", "gid_map": "Gid"} {
		content, err := os.ReadFile(filepath.Join(process.dir, name))
		if err != nil {
			return fmt.Errorf("read user namespace: %w", err)
		}
		outside, err := guardOutside(string(content))
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
			continue
		}
		want := strings.TrimSuffix(strings.Repeat(strconv.FormatInt(outside, 10)+"\t", 4), "\t")
		if status[field] != want {
			faults = append(faults, fmt.Errorf("%s is %q instead of %q, which is %d in its user namespace", field, status[field], want, container.UserID))
		}
	}
	return errors.Join(faults...)
}

// guardOutside reads a mapping as user_namespaces(7) describes it (first id inside,
// first id outside, how many) and returns what the guard's id is outside. No id inside
// may be this host's root, and the guard's must be another number outside.
func guardOutside(content string) (int64, error) {
	var found int64
	for _, line := range strings.Split(strings.TrimSpace(content), "\n") {
		var inside, outside, count int64
		if n, err := fmt.Sscan(line, &inside, &outside, &count); err != nil || n != 3 {
			return 0, fmt.Errorf("line %q is no mapping", line)
		}
		if outside == 0 {
			return 0, fmt.Errorf("id %d in it is this host's root", inside)
		}
		if offset := container.UserID - inside; offset >= 0 && offset < count {
			found = outside + offset
		}
	}
	switch found {
	case 0:
		return 0, fmt.Errorf("it has no id %d", container.UserID)
	case container.UserID:
		return 0, fmt.Errorf("id %d in it is this host's", container.UserID)
	}
	return found, nil
}
