package containertest_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

func engine(t *testing.T) *fake.Engine {
	t.Helper()
	made, err := fake.New(fake.Options{StateDir: t.TempDir(), Program: func(container.Spec) fake.Program {
		return func(context.Context, fake.Stdio, *os.Root) container.Exit { return container.Exit{} }
	}})
	require.NoError(t, err)
	return made
}

func spec() container.Spec {
	return container.Spec{
		Image: digest.Of([]byte("image")), Command: []string{"/guard"}, Environment: []string{"PATH=/usr/bin", "HOME=/"},
		Seccomp: &specs.LinuxSeccomp{Syscalls: []specs.LinuxSyscall{{Names: []string{"read"}}}},
		Limits: job.Limits{
			MemoryBytes: 1, PIDs: 1, CPUMillis: 1, WallClock: 1, CPUTime: 1, OpenFiles: 1, ScratchBytes: 1,
			OutputBytes: 1, OutputFiles: 1, StdoutBytes: 1, StderrBytes: 1, CodeBytes: 1,
		},
	}
}

// round makes every call once, in order, and returns the first error.
func round(ctx context.Context, engine container.Engine) error {
	engine.Name()
	if _, err := engine.Probe(ctx, ""); err != nil {
		return err
	}
	if _, err := engine.Sweep(ctx); err != nil {
		return err
	}
	sandbox, err := engine.Create(ctx, container.NewID(), spec())
	if err != nil {
		return err
	}
	_, err = sandbox.Run(ctx, container.Streams{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
	if err == nil {
		var root *os.Root
		if root, err = sandbox.Output(ctx); err == nil {
			err = root.Close()
		}
	} else if _, before := sandbox.Output(ctx); !errors.Is(before, container.ErrNotEnded) {
		return errors.Join(err, before)
	}
	return errors.Join(err, sandbox.Destroy(ctx))
}

var everyCall = []containertest.Call{
	containertest.CallProbe, containertest.CallSweep, containertest.CallCreate, containertest.CallRun,
	containertest.CallOutput, containertest.CallDestroy,
}

func TestTheCallAtFaultFails(t *testing.T) {
	broken := errors.New("broken host")
	for _, call := range everyCall {
		t.Run(string(call), func(t *testing.T) {
			own := engine(t)
			faulty := containertest.NewFaulty(own, containertest.Fault{Call: call, At: 2, Err: broken})
			require.NoError(t, round(t.Context(), faulty), "the first")
			require.ErrorIs(t, round(t.Context(), faulty), broken, "the second")
			require.NoError(t, round(t.Context(), faulty), "the third")
			require.Empty(t, own.Live(), "its own part was done")
			require.NoError(t, faulty.Close())
		})
	}
}

func TestTheCallAtFaultPanics(t *testing.T) {
	for _, call := range append(everyCall, containertest.CallName) {
		faulty := containertest.NewFaulty(engine(t), containertest.Fault{Call: call, Panic: "thrown"})
		require.PanicsWithValue(t, "thrown", func() { _ = round(t.Context(), faulty) }, call)
	}
}

func TestTheCallAtFaultHangsAsLongAsItsContext(t *testing.T) {
	for _, call := range everyCall {
		why := errors.New("nobody waits any more")
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := make(chan error)
		faulty := containertest.NewFaulty(engine(t), containertest.Fault{Call: call, Hang: true})
		go func() { ended <- round(ctx, faulty) }()
		cancel(why)
		require.ErrorIs(t, <-ended, why, call)
	}
}

func TestNothingIsLeftOfASandboxThatWasNotMade(t *testing.T) {
	own := engine(t)
	for _, fault := range []containertest.Fault{{Err: errors.New("broken")}, {Panic: "thrown"}} {
		fault.Call = containertest.CallCreate
		func() {
			defer func() { _ = recover() }()
			_ = round(t.Context(), containertest.NewFaulty(own, fault))
		}()
		require.Empty(t, own.Live())
	}
}

func TestCloseFailsToo(t *testing.T) {
	broken := errors.New("broken host")
	own := engine(t)
	faulty := containertest.NewFaulty(own, containertest.Fault{Call: containertest.CallClose, Err: broken})
	require.ErrorIs(t, faulty.Close(), broken)
	_, err := own.Probe(t.Context(), "")
	require.ErrorIs(t, err, container.ErrClosed)
}

func TestASpecIsLoosened(t *testing.T) {
	var asked []string
	made, err := fake.New(fake.Options{StateDir: t.TempDir(), Program: func(spec container.Spec) fake.Program {
		asked = append(asked, spec.Command[0])
		return func(context.Context, fake.Stdio, *os.Root) container.Exit { return container.Exit{} }
	}})
	require.NoError(t, err)
	weak := containertest.NewFaulty(made, containertest.Fault{Call: containertest.CallCreate, At: 2, Loosen: func(spec *container.Spec) {
		spec.Command = []string{"/weak"}
	}})
	require.NoError(t, round(t.Context(), weak))
	require.NoError(t, round(t.Context(), weak))
	require.Equal(t, []string{"/guard", "/weak"}, asked)
}
