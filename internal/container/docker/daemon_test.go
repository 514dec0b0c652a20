//go:build linux

package docker

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/moby/moby/api/types/system"
	"github.com/moby/moby/client"
	"github.com/moby/sys/mountinfo"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/container/containertest"
	"hotcell/internal/digest"
)

// engineAt is an engine whose daemon is not Docker.
func engineAt(t *testing.T, host string) *Engine {
	t.Helper()
	engine, err := New(Options{Host: host, StateDir: t.TempDir(), Images: testImages{}, Bundles: testBundles{}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, engine.Close()) })
	return engine
}

// fakeDaemon speaks the API version given and counts the paths asked for.
func fakeDaemon(t *testing.T, version string, info system.Info) (*Engine, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		paths = append(paths, r.URL.Path)
		mu.Unlock()
		w.Header().Set("Api-Version", version)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(info)
	}))
	t.Cleanup(server.Close)
	return engineAt(t, "tcp://"+server.Listener.Addr().String()), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return paths
	}
}

func TestVersionIsNegotiated(t *testing.T) {
	info := system.Info{OSType: "linux", DefaultRuntime: "runc", ServerVersion: "x", KernelVersion: "6", Architecture: runtime.GOARCH}
	for offered, want := range map[string]string{
		"1.41": "1.41", "1.44": "1.44", client.MaxAPIVersion: client.MaxAPIVersion, "1.99": client.MaxAPIVersion,
	} {
		t.Run(offered, func(t *testing.T) {
			engine, paths := fakeDaemon(t, offered, info)
			host, err := engine.Probe(t.Context(), "")
			require.NoError(t, err)
			require.Contains(t, paths(), "/v"+want+"/info")
			require.Contains(t, host.Inactive(), container.ControlOOMCount, "a daemon behind TCP is not local")
		})
	}
	t.Run("too old", func(t *testing.T) {
		engine, _ := fakeDaemon(t, "1.40", info)
		_, err := engine.Probe(t.Context(), "")
		require.ErrorContains(t, err, "update")
	})
	t.Run("Podman", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Api-Version", "1.41")
			_, _ = io.WriteString(w, `{"Version": "4.3.1", "Components": [{"Name": "Podman Engine", "Version": "4.3.1"}]}`)
		}))
		defer server.Close()
		_, err := engineAt(t, "tcp://"+server.Listener.Addr().String()).Probe(t.Context(), "")
		require.ErrorContains(t, err, "use --engine oci")
		require.ErrorContains(t, err, "Podman 4.3.1")
	})
	t.Run("another architecture", func(t *testing.T) {
		engine, _ := fakeDaemon(t, "1.41", system.Info{OSType: "linux", DefaultRuntime: "runc", Architecture: "s390x"})
		_, err := engine.Probe(t.Context(), "")
		require.ErrorContains(t, err, `its machine is of the architecture "s390x"`)
		spec := unitSpec()
		spec.Optional = container.Controls()
		_, err = engine.Create(t.Context(), container.NewID(), spec)
		require.ErrorContains(t, err, `its machine is of the architecture "s390x"`)
	})
	t.Run("Windows containers", func(t *testing.T) {
		engine, _ := fakeDaemon(t, "1.41", system.Info{OSType: "windows"})
		_, err := engine.Probe(t.Context(), "")
		require.ErrorContains(t, err, "switch it to Linux containers")
	})
}

func TestWhatTheDaemonToldIsBelievedAsLongAsIsSaid(t *testing.T) {
	info := system.Info{OSType: "linux", DefaultRuntime: "runc", ServerVersion: "x", KernelVersion: "6", Architecture: runtime.GOARCH}
	for age, times := range map[time.Duration]int{0: 6, time.Nanosecond: 6, time.Hour: 1} {
		engine, paths := fakeDaemon(t, "1.41", info)
		engine.probeAge = age
		for range 3 {
			_, err := engine.Probe(t.Context(), "")
			require.NoError(t, err)
			_, err = engine.Probe(t.Context(), "nosuch")
			require.ErrorIs(t, err, container.ErrUnknownRuntime)
		}
		asked := slices.DeleteFunc(paths(), func(path string) bool { return path != "/v1.41/info" })
		require.Len(t, asked, times, age)
	}
}

func TestDaemonThatIsDownIsNamedWithTheWayOut(t *testing.T) {
	socket := "unix://" + filepath.Join(t.TempDir(), "none.sock")
	_, err := engineAt(t, socket).Probe(t.Context(), "")
	require.ErrorContains(t, err, "docker is not answering at "+socket+": start it with `systemctl start docker` or `dockerd`, or use --engine oci")
}

