//go:build linux

package docker

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/moby/moby/client"
	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/job"
)

const (
	// rootfsVariable names a directory with a Python at /usr/bin/python3 and the
	// directories /output and /bundle, from which the tests make their image.
	// Without it, they take the one that has been built.
	rootfsVariable = "HOTCELL_TEST_ROOTFS"
	// storeVariable names another image store than the command's default one.
	storeVariable = "HOTCELL_TEST_IMAGE"
)

// lacking skips, or fails where everything is required.
func lacking(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// testImages is a source of one image.
type testImages struct {
	image  v1.Image
	digest digest.Digest
}

func (i testImages) OCIImage(sum digest.Digest) (v1.Image, error) {
	if sum != i.digest {
		return nil, errors.New("no such image")
	}
	return i.image, nil
}

var testImage = sync.OnceValues(func() (testImages, error) {
	if rootfs := os.Getenv(rootfsVariable); rootfs != "" {
		return rootfsImage(rootfs)
	}
	return builtImage()
})

func builtImage() (testImages, error) {
	dir := cmp.Or(os.Getenv(storeVariable), "/var/lib/hotcell/images")
	if _, err := os.Stat(filepath.Join(dir, "index.json")); err != nil {
		return testImages{}, fmt.Errorf("there is no image in %s: build it with `runner image build`", dir)
	}
	store, err := image.OpenStore(dir)
	if err != nil {
		return testImages{}, err
	}
	built, err := store.Resolve("python-analysis")
	if err != nil {
		return testImages{}, err
	}
	found, err := store.OCIImage(built.Digest)
	return testImages{found, built.Digest}, err
}

func rootfsImage(rootfs string) (testImages, error) {
	archive, err := os.CreateTemp("", "hotcell-docker-*.tar")
	if err != nil {
		return testImages{}, err
	}
	err = errors.Join(writeTree(archive, rootfs), archive.Close())
	if err != nil {
		return testImages{}, err
	}
	content, err := os.ReadFile(archive.Name())
	if err := errors.Join(err, os.Remove(archive.Name())); err != nil {
		return testImages{}, err
	}
	return imageOf(content, v1.Config{User: "65532:65532"})
}

func imageOf(layerTar []byte, config v1.Config) (testImages, error) {
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(layerTar)), nil
	})
	if err != nil {
		return testImages{}, err
	}
	made, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return testImages{}, err
	}
	made, err = mutate.ConfigFile(made, &v1.ConfigFile{
		OS: "linux", Architecture: "amd64", Config: config, RootFS: configOf(made).RootFS,
	})
	if err != nil {
		return testImages{}, err
	}
	hash, err := made.Digest()
	if err != nil {
		return testImages{}, err
	}
	sum, err := digest.Parse(hash.String())
	return testImages{made, sum}, err
}

func configOf(image v1.Image) *v1.ConfigFile {
	config, err := image.ConfigFile()
	if err != nil {
		panic(err)
	}
	return config
}

// writeTree writes a deterministic archive: the image stays loaded between runs.
func writeTree(to io.Writer, root string) error {
	archive := tar.NewWriter(to)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil || relative == "." || strings.HasPrefix(relative, "dev/") {
			return err
		}
		return writeEntry(archive, path, relative, entry)
	})
	return errors.Join(err, archive.Close())
}

