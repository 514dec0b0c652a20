package containertest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// patience ends a test that would hang for good. No test passes because of it: it
// is some hundred times what the slowest subtest took.
const patience = 3 * time.Minute

// trial is one sandbox that shows one behaviour.
type trial struct {
	t       *testing.T
	harness Harness
	id      container.ID
	spec    container.Spec
	marker  string
	sandbox container.Sandbox
	given   container.Spec // what Create got
	asked   string         // the same, as it was then
}

// newTrial creates a sandbox for b on a new engine.
func newTrial(t *testing.T, h Harness, b Behaviour, changes ...func(*container.Spec)) *trial {
	t.Helper()
	return newTrialOn(t, h, h.New(t), b, changes...)
}

// newTrialOn creates a sandbox for b. At the end of the test it is destroyed, and
// nothing of it may be left.
func newTrialOn(t *testing.T, h Harness, engine container.Engine, b Behaviour, changes ...func(*container.Spec)) *trial {
	t.Helper()
	b.Marker = rand.Text()
	spec := h.spec(t, b)
	for _, change := range changes {
		change(&spec)
	}
	r := &trial{t: t, harness: h, id: container.NewID(), spec: spec, marker: b.Marker, given: spec, asked: encoded(t, spec)}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var err error
	r.sandbox, err = engine.Create(ctx, r.id, spec)
	require.NoError(t, err)
	t.Cleanup(r.destroy)
	return r
}

func (r *trial) destroy() {
	r.t.Helper()
	ctx, cancel := container.ReleaseContext(context.Background())
	defer cancel()
	require.NoError(r.t, r.sandbox.Destroy(ctx))
	require.Equal(r.t, r.asked, encoded(r.t, r.given), "other runs have the same Spec")
	r.requireDead()
	requireNothingLeft(r.t, r.harness, r.id)
}

func encoded(t *testing.T, spec container.Spec) string {
	t.Helper()
	text, err := json.Marshal(spec)
	require.NoError(t, err)
	return string(text)
}

// requireDead fails when a process of the sandbox lives.
func (r *trial) requireDead() {
	r.t.Helper()
	alive, err := r.harness.Processes(r.marker)
	require.NoError(r.t, err)
	require.Empty(r.t, alive, "processes of the sandbox are alive")
}

func requireNothingLeft(t *testing.T, h Harness, id container.ID) {
	t.Helper()
	left, err := h.Leftovers(id)
	require.NoError(t, err)
	require.Empty(t, left, "the host still holds something of sandbox %s", id)
}

// run runs the sandbox and requires that the engine did its part.
func (r *trial) run(ctx context.Context, streams container.Streams) container.Exit {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	exit, err := r.sandbox.Run(ctx, streams)
	require.NoError(r.t, err)
	r.requireDead()
	return exit
}

// collect runs the sandbox without input and returns what it wrote to stdout.
func (r *trial) collect() (container.Exit, []byte) {
	r.t.Helper()
	var stdout, stderr bytes.Buffer
	exit := r.run(r.t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr})
	if stderr.Len() > 0 {
		r.t.Logf("stderr of the sandbox:\n%s", stderr.String())
	}
	return exit, stdout.Bytes()
}

// report runs the sandbox, requires a clean end and decodes what it reported.
func (r *trial) report(into any) container.Exit {
	r.t.Helper()
	exit, stdout := r.collect()
	requireCleanEnd(r.t, exit)
	require.NoError(r.t, json.Unmarshal(stdout, into), "%s", stdout) //nolint:forbidigo // of a test
	return exit
}

func requireCleanEnd(t *testing.T, exit container.Exit) {
	t.Helper()
	exit.Usage, exit.PID = job.Usage{}, 0
	require.Equal(t, container.Exit{}, exit)
}

// requireKilledByUs requires the one form of an end that we forced.
func requireKilledByUs(t *testing.T, exit container.Exit, limit job.Limit) {
	t.Helper()
	exit.Usage, exit.PID = job.Usage{}, 0
	require.Equal(t, container.Exit{Code: -1, Signal: "SIGKILL", KilledByUs: true, Limit: limit}, exit)
}

// output opens the output directory for the rest of the test.
func (r *trial) output() *os.Root {
	r.t.Helper()
	root, err := r.sandbox.Output(r.t.Context())
	require.NoError(r.t, err)
	r.t.Cleanup(func() { require.NoError(r.t, root.Close()) })
	return root
}

// exchange is a running sandbox whose streams the test holds.
type exchange struct {
	trial  *trial
	stdin  *io.PipeWriter
	stdout *bufio.Reader
	cancel context.CancelFunc
	ended  chan ending
}

type ending struct {
	exit container.Exit
	err  error
}

// converse runs the sandbox in the background. It ends with the test.
func (r *trial) converse() *exchange {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	input, stdin := io.Pipe()
	stdout, output := io.Pipe()
	c := &exchange{trial: r, stdin: stdin, stdout: bufio.NewReader(stdout), cancel: cancel, ended: make(chan ending, 1)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		var stderr bytes.Buffer
		exit, err := r.sandbox.Run(ctx, container.Streams{Stdin: input, Stdout: output, Stderr: &stderr})
		output.CloseWithError(sandboxEndError(fmt.Sprintf("exit %+v, error %v, stderr %q", exit, err, stderr.String())))
		c.ended <- ending{exit, err}
	}()
	r.t.Cleanup(func() {
		cancel()
		stdin.Close()
		stdout.Close()
		<-done
	})
	return c
}

// sandboxEndError ends a exchange's stdout. Its text tells how, for a test that
// expected more.
type sandboxEndError string

// Error implements error.
func (e sandboxEndError) Error() string { return "the sandbox has ended: " + string(e) }

// say writes one line to the sandbox.
func (c *exchange) say(line string) {
	c.trial.t.Helper()
	_, err := io.WriteString(c.stdin, line+"\n")
	require.NoError(c.trial.t, err)
}

// expect reads one line of stdout.
func (c *exchange) expect(line string) {
	c.trial.t.Helper()
	require.Equal(c.trial.t, line, c.next())
}

func (c *exchange) next() string {
	c.trial.t.Helper()
	line, err := c.stdout.ReadString('\n')
	require.NoError(c.trial.t, err)
	return strings.TrimSuffix(line, "\n")
}

// decode reads one line of stdout as JSON.
func (c *exchange) decode(into any) {
	c.trial.t.Helper()
	line := c.next()
	require.NoError(c.trial.t, json.Unmarshal([]byte(line), into), "%s", line) //nolint:forbidigo // of a test
}

// finish closes stdin and waits for the end.
func (c *exchange) finish() container.Exit {
	c.trial.t.Helper()
	require.NoError(c.trial.t, c.stdin.Close())
	return c.wait()
}

// wait reads stdout to its end, requires that nothing came, and returns the exit.
func (c *exchange) wait() container.Exit {
	c.trial.t.Helper()
	rest, err := io.ReadAll(c.stdout)
	require.ErrorAs(c.trial.t, err, new(sandboxEndError))
	require.Empty(c.trial.t, string(rest))
	end := <-c.ended
	require.NoError(c.trial.t, end.err)
	c.trial.requireDead()
	return end.exit
}
