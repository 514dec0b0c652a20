package runner

import (
	"context"
	"encoding/binary"
	"encoding/json"
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

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/wire"
	"hotcell/policies"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// guard plays the image's guard, or whoever has taken it over.
type guard struct {
	stdio  fake.Stdio
	output *os.Root
}

func (g guard) send(kind byte, payload string) {
	header := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	_, _ = g.stdio.Stdout.Write(append(header, payload...)) // fails once the host has had enough
}

func (g guard) begin() {
	g.send(wire.TypeHello, `{"protocol":7,"guard":"test","python":"3.13.5"}`)
	g.send(wire.TypeReady, "")
}

func (g guard) report(outcome, fields string) {
	g.send(wire.TypeReport, `{"outcome":"`+outcome+`"`+fields+`}`)
}

// write leaves a file and returns its manifest entry.
func (g guard) write(t *testing.T, name, content string) string {
	require.NoError(t, g.output.WriteFile(name, []byte(content), 0o600))
	entry, err := json.Marshal(wire.WrittenFile{Path: name, Bytes: int64(len(content)), SHA256: digest.Of([]byte(content)).Hex(), Role: "file"})
	require.NoError(t, err)
	return string(entry)
}

// bench is a runner whose sandboxes run play.
type bench struct {
	runner  *Runner
	engine  *fake.Engine
	records *records.Store
	events  Events
	stdout  strings.Builder
	phases  []Phase
	state   string // of the engine
}

// ask is the request of a caller who may do everything.
func (b *bench) ask(request job.Request) Ask {
	return Ask{Caller: Caller{Name: "a test", Rights: AllRights()}, Request: request, Events: b.events}
}

func (b *bench) run(ctx context.Context, request job.Request, outputDir string) (Response, error) {
	ask := b.ask(request)
	ask.OutputDir = outputDir
	return b.runner.Run(ctx, ask)
}

func (b *bench) open(ctx context.Context, request job.Request, outputDir string) (*Session, error) {
	ask := b.ask(request)
	ask.OutputDir = outputDir
	return b.runner.OpenSession(ctx, ask)
}

type play func(ctx context.Context, g guard) container.Exit

func newBench(t testing.TB, play play, adapt func(*fake.Options, *Options), faults ...containertest.Fault) *bench {
	t.Helper()
	b := &bench{}
	store, err := records.Open(filepath.Join(t.TempDir(), "state"))
	require.NoError(t, err)
	b.records = store
	bundles, err := bundle.OpenStore(filepath.Join(t.TempDir(), "bundles"))
	require.NoError(t, err)
	engineOptions := fake.Options{StateDir: t.TempDir(), Program: func(container.Spec) fake.Program {
		return func(ctx context.Context, stdio fake.Stdio, output *os.Root) container.Exit {
			return play(ctx, guard{stdio, output})
		}
	}}
	options := Options{
		Policies: policy.NewCatalog(policies.Files, ""), Bundles: bundles, Records: store, Now: time.Now, Version: "v9.9.9",
		Image:   func(string) (digest.Digest, error) { return digest.Of([]byte("image")), nil },
		Profile: func(string) (Profile, error) { return Profile{Digest: "sha256:some", Compile: compiled}, nil },
	}
	b.events = Events{Stdout: &b.stdout, Phase: func(phase Phase) { b.phases = append(b.phases, phase) }}
	if adapt != nil {
		adapt(&engineOptions, &options)
	}
	b.state = engineOptions.StateDir
	b.engine, err = fake.New(engineOptions)
	require.NoError(t, err)
	options.Sandboxes = container.Cold{Engine: containertest.NewFaulty(b.engine, faults...)}
	b.runner, err = New(options)
	require.NoError(t, err)
	return b
}

func compiled() (Filters, error) {
	return Filters{
		Container: &specs.LinuxSeccomp{Syscalls: []specs.LinuxSyscall{{Names: []string{"read"}}}},
		UserCode:  []byte("a filter"),
	}, nil
}

func request() job.Request {
	return job.Request{Policy: "study-analysis", Code: []byte("1 + 1\n"), ScriptName: "a.py"}
}

func honest(t *testing.T) play {
	return func(_ context.Context, g guard) container.Exit {
		g.begin()
		g.send(wire.TypeStdout, "hello\n")
		entry := g.write(t, "a.csv", "x,y\n1,2\n")
		g.report("completed", `,"result":2,"charts":[{"kind":"plotly","spec":{"data":[]}}],"files":[`+entry+`]`)
		return container.Exit{Usage: job.Usage{CPUMS: 5}}
	}
}

// What starts the guard, and in what environment, is a fact of its image.
func TestTheGuardIsStartedAsItsImageHasIt(t *testing.T) {
	var asked container.Spec
	b := newBench(t, honest(t), func(engine *fake.Options, _ *Options) {
		in := engine.Program
		engine.Program = func(spec container.Spec) fake.Program {
			asked = spec
			return in(spec)
		}
	})
	_, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, pythonanalysis.Command(), asked.Command)
	require.Equal(t, pythonanalysis.Environment(container.ScratchDir, 1), asked.Environment)
}

