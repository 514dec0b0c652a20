package container_test

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

var update = flag.Bool("update", false, "write golden files anew")

func configSpec() container.Spec {
	return container.Spec{
		Image:       digest.Of([]byte("image")),
		Bundle:      digest.Of([]byte("bundle")),
		Command:     []string{"/usr/bin/python3", "-m", "guard"},
		Environment: pythonanalysis.Environment(container.ScratchDir, 2),
		Seccomp: &specs.LinuxSeccomp{
			DefaultAction: specs.ActErrno,
			Syscalls:      []specs.LinuxSyscall{{Names: []string{"read"}, Action: specs.ActAllow}},
		},
		Limits: job.Limits{
			MemoryBytes: 512 << 20, PIDs: 64, CPUMillis: 1500, WallClock: time.Minute, CPUTime: 1500 * time.Millisecond,
			OpenFiles: 256, ScratchBytes: 16 << 20, OutputBytes: 64 << 20, OutputFiles: 100,
			StdoutBytes: 1, StderrBytes: 1, CodeBytes: 1,
		},
	}
}

func configPaths() container.Paths {
	ids := container.DefaultIDRange()
	return container.Paths{RootFS: "/mounts/rootfs", Bundle: "/mounts/bundle", Output: "/mounts/output", Cgroups: "/hotcell/id", UserNamespace: &ids}
}

func buildConfig(t *testing.T, spec container.Spec, paths container.Paths) *specs.Spec {
	t.Helper()
	config, err := container.Config(spec, paths)
	require.NoError(t, err)
	return config
}

func TestConfigIsWhatWasReviewed(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*container.Spec, *container.Paths)
	}{
		{"full", func(*container.Spec, *container.Paths) {}},
		{"no_bundle_no_user_namespace_no_swap_limit", func(s *container.Spec, p *container.Paths) {
			s.Bundle, p.Bundle, p.UserNamespace, p.NoSwapLimit = "", "", nil, true
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec, paths := configSpec(), configPaths()
			test.change(&spec, &paths)
			got, err := json.MarshalIndent(buildConfig(t, spec, paths), "", "  ")
			require.NoError(t, err)
			golden := filepath.Join("testdata", "config", test.name+".json")
			if *update {
				require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o755))
				require.NoError(t, os.WriteFile(golden, append(got, '\n'), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got)+"\n")
		})
	}
}

func TestEveryNamespaceIsNew(t *testing.T) {
	config := buildConfig(t, configSpec(), configPaths())
	var types []specs.LinuxNamespaceType
	for _, namespace := range config.Linux.Namespaces {
		require.Empty(t, namespace.Path, "%s is shared", namespace.Type)
		types = append(types, namespace.Type)
	}
	require.ElementsMatch(t, []specs.LinuxNamespaceType{"mount", "pid", "network", "ipc", "uts", "cgroup", "user"}, types)
}

func TestNoCapabilityInAnySet(t *testing.T) {
	require.Equal(t, &specs.LinuxCapabilities{}, buildConfig(t, configSpec(), configPaths()).Process.Capabilities)
}

func TestMountsAreOnlyTheNamedOnes(t *testing.T) {
	locked := []string{"nosuid", "nodev", "noexec"}
	want := map[string][]string{
		"/proc": locked, "/dev": {"ro", "nosuid", "noexec"}, "/tmp": locked, "/output": locked,
		"/bundle": append([]string{"ro"}, locked...),
	}
	mounts := buildConfig(t, configSpec(), configPaths()).Mounts
	require.Len(t, mounts, len(want))
	for _, mount := range mounts {
		require.Contains(t, want, mount.Destination)
		require.Subset(t, mount.Options, want[mount.Destination], mount.Destination)
	}
}

func TestScratchIsCapped(t *testing.T) {
	mounts := buildConfig(t, configSpec(), configPaths()).Mounts
	scratch := mounts[slices.IndexFunc(mounts, func(m specs.Mount) bool { return m.Destination == "/tmp" })]
	require.Equal(t, "tmpfs", scratch.Type)
	require.Subset(t, scratch.Options, []string{"size=16777216", "nr_inodes=1025", "mode=700", "uid=65532", "gid=65532"})
}

func TestSwapIsOff(t *testing.T) {
	memory := buildConfig(t, configSpec(), configPaths()).Linux.Resources.Memory
	require.Equal(t, *memory.Limit, *memory.Swap, "the runtime-spec's swap is memory and swap together")
}

func TestDevicesAreDeniedFirst(t *testing.T) {
	rules := buildConfig(t, configSpec(), configPaths()).Linux.Resources.Devices
	require.Equal(t, specs.LinuxDeviceCgroup{Allow: false, Access: "rwm"}, rules[0])
	require.Len(t, rules, 1+len(container.Devices()))
	for _, rule := range rules[1:] {
		require.Equal(t, "rw", rule.Access)
	}
}

