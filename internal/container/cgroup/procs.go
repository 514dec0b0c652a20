//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// killEach is for kernels that cannot kill a group as a whole. Without the limit, what
// forks faster than it is killed would never end.
func killEach(dir string) error {
	if err := writeFile(filepath.Join(dir, "pids.max"), "1"); err != nil {
		return fmt.Errorf("deny forks: %w", err)
	}
	pids, err := processesBelow(dir)
	if err != nil {
		return err
	}
	for _, pid := range pids {
		if pid <= 0 { // kill(2) would take this process's own group for it
			return errors.New("a process of another pid namespace is in it")
		}
		if err := killMember(dir, pid); err != nil {
			return fmt.Errorf("kill process %d: %w", pid, err)
		}
	}
	return nil
}

// killMember kills a process if it is in the group. The number may have become another's
// since it was read: it is held (by a pidfd, since Linux 5.4) before the group is asked
// once more.
func killMember(dir string, pid int) error {
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	defer func() { _ = process.Release() }() // it fails for what has ended
	pids, err := processesBelow(dir)
	if err != nil || !slices.Contains(pids, pid) {
		return err
	}
	if err := process.Kill(); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// processesBelow returns those in the group and in its descendants. A descendant that
// goes meanwhile had none; to stop there would keep those of the others untold.
func processesBelow(dir string) ([]int, error) {
	pids, err := processes(dir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		below, err := processesBelow(filepath.Join(dir, entry.Name()))
		if err != nil && !isGone(err) {
			return nil, err
		}
		pids = append(pids, below...)
	}
	return pids, nil
}

// processes returns those in the group itself; 0 is one of another pid namespace.
func processes(dir string) ([]int, error) {
	content, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return nil, err
	}
	var pids []int
	for field := range strings.FieldsSeq(string(content)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			return nil, fmt.Errorf("read processes of control group: %w", err)
		}
		pids = append(pids, pid)
	}
	return pids, nil
}
