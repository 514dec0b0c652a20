package selftest

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/digest"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
	"hotcell/internal/wire"
	"hotcell/policies"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// asked is what the host has sent to one guard.
type asked struct {
	start wire.Start
	code  string
}

// play answers for one sandbox: what it prints, and how it says that it ended.
type play func(asked) (stdout string, outcome wire.Outcome)

func frame(kind byte, payload string) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(payload))), payload...)
}

// listen reads to the code. It fails when the host has hung up.
func listen(from io.Reader) (got asked, err error) {
	for {
		header := make([]byte, 5)
		if _, err := io.ReadFull(from, header); err != nil {
			return got, err
		}
		payload := make([]byte, binary.BigEndian.Uint32(header[1:]))
		if _, err := io.ReadFull(from, payload); err != nil {
			return got, err
		}
		switch header[0] {
		case wire.TypeStart:
			if err := json.Unmarshal(payload, &got.start); err != nil {
				return got, err
			}
		case wire.TypeCode:
			got.code = string(payload)
			return got, nil
		}
	}
}

func options(t *testing.T, play play, change func(*fake.Options)) Options {
	t.Helper()
	kept, err := records.Open(filepath.Join(t.TempDir(), "state"))
	require.NoError(t, err)
	bundles, err := bundle.OpenStore(filepath.Join(t.TempDir(), "bundles"))
	require.NoError(t, err)
	engineOptions := fake.Options{StateDir: t.TempDir(), Program: func(container.Spec) fake.Program {
		return func(_ context.Context, stdio fake.Stdio, _ *os.Root) container.Exit {
			_, _ = stdio.Stdout.Write(frame(wire.TypeHello, `{"protocol":7,"guard":"test","python":"3.13.5"}`))
			heard, err := listen(stdio.Stdin)
			if err != nil {
				return container.Exit{Code: 70} // as a guard ends that cannot go on
			}
			printed, outcome := play(heard)
			if outcome != wire.OutcomeRejected {
				_, _ = stdio.Stdout.Write(slices.Concat(frame(wire.TypeReady, ""), frame(wire.TypeStdout, printed)))
			}
			report := fmt.Sprintf(`{"outcome":%q`, outcome)
			if outcome == wire.OutcomeRejected {
				report += `,"violations":[{"rule":"import.denied","line":1,"column":1,"message":"no"}]`
			}
			_, _ = stdio.Stdout.Write(frame(wire.TypeReport, report+"}"))
			return container.Exit{}
		}
	}}
	if change != nil {
		change(&engineOptions)
	}
	engine, err := fake.New(engineOptions)
	require.NoError(t, err)
	chosen, err := policy.NewCatalog(policies.Files, "").Get("study-analysis")
	require.NoError(t, err)
	return Options{
		Engine: engine, Policy: chosen, Jobs: 2, Attacks: Attacks{Probes: []Probe{probe("b"), probe("a")}},
		Runner: runner.Options{
			Bundles: bundles, Records: kept, Now: time.Now, Version: "test",
			Image: func(string) (digest.Digest, error) { return digest.Of([]byte("image")), nil },
			Profile: func(string) (runner.Profile, error) {
				return runner.Profile{Digest: "sha256:some", Compile: func() (runner.Filters, error) {
					return runner.Filters{Container: &specs.LinuxSeccomp{Syscalls: []specs.LinuxSyscall{{Names: []string{"read"}}}}, UserCode: make([]byte, 8)}, nil
				}}, nil
			},
		},
	}
}

// honest plays a guard and a container that hold.
func honest(a asked) (string, wire.Outcome) {
	if !a.start.Rules.Unguarded {
		return "", wire.OutcomeRejected
	}
	return "HELD:" + strings.TrimSuffix(a.start.ScriptName, ".py") + ":EPERM\n", wire.OutcomeCompleted
}

func verdicts(report Report) map[string]Verdict {
	all := map[string]Verdict{}
	for _, outcome := range report.Outcomes {
		all[outcome.Attack+" "+string(outcome.Mode)] = outcome.Verdict
	}
	return all
}

func TestRunTriesEveryProbeWithTheGuardOffAndOn(t *testing.T) {
	with := options(t, honest, nil)
	with.Attacks.Attempts = []Attempt{{Name: "z", Class: "G01", Source: []byte("x = '@CANARY@ @PORT@'")}}
	var last int
	with.Progress = func(done, total int, _ Outcome) {
		last++
		require.Equal(t, last, done)
		require.Equal(t, 5, total)
	}
	report, err := Run(t.Context(), with)
	require.NoError(t, err)
	require.Equal(t, map[string]Verdict{
		"a guard_off": Held, "b guard_off": Held, "a guard_on": Rejected, "b guard_on": Rejected, "z guard_on": Rejected,
	}, verdicts(report))
	require.True(t, report.Contained(), "%+v", report.Canaries)
	require.Equal(t, 5, last)
	var order []string
	for _, outcome := range report.Outcomes {
		order = append(order, outcome.Attack+string(outcome.Mode))
	}
	require.Equal(t, []string{"aguard_off", "bguard_off", "aguard_on", "bguard_on", "zguard_on"}, order)
}

