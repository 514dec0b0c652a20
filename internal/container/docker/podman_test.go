package docker

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/api/types/system"
	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func TestPodmanThatCannotBeVerifiedIsRefused(t *testing.T) {
	const socket = "unix:///run/podman/podman.sock"
	require.NoError(t, refusePodman("", "tcp://h:1"), "Docker")
	require.NoError(t, refusePodman("5.4.2", socket))
	require.ErrorContains(t, refusePodman("4.3.1", socket), "Podman 4.3.1")
	require.ErrorContains(t, refusePodman("4.9.3", socket), "update it to 5.0.0 or later")
	require.ErrorContains(t, refusePodman("5.4.2", "tcp://h:1"), "must share this host's files")
}

func TestPodmanNamesItsParts(t *testing.T) {
	parts := []system.ComponentVersion{
		{Name: "Podman Engine", Version: "5.4.2"},
		{Name: "Conmon", Version: "conmon version 2.1.12, commit: unknown"},
		{Name: "OCI Runtime (crun)", Version: "crun version 1.21\ncommit: 10269840\nspec: 1.0.0"},
	}
	require.Equal(t, "5.4.2", podmanVersion(parts))
	require.Equal(t, []container.Component{{Name: "podman", Version: "5.4.2"}, {Name: "conmon", Version: "2.1.12"}, {Name: "crun", Version: "1.21"}},
		components(parts))
}

func podmanUnit(t *testing.T) (*specs.Spec, podmanRequest) {
	t.Helper()
	spec := unitSpec()
	spec.Bundle = testDigest
	place := placement{name: "n", image: "id", seccomp: "/s/seccomp.json", cgroupParent: "/hotcell/x", mounts: []mount.Mount{
		{Type: mount.TypeBind, Source: "/s/output", Target: container.OutputDir},
		{Type: mount.TypeBind, Source: "/s/bundle", Target: container.BundleDir},
	}}
	ids := container.DefaultIDRange()
	config, err := podmanConfig(spec, place, &ids)
	require.NoError(t, err)
	return config, podmanContainer(config, spec, place)
}

const testDigest = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

func TestPodmanIsToldEveryControl(t *testing.T) {
	_, request := podmanUnit(t)
	require.Equal(t, []string{"/usr/bin/python3"}, request.Entrypoint)
	require.Equal(t, []string{"-I", "-m", "guard"}, request.Command)
	require.Len(t, request.Env, len(unitSpec().Environment))
	require.True(t, request.UnsetEnvAll)
	require.Equal(t, "65532:65532", request.User)
	require.Equal(t, []string{"ALL"}, request.CapDrop)
	require.True(t, request.NoNewPrivileges && request.ReadOnly)
	require.False(t, request.Privileged || request.ReadWriteTmpfs || request.EnvHost || request.HTTPProxy || request.Init || request.ManagePassword)
	require.Equal(t, "/s/seccomp.json", request.SeccompFile)
	require.Subset(t, request.Mask, append(container.MaskedPaths(), "/sys", "/dev/mqueue", "/dev/pts", "/run/.containerenv"))
	require.Equal(t, podmanLog{"none"}, request.Log)
	require.Equal(t, "none", request.NetNS.Mode)
	require.Equal(t, "none", request.IpcNS.Mode)
	require.Equal(t, "private", request.UserNS.Mode)
	require.Equal(t, []podmanMapping{{0, 0x70000000, 1 << 16}}, request.IDMappings.UIDMap)
	require.Equal(t, request.IDMappings.UIDMap, request.IDMappings.GIDMap)
	require.Equal(t, int64(64<<20), *request.Resources.Memory.Limit)
	require.Equal(t, int64(64<<20), *request.Resources.Memory.Swap)
	require.Equal(t, int64(32), *request.Resources.Pids.Limit)
	require.Equal(t, int64(150_000), *request.Resources.CPU.Quota)
	require.Equal(t, "/hotcell/x", request.CgroupParent)
	require.Contains(t, request.Rlimits, specs.POSIXRlimit{Type: "core"})
	require.Equal(t, []specs.Mount{
		{Destination: "/tmp", Type: "tmpfs", Source: "tmpfs", Options: []string{"rw", "nosuid", "nodev", "noexec", "private",
			"size=1048576,nr_inodes=1025,mode=700,uid=65532,gid=65532", "notmpcopyup"}},
		{Destination: "/output", Type: "bind", Source: "/s/output", Options: []string{"rw", "nosuid", "nodev", "noexec", "private", "bind"}},
		{Destination: "/bundle", Type: "bind", Source: "/s/bundle", Options: []string{"ro", "nosuid", "nodev", "noexec", "private", "bind"}},
	}, request.Mounts)
}

