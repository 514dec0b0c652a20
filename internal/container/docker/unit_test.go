package docker

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	containerapi "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/api/types/system"
	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

func TestSeccompOptionCarriesEveryRule(t *testing.T) {
	profile := &specs.LinuxSeccomp{
		DefaultAction:   specs.ActErrno,
		DefaultErrnoRet: new(uint(1)),
		Architectures:   []specs.Arch{specs.ArchX86_64},
		Syscalls: []specs.LinuxSyscall{
			{Names: []string{"read", "write"}, Action: specs.ActAllow},
			{Names: []string{"clone3"}, Action: specs.ActErrno, ErrnoRet: new(uint(38))},
			{Names: []string{"clone"}, Action: specs.ActAllow, Args: []specs.LinuxSeccompArg{
				{Index: 0, Value: 0x7e020000, ValueTwo: 0, Op: specs.OpMaskedEqual},
			}},
		},
	}
	option, err := seccompOption(profile, "1.41")
	require.NoError(t, err)
	encoded, found := strings.CutPrefix(option, "seccomp=")
	require.True(t, found)
	require.JSONEq(t, `{
		"defaultAction": "SCMP_ACT_ERRNO",
		"architectures": ["SCMP_ARCH_X86_64"],
		"syscalls": [
			{"names": ["read", "write"], "action": "SCMP_ACT_ALLOW", "args": []},
			{"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38, "args": []},
			{"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [
				{"index": 0, "value": 2114060288, "op": "SCMP_CMP_MASKED_EQ"}]}
		]}`, encoded)
}

func TestSeccompOptionRefusesWhatDockerDrops(t *testing.T) {
	whole := func(change func(*specs.LinuxSeccomp)) *specs.LinuxSeccomp {
		profile := &specs.LinuxSeccomp{
			DefaultAction: specs.ActErrno,
			Syscalls:      []specs.LinuxSyscall{{Names: []string{"read"}, Action: specs.ActAllow}},
		}
		change(profile)
		return profile
	}
	cases := []struct {
		name, api, wanted string
		profile           *specs.LinuxSeccomp
	}{
		{"no profile", "1.50", "empty", nil},
		{"no rules, which Docker takes for unconfined", "1.50", "empty", whole(func(p *specs.LinuxSeccomp) { p.Syscalls = nil })},
		{"no default action", "1.50", "empty", whole(func(p *specs.LinuxSeccomp) { p.DefaultAction = "" })},
		{"a listener", "1.50", "listenerPath", whole(func(p *specs.LinuxSeccomp) { p.ListenerPath = "/x" })},
		{"another errno on 20.10", "1.41", "defaultErrnoRet 38", whole(func(p *specs.LinuxSeccomp) { p.DefaultErrnoRet = new(uint(38)) })},
		{"flags on 20.10", "1.41", "flags", whole(func(p *specs.LinuxSeccomp) { p.Flags = []specs.LinuxSeccompFlag{specs.LinuxSeccompFlagLog} })},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			_, err := seccompOption(test.profile, test.api)
			require.ErrorContains(t, err, test.wanted)
		})
	}
	option, err := seccompOption(cases[4].profile, wholeProfileAPI)
	require.NoError(t, err)
	require.Contains(t, option, `"defaultErrnoRet":38`)
}

func testEnvironment() []string { return []string{"PATH=/usr/bin", "LANG=C.UTF-8", "TZ=UTC", "HOME=/"} }

func unitSpec() container.Spec {
	return container.Spec{
		Image:   digest.Of([]byte("image")),
		Command: []string{"/usr/bin/python3", "-I", "-m", "guard"}, Environment: testEnvironment(),
		Seccomp: &specs.LinuxSeccomp{DefaultAction: specs.ActErrno, Syscalls: []specs.LinuxSyscall{{Names: []string{"read"}, Action: specs.ActAllow}}},
		Limits: job.Limits{
			MemoryBytes: 64 << 20, PIDs: 32, CPUMillis: 1500, WallClock: time.Minute, CPUTime: 2500 * time.Millisecond,
			OpenFiles: 64, ScratchBytes: 1 << 20, OutputBytes: 2 << 20, OutputFiles: 16,
			StdoutBytes: 1, StderrBytes: 1, CodeBytes: 1,
		},
	}
}

