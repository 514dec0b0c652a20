package tool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checkCommand refuses what cannot be started, and the runner itself: code that is
// run here must not be able to have other code run.
func checkCommand(command []string) error {
	if len(command) == 0 {
		return errors.New("the command is empty")
	}
	for _, argument := range command {
		if strings.ContainsRune(argument, 0) {
			return errors.New("the command has a NUL byte")
		}
	}
	if !filepath.IsAbs(command[0]) {
		return fmt.Errorf("the command %q is not an absolute path", command[0])
	}
	info, err := os.Stat(command[0])
	if err != nil {
		return fmt.Errorf("look at command: %w", err)
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("the command %s is not an executable file", command[0])
	}
	self, err := ownExecutable()
	if err != nil {
		return fmt.Errorf("look at the runner's own file: %w", err)
	}
	if os.SameFile(info, self) {
		return errors.New("the command is the runner itself: a tool must not run code")
	}
	return nil
}

// Variable is set in the environment of every tool. A runner that finds it refuses
// to run code: it was started, however indirectly, by code that it would run.
const Variable = "HOTCELL_TOOL_CALL"

// environment is all that a tool gets; nothing of the runner's own, which may hold
// secrets of the caller's, is in it. dir is the call's own.
func environment(dir string) []string {
	return []string{
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOME=" + dir,
		"TMPDIR=" + dir,
		"LANG=C.UTF-8",
		"TZ=UTC",
		Variable + "=1",
	}
}