func TestAThreadForEachProcessorThatIsSharedIn(t *testing.T) {
	for millis, want := range map[int64]int64{1: 1, 1000: 1, 1001: 2, 2000: 2} {
		require.Equal(t, pythonanalysis.Environment(container.ScratchDir, want), environment(job.Limits{CPUMillis: millis}), millis)
	}
}

func TestARecordNamesTheSandboxWhichIsNotNamedAfterTheRun(t *testing.T) {
	var b *bench
	var live []container.ID
	b = newBench(t, func(ctx context.Context, g guard) container.Exit {
		live = b.engine.Live()
		return honest(t)(ctx, g)
	}, nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Len(t, live, 1)
	require.Equal(t, live[0].String(), response.Result.Provenance.Sandbox)
	require.NotEqual(t, response.Result.RunID.String(), response.Result.Provenance.Sandbox)

	refused := request()
	refused.Code = nil
	response, err = b.run(t.Context(), refused, "")
	require.NoError(t, err)
	require.Empty(t, response.Result.Provenance.Sandbox, "none was made")
}

func TestRunReleasesVerifiedOutput(t *testing.T) {
	b := newBench(t, honest(t), nil)
	out := filepath.Join(t.TempDir(), "out")
	response, err := b.run(t.Context(), request(), out)
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
	require.JSONEq(t, "2", string(response.Result.Value))
	require.Len(t, response.Result.Charts, 1)
	require.Equal(t, "hello\n", response.Result.Output)
	require.Equal(t, "hello\n", b.stdout.String())
	require.Equal(t, []Phase{PhaseCreating, PhaseStarting, PhaseLoading, PhaseRunning, PhaseVerifying}, b.phases)
	content, err := os.ReadFile(filepath.Join(out, "a.csv"))
	require.NoError(t, err)
	require.Equal(t, "x,y\n1,2\n", string(content))

	record, err := b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	require.Equal(t, response.Result.Files, record.Result.Files)
	require.Equal(t, "v9.9.9", record.Result.Provenance.Runner)
	require.NotEmpty(t, record.Code)
	require.Empty(t, b.engine.Live())
}

func TestRunJudgesTheSandboxNotItsWords(t *testing.T) {
	lasting := func(ctx context.Context) container.Exit { <-ctx.Done(); return container.Exit{} }
	for name, test := range map[string]struct {
		play   play
		status job.Status
		limit  job.Limit
		rule   string
	}{
		"a file that the manifest does not name": {func(_ context.Context, g guard) container.Exit {
			g.begin()
			g.write(t, "a.csv", "x")
			g.report("completed", "")
			return container.Exit{}
		}, job.OutputRejected, "", "output.undeclared"},
		"a manifest that leads outside": {func(_ context.Context, g guard) container.Exit {
			g.begin()
			g.report("completed", `,"files":[{"path":"../../etc/passwd","bytes":1,"sha256":"","role":"file"}]`)
			return container.Exit{}
		}, job.OutputRejected, "", "output.path"},
		"a link": {func(_ context.Context, g guard) container.Exit {
			g.begin()
			require.NoError(t, g.output.Symlink("/etc/passwd", "a.csv"))
			g.report("completed", "")
			return container.Exit{}
		}, job.OutputRejected, "", "output.symlink"},
		"a chart that is no verified figure": {func(_ context.Context, g guard) container.Exit {
			g.begin()
			g.report("completed", `,"charts":[{"kind":"matplotlib","path":"../../etc/passwd"}]`)
			return container.Exit{}
		}, job.OutputRejected, "", "output.chart"},
		"more charts than the policy allows": {func(_ context.Context, g guard) container.Exit {
			g.begin()
			g.report("completed", `,"charts":[`+strings.Repeat(`{"kind":"plotly","spec":{}},`, 20)+`{"kind":"plotly","spec":{}}]`)
			return container.Exit{}
		}, job.OutputRejected, "", "output.chart"},
		"a name that is not UTF-8, then an exception": {func(_ context.Context, g guard) container.Exit {
			g.begin()
			require.NoError(t, g.output.Mkdir("\xff", 0o700))
			g.report("raised", `,"limit":"scratch","error":{"type":"OSError","errno":28}`)
			return container.Exit{}
		}, job.LimitExceeded, job.LimitScratch, ""},
		"a forged frame": {func(ctx context.Context, g guard) container.Exit {
			g.begin()
			g.send('Z', "x")
			return lasting(ctx)
		}, job.OutputRejected, "", "protocol.broken"},
		"a report before it could run": {func(ctx context.Context, g guard) container.Exit {
			g.report("completed", "")
			return lasting(ctx)
		}, job.OutputRejected, "", "protocol.broken"},
		"a report and then a second one": {func(ctx context.Context, g guard) container.Exit {
			g.begin()
			g.report("completed", "")
			g.report("completed", "")
			return lasting(ctx)
		}, job.OutputRejected, "", "protocol.broken"},
		"good words with an oom_kill": {func(_ context.Context, g guard) container.Exit {
			g.begin()
			g.report("completed", "")
			return container.Exit{OOMKills: 1}
		}, job.OutOfMemory, job.LimitMemory, ""},
		"silence": {func(ctx context.Context, g guard) container.Exit {
			g.begin()
			return lasting(ctx)
		}, job.TimedOut, job.LimitWallClock, ""},
		"silence after its report": {func(ctx context.Context, g guard) container.Exit {
			g.begin()
			g.report("completed", "")
			return lasting(ctx)
		}, job.TimedOut, job.LimitWallClock, ""},
		"an exception": {func(_ context.Context, g guard) container.Exit {
			g.begin()
			g.write(t, "a.csv", "x")
			g.report("raised", `,"error":{"type":"ValueError","message":"no","line":1}`)
			return container.Exit{}
		}, job.Failed, "", ""},
	} {
		synctestRun(t, name, func(t *testing.T) {
			b := newBench(t, test.play, nil)
			asked := request()
			asked.Overrides.WallClock = time.Second
			out := filepath.Join(t.TempDir(), "out")
			response, err := b.run(t.Context(), asked, out)
			require.NoError(t, err)
			result := response.Result
			require.Equal(t, test.status, result.Status, "%+v", result)
			require.Equal(t, test.limit, result.Limit)
			if test.rule != "" {
				require.NotEmpty(t, result.Violations)
				require.Equal(t, test.rule, result.Violations[0].Rule)
			}
			require.NoDirExists(t, out, "nothing is released")
			require.Empty(t, result.Files)
			require.JSONEq(t, "null", string(result.Value))
			require.Empty(t, b.engine.Live())
			_, err = b.records.Get(t.Context(), result.RunID)
			require.NoError(t, err)
		})
	}
}

func TestRunQuarantinesWhatItDoesNotRelease(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.begin()
		g.write(t, "a.csv", "secret")
		g.report("completed", "")
		return container.Exit{}
	}, nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	index, err := os.ReadFile(filepath.Join(response.QuarantineDir, "index.json"))
	require.NoError(t, err)
	require.Contains(t, string(index), "output.undeclared")
}