func TestConfigurationSaysEveryControl(t *testing.T) {
	place := placement{labels: map[string]string{"a": "b"}, image: "id", seccomp: "seccomp={}", cgroupParent: "/hotcell/x",
		mounts: []mount.Mount{{Type: mount.TypeBind, Target: "/output"}}}
	host, err := hostConfig(unitSpec(), place)
	require.NoError(t, err)
	pids := int64(32)
	require.Equal(t, int64(64<<20), host.Memory)
	require.Equal(t, host.Memory, host.MemorySwap)
	require.Equal(t, &pids, host.PidsLimit)
	require.Equal(t, int64(150_000), host.CPUQuota)
	require.Equal(t, int64(100_000), host.CPUPeriod)
	require.Equal(t, "/hotcell/x", host.CgroupParent)
	require.Equal(t, []string{"ALL"}, host.CapDrop)
	require.Equal(t, []string{"no-new-privileges", "seccomp={}"}, host.SecurityOpt)
	require.Equal(t, containerapi.NetworkMode("none"), host.NetworkMode)
	require.Equal(t, containerapi.IpcMode("none"), host.IpcMode)
	require.Equal(t, containerapi.CgroupnsModePrivate, host.CgroupnsMode)
	require.True(t, host.ReadonlyRootfs)
	require.False(t, host.Privileged)
	require.Equal(t, "none", host.LogConfig.Type)
	require.Subset(t, host.MaskedPaths, append(container.MaskedPaths(), "/sys", "/dev/mqueue", "/dev/pts", "/etc/resolv.conf"))
	require.Equal(t, container.ReadonlyPaths(), host.ReadonlyPaths)
	for _, option := range []string{"nosuid", "nodev", "noexec", "size=1048576", "nr_inodes=1025", "mode=700", "uid=65532", "gid=65532"} {
		require.Contains(t, strings.Split(host.Tmpfs["/tmp"], ","), option)
	}
	limits := map[string]int64{}
	for _, limit := range host.Ulimits {
		require.Equal(t, limit.Soft, limit.Hard)
		limits[limit.Name] = limit.Hard
	}
	require.Equal(t, map[string]int64{"core": 0, "msgqueue": 0, "nofile": 64, "fsize": 3 << 20, "cpu": 5, "stack": 64 << 20}, limits)

	config := containerConfig(unitSpec(), place)
	require.Equal(t, "65532:65532", config.User)
	require.Equal(t, []string{"/usr/bin/python3"}, config.Entrypoint)
	require.Equal(t, []string{"-I", "-m", "guard"}, config.Cmd)
	require.Equal(t, append(unitSpec().Environment, "HOSTNAME"), config.Env)
	require.False(t, config.Tty)
	require.True(t, config.OpenStdin && config.StdinOnce)
	require.Equal(t, []string{"NONE"}, config.Healthcheck.Test)
}

