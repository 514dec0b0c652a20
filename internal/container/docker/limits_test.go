//go:build linux

package docker

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	containerapi "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

const allocate = waitForInput + `
import mmap
m = mmap.mmap(-1, 200 << 20)
for i in range(0, len(m), 4096): m[i] = 1
`

// TestOOMIsCounted also allocates in a child, whose death the guard survives:
// there Docker's own flag says nothing.
func TestOOMIsCounted(t *testing.T) {
	cases := []struct {
		name, script string
		code         int
		signal       string
		kills        int64
	}{
		{"in the first process", allocate, -1, "SIGKILL", 1},
		{"in a child", waitForInput + "\npid = os.fork()\nif pid == 0:\n" + indent(allocate[len(waitForInput):]) + "\nos.waitpid(pid, 0)\nos._exit(0)", 0, "", 1},
		{"not for another SIGKILL", waitForInput + "\npid = os.fork()\nif pid == 0: os.kill(os.getpid(), 9)\nos.waitpid(pid, 0)\nos._exit(7)", 7, "", 0},
	}
	h := newHarness(t, false)
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			got := h.run(t.Context(), t, h.create(t, h.spec(test.script)), "x")
			require.Equal(t, test.kills, got.OOMKills, got.stderr)
			require.Equal(t, test.code, got.Code, got.stderr)
			require.Equal(t, test.signal, got.Signal)
			require.False(t, got.KilledByUs)
			require.LessOrEqual(t, got.Usage.MemoryPeakBytes, int64(64<<20))
			require.Greater(t, got.Usage.MemoryPeakBytes, int64(1<<20))
		})
	}
}

func indent(script string) string {
	return "    " + strings.ReplaceAll(script, "\n", "\n    ")
}

func TestDeniedForksAreCounted(t *testing.T) {
	h := newHarness(t, false)
	got := h.run(t.Context(), t, h.create(t, h.spec(waitForInput+`
import time
n = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(100)
        n += 1
except OSError as e:
    print(n, e.errno, flush=True)
`)), "x")
	require.Equal(t, "31 11\n", got.stdout, got.stderr)
	require.Equal(t, int64(1), got.PIDsDenied)
	require.Equal(t, int64(32), got.Usage.PIDsPeak)
}

func TestOutputIsCappedAndReadBack(t *testing.T) {
	const script = waitForInput + `
import json, errno
os.makedirs("/output/a/b")
open("/output/a/b/file", "w").write("content")
os.symlink("/etc/passwd", "/output/link")
os.link("/output/a/b/file", "/output/hard")
os.mkfifo("/output/fifo")
refused = []
try:
    for i in range(100): os.mkdir(f"/output/d{i}")
except OSError as e: refused.append([i, errno.errorcode[e.errno]])
for j in range(i): os.rmdir(f"/output/d{j}")
try:
    with open("/output/big", "wb", buffering=0) as f:
        for k in range(1024): f.write(bytes(1 << 16))
except OSError as e: refused.append(errno.errorcode[e.errno])
os.unlink("/output/big")
os.chmod("/output/a/b/file", 0o644)
print(json.dumps(refused))
`
	bothPlaces(t, func(t *testing.T, h harness) {
		made := h.create(t, h.spec(script))
		got := h.run(t.Context(), t, made, "x")
		var refused []any
		require.NoError(t, json.Unmarshal([]byte(got.stdout), &refused), got.stderr)
		require.Equal(t, []any{10.0, "ENOSPC"}, refused[0], "16 inodes, 6 of them in use")
		require.Contains(t, []any{"ENOSPC", "EFBIG"}, refused[1])

		root, err := made.Output(t.Context())
		require.NoError(t, err)
		defer root.Close()
		content, err := root.ReadFile("a/b/file")
		require.NoError(t, err)
		require.Equal(t, "content", string(content))
		for name, regular := range map[string]bool{"hard": true, "link": false, "fifo": false} {
			info, err := root.Lstat(name)
			require.NoError(t, err)
			require.Equal(t, regular, info.Mode().IsRegular(), name)
		}
		info, err := root.Lstat("hard")
		require.NoError(t, err)
		require.Equal(t, uint64(2), info.Sys().(*syscall.Stat_t).Nlink)
		entries, err := fs.ReadDir(root.FS(), ".")
		require.NoError(t, err)
		require.Len(t, entries, 4)
	})
}

