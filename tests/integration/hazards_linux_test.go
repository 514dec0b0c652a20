package integration_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/policies"
)

// Scripts that look at their own process.
var (
	//go:embed testdata/draws.py
	drawsWhole string
	//go:embed testdata/facts.py
	factsWhole string
	//go:embed testdata/facts_guarded.py
	factsGuarded string
	//go:embed testdata/kept.py
	kept string
)

// wholePolicy has the guard off, so that a script can look at everything in its process,
// and a template that has imported what the templates of other policies have, and more.
const wholePolicy = "whole"

// addWholePolicy writes it into the policy directory of the runner under test.
func addWholePolicy(t *testing.T) {
	t.Helper()
	if os.Getenv("HOTCELL_TEST_RUNNER") != "" {
		lacking(t, "needs a runner whose policy directory is the test's")
	}
	content, err := policies.Files.ReadFile("containment-probe.yaml")
	require.NoError(t, err)
	var preloaded strings.Builder
	for number, module := range strings.Fields(`pandas numpy scipy scipy.stats scipy.optimize statsmodels.api statsmodels.formula.api
		matplotlib.pyplot matplotlib.backends.backend_pdf plotly.express plotly.io uuid secrets logging random concurrent.futures
		decimal asyncio pydantic csv zipfile statistics email.utils`) {
		fmt.Fprintf(&preloaded, "\n    module_%d: %s", number, module)
	}
	policy := string(content)
	for _, change := range [][2]string{
		{"name: containment-probe", "name: " + wholePolicy}, {"memory: 128MiB ", "memory: 1GiB "}, {"wall_clock: 5s\n", "wall_clock: 300s\n"},
		{"cpu_time: 3s ", "cpu_time: 300s "}, {"output_bytes: 16MiB", "output_bytes: 64MiB"}, {"preloaded: {}", "preloaded:" + preloaded.String()},
	} {
		require.Contains(t, policy, change[0])
		policy = strings.Replace(policy, change[0], change[1], 1)
	}
	dir := filepath.Join(filepath.Dir(runnerPath), "policies")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, wholePolicy+".yaml"), []byte(policy), 0o644))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
}

// whole runs a script with the guard off.
func (w *workspace) whole(script string, fromPool bool, flags ...string) traced {
	w.t.Helper()
	return w.once(script, fromPool, append([]string{"--policy", wholePolicy, "--allow-unguarded"}, flags...)...)
}

// TestForkHazards looks at what a process inherits from the one that it was forked from.
func TestForkHazards(t *testing.T) {
	addWholePolicy(t)
	w := warm(t, "crun", wholePolicy+" study-analysis interpreter")
	t.Run("forks differ pairwise in all that is random", w.drawPairwise)
	t.Run("a fork is in the state of any other process", w.compareFacts)
	t.Run("locks, threads and imports work", w.useLocks)
	t.Run("what is to happen at the exit does not", w.leaveAtExit)
	t.Run("the bounds of one run are not another's", w.tightenInTurn)
	t.Run("nothing else was seeded or noted at an import", w.searchWhatIsKept) // the last one: it replaces the engine process
}

// TestASandboxThatWasReadyPrintsWhatAnyOtherPrints under each policy: what libraries do when they
// are forked, and what refuses it to them, is no matter of the script's.
func TestASandboxThatWasReadyPrintsWhatAnyOtherPrints(t *testing.T) {
	for _, policy := range []string{"study-analysis", "interpreter", "copilot-chart", "workflow-step"} {
		t.Run(policy, func(t *testing.T) {
			w := warm(t, "crun", policy)
			flags := []string{"--policy", policy}
			cold, ready := w.once("print(1)", false, flags...), w.once("print(1)", true, flags...)
			require.Equal(t, "1\n", cold.Stdout)
			require.Empty(t, cold.Stderr)
			require.Equal(t, []string{cold.Stdout, cold.Stderr}, []string{ready.Stdout, ready.Stderr})
		})
	}
}

