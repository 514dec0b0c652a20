package security_test

import (
	"bufio"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

//go:embed inspection/inspect.py
var inspection string

// report is what a sandbox says of itself, by field, each field as JSON.
type report map[string]json.RawMessage

// TestSandboxesAreAlike compares what a process has on each engine, field by field,
// with what the host sees of it, and with the sandboxes of the other engines.
func TestSandboxesAreAlike(t *testing.T) {
	reports := map[string]map[string]string{}
	for name, open := range targets() {
		t.Run(name, func(t *testing.T) {
			target := open(t)
			inside, outside := inspect(t, target)
			requireAsDesigned(t, target.spec, inside)
			requireSeenAlike(t, target.spec, inside, outside)
			reports[name] = flatten(t, inside)
		})
	}
	const standard = "oci with crun"
	want, found := reports[standard]
	if !found {
		lacking(t, "there is no sandbox to compare with: "+standard)
	}
	var unexplained []string
	for name, got := range reports {
		for _, field := range differing(want, got) {
			line := fmt.Sprintf("%s: %s is %s, not %s", name, field, got[field], want[field])
			if reason := known(name, field); reason != "" {
				t.Logf("%s: %s", line, reason)
				continue
			}
			unexplained = append(unexplained, line)
		}
	}
	require.Empty(t, unexplained)
}

// difference is one that is accepted, and why.
type difference struct {
	engine string
	field  *regexp.Regexp
	reason string
}

func differences() []difference {
	field := regexp.MustCompile
	return []difference{
		{"docker", field(`^ignored_signals$`), "a sandbox inherits what whoever started the runner, or the daemon, had ignored; requireIgnoredSignals bounds it"},
		{"oci with runc", field(`^mounts\./dev/(null|zero|full|random|urandom|tty)$`),
			"runc binds device nodes without options: none of them can be executed or has a set-user bit"},
		{"oci with runc", field(`^mounts\./proc/`),
			"crun and runc mask and make read-only with other mounts: what they show is compared in masked"},
		{"docker", field(`^(uid_map|gid_map|set_groups|limits\.RLIMIT_NPROC)$`),
			"the daemon maps users only when it was started with userns-remap; without a user namespace RLIMIT_NPROC would count all sandboxes together"},
		{"docker", field(`^groups$`), "the daemon adds the primary group, the unprivileged one"},
		{"docker", field(`^mounts\./sys|^mounts\./dev/(pts|mqueue)$|^message_queues$`),
			"the daemon always mounts these; each is hidden by an empty, read-only file system"},
		{"docker", field(`^mounts\./etc/(hosts|hostname|resolv\.conf)$`),
			"the daemon writes these files; they name nothing but the sandbox, and resolv.conf is masked"},
		{"docker", field(`^mounts\./proc/`),
			"crun and runc mask and make read-only with other mounts: what they show is compared in masked"},
		{"docker", field(`^mounts\./$`), "the daemon's storage driver makes the root; it is read-only"},
		{"docker", field(`^mounts\./dev$|^sizes\./dev$`), "the daemon's /dev is a file system that only root can write to"},
		{"docker", field(`^mounts\./dev/(null|zero|full|random|urandom|tty)$`),
			"without a user namespace device nodes are made, not bound"},
		{"docker", field(`^limits\.RLIMIT_(AS|DATA|MEMLOCK|NICE|OFILE|RSS|RTPRIO|RTTIME|SIGPENDING)$`),
			"not set by us: inherited from the daemon instead of from the runner"},
	}
}

func known(engine, field string) string {
	for _, each := range differences() {
		if each.engine == engine && each.field.MatchString(field) {
			return each.reason
		}
	}
	return ""
}

// differing returns the fields that two reports do not share.
func differing(want, got map[string]string) []string {
	var fields []string
	for field := range maps.Keys(want) {
		if value, found := got[field]; !found || value != want[field] {
			fields = append(fields, field)
		}
	}
	for field := range maps.Keys(got) {
		if _, found := want[field]; !found {
			fields = append(fields, field)
		}
	}
	slices.Sort(fields)
	return fields
}

// flatten makes one entry of each value, by the path to it. What is one sandbox's
// own by its nature is left out: the numbers of its namespaces.
func flatten(t *testing.T, inside report) map[string]string {
	t.Helper()
	flat := map[string]string{}
	for field, raw := range inside {
		var entries map[string]json.RawMessage
		if json.Unmarshal(raw, &entries) != nil || entries == nil {
			flat[field] = string(raw)
			continue
		}
		for key, value := range entries {
			flat[field+"."+key] = string(value)
			if field == "namespaces" {
				flat[field+"."+key] = "its own"
			}
		}
	}
	return flat
}

// inspect returns what a sandbox says and what the host sees of the same process
// at the same time.
func inspect(t *testing.T, target target) (report, outside) {
	t.Helper()
	ctx, cancel := untilTheEnd(t)
	defer cancel()
	spec, marker := target.spec, rand.Text()
	asked, err := json.Marshal(map[string]any{"masked": container.MaskedPaths()})
	require.NoError(t, err)
	spec.Command = []string{"/usr/bin/python3", "-sBP", "-c", inspection, string(asked), marker}
	sandbox, err := target.engine.Create(ctx, container.NewID(), spec)
	require.NoError(t, err)
	defer func() {
		release, cancel := container.ReleaseContext(ctx)
		defer cancel()
		require.NoError(t, sandbox.Destroy(release))
	}()
	stdin, hold := io.Pipe()
	stdout, words := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := sandbox.Run(ctx, container.Streams{Stdin: stdin, Stdout: words, Stderr: t.Output()})
		words.CloseWithError(io.EOF)
		ended <- err
	}()
	line, err := bufio.NewReaderSize(stdout, 1<<20).ReadBytes('\n')
	require.NoError(t, err)
	seen := look(t, marker)
	require.NoError(t, hold.Close())
	require.NoError(t, <-ended)
	inside := report{}
	require.NoError(t, json.Unmarshal(line, &inside))
	return inside, seen
}

