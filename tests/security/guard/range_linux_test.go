package guard_test

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/image/imagetest"
	"hotcell/internal/policy"
	"hotcell/policies"
)

const (
	// patience ends a range that hangs.
	patience = 15 * time.Minute
	// tidying is what is left of the test binary's own time limit to remove the
	// container: a binary that runs into that limit removes nothing.
	tidying = 20 * time.Second
)

const guardDir = "../../../images/python-analysis/guard"

//go:embed range/range.py range/warm.py range/bypassed.py range/stage2.py
var rangePrograms embed.FS

// imports are what the policy workflow-step lists, which lists the most, and what the
// attempts need beside it: an import allow-list is what the guard has to hold by itself.
func imports(t *testing.T) []string {
	t.Helper()
	listed, err := policy.NewCatalog(policies.Files, "").Get("workflow-step")
	require.NoError(t, err)
	return append(strings.Fields(others), listed.Guard.Imports...)
}

const others = `abc array calendar cmath collections collections.abc contextlib copy csv dataclasses datetime decimal enum
	fractions functools io itertools json math numbers operator random re statistics string struct textwrap time typing warnings zoneinfo logging
	matplotlib matplotlib.animation matplotlib.cm matplotlib.colors matplotlib.dates matplotlib.gridspec
	matplotlib.patches matplotlib.pyplot matplotlib.text matplotlib.ticker matplotlib.widgets
	numpy numpy.fft numpy.lib numpy.lib.format numpy.lib.npyio numpy.lib.stride_tricks numpy.linalg numpy.ma
	numpy.polynomial numpy.random numpy.testing
	pandas pandas.api pandas.api.extensions pandas.api.types pandas.plotting pandas.testing
	plotly plotly.express plotly.figure_factory plotly.graph_objects plotly.io plotly.subplots
	scipy scipy.integrate scipy.interpolate scipy.io scipy.linalg scipy.odr scipy.optimize scipy.signal scipy.sparse scipy.spatial
	scipy.special
	scipy.stats statsmodels statsmodels.api statsmodels.datasets statsmodels.duration.hazard_regression
	statsmodels.duration.survfunc statsmodels.formula.api statsmodels.iolib statsmodels.stats.api statsmodels.tsa.api
	patsy pydantic pydantic.dataclasses concurrent.futures asyncio contextvars mpl_toolkits.mplot3d requests urllib.parse
	glob inspect os os.path pathlib shutil sys tempfile`

// verdict is what became of an attempt on one side.
type verdict struct {
	Name string `json:"name"`
	// Side is "plain" or "guarded".
	Side string `json:"side"`
	// Verdict is "escaped"; or on the plain side "defective"; or on the guarded
	// side the report's outcome, "fault" for a guard that ended with its fault
	// code, "crashed" for any other end, "hung"; or "connections".
	Verdict string `json:"verdict"`
	Detail  string `json:"detail"`
}

// shoot runs all attempts on both sides in one container and returns the verdicts
// by side and name. The container is there to protect the host from the plain side.
func shoot(t *testing.T, corpus []attempt) map[string]map[string]verdict {
	t.Helper()
	return runRange(t, "serve", map[string]any{"attempts": corpus, "imports": imports(t), "jobs": 3}, "plain", "guarded")
}