func TestNewRefusesWhatIsMissing(t *testing.T) {
	_, err := New(Options{StateDir: t.TempDir()})
	require.Error(t, err)
	for _, host := range []string{"nonsense", "unix://", "ssh://me@elsewhere"} {
		_, err = New(Options{Host: host, StateDir: t.TempDir(), Images: testImages{}, Bundles: testBundles{}})
		require.ErrorContains(t, err, fmt.Sprintf("%q is no address of a daemon (DOCKER_HOST): name unix:///PATH or tcp://HOST:PORT", host))
	}
}

// freezer stands between an engine and the real daemon and can stop carrying
// bytes, as a daemon that hangs.
type freezer struct {
	frozen chan struct{}
	once   sync.Once
	done   sync.WaitGroup
}

func newFreezer(t *testing.T) (*freezer, string) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "proxy.sock")
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	f := &freezer{frozen: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	f.done.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			f.done.Go(func() { f.carry(ctx, conn) })
		}
	})
	t.Cleanup(func() {
		cancel()
		listener.Close()
		f.done.Wait()
	})
	return f, "unix://" + socket
}

func (f *freezer) carry(ctx context.Context, conn net.Conn) {
	host := cmp.Or(os.Getenv(client.EnvOverrideHost), client.DefaultDockerHost)
	daemon, err := net.Dial("unix", strings.TrimPrefix(host, "unix://"))
	if err != nil {
		conn.Close()
		return
	}
	stop := context.AfterFunc(ctx, func() { conn.Close(); daemon.Close() })
	defer stop()
	var both sync.WaitGroup
	both.Go(func() { f.copy(ctx, daemon, conn) })
	both.Go(func() { f.copy(ctx, conn, daemon) })
	both.Wait()
	conn.Close()
	daemon.Close()
}

func (f *freezer) copy(ctx context.Context, to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		size, err := from.Read(buffer)
		select {
		case <-f.frozen:
			<-ctx.Done()
			return
		default:
		}
		if _, writeErr := to.Write(buffer[:size]); errors.Join(err, writeErr) != nil {
			if half, ok := to.(*net.UnixConn); ok {
				_ = half.CloseWrite()
			}
			return
		}
	}
}

func (f *freezer) freeze() { f.once.Do(func() { close(f.frozen) }) }

// startedWriter is told when the sandbox says something.
type startedWriter struct{ started func() }

func (w startedWriter) Write(content []byte) (int, error) {
	w.started()
	return len(content), nil
}

// TestWallClockHoldsWhenTheDaemonHangs is why the engine kills through the
// process descriptor.
func TestWallClockHoldsWhenTheDaemonHangs(t *testing.T) {
	h := newHarness(t, false)
	freezer, socket := newFreezer(t)
	engine, err := New(Options{Host: socket, StateDir: h.state, Images: h.images, Bundles: testBundles{}})
	require.NoError(t, err)
	defer func() { require.NoError(t, engine.Close()) }()
	engine.patience = 500 * time.Millisecond

	marker := rand.Text()
	made, err := engine.Create(t.Context(), container.NewID(), h.spec(waitForInput+"import time; print('ready', flush=True); time.sleep(1000)", marker))
	require.NoError(t, err)
	removeThrough(t, h, made)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	hang := func() { // and only then may the wall clock end
		freezer.freeze()
		cancel()
	}
	_, err = made.Run(ctx, container.Streams{Stdin: strings.NewReader("x"), Stdout: startedWriter{hang}, Stderr: io.Discard})
	require.ErrorContains(t, err, "docker does not tell that the container ended")
	alive, err := containertest.HostProcesses(marker)
	require.NoError(t, err)
	require.Empty(t, alive, "the sandbox outlived its wall clock")
}

// removeThrough has what a hanging daemon cannot be told to remove removed by one
// that does not hang.
func removeThrough(t *testing.T, h harness, made container.Sandbox) {
	t.Helper()
	t.Cleanup(func() {
		ctx, cancel := container.ReleaseContext(t.Context())
		defer cancel()
		sandbox := made.(*sandbox)
		require.NoError(t, h.remove(ctx, sandbox.id, sandbox.dir))
		requireNothingLeft(t, h)
	})
}

