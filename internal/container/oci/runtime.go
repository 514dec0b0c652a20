//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	runc "github.com/containerd/go-runc"

	"hotcell/internal/container"
)

// runtimes are the known OCI runtimes, in the order of preference: from Create to
// Destroy, crun takes 60 % of runc's time (BenchmarkSandbox: 25 and 41 ms).
func runtimes() []string { return []string{"crun", "runc"} }

func unknownRuntime(name string) string {
	return fmt.Sprintf("runtime %q is not one of %s", name, strings.Join(runtimes(), ", "))
}

// findRuntime returns the name and path of the runtime to use. asked is "" for
// the first that is installed.
func findRuntime(asked string) (name, path string, err error) {
	candidates := runtimes()
	if asked != "" {
		if !slices.Contains(candidates, asked) {
			return "", "", errors.New(unknownRuntime(asked))
		}
		candidates = []string{asked}
	}
	for _, name := range candidates {
		path, err := exec.LookPath(name)
		if err == nil && filepath.IsAbs(path) {
			return name, path, nil
		}
	}
	return "", "", fmt.Errorf("no OCI runtime found (looked for %s): install one, for example with apt-get install crun",
		strings.Join(candidates, ", "))
}

// runtimeFor returns the client of a runtime whose messages go to log, which may
// be "" for nowhere.
func (e *Engine) runtimeFor(name, path, log string) *runc.Runc {
	return &runc.Runc{
		Command:   path,
		Root:      e.runtimeRoot(name),
		Log:       log,
		LogFormat: runc.JSON,
		Setpgid:   true, // a terminal's Ctrl-C is for us to act on, not for a runtime at work
	}
}

// createContainer makes the container and connects its streams to pipes. The
// runtime's words are in the log: its stderr is the sandbox's. The end of ctx does
// not kill a runtime at work, whose half-made processes nobody would know; the
// caller looks at ctx next.
func (s *sandbox) createContainer(ctx context.Context) error {
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	err := s.mounts.do(func() error {
		return s.runtime.Create(ctx, s.id.String(), s.dir, &runc.CreateOpts{IO: s.pipes, PidFile: s.path(pidFile)})
	})
	if err != nil {
		s.pipes.reapOrphans(ctx)
		return fmt.Errorf("create container: %w%s", err, s.runtimeWords())
	}
	return nil
}

func (s *sandbox) startContainer(ctx context.Context) error {
	err := s.mounts.do(func() error { return s.runtime.Start(ctx, s.id.String()) })
	if err != nil {
		return fmt.Errorf("start container: %w", err)
	}
	return nil
}

// deleteContainer removes what the runtime keeps. Force, because the runtime may
// not have seen that the container has ended.
func (s *sandbox) deleteContainer(ctx context.Context) error {
	state := filepath.Join(s.runtime.Root, s.id.String())
	if _, err := os.Lstat(state); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	err := s.mounts.do(func() error {
		return s.runtime.Delete(ctx, s.id.String(), &runc.DeleteOpts{Force: true})
	})
	if err == nil {
		return nil
	}
	// A half-made container cannot be deleted by the runtime. Its processes are in
	// the cgroup, which is killed and removed after this; what is left is a
	// directory.
	s.logger.Warn("remove container state by hand", "sandbox", s.id.String(), "reason", err.Error())
	return os.RemoveAll(state)
}

// maxLog bounds what is read of a runtime's log, in bytes.
const maxLog = 4096

// runtimeWords returns the end of the runtime's log for an error message, or "".
// No code and no data can be in it: it ends before the sandbox has any.
func (s *sandbox) runtimeWords() string {
	content, err := os.ReadFile(s.path(logFile))
	if err != nil || len(content) == 0 {
		return ""
	}
	content = content[max(0, len(content)-maxLog):]
	return ": " + strings.TrimSpace(string(content))
}
