package deploy_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
	"hotcell/internal/bundleimage"
	"hotcell/tests/cluster"
)

// builtRunner is this source's runner, and the directory of its container image.
type builtRunner struct{ root, binary string }

// buildRunner lays out what scripts/package.sh does, with this machine's libraries.
func buildRunner(t *testing.T) builtRunner {
	t.Helper()
	root := t.TempDir()
	made := builtRunner{root, filepath.Join(root, "usr", "bin", "runner")}
	said, err := exec.CommandContext(t.Context(), "go", "build", "-o", made.binary, "../../cmd/runner").CombinedOutput()
	require.NoError(t, err, string(said))
	listed, err := exec.CommandContext(t.Context(), "ldd", made.binary).Output()
	require.NoError(t, err)
	for _, library := range regexp.MustCompile(`(?m)(/\S+) \(0x`).FindAllStringSubmatch(string(listed), -1) {
		content, err := os.ReadFile(library[1])
		require.NoError(t, err)
		path := filepath.Join(root, library[1])
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, content, 0o755))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(root, "tmp"), 0o755))
	return made
}

// importInto puts the image on the node, as the program makes it that makes the release's.
func (b builtRunner) importInto(t *testing.T, c *cluster.Cluster) string {
	t.Helper()
	dir := t.TempDir()
	archive := filepath.Join(dir, "runner.tar")
	command := exec.CommandContext(t.Context(), "go", "run", "../../scripts/artifacts", "image", b.root, runtime.GOARCH, "v0.0.0", archive)
	command.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1")
	said, err := command.CombinedOutput()
	require.NoError(t, err, string(said))
	said, err = exec.CommandContext(t.Context(), "tar", "--extract", "--file", archive, "--directory", dir).CombinedOutput()
	require.NoError(t, err, string(said))
	path, err := layout.FromPath(dir)
	require.NoError(t, err)
	index, err := path.ImageIndex()
	require.NoError(t, err)
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	require.Len(t, manifest.Manifests, 1)
	image, err := path.Image(manifest.Manifests[0].Digest)
	require.NoError(t, err)
	reference := registry + "/hotcell-runner@" + manifest.Manifests[0].Digest.String()
	c.ImportImage(t, image, reference)
	return reference
}

// bundle is the reference on the node of one that has been made, by which an init container adds it.
func (s *service) bundle(t *testing.T, c *cluster.Cluster, runner builtRunner) string {
	t.Helper()
	dir := t.TempDir()
	data, state := filepath.Join(dir, "data"), filepath.Join(dir, "state")
	require.NoError(t, os.Mkdir(data, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(data, "visits.csv"), []byte("id,age\n1,40\n"), 0o644))
	for _, arguments := range [][]string{
		{"create", data, "--name", "visits", "--version", "1", "--study", "S1", "--method", "synthetic", "--attested-by", "A. Tester", "--statement", "Made up."},
		{"add", data},
	} {
		said, err := exec.CommandContext(t.Context(), runner.binary, append([]string{"--state", state, "bundle"}, arguments...)...).CombinedOutput()
		require.NoError(t, err, string(said))
	}
	bundles, err := bundle.OpenStore(filepath.Join(state, "bundles"))
	require.NoError(t, err)
	found, err := bundles.Lookup(t.Context(), "visits")
	require.NoError(t, err)
	images, err := bundleimage.Open(bundles, filepath.Join(state, "registry"))
	require.NoError(t, err)
	volume, err := images.Image(t.Context(), found.Digest)
	require.NoError(t, err)
	image, err := volume.V1(t.Context())
	require.NoError(t, err)
	sum, err := image.Digest()
	require.NoError(t, err)
	reference := registry + "/bundle@" + sum.String()
	c.ImportImage(t, image, reference)
	return reference
}

// processOf is one of a pod's on this machine, whose command line has the words.
func processOf(uid string, words string) (pid int, found bool) {
	groups, _ := filepath.Glob("/proc/[0-9]*/cgroup")
	for _, path := range groups {
		group, _ := os.ReadFile(path)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		inPod := strings.Contains(string(group), uid) || strings.Contains(string(group), strings.ReplaceAll(uid, "-", "_"))
		if inPod && strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), words) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			return pid, err == nil
		}
	}
	return 0, false
}

