package docker

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/container"
	"hotcell/internal/digest"
)

// comparePodman reports every difference between what was asked for and what the OCI
// runtime was told to make. More than was asked for is a difference too, but where it
// only takes away: masked and read-only paths. What is compared by no name must not be
// there at all (unnamed): containers.conf, hooks and the image's annotations can add what
// the request has no word for.
func comparePodman(want *specs.Spec, asked podmanRequest, prepared preparedPodman) error {
	found := prepared.config
	if found.Process == nil || found.Root == nil || found.Linux == nil || found.Linux.Resources == nil {
		return fmt.Errorf("%w: its configuration lacks whole parts", errIsolation)
	}
	faults := []error{
		missingFrom("masked paths", want.Linux.MaskedPaths, found.Linux.MaskedPaths),
		missingFrom("read-only paths", want.Linux.ReadonlyPaths, found.Linux.ReadonlyPaths),
		comparePodmanRlimits(want.Process.Rlimits, found.Process.Rlimits),
		comparePodmanMounts(asked, prepared),
		compareMonitor(prepared),
		unnamed(*found),
	}
	fields := slices.Concat([]field{{"image", string(digest.Digest(asked.Image).Hex()), prepared.image}},
		podmanProcess(want, found), podmanIsolation(want, found), podmanResources(want, found))
	for _, field := range fields {
		if !field.equal() {
			faults = append(faults, fmt.Errorf("%s is %v instead of %v", field.name, field.found, field.want))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("%w: %w", errIsolation, err)
	}
	return nil
}

// unnamed reports what is left of a configuration without all that is compared, or that
// says where things lie on the host.
func unnamed(found specs.Spec) error {
	process, linux, resources := *found.Process, *found.Linux, *found.Linux.Resources
	process.User = specs.User{Username: process.User.Username}
	process.Args, process.Cwd, process.Env, process.Terminal = nil, "", nil, false
	process.Capabilities, process.NoNewPrivileges, process.Rlimits, process.OOMScoreAdj = nil, false, nil, nil
	process.ApparmorProfile, process.SelinuxLabel = "", ""
	resources.Devices, resources.Pids = nil, nil
	resources.Memory = without(resources.Memory, func(memory *specs.LinuxMemory) { memory.Limit, memory.Swap = nil, nil })
	resources.CPU = without(resources.CPU, func(cpu *specs.LinuxCPU) { cpu.Quota, cpu.Period = nil, nil })
	linux.Resources = nil
	linux.Namespaces, linux.UIDMappings, linux.GIDMappings = nil, nil, nil
	linux.Seccomp, linux.MaskedPaths, linux.ReadonlyPaths = nil, nil, nil
	linux.Devices, linux.Sysctl, linux.CgroupsPath, linux.MountLabel = nil, nil, "", ""
	found.Process, found.Linux = nil, nil
	found.Version, found.Hostname, found.Root, found.Mounts, found.Hooks, found.Annotations = "", "", nil, nil, nil, nil
	var faults []error
	for _, part := range []struct{ left, nothing any }{
		{found, specs.Spec{}}, {process, specs.Process{}}, {linux, specs.Linux{}}, {resources, specs.LinuxResources{}},
	} {
		if !reflect.DeepEqual(part.left, part.nothing) {
			encoded, err := json.Marshal(part.left)
			faults = append(faults, fmt.Errorf("its configuration also has: %s", encoded), err)
		}
	}
	return errors.Join(faults...)
}

// without returns nil when nothing is left.
func without[T comparable](part *T, remove func(*T)) *T {
	if part == nil {
		return nil
	}
	var nothing T
	left := *part
	if remove(&left); left == nothing {
		return nil
	}
	return &left
}

// compareMonitor looks at how conmon was called, for two settings of containers.conf are
// told to the runtime by its arguments: a root that is moved and not pivoted to, which
// leaves the host's mounts within reach of a chroot's ways out, and the session keyring
// of whoever has started Podman.
func compareMonitor(prepared preparedPodman) error {
	if !slices.Contains(prepared.monitor, prepared.id) {
		return errors.New("the process that Podman calls its monitor is another's")
	}
	for _, word := range prepared.monitor {
		if strings.HasSuffix(word, "--no-pivot") || strings.HasSuffix(word, "--no-new-keyring") {
			return fmt.Errorf("its runtime is called with %s: take no_pivot_root and keyring out of the host's containers.conf", word)
		}
	}
	return nil
}

// comparePodmanRlimits takes what Podman adds where no limit was asked for, of processes,
// which without root is no more than its user has.
func comparePodmanRlimits(want, found []specs.POSIXRlimit) error {
	added := slices.DeleteFunc(slices.Clone(found), func(limit specs.POSIXRlimit) bool {
		asked := slices.ContainsFunc(want, func(one specs.POSIXRlimit) bool { return one.Type == limit.Type })
		return slices.Contains(want, limit) || !asked && limit.Type == "RLIMIT_NPROC"
	})
	missing := missingFrom("rlimits", want, found)
	if len(added) > 0 {
		return errors.Join(missing, fmt.Errorf("there are rlimits %v", added))
	}
	return missing
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
	umask := "none"
	if process.User.Umask != nil {
		umask = fmt.Sprintf("%04o", *process.User.Umask)
	}
	adj := -1
	if process.OOMScoreAdj != nil {
		adj = *process.OOMScoreAdj
	}
	fields := []field{
		{"args", want.Process.Args, process.Args},
		{"working directory", want.Process.Cwd, process.Cwd},
		{"terminal", false, process.Terminal},
		{"uid and gid", [2]uint32{want.Process.User.UID, want.Process.User.GID}, [2]uint32{process.User.UID, process.User.GID}},
		{"umask", podmanUmask, umask},
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
	if profile := want.Process.ApparmorProfile; profile != "" { // else it is looked at after the start
		fields = append(fields, field{container.ControlAppArmor, profile, process.ApparmorProfile})
	}
	return fields
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
		{"sysctls", map[string]string{}, beyond(podmanSysctls, found.Linux.Sysctl)},
		{"annotations", map[string]string{}, beyond(podmanAnnotations, found.Annotations)},
		{"hooks", true, found.Hooks == nil},
	}
}

// beyond returns what is found and not known, or has another value.
func beyond(known, found map[string]string) map[string]string {
	rest := map[string]string{}
	for key, value := range found {
		if is, there := known[key]; !there || is != value {
			rest[key] = value
		}
	}
	return rest
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
	if container.IsDefaultErrno(plain.DefaultErrnoRet) {
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
	if want.Linux.UIDMappings == nil && found.Linux.Resources.Devices == nil {
		got[0] = wanted[0] // without root nobody has device nodes, and no rules are needed
	}
	names := []string{"device rules", container.ControlMemory, container.ControlSwapOff, container.ControlPIDs, container.ControlCPU}
	fields := make([]field, len(names))
	for i, name := range names {
		fields[i] = field{name, wanted[i], got[i]}
	}
	return fields
}

// plainResources are the limits in words, "none" where there is none.
func plainResources(limits *specs.LinuxResources) [5]string {
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
		period = strconv.FormatUint(*cpu.Period, 10)
	}
	return [5]string{plainDevices(limits.Devices), plainLimit(memory.Limit), plainLimit(memory.Swap), plainLimit(pids.Limit), plainLimit(cpu.Quota) + " of " + period}
}

func plainLimit(limit *int64) string {
	if limit == nil {
		return "none"
	}
	return strconv.FormatInt(*limit, 10)
}

func plainDevices(rules []specs.LinuxDeviceCgroup) string {
	encoded, _ := json.Marshal(rules) // numbers and words
	return string(encoded)
}

// podmanSysctls is what Podman sets unless containers.conf says otherwise, in the network
// namespace that has no interface. podmanAnnotations are all that it makes. A runtime
// obeys some: crun's run.oci.seccomp_bpf_data is a filter in place of ours.
var (
	podmanSysctls     = map[string]string{"net.ipv4.ping_group_range": "0 0"}
	podmanAnnotations = map[string]string{
		"io.container.manager":                "libpod",
		"org.opencontainers.image.stopSignal": "15",
		"org.systemd.property.KillSignal":     "15",
	}
)

// podmanOwnMounts are those that Podman makes by itself and that are masked or, as
// /proc and /dev, are there in every sandbox.
func podmanOwnMounts(id string) []specs.Mount {
	return []specs.Mount{
		{Destination: "/proc", Type: "proc", Source: "proc", Options: []string{"nosuid", "noexec", "nodev"}},
		{Destination: "/dev", Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "ro"}},
		{Destination: "/dev/pts", Type: "devpts", Source: "devpts", Options: []string{"nosuid", "noexec", "newinstance"}},
		{Destination: "/dev/mqueue", Type: "mqueue", Source: "mqueue", Options: []string{"nosuid", "noexec", "nodev"}},
		{Destination: "/sys", Type: "sysfs", Source: "sysfs", Options: []string{"nosuid", "noexec", "nodev", "ro"}},
		{Destination: "/sys/fs/cgroup", Type: "cgroup", Source: "cgroup", Options: []string{"nosuid", "noexec", "nodev", "ro"}},
		{Destination: podmanMark, Type: "bind", Source: anywhere + id + "/userdata/.containerenv", Options: []string{"ro"}},
	}
}

