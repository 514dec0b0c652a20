// Package cluster gives a test the Kubernetes that scripts/with-cluster.sh runs.
//
// It decides where that is, and puts images, seccomp profiles and registries' certificates
// where a node finds them. It neither starts a cluster nor knows what a test does with
// it: README.md says what this one lacks. Tests alone call it.
package cluster

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	networkingv1 "k8s.io/client-go/kubernetes/typed/networking/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Patience is how long anything in a cluster may take on a machine that does much else.
const Patience = 2 * time.Minute

// Cluster is a Kubernetes, seen from one of its nodes. Tests share it: what one puts there,
// another may find.
type Cluster struct {
	// Dir is the cluster's directory: bin, kubeconfig, log, and what README.md names. Of the
	// second node it is that node's own.
	Dir string
	// Kubeconfig is the path of an administrator's.
	Kubeconfig string
	// Config is the same, read.
	Config *rest.Config
	// NodeName is the name of the node.
	NodeName string
}

// Require returns the cluster that a test is for, and skips the test where there is none, also
// where a skip is a failure otherwise: `make test` has no cluster, and `make test-cluster` runs
// every package whose tests call this one.
func Require(t testing.TB) *Cluster {
	t.Helper()
	dir := os.Getenv("HOTCELL_TEST_CLUSTER")
	if dir == "" {
		t.Skip("needs a cluster: scripts/with-cluster.sh go test …, or make test-cluster")
	}
	c := &Cluster{Dir: dir, Kubeconfig: filepath.Join(dir, "kubeconfig"), NodeName: "node1"}
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig)
	require.NoError(t, err)
	config.QPS = -1 // a client waits for no turn: the server is the test's own
	c.Config = config
	return c
}

// Namespace makes a namespace in which a run may be: its pods are held to the restricted
// standard, and a policy denies them all traffic. It is removed, with all that is in it, when
// the test ends.
func (c *Cluster) Namespace(t testing.TB) string {
	t.Helper()
	client, err := corev1.NewForConfig(c.Config)
	require.NoError(t, err)
	made, err := client.Namespaces().Create(t.Context(), &core.Namespace{ObjectMeta: meta.ObjectMeta{
		GenerateName: "hotcell-test-", Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"},
	}}, meta.CreateOptions{})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), Patience)
		defer cancel()
		require.NoError(t, client.Namespaces().Delete(ctx, made.Name, meta.DeleteOptions{}))
	})
	policies, err := networkingv1.NewForConfig(c.Config)
	require.NoError(t, err)
	_, err = policies.NetworkPolicies(made.Name).Create(t.Context(), &networking.NetworkPolicy{
		ObjectMeta: meta.ObjectMeta{Name: "deny-all"},
		Spec:       networking.NetworkPolicySpec{PolicyTypes: []networking.PolicyType{networking.PolicyTypeIngress, networking.PolicyTypeEgress}},
	}, meta.CreateOptions{})
	require.NoError(t, err)
	// A pod is refused until its namespace has this one.
	require.Eventually(t, func() bool {
		_, err := client.ServiceAccounts(made.Name).Get(t.Context(), "default", meta.GetOptions{})
		return err == nil
	}, Patience, 50*time.Millisecond)
	return made.Name
}

// ImportImage puts an image on the node under a full reference, with a tag or by the digest of
// its manifest: a pod that names it needs no registry. Nothing removes it before the cluster
// ends.
func (c *Cluster) ImportImage(t testing.TB, image v1.Image, reference string) {
	t.Helper()
	if _, digest, found := strings.Cut(reference, "@"); found && slices.Contains(strings.Fields(c.ctr(t, nil, "images", "list", "--quiet")), reference) {
		sum, err := image.Digest()
		require.NoError(t, err)
		require.Equal(t, digest, sum.String())
		return
	}
	dir := t.TempDir()
	written, err := layout.Write(dir, empty.Index)
	require.NoError(t, err)
	require.NoError(t, written.AppendImage(image, layout.WithAnnotations(map[string]string{"io.containerd.image.name": reference})))
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		archive := tar.NewWriter(write)
		err := errors.Join(archive.AddFS(os.DirFS(dir)), archive.Close())
		ended <- errors.Join(err, write.CloseWithError(err))
	}()
	c.ctr(t, read, "images", "import", "-")
	require.NoError(t, <-ended)
}

// ctr asks the node's containerd.
func (c *Cluster) ctr(t testing.TB, input io.Reader, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), filepath.Join(c.Dir, "bin", "ctr"),
		append([]string{"--address", filepath.Join(c.Dir, "containerd.sock"), "--namespace", "k8s.io"}, arguments...)...)
	command.Stdin = input
	var said bytes.Buffer
	command.Stderr = &said
	answer, err := command.Output()
	require.NoError(t, err, "ctr %v: %s", arguments, said.String())
	return string(answer)
}

// PutSeccomp puts a profile where a pod on the node finds it by its name, such as
// hotcell/<sha256>.json. It stays until the cluster ends: another test may need the same one.
func (c *Cluster) PutSeccomp(t testing.TB, name string, content []byte) {
	t.Helper()
	path := filepath.Join(c.Dir, "seccomp", name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	draft := filepath.Join(c.Dir, "seccomp", rand.Text())
	require.NoError(t, os.WriteFile(draft, content, 0o644))
	require.NoError(t, os.Rename(draft, path)) // nobody reads half of it
}

// TrustRegistry has the node pull from the registry at a host, with its port, over TLS with
// certificates that one of these authorities has made (PEM), until the test ends.
func (c *Cluster) TrustRegistry(t testing.TB, host string, authorities []byte) {
	t.Helper()
	dir := filepath.Join("certs.d", host)
	c.put(t, filepath.Join(dir, "ca.crt"), authorities)
	c.put(t, filepath.Join(dir, "hosts.toml"), fmt.Appendf(nil, "server = %q\n[host.%[1]q]\n  capabilities = [\"pull\", \"resolve\"]\n  ca = %[2]q\n",
		"https://"+host, filepath.Join(c.Dir, dir, "ca.crt")))
}

// put writes a file of the cluster's for as long as the test goes on.
func (c *Cluster) put(t testing.TB, name string, content []byte) {
	t.Helper()
	path := filepath.Join(c.Dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, content, 0o644))
	t.Cleanup(func() { require.NoError(t, os.Remove(path)) })
}