// outside is what the host sees of a sandbox's process.
type outside struct {
	namespaces map[string]string
	status     map[string]string
	limits     map[string][2]string
	oomScore   string
	cgroup     map[string]string // by the names of v2
}

// look finds the process by its command line.
func look(t *testing.T, marker string) outside {
	t.Helper()
	dir := processOf(t, marker)
	seen := outside{namespaces: map[string]string{}, status: statusOf(t, dir), limits: limitsOf(t, dir), cgroup: cgroupOf(t, dir)}
	names, err := os.ReadDir(filepath.Join(dir, "ns"))
	require.NoError(t, err)
	for _, name := range names {
		seen.namespaces[name.Name()], err = os.Readlink(filepath.Join(dir, "ns", name.Name()))
		require.NoError(t, err)
	}
	seen.oomScore = strings.TrimSpace(content(t, filepath.Join(dir, "oom_score_adj")))
	return seen
}

func processOf(t *testing.T, marker string) string {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, line := range lines {
		text, err := os.ReadFile(line)
		if err != nil || !strings.HasSuffix(string(text), marker+"\x00") {
			continue // ended, or another
		}
		if strings.HasSuffix(statusOf(t, filepath.Dir(line))["NSpid"], "\t1") {
			return filepath.Dir(line)
		}
	}
	require.Fail(t, "the host does not see the process")
	return ""
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func statusOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	fields := map[string]string{}
	for line := range strings.Lines(content(t, filepath.Join(dir, "status"))) {
		key, value, _ := strings.Cut(line, ":")
		fields[key] = strings.TrimSpace(value)
	}
	return fields
}

// limitNames are the names of /proc/PID/limits for those that a Spec sets.
func limitNames() map[string]string {
	return map[string]string{
		"RLIMIT_CORE": "Max core file size", "RLIMIT_NOFILE": "Max open files", "RLIMIT_FSIZE": "Max file size",
		"RLIMIT_CPU": "Max cpu time", "RLIMIT_MSGQUEUE": "Max msgqueue size", "RLIMIT_NPROC": "Max processes",
	}
}

func limitsOf(t *testing.T, dir string) map[string][2]string {
	t.Helper()
	text, limits := content(t, filepath.Join(dir, "limits")), map[string][2]string{}
	for name, words := range limitNames() {
		for line := range strings.Lines(text) {
			if rest, found := strings.CutPrefix(line, words); found {
				limits[name] = [2]string(strings.Fields(rest)[:2])
			}
		}
	}
	return limits
}

