package integration_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// soakRuns is how many runs one engine process makes; `make soak` wants many more.
var soakRuns = flag.Int("soak.runs", 200, "runs in a row in one engine process")

const (
	// soakCallers ask at a time.
	soakCallers = 4
	// soakBatches are counted together: growth is what goes on from batch to batch.
	soakBatches = 4
	// mayGrow is how much the engine's memory may differ from batch to batch, in KiB: Go
	// gives back to the kernel when it likes.
	mayGrow = 24 << 10
	// soakForks is after how many sandboxes a template is replaced.
	soakForks = 50
	// soakBatch is how many runs at least have sandboxes from templates in one batch: the
	// template that was there at its beginning has none left then, even if it had made none.
	soakBatch = soakForks + soakIdle
)

// TestManyRunsInOneEngineProcessLeaveNothing makes runs in a row, each in a sandbox of its own
// that comes from a template, has templates replaced meanwhile, and wants nothing to grow
// with their number but the records.
func TestManyRunsInOneEngineProcessLeaveNothing(t *testing.T) {
	chosen := engineProcess()
	chosen.forks = soakForks
	w := warmOn(t, chosen, "study-analysis")
	client, err := engineapi.Connect(t.Context(), w.state)
	require.NoError(t, err)
	defer func() { require.NoError(t, client.Close()) }()
	seen := map[string]bool{}
	cold := w.soak(client, max(soakBatch, *soakRuns/10), seen) // what is made once is there then
	w.settle(client)
	first := w.footprint()
	t.Log("before: ", first)
	var memory []int
	begun := time.Now()
	for range soakBatches {
		batch := time.Now()
		cold += w.soak(client, max(soakBatch, *soakRuns/soakBatches), seen)
		require.Less(t, w.settle(client), time.Since(batch), "the template was replaced")
		now := w.footprint()
		t.Log(time.Since(begun).Round(time.Second), now)
		memory = append(memory, now.memory)
		require.LessOrEqual(t, now.threads, first.threads+16, "threads of the engine")
	}
	require.Less(t, slices.Max(memory), first.memory+mayGrow, "the engine's memory in KiB: %v", memory)
	last := w.footprint()
	require.Eventually(t, func() bool { last = w.footprint(); return last.kept == first.kept }, patience, time.Millisecond,
		"before: %s", first)
	t.Logf("after:  %s; %d of %d runs were cold", last, cold, len(seen))
	require.NoError(t, client.Close())
	w.requireNothingLeft()
	require.Len(t, names(t, filepath.Join(w.state, "runs")), len(seen), "a record each")
}

// settle waits until sandboxes are ready again, and returns the age of their template. None
// is being replaced then: that begins with the last sandbox that it may give.
func (w *workspace) settle(client *engineapi.Client) (age time.Duration) {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		now, err := client.Status(w.t.Context())
		if err != nil || now.Running > 0 || len(now.Templates) != 1 {
			return false
		}
		one := now.Templates[0]
		age = time.Duration(one.AgeMS) * time.Millisecond
		return one.Ready == soakIdle && one.Made < soakForks
	}, patience, 100*time.Millisecond, "no sandboxes are ready")
	return age
}

// soakIdle is how many sandboxes wait when there is nothing to do.
const soakIdle = 4

// soak makes runs until so many had sandboxes from templates, and notes all their sandboxes:
// none may be given out twice. It returns how many had one that was made for them: those for
// which nobody had a turn at the template in time, as happens on a machine that is slow. More
// than the others they may not be.
func (w *workspace) soak(client *engineapi.Client, runs int, seen map[string]bool) (cold int) {
	w.t.Helper()
	most := 2 * runs
	var asked, warm atomic.Int64
	found := make(chan runner.Response, most)
	var callers errgroup.Group
	for range soakCallers {
		callers.Go(func() error {
			for warm.Load() < int64(runs) && asked.Add(1) <= int64(most) {
				request := job.Request{Policy: "study-analysis", Code: []byte("(OUTPUT / 'a.txt').write_text('x')\nprint('said')"), ScriptName: "soak.py"}
				response, err := client.Run(w.t.Context(), runner.Ask{Request: request})
				if err != nil {
					return err
				}
				if response.Trace.Warm {
					warm.Add(1)
				}
				found <- response
			}
			return nil
		})
	}
	require.NoError(w.t, callers.Wait())
	close(found)
	require.GreaterOrEqual(w.t, warm.Load(), int64(runs), "of %d runs so many had a sandbox from a template", len(found))
	for response := range found {
		result := response.Result
		if !response.Trace.Warm {
			cold++
		}
		require.Equal(w.t, job.Succeeded, result.Status, result.Error)
		require.Equal(w.t, "said\n", result.Stdout)
		require.False(w.t, seen[result.Provenance.Sandbox], "sandbox %s was given out twice", result.Provenance.Sandbox)
		seen[result.Provenance.Sandbox] = true
	}
	return cold
}

// footprint is what an engine process holds.
type footprint struct {
	memory, threads int // the one in KiB
	kept            held
}

// held is what must be the same however many runs there were, once it has become quiet.
type held struct {
	descriptors, children, zombies, mounts, groups, sandboxes, temporary int
}

func (f footprint) String() string {
	return fmt.Sprintf("%d KiB, %d threads, %+v", f.memory, f.threads, f.kept)
}

// footprint looks once the removals are done and sandboxes are ready again.
func (w *workspace) footprint() footprint {
	w.t.Helper()
	var now footprint
	require.Eventually(w.t, func() bool {
		before := now
		now = w.count()
		_, _ = w.runs.ids(), w.sandboxes.ids() // or the kernel's queue of names overflows
		return before.kept == now.kept && now.kept.zombies == 0
	}, patience, 500*time.Millisecond, "it never becomes quiet")
	return now
}

func (w *workspace) count() footprint {
	w.t.Helper()
	process := filepath.Join("/proc", strconv.Itoa(w.engine.Process.Pid))
	handles, err := os.ReadDir(filepath.Join(process, "fd"))
	require.NoError(w.t, err)
	now := footprint{memory: w.statusOf(process, "VmRSS"), threads: w.statusOf(process, "Threads")}
	now.kept = held{
		descriptors: len(handles), mounts: strings.Count(readAll(w.t, process, "mountinfo"), w.state),
		groups: len(groupsOf(w.t, w.living())), sandboxes: len(below(w.t, filepath.Join(w.state, "sandboxes"))), temporary: len(below(w.t, w.tmp)),
	}
	all, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(w.t, err)
	for _, each := range all {
		status, err := os.ReadFile(filepath.Join(each, "status"))
		if err == nil && isChildOf(string(status), w.engine.Process.Pid) {
			now.kept.children++
			if zombie.Match(status) {
				now.kept.zombies++
			}
		}
	}
	return now
}

// living are the sandboxes that there are, by their locks. The groups of others are looked
// for at the end, all at once.
func (w *workspace) living() []string {
	return names(w.t, filepath.Join(w.state, "sandboxes", "oci", "locks"))
}

// statusOf reads a number from /proc.
func (w *workspace) statusOf(process, name string) int {
	w.t.Helper()
	for line := range strings.Lines(readAll(w.t, process, "status")) {
		if fields := strings.Fields(line); fields[0] == name+":" {
			number, err := strconv.Atoi(fields[1])
			require.NoError(w.t, err)
			return number
		}
	}
	w.t.Fatalf("no %s in %s", name, process)
	return 0
}
