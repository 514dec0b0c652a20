//go:build linux

package oci

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/job"
)

// roomy leaves gVisor room: each process of its guest is several threads here.
func roomy(limits *job.Limits) { limits.PIDs, limits.MemoryBytes = 144, 256<<20 }

// guest creates a sandbox with a kernel of its own.
func guest(t *testing.T, h host, command []string, change ...func(*job.Limits)) *sandbox {
	t.Helper()
	spec := spec()
	spec.Command = command
	for _, limit := range append([]func(*job.Limits){roomy}, change...) {
		limit(&spec.Limits)
	}
	created, err := h.engine(t).Create(t.Context(), container.NewID(), spec)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := container.ReleaseContext(t.Context())
		defer cancel()
		require.NoError(t, created.Destroy(ctx))
	})
	return created.(*sandbox)
}

func inGuest(t *testing.T, script string, change ...func(*job.Limits)) (container.Exit, string) {
	t.Helper()
	return run(t, guest(t, newHost(t, gVisor), []string{"/usr/bin/python3", "-sBP", "-c", script}, change...))
}

func TestGVisorRefusesToChangeTheBundle(t *testing.T) {
	change := containertest.Behaviour{Name: containertest.ChangeFile, Path: "/bundle/table.csv"}
	exit, stdout := run(t, guest(t, newHost(t, gVisor), containertest.PythonCommand(change)))
	require.Zero(t, exit.Code)
	var ways map[string]string
	require.NoError(t, json.Unmarshal([]byte(stdout), &ways))
	require.Len(t, ways, 7)
	for way, refusal := range ways {
		require.NotEmpty(t, refusal, way)
	}
}

func TestGVisorGuestHasNoCapability(t *testing.T) {
	_, stdout := inGuest(t, `print(*[l for l in open("/proc/self/status") if l.startswith("Cap")], sep="")`)
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd"} {
		require.Contains(t, stdout, set+":\t0000000000000000\n")
	}
}

// PR_GET_NO_NEW_PRIVS is 39. There is no setuid program in the image to try it with.
func TestGVisorGuestCannotGainPrivileges(t *testing.T) {
	_, stdout := inGuest(t, `import ctypes; print(ctypes.CDLL(None).prctl(39, 0, 0, 0, 0))`)
	require.Equal(t, "1\n", stdout)
}

// What is masked elsewhere is not there, or is the Sentry's own.
func TestGVisorGuestSeesNothingOfThisHost(t *testing.T) {
	encoded, err := json.Marshal(append(container.MaskedPaths(), "/proc/self/cgroup", "/proc/self/mountinfo"))
	require.NoError(t, err)
	_, stdout := inGuest(t, `
import json, os
found = {}
for path in `+string(encoded)+`:
    if os.path.isdir(path):
        found[path] = " ".join(sorted(os.listdir(path)))
    elif os.path.exists(path):
        found[path] = open(path).read()
print(json.dumps(found))`)
	var found map[string]string
	require.NoError(t, json.Unmarshal([]byte(stdout), &found))
	require.Contains(t, found, "/proc/self/mountinfo")
	for path, content := range found {
		own, err := os.ReadFile(path)
		if content != "" && err == nil {
			require.NotEqual(t, string(own), content, path)
		}
		require.NotContains(t, content, "hotcell-test", path)
		require.NotContains(t, content, t.TempDir()[:5], path)
	}
}

// Its mount options are not to be read from its /proc, so they are tried. The Sentry
// keeps noexec for programs and not for mappings (0.0~20221219.0), which the guard's
// filter refuses to user code whatever they are of.
func TestGVisorGuestRunsNothingThatItWrote(t *testing.T) {
	_, stdout := inGuest(t, `
import json, os, shutil, sys
found = {}
for directory in ("/tmp", "/output"):
    path = directory + "/program"
    shutil.copyfile(sys.executable, path)
    os.chmod(path, 0o700)
    try:
        os.execv(path, [path, "-c", "print('ran')"])
    except OSError as error:
        found[directory] = error.strerror
print(json.dumps(found))`, func(limits *job.Limits) { limits.ScratchBytes, limits.OutputBytes = 32<<20, 32<<20 })
	require.JSONEq(t, `{"/tmp": "Permission denied", "/output": "Permission denied"}`, stdout)
}