func TestOutputThatTakesTooLongToCheckIsAVerdict(t *testing.T) {
	b := newBench(t, honest(t), func(_ *fake.Options, options *Options) { options.judgeTime = time.Nanosecond })
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.OutputRejected, response.Result.Status)
	require.Equal(t, "output.check_time", response.Result.Violations[0].Rule)
	require.NotEmpty(t, response.QuarantineDir)
	_, err = b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	require.Empty(t, b.engine.Live())
}

func TestRunRefusesSourceWithoutASandbox(t *testing.T) {
	for name, test := range map[string]struct {
		code   string
		status job.Status
		rule   string
		line   int
	}{
		"empty":         {" \n", job.Rejected, "source.empty", 1},
		"a NUL byte":    {"a = 1\nb\x00", job.Rejected, "source.nul", 2},
		"invalid UTF-8": {"a = 1\nb = '\xff'\n", job.Rejected, "source.encoding", 2},
		"too large":     {strings.Repeat("#", 256<<10+1), job.LimitExceeded, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(context.Context, guard) container.Exit {
				t.Error("a sandbox ran")
				return container.Exit{}
			}, nil)
			asked := request()
			asked.Code = []byte(test.code)
			response, err := b.run(t.Context(), asked, "")
			require.NoError(t, err)
			require.Equal(t, test.status, response.Result.Status)
			if test.rule != "" {
				require.Equal(t, test.rule, response.Result.Violations[0].Rule)
				require.Equal(t, test.line, response.Result.Violations[0].Line)
			} else {
				require.Equal(t, job.LimitCode, response.Result.Limit)
			}
		})
	}
}