// giveAPIServer has the API server answer at its address within a pod, whose network leads to no
// machine, and returns that network.
func giveAPIServer(t *testing.T, uid, address string) (namespace *os.File) {
	t.Helper()
	var pid int
	require.Eventually(t, func() (found bool) {
		pid, found = processOf(uid, "")
		return found
	}, cluster.Patience, 50*time.Millisecond)
	namespace, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
	require.NoError(t, err)
	t.Cleanup(func() { _ = namespace.Close() })
	listener, err := within(namespace, func() (net.Listener, error) { return net.Listen("tcp", address) })
	require.NoError(t, err)
	relay(t, listener, func() (net.Conn, error) { return net.Dial("tcp", address) })
	return namespace
}

// forward is an address of this machine's at which the pod's port answers.
func (s *service) forward(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	network := s.network
	relay(t, listener, func() (net.Conn, error) {
		return within(network, func() (net.Conn, error) { return net.Dial("tcp", "127.0.0.1:8443") })
	})
	return listener.Addr().String()
}

// within does something in another network namespace. The thread that went there ends with its
// goroutine.
func within[T any](namespace *os.File, do func() (T, error)) (made T, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if err = enter(namespace); err == nil {
			made, err = do()
		}
	}()
	<-done
	return made, err
}

// enter fails where the file is closed meanwhile: what is carried at a test's end.
func enter(namespace *os.File) error {
	raw, err := namespace.SyscallConn()
	if err != nil {
		return err
	}
	var entered error
	err = raw.Control(func(file uintptr) { entered = unix.Setns(int(file), unix.CLONE_NEWNET) })
	return errors.Join(err, entered)
}

// relay carries what comes to a listener to where dial leads, until the test ends.
func relay(t *testing.T, listener net.Listener, dial func() (net.Conn, error)) {
	t.Helper()
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go join(from, dial)
		}
	}()
}

// join carries bytes both ways until one end closes.
func join(from net.Conn, dial func() (net.Conn, error)) {
	defer from.Close()
	to, err := dial()
	if err != nil {
		return
	}
	defer to.Close()
	go func() {
		_, _ = io.Copy(to, from)
		_ = to.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(from, to)
}

// isApart looks at the processes of both containers: what one has and the other must not.
func (s *service) isApart(t *testing.T) {
	t.Helper()
	uid, err := s.kubectl(t, "", "get", "pod", s.pod, "--namespace", s.service(), "--output", "jsonpath={.metadata.uid}")
	require.NoError(t, err, uid)
	engine, found := processOf(uid, "runner engine --engine=kubernetes")
	require.True(t, found)
	serve, found := processOf(uid, "runner serve")
	require.True(t, found)
	const token, state = "var/run/secrets/kubernetes.io/serviceaccount/token", "var/lib/hotcell/audit.jsonl"
	for _, path := range []string{token, state} {
		require.FileExists(t, inside(engine, path))
		require.NoFileExists(t, inside(serve, path))
		require.NoDirExists(t, filepath.Dir(inside(serve, path)))
	}
	for _, space := range []string{"pid", "mnt"} {
		one, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", engine, space))
		require.NoError(t, err)
		other, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", serve, space))
		require.NoError(t, err)
		require.NotEqual(t, one, other, space)
	}
	for _, pid := range []int{engine, serve} {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		require.NoError(t, err)
		for _, line := range []string{"Uid:\t65532\t65532\t65532\t65532", "CapPrm:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"} {
			require.Contains(t, string(status), line)
		}
	}
	said, err := s.kubectl(t, "", "get", "namespace", s.service(), "--output", "jsonpath={.metadata.labels.pod-security\\.kubernetes\\.io/enforce}")
	require.NoError(t, err)
	require.Equal(t, "restricted", said)
	const account = ":hotcell-runner"
	require.Equal(t, s.rights(t, "system:serviceaccount:"+s.system+account), s.rights(t, "system:serviceaccount:"+s.service()+account))
}

// inside is a file as a process sees it.
func inside(pid int, path string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), "root", path)
}
