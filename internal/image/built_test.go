//go:build linux

package image_test

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/image"
)

// unavailable skips a test that this machine cannot run, and fails it where a
// skip would hide a hole.
func unavailable(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// builtImage returns the image in the store that HOTCELL_TEST_IMAGE names, or in
// the host's own.
func builtImage(t *testing.T) (*image.Store, image.Image) {
	t.Helper()
	if os.Geteuid() != 0 {
		unavailable(t, "needs root")
	}
	dir := cmp.Or(os.Getenv("HOTCELL_TEST_IMAGE"), "/var/lib/hotcell/images")
	if _, err := os.Stat(filepath.Join(dir, "index.json")); err != nil {
		unavailable(t, "there is no built image: run: runner image build: "+err.Error())
	}
	store, err := image.OpenStore(dir)
	require.NoError(t, err)
	built, err := store.Resolve("python-analysis")
	require.NoError(t, err)
	return store, built
}

func builtRootfs(t *testing.T) string {
	t.Helper()
	store, built := builtImage(t)
	dir, err := store.Rootfs(t.Context(), built.Digest)
	require.NoError(t, err)
	return dir
}

func TestBuiltImageHoldsNoTools(t *testing.T) {
	dir := builtRootfs(t)
	var programs []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		relative, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		if entry.Type()&fs.ModeSymlink == 0 {
			require.Zero(t, info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky|0o022), relative)
			require.Zero(t, info.Sys().(*syscall.Stat_t).Uid, relative)
		}
		require.True(t, entry.IsDir() || entry.Type().IsRegular() || entry.Type()&fs.ModeSymlink != 0, relative)
		if entry.Type().IsRegular() && info.Mode()&0o111 != 0 {
			programs = append(programs, relative)
		}
		return nil
	}))
	loader := map[string]string{
		"amd64": "usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
		"arm64": "usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1",
	}[runtime.GOARCH]
	require.Equal(t, []string{"usr/bin/python3-readable", "usr/bin/python3.13", loader}, slices.Sorted(slices.Values(programs)))

	names, err := os.ReadDir(filepath.Join(dir, "usr/bin"))
	require.NoError(t, err)
	require.Len(t, names, 3, "python3, python3.13 and its copy, no shell and no package manager")
	for _, absent := range []string{"usr/sbin", "usr/include", "usr/share/doc", "usr/share/man", "var/lib/dpkg", "etc/apt", "home"} {
		require.NoDirExists(t, filepath.Join(dir, absent))
	}
	closed, err := os.Stat(filepath.Join(dir, "root"))
	require.NoError(t, err)
	require.Equal(t, fs.ModeDir|0o700, closed.Mode(), "where a kubelet mounts what nobody in a sandbox may write")
	inside, err := os.ReadDir(filepath.Join(dir, "root"))
	require.NoError(t, err)
	require.Empty(t, inside)
}

// A process that runs what it cannot read is never dumpable: nobody of its uid looks
// into it, from its first instant. TestNobodyOfTheSandboxsUIDLooksIntoIt tries.
func TestBuiltImagesPythonIsNotForItsUserToRead(t *testing.T) {
	dir := builtRootfs(t)
	for name, mode := range map[string]fs.FileMode{"python3": 0o711, "python3-readable": 0o755} {
		info, err := os.Stat(filepath.Join(dir, "usr/bin", name))
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode(), name)
	}
	own, err := os.ReadFile(filepath.Join(dir, "usr/bin/python3.13"))
	require.NoError(t, err)
	readable, err := os.ReadFile(filepath.Join(dir, "usr/bin/python3-readable"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(own, readable))
	require.Equal(t, "/usr/bin/python3 /usr True\n", python(t, dir, "import ctypes, os, sys; "+
		"print(sys.executable, sys.prefix, ctypes.CDLL(None).prctl(3) == 0)"))
}

func TestBuiltImageHasItsMountPoints(t *testing.T) {
	dir := builtRootfs(t)
	for _, point := range []string{"proc", "dev", "tmp", "bundle", "output", "sys"} {
		entries, err := os.ReadDir(filepath.Join(dir, point))
		require.NoError(t, err)
		require.Empty(t, entries, point)
	}
	for _, point := range []string{"etc/hosts", "etc/hostname", "etc/resolv.conf"} {
		content, err := os.ReadFile(filepath.Join(dir, point))
		require.NoError(t, err)
		require.Empty(t, content, point)
	}
}