func TestCompareFindsWhatTheDaemonDropped(t *testing.T) {
	cases := []struct {
		name string
		drop func(*containerapi.InspectResponse)
	}{
		{"image", func(i *containerapi.InspectResponse) { i.Image = "other" }},
		{"Env", func(i *containerapi.InspectResponse) { i.Config.Env = append(i.Config.Env, "LD_PRELOAD=x") }},
		{"memory.max", func(i *containerapi.InspectResponse) { i.HostConfig.Memory = 0 }},
		{"memory.swap.max", func(i *containerapi.InspectResponse) { i.HostConfig.MemorySwap = -1 }},
		{"pids.max", func(i *containerapi.InspectResponse) { i.HostConfig.PidsLimit = nil }},
		{"cpu.max", func(i *containerapi.InspectResponse) { i.HostConfig.CPUQuota = 0 }},
		{"SecurityOpt", func(i *containerapi.InspectResponse) { i.HostConfig.SecurityOpt = i.HostConfig.SecurityOpt[:1] }},
		{"CapDrop", func(i *containerapi.InspectResponse) { i.HostConfig.CapDrop = nil }},
		{"CapAdd", func(i *containerapi.InspectResponse) { i.HostConfig.CapAdd = []string{"CAP_SYS_ADMIN"} }},
		{"Privileged", func(i *containerapi.InspectResponse) { i.HostConfig.Privileged = true }},
		{"CgroupnsMode", func(i *containerapi.InspectResponse) { i.HostConfig.CgroupnsMode = "host" }},
		{"ReadonlyRootfs", func(i *containerapi.InspectResponse) { i.HostConfig.ReadonlyRootfs = false }},
		{"MaskedPaths", func(i *containerapi.InspectResponse) { i.HostConfig.MaskedPaths = nil }},
		{"Binds", func(i *containerapi.InspectResponse) { i.HostConfig.Binds = []string{"/:/host"} }},
		{"GroupAdd", func(i *containerapi.InspectResponse) { i.HostConfig.GroupAdd = []string{"0"} }},
		{"Sysctls", func(i *containerapi.InspectResponse) {
			i.HostConfig.Sysctls = map[string]string{"net.ipv4.ip_forward": "1"}
		}},
		{"Annotations", func(i *containerapi.InspectResponse) { i.HostConfig.Annotations = map[string]string{"run.oci.x": "1"} }},
		{"VolumesFrom", func(i *containerapi.InspectResponse) { i.HostConfig.VolumesFrom = []string{"other"} }},
		{"DeviceRequests", func(i *containerapi.InspectResponse) {
			i.HostConfig.DeviceRequests = []containerapi.DeviceRequest{{Count: -1}}
		}},
		{"DeviceCgroupRules", func(i *containerapi.InspectResponse) { i.HostConfig.DeviceCgroupRules = []string{"a *:* rwm"} }},
		{"Init", func(i *containerapi.InspectResponse) { yes := true; i.HostConfig.Init = &yes }},
		{"Volumes", func(i *containerapi.InspectResponse) { i.Config.Volumes = map[string]struct{}{"/x": {}} }},
		{"Ulimits", func(i *containerapi.InspectResponse) { i.HostConfig.Ulimits = nil }},
	}
	inspect := func() (wanted, containerapi.InspectResponse) {
		place := placement{image: "id", seccomp: "seccomp={}"}
		host, err := hostConfig(unitSpec(), place)
		require.NoError(t, err)
		var found containerapi.InspectResponse
		encoded, err := json.Marshal(map[string]any{"Image": "id", "Config": containerConfig(unitSpec(), place), "HostConfig": host})
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(encoded, &found))
		return wanted{config: containerConfig(unitSpec(), place), host: host, image: "id"}, found
	}
	want, found := inspect()
	require.NoError(t, compareContainer(want, found))
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			want, found := inspect()
			test.drop(&found)
			err := compareContainer(want, found)
			require.ErrorIs(t, err, errIsolation)
			require.ErrorContains(t, err, test.name+" is")
		})
	}
	require.ErrorIs(t, compareContainer(want, containerapi.InspectResponse{}), errIsolation)
}

func TestExitStatus(t *testing.T) {
	for code, want := range map[int64]exitStatus{
		0: {}, 1: {code: 1}, 128: {code: 128}, 137: {code: -1, signal: 9}, 159: {code: -1, signal: 31}, 200: {code: 200},
	} {
		require.Equal(t, want, exitFromDaemon(code))
	}
	for status, want := range map[int32]exitStatus{
		0: {}, 137 << 8: {code: 137}, 9: {code: -1, signal: 9}, 11 | 0x80: {code: -1, signal: 11},
	} {
		require.Equal(t, want, exitFromKernel(status))
	}
	require.Equal(t, "SIGSYS", exitStatus{signal: 31}.signalName())
	require.Equal(t, "SIG40", exitStatus{signal: 40}.signalName())
	require.Empty(t, exitStatus{code: 3}.signalName())
}

