package guard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/image/imagetest"
	"hotcell/tests/runnertest"
)

// TestAttemptsThroughTheRunner runs one or two attempts of each class as a user
// would send them: command, policy, guard, container, record.
func TestAttemptsThroughTheRunner(t *testing.T) {
	imagetest.Rootfs(t) // skips without an image
	runner, place := newRunner(t), newPlace(t)
	covered := make(map[string]bool)
	for _, a := range attempts(t) {
		if !a.throughRunner {
			continue
		}
		covered[a.class] = true
		t.Run(a.class+"/"+a.Name, func(t *testing.T) {
			result := runner.run(t, place.fill(a.Source))
			t.Logf("%s: %s", result.Status, result.because())
			require.Contains(t, []string{"rejected", "failed", "succeeded", "killed", "limit_exceeded"}, result.Status)
			if !a.beyond {
				require.NotContains(t, result.Stdout+result.Stderr, "ESCAPED:"+a.Name)
			}
			require.NotContains(t, result.Stdout+result.Stderr, place.token)
		})
	}
	require.Len(t, covered, len(classes), "every class has an attempt with the line `Selected: yes`")
	place.requireUntouched(t)
}

// runnerCommand is the built command with a state directory of its own, but for the images.
type runnerCommand struct{ path, state string }

func newRunner(t *testing.T) runnerCommand {
	t.Helper()
	dir := t.TempDir()
	path, err := runnertest.Build(context.Background(), dir)
	require.NoError(t, err)
	r := runnerCommand{path: path, state: filepath.Join(dir, "state")}
	require.NoError(t, os.Mkdir(r.state, 0o700))
	require.NoError(t, os.Symlink(imagetest.Dir(), filepath.Join(r.state, "images")))
	return r
}

// runResult is what of the runner's JSON answer a verdict needs.
type runResult struct {
	Status     string `json:"status"`
	Stdout     string `json:"stdout"`
	Stderr     string `json:"stderr"`
	Violations []struct {
		Rule string `json:"rule"`
	} `json:"violations"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func (r runResult) because() string {
	var reasons []string
	for _, violation := range r.Violations {
		reasons = append(reasons, violation.Rule)
	}
	if r.Error != nil {
		reasons = append(reasons, r.Error.Message)
	}
	return strings.Join(reasons, ", ")
}

func (r runnerCommand) run(t *testing.T, source []byte) runResult {
	t.Helper()
	run := exec.CommandContext(t.Context(), r.path, "run", "--json", "--state", r.state, "--policy", "study-analysis", "--engine", "oci", "-")
	run.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}
	run.Stdin = bytes.NewReader(source)
	var stdout, stderr bytes.Buffer
	run.Stdout, run.Stderr = &stdout, &stderr
	if err := run.Run(); err != nil {
		var exit *exec.ExitError // the exit code says what the status says
		require.ErrorAs(t, err, &exit)
	}
	var result runResult
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &result), "%s%s", &stdout, &stderr)
	return result
}

// place is what lies on the host, outside of every sandbox.
type place struct {
	dir, token string
	port       int
	reached    chan struct{}
}

func newPlace(t *testing.T) place {
	t.Helper()
	p := place{dir: t.TempDir(), token: "canary:" + t.Name(), reached: make(chan struct{}, 1)}
	require.NoError(t, os.WriteFile(p.canary(), []byte(p.token), 0o600))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p.port = listener.Addr().(*net.TCPAddr).Port
	done := make(chan struct{})
	go func() {
		defer close(done)
		if connection, err := listener.Accept(); err == nil {
			p.reached <- struct{}{}
			connection.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return p
}

func (p place) canary() string { return filepath.Join(p.dir, "canary.txt") }

func (p place) fill(source []byte) []byte {
	names := strings.NewReplacer("@CANARY@", p.canary(), "@OUTSIDE@", p.dir, "@PORT@", strconv.Itoa(p.port))
	return []byte(names.Replace(string(source)))
}

func (p place) requireUntouched(t *testing.T) {
	t.Helper()
	entries, err := os.ReadDir(p.dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	content, err := os.ReadFile(p.canary())
	require.NoError(t, err)
	require.Equal(t, p.token, string(content))
	require.Empty(t, p.reached, "a connection came out of a sandbox")
}