// python runs code in the image as its unprivileged user, with the one writable
// directory that a sandbox has, in which the guard has placed the font cache.
func python(t *testing.T, dir, code string) string {
	t.Helper()
	const preamble = "from hotcell_guard.libraries import _matplotlib; _matplotlib.place_fonts()\n"
	command := exec.CommandContext(t.Context(), "/usr/bin/python3", "-sBP", "-c", preamble+code)
	command.Dir = "/"
	command.Env = []string{"PATH=/usr/bin", "LANG=C.UTF-8", "MPLBACKEND=agg", "MPLCONFIGDIR=/tmp/matplotlib"}
	command.SysProcAttr = &syscall.SysProcAttr{Chroot: dir, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	var output []byte
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread's mounts end with it
		if err = mountScratch(dir); err == nil {
			output, err = command.CombinedOutput()
		}
	}()
	<-done
	require.NoError(t, err, string(output))
	return string(output)
}

// mountScratch gives this thread a mount namespace of its own with a file system
// in memory at the image's /tmp.
func mountScratch(dir string) error {
	if err := unix.Unshare(unix.CLONE_NEWNS | unix.CLONE_FS); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	return unix.Mount("tmpfs", filepath.Join(dir, "tmp"), "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=1777")
}

func TestBuiltImageImportsEverything(t *testing.T) {
	dir := builtRootfs(t)
	for module := range strings.FieldsSeq(`
		numpy pandas scipy.stats scipy.optimize matplotlib.pyplot plotly.express plotly.graph_objects
		statsmodels.api statsmodels.formula.api requests pydantic email_validator jmespath dateutil.parser yaml
		numpy.testing pandas.testing unittest zoneinfo sqlite3`) {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			// Their own warnings about deprecated parts of each other are not ours.
			require.Empty(t, python(t, dir, "import warnings; warnings.simplefilter('ignore'); import "+module))
		})
	}
}

func TestBuiltImageAnalyses(t *testing.T) {
	dir := builtRootfs(t)
	output := python(t, dir, `
import warnings; warnings.simplefilter("ignore")
import io, pandas as pd, statsmodels.api as sm, statsmodels.formula.api as smf, matplotlib.pyplot as plt, plotly.express as px
heart = sm.datasets.heart.load_pandas().data
randhie = sm.datasets.randhie.load_pandas().data
fit = smf.ols("survival ~ age", heart).fit()
for kind in ("png", "svg", "pdf"):
    figure = io.BytesIO(); heart.plot.scatter("age", "survival"); plt.savefig(figure, format=kind); assert figure.tell() > 1000
assert len(px.scatter(heart, x="age", y="survival").to_json()) > 1000
assert str(pd.Timestamp("2025-07-01 12:00", tz="Europe/Zurich").utcoffset()) == "2:00:00"
assert pd.Series.mean.__doc__
print(len(heart), len(randhie), round(fit.rsquared, 3))
`)
	require.Equal(t, "69 20190 0.017\n", output)
}

func TestBuiltImageUsesItsFontCache(t *testing.T) {
	dir := builtRootfs(t)
	output := python(t, dir, `
import logging, warnings; warnings.simplefilter("ignore")
import sys; sys.addaudithook(lambda event, args: print("STARTED", args) if event == "subprocess.Popen" else None)
logging.basicConfig(level=logging.DEBUG, format="%(name)s %(message)s")
import matplotlib.font_manager as fonts
print(fonts.findfont("DejaVu Sans"))
`)
	require.Contains(t, output, "Using fontManager instance from /tmp/matplotlib/fontlist-")
	require.NotContains(t, output, "generated new fontManager")
	require.NotContains(t, output, "STARTED")
	require.Contains(t, output, "/usr/share/matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf\n")
}

// Byte code that Python would not use is not noticed otherwise: the run is only
// slower.
func TestBuiltImageCompilesNothing(t *testing.T) {
	dir := builtRootfs(t)
	output := python(t, dir, `
import warnings; warnings.simplefilter("ignore")
import importlib.machinery as machinery
compiled = []
whole = machinery.SourceFileLoader.source_to_code
def watch(self, data, path, **more):
    compiled.append(path)
    return whole(self, data, path, **more)
machinery.SourceFileLoader.source_to_code = watch
import pandas, statsmodels.api, matplotlib.pyplot, plotly.express, requests, hotcell_guard
print(compiled)
`)
	require.Equal(t, "[]\n", output)
}