func TestControlsFollowTheDaemon(t *testing.T) {
	full := system.Info{MemoryLimit: true, SwapLimit: true, PidsLimit: true, CPUCfsQuota: true, CPUCfsPeriod: true,
		SecurityOptions: []string{"name=seccomp,profile=default", "name=userns"}}
	cases := []struct {
		name    string
		change  func(*daemon)
		lacking []string
	}{
		{"everything", func(*daemon) {}, nil},
		{"no seccomp", func(d *daemon) { d.info.SecurityOptions = []string{"name=rootless"} }, []string{container.ControlSeccomp}},
		{"no userns-remap", func(d *daemon) { d.info.SecurityOptions = d.info.SecurityOptions[:1] }, []string{container.ControlUserNamespace}},
		{"no swap accounting", func(d *daemon) { d.info.SwapLimit = false }, []string{container.ControlSwapOff}},
		{"half a CPU controller", func(d *daemon) { d.info.CPUCfsPeriod = false }, []string{container.ControlCPU}},
		{"no counter", func(d *daemon) { d.cgroups = cgroupSupport{detail: "why"} }, []string{container.ControlOOMCount}},
		{"no control groups", func(d *daemon) { d.info.CgroupDriver = "none" }, []string{container.ControlCPUClock}},
		{"nothing", func(d *daemon) { d.info = system.Info{} }, []string{
			container.ControlUserNamespace, container.ControlSeccomp, container.ControlMemory,
			container.ControlSwapOff, container.ControlPIDs, container.ControlCPU,
		}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			tested := daemon{info: full, cgroups: cgroupSupport{parent: true}, confined: confinement{detail: "why"}}
			test.change(&tested)
			var lacking []string
			for _, control := range tested.controls() {
				require.True(t, control.Active || control.Detail != "", "%s without a reason", control.Name)
				if !control.Active && !slices.Contains(container.ExtraControls(), control.Name) {
					lacking = append(lacking, control.Name)
				}
			}
			require.Equal(t, test.lacking, lacking)
			err := tested.admit(container.Spec{Optional: container.ExtraControls()})
			require.Equal(t, test.lacking != nil, err != nil)
			require.NoError(t, tested.admit(container.Spec{Optional: append(container.ExtraControls(), test.lacking...)}))
		})
	}
}

// A remote daemon's kernel cannot be given our profile, and its word is all there is.
func TestAppArmorFollowsTheDaemon(t *testing.T) {
	with := system.Info{SecurityOptions: []string{"name=apparmor", "name=seccomp,profile=builtin"}}
	none := daemon{local: true}.confine(t.Context(), t.TempDir())
	require.False(t, none.active)
	remote := daemon{info: with}.confine(t.Context(), t.TempDir())
	require.True(t, remote.active)
	require.Empty(t, remote.profile)
	require.Contains(t, remote.detail, "the daemon is not local")
	require.NotEmpty(t, none.detail)

	own := confinement{active: true, profile: "hotcell-sandbox-x"}
	for _, test := range []struct {
		confined confinement
		profile  string
		good     bool
	}{
		{none, "", true}, {none, "unconfined", true},
		{remote, "docker-default", true}, {remote, "", false}, {remote, "unconfined", false},
		{own, "hotcell-sandbox-x", true}, {own, "docker-default", false}, {own, "", false},
	} {
		require.Equal(t, test.good, test.confined.accepts(test.profile) == nil, "%+v", test)
	}

	host, err := hostConfig(unitSpec(), placement{seccomp: "seccomp={}", appArmor: own.profile})
	require.NoError(t, err)
	require.Contains(t, host.SecurityOpt, "apparmor=hotcell-sandbox-x")
}

// docker-default confines, but it is not what a policy that requires apparmor means.
func TestRequiredAppArmorIsOurOwnProfile(t *testing.T) {
	tested := daemon{info: system.Info{SecurityOptions: []string{"name=apparmor"}}}
	tested.confined = tested.confine(t.Context(), t.TempDir())
	control := func() job.Control {
		controls := tested.controls()
		return controls[slices.IndexFunc(controls, func(c job.Control) bool { return c.Name == container.ControlAppArmor })]
	}
	require.False(t, control().Active)
	others := slices.DeleteFunc(container.Controls(), func(name string) bool { return name == container.ControlAppArmor })
	err := tested.admit(container.Spec{Optional: others})
	require.ErrorContains(t, err, "does not enforce apparmor")
	require.ErrorContains(t, err, "default AppArmor profile instead of their own, hotcell-sandbox: the daemon is not local")
	require.ErrorContains(t, err, "take apparmor out of the policy's required_controls")

	tested.confined = confinement{active: true, profile: "hotcell-sandbox-x", detail: "the profile hotcell-sandbox-x"}
	require.Equal(t, job.Control{Name: container.ControlAppArmor, Active: true, Detail: "the profile hotcell-sandbox-x"}, control())
	require.NoError(t, tested.admit(container.Spec{Optional: others}))
}