func TestRunRefusesBadInput(t *testing.T) {
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "a"), nil, 0o600))
	for name, test := range map[string]struct {
		change func(*job.Request)
		output string
		want   string
	}{
		"an unknown policy":              {func(r *job.Request) { r.Policy = "nope" }, "", "unknown policy"},
		"an unknown bundle":              {func(r *job.Request) { r.Bundle = "nope" }, "", "nope"},
		"an override above the policy":   {func(r *job.Request) { r.Overrides.PIDs = 65 }, "", "only tighten"},
		"an output directory with files": {func(*job.Request) {}, full, "not empty"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, honest(t), nil)
			asked := request()
			test.change(&asked)
			_, err := b.run(t.Context(), asked, test.output)
			require.ErrorIs(t, err, ErrInput)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestRunCutsStreamsWhereThePolicySaysSo(t *testing.T) {
	flood := func(_ context.Context, g guard) container.Exit {
		g.begin()
		for range 10 {
			g.send(wire.TypeStdout, strings.Repeat("x", 60_000))
		}
		g.report("completed", "")
		return container.Exit{}
	}
	b := newBench(t, flood, nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
	require.Len(t, response.Result.Stdout, 200_000)
	require.True(t, response.Result.Truncated.Stdout)

	b = newBench(t, flood, func(_ *fake.Options, options *Options) { options.Policies = ending200k{options.Policies} })
	response, err = b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.LimitExceeded, response.Result.Status)
	require.Equal(t, job.LimitStdout, response.Result.Limit)
}

// ending200k serves policies that end a run whose stdout is full.
type ending200k struct{ catalog }

func (e ending200k) Get(name string) (policy.Policy, error) {
	found, err := e.catalog.Get(name)
	found.Output.WhenStdoutIsFull = policy.OverflowEnd
	return found, err
}

func TestRunCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(t, func(ctx context.Context, g guard) container.Exit {
		g.begin()
		cancel()
		<-ctx.Done()
		return container.Exit{}
	}, nil)
	response, err := b.run(ctx, request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, response.Result.Status)
	_, err = b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
}

func TestRunLeavesNothingWhenTheHostFails(t *testing.T) {
	failure := errors.New("host fails")
	for _, call := range []containertest.Call{containertest.CallProbe, containertest.CallCreate} {
		t.Run("at "+string(call), func(t *testing.T) {
			b := newBench(t, honest(t), nil, containertest.Fault{Call: call, Err: failure})
			_, err := b.run(t.Context(), request(), "")
			require.ErrorIs(t, err, failure)
			runs, err := b.records.List(t.Context())
			require.NoError(t, err)
			require.Empty(t, runs)
			require.Empty(t, b.engine.Live())
		})
	}
}

func TestRunThatHasBegunIsRecordedWhenTheHostFails(t *testing.T) {
	failure := errors.New("host fails")
	b := newBench(t, honest(t), nil, containertest.Fault{Call: containertest.CallRun, Err: failure})
	response, err := b.run(t.Context(), request(), "")
	require.ErrorIs(t, err, failure)
	record, err := b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	require.Equal(t, job.OutputRejected, record.Result.Status)
	require.Equal(t, "output.unverifiable", record.Result.Violations[0].Rule)
	require.Empty(t, b.engine.Live())
}

func TestRunIsRecordedEvenIfItsSandboxCannotBeRemoved(t *testing.T) {
	failure := errors.New("device is busy")
	b := newBench(t, honest(t), nil, containertest.Fault{Call: containertest.CallDestroy, Err: failure})
	response, err := b.run(t.Context(), request(), "")
	require.ErrorIs(t, err, failure)
	_, err = b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
}

func TestRunThatCannotBeJudgedIsRecorded(t *testing.T) {
	failure := errors.New("disk cannot be read")
	b := newBench(t, honest(t), nil, containertest.Fault{Call: containertest.CallOutput, Err: failure})
	response, err := b.run(t.Context(), request(), "")
	require.ErrorIs(t, err, failure)
	record, err := b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	require.Equal(t, job.OutputRejected, record.Result.Status)
	require.Equal(t, "output.unverifiable", record.Result.Violations[0].Rule)
	require.Equal(t, "hello\n", record.Result.Stdout)
}

