//go:build linux

package seccomp_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/image/imagetest"
	"hotcell/internal/seccomp"
)

// rootfsVariable names an unpacked python-analysis image. Without it, the one that
// has been built is taken.
const rootfsVariable = "HOTCELL_TEST_ROOTFS"

// The whole legitimate workload runs under both stages: the first loaded by each
// runtime as the engines have it loaded, since the calls that a runtime itself makes
// between loading the filter and execve are part of what a profile must allow; the
// second loaded by the workload as the guard does it, with one and with four threads
// of OpenBLAS.
func TestWorkloadRunsUnderEachRuntime(t *testing.T) {
	rootfs := unpackedImage(t)
	for program, threads := range map[string]int64{"runc": 4, "crun": 1} {
		t.Run(program, func(t *testing.T) {
			needProgram(t, program)
			require.Contains(t, runWorkload(t, program, rootfs, threads), "workload done 9")
		})
	}
}

// missing skips on a developer's machine and fails where everything is required.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
		require.Fail(t, what)
	}
	t.Skip(what)
}

func needProgram(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		missing(t, "this test needs "+name)
	}
}

func unpackedImage(t *testing.T) string {
	t.Helper()
	if rootfs := os.Getenv(rootfsVariable); rootfs != "" {
		return rootfs
	}
	return imagetest.Rootfs(t)
}

func runWorkload(t *testing.T, program, rootfs string, threads int64) string {
	t.Helper()
	dir := t.TempDir()
	config, err := json.Marshal(workloadConfig(t, rootfs, threads))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600))
	script, err := os.ReadFile("testdata/workload.py")
	require.NoError(t, err)

	id := fmt.Sprintf("hotcell-seccomp-%s-%d-%d", program, threads, os.Getpid())
	root := filepath.Join(dir, "state")
	defer func() { // after a failure the container may still be there
		_ = command(context.WithoutCancel(t.Context()), program, "--root", root, "delete", "--force", id).Run()
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	run := command(ctx, program, "--root", root, "run", "--bundle", dir, id)
	run.Stdin = bytes.NewReader(script)
	output, err := run.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return string(output)
}

// command hides the cgroup v2 tree of a hybrid hierarchy, which crun refuses.
func command(ctx context.Context, program string, args ...string) *exec.Cmd {
	const unified = "/sys/fs/cgroup/unified"
	if _, err := os.Stat(unified); err != nil {
		return exec.CommandContext(ctx, program, args...)
	}
	hide := append([]string{"--mount", "sh", "-c", "umount -l " + unified + ` && exec "$0" "$@"`, program}, args...)
	return exec.CommandContext(ctx, "unshare", hide...)
}

// stage2 returns the compiled profile for user code, in base64.
func stage2(t *testing.T) string {
	t.Helper()
	arch, ok := seccomp.Native(runtime.GOARCH)
	require.True(t, ok)
	program, err := shipped(t, userCode).Compile(arch)
	require.NoError(t, err)
	return base64.StdEncoding.EncodeToString(program.Bytes())
}

func workloadConfig(t *testing.T, rootfs string, threads int64) *specs.Spec {
	t.Helper()
	const user = 65532
	writable := []string{"nosuid", "nodev", "noexec", "mode=700", fmt.Sprintf("uid=%d", user), fmt.Sprintf("gid=%d", user)}
	return &specs.Spec{
		Version: "1.0.2",
		Process: &specs.Process{
			User:            specs.User{UID: user, GID: user},
			Args:            []string{"/usr/bin/python3", "-"},
			Env:             append(pythonanalysis.Environment("/tmp", threads), "STAGE_2="+stage2(t)),
			Cwd:             "/",
			Capabilities:    &specs.LinuxCapabilities{},
			NoNewPrivileges: true,
		},
		Root: &specs.Root{Path: rootfs, Readonly: true},
		Mounts: []specs.Mount{
			{Destination: "/proc", Type: "proc", Source: "proc"},
			{Destination: "/dev", Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "mode=755"}},
			{Destination: "/tmp", Type: "tmpfs", Source: "tmpfs", Options: writable},
			{Destination: "/output", Type: "tmpfs", Source: "tmpfs", Options: writable},
		},
		Linux: &specs.Linux{
			Namespaces: []specs.LinuxNamespace{
				{Type: specs.MountNamespace}, {Type: specs.PIDNamespace}, {Type: specs.NetworkNamespace},
				{Type: specs.IPCNamespace}, {Type: specs.UTSNamespace},
			},
			Seccomp: shipped(t, pythonAnalysis).OCI(),
		},
	}
}