// harmlessOptions are those that a mount may have besides: they neither let more in or
// out nor say more than the kernel does.
var harmlessOptions = []string{
	"bind", "rbind", "private", "rprivate", "nosuid", "noexec", "nodev", "relatime", "strictatime",
	"newinstance", "ptmxmode=0666", "mode=0620", "mode=755", "gid=5", "size=65536k",
}

// ownOption tells what is Podman's own and means nothing to the runtime.
func ownOption(option string) bool { return option == "notmpcopyup" || option == "nocopy" }

func comparePodmanMounts(asked podmanRequest, prepared preparedPodman) error {
	wanted := slices.Clone(asked.Mounts)
	for _, volume := range asked.Volumes {
		wanted = append(wanted, specs.Mount{Destination: volume.Dest, Type: "bind", Source: anywhere + volume.Name + "/_data", Options: volume.Options})
	}
	var faults []error
	for _, want := range wanted {
		if !slices.ContainsFunc(prepared.config.Mounts, func(found specs.Mount) bool { return found.Destination == want.Destination }) {
			faults = append(faults, fmt.Errorf("nothing is mounted on %s", want.Destination))
		}
	}
	// Each of them is taken once: a second mount would hide the first.
	wanted = append(wanted, podmanOwnMounts(prepared.id)...)
	for _, found := range prepared.config.Mounts {
		at := slices.IndexFunc(wanted, func(want specs.Mount) bool { return want.Destination == found.Destination })
		if at < 0 {
			faults = append(faults, fmt.Errorf("there is a mount on %s", found.Destination))
			continue
		}
		faults = append(faults, comparePodmanMount(wanted[at], found))
		wanted = slices.Delete(wanted, at, at+1)
	}
	return errors.Join(faults...)
}

// anywhere begins a source of which Podman decides the directory.
const anywhere = "…/"

func comparePodmanMount(want, found specs.Mount) error {
	same := found.Source == want.Source
	if end, inItsStore := strings.CutPrefix(want.Source, anywhere); inItsStore {
		same = strings.HasSuffix(found.Source, "/"+end)
	}
	if found.Type != want.Type || !same {
		return fmt.Errorf("on %s is %s %s instead of %s %s", want.Destination, found.Type, found.Source, want.Type, want.Source)
	}
	options := slices.DeleteFunc(slices.Clone(want.Options), ownOption)
	added := slices.DeleteFunc(slices.Clone(found.Options), func(option string) bool {
		return slices.Contains(options, option) || slices.Contains(harmlessOptions, option) || ownOption(option)
	})
	faults := []error{missingFrom("options of "+want.Destination, options, found.Options)}
	if len(added) > 0 {
		faults = append(faults, fmt.Errorf("options of %s also have %v", want.Destination, added))
	}
	if len(found.UIDMappings)+len(found.GIDMappings) > 0 {
		faults = append(faults, fmt.Errorf("the ids of %s are mapped", want.Destination))
	}
	return errors.Join(faults...)
}