// cgroupOf reads the values of the process's groups, v1 or v2.
func cgroupOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for line := range strings.Lines(content(t, filepath.Join(dir, "cgroup"))) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		for name, file := range cgroupFiles(parts[1]) {
			text, err := os.ReadFile(filepath.Join("/sys/fs/cgroup", parts[1], parts[2], file))
			if err == nil {
				values[name] = strings.TrimSpace(string(text))
			}
		}
	}
	if quota, found := values["cpu quota"]; found {
		values["cpu.max"] = quota + " " + values["cpu period"]
	}
	return values
}

// cgroupFiles names the files of a controller, "" being v2.
func cgroupFiles(controller string) map[string]string {
	switch controller {
	case "memory":
		return map[string]string{"memory.max": "memory.limit_in_bytes", "memory and swap": "memory.memsw.limit_in_bytes"}
	case "pids":
		return map[string]string{"pids.max": "pids.max"}
	case "cpu", "cpu,cpuacct":
		return map[string]string{"cpu quota": "cpu.cfs_quota_us", "cpu period": "cpu.cfs_period_us"}
	case "":
		return map[string]string{"memory.max": "memory.max", "memory.swap.max": "memory.swap.max", "pids.max": "pids.max", "cpu.max": "cpu.max"}
	default:
		return nil
	}
}

func (r report) decode(t *testing.T, field string, into any) {
	t.Helper()
	require.Contains(t, r, field)
	require.NoError(t, json.Unmarshal(r[field], into), field)
}

// requireSeenAlike compares what is said inside with what is seen from outside: a
// /proc that lies would be found out.
func requireSeenAlike(t *testing.T, spec container.Spec, inside report, seen outside) {
	t.Helper()
	var namespaces, capabilities map[string]string
	var limits map[string][2]int64
	inside.decode(t, "namespaces", &namespaces)
	require.Equal(t, seen.namespaces, namespaces)
	for name, id := range namespaces {
		ours, err := os.Readlink("/proc/self/ns/" + name)
		require.NoError(t, err)
		if !slices.Contains([]string{"time", "time_for_children"}, name) && (name != "user" || hasOwnUsers(t, inside)) {
			require.NotEqual(t, ours, id, "the sandbox shares the host's %s namespace", name)
		}
	}
	inside.decode(t, "capabilities", &capabilities)
	for set, value := range capabilities {
		require.Equal(t, seen.status[set], value, set)
	}
	for field, name := range map[string]string{"no_new_privs": "NoNewPrivs", "seccomp": "Seccomp", "ignored_signals": "SigIgn"} {
		var value string
		inside.decode(t, field, &value)
		require.Equal(t, seen.status[name], value, field)
	}
	inside.decode(t, "limits", &limits)
	for name, pair := range seen.limits {
		said := [2]string{limitText(limits[name][0]), limitText(limits[name][1])}
		require.Equal(t, pair, said, name)
	}
	requireGroupLimits(t, spec, seen.cgroup)
	require.Equal(t, strconv.Itoa(container.OOMScoreAdj), seen.oomScore)
}

func hasOwnUsers(t *testing.T, inside report) bool {
	t.Helper()
	var ids []string
	inside.decode(t, "uid_map", &ids)
	return !slices.Equal(ids, []string{"0", "0", "4294967295"})
}

func limitText(value int64) string {
	if value == -1 {
		return "unlimited"
	}
	return strconv.FormatInt(value, 10)
}

func requireGroupLimits(t *testing.T, spec container.Spec, values map[string]string) {
	t.Helper()
	require.Equal(t, strconv.FormatInt(spec.Limits.MemoryBytes, 10), values["memory.max"])
	if both, v1 := values["memory and swap"]; v1 {
		require.Equal(t, values["memory.max"], both, "swap is not off")
	} else {
		require.Equal(t, "0", values["memory.swap.max"])
	}
	require.Equal(t, strconv.FormatInt(spec.Limits.PIDs, 10), values["pids.max"])
	require.Equal(t, fmt.Sprintf("%d 100000", spec.Limits.CPUMillis*100), values["cpu.max"])
}

