package deploy_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"hotcell/internal/image/imagetest"
	"hotcell/policies"
	"hotcell/tests/cluster"
	"hotcell/tests/runnertest"
)

// user is somebody who has a cluster, and does what docs/kubernetes.md says.
type user struct {
	dir, runner string
	environment []string
	image       v1.Hash
}

// newUser has the runner, the image, and a policy that accepts what a node with cgroup v1 lacks.
func newUser(t *testing.T) user {
	t.Helper()
	_, built := imagetest.Built(t)
	u := user{dir: t.TempDir()}
	var err error
	u.image, err = v1.NewHash(string(built.Digest))
	require.NoError(t, err)
	u.runner, err = runnertest.Build(t.Context(), u.dir)
	require.NoError(t, err)
	u.environment = []string{
		"PATH=" + os.Getenv("PATH"), "HOTCELL_STATE=" + u.path("state"), "KUBECONFIG=" + u.path("kubeconfig"), "HOTCELL_KUBERNETES=" + u.path("kubernetes.yaml"),
	}
	require.NoError(t, os.Mkdir(u.path("state"), 0o700))
	require.NoError(t, os.Symlink(imagetest.Dir(), u.path("state/images")))
	require.NoError(t, os.MkdirAll(u.path("policies"), 0o755))
	text, err := policies.Files.ReadFile("study-analysis.yaml")
	require.NoError(t, err)
	changed := strings.Replace(string(text), "name: study-analysis", "name: older-nodes", 1)
	changed = strings.Replace(changed, "optional_controls: [", "optional_controls: [cgroup_namespace, ", 1)
	u.write(t, "policies/older-nodes.yaml", changed)
	return u
}

func (u user) path(name string) string { return filepath.Join(u.dir, name) }

func (u user) write(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(u.path(name), []byte(content), 0o600))
}

func (u user) command(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), u.runner, arguments...)
	command.Dir, command.Env = u.dir, u.environment
	return command
}

// deliver puts the image on the node as what its registry has: the kubelet remembers by its
// content who may have what was pulled with a password, and other tests have none.
func (u user) deliver(t *testing.T, c *cluster.Cluster, registry string) (reference string) {
	t.Helper()
	stored, err := layout.FromPath(imagetest.Dir())
	require.NoError(t, err)
	found, err := stored.Image(u.image)
	require.NoError(t, err)
	reference = registry + "/sandbox@" + u.image.String()
	c.ImportImage(t, found, reference)
	return reference
}

// serve starts the registry, and returns where it is.
func (u user) serve(t *testing.T) string {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
		"-subj", "/CN=registry", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", u.path("tls.key"), "-out", u.path("tls.crt")).CombinedOutput()
	require.NoError(t, err, "%s", said)
	made, err := u.command(t, "token", "create", "nodes", "--scope", "pull", "--file", u.path("tokens.json")).Output()
	require.NoError(t, err)
	u.write(t, "nodes.token", string(made))
	registry := u.command(t, "registry", "--listen", "127.0.0.1:0", "--certificate", "tls.crt", "--key", "tls.key", "--tokens", u.path("tokens.json"))
	log, err := registry.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, registry.Start())
	t.Cleanup(func() {
		require.NoError(t, registry.Process.Signal(os.Interrupt))
		_ = registry.Wait() // its exit code is another test's
	})
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if found := regexp.MustCompile(`msg=listening at=(\S+)`).FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, log) }() // it ends with the registry
			return found[1]
		}
	}
	require.Fail(t, "the registry does not listen", "%v", lines.Err())
	return ""
}

// use gives the user the account of the runner in a cluster.
func (u user) use(t *testing.T, made installed, registry string) {
	t.Helper()
	token, err := made.kubectl(t, "", "create", "token", "hotcell-runner", "--namespace", made.system, "--duration", "1h")
	require.NoError(t, err, token)
	config := made.cluster.Config
	authorities, err := os.ReadFile(config.CAFile)
	require.NoError(t, err)
	u.write(t, "kubeconfig", fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: one, cluster: {server: %q, certificate-authority-data: %q}}]