func TestAnEscapeTurnsItRed(t *testing.T) {
	report, err := Run(t.Context(), options(t, func(a asked) (string, wire.Outcome) {
		if a.start.ScriptName == "a.py" && a.start.Rules.Unguarded {
			return "ESCAPED:a it\n", wire.OutcomeCompleted
		}
		return honest(a)
	}, nil))
	require.NoError(t, err)
	require.False(t, report.Contained())
	require.Equal(t, []string{"a"}, []string{report.Bad()[0].Attack})
}

func TestAWordOfASecretTurnsItRed(t *testing.T) {
	report, err := Run(t.Context(), options(t, func(a asked) (string, wire.Outcome) {
		// A container that shows the host's files.
		_, rest, _ := strings.Cut(a.code, `\"secret\":\"`)
		path, _, _ := strings.Cut(rest, `\"`)
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		printed, outcome := honest(a)
		return printed + string(content), outcome
	}, nil))
	require.NoError(t, err)
	require.Equal(t, Escaped, verdicts(report)["a guard_off"])
	require.Contains(t, report.Bad()[0].Detail, "secret of the host")
}

func TestAMissingControlIsInTheReport(t *testing.T) {
	report, err := Run(t.Context(), options(t, honest, func(o *fake.Options) { o.Inactive = []string{container.ControlUserNamespace} }))
	require.NoError(t, err)
	require.Equal(t, []string{container.ControlUserNamespace, container.ControlLandlock}, report.absent(), "the fake's guard does not tell of its lock")
	require.Contains(t, report.Optional, container.ControlUserNamespace)
}

func TestAFailingHostIsAnErrorAndNoVerdict(t *testing.T) {
	stuck := errors.New("stuck mount")
	with := options(t, honest, nil)
	with.Engine = containertest.NewFaulty(with.Engine, containertest.Fault{Call: containertest.CallDestroy, Err: stuck})
	_, err := Run(t.Context(), with)
	require.ErrorIs(t, err, stuck)
}

func TestAnUnguardedPolicyMustBeAllowed(t *testing.T) {
	with := options(t, honest, nil)
	with.Policy.Guard.Mode = policy.GuardOff
	_, err := Run(t.Context(), with)
	require.ErrorIs(t, err, runner.ErrInput)
	require.ErrorContains(t, err, "--allow-unguarded")

	with.AllowUnguarded = true
	report, err := Run(t.Context(), with)
	require.NoError(t, err)
	require.Equal(t, map[string]Verdict{"a guard_off": Held, "b guard_off": Held}, verdicts(report))
}

func TestCancellingEndsIt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Run(ctx, options(t, func(a asked) (string, wire.Outcome) {
		cancel()
		return honest(a)
	}, nil))
	require.ErrorIs(t, err, context.Canceled)
}

// Each canary must be able to die.
func TestEveryCanaryNoticesItsAttack(t *testing.T) {
	for name, attack := range map[string]func(t *testing.T, b *Bait){
		"host_file":      func(t *testing.T, b *Bait) { require.NoError(t, os.WriteFile(b.facts.Secret, nil, 0o644)) },
		"shared_file":    func(t *testing.T, b *Bait) { require.NoError(t, os.WriteFile(b.shared, []byte("x"), 0o644)) },
		"host_directory": func(t *testing.T, b *Bait) { require.NoError(t, os.WriteFile(b.facts.Secret+"2", nil, 0o644)) },
		"shared_memory": func(t *testing.T, b *Bait) {
			require.NoError(t, withSegment(b.facts.ShmID, func(memory []byte) { memory[0]++ }))
		},
		"host_process": func(t *testing.T, b *Bait) {
			require.NoError(t, b.victim.Process.Kill())
			<-b.dead
		},
		"host_sockets": func(t *testing.T, b *Bait) { dial(t, b, "tcp", fmt.Sprintf("127.0.0.1:%d", b.facts.TCPPort)) },
		"host_name":    func(_ *testing.T, b *Bait) { b.hostname = "another" },
	} {
		t.Run(name, func(t *testing.T) {
			b, err := layBait(t.Context())
			require.NoError(t, err)
			require.Empty(t, Report{Canaries: b.Canaries()}.Lost())
			attack(t, b)
			lost := Report{Canaries: b.Canaries()}.Lost()
			require.Len(t, lost, 1)
			require.Equal(t, name, lost[0].Name)
			require.NoError(t, b.Remove())
			require.NoFileExists(t, b.facts.Secret)
			require.NoFileExists(t, b.shared)
		})
	}
}