// requireIgnoredSignals expects SIGPIPE and SIGXFSZ, by the interpreter, and none but
// those that whoever started the runner had ignored: nohup(1) and shells do so with
// SIGHUP, SIGINT and SIGQUIT, others with the two that libc keeps for itself.
func requireIgnoredSignals(t *testing.T, quoted string) {
	t.Helper()
	const byInterpreter, inherited = 1<<12 | 1<<24, 1<<0 | 1<<1 | 1<<2 | 1<<31 | 1<<32
	mask, err := strconv.ParseUint(strings.Trim(quoted, `"`), 16, 64)
	require.NoError(t, err)
	require.Equal(t, uint64(byInterpreter), mask&^uint64(inherited), "ignored signals %x", mask)
}

// requireAsDesigned holds a sandbox against what every sandbox has, whatever the
// engine.
func requireAsDesigned(t *testing.T, spec container.Spec, inside report) {
	t.Helper()
	const none = `"0000000000000000"`
	id := strconv.Quote(strconv.Itoa(container.UserID))
	flat := flatten(t, inside)
	largest := max(spec.Limits.OutputBytes, spec.Limits.ScratchBytes) + 1<<20
	seconds := int64(spec.Limits.CPUTime.Seconds()) + 2
	for field, want := range map[string]string{
		"capabilities.CapInh": none, "capabilities.CapPrm": none, "capabilities.CapEff": none,
		"capabilities.CapBnd": none, "capabilities.CapAmb": none,
		"no_new_privs": `"1"`, "seccomp": `"2"`, "seccomp_filters": `"1"`, "tracer": `"0"`,
		"uids": "[" + strings.Repeat(id+", ", 3) + id + "]", "gids": "[" + strings.Repeat(id+", ", 3) + id + "]",
		"pid": "1", "parent": "0", "processes": "[1]", "terminal": "false", "network": `["lo"]`,
		"working_directory": `"/"`, "root": `"/"`, "host_name": strconv.Quote(container.Hostname),
		"shared_memory": "false", "groups_seen": `["/"]`, "umask": `"0o22"`,
		"descriptors.0": `"pipe"`, "descriptors.1": `"pipe"`, "descriptors.2": `"pipe"`,
		"limits.RLIMIT_CORE": "[0, 0]", "limits.RLIMIT_MSGQUEUE": "[0, 0]",
		"limits.RLIMIT_FSIZE":  fmt.Sprintf("[%d, %d]", largest, largest),
		"limits.RLIMIT_CPU":    fmt.Sprintf("[%d, %d]", seconds, seconds),
		"limits.RLIMIT_NOFILE": fmt.Sprintf("[%d, %d]", spec.Limits.OpenFiles, spec.Limits.OpenFiles),
		"blocked_signals":      none,
		"sizes./tmp":           fmt.Sprintf(`{"size": "%dk", "nr_inodes": "%d"}`, spec.Limits.ScratchBytes>>10, container.ScratchFiles+1),
		"sizes./output":        fmt.Sprintf(`{"size": "%dk", "nr_inodes": "%d"}`, spec.Limits.OutputBytes>>10, spec.Limits.OutputFiles+1),
		"mounts./tmp":          `"tmpfs nodev,noexec,nosuid"`, "mounts./output": `"tmpfs nodev,noexec,nosuid"`,
		"mounts./proc": `"proc nodev,noexec,nosuid"`,
	} {
		require.Equal(t, want, flat[field], field)
	}
	requireIgnoredSignals(t, flat["ignored_signals"])
	for field, value := range flat {
		if strings.HasPrefix(field, "masked.") {
			require.Equal(t, `"hidden"`, value, field)
		}
		if strings.HasPrefix(field, "descriptors.") {
			require.Contains(t, []string{"descriptors.0", "descriptors.1", "descriptors.2"}, field)
		}
	}
	require.Contains(t, flat["mounts./"], "ro", "the root is not read-only")
	require.Contains(t, flat["mounts./bundle"], "nodev,noexec,nosuid,ro")
	var environment []string
	inside.decode(t, "environment", &environment)
	// The interpreter adds LC_CTYPE to its own.
	environment = slices.DeleteFunc(environment, func(entry string) bool { return strings.HasPrefix(entry, "LC_CTYPE=") })
	require.ElementsMatch(t, spec.Environment, environment)
}
