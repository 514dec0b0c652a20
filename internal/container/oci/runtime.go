//go:build linux

package oci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"hotcell/internal/container"
)

// runtimes are those that run a container on this kernel, in the order of
// preference: from Create to Destroy, crun takes 60 % of runc's time
// (BenchmarkSandbox: 25 and 41 ms).
func runtimes() []string { return []string{"crun", "runc"} }

// known are all runtimes. gVisor is used where it is asked for by name only: it
// isolates more, takes ten times as long to start, and what it says of its guest
// cannot be looked at from here.
func known() []string { return append(runtimes(), gVisor) }

func unknownRuntime(name string) error {
	return fmt.Errorf("%w %q: known are %s", container.ErrUnknownRuntime, name, strings.Join(known(), ", "))
}

// findRuntime returns the name and path of the runtime to use. asked is "" for
// the first that is installed.
func findRuntime(asked string) (name, path string, err error) {
	candidates := runtimes()
	if asked != "" {
		if !slices.Contains(known(), asked) {
			return "", "", unknownRuntime(asked)
		}
		candidates = []string{asked}
	}
	for _, name := range candidates {
		path, err := exec.LookPath(name)
		if err == nil && filepath.IsAbs(path) {
			return name, path, nil
		}
	}
	return "", "", fmt.Errorf("no OCI runtime found (looked for %s): install one, for example with apt-get install %s",
		strings.Join(candidates, ", "), candidates[0])
}

// client calls one runtime for one sandbox.
type client struct {
	name, path string
	root       string // its --root
	log        string // file for its messages, "" for none
}

func (e *Engine) runtimeFor(name, path, log string) *client {
	return &client{name: name, path: path, root: e.runtimeRoot(name), log: log}
}

// runtimeEnvironment is all that a runtime gets. What else is in this process's
// environment (a secret, a proxy, LD_PRELOAD, GODEBUG, _LIBCONTAINER_…) is not for
// it, and runsc would hand it to the process that holds the guest.
func runtimeEnvironment() []string { return []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"} }

// stopDelay bounds the wait for the streams of a runtime that has ended or was killed.
const stopDelay = time.Second

// command returns one call. The end of ctx kills it. It dies with this process, too: it makes
// nothing after a sweeper has looked, and never waits for a container that the sweeper has
// ended, as crun start does. (The signal is sent when the thread that started it ends: that
// one waits for it, see namespace.do.)
func (c *client) command(ctx context.Context, args ...string) *exec.Cmd {
	all := []string{"--root", c.root}
	if c.log != "" {
		all = append(all, "--log", c.log, "--log-format", "json")
	}
	if c.name == gVisor {
		all = append(all, sentryFlags()...)
	}
	// #nosec G702 -- the path is a known runtime's, found in PATH, and all arguments are our own.
	command := exec.CommandContext(ctx, c.path, append(all, args...)...)
	command.Env = runtimeEnvironment()
	command.WaitDelay = stopDelay
	// A terminal's Ctrl-C is for us to act on, not for a runtime at work.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return command
}

// call runs a command that says little. What ended well has done its work, also when
// somebody holds its streams: for a moment, each process that is started meanwhile does.
func (c *client) call(ctx context.Context, args ...string) error {
	var words bytes.Buffer
	command := c.command(ctx, args...)
	command.Stdout, command.Stderr = &words, &words
	if err := command.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("run %s %s: %w: %s", c.name, args[0], err, lastWords(words.Bytes()))
	}
	return nil
}

// create makes the container with its streams connected to pipes, but for a sandbox whose
// guard is forked: that one gets them, and the container's own process nothing.
func (c *client) create(ctx context.Context, id, bundle, pidFile string, pipes *pipes, forked bool) error {
	command := c.command(ctx, "create", "--bundle", bundle, "--pid-file", pidFile, id)
	pipes.attach(command, forked)
	if err := command.Start(); err != nil {
		return fmt.Errorf("run %s create: %w", c.name, err)
	}
	closed := closeAll(pipes.idle.read, pipes.idle.write)
	if !forked {
		closed = errors.Join(closed, pipes.closeGiven())
	}
	if err := errors.Join(command.Wait(), closed); err != nil {
		return fmt.Errorf("run %s create: %w", c.name, err)
	}
	return nil
}

// createContainer makes the container and connects its streams to pipes. The
// runtime's words are in the log: its stderr is the sandbox's. The end of ctx does
// not kill a runtime at work, whose half-made processes nobody would know; the
// caller looks at ctx next.
func (s *sandbox) createContainer(ctx context.Context) error {
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	config, err := s.config()
	if err != nil {
		return err
	}
	err = s.mounts.do(func() error {
		if err := errors.Join(forgetCaller(), allowLimits(config.Process.Rlimits)); err != nil {
			return err
		}
		return s.runtime.create(ctx, s.id.String(), s.dir, s.path(pidFile), s.pipes, s.origin != nil)
	})
	if err != nil {
		s.pipes.reapOrphans(ctx)
		return fmt.Errorf("create container: %w%s", err, s.runtimeWords())
	}
	return nil
}

func (s *sandbox) startContainer(ctx context.Context) error {
	err := s.mounts.do(func() error { return s.runtime.call(ctx, "start", s.id.String()) })
	if err != nil {
		return fmt.Errorf("start container: %w", err)
	}
	return nil
}

// deleteContainer removes what the runtime keeps. Force, because the runtime may
// not have seen that the container has ended.
func (s *sandbox) deleteContainer(ctx context.Context) error {
	if s.runtime.name == gVisor {
		return s.removeSentryState()
	}
	state := filepath.Join(s.runtime.root, s.id.String())
	if _, err := os.Lstat(state); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	err := s.mounts.do(func() error { return s.runtime.call(ctx, "delete", "--force", s.id.String()) })
	if err == nil {
		return nil
	}
	// A half-made container cannot be deleted by the runtime. Its processes are in
	// the cgroup, which is killed and removed after this; what is left is a
	// directory.
	s.logger.Warn("remove container state by hand", "sandbox", s.id.String(), "reason", err.Error())
	return os.RemoveAll(state)
}

// maxLog bounds what is repeated of a runtime's words, in bytes.
const maxLog = 4096

// runtimeWords returns the end of the runtime's log for an error message, or "".
// No code and no data can be in it: it ends before the sandbox has any.
func (s *sandbox) runtimeWords() string {
	content, err := os.ReadFile(s.path(logFile))
	if err != nil || len(content) == 0 {
		return ""
	}
	return ": " + lastWords(content)
}

func lastWords(words []byte) string {
	return strings.TrimSpace(string(words[max(0, len(words)-maxLog):]))
}
