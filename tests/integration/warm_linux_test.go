package integration_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/image/imagetest"
	"hotcell/internal/job"
)

// traced is an answer with its trace.
type traced struct {
	job.Result
	Trace job.Trace `json:"trace"`
}

// warm starts the workspace's engine process with sandboxes ready for the policy.
func warm(t *testing.T, runtime, policy string) *workspace {
	t.Helper()
	chosen := engineProcess()
	chosen.runtime = runtime
	return warmOn(t, chosen, policy)
}

// dockerProcess is an engine process whose runs a Docker daemon makes.
func dockerProcess() target { return target{name: "docker-process", engine: "docker", process: true} }

func warmOn(t *testing.T, chosen target, policy string) *workspace {
	t.Helper()
	requireTarget(t, chosen)
	chosen.warm = policy
	return newWorkspace(t, chosen)
}

// once runs a script and wants a sandbox that was ready, or none.
func (w *workspace) once(script string, fromPool bool, flags ...string) traced {
	w.t.Helper()
	flags = append([]string{"--json", "--trace"}, flags...)
	if !fromPool {
		flags = append(flags, "--cold")
	}
	e := w.run(script, flags...)
	require.Zero(w.t, e.code, e.stdout+e.stderr)
	var got traced
	require.NoError(w.t, json.Unmarshal([]byte(e.stdout), &got))
	require.Equal(w.t, fromPool, got.Trace.Warm, "whether the sandbox was ready")
	return got
}

// seen is what the host sees of one process, by field.
type seen map[string]string

// shows is a script that waits where the host can find its guard. It imports what a template
// has imported: some of it starts a thread once, and glibc then handles one more signal. It
// shows itself by a directory, which is there at once: a file is open while it is written.
const shows = `
import time
import pandas, scipy.stats, scipy.optimize, statsmodels.api, matplotlib.pyplot, plotly.express
(OUTPUT / "here").mkdir()
time.sleep(100)
`

// inspect runs the script and looks at its guard from outside, by the kernel's own account.
func (w *workspace) inspect(flags ...string) seen {
	w.t.Helper()
	r := w.start(w.command(w.runArgs(shows, flags...)...))
	var dir string
	require.Eventually(w.t, func() bool { dir = guardThatMade("here"); return dir != "" }, patience, time.Millisecond)
	found := look(w.t, dir)
	r.signal(syscall.SIGINT)
	require.Equal(w.t, job.Cancelled.ExitCode(), r.end().code)
	return found
}

func guardThatMade(name string) string {
	found, _ := filepath.Glob("/proc/[0-9]*/root/output/" + name)
	for _, file := range found {
		dir := strings.TrimSuffix(file, "/root/output/"+name)
		words, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err == nil && strings.Contains(string(words), "hotcell_guard") {
			return dir
		}
	}
	return ""
}

// look reads what /proc has of a process and what does not change by itself.
func look(t *testing.T, dir string) seen {
	t.Helper()
	found := seen{}
	for _, name := range []string{
		"uid_map", "gid_map", "setgroups", "oom_score_adj", "timerslack_ns", "coredump_filter", "personality",
		"cmdline", "loginuid", "comm",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if !errors.Is(err, fs.ErrNotExist) { // this kernel has none
			require.NoError(t, err, name)
			found[name] = string(text)
		}
	}
	for line := range strings.Lines(readAll(t, dir, "status")) {
		if name, value, _ := strings.Cut(line, ":"); !changing.MatchString(name) {
			found["status."+name] = strings.TrimSpace(value)
		}
	}
	for line := range strings.Lines(readAll(t, dir, "limits")) {
		name, value, _ := strings.Cut(line, "  ")
		found["limits."+name] = strings.Join(strings.Fields(value), " ")
	}
	for line := range strings.Lines(readAll(t, dir, "mountinfo")) {
		fields := strings.Fields(line)
		_, kind, _ := strings.Cut(line, " - ")
		found["mount."+fields[4]] = fields[5] + " " + strings.Fields(kind)[0]
	}
	variables := strings.Split(readAll(t, dir, "environ"), "\x00")
	slices.Sort(variables)
	found["environment"] = strings.Join(variables, " ")
	for _, link := range []string{"cwd", "root", "exe"} {
		target, err := os.Readlink(filepath.Join(dir, link))
		require.NoError(t, err)
		found[link] = target
	}
	handles, err := os.ReadDir(filepath.Join(dir, "fd"))
	require.NoError(t, err)
	for _, handle := range handles {
		target, err := os.Readlink(filepath.Join(dir, "fd", handle.Name()))
		require.NoError(t, err)
		found["descriptor."+handle.Name()], _, _ = strings.Cut(target, ":") // not which pipe
	}
	for _, name := range []string{"cgroup", "ipc", "mnt", "net", "pid", "user", "uts", "time"} {
		theirs, err := os.Readlink(filepath.Join(dir, "ns", name))
		require.NoError(t, err)
		ours, err := os.Readlink("/proc/self/ns/" + name)
		require.NoError(t, err)
		found["namespace."+name] = map[bool]string{true: "the host's", false: "its own"}[ours == theirs]
	}
	info, err := os.Stat(dir)
	require.NoError(t, err)
	found["dumpable"] = map[bool]string{true: "no", false: "yes"}[info.Sys().(*syscall.Stat_t).Uid == 0]
	fields := strings.Fields(readAll(t, dir, "stat")[strings.LastIndexByte(readAll(t, dir, "stat"), ')'):])
	found["priority, nice, policy"] = strings.Join([]string{fields[16], fields[17], fields[38], fields[39]}, " ")
	for name, text := range groupOf(t, dir) {
		found["group."+name] = text
	}
	return found
}