func (w *workspace) drawPairwise(t *testing.T) {
	const forks = 8
	drawn := map[string]map[string]bool{}
	for range forks {
		before := float64(time.Now().UnixNano()) / 1e9
		var own map[string]any
		require.NoError(t, json.Unmarshal([]byte(w.whole(drawsWhole, true).Stdout), &own))
		require.GreaterOrEqual(t, own["when its log begins"], before, "a fork that has waited begins with its run")
		require.Nil(t, own["time and node"].([]any)[0], "uuid has noted no time")
		for name, value := range own {
			if drawn[name] == nil {
				drawn[name] = map[string]bool{}
			}
			drawn[name][fmt.Sprint(value)] = true
		}
	}
	require.Greater(t, len(drawn), 25, "what was drawn")
	for name, values := range drawn {
		require.Len(t, values, forks, "%s: %v", name, values)
	}
}

// compareFacts is also what shows that hashes have the same salt everywhere: none.
func (w *workspace) compareFacts(t *testing.T) {
	ready, made := factsOf(t, w.whole(factsWhole, true).Stdout), factsOf(t, w.whole(factsWhole, false).Stdout)
	require.Greater(t, len(made), 30)
	require.Equal(t, "[1, 1, -1]", made["pid"])
	require.Equal(t, "[2, 2, -1]", ready["pid"], "the runtime's own process is the first one")
	delete(made, "pid")
	delete(ready, "pid")
	require.Equal(t, made, ready)
	require.Contains(t, made["flags"], "hash_randomization=0")

	ready, made = factsOf(t, w.once(factsGuarded, true).Stdout), factsOf(t, w.once(factsGuarded, false).Stdout)
	require.Greater(t, len(made), 8)
	require.Equal(t, made, ready)
}

// factsOf reads lines of a name and a fact.
func factsOf(t *testing.T, lines string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for line := range strings.Lines(lines) {
		var fact []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(line), &fact), line)
		found[strings.Trim(string(fact[0]), `"`)] = string(fact[1])
	}
	return found
}

// usesLocks takes those that a thread of the template could have held when it was forked.
const usesLocks = `
import concurrent.futures, importlib, io, logging, queue, sys, threading
import numpy
import matplotlib.pyplot as plt
logging.basicConfig(stream=sys.stdout, format="%(threadName)s %(message)s")
given = queue.Queue()
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    for each in [pool.submit(importlib.import_module, name) for name in ("wave", "sched", "mailbox", "wave")]:
        given.put(each.result().__name__)
    work = numpy.random.default_rng(1).random((200, 200))
    print(len({round(each, 6) for each in pool.map(lambda n: float(numpy.linalg.eigvalsh(work + n)[-1]), range(4))}))
print(sorted(given.get() for _ in range(4)))
logging.warning("said")
thread = threading.Thread(target=print, args=("in a thread",))
thread.start()
thread.join()
with open(OUTPUT / "b.txt", "wb") as file:
    print(file.write(b"x" * 100_000))
plt.plot([1, 2])
plt.savefig(io.BytesIO())
plt.close()
print(threading.active_count(), io.TextIOWrapper(io.BytesIO(b"text")).read())
`

func (w *workspace) useLocks(t *testing.T) {
	said := w.whole(usesLocks, true).Stdout
	require.Equal(t, "4\n['mailbox', 'sched', 'wave', 'wave']\nMainThread said\nin a thread\n100000\n1 text\n", said)
}

func (w *workspace) leaveAtExit(t *testing.T) {
	const script = `
import atexit, threading, weakref
class Kept: pass
atexit.register(print, "at exit")
threading._register_atexit(print, "at the end of threads")
kept = Kept()
weakref.finalize(kept, print, "collected")
print("said")
`
	require.Equal(t, "said\n", w.whole(script, true).Stdout)
	require.Equal(t, "said\n", w.once(script, false, "--policy", "containment-probe", "--allow-unguarded").Stdout)
}