const testContainer = "211b477bb1b23ef67adedac86909f492cb903358b0603469f03d6a49d52b549e"

// madeByPodman is what Podman makes of a request, as 5.4 does.
func madeByPodman(t *testing.T, config *specs.Spec, request podmanRequest) preparedPodman {
	t.Helper()
	var made specs.Spec
	encoded, err := json.Marshal(config)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(encoded, &made))
	umask := uint32(0o022)
	made.Process.Env = append(made.Process.Env, "HOSTNAME=hotcell")
	made.Process.User.AdditionalGids, made.Process.User.Umask = []uint32{container.UserID}, &umask
	made.Linux.MaskedPaths = append(made.Linux.MaskedPaths, "/sys/fs/selinux")
	made.Linux.Sysctl = map[string]string{"net.ipv4.ping_group_range": "0 0"}
	made.Annotations = map[string]string{
		"io.container.manager": "libpod", "org.opencontainers.image.stopSignal": "15", "org.systemd.property.KillSignal": "15",
	}
	made.Mounts = slices.Concat(request.Mounts, ownMounts)
	for i := range made.Mounts {
		made.Mounts[i].Options = slices.DeleteFunc(slices.Clone(made.Mounts[i].Options), ownOption)
	}
	return preparedPodman{
		id: testContainer, image: request.Image, config: &made,
		monitor: []string{"/usr/bin/conmon", "--api-version", "1", "-c", testContainer, "--runtime-arg", "--log-format=json", ""},
	}
}

// ownMounts are as Podman 5.4 makes them.
var ownMounts = []specs.Mount{
	{Destination: "/proc", Type: "proc", Source: "proc", Options: []string{"nosuid", "noexec", "nodev"}},
	{Destination: "/sys", Type: "sysfs", Source: "sysfs", Options: []string{"nosuid", "noexec", "nodev", "ro"}},
	{Destination: "/dev", Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "strictatime", "mode=755", "size=65536k", "ro"}},
	{Destination: "/dev/pts", Type: "devpts", Source: "devpts",
		Options: []string{"nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"}},
	{Destination: "/dev/mqueue", Type: "mqueue", Source: "mqueue", Options: []string{"nosuid", "noexec", "nodev"}},
	{Destination: "/run/.containerenv", Type: "bind", Source: "/run/containers/" + testContainer + "/userdata/.containerenv",
		Options: []string{"bind", "rprivate", "ro", "nosuid", "noexec", "nodev"}},
	{Destination: "/sys/fs/cgroup", Type: "cgroup", Source: "cgroup", Options: []string{"rprivate", "nosuid", "noexec", "nodev", "relatime", "ro"}},
}

// mountOn finds one of them.
func mountOn(s *specs.Spec, destination string) *specs.Mount {
	return &s.Mounts[slices.IndexFunc(s.Mounts, func(mount specs.Mount) bool { return mount.Destination == destination })]
}

