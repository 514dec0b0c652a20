package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// child is a program of the build.
type child struct {
	argv    []string
	env     []string // the whole environment
	stdin   io.Reader
	root    string // chroot, or "" for the host's
	network bool
	// uids and gids are those of a user namespace of its own; nil for none.
	uids, gids []syscall.SysProcIDMap
	progress   io.Writer
}

// run runs a child in PID, mount and IPC namespaces of its own, so that when it
// is killed nothing of it stays: neither a process nor a mount.
func run(ctx context.Context, c child) error {
	// The kernel sends Pdeathsig when the thread ends that forked, so it must live.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	command := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	if errors.Is(command.Err, exec.ErrNotFound) {
		return fmt.Errorf("%s is missing: apt-get install %[1]s", c.argv[0])
	}
	said := &transcript{to: c.progress}
	command.Env = c.env
	command.Dir = "/"
	command.Stdin = c.stdin
	command.Stdout = said
	command.Stderr = said
	command.WaitDelay = 5 * time.Second
	command.SysProcAttr = &syscall.SysProcAttr{
		Chroot:       c.root,
		Cloneflags:   syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC,
		Unshareflags: syscall.CLONE_NEWNS, // Go makes its mounts private
		Pdeathsig:    syscall.SIGKILL,
	}
	if !c.network {
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS
	}
	if c.uids != nil {
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings, command.SysProcAttr.GidMappings = c.uids, c.gids
		command.SysProcAttr.GidMappingsEnableSetgroups = true
	}
	err := command.Run()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, said.reason())
	}
	return nil
}
