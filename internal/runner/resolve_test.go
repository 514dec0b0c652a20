package runner

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/policy"
)

// counting counts how often a policy is looked up.
type counting struct {
	catalog
	looks int
}

func (c *counting) Get(name string) (policy.Policy, error) {
	c.looks++
	return c.catalog.Get(name)
}

// TestWhatIsPreparedIsRunAsItWasLookedUp for a moment, and is looked up once more after that. It begins
// when it is let begin.
func TestWhatIsPreparedIsRunAsItWasLookedUp(t *testing.T) {
	for _, waited := range []time.Duration{0, preparedFor, preparedFor + 1, time.Hour} {
		b := newBench(t, honest(t), nil)
		policies, now := &counting{catalog: b.runner.options.Policies}, time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
		b.runner.options.Policies, b.runner.options.Now = policies, func() time.Time { return now }
		run, err := b.runner.Prepare(t.Context(), b.ask(request()))
		require.NoError(t, err)
		require.Equal(t, 1, policies.looks)
		runs, err := b.records.List(t.Context())
		require.NoError(t, err)
		require.Empty(t, runs, "nothing is begun")

		now = now.Add(waited)
		said, err := run(t.Context())
		require.NoError(t, err)
		require.Equal(t, job.Succeeded, said.Result.Status)
		require.Equal(t, now, said.Result.Provenance.StartedAt)
		want := 1
		if waited > preparedFor {
			want = 2
		}
		require.Equal(t, want, policies.looks)
	}
	e := &execution{trace: newTrace()}
	before := e.trace.marks[0].began
	e.begunLater(time.Minute)
	require.Equal(t, before.Add(time.Minute), e.trace.marks[0].began, "nobody prepared it in that time")
}
