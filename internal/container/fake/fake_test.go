package fake_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	image  = digest.Of([]byte("image"))
	bundle = digest.Of([]byte("bundle"))
)

func TestBehaviour(t *testing.T) {
	containertest.Run(t, harness(t, func(engine *fake.Engine) container.Engine { return engine }))
}

// What tests break with faults is sound without them.
func TestBehaviourOfAFaultyEngineWithoutFaults(t *testing.T) {
	containertest.Run(t, harness(t, func(engine *fake.Engine) container.Engine { return containertest.NewFaulty(engine) }))
}

func harness(t *testing.T, wrap func(*fake.Engine) container.Engine) containertest.Harness {
	t.Helper()
	machine, dir := newMachine(), t.TempDir()
	return containertest.Harness{
		New: func(t *testing.T) container.Engine {
			return wrap(newEngine(t, fake.Options{StateDir: dir, Program: machine.program}))
		},
		Spec:      func(*testing.T) container.Spec { return newSpec() },
		Command:   func(b containertest.Behaviour) []string { return []string{"/behaviour", b.JSON()} },
		Bundle:    containertest.BundleFile{Path: "/bundle/table.csv", Content: bundleContent},
		Processes: machine.processes,
		Kill:      machine.kill,
		Leftovers: func(id container.ID) ([]string, error) { return filepath.Glob(filepath.Join(dir, "*"+id.String()+"*")) },
		Lacking: func(t *testing.T) (container.Engine, container.Spec, string) {
			inactive := []string{container.ControlSeccomp}
			return wrap(newEngine(t, fake.Options{Program: machine.program, Inactive: inactive})), newSpec(), container.ControlSeccomp
		},
		LeftOut: map[string]string{"hold/nothing changes while a sandbox is held": "a program here is a function, which nobody can stop"},
	}
}

func newEngine(t *testing.T, options fake.Options) *fake.Engine {
	t.Helper()
	if options.StateDir == "" {
		options.StateDir = t.TempDir()
	}
	options.Images, options.Bundles = []digest.Digest{image}, []digest.Digest{bundle}
	engine, err := fake.New(options)
	require.NoError(t, err)
	return engine
}

func newSpec() container.Spec {
	return container.Spec{
		Image: image, Bundle: bundle, Command: []string{"/behaviour"}, Environment: []string{"PATH=/", "HOME=/"},
		Seccomp: &specs.LinuxSeccomp{DefaultAction: specs.ActErrno, Syscalls: []specs.LinuxSyscall{{Names: []string{"read"}, Action: specs.ActAllow}}},
		Limits: job.Limits{
			MemoryBytes: 1, PIDs: 1, CPUMillis: 1, WallClock: 1, CPUTime: 1, OpenFiles: 1, ScratchBytes: 1,
			OutputBytes: 1, OutputFiles: 1, StdoutBytes: 1, StderrBytes: 1, CodeBytes: 1,
		},
	}
}

func exits(exit container.Exit) func(container.Spec) fake.Program {
	return func(container.Spec) fake.Program {
		return func(context.Context, fake.Stdio, *os.Root) container.Exit { return exit }
	}
}

func discard() container.Streams {
	return container.Streams{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}
}

func TestNewRefuses(t *testing.T) {
	for name, options := range map[string]fake.Options{
		"no directory":      {Program: exits(container.Exit{})},
		"no program":        {StateDir: "/tmp"},
		"a foreign control": {StateDir: "/tmp", Program: exits(container.Exit{}), Inactive: []string{"luck"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fake.New(options)
			require.Error(t, err)
		})
	}
}

func TestExitIsTheProgramsOwn(t *testing.T) {
	want := container.Exit{Code: -1, Signal: "SIGSYS", PIDsDenied: 2, OOMKills: 1, Usage: job.Usage{CPUMS: 7}}
	sandbox, err := newEngine(t, fake.Options{Program: exits(want)}).Create(t.Context(), container.NewID(), newSpec())
	require.NoError(t, err)
	got, err := sandbox.Run(t.Context(), discard())
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.NoError(t, sandbox.Destroy(t.Context()))
}

func TestLiveListsWhatNobodyDestroyed(t *testing.T) {
	engine := newEngine(t, fake.Options{Program: exits(container.Exit{})})
	early, late := container.NewID(), container.NewID()
	first, err := engine.Create(t.Context(), early, newSpec())
	require.NoError(t, err)
	second, err := engine.Create(t.Context(), late, newSpec())
	require.NoError(t, err)
	require.Equal(t, []container.ID{early, late}, engine.Live())
	require.NoError(t, first.Destroy(t.Context()))
	require.Equal(t, []container.ID{late}, engine.Live())
	require.NoError(t, second.Destroy(t.Context()))
	require.Empty(t, engine.Live())
}

func TestNobodyWritesAfterTheProgramHasReturned(t *testing.T) {
	late := make(chan error)
	program := func(container.Spec) fake.Program {
		return func(_ context.Context, stdio fake.Stdio, _ *os.Root) container.Exit {
			returned := make(chan struct{})
			defer close(returned)
			go func() {
				<-returned
				for {
					if _, err := stdio.Stdout.Write([]byte("late")); err != nil {
						late <- err
						return
					}
				}
			}()
			return container.Exit{}
		}
	}
	sandbox, err := newEngine(t, fake.Options{Program: program}).Create(t.Context(), container.NewID(), newSpec())
	require.NoError(t, err)
	_, err = sandbox.Run(t.Context(), discard())
	require.NoError(t, err)
	require.Error(t, <-late)
}
