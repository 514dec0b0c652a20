package service_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/client"
	"hotcell/internal/image/imagetest"
	"hotcell/tests/runnertest"
)

// runnerPath is made by TestMain.
var runnerPath string

func TestMain(m *testing.M) { os.Exit(all(m)) }

func all(m *testing.M) int {
	dir, err := os.MkdirTemp("", "hotcell-service-") // which another user can enter
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if runnerPath, err = runnertest.Build(context.Background(), dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// frontUser is there on every Debian, and has no rights.
const frontUser = "nobody"

// patience ends a test that hangs; nothing is asserted about how long it took.
const patience = 2 * time.Minute

// scene is a host with an engine process and a front.
type scene struct {
	t      testing.TB
	dir    string
	state  string
	with   []string // more flags of the engine
	engine *process
	front  *process
	asks   *client.Client
}

func newScene(t testing.TB, engine ...string) *scene {
	t.Helper()
	s := arrange(t, engine...)
	s.begin()
	return s
}

// arrange makes what the two need, and starts neither.
func arrange(t testing.TB, engine ...string) *scene {
	t.Helper()
	imagetest.Require(t)
	dir, err := os.MkdirTemp("", "hotcell-scene-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	s := &scene{t: t, dir: dir, with: engine, state: filepath.Join(dir, "state")}
	require.NoError(t, os.Mkdir(s.state, 0o700))
	require.NoError(t, os.Symlink(imagetest.Dir(), filepath.Join(s.state, "images")))
	for _, name := range []string{"front", "listen"} {
		require.NoError(t, os.Mkdir(s.path(name), 0o755))
		require.NoError(t, os.Chown(s.path(name), s.uid(), -1))
	}
	require.NoError(t, os.Chmod(s.path("front"), 0o700))
	require.NoError(t, os.Mkdir(s.path("engine"), 0o755))
	require.NoError(t, os.WriteFile(s.path("serve.yaml"), []byte(s.config()), 0o644))
	s.asks, err = client.New(client.Options{URL: "unix://" + s.path("listen/http.sock"), Patience: patience})
	require.NoError(t, err)
	t.Cleanup(s.asks.Close)
	return s
}

// begin starts both, and has them end with the test.
func (s *scene) begin() {
	s.t.Helper()
	s.startEngine()
	s.t.Cleanup(func() { s.engine.stop() })
	s.startFront()
	s.t.Cleanup(func() { s.front.stop() })
}

func (s *scene) path(name string) string { return filepath.Join(s.dir, name) }

func (s *scene) config() string {
	return fmt.Sprintf(`version: 1
engine: %s
data: %s
listen:
  - unix: %s
authentication:
  unix:
    users: [root]
quotas:
  default: {running: 1000, queued: 100000, requests_per_minute: 1000000}
drain: 1s
`, s.path("engine/front.sock"), s.path("front"), s.path("listen/http.sock"))
}

func (s *scene) uid() int {
	s.t.Helper()
	found, err := user.Lookup(frontUser)
	require.NoError(s.t, err)
	uid, err := strconv.Atoi(found.Uid)
	require.NoError(s.t, err)
	return uid
}

func (s *scene) startEngine() {
	s.t.Helper()
	cmd := s.command(append([]string{"engine", "--front-socket", s.path("engine/front.sock"), "--front-user", frontUser}, s.with...)...)
	s.engine = s.start(cmd, "engine ready")
}

func (s *scene) startFront() {
	s.t.Helper()
	// It is stopped before the scene's directory goes.
	s.front = s.start(s.asFront(exec.Command(runnerPath, "serve", "--config", s.path("serve.yaml"))), `"listening"`)
}

// asFront has a command be the front's user's.
func (s *scene) asFront(cmd *exec.Cmd) *exec.Cmd {
	s.prepare(cmd).SysProcAttr.Credential = &syscall.Credential{Uid: uint32(s.uid()), Gid: uint32(s.uid())}
	return cmd
}

// command is the runner, which is stopped before the scene's directory goes.
func (s *scene) command(args ...string) *exec.Cmd {
	return s.prepare(exec.Command(runnerPath, args...))
}

// prepare gives a command nothing of our environment but what it needs.
func (s *scene) prepare(cmd *exec.Cmd) *exec.Cmd {
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOTCELL_STATE=" + s.state}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// process is a runner that stays.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	read chan struct{} // closed when all that it said was read
	said *strings.Builder
}

// start returns when the process has said that it is ready.
func (s *scene) start(cmd *exec.Cmd, ready string) *process {
	s.t.Helper()
	stderr, err := cmd.StderrPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, cmd.Start())
	p := &process{t: s.t, cmd: cmd, read: make(chan struct{}), said: &strings.Builder{}}
	heard := make(chan struct{}, 1)
	go func() {
		defer close(p.read)
		lines := bufio.NewScanner(stderr)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			p.said.WriteString(lines.Text() + "\n")
			if strings.Contains(lines.Text(), ready) {
				select {
				case heard <- struct{}{}:
				default:
				}
			}
		}
	}()
	select {
	case <-heard:
	case <-p.read:
		require.Fail(s.t, "it ended before it was ready", "%s\n%s", cmd.Args, p.said)
	case <-time.After(patience):
		p.signal(syscall.SIGABRT)
		<-p.read
		require.Fail(s.t, "it is not ready", "%s\n%s", cmd.Args, p.said)
	}
	return p
}

func (p *process) signal(signal syscall.Signal) {
	_ = syscall.Kill(-p.cmd.Process.Pid, signal) // it may have ended
}

// kill ends it as nobody can prevent.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.read
	_ = p.cmd.Wait()
}

// stop ends it in order, where it was not killed.
func (p *process) stop() {
	if p.cmd.ProcessState != nil {
		return
	}
	p.signal(syscall.SIGTERM)
	hung := time.AfterFunc(patience, func() { p.signal(syscall.SIGABRT) })
	defer hung.Stop()
	<-p.read
	if err := p.cmd.Wait(); err != nil || p.t.Failed() {
		p.t.Logf("%s: %v\n%s", p.cmd.Args, err, p.said)
	}
}

// told are the kinds of the audit chain's lines about runs, by run.
func (s *scene) told() map[string][]string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.state, "audit.jsonl"))
	require.NoError(s.t, err)
	kinds := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		var event struct {
			Kind  string `json:"kind"`
			RunID string `json:"run_id"`
		}
		require.NoError(s.t, json.Unmarshal([]byte(line), &event))
		if event.Kind == "run" || event.Kind == "interrupted" {
			kinds[event.RunID] = append(kinds[event.RunID], event.Kind)
		}
	}
	return kinds
}