func TestReplacedImageIsLoadedAgain(t *testing.T) {
	h := newHarness(t, false)
	genuine, err := imageOf(layerOf(t, "genuine"), v1.Config{})
	require.NoError(t, err)
	forged, err := imageOf(layerOf(t, "forged"), v1.Config{})
	require.NoError(t, err)
	h.Engine.images = genuine
	want, err := h.ensureImage(t.Context(), container.Spec{Image: genuine.digest, Environment: testEnvironment()}, runtime.GOARCH)
	require.NoError(t, err)
	t.Cleanup(func() { removeImage(t, h, want) })

	tag := imageRepository + ":" + string(genuine.digest.Hex())
	require.NoError(t, h.sendImage(t.Context(), forged.image, tag))
	inDocker, err := h.api.ImageInspect(t.Context(), tag)
	require.NoError(t, err)
	require.NotEqual(t, want, inDocker.ID)
	t.Cleanup(func() { removeImage(t, h, inDocker.ID) })

	got, err := h.ensureImage(t.Context(), container.Spec{Image: genuine.digest, Environment: testEnvironment()}, runtime.GOARCH)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func removeImage(t *testing.T, h harness, id string) {
	t.Helper()
	_, err := h.api.ImageRemove(context.Background(), id, client.ImageRemoveOptions{Force: true})
	require.NoError(t, err)
}

func layerOf(t *testing.T, name string) []byte {
	t.Helper()
	content := time.Now().String()
	var layer bytes.Buffer
	writer := tar.NewWriter(&layer)
	require.NoError(t, writer.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(content))}))
	_, err := io.WriteString(writer, content)
	require.NoError(t, errors.Join(err, writer.Close()))
	return layer.Bytes()
}

func TestImageOfAnotherDigestIsRefused(t *testing.T) {
	h := newHarness(t, false)
	_, err := describeImage(h.images.image, container.Spec{Image: digest.Of(nil)})
	require.ErrorContains(t, err, "build it again")
}

func TestAnImageOfAnotherArchitectureIsRefused(t *testing.T) {
	images, err := imageOf(layerOf(t, "x"), v1.Config{}) // for amd64
	require.NoError(t, err)
	engine := engineAt(t, "unix:///nowhere")
	engine.images = images
	_, err = engine.ensureImage(t.Context(), container.Spec{Image: images.digest}, "arm64")
	require.ErrorContains(t, err, "is for amd64, and docker's machine is arm64")
}

func mountLine(t *testing.T, lines ...string) []*mountinfo.Info {
	t.Helper()
	found, err := mountinfo.GetMountsFromReader(strings.NewReader(strings.Join(lines, "\n")), nil)
	require.NoError(t, err)
	return found
}

func TestMountsAreVerified(t *testing.T) {
	const (
		root   = "76 51 0:41 / / ro,relatime - overlay overlay rw"
		proc   = "77 76 0:44 / /proc rw,nosuid - proc proc rw"
		tmp    = "92 76 0:49 / /tmp rw,nosuid,nodev,noexec - tmpfs tmpfs rw"
		output = "93 76 0:50 / /output rw,nosuid,nodev,noexec - tmpfs tmpfs rw"
	)
	monitor := &localMonitor{}
	require.NoError(t, compareMounts(monitor.wantedMounts(), mountLine(t, root, proc, tmp, output)))
	cases := []struct {
		name, wanted string
		lines        []string
	}{
		{"writable root", "/ is mounted without ro", []string{strings.Replace(root, "ro,", "rw,", 1), tmp, output}},
		{"no output", "nothing is mounted on /output", []string{root, tmp}},
		{"output without a cap", "of type ext4", []string{root, tmp, strings.Replace(output, "tmpfs tmpfs", "ext4 /dev/vda", 1)}},
		{"executable output", "without noexec", []string{root, tmp, strings.Replace(output, ",noexec", "", 1)}},
		{"something of the host's", "a mount on /host", []string{root, tmp, output, "99 76 0:1 / /host ro - ext4 /dev/vda rw"}},
		{"a name that only begins like /dev", "a mount on /device", []string{root, tmp, output, "99 76 0:1 / /device ro - ext4 /dev/vda rw"}},
		{"a second mount over the first", "without nosuid", []string{root, tmp, output, "99 76 0:50 / /output rw - tmpfs tmpfs rw"}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			require.ErrorContains(t, compareMounts(monitor.wantedMounts(), mountLine(t, test.lines...)), test.wanted)
		})
	}
	t.Run("another device than our tmpfs", func(t *testing.T) {
		elsewhere := &localMonitor{output: t.TempDir()}
		require.ErrorContains(t, compareMounts(elsewhere.wantedMounts(), mountLine(t, root, tmp, output)), "does not see this host's mounts")
	})
}

