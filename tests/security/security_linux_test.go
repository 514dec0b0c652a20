package security_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/job"
	"hotcell/internal/selftest"
)

// wallClock is what an attack gets that never ends by itself, counted from where it
// begins: how long a busy machine takes to start it says nothing of it, and one that was
// killed before its first instruction has shown nothing.
const wallClock = time.Second

// untilTheEnd ends what should have ended by itself, in time to say so. There is no
// other deadline: how long a busy machine takes to start a container says nothing of
// the attack in it.
func untilTheEnd(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	deadline, bounded := t.Deadline()
	if !bounded {
		return context.WithCancel(t.Context())
	}
	return context.WithDeadline(t.Context(), deadline.Add(-time.Minute))
}

// requireAll turns a missing engine into a failure, as in CI.
const requireAll = "HOTCELL_REQUIRE_ALL"

func lacking(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv(requireAll) == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// TestAttacksWorkWhereNothingHoldsThem keeps every attack honest: one that cannot
// succeed proves nothing when it fails.
func TestAttacksWorkWhereNothingHoldsThem(t *testing.T) {
	if os.Geteuid() != 0 {
		lacking(t, "needs root")
	}
	bait, box := layBait(t), newWeakBox(t)
	for _, probe := range corpus(t) {
		if !probe.RunsHere() {
			continue
		}
		t.Run(probe.Name, func(t *testing.T) {
			t.Parallel()
			got, words := box.attack(t, probe, bait)
			t.Logf("%s: %s", got, words)
			if slices.Contains(by32BitCalls, probe.Name) && !makes32BitCalls(t) {
				require.NotEqual(t, escaped, got, "this machine faults at a 32-bit call")
				return
			}
			require.NotEqual(t, defective, got)
			if probe.Unproven == "" {
				require.Equal(t, escaped, got)
			}
		})
	}
}

// assault is one way to run the corpus against an engine.
type assault struct {
	wanted  func(selftest.Probe) bool
	command func(*testing.T, selftest.Probe, selftest.Facts) []string
	change  func(*container.Spec)
}

// TestAttacksAreHeld runs the shipped container whole, without anything that the
// guard does: stage 1 of seccomp holds from the first instruction.
func TestAttacksAreHeld(t *testing.T) {
	onEveryTarget(t, assault{
		wanted:  func(probe selftest.Probe) bool { return !probe.LockOnly },
		command: interpreter,
		change:  func(*container.Spec) {},
	})
}

// TestAttacksAreHeldByTheLock runs those that only the lock holds, after the guard's
// own code has locked the process: PR_SET_DUMPABLE 0 and stage 2. Nothing else of
// the guard is there. `runner selftest` runs the whole corpus so.
func TestAttacksAreHeldByTheLock(t *testing.T) {
	onEveryTarget(t, assault{
		wanted:  func(probe selftest.Probe) bool { return probe.LockOnly },
		command: lockedInterpreter,
		change:  func(*container.Spec) {},
	})
}

// TestAttacksAreHeldWithoutSeccomp shows that the profile is not the only layer,
// but for the attacks that say so.
func TestAttacksAreHeldWithoutSeccomp(t *testing.T) {
	onEveryTarget(t, assault{
		wanted:  func(probe selftest.Probe) bool { return !probe.SeccompOnly && !probe.LockOnly },
		command: interpreter,
		change:  func(spec *container.Spec) { spec.Seccomp = containertest.WeakSeccomp() },
	})
}

func onEveryTarget(t *testing.T, with assault) {
	t.Helper()
	for name, open := range targets() {
		t.Run(name, func(t *testing.T) {
			target, bait := open(t), layBait(t)
			t.Run("probes", func(t *testing.T) {
				var sideBySide sync.WaitGroup
				defer sideBySide.Wait()
				for _, probe := range corpus(t) {
					switch {
					case !probe.RunsHere(), !with.wanted(probe):
					case neverEnds(probe):
						sideBySide.Go(func() {
							t.Run(probe.Name, func(t *testing.T) { requireHeld(t, target, probe, bait, with) })
						})
					default:
						t.Run(probe.Name, func(t *testing.T) {
							t.Parallel()
							requireHeld(t, target, probe, bait, with)
						})
					}
				}
			})
			bait.requireUntouched(t)
			requireNothingLives(t, bait)
		})
	}
}

// neverEnds tells of an attack that is waited for. All of these wait at the same time:
// they need as long however little they get of the processors, and the others, each of
// which is over when it has done its work, run as many at a time as there are of those.
func neverEnds(probe selftest.Probe) bool { return slices.Contains(probe.Ends, job.TimedOut) }

func requireHeld(t *testing.T, target target, probe selftest.Probe, bait bait, with assault) {
	t.Helper()
	spec := target.spec
	facts := bait.Facts
	facts.Limits = spec.Limits
	spec.Command = with.command(t, probe, facts)
	with.change(&spec)
	for range probe.Runs {
		stdout, stderr, exit := show(t, target.engine, probe, spec)
		got := judge(probe, stdout, exit)
		t.Logf("%s: %s %s%+v", got, shortened(stdout), shortened(stderr), exit)
		require.Contains(t, []verdict{held, killed, ended}, got)
		require.NotContains(t, stdout+stderr, bait.token, "a secret of the host came out")
	}
}

func shortened(text string) string { return text[:min(len(text), 2000)] }

// show runs a sandbox from creation to destruction.
func show(t *testing.T, engine container.Engine, probe selftest.Probe, spec container.Spec) (stdout, stderr string, exit container.Exit) {
	t.Helper()
	ctx, cancel := untilTheEnd(t)
	defer cancel()
	sandbox, err := engine.Create(ctx, container.NewID(), spec)
	require.NoError(t, err)
	defer func() {
		release, cancel := container.ReleaseContext(ctx)
		defer cancel()
		require.NoError(t, sandbox.Destroy(release))
	}()
	var out, errs stream
	running, stop := errs.clock(ctx, probe)
	defer stop()
	exit, err = sandbox.Run(running, container.Streams{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	require.NoError(t, err)
	require.NoError(t, ctx.Err(), "the attack did not end by itself")
	return out.String(), errs.String(), exit
}