// changing are fields that are one process's own, or that change while it runs.
var changing = regexp.MustCompile(`^(Name|State|Tgid|Ngid|Pid|PPid|NStgid|NSpid|NSpgid|NSsid|Kthread|Vm.*|Rss.*|HugetlbPages|SigQ|nonvoluntary.*|voluntary.*)$`)

func readAll(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(text)
}

// groupOf reads the limits of the process's control group, and which hierarchies have it in that.
func groupOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	id := filepath.Base(groupPath(t, dir))
	for line := range strings.Lines(readAll(t, dir, "cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		found["in."+parts[1]] = map[bool]string{true: "its own", false: "another"}[filepath.Base(parts[2]) == id]
		controllers := parts[1]
		if controllers == "" {
			controllers = "." // v2
		}
		for _, name := range []string{
			"memory.max", "memory.swap.max", "pids.max", "cpu.max", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes",
			"cpu.cfs_quota_us", "cpu.cfs_period_us", "devices.list", "memory.oom.group",
		} {
			text, err := os.ReadFile(filepath.Join("/sys/fs/cgroup", controllers, parts[2], name))
			if err == nil {
				found[name] = strings.TrimSpace(string(text))
			}
		}
	}
	return found
}

// groupPath is where the processes of its group are counted.
func groupPath(t *testing.T, dir string) string {
	t.Helper()
	path := ""
	for line := range strings.Lines(readAll(t, dir, "cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if parts[1] == "pids" || parts[1] == "" && path == "" {
			path = parts[2]
		}
	}
	return path
}

// TestARunOutlivesItsTemplate, of which nothing is left while the run goes on.
func TestARunOutlivesItsTemplate(t *testing.T) {
	const waits = `
import time
(OUTPUT / "here").mkdir()
while (OUTPUT / "here").exists():
    time.sleep(0.01)
print("done")
`
	for _, runtime := range []string{"crun", "runc"} {
		t.Run(runtime, func(t *testing.T) {
			w := warm(t, runtime, "study-analysis")
			w.mayWarn = []string{"no sandboxes are kept ready"}
			r := w.start(w.command(w.runArgs(waits, "--json", "--trace")...))
			var guard string
			require.Eventually(t, func() bool { guard = guardThatMade("here"); return guard != "" }, patience, time.Millisecond)
			template := w.template()
			id := filepath.Base(groupPath(t, template))
			require.Contains(t, w.living(), id)
			pid, err := strconv.Atoi(filepath.Base(template))
			require.NoError(t, err)
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			require.Eventually(t, func() bool { return !slices.Contains(w.living(), id) }, patience, time.Millisecond, "it is removed")
			require.NoError(t, os.Remove(filepath.Join(guard, "root/output/here")))
			e := r.end()
			require.Zero(t, e.code, e.stdout+e.stderr)
			var got traced
			require.NoError(t, json.Unmarshal([]byte(e.stdout), &got))
			require.True(t, got.Trace.Warm, "the run is one of that template's")
			require.Equal(t, "done\n", got.Stdout)
		})
	}
}

// template is the directory in /proc of the one template there is: of the engine's guards the
// one that is in this pid namespace.
func (w *workspace) template() string {
	w.t.Helper()
	ours, err := os.Readlink("/proc/self/ns/pid")
	require.NoError(w.t, err)
	var found []string
	all, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(w.t, err)
	for _, dir := range all {
		status, err := os.ReadFile(filepath.Join(dir, "status"))
		words, err2 := os.ReadFile(filepath.Join(dir, "cmdline"))
		theirs, err3 := os.Readlink(filepath.Join(dir, "ns/pid"))
		if errors.Join(err, err2, err3) == nil && theirs == ours && isChildOf(string(status), w.engine.Process.Pid) &&
			strings.Contains(string(words), "hotcell_guard") {
			found = append(found, dir)
		}
	}
	require.Len(w.t, found, 1)
	return found[0]
}