users: [{name: one, user: {token: %q}}]
contexts: [{name: one, context: {cluster: one, user: one}}]
current-context: one
`, config.Host, base64.StdEncoding.EncodeToString(authorities), strings.TrimSpace(token)))
	u.write(t, "kubernetes.yaml", fmt.Sprintf("version: 1\nregistry: %s\nnamespace: %s\n", registry, made.namespace))
	password, err := os.ReadFile(u.path("nodes.token"))
	require.NoError(t, err)
	for _, namespace := range []string{made.namespace, made.system} {
		said, err := made.kubectl(t, "", "create", "secret", "docker-registry", "hotcell-registry", "--namespace", namespace,
			"--docker-server", registry, "--docker-username", "nodes", "--docker-password", strings.TrimSpace(string(password)))
		require.NoError(t, err, said)
	}
}

// neighbour is a pod of somebody else's that listens, and that a plain pod reaches. It returns
// its address, and what it has heard.
func neighbour(t *testing.T, c *cluster.Cluster, image string) (address string, heard func() string) {
	t.Helper()
	client, err := corev1.NewForConfig(c.Config)
	require.NoError(t, err)
	pods := client.Pods(c.Namespace(t))
	start := func(program string, so func(*core.Pod) bool) *core.Pod {
		pod, err := pods.Create(t.Context(), &core.Pod{ObjectMeta: meta.ObjectMeta{GenerateName: "plain-"}, Spec: plain(image, program)}, meta.CreateOptions{})
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			pod, err = pods.Get(t.Context(), pod.Name, meta.GetOptions{})
			return err == nil && so(pod)
		}, cluster.Patience, 50*time.Millisecond)
		return pod
	}
	logs := func(name string) string {
		text, err := pods.GetLogs(name, &core.PodLogOptions{}).DoRaw(t.Context())
		require.NoError(t, err)
		return string(text)
	}
	listening := start("import socket\nserver = socket.create_server(('0.0.0.0', 8000))\nprint('listens', flush=True)\nwhile True:\n    server.accept()[0].close()\n    print('reached', flush=True)\n",
		func(pod *core.Pod) bool { return pod.Status.Phase == core.PodRunning && pod.Status.PodIP != "" })
	require.Eventually(t, func() bool { return logs(listening.Name) != "" }, cluster.Patience, 50*time.Millisecond)
	start(fmt.Sprintf("import socket\nsocket.create_connection((%q, 8000), 30)", listening.Status.PodIP), func(pod *core.Pod) bool { return pod.Status.Phase == core.PodSucceeded })
	return listening.Status.PodIP, func() string { return logs(listening.Name) }
}

func plain(image, program string) core.PodSpec {
	return core.PodSpec{
		RestartPolicy: core.RestartPolicyNever, AutomountServiceAccountToken: new(false),
		SecurityContext: &core.PodSecurityContext{
			RunAsNonRoot: new(true), RunAsUser: new(int64(65532)), SeccompProfile: &core.SeccompProfile{Type: core.SeccompProfileTypeRuntimeDefault},
		},
		Containers: []core.Container{{
			Name: "plain", Image: image, ImagePullPolicy: core.PullNever, Command: []string{"/usr/bin/python3", "-c", program},
			SecurityContext: &core.SecurityContext{AllowPrivilegeEscalation: new(false), Capabilities: &core.Capabilities{Drop: []core.Capability{"ALL"}}},
		}},
	}
}

// probe connects to the neighbour.
const probe = `"""Connects to a pod beside its own.

Threats: C5
Contract: confidentiality
"""


def attack():
    connection = socket.create_connection((%q, 8000), 5)
    connection.close()
    return "connected"


run(attack)
`

// TestFromNothingToASelftest does what docs/kubernetes.md says, on a cluster whose pods have an
// interface: a plain pod beside the sandboxes reaches what they do not.
func TestFromNothingToASelftest(t *testing.T) {
	c := cluster.Require(t)
	u := newUser(t)
	registry := u.serve(t)
	image, kubelet := u.deliver(t, c, registry), filepath.Join(c.Dir, "kubelet")
	made := install(t, "selftest", `'"registry.test"'`, `'"`+registry+`"'`, "localhost:30443/sandbox", image, "/var/lib/kubelet", kubelet)
	authority, err := os.ReadFile(u.path("tls.crt"))
	require.NoError(t, err)
	c.TrustRegistry(t, registry, authority)
	u.use(t, made, registry)
	said, err := made.kubectl(t, "", "rollout", "status", "daemonset/hotcell-node", "--namespace", made.system, "--timeout", cluster.Patience.String())
	require.NoError(t, err, said)

	answer, err := u.command(t, "doctor", "--engine", "kubernetes", "--json").CombinedOutput()
	require.NoError(t, err, "%s", answer)
	var told struct {
		Engines []struct {
			Name     string `json:"name"`
			Controls []struct {
				Name, Detail string
				Active       bool
			} `json:"controls"`
		} `json:"engines"`
	}
	require.NoError(t, json.Unmarshal(answer, &told))
	require.Len(t, told.Engines, 1)
	require.Equal(t, "kubernetes/"+c.NodeName, told.Engines[0].Name)
	for _, control := range told.Engines[0].Controls {
		if control.Name == "namespaces" {
			require.True(t, control.Active)
			require.Contains(t, control.Detail, "eth0")
		}
	}
	answer, err = u.command(t, "doctor", "--engine", "kubernetes", "--node", "node9").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(answer), "kubernetes.io/hostname=node9")

	address, heard := neighbour(t, c, image)
	require.NoError(t, os.Mkdir(u.path("probes"), 0o700))
	u.write(t, "probes/neighbour.py", fmt.Sprintf(probe, address))
	tested := u.command(t, "selftest", "--engine", "kubernetes", "--node", c.NodeName, "--policy", "older-nodes",
		"--probes", "probes", "--only", "neighbour,network,network_routes")
	var stderr bytes.Buffer
	tested.Stderr = &stderr
	answer, err = tested.Output()
	require.NoError(t, err, "%s\n%s", answer, stderr.String())
	require.Regexp(t, `confidentiality +guard off +3 +3 +0 +0 +0 +0 +0 +0\nconfidentiality +guard on +3 +0 +0 +0 +3 `, string(answer))
	require.Equal(t, "listens\nreached\n", heard(), "a sandbox reached it")
}