// User code can start none: the guard's filter has no fork. Where it could, either
// the guest's kernel refuses one too many, or this host ends the sandbox.
func TestGVisorGuestsProcessesAreCounted(t *testing.T) {
	const most = 16
	few := func(limits *job.Limits) { limits.PIDs = most }
	for name, script := range map[string]string{"idle": "time.sleep(3600)", "busy": "os.stat('/')"} {
		t.Run(name, func(t *testing.T) {
			exit, stdout := inGuest(t, `
import os, sys, time
started = 0
try:
    while started < 100:
        if not os.fork():
            while True:
                `+script+`
        started += 1
        print(started, flush=True)
except BlockingIOError:
    pass
os._exit(0)`, few)
			lines := strings.Fields(stdout)
			require.NotEmpty(t, lines)
			require.LessOrEqual(t, len(lines), most-1)
			if exit.PIDsDenied == 0 {
				require.Len(t, lines, most-1)
			}
		})
	}
}

func TestOnlyAGVisorThatCountsThreadsHasPIDsMax(t *testing.T) {
	for version, ok := range map[string]bool{
		"runsc version 0.0~20221219.0\nspec: 1.0.2-dev\n": true,
		"runsc version release-20251110.0\n":              true,
		"runsc version release-20200101.0\n":              false,
		"runsc version VERSION_MISSING\n":                 false,
		"":                                                false,
	} {
		require.Equal(t, ok, sentryCounts(version) == nil, version)
	}
}

// Without --oci-seccomp this call succeeds: runsc takes the profile and ignores it.
func TestGVisorKeepsTheProfile(t *testing.T) {
	exit, stdout := inGuest(t, `import socket; socket.sethostname("x"); print("alive")`)
	require.Equal(t, "SIGSYS", exit.Signal)
	require.Empty(t, stdout)
}

func TestGVisorGuestSeesAnotherKernel(t *testing.T) {
	release, err := kernelRelease()
	require.NoError(t, err)
	_, stdout := inGuest(t, `import os; print(os.uname().release)`)
	require.NotEqual(t, release, strings.TrimSpace(stdout), "the guest is not gVisor's")
}

func TestGVisorIsNeverChosenUnasked(t *testing.T) {
	require.NotContains(t, runtimes(), gVisor)
	require.Contains(t, known(), gVisor)
}

func TestGVisorLeavesNoZombies(t *testing.T) {
	s := guest(t, newHost(t, gVisor), []string{"/usr/bin/python3", "-c", "import os; os.fork()"})
	run(t, s)
	require.NoError(t, s.Destroy(t.Context()))
	requireNoChildren(t)
}

// Each case makes a real sandbox differ from what was asked for.
func TestVerificationOfGVisorFindsAMissingControl(t *testing.T) {
	h := newHost(t, gVisor)
	for _, test := range []struct {
		name    string
		control string
		checks  []check
		spoil   func(*testing.T, *sandbox)
	}{
		{"the host's namespaces", container.ControlNamespaces, sentryIdleChecks(), asThisProcess},
		{"the host's root", container.ControlUserNamespace, sentryIdleChecks(), asThisProcess},
		{"another id range", container.ControlUserNamespace, sentryStartedChecks(), func(_ *testing.T, s *sandbox) {
			s.paths.UserNamespace = &container.IDRange{First: 100000, Count: 65536}
		}},
		{"a mount that nobody asked for", container.ControlReadOnlyRoot, sentryStartedChecks(), func(_ *testing.T, s *sandbox) {
			s.paths.Bundle = ""
		}},
		{"a group without a gofer", container.ControlNoNewPrivs, sentryStartedChecks(), otherGroup},
		{"a Sentry without a filter", container.ControlSeccomp, sentryStartedChecks(), asThisProcess},
		{"a Sentry with files", container.ControlReadOnlyRoot, sentryStartedChecks(), asThisProcess},
		{"another process count", container.ControlPIDs, sentryIdleChecks(), func(_ *testing.T, s *sandbox) { s.spec.Limits.PIDs++ }},
		{"more memory", container.ControlMemory, sentryIdleChecks(), func(_ *testing.T, s *sandbox) { s.spec.Limits.MemoryBytes /= 2 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := guest(t, h, []string{"/usr/bin/python3", "-c", "input()"})
			require.NoError(t, s.verify(s.idleChecks()))
			require.NoError(t, s.release(t.Context()), "the started checks hold on a sound one")
			altered := *s
			test.spoil(t, &altered)
			require.ErrorContains(t, altered.verify(test.checks), "does not enforce "+test.control)
		})
	}
}

func TestMapsRoot(t *testing.T) {
	require.False(t, mapsRoot("     65534      65534          1\n"))
	require.True(t, mapsRoot("         0          0 4294967295\n"))
	require.True(t, mapsRoot("     65534      65534          1\n 1 0 1\n"))
	require.True(t, mapsRoot(""), "nothing could be read")
}

