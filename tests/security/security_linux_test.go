package security_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/job"
)

// patience ends an attack that hangs, and with it the test.
const patience = 2 * time.Minute

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
	for _, a := range attacks(t) {
		t.Run(a.name, func(t *testing.T) {
			stdout, stderr, exit := box.run(t, job.NewID(time.Now()).String(), a.command(bait), bait)
			got := a.judge(stdout, exit)
			t.Logf("%s: %s%s", got, stdout, stderr)
			require.NotEqual(t, defective, got)
			if a.unproven == "" {
				require.Equal(t, escaped, got)
			}
		})
	}
}

// TestAttacksAreHeld runs the shipped isolation whole.
func TestAttacksAreHeld(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target, bait bait) {
		for _, a := range attacks(t) {
			t.Run(a.name, func(t *testing.T) { requireHeld(t, target, a, bait, func(*container.Spec) {}) })
		}
	})
}

// TestAttacksAreHeldWithoutSeccomp shows that the profile is not the only layer,
// but for the attacks that say so.
func TestAttacksAreHeldWithoutSeccomp(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target, bait bait) {
		for _, a := range attacks(t) {
			if a.seccompOnly {
				continue
			}
			t.Run(a.name, func(t *testing.T) {
				requireHeld(t, target, a, bait, func(spec *container.Spec) { spec.Seccomp = containertest.WeakSeccomp() })
			})
		}
	})
}

func onEveryTarget(t *testing.T, attack func(*testing.T, target, bait)) {
	t.Helper()
	for name, open := range targets() {
		t.Run(name, func(t *testing.T) {
			target, bait := open(t), layBait(t)
			attack(t, target, bait)
			require.Zero(t, bait.reached.Load(), "a connection reached the host")
		})
	}
}

func requireHeld(t *testing.T, target target, a attack, bait bait, change func(*container.Spec)) {
	t.Helper()
	spec := target.spec
	spec.Command = a.command(bait)
	change(&spec)
	stdout, stderr, exit := show(t, target.engine, spec)
	got := a.judge(stdout, exit)
	t.Logf("%s: %s%s", got, stdout, stderr)
	require.Contains(t, []verdict{held, killed}, got)
	require.NotContains(t, stdout+stderr, bait.token, "a secret of the host came out")
}

// show runs a sandbox from creation to destruction.
func show(t *testing.T, engine container.Engine, spec container.Spec) (stdout, stderr string, exit container.Exit) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	sandbox, err := engine.Create(ctx, job.NewID(time.Now()), spec)
	require.NoError(t, err)
	defer func() {
		release, cancel := container.ReleaseContext(ctx)
		defer cancel()
		require.NoError(t, sandbox.Destroy(release))
	}()
	var out, errs bytes.Buffer
	exit, err = sandbox.Run(ctx, container.Streams{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	require.NoError(t, err)
	require.False(t, exit.KilledByUs, "the attack did not end by itself")
	return out.String(), errs.String(), exit
}
