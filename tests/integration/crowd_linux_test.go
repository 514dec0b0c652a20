package integration_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/tests/peakmemory"
)

const crowd = 8

func TestManyRunsAtOnceInOneStateDirectory(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		var all []*running
		for range crowd {
			all = append(all, w.start(w.command(w.runArgs(writesALittle, "--json")...)))
		}
		for _, each := range all {
			e := each.end()
			require.Zero(t, e.code, "%s%s", e.stdout, e.stderr)
			require.Equal(t, job.Succeeded, e.result(t).Status)
			require.Empty(t, e.stderr, "a runner has swept what a living one has")
		}
		require.Len(t, w.runs.ids(), crowd)
		w.requireNothingLeft()
	})
}

func TestRunsOnAllEnginesAtOnceInOneStateDirectory(t *testing.T) {
	for _, each := range targets() {
		requireTarget(t, each)
	}
	w := newWorkspace(t, targets()[2]) // whose leftovers are looked for in Docker too
	var all []*running
	for n := range crowd {
		w.target = targets()[n%len(targets())]
		all = append(all, w.start(w.command(w.runArgs(writesALittle)...)))
	}
	for _, each := range all {
		e := each.end()
		require.Zero(t, e.code, e.stderr)
	}
	w.target = targets()[2]
	w.requireNothingLeft()
}

// mostMemory bounds the runner's resident memory, in bytes: several times what it
// needs, and less than what the scripts below try to make it keep.
const mostMemory = 120 << 20

// watchPeak reads the runner's peak again and again until it has ended.
func watchPeak(t *testing.T, r *running) (peak func() int64) {
	t.Helper()
	found := make(chan int64, 1)
	go func() {
		var most int64
		for ; ; time.Sleep(2 * time.Millisecond) {
			now, err := peakmemory.Of(r.cmd.Process.Pid)
			if err != nil {
				break
			}
			most = max(most, now)
		}
		found <- most
	}()
	return func() int64 {
		most := <-found
		require.NotZero(t, most, "the runner's memory was never read")
		return most
	}
}

func TestAFloodDoesNotGrowTheRunner(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		for _, flood := range []struct {
			name, script string
			want         []job.Status
		}{
			{"of lines", `
for n in range(1_000_000):
    print("x" * 200)
`, []job.Status{job.Succeeded, job.TimedOut}},
			{"of one line", `
for n in range(2000):
    print("x" * 100_000, end="")
`, []job.Status{job.Succeeded, job.TimedOut}},
			{"in one write", `print("x" * 150_000_000)`, []job.Status{job.Succeeded, job.TimedOut, job.OutOfMemory, job.Failed}},
			{"as the result", `result = "x" * 100_000_000`, []job.Status{job.LimitExceeded, job.OutOfMemory, job.Failed}},
			{"as an exception", `raise ValueError("x" * 100_000_000)`, []job.Status{job.LimitExceeded, job.OutOfMemory, job.Failed}},
		} {
			t.Run(flood.name, func(t *testing.T) {
				w := newWorkspace(t, target)
				r := w.start(w.command(w.runArgs(flood.script, "--json", "--timeout", "10s")...))
				peak := watchPeak(t, r)
				e := r.end()
				result, most := e.result(t), peak()
				t.Log(result.Status, most>>20, "MiB")
				require.Contains(t, flood.want, result.Status, "%.2000s", e.stdout)
				require.LessOrEqual(t, most, int64(mostMemory))
				require.Less(t, len(e.stdout), 20<<20)
				w.requireNothingLeft()
			})
		}
	})
}
