// Command reaper runs a command, and when that ends kills every process that it has
// left: whatever descends from it, also what has detached itself.
//
// .ci/run starts everything through it. A pid namespace would do the same with less,
// but there a process has another number than in the kernel's log, which tests read.
//
//	reaper COMMAND [ARG ...]
//
// Told to end by SIGINT, SIGTERM or SIGHUP, or by the death of whoever started it, it
// kills all of it at once. It ends with the command's exit code, or 128 and the
// signal's number, or 125 where it could not do its part.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "reaper:", err)
		code = 125
	}
	os.Exit(code)
}

func run(args []string) (int, error) {
	if len(args) == 0 {
		return 0, errors.New("usage: reaper COMMAND [ARG ...]")
	}
	// Orphans become this process's children instead of the first one's.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("become subreaper: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGTERM), 0, 0, 0); err != nil {
		return 0, fmt.Errorf("follow parent: %w", err)
	}
	// Apart, so that a signal to end finds a place whatever number of children has ended.
	told, ended := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	signal.Notify(ended, syscall.SIGCHLD)
	command := exec.CommandContext(context.Background(), args[0], args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := command.Start(); err != nil {
		return 0, err
	}
	code := await(command.Process.Pid, told, ended)
	return code, killAll()
}

// await returns when the command has ended, or somebody has had enough of it.
func await(pid int, told, ended <-chan os.Signal) int {
	for {
		select {
		case received := <-told:
			number, _ := received.(syscall.Signal)
			return 128 + int(number)
		case <-ended:
			if code, done := reap(pid); done {
				return code
			}
		}
	}
}

// reap takes leave of all children that have ended, and tells whether the command
// is one of them.
func reap(pid int) (code int, done bool) {
	for {
		var status syscall.WaitStatus
		child, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil || child == 0:
			return 0, false
		case child == pid && status.Signaled():
			return 128 + int(status.Signal()), true
		case child == pid:
			return status.ExitStatus(), true
		}
	}
}

// killAll ends every descendant. One that forks is quicker than a list of them, so
// lists are made until there is none.
func killAll() error {
	for {
		pids, err := descendants(os.Getpid())
		if err != nil {
			return err
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
		if _, err := syscall.Wait4(-1, nil, 0, nil); errors.Is(err, syscall.ECHILD) {
			return nil
		}
	}
}

func descendants(of int) ([]int, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	children := map[int][]int{}
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// The name, in parentheses, may hold anything; see proc_pid_stat(5).
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		parent, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			return nil, err
		}
		children[parent] = append(children[parent], pid)
	}
	var found []int
	for next := children[of]; len(next) > 0; {
		pid := next[0]
		found, next = append(found, pid), append(next[1:], children[pid]...)
	}
	return found, nil
}