func TestWhatPodmanMadeIsCompared(t *testing.T) {
	config, request := podmanUnit(t)
	require.NoError(t, comparePodman(config, request, madeByPodman(t, config, request)))
	cases := []struct {
		name, wanted string
		weaken       func(*specs.Spec)
	}{
		{"a masked path less", "masked paths lack [/proc/vmstat]", func(s *specs.Spec) {
			s.Linux.MaskedPaths = slices.DeleteFunc(s.Linux.MaskedPaths, func(path string) bool { return path == "/proc/vmstat" })
		}},
		{"no read-only paths", "read-only paths lack", func(s *specs.Spec) { s.Linux.ReadonlyPaths = nil }},
		{"no seccomp", "seccomp is", func(s *specs.Spec) { s.Linux.Seccomp = nil }},
		{"a call more", "seccomp is", func(s *specs.Spec) {
			s.Linux.Seccomp.Syscalls = append(s.Linux.Seccomp.Syscalls, specs.LinuxSyscall{Names: []string{"bpf"}, Action: specs.ActAllow})
		}},
		{"another error number", "seccomp is", func(s *specs.Spec) { s.Linux.Seccomp.DefaultErrnoRet = new(uint(38)) }},
		{"a writable root", "read_only_root", func(s *specs.Spec) { s.Root.Readonly = false }},
		{"a file system on /run", "there is a mount on /run", func(s *specs.Spec) { s.Mounts = append(s.Mounts, specs.Mount{Destination: "/run"}) }},
		{"no /tmp", "nothing is mounted on /tmp", func(s *specs.Spec) { s.Mounts = s.Mounts[1:] }},
		{"/tmp without a cap on inodes", "options of /tmp lack", func(s *specs.Spec) { s.Mounts[0].Options[5] = "size=1048576" }},
		{"another directory's output", "on /output is", func(s *specs.Spec) { s.Mounts[1].Source = "/s/other" }},
		{"an executable bundle", "options of /bundle lack [noexec]", func(s *specs.Spec) { s.Mounts[2].Options[3] = "exec" }},
		{"a writable /dev", "options of /dev lack [ro]", func(s *specs.Spec) { mountOn(s, "/dev").Options = []string{"nosuid"} }},
		{"the host's network", "namespaces", func(s *specs.Spec) { s.Linux.Namespaces[2].Path = "/proc/1/ns/net" }},
		{"no user namespace", "namespaces", func(s *specs.Spec) { s.Linux.Namespaces = s.Linux.Namespaces[:6] }},
		{"other ids", "uid mappings", func(s *specs.Spec) { s.Linux.UIDMappings[0].HostID = 0 }},
		{"a capability", "capabilities", func(s *specs.Spec) { s.Process.Capabilities.Bounding = []string{"CAP_KILL"} }},
		{"the runtime's choice of capabilities", "capability sets are there", func(s *specs.Spec) { s.Process.Capabilities = nil }},
		{"new privileges", "no_new_privs", func(s *specs.Spec) { s.Process.NoNewPrivileges = false }},
		{"root", "uid and gid", func(s *specs.Spec) { s.Process.User.UID = 0 }},
		{"a group", "additional groups", func(s *specs.Spec) { s.Process.User.AdditionalGids = []uint32{0} }},
		{"a variable", "environment", func(s *specs.Spec) { s.Process.Env = append(s.Process.Env, "LD_PRELOAD=x") }},
		{"another program", "args", func(s *specs.Spec) { s.Process.Args = append([]string{"/init"}, s.Process.Args...) }},
		{"core dumps", "rlimits lack", func(s *specs.Spec) { s.Process.Rlimits[0].Hard = 1 }},
		{"no memory limit", "memory.max", func(s *specs.Spec) { s.Linux.Resources.Memory = nil }},
		{"swap", "memory.swap.max", func(s *specs.Spec) { s.Linux.Resources.Memory.Swap = nil }},
		{"no pids limit", "pids.max", func(s *specs.Spec) { s.Linux.Resources.Pids = nil }},
		{"no CPU limit", "cpu.max", func(s *specs.Spec) { s.Linux.Resources.CPU = nil }},
		{"a device", "devices", func(s *specs.Spec) { s.Linux.Devices = []specs.LinuxDevice{{Path: "/dev/kvm"}} }},
		{"a directory in the place of /proc", "on /proc is bind /srv", func(s *specs.Spec) {
			*mountOn(s, "/proc") = specs.Mount{Destination: "/proc", Type: "bind", Source: "/srv"}
		}},
		{"another's mark", "on /run/.containerenv is", func(s *specs.Spec) { mountOn(s, podmanMark).Source = "/etc/shadow" }},
		{"a second mount that hides the first", "there is a mount on /proc", func(s *specs.Spec) {
			s.Mounts = append(s.Mounts, specs.Mount{Destination: "/proc", Type: "proc", Source: "proc"})
		}},
		{"another spelling of a place", "there is a mount on /proc/", func(s *specs.Spec) {
			s.Mounts = append(s.Mounts, specs.Mount{Destination: "/proc/", Type: "proc", Source: "proc"})
		}},
		{"a writable /sys", "options of /sys lack [ro]", func(s *specs.Spec) { mountOn(s, "/sys").Options = []string{"nosuid", "noexec", "nodev", "rw"} }},
		{"mounts that come from the host later", "options of /output also have [rshared]", func(s *specs.Spec) { s.Mounts[1].Options = append(s.Mounts[1].Options, "rshared") }},
		{"devices on /dev/pts", "options of /dev/pts also have [dev]", func(s *specs.Spec) { mountOn(s, "/dev/pts").Options = append(mountOn(s, "/dev/pts").Options, "dev") }},
		{"a mount with other ids", "the ids of /bundle are mapped", func(s *specs.Spec) { s.Mounts[2].UIDMappings = []specs.LinuxIDMapping{{}} }},
		{"a sysctl", "sysctls is map[net.ipv4.ip_forward:1]", func(s *specs.Spec) { s.Linux.Sysctl["net.ipv4.ip_forward"] = "1" }},
		{"a filter by annotation", "annotations", func(s *specs.Spec) { s.Annotations["run.oci.seccomp_bpf_data"] = "x" }},
		{"a device rule", "device rules", func(s *specs.Spec) { s.Linux.Resources.Devices[0].Allow = true }},
		{"another limit", "there are rlimits", func(s *specs.Spec) {
			s.Process.Rlimits = append(s.Process.Rlimits, specs.POSIXRlimit{Type: "RLIMIT_CORE", Hard: 1})
		}},
		{"a limit that was not asked for", "there are rlimits", func(s *specs.Spec) {
			s.Process.Rlimits = append(s.Process.Rlimits, specs.POSIXRlimit{Type: "RLIMIT_X", Hard: 1})
		}},
		{"a umask", "umask", func(s *specs.Spec) { s.Process.User.Umask = nil }},
		{"shared mounts", `also has: {"rootfsPropagation":"shared"}`, func(s *specs.Spec) { s.Linux.RootfsPropagation = "shared" }},
		{"a personality", "also has", func(s *specs.Spec) { s.Linux.Personality = &specs.LinuxPersonality{Domain: specs.PerLinux32} }},
		{"more for the control group", `also has: {"unified":{"memory.max":"max"}}`, func(s *specs.Spec) { s.Linux.Resources.Unified = map[string]string{"memory.max": "max"} }},
		{"no OOM killer", "also has", func(s *specs.Spec) { yes := true; s.Linux.Resources.Memory.DisableOOMKiller = &yes }},
		{"real time", "also has", func(s *specs.Spec) { runtime := int64(1); s.Linux.Resources.CPU.RealtimeRuntime = &runtime }},
		{"a scheduler", "also has", func(s *specs.Spec) { s.Process.Scheduler = &specs.Scheduler{Policy: specs.SchedFIFO} }},
		{"a domain name", "also has", func(s *specs.Spec) { s.Domainname = "x" }},
		{"a hook", "hooks", func(s *specs.Spec) { s.Hooks = &specs.Hooks{} }},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			made := madeByPodman(t, config, request)
			test.weaken(made.config)
			err := comparePodman(config, request, made)
			require.ErrorIs(t, err, errIsolation)
			require.ErrorContains(t, err, test.wanted)
		})
	}
	require.ErrorIs(t, comparePodman(config, request, preparedPodman{config: &specs.Spec{}}), errIsolation)

	made := madeByPodman(t, config, request)
	made.image = "another"
	require.ErrorContains(t, comparePodman(config, request, made), "image is another instead of id")
	for _, word := range []string{"--no-pivot", "--no-new-keyring", "--runtime-arg=--no-pivot"} {
		made := madeByPodman(t, config, request)
		made.monitor = append(made.monitor, word)
		require.ErrorContains(t, comparePodman(config, request, made), "called with "+word)
	}
	made = madeByPodman(t, config, request)
	made.monitor = []string{"/bin/sleep"}
	require.ErrorContains(t, comparePodman(config, request, made), "is another's")
}