// TestAForkedGuardHasWhatAnyOtherHas compares the guard of a sandbox that was made for its
// run with one that was ready: namespaces, mounts, capabilities, filters, limits, descriptors,
// ids, environment, control group, and what else the kernel tells of a process.
func TestAForkedGuardHasWhatAnyOtherHas(t *testing.T) {
	reasons := map[string]string{
		"status.Seccomp_filters": "the template's filter is there besides",
		"group.pids.max":         "the runtime's own process is in the group, and is not to be at the guard's expense",
	}
	for _, runtime := range []string{"crun", "runc"} {
		t.Run(runtime, func(t *testing.T) {
			w := warm(t, runtime, "study-analysis")
			cold := w.inspect("--cold")
			require.True(t, w.once("1 + 1", true).Trace.Warm)
			forked := w.inspect()
			require.Equal(t, "2", cold["status.Seccomp_filters"])
			require.Equal(t, "3", forked["status.Seccomp_filters"], "the comparison is with a fork")
			requireAlike(t, cold, forked, reasons)
		})
	}
}

// TestMatplotlibUsesTheImagesFonts in a sandbox, as they were listed when the image was made:
// to look at them itself takes it longer than most scripts, and where that takes seconds it
// writes to stderr.
func TestMatplotlibUsesTheImagesFonts(t *testing.T) {
	const script = `
import matplotlib.pyplot
[each.read_text() for each in (OUTPUT.parent / "tmp/matplotlib").iterdir()]
`
	w := newWorkspace(t, targets()[0])
	baked, err := filepath.Glob(filepath.Join(imagetest.Rootfs(t), "usr/share/hotcell/matplotlib/*.json"))
	require.NoError(t, err)
	require.Len(t, baked, 1)
	list, err := os.ReadFile(baked[0])
	require.NoError(t, err)
	want, err := json.Marshal([]string{string(list)})
	require.NoError(t, err)
	got := w.once(script, false)
	require.JSONEq(t, string(want), string(got.Value))
	require.Empty(t, got.Stderr)
}

// requireAlike wants nothing to differ but what has a reason.
func requireAlike(t *testing.T, cold, ready seen, reasons map[string]string) {
	t.Helper()
	var unexplained []string
	for _, field := range slices.Sorted(maps.Keys(union(cold, ready))) {
		if cold[field] != ready[field] && reasons[field] == "" {
			unexplained = append(unexplained, fmt.Sprintf("%s is %q, and %q where it was ready", field, cold[field], ready[field]))
		}
	}
	require.Empty(t, unexplained)
	require.Greater(t, len(cold), 100, "what was looked at")
}

// TestAGuardOfDockersThatWasReadyHasWhatAnyOtherHas is the same for a container that was
// started before its run.
func TestAGuardOfDockersThatWasReadyHasWhatAnyOtherHas(t *testing.T) {
	w := warmOn(t, dockerProcess(), "study-analysis")
	ready := w.inspect() // the one that --warm has waited for
	cold := w.inspect("--cold")
	require.NotEqual(t, cold["limits.Max cpu time"], ready["limits.Max cpu time"], "the comparison is with one that was ready")
	requireAlike(t, cold, ready, map[string]string{
		"limits.Max cpu time": "the kernel counts it from the start, and the preparation is not at the run's expense",
	})
}

// eventuallyReady runs the script until a sandbox was ready for it. Docker's are made one by
// one, and no request waits for one.
func (w *workspace) eventuallyReady(script string, flags ...string) traced {
	w.t.Helper()
	var got traced
	require.Eventually(w.t, func() bool {
		e := w.run(script, append([]string{"--json", "--trace"}, flags...)...)
		require.Zero(w.t, e.code, e.stdout+e.stderr)
		got = traced{}
		require.NoError(w.t, json.Unmarshal([]byte(e.stdout), &got))
		return got.Trace.Warm
	}, patience, time.Second)
	return got
}

// What Docker's engine process has ready answers as what is made for a run, and is charged
// for the run alone.
func TestDockersSandboxesThatWereReadyAnswerAlike(t *testing.T) {
	const script = `
import pandas as pd
t = pd.DataFrame({"g": list("aab"), "v": [1, 2, 3]})
(OUTPUT / "t.csv").write_text(t.groupby("g").v.sum().to_csv())
print(t.v.sum())
`
	w := warmOn(t, dockerProcess(), "study-analysis")
	cold := w.once(script, false)
	for _, flags := range [][]string{nil, {"--memory", "384MiB", "--cpus", "0.5", "--pids-limit", "16"}} {
		ready := w.eventuallyReady(script, flags...)
		require.Equal(t, cold.Stdout, ready.Stdout)
		require.Equal(t, cold.Status, ready.Status)
		require.Equal(t, cold.Files, ready.Files)
		require.Less(t, ready.Usage.CPUMS, cold.Usage.CPUMS, "pandas was imported before")
	}
}

