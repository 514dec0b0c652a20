// Package containertest is the behaviour suite that every engine and the fake
// must pass.
//
// It decides what container.Engine and container.Sandbox promise, by programs that
// show one Behaviour each, and by what the host sees of them. It asserts no
// duration: where order matters, test and program shake hands over the streams. It
// does not test how an engine does it; that, and what it leaves behind when its
// owner dies, is for the engine's own tests.
//
// An engine's test calls it in one line:
//
//	func TestBehaviour(t *testing.T) {
//		containertest.Run(t, containertest.Harness{New: newEngine, Spec: baseSpec, …})
//	}
package containertest

import (
	"maps"
	"testing"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// Harness connects the suite to one engine. New, Spec and Bundle are required.
type Harness struct {
	// New returns the engine, fresh or shared. It is called at least once per
	// subtest. The harness releases what it made through t.Cleanup.
	New func(t *testing.T) container.Engine
	// Spec returns a Spec that New's engine accepts, with a bundle. Optional holds
	// what this host lacks. The suite replaces Command, Environment,
	// Seccomp and Limits.
	Spec func(t *testing.T) container.Spec
	// Bundle is a file in the Spec's bundle.
	Bundle BundleFile
	// Command returns the argument vector that shows a behaviour; nil is
	// PythonCommand.
	Command func(Behaviour) []string
	// Environment holds what the engine cannot help adding to Spec.Environment,
	// as "KEY=value".
	Environment []string
	// Devices holds the device nodes that the engine cannot help offering besides
	// null, zero, full, random and urandom.
	Devices []string
	// LoopbackUp accepts a loopback interface that is up. It reaches no further
	// than the sandbox's own network namespace.
	LoopbackUp bool
	// Besides holds the processes of the engine's own that a sandbox sees beside itself.
	Besides []int
	// PIDsUncounted accepts an engine that refuses a process or thread too many and
	// does not count it.
	PIDsUncounted bool
	// OOMsUntold accepts an engine that at times does not know of who met memory.max.
	OOMsUntold bool
	// Processes finds what lives of the sandbox whose Behaviour has this Marker,
	// from outside: HostProcesses for an engine on this kernel. When nil, nobody
	// looks.
	Processes func(marker string) ([]int, error)
	// Kill ends the sandbox's first process with SIGKILL from outside, as the
	// host's administrator could: HostKill for an engine on this kernel. Required
	// with Processes.
	Kill func(marker string) error
	// Leftovers names what is left on the host of a destroyed sandbox:
	// HostLeftovers, or more. When nil, nobody looks.
	Leftovers func(container.ID) ([]string, error)
	// Lacking returns an engine and a Spec, refused only because the named control
	// is inactive and not optional. When nil, the suite uses what Probe reports as
	// inactive, and checks nothing where all is active.
	Lacking func(t *testing.T) (engine container.Engine, spec container.Spec, control string)
	// Limits changes the limits of every sandbox of the suite; nil leaves them.
	Limits func(*job.Limits)
	// LeftOut names subtests ("exit/SIGSEGV is named") that do not apply, each with
	// the reason. One that does not exist is a fault.
	LeftOut map[string]string
	// ShownBy names the engine's own test of a control all of whose subtests are left
	// out. One that is not needed is a fault.
	ShownBy map[string]string
	// Absent names the controls that this engine has on no host.
	Absent []string

	// seen is what the one sandbox of the group identity found out about itself.
	seen *sighting
}

// BundleFile is a file of the bundle as a sandbox sees it.
type BundleFile struct {
	Path    string // absolute
	Content string
}

type subtest struct {
	name string
	run  func(*testing.T, Harness)
}

// Run checks every promise of the contract, in a subtest each.
func Run(t *testing.T, harness Harness) {
	t.Helper()
	harness = harness.complete(t)
	requireKnown(t, harness.LeftOut)
	requireShown(t, harness)
	for _, group := range groups() {
		t.Run(group.name, func(t *testing.T) {
			harness := harness
			if group.prepare != nil {
				harness = group.prepare(t, harness)
			}
			for _, test := range group.tests {
				name := group.name + "/" + test.name
				if reason, out := harness.LeftOut[name]; out {
					t.Logf("left out: %s: %s", name, reason)
					continue
				}
				t.Run(test.name, func(t *testing.T) { test.run(t, harness) })
			}
		})
	}
}

func requireKnown(t *testing.T, leftOut map[string]string) {
	t.Helper()
	unknown := maps.Clone(leftOut)
	for _, group := range groups() {
		for _, test := range group.tests {
			delete(unknown, group.name+"/"+test.name)
		}
	}
	if len(unknown) > 0 {
		t.Fatalf("harness leaves out what is not there: %v", unknown)
	}
}

type group struct {
	name  string
	tests []subtest
	// prepare does what all tests of the group need done once.
	prepare func(*testing.T, Harness) Harness
}

func groups() []group {
	return []group{
		{"lifecycle", lifecycleTests(), nil},
		{"order", orderTests(), nil},
		{"end", endTests(), nil},
		{"streams", streamTests(), nil},
		{"hold", holdTests(), nil},
		{"exit", exitTests(), nil},
		{"limits", limitTests(), nil},
		{"usage", usageTests(), nil},
		{"output", outputTests(), nil},
		{"isolation", isolationTests(), nil},
		{"identity", identityTests(), identify},
		{"refusals", refusalTests(), nil},
	}
}

func (h Harness) complete(t *testing.T) Harness {
	t.Helper()
	if h.New == nil || h.Spec == nil || h.Bundle.Path == "" {
		t.Fatal("harness needs New, Spec and Bundle")
	}
	if (h.Processes == nil) != (h.Kill == nil) {
		t.Fatal("harness needs both Processes and Kill, or neither")
	}
	if h.Command == nil {
		h.Command = PythonCommand
	}
	if h.Processes == nil {
		h.Processes = func(string) ([]int, error) { return nil, nil }
	}
	if h.Leftovers == nil {
		h.Leftovers = func(container.ID) ([]string, error) { return nil, nil }
	}
	return h
}

// spec returns the harness's Spec for b, with limits that leave room for every
// behaviour but those that use them up, and a seccomp profile that hides no other
// control.
func (h Harness) spec(t *testing.T, b Behaviour) container.Spec {
	t.Helper()
	spec := h.Spec(t)
	spec.Command = h.Command(b)
	spec.Environment = []string{"PATH=/usr/bin", "LANG=C.UTF-8", "TZ=UTC", "HOME=" + container.ScratchDir, "ODD= a=b\"$HOME' \n", "EMPTY="}
	spec.Seccomp = WeakSeccomp()
	spec.Limits = job.Limits{
		MemoryBytes:  128 << 20,
		PIDs:         32,
		CPUMillis:    1000,
		WallClock:    time.Minute,
		CPUTime:      time.Minute,
		OpenFiles:    64,
		ScratchBytes: 4 << 20,
		OutputBytes:  4 << 20,
		OutputFiles:  64,
		StdoutBytes:  1 << 20,
		StderrBytes:  1 << 20,
		CodeBytes:    1 << 20,
	}
	if h.Limits != nil {
		h.Limits(&spec.Limits)
	}
	return spec
}
