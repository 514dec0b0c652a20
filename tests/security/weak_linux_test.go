package security_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/selftest"
)

// weakBox is a container that holds nothing: root with every capability, the
// host's namespaces but for mounts and the host name, its devices and its /sys, an
// output directory that all runs share, an environment that is handed on, no limit
// and no seccomp profile. Only the image is kept from change.
type weakBox struct {
	dir    string
	shared string // the output directory of all runs
	roots  []*os.File
}

func newWeakBox(t *testing.T) weakBox {
	t.Helper()
	box := weakBox{dir: t.TempDir()}
	for _, name := range []string{"upper", "work", "rootfs", "output"} {
		require.NoError(t, os.Mkdir(filepath.Join(box.dir, name), 0o755))
	}
	box.shared = filepath.Join(box.dir, "output")
	layers := "lowerdir=" + testRootfs(t) + ",upperdir=" + filepath.Join(box.dir, "upper") + ",workdir=" + filepath.Join(box.dir, "work")
	require.NoError(t, unix.Mount("overlay", box.rootfs(), "overlay", 0, layers))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(box.rootfs(), 0)) })
	box.plant(t)
	root, err := os.Open("/")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	box.roots = []*os.File{root}
	return box
}

func (w weakBox) rootfs() string { return filepath.Join(w.dir, "rootfs") }

// plant puts into the image what the shipped one does not have: a setuid file and
// one that only root may read.
func (w weakBox) plant(t *testing.T) {
	t.Helper()
	path := filepath.Join(w.rootfs(), "planted")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, os.Chmod(path, 0o755|os.ModeSetuid))
	require.NoError(t, os.WriteFile(filepath.Join(w.rootfs(), "private"), nil, 0o600))
}

// weakLimits are what a probe of availability has to exceed: little, since here it
// is not held.
func weakLimits() job.Limits {
	return job.Limits{
		MemoryBytes: 48 << 20, PIDs: 24, CPUMillis: 1000, WallClock: wallClock, CPUTime: wallClock,
		OpenFiles: 64, ScratchBytes: 4 << 20, OutputBytes: 4 << 20, OutputFiles: 64,
		StdoutBytes: 64 << 10, StderrBytes: 64 << 10, CodeBytes: 64 << 10,
	}
}

// attack runs a probe, the last run of it being judged. One that never ends by itself
// and still goes on after the wall clock of its limits, which nobody keeps here, has
// escaped.
func (w weakBox) attack(t *testing.T, probe selftest.Probe, bait bait) (verdict, string) {
	t.Helper()
	facts := bait.Facts
	facts.Limits = weakLimits()
	var got verdict
	var words string
	for range probe.Runs {
		stdout, stderr, exit := w.run(t, probe, interpreter(t, probe, facts), bait)
		got, words = judge(probe, stdout, exit), shortened(stdout)+shortened(stderr)
		if exit.KilledByUs && got != escaped {
			require.True(t, neverEnds(probe), "%s went on: %s", probe.Name, words)
			got = escaped
		}
	}
	return got, words
}

// run returns what the probe's command printed and how it ended. One that goes on after
// the end of its clock is killed.
func (w weakBox) run(t *testing.T, probe selftest.Probe, command []string, bait bait) (stdout, stderr string, exit container.Exit) {
	t.Helper()
	whole, cancel := untilTheEnd(t)
	defer cancel()
	id, dir := container.NewID().String(), t.TempDir()
	encoded, err := json.Marshal(w.config(t, id, command, bait))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), encoded, 0o600))
	// --preserve-fds hands a directory of the host on, as a runtime with
	// CVE-2024-21626 does.
	run := exec.Command("runc", "--root", w.state(), "run", "--preserve-fds", "1", "--bundle", dir, id)
	var out, errs stream
	ctx, stop := errs.clock(whole, probe)
	defer stop()
	run.Stdout, run.Stderr, run.ExtraFiles = &out, &errs, w.roots
	run.WaitDelay = 2 * time.Minute // an orphan may hold the streams until it is killed
	require.NoError(t, run.Start())
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		exit.KilledByUs = true
		w.end(t, id)
		err = <-ended
	}
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		exit.Code = failed.ExitCode()
	} else {
		require.NoError(t, err)
	}
	return out.String(), errs.String(), exit
}

func (w weakBox) state() string { return filepath.Join(w.dir, "state") }

// end kills every process of the box's control group: there is no pid namespace
// to end.
func (w weakBox) end(t *testing.T, id string) {
	t.Helper()
	kill := exec.Command("runc", "--root", w.state(), "kill", "--all", id, "KILL")
	output, err := kill.CombinedOutput()
	require.NoError(t, err, string(output))
}

func (w weakBox) config(t *testing.T, id string, command []string, bait bait) *specs.Spec {
	t.Helper()
	all := hostCapabilities(t)
	bind := func(path string, options ...string) specs.Mount {
		return specs.Mount{Destination: path, Source: path, Type: "bind", Options: append(options, "rbind")}
	}
	tmpfs := func(path string, options ...string) specs.Mount {
		return specs.Mount{Destination: path, Source: "tmpfs", Type: "tmpfs", Options: append(options, "size=64m")}
	}
	return &specs.Spec{
		Version: "1.0.2",
		Process: &specs.Process{
			Args: command, Env: []string{"PATH=/usr/bin", "HOME=/tmp", "LANG=C.UTF-8", bait.Victim}, Cwd: "/",
			Capabilities: &specs.LinuxCapabilities{Bounding: all, Effective: all, Permitted: all, Inheritable: all},
		},
		Root:     &specs.Root{Path: w.rootfs()},
		Hostname: "weak",
		Mounts: []specs.Mount{
			{Destination: "/proc", Source: "proc", Type: "proc"},
			bind("/dev"), bind("/sys"), bind("/run"),
			{Destination: "/output", Source: w.shared, Type: "bind", Options: []string{"rbind"}}, tmpfs("/tmp"), tmpfs("/bundle", "ro"), tmpfs("/var/lib/hotcell"),
			bind(filepath.Dir(bait.Secret)),
		},
		Linux: &specs.Linux{
			CgroupsPath: "/hotcell-" + id,
			MaskedPaths: []string{"/proc/version"}, // a mask, for root to take off
			Namespaces:  []specs.LinuxNamespace{{Type: specs.MountNamespace}, {Type: specs.UTSNamespace}},
			Resources:   &specs.LinuxResources{Devices: []specs.LinuxDeviceCgroup{{Allow: true, Access: "rwm"}}},
		},
	}
}

// capabilityNames are the kernel's, in the order of their bits.
const capabilityNames = `CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP
	LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO
	SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE
	AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON
	BPF CHECKPOINT_RESTORE`

// hostCapabilities returns those that this process holds: a runtime refuses to
// give others.
func hostCapabilities(t *testing.T) []string {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(status), "CapEff:")
	require.True(t, found)
	mask, err := strconv.ParseUint(strings.Fields(rest)[0], 16, 64)
	require.NoError(t, err)
	var names []string
	for bit, name := range strings.Fields(capabilityNames) {
		if mask&(1<<bit) != 0 {
			names = append(names, "CAP_"+name)
		}
	}
	return names
}