// Without root Podman gives a limit of processes where none was asked for.
func TestPodmansOwnLimitOfProcessesIsAccepted(t *testing.T) {
	core, processes := specs.POSIXRlimit{Type: "RLIMIT_CORE"}, specs.POSIXRlimit{Type: "RLIMIT_NPROC", Hard: 7, Soft: 7}
	require.NoError(t, comparePodmanRlimits([]specs.POSIXRlimit{core}, []specs.POSIXRlimit{core, processes}))
	require.Error(t, comparePodmanRlimits([]specs.POSIXRlimit{{Type: "RLIMIT_NPROC"}}, []specs.POSIXRlimit{{Type: "RLIMIT_NPROC"}, processes}))
}

func TestWhereSELinuxIsOnASandboxHasALabel(t *testing.T) {
	on := daemon{info: system.Info{SecurityOptions: []string{"name=seccomp", "name=selinux"}}}
	require.NoError(t, on.acceptsLabel("system_u:system_r:container_t:s0:c1,c2"))
	require.NoError(t, daemon{}.acceptsLabel(""))
	for _, label := range []string{"", "system_u:system_r:spc_t:s0", "unconfined_u:unconfined_r:unconfined_t:s0", "x"} {
		require.ErrorContains(t, on.acceptsLabel(label), "label=false", label)
	}
}

func TestAMemberThatIsNotKnownIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"ociVersion": "9", "linux": {"moreDevices": []}}`), 0o600))
	_, err := readRuntimeConfig(path)
	require.ErrorContains(t, err, "moreDevices")
}

func TestPodmanVolumeIsComparedByItsName(t *testing.T) {
	asked := podmanRequest{Volumes: []podmanVolume{{Name: "v", Dest: "/output", Options: []string{"nosuid", "nocopy"}}}}
	made := preparedPodman{id: testContainer, config: &specs.Spec{Mounts: []specs.Mount{
		{Destination: "/output", Type: "bind", Source: "/x/volumes/v/_data", Options: []string{"nosuid", "nocopy", "rbind"}},
	}}}
	require.NoError(t, comparePodmanMounts(asked, made))
	for _, other := range []string{"/x/volumes/w/_data", "/x/volumes/v/_data/..", "/v/_data/x"} {
		made.config.Mounts[0].Source = other
		require.ErrorContains(t, comparePodmanMounts(asked, made), "on /output is")
	}
}

func TestPodmanTmpfsOptionsAreOneOption(t *testing.T) {
	got := podmanTmpfsOptions([]string{"rw", "size=1", "nosuid", "nr_inodes=2"})
	require.Equal(t, []string{"rw", "nosuid", "size=1,nr_inodes=2"}, got)
}