func union(one, other seen) seen {
	both := maps.Clone(one)
	maps.Copy(both, other)
	return both
}

// draws prints what was seeded at import, and what was cached then.
const draws = `
import json, random
import numpy as np
import pandas as pd
from scipy import stats
print(json.dumps({
    "random": random.random(), "the state of random": random.getstate()[1][0],
    "numpy": np.random.random(), "numpy, normal": float(np.random.standard_normal()),
    "the state of numpy": int(np.random.get_state()[1][0]),
    "a generator": np.random.default_rng().random(), "a RandomState": np.random.RandomState().random(),
    "a bit generator": int(np.random.PCG64().random_raw() >> 1), "a sequence of seeds": int(np.random.SeedSequence().entropy % 2**63),
    "a sample of a table": int(pd.Series(range(10**9 + 7, 10**9 + 10**6)).sample(1).iloc[0]),
    "a distribution of scipy": float(stats.norm.rvs()),
}))
random.seed(7)
np.random.seed(7)
print([random.random(), np.random.random(), np.random.default_rng(7).random(), hash("a"), sorted({"x", "y", "z"}, key=hash)])
`

// TestForksOfOneTemplateDrawOtherNumbers wants eight of them to differ pairwise in all
// that is random, and to agree in what a seed of the script's own decides, also with a
// sandbox that was made for its run.
func TestForksOfOneTemplateDrawOtherNumbers(t *testing.T) {
	w := warm(t, "crun", "study-analysis")
	before := ownerOf(t, os.DevNull)
	defer func() { require.Equal(t, before, ownerOf(t, os.DevNull), "the host's own device") }()
	drawn, seeded := map[string]map[string]bool{}, map[string]bool{}
	for range 8 {
		var own map[string]any
		lines := strings.Split(strings.TrimSpace(w.once(draws, true).Stdout), "\n")
		require.NoError(t, json.Unmarshal([]byte(lines[0]), &own))
		for name, value := range own {
			if drawn[name] == nil {
				drawn[name] = map[string]bool{}
			}
			drawn[name][fmt.Sprint(value)] = true
		}
		seeded[lines[1]] = true
	}
	for name, values := range drawn {
		require.Len(t, values, 8, "%s: %v", name, values)
	}
	require.Len(t, seeded, 1)
	lines := strings.Split(strings.TrimSpace(w.once(draws, false).Stdout), "\n")
	require.True(t, seeded[lines[1]], "a seed gives the same numbers, ready or not")
}

// ownerOf is who owns a file. Runtimes make the sandbox's user the owner of its streams.
func ownerOf(t *testing.T, path string) uint32 {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Sys().(*syscall.Stat_t).Uid
}

// TestProbesHoldInDockersSandboxesThatWereReady tries in containers that were started, and
// whose guards imported all, before, some of what the next test tries in forks.
func TestProbesHoldInDockersSandboxesThatWereReady(t *testing.T) {
	chosen := target{name: "docker", engine: "docker"}
	requireTarget(t, chosen)
	w := newWorkspace(t, chosen)
	const some = "become_root,foreign_descriptors,internet_socket"
	r := w.start(w.command("selftest", "--warm", "--json", "--engine", "docker", "--only", some))
	require.NoError(t, r.cmd.Wait(), "%s\n%s", &r.stdout, &r.stderr)
	var report struct{ Outcomes []struct{ Verdict string } }
	require.NoError(t, json.Unmarshal(r.stdout.Bytes(), &report))
	require.Len(t, report.Outcomes, 2*3, "with the guard and without")
}

// TestTheSelfTestHoldsInSandboxesThatWereReady tries every probe and a choice of the attempts
// in forks, and no attack in any other sandbox.
func TestTheSelfTestHoldsInSandboxesThatWereReady(t *testing.T) {
	chosen := engineProcess()
	requireTarget(t, chosen)
	chosen.process = false
	w := newWorkspace(t, chosen)
	r := w.start(w.command("selftest", "--warm", "--json", "--engine", "oci", "--runtime", "crun"))
	require.NoError(t, r.cmd.Wait(), "%s\n%s", &r.stdout, &r.stderr)
	var report struct{ Outcomes []struct{ Verdict string } }
	require.NoError(t, json.Unmarshal(r.stdout.Bytes(), &report))
	require.Greater(t, len(report.Outcomes), 400, "every probe, with the guard and without")
}
