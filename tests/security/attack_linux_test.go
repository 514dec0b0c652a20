// Package security_test attacks the sandbox with the guard off, on every engine,
// and proves that each attack works where nothing holds it.
package security_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/selftest"
)

// leastProbes and leastPerContract fail when the corpus shrinks.
const (
	leastProbes      = 100
	leastPerContract = 20
	mostUnproven     = 8
)

func corpus(t *testing.T) []selftest.Probe {
	t.Helper()
	all, err := selftest.BuiltIn()
	require.NoError(t, err)
	return all.Probes
}

// TestCorpusIsWhole counts, and looks for each class of the threat model that a
// program in a sandbox can try.
func TestCorpusIsWhole(t *testing.T) {
	contracts, threats, unproven := map[selftest.Contract]int{}, map[string]int{}, 0
	for _, probe := range corpus(t) {
		contracts[probe.Contract]++
		for _, id := range probe.Threats {
			threats[id]++
		}
		if probe.Unproven != "" {
			unproven++
		}
	}
	t.Logf("%v, unproven %d, by threat %v", contracts, unproven, threats)
	for _, contract := range selftest.Contracts() {
		require.GreaterOrEqual(t, contracts[contract], leastPerContract, contract)
	}
	require.GreaterOrEqual(t, len(corpus(t)), leastProbes)
	require.LessOrEqual(t, unproven, mostUnproven)
	for _, id := range coveredThreats() {
		require.Positive(t, threats[id], "no probe for threat %s", id)
	}
}

// coveredThreats are those of docs/threat-model.md that show themselves inside a
// sandbox. C8 to C11, I6, I7, I11, A8 to A10 are for other tests.
func coveredThreats() []string {
	return []string{
		"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C12", "C13", "C14",
		"I1", "I2", "I3", "I5", "I8", "I9", "I10", "I12",
		"A1", "A2", "A3", "A4", "A5", "A6", "A7",
		"E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "E10", "E11", "E12",
		"E13", "E14", "E15", "E16", "E17", "E18", "E19", "E20", "E21", "E22", "E23", "E24",
	}
}

// begins stands before a probe's script, and starts its clock.
const begins = "import os; os.write(2, b'begins\\n')\n"

// interpreter runs a probe as a user's script would be, but without the guard.
func interpreter(t *testing.T, probe selftest.Probe, facts selftest.Facts) []string {
	t.Helper()
	script, err := probe.Script(facts)
	require.NoError(t, err)
	return []string{"/usr/bin/python3", "-sBP", "-c", begins + string(script)}
}

// verdict is what became of an attack.
type verdict string

const (
	escaped   verdict = "escaped"
	held      verdict = "held"      // refused, or nothing to find
	killed    verdict = "killed"    // by seccomp
	ended     verdict = "ended"     // in a way that the probe names
	defective verdict = "defective" // none of these: the attack itself is broken
)

// judge reads what the attack printed, and how it ended. Silence proves nothing
// unless the probe says which end of it does.
func judge(probe selftest.Probe, stdout string, exit container.Exit) verdict {
	claim := probe.Claim(stdout)
	switch {
	case claim == selftest.ClaimEscaped:
		return escaped
	case exit.Signal == "SIGSYS" && !exit.KilledByUs:
		return killed
	case claim == selftest.ClaimHeld && exit.Code == 0:
		return held
	case slices.ContainsFunc(statuses(exit), func(s job.Status) bool { return slices.Contains(probe.Ends, s) }):
		return ended
	default:
		return defective
	}
}

// statuses are what the runner could make of an exit.
func statuses(exit container.Exit) []job.Status {
	var found []job.Status
	if exit.KilledByUs || exit.Signal == "SIGXCPU" {
		found = append(found, job.TimedOut)
	}
	if exit.OOMKills > 0 {
		found = append(found, job.OutOfMemory)
	}
	if exit.PIDsDenied > 0 {
		found = append(found, job.LimitExceeded)
	}
	if exit.Signal != "" && !exit.KilledByUs {
		found = append(found, job.Killed)
	}
	return found
}

// stream keeps the first bytes and drops the rest, as the runner does.
type stream struct {
	kept  []byte
	begun func() // is told of the first bytes
}

const streamLimit = 1 << 20

// clock ends the context of an attack that never ends by itself, wallClock after the
// first bytes in this stream.
func (s *stream) clock(ctx context.Context, probe selftest.Probe) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	if neverEnds(probe) {
		s.begun = sync.OnceFunc(func() { time.AfterFunc(wallClock, stop) })
	}
	return ctx, stop
}

func (s *stream) Write(chunk []byte) (int, error) {
	if s.begun != nil {
		s.begun()
	}
	s.kept = append(s.kept, chunk[:min(len(chunk), streamLimit-len(s.kept))]...)
	return len(chunk), nil
}

func (s *stream) String() string { return string(s.kept) }
