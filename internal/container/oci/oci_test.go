//go:build linux

package oci

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/container/containertest"
	"hotcell/internal/digest"
	"hotcell/internal/image/imagetest"
	"hotcell/internal/job"
)

func TestMain(m *testing.M) {
	if state := os.Getenv(abandonState); state != "" {
		abandon(state)
	}
	if runtime := os.Getenv(abandonCall); runtime != "" {
		exitOn(onThread(func() error {
			return (&client{name: "crun", path: runtime, root: "/x"}).call(context.Background(), "start", "x")
		}))
	}
	goleak.VerifyTestMain(m)
}

// TestBehaviour runs the suite that every engine must pass, on each runtime.
func TestBehaviour(t *testing.T) {
	for _, runtime := range runtimes() {
		t.Run(runtime, func(t *testing.T) {
			host := newHost(t, runtime)
			containertest.Run(t, containertest.Harness{
				New:       func(t *testing.T) container.Engine { return host.engine(t) },
				Spec:      func(*testing.T) container.Spec { return spec() },
				Bundle:    containertest.BundleFile{Path: "/bundle/table.csv", Content: "a,b\n1,2\n"},
				Processes: containertest.HostProcesses,
				Kill:      containertest.HostKill,
				Leftovers: host.leftovers,
				Lacking:   host.lacking,
			})
		})
	}
}

// TestBehaviourOfGVisor runs the same suite, but for what a guest's kernel of its own
// cannot do or shows otherwise.
func TestBehaviourOfGVisor(t *testing.T) {
	host := newHost(t, gVisor)
	containertest.Run(t, containertest.Harness{
		New:        func(t *testing.T) container.Engine { return host.engine(t) },
		Spec:       func(*testing.T) container.Spec { return spec() },
		Bundle:     containertest.BundleFile{Path: "/bundle/table.csv", Content: "a,b\n1,2\n"},
		LoopbackUp: true, // the Sentry's own, which reaches the guest alone
		// Its own count, of its guest's threads; this host's is of gVisor's.
		PIDsUncounted: true,
		Leftovers:     host.leftovers,
		Lacking:       host.lacking,
		Limits:        roomy,
		LeftOut:       leftOutOfGVisor(),
		ShownBy: map[string]string{
			container.ControlUserNamespace:   "TestVerificationOfGVisorFindsAMissingControl",
			container.ControlCgroupNamespace: "TestGVisorGuestSeesNothingOfThisHost",
			container.ControlNoCapabilities:  "TestGVisorGuestHasNoCapability",
			container.ControlNoNewPrivs:      "TestGVisorGuestCannotGainPrivileges",
			container.ControlMountOptions:    "TestVerificationOfGVisorFindsAMissingControl", // of what the gofer has mounted
		},
	})
}

func leftOutOfGVisor() map[string]string {
	const kernel = "the guest's kernel is the Sentry: what it shows is not this host's"
	const held = "no guest is held: see TestGVisorGuestIsNotHeld"
	return map[string]string{
		"hold/nothing changes while a sandbox is held":     held,
		"hold/a sandbox that was held goes on":             held,
		"hold/a held sandbox is killed":                    held,
		"exit/exit code 137 is the program's":              "runsc tells of a signal as of an exit code",
		"limits/pids.max refuses processes and is counted": "a process is several threads of gVisor, of which too many end the sandbox: see TestGVisorGuestsProcessesAreCounted",
		"usage/CPU time is at least what the program used": "the guest's own clock runs in steps of 10 ms",
		"output/links and pipes arrive as what they are":   "a gofer makes no pipes",
		"isolation/the bundle cannot be changed":           "refused, too, but with another errno: see TestGVisorRefusesToChangeTheBundle",
		"identity/no_new_privs and seccomp are on":         "NoNewPrivs is not in the Sentry's status",
		"identity/every capability set is empty":           "CapAmb is not in the Sentry's status: see TestGVisorGuestHasNoCapability",
		"identity/its own namespaces":                      kernel,
		"identity/mounts are nosuid, nodev, noexec":        kernel,
	}
}

const (
	imageDigest  = "sha256:1111111111111111111111111111111111111111111111111111111111111111"
	bundleDigest = "sha256:2222222222222222222222222222222222222222222222222222222222222222"
)

// host is a state directory with an image and a bundle beside it, and a cgroup of
// its own, for other test binaries may be at work.
type host struct{ state, cgroups, runtime, rootFS, bundle string }