// tightenInTurn has runs of one template follow each other with bounds that differ, each
// within the policy's and within none of the one before.
func (w *workspace) tightenInTurn(t *testing.T) {
	const loops = "total = 0\nfor n in range(2000):\n    total += n\nprint('x' * 30_000)\ntotal"
	for _, each := range []struct {
		script string
		flags  []string
		want   job.Status
	}{
		{loops, []string{"--loop-iterations", "100"}, job.LimitExceeded},
		{loops, nil, job.Succeeded},
		{loops, []string{"--operations", "500"}, job.LimitExceeded},
		{loops, []string{"--operations", "200000", "--loop-iterations", "5000"}, job.Succeeded},
		{"sum(range(10 ** 12))", []string{"--timeout", "1s"}, job.TimedOut}, // one operation: no budget ends it
		{loops, []string{"--memory", "120MiB"}, job.Succeeded},
		{"x = 'x' * (300 << 20)", []string{"--memory", "120MiB"}, job.OutOfMemory},
		{loops, nil, job.Succeeded},
	} {
		e := w.run(each.script, append([]string{"--policy", "interpreter", "--json", "--trace"}, each.flags...)...)
		var got traced
		require.NoError(t, json.Unmarshal([]byte(e.stdout), &got), e.stderr)
		require.Equal(t, each.want, got.Status, "%v: %.1000s", each.flags, e.stdout)
		require.True(t, got.Trace.Warm)
		if each.want == job.Succeeded {
			require.Len(t, got.Stdout, 30_001)
			require.False(t, got.Truncated.Stdout)
			require.Equal(t, "1999000", string(got.Value))
		}
	}
}

// mayStaySame are the paths of what forks of one template have in common and others have
// not, and why that is no harm.
func mayStaySame() map[string]string {
	const address = "an address: forks of a template share the layout of their memory, see the threat model"
	return map[string]string{
		"_ctypes/":                       address,
		"ctypes/":                        address,
		"hotcell_guard.granting._views/": address,
		"hotcell_guard.granting._lineage/'_BUILTIN'":      address,
		"hotcell_guard.granting._types/'BUILTIN_CLASSES'": address,
		"threading/'_main_thread'/__dict__/'_ident'":      address,
		"pandas.core.computation.expr/":                   "the order of a set of classes, which goes by their addresses",
		"scipy.sparse._data/'name'":                       "the last of a set of functions, which goes by their addresses",
		"soupsieve.css_parser/":                           "hashes of selectors, which go by the addresses of their classes",
		"fontTools.subset/":                               "since when its timer has counted, for a log that nobody has switched on; it begins anew with each use",
		"numpy.f2py.rules/'generationtime'":               "for the head of Fortran that is generated; no program can be started that would compile it",
	}
}

// searchWhatIsKept compares two forks of one template with one of another.
func (w *workspace) searchWhatIsKept(t *testing.T) {
	one, other := w.keptBy("one"), w.keptBy("other")
	w.endEngine()
	w.target.warm = wholePolicy
	w.startEngine()
	third := w.keptBy("third")
	require.Greater(t, len(one), 50_000, "what was looked at")
	var strange []string
	prefixes := slices.Collect(maps.Keys(mayStaySame()))
	for path, value := range one {
		if value != other[path] || value == third[path] {
			continue
		}
		if !slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
			strange = append(strange, fmt.Sprintf("%s is %s, and %s", path, value, third[path]))
		}
	}
	slices.Sort(strange)
	require.Empty(t, strange, "seeded or noted at an import: have _reseed.py make it anew, or say here why it does no harm")
}

// keptBy returns what a fork's modules keep, by path.
func (w *workspace) keptBy(name string) map[string]string {
	w.t.Helper()
	w.whole(kept, true, "--output", w.path(name))
	content, err := os.ReadFile(filepath.Join(w.path(name), "kept.txt"))
	require.NoError(w.t, err)
	found := map[string]string{}
	for line := range strings.Lines(string(content)) {
		path, value, _ := strings.Cut(line, "\t")
		found[path] += value
	}
	return found
}