// What was promised is not replaced by the daemon's default when it cannot be loaded.
func TestAProfileThatCannotBeLoadedMakesNoSandbox(t *testing.T) {
	require.NoError(t, confinement{active: true}.load(t.Context(), t.TempDir()), "it is left to the daemon")
	err := confinement{active: true, profile: "hotcell-sandbox-x"}.load(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "load the sandboxes' AppArmor profile hotcell-sandbox-x: ")
}

// An emulator's system calls are not the ones that the profile is for.
func TestADaemonOfAnotherArchitectureIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ machine, runner, want string }{
		"Docker's words":          {"x86_64", "amd64", ""},
		"Podman's words":          {"amd64", "amd64", ""},
		"both, arm64":             {"aarch64", "arm64", ""},
		"arm64 for amd64":         {"aarch64", "amd64", `architecture "arm64", and runner and image are for amd64`},
		"amd64 for arm64":         {"amd64", "arm64", `architecture "amd64", and runner and image are for arm64`},
		"one that is not known":   {"riscv64", "amd64", `"riscv64"`},
		"one that tells it not":   {"", "amd64", `architecture ""`},
		"thirty-two bits of them": {"armv7l", "arm64", `"armv7l"`},
	} {
		t.Run(name, func(t *testing.T) {
			err := daemon{info: system.Info{Architecture: test.machine}}.runsNatively(test.runner)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestImageConfigIsNotTakenOver(t *testing.T) {
	wanted := wantedImage{environment: testEnvironment()}
	require.NoError(t, wanted.checkConfig([]string{"PATH=/bin", "LANG=C"}, 0))
	require.ErrorContains(t, wanted.checkConfig([]string{"LD_PRELOAD=/x"}, 0), "LD_PRELOAD")
	require.ErrorContains(t, wanted.checkConfig([]string{"PAT=/x"}, 0), "PAT")
	require.ErrorContains(t, wanted.checkConfig(nil, 1), "volumes")
}

func TestLoadAnswerErrorsAreFound(t *testing.T) {
	read := func(text string) error { return readLoadAnswer(strings.NewReader(text)) }
	require.NoError(t, read(`{"stream":"Loaded image: x"}`+"\n"))
	require.ErrorContains(t, read(`{"stream":"x"}{"errorDetail":{"message":"no space left"},"error":"no space left"}`), "no space left")
	require.Error(t, read(`{"stream`))
}

func TestGVisorIsRefused(t *testing.T) {
	info := system.Info{DefaultRuntime: "runc", Runtimes: map[string]system.RuntimeWithStatus{
		"runc": {}, "runsc": {}, "safe": {Runtime: system.Runtime{Path: "/usr/local/bin/runsc"}},
	}}
	for name, refused := range map[string]bool{"": false, "runc": false, "runsc": true, "safe": true} {
		err := daemon{info: info}.hasRuntime(name)
		if refused {
			require.ErrorContains(t, err, "use --engine oci --runtime runsc", name)
			require.ErrorIs(t, err, container.ErrUnknownRuntime, name)
			continue
		}
		require.NoError(t, err, name)
	}
	info.DefaultRuntime = "safe"
	err := daemon{info: info}.hasRuntime("")
	require.Error(t, err, "the daemon's default is gVisor")
	require.NotErrorIs(t, err, container.ErrUnknownRuntime, "nobody asked for it by name")
	err = daemon{info: info}.hasRuntime("nosuch")
	require.ErrorContains(t, err, `unknown runtime "nosuch": docker has runc, runsc, safe`)
	require.ErrorIs(t, err, container.ErrUnknownRuntime)
}

// The record must name the runtime that the sandbox had, not the daemon's default.
func TestTheAskedRuntimeIsDescribed(t *testing.T) {
	info := system.Info{DefaultRuntime: "runc", ServerVersion: "20.10"}
	info.RuncCommit.ID = "1.1.5"
	require.Equal(t, "runc 1.1.5 on Docker 20.10", daemon{info: info}.describeRuntime(""))
	require.Equal(t, "crun on Docker 20.10", daemon{info: info}.describeRuntime("crun"))
}

// TestWhatARootlessDaemonLacksIsNamedWithTheWayOut: in the sentence with which a run is
// refused, which is all that its user sees.
func TestWhatARootlessDaemonLacksIsNamedWithTheWayOut(t *testing.T) {
	info := system.Info{
		SecurityOptions: []string{"name=seccomp,profile=builtin", "name=rootless", "name=cgroupns"},
		MemoryLimit:     true, SwapLimit: true, PidsLimit: true, CgroupVersion: "2", CgroupDriver: "systemd",
	}
	spec := container.Spec{Optional: append(container.ExtraControls(), container.ControlOOMCount)}
	for version, way := range map[string]string{"2": "Delegate=cpu cpuset io memory pids", "1": "systemd.unified_cgroup_hierarchy=1"} {
		info.CgroupVersion = version
		err := daemon{info: info}.admit(spec)
		require.ErrorContains(t, err, "does not enforce "+container.ControlCPU)
		require.ErrorContains(t, err, way)
	}
	info.CPUCfsPeriod, info.CPUCfsQuota = true, true
	require.NoError(t, daemon{info: info}.admit(spec))
	require.Contains(t, daemon{info: info}.describeRuntime("runc"), "rootless")
}

// A daemon that cannot read the figures sends empty ones each second. CPU time would be
// unbounded for as long as they were taken for figures.
func TestEmptyFiguresAreNone(t *testing.T) {
	var empty, unread, zero, whole containerapi.StatsResponse
	unread.CPUStats.CPUUsage.TotalUsage = 1
	zero.Read = time.Now()
	whole.Read, whole.CPUStats.CPUUsage.TotalUsage = time.Now(), 1
	monitor := &remoteMonitor{heard: time.Now().Add(-statsPatience - time.Second)}
	for _, stats := range []containerapi.StatsResponse{empty, unread, zero} {
		monitor.keep(stats)
		_, err := monitor.Sample(t.Context())
		require.ErrorContains(t, err, "has sent no statistics")
	}
	monitor.keep(whole)
	got, err := monitor.Sample(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), got.cpuNanos)
	monitor.keep(empty) // as of a container that has ended
	got, err = monitor.Sample(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), got.cpuNanos)
}

// Whoever did without the CPU clock is told that it is not there, and gets no figure.
func TestNoClockIsNoSilence(t *testing.T) {
	monitor := newStats(nil, daemon{info: system.Info{CgroupDriver: "none"}})
	gone, err := monitor.Attach(t.Context(), testContainer, 0)
	require.NoError(t, err)
	require.False(t, gone)
	got, err := monitor.Sample(t.Context())
	require.NoError(t, err)
	require.Negative(t, got.cpuNanos/int64(time.Millisecond))
	monitor.Detach()
}

// endedMeter is that of a container whose streams end once it was asked.
type endedMeter struct{ drained chan struct{} }

func (m endedMeter) Sample(context.Context) (sample, error) {
	close(m.drained)
	return sample{}, nil
}

func (m endedMeter) Account(context.Context, string, int64) (account, error) { return account{}, nil }

// The figures of a container that has ended get older, and who reads its streams may
// take longer than figures may stay away.
func TestLastFiguresDoNotWaitForTheStreams(t *testing.T) {
	drained := make(chan struct{})
	made := &sandbox{
		engine:   &Engine{patience: time.Minute},
		fittings: fittings{meter: endedMeter{drained}},
	}
	x := &watch{sandbox: made, attachment: &attachment{drained: drained}}
	_, err := x.finish(t.Context(), time.Now(), &waitResult{})
	require.NoError(t, err)
}