func TestAnAbstractSocketIsWatchedToo(t *testing.T) {
	b, err := layBait(t.Context())
	require.NoError(t, err)
	dial(t, b, "unix", "@"+b.facts.Abstract)
	require.NoError(t, b.Remove())
}

func dial(t *testing.T, b *Bait, network, address string) {
	t.Helper()
	connection, err := net.Dial(network, address)
	require.NoError(t, err)
	require.NoError(t, connection.Close())
	require.Eventually(t, func() bool { return b.Reached() > 0 }, time.Minute, time.Millisecond)
}

func TestLeftoversAreFoundByName(t *testing.T) {
	own, err := os.ReadFile("/proc/self/cgroup")
	require.NoError(t, err)
	id := container.NewID().String()
	for _, canary := range leftovers([]string{id}) {
		require.True(t, canary.Intact, "%+v", canary)
	}
	mounted, err := mounts()
	require.NoError(t, err)
	group, _, _ := strings.Cut(string(own), "\n")
	for name, mark := range map[string]string{"no_process_left": group, "no_mount_left": mounted[0]} {
		found := leftovers([]string{mark})
		index := slices.IndexFunc(found, func(c Canary) bool { return c.Name == name })
		require.False(t, found[index].Intact, name)
	}
}

func TestATokenIsFoundWhereverItBegins(t *testing.T) {
	for _, before := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 1 << 20} {
		text := strings.Repeat("x", before) + token
		for _, read := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.HalfReader, iotest.DataErrReader} {
			found, err := contains(read(strings.NewReader(text+"y")), []byte(token))
			require.NoError(t, err)
			require.True(t, found, before)
			found, err = contains(read(strings.NewReader(text[:len(text)-1]+"y")), []byte(token))
			require.NoError(t, err)
			require.False(t, found, before)
		}
	}
	_, err := contains(iotest.ErrReader(os.ErrPermission), []byte(token))
	require.ErrorIs(t, err, os.ErrPermission)
}

func TestASecretInAReleasedFileIsSeen(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "files", "a"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "files", "a", "b.csv"), []byte("x"+token), 0o600))
	found, err := carries(dir, token)
	require.NoError(t, err)
	require.True(t, found)
	found, err = carries(dir, "other")
	require.NoError(t, err)
	require.False(t, found)
	_, err = carries(filepath.Join(dir, "absent"), token)
	require.Error(t, err)
}

func TestAProbeOfTracesRunsTwiceAndTheSecondCounts(t *testing.T) {
	var mu sync.Mutex
	runs := map[string]int{}
	with := options(t, func(a asked) (string, wire.Outcome) {
		mu.Lock()
		defer mu.Unlock()
		runs[a.start.ScriptName]++
		if runs[a.start.ScriptName] == 2 {
			return "ESCAPED:a a trace\n", wire.OutcomeCompleted
		}
		return honest(a)
	}, nil)
	with.Policy.Guard.Mode, with.AllowUnguarded = policy.GuardOff, true
	with.Attacks.Probes[1].Runs = 2
	report, err := Run(t.Context(), with)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"a.py": 2, "b.py": 1}, runs)
	require.Equal(t, Escaped, verdicts(report)["a guard_off"])
}

func TestAProbeThatWasLateIsTriedOnceMore(t *testing.T) {
	for name, test := range map[string]struct {
		late int
		want Verdict
	}{"and is held then": {1, Held}, "and stays defective": {2, Defective}} {
		t.Run(name, func(t *testing.T) {
			var runs atomic.Int64
			with := options(t, honest, func(o *fake.Options) {
				in := o.Program
				o.Program = func(spec container.Spec) fake.Program {
					if runs.Add(1) > int64(test.late) {
						return in(spec)
					}
					return func(ctx context.Context, _ fake.Stdio, _ *os.Root) container.Exit {
						<-ctx.Done()
						return container.Exit{}
					}
				}
			})
			with.Policy.Guard.Mode, with.AllowUnguarded = policy.GuardOff, true
			with.Policy.Limits.WallClock = time.Second
			with.Attacks.Probes = with.Attacks.Probes[:1]
			report, err := Run(t.Context(), with)
			require.NoError(t, err)
			require.Equal(t, test.want, report.Outcomes[0].Verdict)
			require.EqualValues(t, 2, runs.Load())
		})
	}
}
