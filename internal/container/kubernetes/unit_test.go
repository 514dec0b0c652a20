package kubernetes

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/remotecommand"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

var update = flag.Bool("update", false, "write testdata/job.json anew")

func TestANodesProfileIsNamedByItsContent(t *testing.T) {
	name, content, err := NodeProfile(containertest.WeakSeccomp())
	require.NoError(t, err)
	sum := sha256.Sum256(content)
	require.Equal(t, "hotcell/"+hex.EncodeToString(sum[:])+".json", name)
	_, _, err = NodeProfile(nil)
	require.Error(t, err)
}

// TestANodesProfileAddsOneThing: a process may set limits, and only its own.
func TestANodesProfileAddsOneThing(t *testing.T) {
	given := &specs.LinuxSeccomp{DefaultAction: specs.ActErrno, Syscalls: []specs.LinuxSyscall{
		{Names: []string{"read", "prlimit64"}, Action: specs.ActAllow, Args: []specs.LinuxSeccompArg{{Index: 2, Value: 0, Op: specs.OpEqualTo}}},
		{Names: []string{"ptrace", "prlimit64"}, Action: specs.ActKillProcess},
	}}
	_, content, err := NodeProfile(given)
	require.NoError(t, err)
	var written struct {
		Syscalls []specs.LinuxSyscall `json:"syscalls"`
	}
	require.NoError(t, json.Unmarshal(content, &written))
	require.Equal(t, []specs.LinuxSyscall{
		{Names: []string{"read"}, Action: specs.ActAllow, Args: given.Syscalls[0].Args},
		{Names: []string{"ptrace", "prlimit64"}, Action: specs.ActKillProcess, Args: []specs.LinuxSeccompArg{}},
		{Names: []string{"prlimit64"}, Action: specs.ActAllow, Args: []specs.LinuxSeccompArg{{Index: 0, Value: 0, Op: specs.OpEqualTo}}},
	}, written.Syscalls)
	require.Equal(t, []string{"read", "prlimit64"}, given.Syscalls[0].Names, "the profile is others' too")
}

func TestANamespaceLetsNothingThrough(t *testing.T) {
	all := networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Name: "deny-all"}, Spec: networkingv1.NetworkPolicySpec{
		PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress},
	}}
	ingress, some, open := all, all, all
	ingress.Spec.PolicyTypes = all.Spec.PolicyTypes[:1]
	some.Spec.PodSelector.MatchLabels = map[string]string{"app": "a"}
	open.Spec.Egress = []networkingv1.NetworkPolicyEgressRule{{}}
	require.NoError(t, denied([]networkingv1.NetworkPolicy{some, all}))
	for name, policies := range map[string][]networkingv1.NetworkPolicy{
		"none": nil, "one way": {ingress}, "some pods": {some}, "an opening beside it": {all, open},
	} {
		require.Error(t, denied(policies), name)
	}
}

