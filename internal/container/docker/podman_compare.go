package docker

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/container"
)

// comparePodman reports every difference between what was asked for and what the OCI
// runtime was told to make. More than was asked for is a difference too, but where it
// only takes away: masked and read-only paths, and rlimits.
func comparePodman(want *specs.Spec, asked podmanRequest, found *specs.Spec) error {
	if found.Process == nil || found.Root == nil || found.Linux == nil || found.Linux.Resources == nil {
		return fmt.Errorf("%w: its configuration lacks whole parts", errIsolation)
	}
	faults := []error{
		missingFrom("masked paths", want.Linux.MaskedPaths, found.Linux.MaskedPaths),
		missingFrom("read-only paths", want.Linux.ReadonlyPaths, found.Linux.ReadonlyPaths),
		missingFrom("rlimits", want.Process.Rlimits, found.Process.Rlimits),
		comparePodmanMounts(asked, found.Mounts),
	}
	for _, field := range slices.Concat(podmanProcess(want, found), podmanIsolation(want, found), podmanResources(want, found)) {
		if !field.equal() {
			faults = append(faults, fmt.Errorf("%s is %v instead of %v", field.name, field.found, field.want))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("%w: %w", errIsolation, err)
	}
	return nil
}

func missingFrom[T comparable](name string, want, found []T) error {
	missing := slices.DeleteFunc(slices.Clone(want), func(one T) bool { return slices.Contains(found, one) })
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s lack %v", name, missing)
}

func podmanProcess(want, found *specs.Spec) []field {
	process := found.Process
	capabilities := specs.LinuxCapabilities{}
	if process.Capabilities != nil {
		capabilities = *process.Capabilities
	}
	held := slices.Concat(capabilities.Bounding, capabilities.Effective, capabilities.Inheritable, capabilities.Permitted, capabilities.Ambient)
	adj := -1
	if process.OOMScoreAdj != nil {
		adj = *process.OOMScoreAdj
	}
	return []field{
		{"args", want.Process.Args, process.Args},
		{"working directory", want.Process.Cwd, process.Cwd},
		{"terminal", false, process.Terminal},
		{"uid and gid", [2]uint32{want.Process.User.UID, want.Process.User.GID}, [2]uint32{process.User.UID, process.User.GID}},
		// Its own group once more: Podman always says it.
		{"additional groups", []uint32{want.Process.User.GID}, slices.Compact(process.User.AdditionalGids)},
		{"capability sets are there", true, process.Capabilities != nil}, // none is the runtime's own choice
		{"capabilities", []string(nil), held},
		{container.ControlNoNewPrivs, true, process.NoNewPrivileges},
		{"oom_score_adj", *want.Process.OOMScoreAdj, adj},
		// HOSTNAME cannot be kept out.
		{"environment", sorted(append(want.Process.Env, "HOSTNAME="+want.Hostname)), sorted(process.Env)},
		{"host name", want.Hostname, found.Hostname},
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func podmanIsolation(want, found *specs.Spec) []field {
	return []field{
		{container.ControlReadOnlyRoot, true, found.Root.Readonly},
		{container.ControlNamespaces, namespaceNames(want.Linux.Namespaces), namespaceNames(found.Linux.Namespaces)},
		{"uid mappings", want.Linux.UIDMappings, found.Linux.UIDMappings},
		{"gid mappings", want.Linux.GIDMappings, found.Linux.GIDMappings},
		{container.ControlSeccomp, plainSeccomp(want.Linux.Seccomp), plainSeccomp(found.Linux.Seccomp)},
		{"devices", 0, len(found.Linux.Devices)},
		{"hooks", true, found.Hooks == nil}, //nolint:staticcheck // deprecated ones too
	}
}

// namespaceNames marks one that is shared.
func namespaceNames(namespaces []specs.LinuxNamespace) []string {
	names := make([]string, len(namespaces))
	for i, namespace := range namespaces {
		names[i] = string(namespace.Type)
		if namespace.Path != "" {
			names[i] += " of " + namespace.Path
		}
	}
	return sorted(names)
}

// plainSeccomp says what is the same in the same way.
func plainSeccomp(profile *specs.LinuxSeccomp) specs.LinuxSeccomp {
	if profile == nil {
		return specs.LinuxSeccomp{}
	}
	plain := *profile
	if isDefaultErrno(plain.DefaultErrnoRet) {
		plain.DefaultErrnoRet = nil
	}
	plain.Syscalls = slices.Clone(plain.Syscalls)
	for i := range plain.Syscalls {
		if len(plain.Syscalls[i].Args) == 0 {
			plain.Syscalls[i].Args = nil
		}
	}
	return plain
}

func podmanResources(want, found *specs.Spec) []field {
	wanted, got := plainResources(want.Linux.Resources), plainResources(found.Linux.Resources)
	names := []string{container.ControlMemory, container.ControlSwapOff, container.ControlPIDs, container.ControlCPU}
	fields := make([]field, len(names))
	for i, name := range names {
		fields[i] = field{name, wanted[i], got[i]}
	}
	return fields
}

// plainResources are the limits in words, "none" where there is none.
func plainResources(limits *specs.LinuxResources) [4]string {
	memory, pids, cpu := limits.Memory, limits.Pids, limits.CPU
	if memory == nil {
		memory = &specs.LinuxMemory{}
	}
	if pids == nil {
		pids = &specs.LinuxPids{}
	}
	if cpu == nil {
		cpu = &specs.LinuxCPU{}
	}
	period := "none"
	if cpu.Period != nil {
		period = fmt.Sprint(*cpu.Period)
	}
	return [4]string{plainLimit(memory.Limit), plainLimit(memory.Swap), plainLimit(pids.Limit), plainLimit(cpu.Quota) + " of " + period}
}

func plainLimit(limit *int64) string {
	if limit == nil {
		return "none"
	}
	return fmt.Sprint(*limit)
}

// podmanOwnMounts are those that Podman makes by itself and that are masked or, as
// /proc and /dev, are there in every sandbox.
var podmanOwnMounts = []string{"/proc", "/dev", "/dev/pts", "/dev/mqueue", "/sys", "/sys/fs/cgroup", podmanMark}

func comparePodmanMounts(asked podmanRequest, found []specs.Mount) error {
	wanted := slices.Clone(asked.Mounts)
	for _, volume := range asked.Volumes {
		wanted = append(wanted, specs.Mount{Destination: volume.Dest, Type: "bind", Source: "/" + volume.Name + "/", Options: volume.Options})
	}
	wanted = append(wanted, specs.Mount{Destination: "/dev", Type: "tmpfs", Source: "tmpfs", Options: []string{"ro", "nosuid"}})
	var faults []error
	for _, want := range wanted {
		faults = append(faults, comparePodmanMount(want, found))
	}
	for _, mount := range found {
		known := slices.ContainsFunc(wanted, func(want specs.Mount) bool { return want.Destination == mount.Destination })
		if !known && !slices.Contains(podmanOwnMounts, mount.Destination) {
			faults = append(faults, fmt.Errorf("there is a mount on %s", mount.Destination))
		}
	}
	return errors.Join(faults...)
}

// notPassedOn are options that are Podman's own and not the runtime's.
var notPassedOn = []string{"notmpcopyup", "nocopy"}

func comparePodmanMount(want specs.Mount, found []specs.Mount) error {
	at := slices.IndexFunc(found, func(mount specs.Mount) bool { return mount.Destination == want.Destination })
	if at < 0 {
		return fmt.Errorf("nothing is mounted on %s", want.Destination)
	}
	got := found[at]
	same := got.Source == want.Source
	if volume := strings.HasSuffix(want.Source, "/"); volume { // it lies in a directory of its name
		same = strings.Contains(got.Source, want.Source)
	}
	if got.Type != want.Type || !same {
		return fmt.Errorf("on %s is %s %s instead of %s %s", want.Destination, got.Type, got.Source, want.Type, want.Source)
	}
	options := slices.DeleteFunc(slices.Clone(want.Options), func(option string) bool { return slices.Contains(notPassedOn, option) })
	return missingFrom("options of "+want.Destination, options, got.Options)
}