func newHost(t testing.TB, runtime string) host {
	t.Helper()
	requireUsable(t, runtime)
	dir := t.TempDir()
	h, err := hostIn(t.Context(), dir, runtime)
	require.NoError(t, err)
	h.rootFS = imagetest.Rootfs(t)
	t.Cleanup(func() { require.NoError(t, cgroup.Remove(h.cgroups)) })
	require.NoError(t, os.Mkdir(h.bundle, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(h.bundle, "table.csv"), []byte("a,b\n1,2\n"), 0o644))
	return h
}

func hostIn(ctx context.Context, dir, runtime string) (host, error) {
	place, err := cgroup.Home(ctx)
	if err != nil {
		return host{}, err
	}
	sum := sha256.Sum256([]byte(dir))
	return host{
		state: filepath.Join(dir, "state"), cgroups: fmt.Sprintf("%s/hotcell-test-%x", place.Path, sum[:8]),
		runtime: runtime, bundle: filepath.Join(dir, "bundle"),
	}, nil
}

// requireUsable skips where the tests of a runtime cannot run, but not in CI,
// where a skip is a failure.
func requireUsable(t testing.TB, runtime string) {
	t.Helper()
	if err := usable(runtime); err != nil {
		imagetest.Lacking(t, fmt.Sprintf("tests of %s cannot run: %v", runtime, err))
	}
}

// usable says why the tests of a runtime cannot run here.
func usable(runtime string) error {
	if os.Geteuid() != 0 {
		return errors.New("needs root")
	}
	_, _, err := findRuntime(runtime)
	return err
}

func (h host) engine(t *testing.T) *Engine {
	t.Helper()
	engine, err := New(h.options())
	require.NoError(t, err)
	return engine
}

func (h host) options() Options {
	return Options{
		StateDir: h.state, Runtime: h.runtime, cgroupParent: h.cgroups, Images: h, Bundles: h,
		Logger: slog.New(slog.DiscardHandler),
	}
}

// RootFS implements Images.
func (h host) Rootfs(_ context.Context, sum digest.Digest) (string, error) {
	if sum != imageDigest {
		return "", errors.New("no such image")
	}
	return h.rootFS, nil
}

// Path implements Bundles.
func (h host) Path(sum digest.Digest) (string, error) {
	if sum != bundleDigest {
		return "", errors.New("no such bundle")
	}
	return h.bundle, nil
}

// leftovers adds the state directory to what the suite looks at.
func (h host) leftovers(id container.ID) ([]string, error) {
	left, err := containertest.HostLeftovers(id)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(h.state, func(path string, entry os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err == nil && entry.Name() == id.String() {
			left = append(left, "file "+path)
		}
		return err
	})
	return left, err
}

// lacking is an engine on a host without a way to limit swap.
func (h host) lacking(t *testing.T) (container.Engine, container.Spec, string) {
	engine := h.engine(t)
	found, err := engine.discover(t.Context(), "")
	require.NoError(t, err)
	for i, control := range found.host.Controls {
		if control.Name == container.ControlSwapOff {
			found.host.Controls[i] = job.Control{Name: control.Name, Detail: "swapaccount=0"}
		}
	}
	spec := spec()
	spec.Command = containertest.PythonCommand(containertest.Behaviour{Name: containertest.ExitWith})
	return engine, spec, container.ControlSwapOff
}

// spec allows all system calls but one: what stops a program in these tests is
// never the profile, unless a test is about it.
func spec() container.Spec {
	return container.Spec{
		Image: imageDigest, Bundle: bundleDigest,
		Command: []string{"/usr/bin/python3", "-sBP", "-c", "pass"}, Environment: []string{"PATH=/usr/bin", "LANG=C.UTF-8", "HOME=/tmp"},
		Seccomp: &specs.LinuxSeccomp{
			DefaultAction: specs.ActAllow,
			Syscalls:      []specs.LinuxSyscall{{Names: []string{"sethostname"}, Action: specs.ActKillProcess}},
		},
		Limits: job.Limits{
			MemoryBytes: 128 << 20, PIDs: 32, CPUMillis: 1000, WallClock: time.Minute, CPUTime: time.Minute,
			OpenFiles: 64, ScratchBytes: 4 << 20, OutputBytes: 4 << 20, OutputFiles: 64,
			StdoutBytes: 1 << 20, StderrBytes: 1 << 20, CodeBytes: 1 << 20,
		},
		Optional: container.ExtraControls(),
	}
}
