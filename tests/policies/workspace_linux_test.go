package policies_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/image/imagetest"
	"hotcell/internal/job"
	"hotcell/tests/runnertest"
)

// runnerPath is the command under test, and images the store that it uses.
// TestMain alone sets them.
var runnerPath, images string

func TestMain(m *testing.M) {
	code, err := buildAndTest(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func buildAndTest(m *testing.M) (code int, err error) {
	images = imagetest.Dir()
	dir, err := os.MkdirTemp("", "hotcell-policies-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if runnerPath, err = runnertest.Build(context.Background(), dir); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// patience ends a test that hangs; nothing is asserted about how long one took.
const patience = 2 * time.Minute

// workspace is a directory with a state of its own.
type workspace struct {
	t   *testing.T
	dir string
}

func newWorkspace(t *testing.T) *workspace {
	t.Helper()
	if _, err := os.Stat(filepath.Join(images, "index.json")); err != nil || os.Geteuid() != 0 {
		if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
			t.Fatal("needs root and the image: make image")
		}
		t.Skip("needs root and the image: make image")
	}
	w := &workspace{t: t, dir: t.TempDir()}
	require.NoError(t, os.Mkdir(w.path("state"), 0o700))
	require.NoError(t, os.Symlink(images, w.path("state/images")))
	return w
}

// engine starts an engine process that has sandboxes ready for the policy. What its runs may take is
// the script's then, and not the time in which a loaded machine imports packages.
func (w *workspace) engine(policy string) {
	w.t.Helper()
	cmd := w.prepared("engine", "--engine", "oci", "--warm", policy)
	says, err := cmd.StderrPipe()
	require.NoError(w.t, err)
	require.NoError(w.t, cmd.Start())
	lines := bufio.NewReader(says)
	w.t.Cleanup(func() {
		require.NoError(w.t, cmd.Process.Signal(syscall.SIGTERM))
		rest, _ := io.ReadAll(lines) // ends with it
		require.NoError(w.t, cmd.Wait(), string(rest))
	})
	for line := ""; !strings.Contains(line, "engine ready"); { // before it, where none can be kept ready, why
		line, err = lines.ReadString('\n')
		require.NoError(w.t, err, line)
	}
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, name) }

func (w *workspace) write(name, content string) {
	w.t.Helper()
	require.NoError(w.t, os.MkdirAll(filepath.Dir(w.path(name)), 0o755))
	require.NoError(w.t, os.WriteFile(w.path(name), []byte(content), 0o600))
}

// ended is what became of a command.
type ended struct {
	code           int
	stdout, stderr string
}

// prepared is the runner with nothing of our environment but what it needs.
func (w *workspace) prepared(args ...string) *exec.Cmd {
	cmd := exec.Command(runnerPath, args...) // it ends in order, before the test's context has ended it
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOTCELL_STATE=" + w.path("state")}
	cmd.Dir = w.dir
	return cmd
}

// command runs it to its end.
func (w *workspace) command(input string, args ...string) ended {
	w.t.Helper()
	cmd := w.prepared(args...)
	cmd.Stdin = strings.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	hung := time.AfterFunc(patience, func() {
		if cmd.Process != nil {
			_ = cmd.Process.Signal(os.Interrupt) // it ends and cleans up; what it then says fails the test
		}
	})
	defer hung.Stop()
	if err := cmd.Run(); err != nil {
		require.NotNil(w.t, cmd.ProcessState, "%v", err)
	}
	return ended{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// bundle makes a bundle of the files below data/ and adds it to the store.
func (w *workspace) bundle(name string) {
	w.t.Helper()
	w.create(name)
	w.add()
}

func (w *workspace) create(name string) {
	w.t.Helper()
	w.succeeds("bundle", "create", "data", "--name", name, "--version", "1", "--study", "S",
		"--method", "synthetic", "--attested-by", "A", "--statement", "Made up.")
}

func (w *workspace) add() {
	w.t.Helper()
	w.succeeds("bundle", "add", "data")
}

func (w *workspace) succeeds(args ...string) {
	w.t.Helper()
	e := w.command("", args...)
	require.Zero(w.t, e.code, "%s%s", e.stdout, e.stderr)
}

// run runs one script and reads its result.
func (w *workspace) run(policy, script string, flags ...string) job.Result {
	w.t.Helper()
	w.write("script.py", script)
	args := append([]string{"run", "--json", "--engine", "oci", "--policy", policy}, flags...)
	e := w.command("", append(args, "script.py")...)
	return decode[job.Result](w.t, e.stdout, e.stderr)
}

// decode reads one JSON document and nothing else.
func decode[T any](t *testing.T, stdout, stderr string) T {
	t.Helper()
	var value T
	decoder := json.NewDecoder(strings.NewReader(stdout))
	require.NoError(t, decoder.Decode(&value), "%s\n%s", stdout, stderr)
	_, err := decoder.Token()
	require.ErrorIs(t, err, io.EOF, "more than one document on stdout")
	return value
}

// feature is one promise of a policy: a script, and what must come of it.
type feature struct {
	script string
	flags  []string
	want   func(*testing.T, job.Result)
}

// test runs the features of one policy, each in a sandbox of its own.
func test(t *testing.T, w *workspace, policy string, features map[string]feature, flags ...string) {
	t.Helper()
	for name, each := range features {
		t.Run(name, func(t *testing.T) {
			inner := &workspace{t, w.dir}
			each.want(t, inner.run(policy, each.script, append(append([]string{}, flags...), each.flags...)...))
		})
	}
}

// What must come of a script.

func answers(want string) func(*testing.T, job.Result) {
	return func(t *testing.T, got job.Result) {
		t.Helper()
		require.Equal(t, job.Succeeded, got.Status, describe(got))
		require.Equal(t, want, got.Output)
	}
}

func refusedBy(rule, words string) func(*testing.T, job.Result) {
	return func(t *testing.T, got job.Result) {
		t.Helper()
		require.Equal(t, job.Rejected, got.Status, describe(got))
		require.NotEmpty(t, got.Violations)
		require.Equal(t, rule, got.Violations[0].Rule)
		require.Contains(t, got.Violations[0].Message, words)
	}
}

func raises(kind, words string) func(*testing.T, job.Result) {
	return func(t *testing.T, got job.Result) {
		t.Helper()
		require.Equal(t, job.Failed, got.Status, describe(got))
		require.Equal(t, kind, got.Error.Type, describe(got))
		require.Contains(t, got.Error.Message, words)
	}
}

func stopped(status job.Status, limit job.Limit) func(*testing.T, job.Result) {
	return func(t *testing.T, got job.Result) {
		t.Helper()
		require.Equal(t, status, got.Status, describe(got))
		require.Equal(t, limit, got.Limit)
	}
}

func describe(got job.Result) string {
	text, err := json.Marshal(got)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