func TestBuiltImageLoadsIntoDocker(t *testing.T) {
	store, built := builtImage(t)
	if output, err := exec.CommandContext(t.Context(), "docker", "version").CombinedOutput(); err != nil {
		unavailable(t, "Docker does not answer: "+string(output))
	}
	read, err := store.OCIImage(built.Digest)
	require.NoError(t, err)
	tag, err := name.NewTag("hotcell/test-image:" + string(built.Digest.Hex()[:12]))
	require.NoError(t, err)
	archive := filepath.Join(t.TempDir(), "image.tar")
	require.NoError(t, tarball.WriteToFile(archive, tag, read))
	output, err := exec.CommandContext(t.Context(), "docker", "load", "--input", archive).CombinedOutput()
	require.NoError(t, err, string(output))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		output, err := exec.CommandContext(ctx, "docker", "image", "rm", tag.String()).CombinedOutput()
		require.NoError(t, err, string(output))
	})
	config, err := read.ConfigFile()
	require.NoError(t, err)
	layers, err := exec.CommandContext(t.Context(), "docker", "image", "inspect", "--format", "{{range .RootFS.Layers}}{{println .}}{{end}}", tag.String()).Output()
	require.NoError(t, err)
	var want []string
	for _, layer := range config.RootFS.DiffIDs {
		want = append(want, layer.String())
	}
	require.Equal(t, want, strings.Fields(string(layers)))
	output, err = exec.CommandContext(t.Context(), "docker", "run", "--rm", "--read-only", "--network=none", "--entrypoint=/usr/bin/python3",
		tag.String(), "-sBP", "-c", "import pandas, os; print(os.getuid())").CombinedOutput()
	require.NoError(t, err, string(output))
	require.Equal(t, "65532\n", string(output))
}

// A fresh build must give the digest of the image that is there, if that was made
// from the same sources and packages, else that of another fresh build.
func TestBuildIsReproducible(t *testing.T) {
	if os.Getenv("HOTCELL_TEST_BUILD") != "1" && os.Getenv("HOTCELL_REQUIRE_ALL") != "1" {
		t.Skip("takes minutes and Debian's archive: set HOTCELL_TEST_BUILD=1")
	}
	t.Parallel()
	store, before := builtImage(t)
	fresh, err := image.OpenStore(filepath.Join(t.TempDir(), "images"))
	require.NoError(t, err)
	after, err := fresh.Build(t.Context(), image.BuildOptions{})
	require.NoError(t, err)

	sbomBefore, err := store.SBOM(before.Digest)
	require.NoError(t, err)
	sbomAfter, err := fresh.SBOM(after.Digest)
	require.NoError(t, err)
	if before.Recipe != after.Recipe || !bytes.Equal(sbomBefore, sbomAfter) {
		before, err = fresh.Build(t.Context(), image.BuildOptions{Refresh: true})
		require.NoError(t, err)
	}
	require.Equal(t, before, after)

	var progress bytes.Buffer
	again, err := fresh.Build(t.Context(), image.BuildOptions{Progress: &progress})
	require.NoError(t, err)
	require.Equal(t, after, again)
	require.Empty(t, progress.String(), "the second build has nothing to do")
}

func TestBuildNamesAnArchiveThatCannotBeReached(t *testing.T) {
	t.Parallel() // it waits for apt, which tries again
	if os.Geteuid() != 0 {
		unavailable(t, "needs root")
	}
	store, err := image.OpenStore(filepath.Join(t.TempDir(), "images"))
	require.NoError(t, err)
	_, err = store.Build(t.Context(), image.BuildOptions{Mirror: "http://127.0.0.1:1/debian"})
	require.ErrorContains(t, err, "fetch Debian packages")
	require.ErrorContains(t, err, "127.0.0.1:1")
	requireNothingHalfMade(t, store)
}

func TestInterruptedBuildLeavesNothing(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		unavailable(t, "needs root")
	}
	store, err := image.OpenStore(filepath.Join(t.TempDir(), "images"))
	require.NoError(t, err)
	// An archive that accepts and never answers.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := make(chan net.Conn, 1)
	go func() { // it is interrupted in the middle of the fetch
		defer cancel()
		defer close(asked)
		if connection, err := listener.Accept(); err == nil {
			asked <- connection
		}
	}()
	_, err = store.Build(ctx, image.BuildOptions{Mirror: "http://" + listener.Addr().String() + "/debian"})
	require.NoError(t, listener.Close())
	connection := <-asked
	require.NotNil(t, connection, "nothing was fetched")
	defer connection.Close()
	require.ErrorIs(t, err, context.Canceled)
	requireNothingHalfMade(t, store)
}

func requireNothingHalfMade(t *testing.T, store *image.Store) {
	t.Helper()
	images, err := store.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, images)
	for _, dir := range []string{"tmp", "rootfs", "bases", "blobs/sha256"} {
		left, err := os.ReadDir(filepath.Join(store.Dir(), dir))
		require.NoError(t, err)
		require.Empty(t, left, dir)
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	require.NotContains(t, string(mounts), store.Dir())
}
