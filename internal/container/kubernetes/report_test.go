package kubernetes

import (
	"strings"
	"testing"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// soundReport is one of a pod that has everything that a pod can have, on cgroup v2.
func soundReport() report {
	return report{
		Status: "Name:\tpython3\nUid:\t65532\t65532\t65532\t65532\nGid:\t65532\t65532\t65532\t65532\n" +
			"CapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\n" +
			"CapAmb:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n",
		UIDMap: "         0 1785135104      65536\n",
		MountInfo: strings.Join([]string{
			"1 0 0:1 / / ro,relatime - overlay overlay ro",
			"2 1 0:2 / /output rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=4096k",
			"3 1 0:3 / /tmp rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=4096k",
			"4 1 0:4 / /bundle ro,nosuid,nodev,noexec - overlay overlay ro",
		}, "\n") + "\n",
		Cgroup: "0::/\n", Unified: true,
		Limits:  map[string]string{"memory.max": "134217728", "memory.swap.max": "0", "cpu.max": "100000 100000", "pids.max": "512"},
		Figures: figures{CPUNanos: 1, MemoryPeak: 1, PIDsPeak: 1}, Interfaces: []string{"lo"}, MemInfo: "SwapTotal: 1024 kB\n",
		Landlock: 4, Termination: "EACCES", Bundle: testBundle.String(),
	}
}

func reportSpec() container.Spec {
	spec := testSpec(testArtifacts{image: digest.Of(nil)})
	spec.Bundle = testBundle
	return spec
}

// never are the controls that no pod has.
var never = []string{container.ControlOutputInodes, container.ControlAppArmor}

func TestASoundPodHasItsControls(t *testing.T) {
	host := container.Host{Controls: soundReport().controls(reportSpec(), "")}
	require.ElementsMatch(t, never, host.Inactive())
	require.NoError(t, soundReport().check(reportSpec()))
}

// TestWhatIsNotThereIsToldOf changes one thing at a time, and one control alone must say so.
func TestWhatIsNotThereIsToldOf(t *testing.T) {
	status := func(was, is string) func(*report) {
		return func(r *report) { r.Status = strings.Replace(r.Status, was, is, 1) }
	}
	limit := func(name, value string) func(*report) { return func(r *report) { r.Limits[name] = value } }
	mounts := func(was, is string) func(*report) {
		return func(r *report) { r.MountInfo = strings.Replace(r.MountInfo, was, is, 1) }
	}
	for name, test := range map[string]struct {
		change  func(*report)
		lacking []string
	}{
		"an interface":               {func(r *report) { r.Interfaces = append(r.Interfaces, "eth0") }, []string{container.ControlNamespaces}},
		"interfaces not told":        {func(r *report) { r.Interfaces = nil }, []string{container.ControlNamespaces}},
		"the node's users":           {func(r *report) { r.UIDMap = "0 0 4294967295" }, []string{container.ControlUserNamespace, container.ControlPIDs}},
		"no map of users":            {func(r *report) { r.UIDMap = "" }, []string{container.ControlUserNamespace, container.ControlPIDs}},
		"the node's cgroup paths":    {func(r *report) { r.Cgroup = "0::/kubepods/pod1" }, []string{container.ControlCgroupNamespace}},
		"cgroup v1's paths":          {func(r *report) { r.Cgroup = "1:memory:/kubepods" }, []string{container.ControlCgroupNamespace}},
		"a root that can be written": {mounts("/ / ro,relatime", "/ / rw,relatime"), []string{container.ControlReadOnlyRoot}},
		"a capability":               {status("CapBnd:\t0000000000000000", "CapBnd:\t0000000000000400"), []string{container.ControlNoCapabilities}},
		"another user":               {status("Uid:\t65532", "Uid:\t0"), []string{container.ControlNoCapabilities}},
		"new privileges":             {status("NoNewPrivs:\t1", "NoNewPrivs:\t0"), []string{container.ControlNoNewPrivs}},
		"no filter":                  {status("Seccomp:\t2", "Seccomp:\t0"), []string{container.ControlSeccomp}},
		"no line of a filter":        {status("Seccomp:\t2\n", ""), []string{container.ControlSeccomp}},
		"no limit of memory":         {limit("memory.max", "max"), []string{container.ControlMemory}},
		"more memory":                {limit("memory.max", "134217729"), []string{container.ControlMemory}},
		"swap":                       {limit("memory.swap.max", "max"), []string{container.ControlSwapOff}},
		"more of a processor":        {limit("cpu.max", "100001 100000"), []string{container.ControlCPU}},
		"all processors":             {limit("cpu.max", "max 100000"), []string{container.ControlCPU}},
		"a larger output":            {mounts("/output rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=4096k", "/output rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=4100k"), []string{container.ControlOutputQuota}},
		"an output of no size":       {mounts("/output rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=4096k", "/output rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=0k"), []string{container.ControlOutputQuota}},
		"an output on disk":          {mounts("tmpfs tmpfs rw,size=4096k", "ext4 /dev/vda rw"), []string{container.ControlOutputQuota}},
		"an output that executes":    {mounts("/output rw,nosuid,nodev,noexec", "/output rw,nosuid,nodev"), []string{container.ControlMountOptions}},
		"a bundle with devices":      {mounts("/bundle ro,nosuid,nodev,noexec", "/bundle ro,nosuid,noexec"), []string{container.ControlMountOptions}},
		"no count of kills":          {func(r *report) { r.Figures.OOMKills = -1 }, []string{container.ControlOOMCount}},
		"no count of time":           {func(r *report) { r.Figures.CPUNanos = -1 }, []string{container.ControlCPUClock}},
		"no landlock":                {func(r *report) { r.Landlock = -38 }, []string{container.ControlLandlock}},
	} {
		t.Run(name, func(t *testing.T) {
			seen := soundReport()
			test.change(&seen)
			host := container.Host{Controls: seen.controls(reportSpec(), "")}
			require.ElementsMatch(t, append(test.lacking, never...), host.Inactive())
		})
	}
}

func TestAProfileWithoutSocketsStandsForANetworkNamespace(t *testing.T) {
	seen, spec := soundReport(), reportSpec()
	seen.Interfaces = []string{"lo", "eth0"}
	for name, test := range map[string]struct {
		profile specs.LinuxSeccomp
		denies  bool
	}{
		"denied by default":  {specs.LinuxSeccomp{DefaultAction: specs.ActErrno, Syscalls: []specs.LinuxSyscall{{Names: []string{"read"}, Action: specs.ActAllow}}}, true},
		"allowed by name":    {specs.LinuxSeccomp{DefaultAction: specs.ActErrno, Syscalls: []specs.LinuxSyscall{{Names: []string{"socket"}, Action: specs.ActAllow}}}, false},
		"only logged":        {specs.LinuxSeccomp{DefaultAction: specs.ActErrno, Syscalls: []specs.LinuxSyscall{{Names: []string{"socket"}, Action: specs.ActLog}}}, false},
		"allowed by default": {specs.LinuxSeccomp{DefaultAction: specs.ActAllow, Syscalls: []specs.LinuxSyscall{{Names: []string{"socket"}, Action: specs.ActErrno}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			spec.Seccomp = &test.profile
			require.Equal(t, test.denies, seen.namespaces(spec) == nil)
		})
	}
}

// TestNoPolicyAcceptsThese: they are no controls.
func TestNoPolicyAcceptsThese(t *testing.T) {
	for name, change := range map[string]func(*report){
		"last words in the pod's status": func(r *report) { r.Termination = "" },
		"a file system that refuses":     func(r *report) { r.Termination = "ENOENT" }, // it was looked for elsewhere
		"a token":                        func(r *report) { r.Token = true },
		"another bundle":                 func(r *report) { r.Bundle = "sha256:" + strings.Repeat("0", 64) },
		"no bundle":                      func(r *report) { r.Bundle = "" },
	} {
		t.Run(name, func(t *testing.T) {
			seen := soundReport()
			change(&seen)
			require.Error(t, seen.check(reportSpec()))
		})
	}
}

func TestTheFigureOfProcessesIsOfTheRunAlone(t *testing.T) {
	x := &running{}
	var exit container.Exit
	exit.Signal = "SIGKILL"
	require.NoError(t, x.count(&exit, ending{figures: figures{CPUNanos: 5e6, PIDsPeak: 3, OOMKills: 2, MemoryPeak: 7}, SetupNanos: 2e6, By: string(job.LimitCPUTime)}))
	for _, unknown := range []ending{{figures: figures{OOMKills: -1}}, {figures: figures{CPUNanos: -1}}, {figures: figures{CPUNanos: 1}, SetupNanos: 2}} {
		require.Error(t, x.count(&container.Exit{}, unknown))
	}
	require.Equal(t, container.Exit{
		Signal: "SIGKILL", KilledByUs: true, Limit: job.LimitCPUTime, OOMKills: 2,
		Usage: job.Usage{CPUMS: 3, PIDsPeak: 2, MemoryPeakBytes: 7},
	}, exit)
}