func TestStatusIsVerified(t *testing.T) {
	const zero = "0000000000000000"
	good := func() map[string]string {
		return map[string]string{
			"NoNewPrivs": "1", "Seccomp": "2", "TracerPid": "0",
			"CapInh": zero, "CapPrm": zero, "CapEff": zero, "CapBnd": zero, "CapAmb": zero,
			"Uid": "65532\t65532\t65532\t65532", "Gid": "65532\t65532\t65532\t65532",
		}
	}
	monitor := &localMonitor{}
	check := func(status map[string]string) error { return monitor.checkStatus(status, 65532, 65532) }
	require.NoError(t, check(good()))
	for name := range good() {
		for _, bad := range []string{"0", ""} {
			status := good()
			if status[name] == bad {
				continue
			}
			status[name] = bad
			require.ErrorContains(t, check(status), name, "%s=%q", name, bad)
		}
	}
	status := good()
	status["Groups"] = "65532 " // as Docker has it since CVE-2022-36109
	require.NoError(t, check(status))
	status["Groups"] = "27 65532 "
	require.ErrorContains(t, check(status), "additional group 27")
	status = good()
	status["Uid"] = "0\t0\t0\t0"
	require.ErrorContains(t, monitor.checkStatus(status, 0, 65532), "this host's root", "whatever it is mapped to")
}

// A user namespace's root is another user than the sandbox's, though it is not the host's.
func TestIDsInAUserNamespace(t *testing.T) {
	process := proc{t.TempDir()}
	for _, test := range []struct {
		lines string
		want  int
	}{
		{"0 165536 65536\n", 231068},
		{"0 1000 1\n1 100000 65536\n", 165531},
		{"0 165536 65532\n", -1},
		{"", -1},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(process.dir, "uid_map"), []byte(test.lines), 0o600))
		got, err := process.hostID("uid_map")
		require.NoError(t, err)
		require.Equal(t, test.want, got, test.lines)
	}
	for lines, want := range map[string]string{
		"0 x 1\n": "parse uid_map", "0 0 4294967295\n": "keeps this host's numbers", "0 1000 1\n1 0 1\n": "keeps", "65532 65532 1\n": "keeps",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(process.dir, "uid_map"), []byte(lines), 0o600))
		_, err := process.hostID("uid_map")
		require.ErrorContains(t, err, want)
	}
	user, group, err := (&localMonitor{}).wantedIDs(process)
	require.NoError(t, err)
	require.Equal(t, []int{65532, 65532}, []int{user, group})
}

// TestWeakContainersAreRefused starts containers that lack one thing each, as a
// daemon that does not do what it says would make them.
func TestWeakContainersAreRefused(t *testing.T) {
	cases := []struct {
		name, wanted string
		weaken       func(*client.ContainerCreateOptions)
	}{
		{"capabilities", "Cap", func(o *client.ContainerCreateOptions) { o.HostConfig.CapDrop = nil }},
		{"no_new_privs", "NoNewPrivs", func(o *client.ContainerCreateOptions) { o.HostConfig.SecurityOpt = o.HostConfig.SecurityOpt[1:] }},
		{"seccomp", "Seccomp", func(o *client.ContainerCreateOptions) {
			o.HostConfig.SecurityOpt = []string{"no-new-privileges", "seccomp=unconfined"}
		}},
		{"root", `id is "`, func(o *client.ContainerCreateOptions) { o.Config.User = "0:0" }},
		{"host network", "net namespace", func(o *client.ContainerCreateOptions) { o.HostConfig.NetworkMode = "host" }},
		{"host processes", "pid namespace", func(o *client.ContainerCreateOptions) { o.HostConfig.PidMode = "host" }},
		{"host cgroups", "cgroup namespace", func(o *client.ContainerCreateOptions) { o.HostConfig.CgroupnsMode = "host" }},
		{"writable root", "without ro", func(o *client.ContainerCreateOptions) { o.HostConfig.ReadonlyRootfs = false }},
		{"host directory", "a mount on /host", func(o *client.ContainerCreateOptions) { o.HostConfig.Binds = []string{"/usr:/host:ro"} }},
		{"output elsewhere", "/output", func(o *client.ContainerCreateOptions) { o.HostConfig.Mounts[0].Source = "/tmp" }},
	}
	h := newHarness(t, false)
	if h.podman {
		t.Skip("these are made through Docker's own API: for Podman's, see TestWeakPodmanContainersAreRefused")
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // most of it is patience
			made := h.create(t, h.spec("open('/output/ran', 'w') if __import__('sys').stdin.read(1) else 0")).(*sandbox)
			replaceContainer(t, made, test.weaken)
			made.fittings.monitor.(*localMonitor).readyPatience = time.Second
			_, err := made.Run(t.Context(), container.Streams{Stdin: strings.NewReader("x"), Stdout: io.Discard, Stderr: io.Discard})
			require.ErrorIs(t, err, errIsolation)
			require.ErrorContains(t, err, test.wanted)
		})
	}
}