func TestBundleIsReadOnly(t *testing.T) {
	const script = waitForInput + `
print(open("/bundle/bundle.json").read().strip())
try: open("/bundle/new", "w")
except OSError as e: print(e.errno)
`
	bothPlaces(t, func(t *testing.T, h harness) {
		spec := h.spec(script)
		spec.Bundle = testBundle
		got := h.run(t.Context(), t, h.create(t, spec), "x")
		require.Equal(t, "{}\n30\n", got.stdout, got.stderr) // 30 is EROFS
	})
}

// TestRealLimits reads, on this host, what the kernel holds for a living sandbox.
func TestRealLimits(t *testing.T) {
	h := newHarness(t, false)
	made := h.create(t, h.spec(waitForInput)).(*sandbox)
	group := made.fittings.monitor.(*localMonitor).group
	recorded, err := os.ReadFile(filepath.Join(made.dir.path, groupFile))
	require.NoError(t, err)
	require.Equal(t, group.Path()+"\n", string(recorded), "Sweep would look elsewhere")
	files := map[string]string{
		"memory/%/memory.limit_in_bytes":       "67108864\n",
		"memory/%/memory.memsw.limit_in_bytes": "67108864\n",
		"pids/%/pids.max":                      "32\n",
		"cpu/%/cpu.cfs_quota_us":               "100000\n",
	}
	if group.Mode() == cgroup.ModeUnified {
		files = map[string]string{
			"%/memory.max": "67108864\n", "%/memory.swap.max": "0\n", "%/pids.max": "32\n", "%/cpu.max": "100000 100000\n",
		}
	}
	for file, want := range files {
		content, err := os.ReadFile(filepath.Join(cgroup.Mountpoint(), strings.Replace(file, "%", group.Path(), 1)))
		require.NoError(t, err)
		require.Equal(t, want, string(content), file)
	}
}

// withoutParent makes a sandbox as where no group of ours can be made.
func (h harness) withoutParent(t *testing.T, spec container.Spec) *sandbox {
	t.Helper()
	found, err := h.daemon(t.Context())
	require.NoError(t, err)
	found.cgroups = cgroupSupport{detail: "none is made here"}
	made, err := h.createOn(t.Context(), found, container.NewLifecycle(container.NewID(), nil), spec)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := container.ReleaseContext(t.Context())
		defer cancel()
		require.NoError(t, made.Destroy(ctx))
	})
	return made
}

// What the daemon echoes is not what the kernel enforces, here because it is changed
// afterwards.
func TestLimitsAreReadBackWithoutAGroupOfOurs(t *testing.T) {
	h := newHarness(t, false)
	spec := h.spec(waitForInput + "print('in')")
	spec.Bundle = testBundle
	got := h.run(t.Context(), t, h.withoutParent(t, spec), "x")
	require.Equal(t, "in\n", got.stdout, got.stderr)

	more := spec.Limits.PIDs + 1
	changed := h.withoutParent(t, spec)
	_, err := h.api.ContainerUpdate(t.Context(), changed.containerID, client.ContainerUpdateOptions{
		Resources: &containerapi.Resources{PidsLimit: &more},
	})
	require.NoError(t, err)
	_, err = changed.Run(t.Context(), container.Streams{Stdin: strings.NewReader("x"), Stdout: io.Discard, Stderr: io.Discard})
	require.ErrorIs(t, err, errIsolation)
	require.ErrorContains(t, err, "limits are")
}

// The name of a group in a sandbox's directory must not make a sweep end another.
func TestOnlyTheSandboxesOwnGroupIsRemoved(t *testing.T) {
	id := container.NewID()
	for _, path := range []string{"", "/", "/system.slice", "/hotcell/" + container.NewID().String(), cgroup.SlicePath("other")} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, groupFile), []byte(path+"\n"), 0o600))
		require.ErrorContains(t, removeGroup(t.Context(), dir, id), "is not that of sandbox", path)
	}
}

// A name is written before its group is made: half a one, on a disk that was full, names none.
func TestHalfANameOfAGroupIsNone(t *testing.T) {
	dir, id := t.TempDir(), container.NewID()
	for _, half := range []string{"", "/", "/hotcell/" + id.String()} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, groupFile), []byte(half), 0o600))
		require.NoError(t, removeGroup(t.Context(), dir, id), half)
	}
}

func TestFiftyOOMsAreAllCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	h := newHarness(t, false)
	const runs = 50
	start := time.Now()
	for range runs {
		made := h.create(t, h.spec(allocate))
		got := h.run(t.Context(), t, made, "x")
		require.Equal(t, int64(1), got.OOMKills)
		require.Equal(t, "SIGKILL", got.Signal)
		require.NoError(t, made.Destroy(t.Context()))
	}
	t.Logf("%v for each run", time.Since(start)/runs)
	requireNothingLeft(t, h)
}
