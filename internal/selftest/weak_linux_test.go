package selftest_test

import (
	"cmp"
	"encoding/binary"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/oci"
	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
	"hotcell/internal/seccomp"
	"hotcell/internal/selftest"
	"hotcell/policies"
)

// weak makes every sandbox of the engine with a filter that holds little.
func weak(engine container.Engine) container.Engine {
	return containertest.NewFaulty(engine, containertest.Fault{Call: containertest.CallCreate, Loosen: func(spec *container.Spec) {
		spec.Seccomp = weakSeccomp()
	}})
}

const requireAll = "HOTCELL_REQUIRE_ALL"

func lacking(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv(requireAll) == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

func instruction(code uint16, jt, jf uint8, k uint32) []byte {
	made := binary.NativeEndian.AppendUint16(nil, code)
	return binary.NativeEndian.AppendUint32(append(made, jt, jf), k)
}

// barelyLocked refuses what the guard looks for to know that its lock holds, code in
// memory, and nothing else.
func barelyLocked() []byte {
	const load, equal, bits, end = 0x20, 0x15, 0x45, 0x06
	const mmap, protection, executable, eperm, allow = 9, 16 + 2*8, 4, 0x00050001, 0x7fff0000
	return slices.Concat(
		instruction(load, 0, 0, 0), instruction(equal, 0, 3, mmap),
		instruction(load, 0, 0, protection), instruction(bits, 0, 1, executable),
		instruction(end, 0, 0, eperm), instruction(end, 0, 0, allow),
	)
}

// chosen are some probes that nothing but seccomp holds, and one that other layers
// hold.
func chosen(t *testing.T) []selftest.Probe {
	t.Helper()
	all, err := selftest.BuiltIn()
	require.NoError(t, err)
	names := []string{"keyring", "personality", "splice", "host_file"}
	return slices.DeleteFunc(all.Probes, func(p selftest.Probe) bool { return !slices.Contains(names, p.Name) })
}

func realOptions(t *testing.T) selftest.Options {
	t.Helper()
	dir := cmp.Or(os.Getenv("HOTCELL_TEST_IMAGE"), "/var/lib/hotcell/images")
	if _, err := os.Stat(filepath.Join(dir, "index.json")); err != nil || os.Geteuid() != 0 {
		lacking(t, "needs root and the image: make image")
	}
	images, err := image.OpenStore(dir)
	require.NoError(t, err)
	state := t.TempDir()
	kept, err := records.Open(filepath.Join(state, "kept"))
	require.NoError(t, err)
	bundles, err := bundle.OpenStore(filepath.Join(state, "bundles"))
	require.NoError(t, err)
	engine, err := oci.New(oci.Options{
		StateDir: filepath.Join(state, "sandboxes"), Images: images, Bundles: bundles, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	require.NoError(t, err)
	study, err := policy.NewCatalog(policies.Files, "").Get("study-analysis")
	require.NoError(t, err)
	return selftest.Options{
		Engine: engine, Policy: study, Attacks: selftest.Attacks{Probes: chosen(t)}, Jobs: 2,
		Runner: runner.Options{
			Bundles: bundles, Records: kept, Now: time.Now, Version: "test", Profile: shipped(t),
			Image: func(name string) (digest.Digest, error) {
				found, err := images.Resolve(name)
				return found.Digest, err
			},
		},
	}
}

func shipped(t *testing.T) func(string) (runner.Profile, error) {
	t.Helper()
	load := func(name string) *seccomp.Profile {
		source, err := policies.Files.ReadFile("seccomp/" + name + ".json")
		require.NoError(t, err)
		profile, err := seccomp.Load(name, source)
		require.NoError(t, err)
		return profile
	}
	program, err := load("python-analysis.user").Compile(seccomp.AMD64)
	require.NoError(t, err)
	first := load("python-analysis").OCI()
	return profileOf(runner.Filters{Container: first, UserCode: program.Bytes()})
}

// profileOf answers every name with the same filters.
func profileOf(filters runner.Filters) func(string) (runner.Profile, error) {
	return func(string) (runner.Profile, error) {
		return runner.Profile{Digest: "sha256:one", Compile: func() (runner.Filters, error) { return filters, nil }}, nil
	}
}

func TestTheShippedIsolationHolds(t *testing.T) {
	report, err := selftest.Run(t.Context(), realOptions(t))
	require.NoError(t, err)
	require.Empty(t, report.Bad())
	require.Empty(t, report.Lost())
	require.True(t, report.Contained())
}

// weakSeccomp is for a kernel without Landlock, which would hold some of what seccomp
// lets through here.
func weakSeccomp() *specs.LinuxSeccomp {
	weak, noSuchCall := containertest.WeakSeccomp(), uint(unix.ENOSYS)
	weak.Syscalls = append(weak.Syscalls, specs.LinuxSyscall{
		Names: []string{"landlock_create_ruleset"}, Action: specs.ActErrno, ErrnoRet: &noSuchCall,
	})
	return weak
}

// requiresLandlock lets no run be without it.
type requiresLandlock struct{ policy.Fixed }

func (r requiresLandlock) Get(string) (policy.Policy, error) {
	r.Policy.Isolation.RequiredControls = []string{container.ControlLandlock}
	return r.Policy, nil
}

// The host has it, and the guard's own look at the kernel does not find it: what it is
// told to bring comes before the code.
func TestCodeThatRequiresLandlockDoesNotBeginWithoutIt(t *testing.T) {
	shipped := realOptions(t)
	options := shipped.Runner
	study, err := policy.NewCatalog(policies.Files, "").Get("study-analysis")
	require.NoError(t, err)
	options.Policies = requiresLandlock{policy.Fixed{Policy: study}}
	run := func(engine container.Engine) (string, error) {
		var stdout strings.Builder
		options.Sandboxes = container.Cold{Engine: engine}
		made, err := runner.New(options)
		require.NoError(t, err)
		_, err = made.Run(t.Context(), runner.Ask{
			Request: job.Request{Policy: study.Name, Code: []byte("print('ran')\n"), ScriptName: "a.py"},
			Events:  runner.Events{Stdout: &stdout},
		})
		return stdout.String(), err
	}
	if _, absent := container.Landlock(); absent != nil {
		_, err := run(shipped.Engine)
		require.ErrorContains(t, err, container.ControlLandlock, "refused before there is a guard")
		return
	}
	engine := shipped.Engine
	printed, err := run(engine)
	require.NoError(t, err)
	require.Equal(t, "ran\n", printed)

	printed, err = run(weak(engine))
	_, ok := errors.AsType[*runner.GuardError](err)
	require.True(t, ok, "got %v", err)
	require.ErrorContains(t, err, "the policy requires landlock, and it is not in force: this kernel has no Landlock, or a filter hides it")
	require.ErrorContains(t, err, container.WayOut(container.ControlLandlock))
	require.Empty(t, printed)
}

// A self-test that cannot turn red proves nothing.
func TestAWeakContainerTurnsItRed(t *testing.T) {
	options := realOptions(t)
	options.Engine = weak(options.Engine)
	options.Runner.Profile = profileOf(runner.Filters{Container: weakSeccomp(), UserCode: barelyLocked()})
	report, err := selftest.Run(t.Context(), options)
	require.NoError(t, err)
	require.False(t, report.Contained())
	found := map[string]selftest.Verdict{}
	for _, outcome := range report.Outcomes {
		if outcome.Mode == selftest.GuardOff {
			found[outcome.Attack] = outcome.Verdict
		}
	}
	for _, probe := range options.Attacks.Probes {
		want := selftest.Escaped
		if !probe.SeccompOnly {
			want = selftest.Held // by the other layers
		}
		require.Equal(t, want, found[probe.Name], probe.Name)
	}
	require.Empty(t, report.Lost())
}