// deaf is an output that nobody reads any more.
type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestRunIsRecordedEvenIfNobodyReadsItsOutput(t *testing.T) {
	b := newBench(t, honest(t), nil)
	b.events.Stdout = deaf{}
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.ErrorIs(t, response.StreamError, io.ErrClosedPipe)
	require.Equal(t, job.Succeeded, response.Result.Status)
	require.Equal(t, "hello\n", response.Result.Stdout)
}

func TestRunThatIsCancelledBeforeItsSandboxExistsIsRecorded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(t, honest(t), nil)
	b.events.Phase = func(Phase) { cancel() }
	response, err := b.run(ctx, request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, response.Result.Status)
	require.Empty(t, b.engine.Live())
}

// A terminal's signal may reach the runtime before it is out of the runner's group.
func TestRunWhoseRuntimeDiesOfTheSameSignalIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(t, func(context.Context, guard) container.Exit {
		cancel()
		return container.Exit{}
	}, nil, containertest.Fault{Call: containertest.CallRun, Err: errors.New("run crun start: signal: interrupt")})
	response, err := b.run(ctx, request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, response.Result.Status)
	require.Empty(t, b.engine.Live())
	_, err = b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
}

func TestRunLosesNothingOfStderrAroundReady(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		_, _ = io.WriteString(g.stdio.Stderr, "before")
		g.begin()
		g.send(wire.TypeStdout, "x") // ready has been received once this is accepted
		_, _ = io.WriteString(g.stdio.Stderr, "after")
		g.report("completed", "")
		return container.Exit{}
	}, nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Contains(t, response.Result.Stderr, "before")
	require.Contains(t, response.Result.Stderr, "after")
}

func TestRunTellsItsOwnFaultsFromTheUsers(t *testing.T) {
	b := newBench(t, honest(t), func(_ *fake.Options, o *Options) {
		broken := func() (Filters, error) { return Filters{}, errors.New("libseccomp is broken") }
		o.Profile = func(string) (Profile, error) { return Profile{Compile: broken}, nil }
	})
	_, err := b.run(t.Context(), request(), "")
	require.ErrorContains(t, err, "libseccomp is broken")
	require.NotErrorIs(t, err, ErrInput)
}

func TestRunRefusesAHostThatLacksAControl(t *testing.T) {
	lacking := func(control string) func(*fake.Options, *Options) {
		return func(o *fake.Options, _ *Options) { o.Inactive = []string{control} }
	}
	b := newBench(t, honest(t), lacking(container.ControlSeccomp))
	_, err := b.run(t.Context(), request(), "")
	require.ErrorContains(t, err, container.ControlSeccomp)

	b = newBench(t, honest(t), lacking(container.ControlUserNamespace)) // optional in this policy
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Contains(t, response.Result.Provenance.Controls, job.Control{Name: container.ControlUserNamespace, Detail: "switched off for this test"})
}

func TestRunClaimsNothingWhenTheGuardCannotWork(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		_, _ = io.WriteString(g.stdio.Stderr, "No module named hotcell_guard")
		return container.Exit{Code: 1}
	}, nil)
	_, err := b.run(t.Context(), request(), "")
	require.ErrorContains(t, err, "No module named hotcell_guard")
}

func TestNewRefusesMissingOptions(t *testing.T) {
	_, err := New(Options{})
	require.Error(t, err)
}

func FuzzReceivedStream(f *testing.F) {
	f.Add([]byte("H\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		b := newBench(t, func(_ context.Context, g guard) container.Exit {
			_, _ = g.stdio.Stdout.Write(stream)
			return container.Exit{}
		}, nil)
		response, err := b.run(t.Context(), request(), "")
		if err == nil {
			require.NotEqual(t, job.ExitInternal, response.Result.Status.ExitCode())
		}
	})
}

// Another run can take the name after it was found free.
func TestADestinationThatWasTakenKeepsTheAnswer(t *testing.T) {
	for name, take := range map[string]func(string) error{
		"by a directory with files": func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "another's"), nil, 0o600))
		},
		"by a file": func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"by a link": func(dir string) error { return os.Symlink(t.TempDir(), dir) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			b := newBench(t, honest(t), nil)
			b.events.Phase = func(phase Phase) {
				if phase == PhaseVerifying {
					require.NoError(t, take(dir))
				}
			}
			response, err := b.run(t.Context(), request(), dir)
			require.ErrorIs(t, err, ErrExport)
			require.NotErrorIs(t, err, ErrInput, "it was free when it was named")
			require.Equal(t, job.Succeeded, response.Result.Status)
			require.Contains(t, err.Error(), response.RecordDir)
			require.DirExists(t, filepath.Join(response.RecordDir, "files"))
		})
	}
}
