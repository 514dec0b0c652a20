package kubernetes

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

// TestWhatASandboxMayHaveIsNoFaultOfTheClusters: who goes to the bound of a limit, or takes the
// sandbox's words slowly, is told what became of the run.
func TestWhatASandboxMayHaveIsNoFaultOfTheClusters(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	made := h.engine(t)
	for name, one := range map[string]struct {
		change func(*container.Spec)
		script string
		pause  time.Duration // of the reader of its stdout, for each piece
		want   string
	}{
		// Kubelets compare what a volume holds with its size each ten seconds or so.
		"an output filled to its last page": {
			func(spec *container.Spec) { spec.Limits.OutputBytes = 4<<20 - 4000 }, `
import os, time
file = os.open("/output/a", os.O_WRONLY | os.O_CREAT, 0o600)
try:
    while True:
        os.write(file, b"a" * 4096)
except OSError as error:
    print(error.errno)
os.truncate("/output/a", (4 << 20) - 4000)
time.sleep(40)
`, 0, "28\n",
		},
		"files with long names": {
			func(spec *container.Spec) { spec.Limits.OutputFiles, spec.Limits.MemoryBytes = 30000, 512<<20 }, `
import os
os.chdir("/output")
for _ in range(15):
    os.mkdir("d" * 250)
    os.chdir("d" * 250)
for number in range(25000):
    os.close(os.open("%06d" % number + "n" * 180, os.O_WRONLY | os.O_CREAT, 0o600))
print(number)
`, 0, "24999\n",
		},
		"a slow reader": {
			func(*container.Spec) {}, `
import os
for _ in range(30):
    os.write(1, b"a" * 9999 + b"\n")
os._exit(0)
`, time.Second, strings.Repeat(strings.Repeat("a", 9999)+"\n", 30),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := h.spec()
			one.change(&spec)
			spec.Command = []string{"/usr/bin/python3", "-I", "-S", "-c", one.script}
			box, err := made.Create(t.Context(), container.NewID(), spec)
			require.NoError(t, err)
			stdout := &slowly{pause: one.pause}
			var stderr bytes.Buffer
			exit, err := box.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: stdout, Stderr: &stderr})
			require.NoError(t, err)
			require.Zero(t, exit.Code, "%+v %s", exit, stderr.String())
			require.Equal(t, one.want, stdout.String())
			root, err := box.Output(t.Context())
			require.NoError(t, err)
			require.NoError(t, root.Close())
			require.NoError(t, box.Destroy(t.Context()))
		})
	}
}

// slowly is a reader who takes time for each piece.
type slowly struct {
	bytes.Buffer
	pause time.Duration
}

// Write implements io.Writer.
func (s *slowly) Write(piece []byte) (int, error) {
	time.Sleep(s.pause)
	return s.Buffer.Write(piece)
}

// TestAPodThatHasWaitedLongIsNotHandedOut: its deadline, which counts from its start, would end a
// run. One that was handed out goes on.
func TestAPodThatHasWaitedLongIsNotHandedOut(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	made := h.engine(t)
	made.standbyAge = 0
	spec := h.spec()
	spec.Command = containertest.PreparedCommand(containertest.PythonCommand(containertest.Behaviour{Name: containertest.WriteFiles, Files: map[string]string{"/output/a": "true"}}))
	template, err := made.Prepare(t.Context(), container.NewID(), spec, containertest.Preparation())
	require.NoError(t, err)
	box, err := template.Create(t.Context(), container.NewID())
	require.NoError(t, err)
	<-box.Dead()
	exit, err := box.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
	require.NoError(t, err)
	require.Zero(t, exit.Code)
	require.NoError(t, box.Destroy(t.Context()))

	made.standbyAge = time.Hour
	second, err := template.Create(t.Context(), container.NewID())
	require.NoError(t, err)
	select {
	case <-second.Dead():
		t.Fatal("it is young")
	default:
	}
	pod := h.pod(t, made, second.(*standby).pod.name)
	require.Equal(t, int64((time.Hour + lifeSlack + spec.Limits.WallClock).Seconds()), *pod.Spec.ActiveDeadlineSeconds)
	require.NoError(t, second.Destroy(t.Context()))
	require.NoError(t, template.Destroy(t.Context()))
}

// TestAJobThatWasChangedIsNoneOfOurs: what the cluster answers to its making is somebody's word.
func TestAJobThatWasChangedIsNoneOfOurs(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	made := h.newEngine(t, t.TempDir())
	name := h.namespace
	const group = "/apis/admissionregistration.k8s.io/v1"
	for resource, text := range map[string]string{
		"mutatingadmissionpolicies": fmt.Sprintf(`{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "metadata": {"name": %q}, "spec": {
"failurePolicy": "Fail", "reinvocationPolicy": "Never",
"matchConstraints": {"resourceRules": [{"apiGroups": ["batch"], "apiVersions": ["v1"], "resources": ["jobs"], "operations": ["CREATE"]}]},
"mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": "[JSONPatch{op: 'replace', path: '/spec/template/spec/containers/0/command/4', value: '# changed'}]"}}]}}`, name),
		"mutatingadmissionpolicybindings": fmt.Sprintf(`{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding", "metadata": {"name": %q}, "spec": {
"policyName": %q, "matchResources": {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": %q}}}}}`, name, name, name),
	} {
		client := made.api.core.RESTClient()
		require.NoError(t, client.Post().AbsPath(group, resource).SetHeader("Content-Type", "application/json").Body([]byte(text)).Do(t.Context()).Error())
		t.Cleanup(func() {
			require.NoError(t, client.Delete().AbsPath(group, resource, name).Do(context.Background()).Error())
		})
	}
	var err error
	require.Eventually(t, func() bool { // the API server takes up a policy when it comes to it
		var box container.Sandbox
		if box, err = made.Create(t.Context(), container.NewID(), h.spec()); err != nil {
			return true
		}
		require.NoError(t, box.Destroy(t.Context()))
		return false
	}, 2*time.Minute, time.Second)
	require.ErrorContains(t, err, "it is not what was asked for: containers")
}
