package deploy_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/tests/cluster"
)

// installed is deploy/ in the cluster, in namespaces of a test's own.
type installed struct {
	cluster           *cluster.Cluster
	namespace, system string
	text              string
}

// install applies deploy/ as kubectl builds it, but for the names and what replace says, and
// removes it when the test ends.
func install(t *testing.T, name string, replace ...string) installed {
	t.Helper()
	return installFrom(t, "../../deploy", name, replace...)
}

// installFrom is install of another directory, which has deploy/ and more.
func installFrom(t *testing.T, dir, name string, replace ...string) installed {
	t.Helper()
	c := cluster.Require(t)
	name = "hotcell-test-" + name + "-" + strings.ToLower(rand.Text()[:6])
	made := installed{cluster: c, namespace: name, system: name + "-system"}
	built, err := made.kubectl(t, "", "kustomize", dir)
	require.NoError(t, err, built)
	replace = append([]string{"hotcell-runs", made.namespace, "hotcell-system", made.system, "hotcell-service", made.service(), `expression: '"localhost:30443"'`, "expression: '\"" + registry + "\"'"}, replace...)
	for index := 0; index < len(replace); index += 2 {
		require.True(t, strings.Contains(built, replace[index]) || replace[index] == "hotcell-service", replace[index])
		built = strings.ReplaceAll(built, replace[index], replace[index+1])
	}
	made.text = built
	t.Cleanup(func() {
		said, err := made.kubectl(t, made.text, "delete", "--ignore-not-found", "--wait=false", "-f", "-")
		require.NoError(t, err, said)
	})
	said, err := made.kubectl(t, made.text, "apply", "-f", "-")
	require.NoError(t, err, said)
	return made
}

func (i installed) service() string { return i.namespace + "-service" }

// kubectl returns what it said, on both streams.
func (i installed) kubectl(t *testing.T, input string, arguments ...string) (string, error) {
	t.Helper()
	command := exec.Command(filepath.Join(i.cluster.Dir, "bin", "kubectl"), append([]string{"--kubeconfig", i.cluster.Kubeconfig}, arguments...)...)
	command.Stdin = strings.NewReader(input)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	err := command.Run()
	return said.String(), err
}

// try asks the cluster whether it would make these, and returns what it says of those that it
// refuses, by name.
func (i installed) try(t *testing.T, objects ...object) map[string]string {
	t.Helper()
	list, err := json.Marshal(object{"apiVersion": "v1", "kind": "List", "items": objects})
	require.NoError(t, err)
	said, err := i.kubectl(t, string(list), "create", "--namespace", i.namespace, "--dry-run=server", "-f", "-")
	refused := map[string]string{}
	for line := range strings.Lines(said) {
		if found := named.FindStringSubmatch(line); found != nil {
			refused[found[1]+found[2]] = line
		}
	}
	require.Equal(t, err != nil, len(refused) > 0, said)
	return refused
}

// named is a refused object in what kubectl says.
var named = regexp.MustCompile(`^(?:Error from server.*: )?error when creating "STDIN": .*?"([a-z0-9-]+)" is |The [A-Za-z.]+ "([a-z0-9-]+)" is invalid`)

// inForce waits until the cluster has compiled the policies, and refuses for their sake.
func (i installed) inForce(t *testing.T) {
	t.Helper()
	bad := change{"spec.restartPolicy", "Always"}.apply(t, readPod(t, "bad")).(object)
	require.Eventually(t, func() bool {
		refused := i.try(t, bad, readPod(t, "good"))
		return strings.Contains(refused["bad"], "once: ") && refused["good"] == ""
	}, cluster.Patience, 500*time.Millisecond)
	worse := change{"spec.backoffLimit", 1}.apply(t, readJob(t)).(object)
	require.Eventually(t, func() bool { return len(i.try(t, worse)) > 0 }, cluster.Patience, 500*time.Millisecond)
}

// TestWeakerPodsAreRefused, each for the rule that is about what was changed. Pod Security,
// which asks first, is off: where it is on the two hold beside each other.
func TestWeakerPodsAreRefused(t *testing.T) {
	made := install(t, "weaker", "enforce: restricted", "enforce: privileged")
	made.class(t)
	made.inForce(t)
	objects, rules := cases(t, inSpec(weaker), func(name string) object { return readPod(t, name) })
	refused := made.try(t, slices.Collect(maps.Values(objects))...)
	for _, name := range sorted(rules) {
		require.Contains(t, refused, name, "it was admitted: %v", objects[name])
		if !strings.Contains(refused[name], ": "+rules[name]+": ") {
			t.Errorf("%s was not refused by the rule %s: %s", name, rules[name], refused[name])
		}
	}
	require.Len(t, refused, len(rules))
}

// class makes the RuntimeClass that a weaker pod names.
func (i installed) class(t *testing.T) {
	t.Helper()
	const class = `{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "hotcell-test-loose"}, "handler": "loose"}`
	said, err := i.kubectl(t, class, "apply", "-f", "-")
	require.NoError(t, err, said)
	t.Cleanup(func() {
		said, err := i.kubectl(t, "", "delete", "runtimeclass", "hotcell-test-loose")
		require.NoError(t, err, said)
	})
}

// inSpec are changes below a pod's spec.
func inSpec(table map[string][]change) map[string][]change {
	below := map[string][]change{}
	for rule, changes := range table {
		for _, one := range changes {
			below[rule] = append(below[rule], change{"spec." + one.path, one.value})
		}
	}
	return below
}

func TestWeakerJobsAreRefused(t *testing.T) {
	made := install(t, "jobs")
	made.inForce(t)
	require.Empty(t, made.try(t, readJob(t)))
	objects, rules := cases(t, weakerJobs, func(string) object { return readJob(t) })
	for _, name := range sorted(rules) {
		refused := slices.Collect(maps.Values(made.try(t, objects[name])))
		require.Len(t, refused, 1, name)
		require.Contains(t, refused[0], ": "+rules[name]+": ")
	}
}
