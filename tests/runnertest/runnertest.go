// Package runnertest builds the command for the tests that run it as a user does.
//
// It decides what of this host such a command sees: its programs and its kernel, and
// no policy. A file in /etc/hotcell/policies that is named like a built-in policy is
// refused by every command, which would fail every test for what an administrator
// did.
package runnertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
)

// Build builds the command in dir, and returns its path. Its policy directory is
// "policies" beside it, which does not exist. A machine without Go names a built one
// in HOTCELL_TEST_RUNNER, and has no policies.
//
// Where the tests were started to ignore SIGHUP or SIGINT, as a job in the background, it
// has this process catch them: what it starts shall not ignore them.
func Build(ctx context.Context, dir string) (string, error) {
	for _, each := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(each) {
			signal.Notify(make(chan os.Signal, 1), each)
		}
	}
	if built := os.Getenv("HOTCELL_TEST_RUNNER"); built != "" {
		return built, nil
	}
	path := filepath.Join(dir, "runner")
	build := exec.CommandContext(ctx, "go", "build", "-ldflags", "-X main.policyDir="+filepath.Join(dir, "policies"), "-o", path, "hotcell/cmd/runner")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build runner: %w\n%s", err, output)
	}
	return path, nil
}
