package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// idleMemory is what each idle sandbox of an engine process has for itself, in bytes: pages
// that it has written, and that no other process has.
func (e *engine) idleMemory() (sample, error) {
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	var private sample
	for _, file := range found {
		dir := filepath.Dir(file)
		if !isIdleGuard(dir, e.pid) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, "smaps_rollup"))
		if err != nil {
			continue // it was taken, or has ended
		}
		bytes, err := privateDirty(string(text))
		if err != nil {
			return nil, err
		}
		private = append(private, bytes)
	}
	if len(private) == 0 {
		return nil, errors.New("no idle sandbox was found")
	}
	return private, nil
}

// isIdleGuard tells a guard that was forked: it has the template's filter, and the two of
// any guard. A template has its own only.
func isIdleGuard(dir string, engine int) bool {
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return false
	}
	words, err := os.ReadFile(filepath.Join(dir, "cmdline"))
	return err == nil && strings.Contains(string(words), "hotcell_guard") &&
		strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", engine)) && strings.Contains(string(status), "\nSeccomp_filters:\t3\n")
}

// privateDirty reads /proc/PID/smaps_rollup.
func privateDirty(rollup string) (float64, error) {
	for line := range strings.Lines(rollup) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "Private_Dirty:" && fields[2] == "kB" {
			kilobytes, err := strconv.ParseFloat(fields[1], 64)
			return kilobytes * 1024, err
		}
	}
	return 0, errors.New("read smaps_rollup: no Private_Dirty")
}
