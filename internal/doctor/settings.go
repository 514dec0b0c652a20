package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"hotcell/internal/container"
)

// source is where a setting is read, and how it is judged.
type source struct {
	name, path string
	judge      func(value string) (advice string)
}

var sources = []source{
	{"lsm", "sys/kernel/security/lsm", func(value string) string {
		if strings.Contains(value, "apparmor") || strings.Contains(value, "selinux") {
			return ""
		}
		return "no AppArmor or SELinux: one layer fewer behind namespaces and seccomp"
	}},
	{"kernel.core_pattern", "proc/sys/kernel/core_pattern", func(value string) string {
		if !strings.HasPrefix(value, "|") {
			return ""
		}
		return "crashes are piped to a program of the host's; sandboxes are not dumpable"
	}},
	{"fs.suid_dumpable", "proc/sys/fs/suid_dumpable", func(value string) string {
		if value != "1" {
			return ""
		}
		return "sysctl fs.suid_dumpable=0: with 1, a process that runs what it cannot read is dumpable, and on docker without a user namespace the host's uid 65532 can read a run's data while its guard starts"
	}},
	{"kernel.dmesg_restrict", "proc/sys/kernel/dmesg_restrict", wants("1", "sysctl kernel.dmesg_restrict=1; seccomp denies syslog(2) in a sandbox")},
	{"kernel.kptr_restrict", "proc/sys/kernel/kptr_restrict", wants("12", "sysctl kernel.kptr_restrict=1, so that /proc/kallsyms shows no addresses")},
	{"kernel.unprivileged_bpf_disabled", "proc/sys/kernel/unprivileged_bpf_disabled", wants("12", "sysctl kernel.unprivileged_bpf_disabled=1; seccomp denies bpf(2) in a sandbox")},
	{"smt", "sys/devices/system/cpu/smt/active", wants("0", "threads of one core share caches with other tenants: turn SMT off where side channels matter (nosmt)")},
}

func wants(values, advice string) func(string) string {
	return func(value string) string {
		if strings.Contains(values, value) {
			return ""
		}
		return advice
	}
}

// Settings reads the host's configuration below root, which is os.DirFS("/") but
// for tests. What a kernel does not have is shown as "absent".
func Settings(root fs.FS) ([]Setting, error) {
	settings := []Setting{cgroups(root)}
	for _, source := range sources {
		value, err := read(root, source.path)
		if err != nil {
			return nil, fmt.Errorf("read setting %s: %w", source.name, err)
		}
		settings = append(settings, Setting{Name: source.name, Value: value, Advice: source.judge(value)})
	}
	swap, err := swaps(root)
	if err != nil {
		return nil, err
	}
	flaws, err := processorFlaws(root)
	if err != nil {
		return nil, err
	}
	user, err := sandboxUser(root)
	if err != nil {
		return nil, err
	}
	return append(settings, swap, flaws, user), nil
}

const absent = "absent"

func read(root fs.FS, path string) (string, error) {
	content, err := fs.ReadFile(root, path)
	if errors.Is(err, fs.ErrNotExist) {
		return absent, nil
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(content)), nil
}

// cgroups tells the hierarchies apart by what is mounted where.
func cgroups(root fs.FS) Setting {
	has := func(path string) bool {
		_, err := fs.Stat(root, path)
		return err == nil
	}
	switch {
	case has("sys/fs/cgroup/cgroup.controllers"):
		return Setting{Name: "cgroup", Value: "v2"}
	case has("sys/fs/cgroup/memory") && has("sys/fs/cgroup/unified"):
		return Setting{Name: "cgroup", Value: "hybrid", Advice: "v1 controllers: supported, but runtimes are dropping v1; move to v2 when you can"}
	case has("sys/fs/cgroup/memory"):
		return Setting{Name: "cgroup", Value: "v1", Advice: "supported, but runtimes are dropping v1; move to v2 when you can"}
	default:
		return Setting{Name: "cgroup", Value: absent, Advice: "mount the cgroup file system: no limit can be set without it"}
	}
}

// sandboxUser looks for an account with the uid of the guard. Without a user
// namespace a sandbox's processes are that account's. It cannot look into them: the
// image's Python is not for it to read, so that they are never dumpable.
func sandboxUser(root fs.FS) (Setting, error) {
	name := fmt.Sprintf("uid %d", container.UserID)
	text, err := read(root, "etc/passwd")
	if err != nil {
		return Setting{}, fmt.Errorf("read setting %s: %w", name, err)
	}
	for line := range strings.Lines(text) {
		if fields := strings.Split(line, ":"); len(fields) > 2 && fields[2] == strconv.Itoa(container.UserID) {
			return Setting{Name: name, Value: "an account", Advice: "it can end runs of the docker engine without a user namespace: give the account another uid, or set \"userns-remap\""}, nil
		}
	}
	return Setting{Name: name, Value: "no account"}, nil
}

func swaps(root fs.FS) (Setting, error) {
	text, err := read(root, "proc/swaps")
	if err != nil {
		return Setting{}, fmt.Errorf("read setting swap: %w", err)
	}
	areas := max(strings.Count(text, "\n"), 0)
	if text == absent || areas == 0 {
		return Setting{Name: "swap", Value: "off"}, nil
	}
	return Setting{Name: "swap", Value: fmt.Sprintf("%d areas", areas), Advice: "a run's memory is never swapped where memory.swap.max is active; encrypt swap anyway"}, nil
}

// processorFlaws counts what the kernel itself calls vulnerable.
func processorFlaws(root fs.FS) (Setting, error) {
	const dir = "sys/devices/system/cpu/vulnerabilities"
	entries, err := fs.ReadDir(root, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Setting{Name: "cpu_vulnerabilities", Value: absent, Advice: "this kernel does not report them: make sure that it is up to date"}, nil
	}
	if err != nil {
		return Setting{}, fmt.Errorf("read setting cpu_vulnerabilities: %w", err)
	}
	var open []string
	for _, entry := range entries {
		value, err := read(root, dir+"/"+entry.Name())
		if err != nil {
			return Setting{}, fmt.Errorf("read setting cpu_vulnerabilities: %w", err)
		}
		if strings.HasPrefix(value, "Vulnerable") {
			open = append(open, entry.Name())
		}
	}
	if len(open) == 0 {
		return Setting{Name: "cpu_vulnerabilities", Value: "none open"}, nil
	}
	slices.Sort(open)
	return Setting{
		Name: "cpu_vulnerabilities", Value: strings.Join(open, ", "),
		Advice: "update kernel and microcode: code in a sandbox could read other memory of this host by side channels",
	}, nil
}