// runRange runs the range's command with a corpus in a container, and returns the
// verdicts by side and name.
func runRange(t *testing.T, command string, corpus map[string]any, sides ...string) map[string]map[string]verdict {
	t.Helper()
	dir := layRange(t, command, corpus)
	ctx, cancel := context.WithDeadline(t.Context(), deadline(t))
	defer cancel()
	state, id := filepath.Join(dir, "state"), filepath.Base(dir)
	run := exec.CommandContext(ctx, "runc", "--root", state, "run", "--bundle", dir, id)
	// Killing runc would leave the container alive; its end ends runc.
	run.Cancel = func() error { return exec.Command("runc", "--root", state, "kill", id, "KILL").Run() }
	run.WaitDelay = tidying / 2
	var stdout, stderr bytes.Buffer
	run.Stdout, run.Stderr = &stdout, &stderr
	require.NoError(t, run.Run(), "%s", &stderr)
	verdicts := make(map[string]map[string]verdict)
	for _, side := range sides {
		verdicts[side] = make(map[string]verdict)
	}
	lines := bufio.NewScanner(&stdout)
	for lines.Scan() {
		var v verdict
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v), "%s", lines.Bytes())
		verdicts[v.Side][v.Name] = v
	}
	require.NoError(t, lines.Err())
	return verdicts
}

func deadline(t *testing.T) time.Time {
	own := time.Now().Add(patience)
	if end, limited := t.Deadline(); limited && end.Add(-tidying).Before(own) {
		return end.Add(-tidying)
	}
	return own
}

// layRange makes the container's directory: the image under a layer that takes
// the guard's sources, the corpus and what the attempts write.
func layRange(t *testing.T, command string, corpus map[string]any) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hotcell-range-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	for _, name := range []string{"upper", "work", "rootfs"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	rootfs := filepath.Join(dir, "rootfs")
	layers := "lowerdir=" + imagetest.Rootfs(t) + ",upperdir=" + filepath.Join(dir, "upper") + ",workdir=" + filepath.Join(dir, "work")
	require.NoError(t, unix.Mount("overlay", rootfs, "overlay", 0, layers))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(rootfs, 0)) })

	require.NoError(t, os.CopyFS(filepath.Join(rootfs, "range", "guard"), os.DirFS(guardDir)))
	require.NoError(t, os.CopyFS(rootfs, rangePrograms)) // to /range
	writeJSON(t, filepath.Join(rootfs, "range", "corpus.json"), corpus)
	writeJSON(t, filepath.Join(dir, "config.json"), config(rootfs, filepath.Base(dir), command))
	return dir
}

func writeJSON(t *testing.T, path string, value any) {
	t.Helper()
	encoded, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, encoded, 0o600))
}

// config is a container for root: what it lacks is a network, other processes and
// the capabilities that would reach the host. It holds the plain side only; an
// attempt on the guarded side that gets so far has escaped.
func config(rootfs, id, command string) *specs.Spec {
	capabilities := []string{"CAP_DAC_OVERRIDE", "CAP_NET_ADMIN"} // the latter for the loopback interface
	tmpfs := func(path string) specs.Mount {
		return specs.Mount{Destination: path, Source: "tmpfs", Type: "tmpfs", Options: []string{"mode=1777", "size=1g"}}
	}
	return &specs.Spec{
		Version: "1.0.2",
		Process: &specs.Process{
			Args: []string{"/usr/bin/python3", "-sBP", "/range/range.py", command, "/range/corpus.json"}, Cwd: "/",
			Env:             append(pythonanalysis.Environment("/tmp", 1), "PYTHONPATH=/range/guard/src:/range/guard"),
			Capabilities:    &specs.LinuxCapabilities{Bounding: capabilities, Effective: capabilities, Permitted: capabilities},
			NoNewPrivileges: true,
		},
		Root:   &specs.Root{Path: rootfs},
		Mounts: []specs.Mount{{Destination: "/proc", Source: "proc", Type: "proc"}, tmpfs("/dev"), tmpfs("/dev/shm"), tmpfs("/tmp")},
		Linux: &specs.Linux{
			CgroupsPath: "/" + id,
			Namespaces: []specs.LinuxNamespace{
				{Type: specs.MountNamespace}, {Type: specs.PIDNamespace}, {Type: specs.NetworkNamespace},
				{Type: specs.IPCNamespace}, {Type: specs.UTSNamespace},
			},
			Resources: &specs.LinuxResources{Devices: []specs.LinuxDeviceCgroup{{Allow: false, Access: "rwm"}}},
		},
	}
}
