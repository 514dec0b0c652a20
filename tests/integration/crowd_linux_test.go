package integration_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
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

// mostKiB bounds the runner's resident memory: several times what it needs, and
// less than what the scripts below try to make it keep.
const mostKiB = 120 << 10

// watchPeak samples VmHWM. getrusage(2) would not do: it counts children, and with
// the oci engine the sandbox is one.
func watchPeak(t *testing.T, r *running) (peak func() int) {
	t.Helper()
	found := make(chan int, 1)
	go func() {
		most := 0
		for next := 1; next > 0; time.Sleep(2 * time.Millisecond) {
			next = peakNow(r.cmd.Process.Pid)
			most = max(most, next)
		}
		found <- most
	}()
	return func() int {
		most := <-found
		require.NotZero(t, most, "the runner's memory was never read")
		return most
	}
}

// peakNow is in KiB, and 0 when the process has ended.
func peakNow(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	peak, err := strconv.Atoi(fields[0])
	if err != nil {
		return 0
	}
	return peak
}

func TestAFloodDoesNotGrowTheRunner(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		for _, flood := range []struct {
			name, script string
			want         []job.Status
		}{
			{"of lines", `
for n in range(2_000_000):
    print("x" * 200)
`, []job.Status{job.Succeeded, job.TimedOut}},
			{"of one line", `
for n in range(4000):
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
				result, peakKiB := e.result(t), peak()
				t.Log(result.Status, peakKiB, "KiB")
				require.Contains(t, flood.want, result.Status, "%.2000s", e.stdout)
				require.LessOrEqual(t, peakKiB, mostKiB)
				require.Less(t, len(e.stdout), 20<<20)
				w.requireNothingLeft()
			})
		}
	})
}