func writeEntry(archive *tar.Writer, path, name string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	target := ""
	if info.Mode()&fs.ModeSymlink != 0 {
		if target, err = os.Readlink(path); err != nil {
			return err
		}
	}
	header, err := tar.FileInfoHeader(info, target)
	if err != nil {
		return err
	}
	header.Name = name
	header.AccessTime, header.ChangeTime = time.Time{}, time.Time{}
	if err := archive.WriteHeader(header); err != nil || !info.Mode().IsRegular() {
		return err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	_, err = archive.Write(content)
	return err
}

type testBundles map[digest.Digest]string

func (b testBundles) Path(sum digest.Digest) (string, error) {
	path, found := b[sum]
	if !found {
		return "", errors.New("no such bundle")
	}
	return path, nil
}

// testManifest is the one file of the test bundle, and testBundle its digest.
const testManifest = "{}\n"

var testBundle = digest.Of([]byte(testManifest))

// harness is an engine on the daemon of this machine.
type harness struct {
	*Engine
	options Options
	images  testImages
	state   string
	podman  bool // it is Podman that answers
	// oomsUntold is where ends by memory.max are the daemon's opinion, which misses some (see unseenCounts).
	oomsUntold bool
	// environment is what the daemon cannot help adding to the Environment of a Spec.
	environment []string
}

func newHarness(t *testing.T, remote bool) harness {
	t.Helper()
	return newHarnessIn(t, t.TempDir(), remote)
}

func newHarnessIn(t *testing.T, state string, remote bool) harness {
	t.Helper()
	if os.Geteuid() != 0 {
		lacking(t, "needs root")
	}
	images, err := testImage()
	if err != nil {
		lacking(t, err.Error())
	}
	bundle := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bundle, "bundle.json"), []byte(testManifest), 0o644))
	require.NoError(t, os.Chmod(bundle, 0o755))
	options := Options{
		StateDir: state, Images: images, Bundles: testBundles{testBundle: bundle}, remote: remote,
		Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	engine := newEngine(t, options)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := engine.api.Ping(ctx, client.PingOptions{}); err != nil {
		lacking(t, "Docker does not answer: "+err.Error())
	}
	found, err := engine.daemon(ctx)
	require.NoError(t, err)
	made := harness{Engine: engine, options: options, images: images, state: state, podman: found.podman != ""}
	made.oomsUntold = !found.cgroups.parent
	if made.podman { // which adds the host's name, as /proc shows it to all
		made.environment = []string{"HOSTNAME=" + container.Hostname}
	}
	return made
}

func newEngine(t *testing.T, options Options) *Engine {
	t.Helper()
	engine, err := New(options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, engine.Close()) })
	return engine
}

// spec runs a Python script.
func (h harness) spec(script string, arguments ...string) container.Spec {
	return container.Spec{
		Image:       h.images.digest,
		Command:     append([]string{"/usr/bin/python3", "-I", "-c", script}, arguments...),
		Environment: testEnvironment(),
		Seccomp:     testSeccomp(),
		Limits:      testLimits(),
		Optional:    append(container.ExtraControls(), container.ControlUserNamespace, container.ControlOOMCount),
	}
}

// testSeccomp forbids little, but by errno and by signal.
func testSeccomp() *specs.LinuxSeccomp {
	errno := uint(syscall.ENOSYS)
	return &specs.LinuxSeccomp{
		DefaultAction: specs.ActAllow,
		Architectures: []specs.Arch{specs.ArchX86_64, specs.ArchX86, specs.ArchX32},
		Syscalls: []specs.LinuxSyscall{
			{Names: []string{"keyctl"}, Action: specs.ActErrno, ErrnoRet: &errno},
			{Names: []string{"sethostname"}, Action: specs.ActKillProcess},
		},
	}
}

func testLimits() job.Limits {
	return job.Limits{
		MemoryBytes: 64 << 20, PIDs: 32, CPUMillis: 1000, WallClock: time.Minute, CPUTime: 30 * time.Second,
		OpenFiles: 64, ScratchBytes: 1 << 20, OutputBytes: 1 << 20, OutputFiles: 16,
		StdoutBytes: 1 << 20, StderrBytes: 1 << 20, CodeBytes: 1 << 20,
	}
}

func (h harness) create(t *testing.T, spec container.Spec) container.Sandbox {
	t.Helper()
	made, err := h.Create(t.Context(), container.NewID(), spec)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		require.NoError(t, made.Destroy(ctx))
	})
	return made
}

// ran is what a Run gave.
type ran struct {
	container.Exit
	stdout, stderr string
}

func (h harness) run(ctx context.Context, t *testing.T, made container.Sandbox, stdin string) ran {
	t.Helper()
	var stdout, stderr bytes.Buffer
	exit, err := made.Run(ctx, container.Streams{Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr})
	require.NoError(t, err)
	return ran{exit, stdout.String(), stderr.String()}
}