func TestResourceLimitsAreHard(t *testing.T) {
	limits := map[string]uint64{}
	for _, limit := range buildConfig(t, configSpec(), configPaths()).Process.Rlimits {
		require.Equal(t, limit.Soft, limit.Hard, limit.Type)
		limits[limit.Type] = limit.Hard
	}
	require.Equal(t, map[string]uint64{
		"RLIMIT_CORE": 0, "RLIMIT_MSGQUEUE": 0, "RLIMIT_NOFILE": 256, "RLIMIT_FSIZE": 65 << 20,
		"RLIMIT_CPU":   4, // two seconds after the engine's clock, which stands at 1.5
		"RLIMIT_NPROC": 128, "RLIMIT_STACK": 64 << 20,
		// What else the kernel has: not the caller's.
		"RLIMIT_MEMLOCK": 64 << 10, "RLIMIT_SIGPENDING": 1024, "RLIMIT_NICE": 0, "RLIMIT_RTPRIO": 0,
		"RLIMIT_AS": container.Unlimited, "RLIMIT_DATA": container.Unlimited, "RLIMIT_RSS": container.Unlimited,
		"RLIMIT_LOCKS": container.Unlimited, "RLIMIT_RTTIME": container.Unlimited,
	}, limits)
}

// Without a user namespace the kernel counts processes per uid of the host, so
// that concurrent sandboxes would use up each other's share.
func TestProcessCountIsNotLimitedPerHostUser(t *testing.T) {
	paths := configPaths()
	paths.UserNamespace = nil
	for _, limit := range buildConfig(t, configSpec(), paths).Process.Rlimits {
		require.NotEqual(t, "RLIMIT_NPROC", limit.Type)
	}
}

func TestCPUQuota(t *testing.T) {
	for millis, quota := range map[int64]int64{1: 1000, 10: 1000, 500: 50_000, 1000: 100_000, 2500: 250_000} {
		cpu := container.Resources(job.Limits{CPUMillis: millis}).CPU
		require.Equal(t, quota, *cpu.Quota)
		require.EqualValues(t, 100_000, *cpu.Period)
	}
}

// The kernel counts them for the template's user, too, with all that comes from a template: as
// the limits of one run they would be those of all together.
func TestATemplateHasNoLimitThatItsForksShare(t *testing.T) {
	config, err := container.TemplateConfig(configSpec(), configPaths(), 0x70010000, configSpec().Seccomp)
	require.NoError(t, err)
	for _, limit := range config.Process.Rlimits {
		require.NotContains(t, []string{"RLIMIT_NPROC", "RLIMIT_SIGPENDING", "RLIMIT_MEMLOCK"}, limit.Type)
	}
	require.NotEmpty(t, config.Process.Rlimits)
}

func TestCPUBackstopSurvivesAnEndlessLimit(t *testing.T) {
	spec := configSpec()
	spec.Limits.CPUTime = math.MaxInt64
	for _, limit := range buildConfig(t, spec, configPaths()).Process.Rlimits {
		if limit.Type == "RLIMIT_CPU" {
			require.Less(t, limit.Hard, uint64(math.MaxInt64))
			require.Greater(t, limit.Hard, uint64(1<<32))
		}
	}
}

func TestConfigRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*container.Spec, *container.Paths)
	}{
		{"a missing profile", func(s *container.Spec, _ *container.Paths) { s.Seccomp = nil }},
		{"a limit of zero", func(s *container.Spec, _ *container.Paths) { s.Limits.PIDs = 0 }},
		{"no root", func(_ *container.Spec, p *container.Paths) { p.RootFS = "" }},
		{"the host's root", func(_ *container.Spec, p *container.Paths) { p.RootFS = "/" }},
		{"a relative output", func(_ *container.Spec, p *container.Paths) { p.Output = "output" }},
		{"the root cgroup", func(_ *container.Spec, p *container.Paths) { p.Cgroups = "/" }},
		{"no cgroup", func(_ *container.Spec, p *container.Paths) { p.Cgroups = "" }},
		{"a bundle without its path", func(_ *container.Spec, p *container.Paths) { p.Bundle = "" }},
		{"a path without its bundle", func(s *container.Spec, _ *container.Paths) { s.Bundle = "" }},
		{"root mapped to root", func(_ *container.Spec, p *container.Paths) { p.UserNamespace.First = 0 }},
		{"a range without the guard's id", func(_ *container.Spec, p *container.Paths) { p.UserNamespace.Count = container.UserID }},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec, paths := configSpec(), configPaths()
			test.change(&spec, &paths)
			_, err := container.Config(spec, paths)
			require.ErrorContains(t, err, "build sandbox configuration: ")
		})
	}
}

func TestTheProfileIsTheHosts(t *testing.T) {
	paths := configPaths()
	require.Empty(t, buildConfig(t, configSpec(), paths).Process.ApparmorProfile)
	paths.AppArmor = "hotcell-sandbox-x"
	require.Equal(t, "hotcell-sandbox-x", buildConfig(t, configSpec(), paths).Process.ApparmorProfile)
}

func TestHostID(t *testing.T) {
	require.EqualValues(t, 0x70000000+65532, configPaths().HostID(container.UserID))
	require.EqualValues(t, 65532, container.Paths{}.HostID(container.UserID))
}