func replaceContainer(t *testing.T, made *sandbox, weaken func(*client.ContainerCreateOptions)) {
	t.Helper()
	api := made.engine.api
	found, err := api.ContainerInspect(t.Context(), made.containerID, client.ContainerInspectOptions{})
	require.NoError(t, err)
	options := client.ContainerCreateOptions{
		Config: found.Container.Config, HostConfig: found.Container.HostConfig, Name: containerName(made.id),
	}
	weaken(&options)
	_, err = api.ContainerRemove(t.Context(), made.containerID, client.ContainerRemoveOptions{Force: true})
	require.NoError(t, err)
	created, err := api.ContainerCreate(t.Context(), options)
	require.NoError(t, err)
	made.containerID = created.ID
}

// TestStartThatHangsLeavesNothingAlive kills a container of which the engine has
// not been told yet that it runs.
func TestStartThatHangsLeavesNothingAlive(t *testing.T) {
	h := newHarness(t, false)
	freezer, socket := newFreezer(t)
	engine, err := New(Options{Host: socket, StateDir: h.state, Images: h.images, Bundles: testBundles{}})
	require.NoError(t, err)
	defer func() { require.NoError(t, engine.Close()) }()
	marker := rand.Text()
	made, err := engine.Create(t.Context(), container.NewID(), h.spec("import time; time.sleep(1000)", marker))
	require.NoError(t, err)
	removeThrough(t, h, made)
	sandbox := made.(*sandbox)
	_, err = h.api.ContainerStart(t.Context(), sandbox.containerID, client.ContainerStartOptions{})
	require.NoError(t, err)
	freezer.freeze()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	require.NoError(t, sandbox.fittings.monitor.Kill(ctx, sandbox.containerID))
	alive, err := containertest.HostProcesses(marker)
	require.NoError(t, err)
	require.Empty(t, alive)
}

// What the daemon says is compared with what the kernel says, here of this process.
func TestAProfileThatTheKernelDoesNotKnowIsRefused(t *testing.T) {
	monitor := &localMonitor{pid: os.Getpid(), profile: "hotcell-sandbox-x"}
	require.NoError(t, monitor.checkProfile(), "the daemon has no AppArmor")
	monitor.confined.active = true
	require.Error(t, monitor.checkProfile())
}

// A daemon may name a process of another pid namespace, or one that has ended and whose
// number another has by now.
func TestAProcessThatIsNotTheContainersIsNotKilled(t *testing.T) {
	other := exec.Command("sleep", "600")
	require.NoError(t, other.Start())
	t.Cleanup(func() {
		require.NoError(t, other.Process.Kill())
		require.Error(t, other.Wait())
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"State": map[string]any{"Running": true, "Pid": other.Process.Pid}})
	}))
	t.Cleanup(server.Close)
	for _, id := range []string{strings.Repeat("ab", 32), "/"} { // the last one is in every path
		monitor := &localMonitor{api: engineAt(t, "tcp://"+server.Listener.Addr().String()).api, group: &cgroup.Group{}, stats: &remoteMonitor{}}
		_, err := monitor.find(t.Context(), id, 0)
		require.ErrorIs(t, err, errIsolation)
		_ = monitor.Kill(t.Context(), strings.Repeat("ab", 32)) // the daemon knows no such container
		monitor.Detach()
		require.False(t, isDead(pidfdOf(t, other.Process.Pid), 100), "it was killed")
	}
}

// Podman prepares a container anew when the process that was looked at has ended before
// the start: other limits, and a configuration that nobody has compared.
func TestAnotherProcessThanThePreparedOneIsRefused(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"State": map[string]any{"Running": true, "Pid": os.Getpid()}})
	}))
	t.Cleanup(server.Close)
	monitor := &localMonitor{api: engineAt(t, "tcp://"+server.Listener.Addr().String()).api}
	_, err := monitor.find(t.Context(), strings.Repeat("ab", 32), os.Getpid()+1)
	require.ErrorIs(t, err, errIsolation)
	require.ErrorContains(t, err, "was prepared and compared")
}

func pidfdOf(t *testing.T, pid int) int {
	t.Helper()
	pidfd, err := unix.PidfdOpen(pid, 0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Close(pidfd)) })
	return pidfd
}
