package fake_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/job"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	image  = "sha256:" + strings.Repeat("a", 64)
	bundle = "sha256:" + strings.Repeat("b", 64)
)

func TestBehaviour(t *testing.T) {
	machine, dir := newMachine(), t.TempDir()
	containertest.Run(t, containertest.Harness{
		New: func(t *testing.T) container.Engine {
			return newEngine(t, fake.Options{Dir: dir, Program: machine.program})
		},
		Spec:      func(*testing.T) container.Spec { return newSpec() },
		Command:   func(b containertest.Behaviour) []string { return []string{"/behaviour", b.JSON()} },
		Bundle:    containertest.File{Path: "/bundle/table.csv", Content: bundleContent},
		Processes: machine.processes,
		Kill:      machine.kill,
		Leftovers: func(id job.ID) ([]string, error) { return filepath.Glob(filepath.Join(dir, "*"+id.String()+"*")) },
		Lacking: func(t *testing.T) (container.Engine, container.Spec, string) {
			inactive := []string{container.ControlSeccomp}
			return newEngine(t, fake.Options{Program: machine.program, Inactive: inactive}), newSpec(), container.ControlSeccomp
		},
	})
}

func newEngine(t *testing.T, options fake.Options) *fake.Engine {
	t.Helper()
	if options.Dir == "" {
		options.Dir = t.TempDir()
	}
	options.Images, options.Bundles = []string{image}, []string{bundle}
	engine, err := fake.New(options)
	require.NoError(t, err)
	return engine
}

func newSpec() container.Spec {
	return container.Spec{
		Image: image, Bundle: bundle, Command: []string{"/behaviour"},
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
		"no program":        {Dir: "/tmp"},
		"a foreign control": {Dir: "/tmp", Program: exits(container.Exit{}), Inactive: []string{"luck"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fake.New(options)
			require.Error(t, err)
		})
	}
}

func TestExitIsTheProgramsOwn(t *testing.T) {
	want := container.Exit{Code: -1, Signal: "SIGSYS", PIDsDenied: 2, OOMKills: 1, Usage: job.Usage{CPUMS: 7}}
	sandbox, err := newEngine(t, fake.Options{Program: exits(want)}).Create(t.Context(), job.NewID(time.Now()), newSpec())
	require.NoError(t, err)
	got, err := sandbox.Run(t.Context(), discard())
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.NoError(t, sandbox.Destroy(t.Context()))
}

func TestLiveListsWhatNobodyDestroyed(t *testing.T) {
	engine := newEngine(t, fake.Options{Program: exits(container.Exit{})})
	start := time.Now()
	early, late := job.NewID(start), job.NewID(start.Add(time.Second))
	second, err := engine.Create(t.Context(), late, newSpec())
	require.NoError(t, err)
	first, err := engine.Create(t.Context(), early, newSpec())
	require.NoError(t, err)
	require.Equal(t, []job.ID{early, late}, engine.Live())
	require.NoError(t, first.Destroy(t.Context()))
	require.Equal(t, []job.ID{late}, engine.Live())
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
	sandbox, err := newEngine(t, fake.Options{Program: program}).Create(t.Context(), job.NewID(time.Now()), newSpec())
	require.NoError(t, err)
	_, err = sandbox.Run(t.Context(), discard())
	require.NoError(t, err)
	require.Error(t, <-late)
}

func TestFaults(t *testing.T) {
	broken := errors.New("broken host")
	ctx := context.Background()
	create := func(t *testing.T, faults fake.Faults) (*fake.Engine, container.Sandbox, error) {
		engine := newEngine(t, fake.Options{Program: exits(container.Exit{}), Faults: faults})
		sandbox, err := engine.Create(ctx, job.NewID(time.Now()), newSpec())
		return engine, sandbox, err
	}
	t.Run("probe", func(t *testing.T) {
		_, err := newEngine(t, fake.Options{Program: exits(container.Exit{}), Faults: fake.Faults{Probe: broken}}).Probe(ctx, "")
		require.ErrorIs(t, err, broken)
	})
	t.Run("sweep", func(t *testing.T) {
		_, err := newEngine(t, fake.Options{Program: exits(container.Exit{}), Faults: fake.Faults{Sweep: broken}}).Sweep(ctx)
		require.ErrorIs(t, err, broken)
	})
	t.Run("create leaves nothing", func(t *testing.T) {
		engine, sandbox, err := create(t, fake.Faults{Create: broken})
		require.ErrorIs(t, err, broken)
		require.Nil(t, sandbox)
		require.Empty(t, engine.Live())
	})
	t.Run("run", func(t *testing.T) {
		_, sandbox, err := create(t, fake.Faults{Run: broken})
		require.NoError(t, err)
		_, err = sandbox.Run(ctx, discard())
		require.ErrorIs(t, err, broken)
	})
	t.Run("output", func(t *testing.T) {
		_, sandbox, err := create(t, fake.Faults{Output: broken})
		require.NoError(t, err)
		_, err = sandbox.Run(ctx, discard())
		require.NoError(t, err)
		_, err = sandbox.Output()
		require.ErrorIs(t, err, broken)
	})
	t.Run("destroy", func(t *testing.T) {
		engine, sandbox, err := create(t, fake.Faults{Destroy: broken})
		require.NoError(t, err)
		require.ErrorIs(t, sandbox.Destroy(ctx), broken)
		require.Empty(t, engine.Live())
	})
}
