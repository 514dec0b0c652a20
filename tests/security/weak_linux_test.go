package security_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// weakBox is a container that holds nothing: root with every capability, the
// host's namespaces but for mounts and the host name, its devices and its
// /sys, and no seccomp profile. Only the image is kept from change.
type weakBox struct {
	dir   string
	roots []*os.File
}

func newWeakBox(t *testing.T) weakBox {
	t.Helper()
	box := weakBox{dir: t.TempDir()}
	for _, name := range []string{"upper", "work", "rootfs"} {
		require.NoError(t, os.Mkdir(filepath.Join(box.dir, name), 0o755))
	}
	layers := "lowerdir=" + testRootfs(t) + ",upperdir=" + filepath.Join(box.dir, "upper") + ",workdir=" + filepath.Join(box.dir, "work")
	require.NoError(t, unix.Mount("overlay", box.rootfs(), "overlay", 0, layers))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(box.rootfs(), 0)) })
	box.plantSetuid(t)
	root, err := os.Open("/")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	box.roots = []*os.File{root}
	return box
}

func (w weakBox) rootfs() string { return filepath.Join(w.dir, "rootfs") }

func (w weakBox) plantSetuid(t *testing.T) {
	t.Helper()
	path := filepath.Join(w.rootfs(), "planted")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, os.Chmod(path, 0o755|os.ModeSetuid))
}

// run returns what the command printed and how it ended.
func (w weakBox) run(t *testing.T, id string, command []string, bait bait) (stdout, stderr string, exit container.Exit) {
	t.Helper()
	encoded, err := json.Marshal(w.config(t, id, command, bait))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "config.json"), encoded, 0o600))
	// --preserve-fds hands a directory of the host on, as a runtime with
	// CVE-2024-21626 does.
	run := exec.CommandContext(t.Context(), "runc", "--root", filepath.Join(w.dir, "state"), "run", "--preserve-fds", "1", "--bundle", w.dir, id)
	var out, errs bytes.Buffer
	run.Stdout, run.Stderr, run.ExtraFiles = &out, &errs, w.roots
	code := 0
	if err := run.Run(); err != nil {
		var failed *exec.ExitError
		require.ErrorAs(t, err, &failed)
		code = failed.ExitCode()
	}
	return out.String(), errs.String(), container.Exit{Code: code}
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
			Args: command, Env: []string{"PATH=/usr/bin", "HOME=/tmp", "LANG=C.UTF-8"}, Cwd: "/",
			Capabilities: &specs.LinuxCapabilities{Bounding: all, Effective: all, Permitted: all, Inheritable: all},
		},
		Root:     &specs.Root{Path: w.rootfs()},
		Hostname: container.Hostname,
		Mounts: []specs.Mount{
			{Destination: "/proc", Source: "proc", Type: "proc"},
			bind("/dev"), bind("/sys"), bind("/run"),
			tmpfs("/tmp"), tmpfs("/output"), tmpfs("/bundle", "ro"),
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