func TestSentryConfigKeepsTheSpecsProfile(t *testing.T) {
	spec := spec()
	config, err := container.Config(spec, container.Paths{RootFS: "/r", Bundle: "/b", Output: "/o", Cgroups: "/c"})
	require.NoError(t, err)
	sentryConfig(config, "/scratch", spec.Limits.PIDs)
	require.Contains(t, config.Process.Rlimits, specs.POSIXRlimit{Type: "RLIMIT_NPROC", Hard: 32, Soft: 32})
	require.NotContains(t, config.Process.Rlimits, specs.POSIXRlimit{Type: "RLIMIT_NPROC", Hard: 64, Soft: 64})
	require.Equal(t, specs.ActKill, config.Linux.Seccomp.Syscalls[0].Action)
	require.Equal(t, specs.ActKillProcess, spec.Seccomp.Syscalls[0].Action)
}

func TestTheSentryRunsWhatItsUserCanRead(t *testing.T) {
	rootfs := t.TempDir()
	command := []string{"/python3", "-c", "pass"}
	run, err := readable(rootfs, command)
	require.NoError(t, err)
	require.Equal(t, command, run, "an image of which everything can be read")

	require.NoError(t, os.WriteFile(filepath.Join(rootfs, "python3-readable"), nil, 0o600))
	run, err = readable(rootfs, command)
	require.NoError(t, err)
	require.Equal(t, []string{"/python3-readable", "-c", "pass"}, run)
	require.Equal(t, "/python3", command[0], "the Spec's own is not ours to change")

	require.NoError(t, os.Remove(filepath.Join(rootfs, "python3-readable")))
	require.NoError(t, os.Symlink("/bin/sh", filepath.Join(rootfs, "python3-readable")))
	_, err = readable(rootfs, command)
	require.ErrorContains(t, err, "is not a file")
}

// A runtime must get nothing of this process's environment.
func TestRuntimeEnvironmentIsClean(t *testing.T) {
	t.Setenv("HOTCELL_TEST_SECRET", "s")
	t.Setenv("LD_PRELOAD", "")
	called := (&client{name: "crun", path: "/usr/bin/env", root: "/x"}).command(t.Context(), "state")
	require.Equal(t, []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}, called.Env)
}

// The runtime's streams end with the pipe that holds them, and the process with its input.
func TestARuntimeWhoseStreamsAreHeldHasEndedWell(t *testing.T) {
	script := filepath.Join(t.TempDir(), "runtime")
	require.NoError(t, unix.Mkfifo(script+".end", 0o600))
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n(read line <$0.end) &\nexit $(cat $0.code)\n"), 0o700))
	for code, good := range map[string]bool{"0": true, "3": false} {
		require.NoError(t, os.WriteFile(script+".code", []byte(code), 0o600))
		err := onThread(func() error {
			return (&client{name: "crun", path: script, root: "/x"}).call(t.Context(), "start", "x")
		})
		require.Equal(t, good, err == nil, "%s: %v", code, err)
		require.NoError(t, os.WriteFile(script+".end", []byte("\n"), 0o600))
	}
	reapAll(t)
}

// As the runtime's processes see it: runsc hands its own on to the Sentry.
func TestEnvironmentOfGVisorIsClean(t *testing.T) {
	t.Setenv("HOTCELL_TEST_SECRET", "s")
	h := newHost(t, gVisor)
	s := guest(t, h, []string{"/usr/bin/python3", "-c", "pass"})
	pids, err := s.group.Procs()
	require.NoError(t, err)
	require.NotEmpty(t, pids)
	for _, pid := range pids {
		environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		require.NoError(t, err)
		require.NotContains(t, string(environment), "HOTCELL_TEST_SECRET")
	}
}

func TestGVisorGuestIsNotHeld(t *testing.T) {
	box := guest(t, newHost(t, gVisor), []string{"/usr/bin/python3", "-sBP", "-c", "print('ready', flush=True); import time; time.sleep(1000)"})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	stdout, into := io.Pipe()
	go func() {
		_, err := box.Run(ctx, container.Streams{Stdin: strings.NewReader(""), Stdout: into, Stderr: io.Discard})
		ended <- err
	}()
	_, err := io.ReadFull(stdout, make([]byte, len("ready\n")))
	require.NoError(t, err)
	_, err = box.Hold(t.Context())
	require.ErrorIs(t, err, container.ErrCannotHold)
	cancel()
	require.NoError(t, <-ended)
}