func TestSettingsAreStrict(t *testing.T) {
	read := func(text string) (Settings, error) {
		path := filepath.Join(t.TempDir(), "kubernetes.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return LoadSettings(path)
	}
	whole, err := read("version: 1\nregistry: registry.example:5000/hotcell\ntolerations: [{key: gpu, operator: Exists}]\n")
	require.NoError(t, err)
	require.Equal(t, Settings{
		Version: 1, Namespace: DefaultNamespace, Registry: "registry.example:5000/hotcell",
		Tolerations: []Toleration{{Key: "gpu", Operator: "Exists"}},
	}, whole)
	for _, text := range []string{
		"", "version: 1\n", "version: 2\nregistry: a\n", "version: 1\nregistry: https://a\n", "version: 1\nregistry: a\nregistry: b\n",
		"version: 1\nregistry: a\nnamspace: b\n", "version: 1\nregistry: a\nnamespace: B\n", "version: 1\nregistry: a/../b\n",
		"version: 1\nregistry: a\ntolerations: [{operator: Maybe}]\n",
	} {
		_, err := read(text)
		require.Error(t, err, text)
	}
}

// keeperFrames are what a keeper sends.
func keeperFrames(frames ...string) *bytes.Buffer {
	var stream bytes.Buffer
	for _, frame := range frames {
		stream.WriteByte(frame[0])
		_ = binary.Write(&stream, binary.BigEndian, uint32(len(frame)-1))
		stream.WriteString(frame[1:])
	}
	return &stream
}

// hear gives a session frames, and returns what of the output came through.
func hear(t *testing.T, from io.Reader) (string, error) {
	t.Helper()
	s := newSession()
	done := make(chan error, 1)
	go func() {
		err := s.read(from)
		_ = s.into.CloseWithError(errCutOff)
		done <- err
	}()
	content, err := io.ReadAll(s.tar)
	<-done
	return string(content), err
}

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func TestOutputIsWholeOrAnError(t *testing.T) {
	end := `E{"bytes": 6, "sha256": "` + sumOf("abcdef") + `"}`
	content, err := hear(t, keeperFrames("Tabc", "Tdef", end))
	require.NoError(t, err)
	require.Equal(t, "abcdef", content)
	for name, stream := range map[string]io.Reader{
		"cut before its end":   keeperFrames("Tabc", "Tdef"),
		"cut in a frame":       io.LimitReader(keeperFrames("Tabc", "Tdef", end), 12),
		"another sum":          keeperFrames("Tabc", "Tdeg", end),
		"a frame missing":      keeperFrames("Tdef", end),
		"an end that is none":  keeperFrames("Tabc", "Tdef", "E{}"),
		"an end with more":     keeperFrames("Tabc", "Tdef", strings.Replace(end, "}", `, "x": 1}`, 1)),
		"a letter that is not": keeperFrames("Tabc", "Xdef", end),
	} {
		_, err := hear(t, stream)
		require.Error(t, err, name)
	}
}

func TestAFrameIsBounded(t *testing.T) {
	for letter, most := range map[string]int{"T": maxChunk, "W": maxWords, "E": maxEnd} {
		head := append([]byte(letter), 0, 0, 0, 0)
		binary.BigEndian.PutUint32(head[1:], uint32(most+1))
		err := newSession().read(bytes.NewReader(head))
		require.ErrorContains(t, err, "frame", letter)
	}
}

func TestAFirstProcessThatEndsIsNotWaitedFor(t *testing.T) {
	s := newSession()
	require.ErrorIs(t, s.read(keeperFrames(`W{"over": true}`)), io.EOF)
	_, err := s.await(t.Context())
	require.ErrorContains(t, err, "has said nothing")
	for range 50 { // whichever comes first
		s = newSession()
		require.ErrorIs(t, s.read(keeperFrames(`W{"report": {"kernel": "6"}}`, `W{"over": true}`)), io.EOF)
		found, err := s.await(t.Context())
		require.NoError(t, err)
		require.Equal(t, "6", found.Kernel)
	}
}

func TestAFirstProcessReportsOnce(t *testing.T) {
	const report = `W{"report": {}}`
	require.ErrorContains(t, newSession().read(keeperFrames(report, report)), "twice")
}

// TestTheEndOfStdinWaitsForItsReader: a node that hears of it sooner may never pass it on.
func TestTheEndOfStdinWaitsForItsReader(t *testing.T) {
	for name, goesOn := range map[string]func(remotecommand.StreamOptions, func()){
		"its command has begun": func(streams remotecommand.StreamOptions, _ func()) {
			_, err := streams.Stdout.Write([]byte("\nword"))
			require.NoError(t, err)
		},
		"it has ended": func(_ remotecommand.StreamOptions, end func()) { end() },
	} {
		t.Run(name, func(t *testing.T) {
			over := make(chan struct{})
			var stdout bytes.Buffer
			streams := greeted(remotecommand.StreamOptions{Stdin: strings.NewReader("input"), Stdout: &stdout}, over)
			sent := make([]byte, 6)
			_, err := io.ReadFull(streams.Stdin, sent)
			require.NoError(t, err)
			require.Equal(t, "\ninput", string(sent))
			early := make(chan error, 1)
			going := make(chan struct{})
			go func() {
				close(going)
				_, err := streams.Stdin.Read(make([]byte, 1))
				early <- err
			}()
			<-going
			select {
			case <-early:
				t.Fatal("stdin has ended before anybody has it open")
			case <-time.After(50 * time.Millisecond):
			}
			goesOn(streams, func() { close(over) })
			require.ErrorIs(t, <-early, io.EOF)
			if name == "its command has begun" {
				require.Equal(t, "word", stdout.String())
			}
		})
	}
}

func TestStdoutIsTheCommands(t *testing.T) {
	var stdout bytes.Buffer
	streams := greeted(remotecommand.StreamOptions{Stdin: strings.NewReader(""), Stdout: &stdout}, nil)
	_, err := streams.Stdout.Write([]byte("exec: not found"))
	require.ErrorContains(t, err, "exec: not found")
	require.Empty(t, stdout.String())
	for _, chunk := range []string{"", "\n", "a", "\nb"} {
		count, err := streams.Stdout.Write([]byte(chunk))
		require.NoError(t, err)
		require.Equal(t, len(chunk), count)
	}
	require.Equal(t, "a\nb", stdout.String())
}

// TestAPodIsWhatWasReviewed holds all that a pod asks for, in the form that a cluster gets.
func TestAPodIsWhatWasReviewed(t *testing.T) {
	id, err := container.ParseID(strings.Repeat("0", 32))
	require.NoError(t, err)
	spec := reportSpec()
	made := newJob(spec, placement{
		id: id, runner: strings.Repeat("1", 32), settings: Settings{Queue: "studies", NodeSelector: map[string]string{"pool": "runs"}, Tolerations: []Toleration{{Key: "runs", Operator: "Exists"}}},
		image: "registry.test/sandbox@sha256:0", arch: "amd64", bundle: "registry.test/bundle@sha256:1", profile: "hotcell/2.json", userSpace: true,
		owner: metav1.OwnerReference{APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Name: "hotcell-1", UID: "3"},
	})
	for index := range made.Spec.Template.Spec.Containers {
		command := made.Spec.Template.Spec.Containers[index].Command
		command[4] = "the program"
	}
	got, err := json.MarshalIndent(made, "", "  ")
	require.NoError(t, err)
	path := filepath.Join("testdata", "job.json")
	if *update {
		require.NoError(t, os.WriteFile(path, append(got, '\n'), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got)+"\n")
}
