package deploy_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/stretchr/testify/require"

	"hotcell/internal/image/imagetest"
	"hotcell/tests/cluster"
)

// TestAPodIsNotChangedAfterwards: what was admitted gets no third container, no more room and no
// other image.
func TestAPodIsNotChangedAfterwards(t *testing.T) {
	made := install(t, "changed", "enforce: restricted", "enforce: privileged")
	made.inForce(t)
	pod, err := json.Marshal(readPod(t, "good"))
	require.NoError(t, err)
	said, err := made.kubectl(t, string(pod), "create", "--namespace", made.namespace, "-f", "-")
	require.NoError(t, err, said)
	for _, attempt := range []struct{ subresource, patch, rule string }{
		{"ephemeralcontainers", `{"spec": {"ephemeralContainers": [{"name": "guest", "image": "` + image + `"}]}}`, "changed"},
		{"resize", `{"spec": {"containers": [{"name": "keeper", "resources": {"limits": {"cpu": "300m"}}}]}}`, "changed"},
		{"", `{"spec": {"containers": [{"name": "sandbox", "image": "registry.elsewhere/any:1"}]}}`, "image"},
	} {
		arguments := []string{"patch", "pod", "good", "--namespace", made.namespace, "--type", "strategic", "--patch", attempt.patch}
		if attempt.subresource != "" {
			arguments = append(arguments, "--subresource", attempt.subresource)
		}
		said, err := made.kubectl(t, "", arguments...)
		require.Error(t, err, attempt.patch)
		require.Contains(t, said, ": "+attempt.rule+": ")
	}
	said, err = made.kubectl(t, "", "label", "pod", "good", "--namespace", made.namespace, "any=label")
	require.NoError(t, err, said)
}

// TestItIsAppliedAgain, and refused with privileges by Pod Security, too, as the label says.
func TestItIsAppliedAgain(t *testing.T) {
	made := install(t, "again")
	said, err := made.kubectl(t, made.text, "apply", "--dry-run=server", "-f", "-")
	require.NoError(t, err, said)
	require.NotContains(t, said, "created")
	pod := change{"spec.containers.1.securityContext.allowPrivilegeEscalation", true}.apply(t, readPod(t, "privileged")).(object)
	require.Contains(t, made.try(t, pod)["privileged"], `violates PodSecurity "restricted:latest"`)
}

// TestTheRunnersRights are these, and the sandboxes' account has none that not everybody has.
func TestTheRunnersRights(t *testing.T) {
	made := install(t, "rights")
	system := "system:serviceaccount:" + made.system + ":hotcell-runner"
	everybody := made.rights(t, "system:serviceaccount:"+made.system+":default")
	require.Equal(t, everybody, made.rights(t, "system:serviceaccount:"+made.namespace+":hotcell-sandbox"))
	require.Equal(t, everybody, made.rights(t, "system:serviceaccount:"+made.system+":hotcell-node"))
	rights := made.rights(t, system)
	for right := range everybody {
		delete(rights, right)
	}
	require.Equal(t, map[string]bool{
		"jobs.batch [] [create get list watch delete]":                  true,
		"localqueues.kueue.x-k8s.io [] [get]":                           true,
		"pods [] [get list watch delete]":                               true,
		"pods/exec [] [create get]":                                     true,
		"events [] [list watch]":                                        true,
		"leases.coordination.k8s.io [] [create get list update delete]": true,
		"networkpolicies.networking.k8s.io [] [list]":                   true,
		"resourcequotas [] [list]":                                      true,
		"namespaces [" + made.namespace + "] [get]":                     true,
		"nodes [] [get list]":                                           true,
		"runtimeclasses.node.k8s.io [] [get]":                           true,
	}, rights)
}

// rights are what an account may do in the sandboxes' namespace.
func (i installed) rights(t *testing.T, account string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	said, err := i.kubectl(t, "", "auth", "can-i", "--list", "--no-headers", "--namespace", i.namespace, "--as", account)
	require.NoError(t, err, said)
	for line := range strings.Lines(said) {
		if !strings.HasPrefix(line, "Warning") {
			found[columns(line)] = true
		}
	}
	return found
}

// columns of kubectl's list, but for that of paths, which is of no resource of ours.
func columns(line string) string {
	line = strings.Replace(line, " [] ", " ", 1)
	return strings.Join(strings.Fields(line), " ")
}

// TestNodesGetTheProfiles, and get them again where somebody has changed one.
func TestNodesGetTheProfiles(t *testing.T) {
	c := cluster.Require(t)
	_, built := imagetest.Built(t)
	sum, err := v1.NewHash(string(built.Digest))
	require.NoError(t, err)
	stored, err := layout.FromPath(imagetest.Dir())
	require.NoError(t, err)
	found, err := stored.Image(sum)
	require.NoError(t, err)
	reference := registry + "/sandbox@" + sum.String()
	c.ImportImage(t, found, reference)
	kubelet := filepath.Join(c.Dir, "kubelet")
	wanted := files(t, profiles)
	for name := range wanted { // left by a test that was ended
		require.NoError(t, os.RemoveAll(filepath.Join(kubelet, "seccomp", name)))
	}
	made := install(t, "node", "localhost:30443/sandbox", reference, "/var/lib/kubelet", kubelet)
	t.Cleanup(func() {
		for name := range wanted {
			require.NoError(t, os.RemoveAll(filepath.Join(kubelet, "seccomp", name)))
		}
	})
	right := func() bool {
		for name, content := range wanted {
			there, err := os.ReadFile(filepath.Join(kubelet, "seccomp", name))
			if err != nil || string(there) != string(content) {
				return false
			}
		}
		return true
	}
	require.Eventually(t, right, cluster.Patience, 100*time.Millisecond)
	said, err := made.kubectl(t, "", "rollout", "status", "daemonset/hotcell-node", "--namespace", made.system, "--timeout", cluster.Patience.String())
	require.NoError(t, err, said)
	for name := range wanted {
		path := filepath.Join(kubelet, "seccomp", name)
		require.NoError(t, os.Remove(path))
		require.NoError(t, os.Symlink("/etc/hostname", path))
	}
	require.Eventually(t, right, cluster.Patience, 100*time.Millisecond)
}
