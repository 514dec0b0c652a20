package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// describeMachine says what was measured, where and when.
func describeMachine(ctx context.Context, o options) (table, error) {
	t := table{name: "machine", head: []string{"", ""}}
	if o.scale {
		t.name = "scale-machine"
	}
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return t, err
	}
	processor, err := firstMatch("/proc/cpuinfo", `(?m)^model name\s*: (.*)$`)
	if err != nil {
		return t, err
	}
	memory, err := firstMatch("/proc/meminfo", `(?m)^MemTotal:\s*(\d+ kB)$`)
	if err != nil {
		return t, err
	}
	version, err := exec.CommandContext(ctx, o.runner, "--version").Output()
	if err != nil {
		return t, fmt.Errorf("ask the runner for its version: %w", err)
	}
	t.add("when", time.Now().UTC().Format("2006-01-02 15:04 MST"))
	t.add("runner", strings.TrimSpace(string(version)))
	t.add("processor", fmt.Sprintf("%d of %s", runtime.NumCPU(), processor))
	t.add("memory", memory)
	t.add("kernel", "Linux "+strings.TrimSpace(string(kernel)))
	t.add("page tables", pageTables())
	for _, program := range [][]string{{"crun", "--version"}, {"runc", "--version"}, {"runsc", "--version"}, {"docker", "--version"}, {"bwrap", "--version"}} {
		line := missing(program[0])
		if line == "" {
			out, _ := exec.CommandContext(ctx, program[0], program[1:]...).CombinedOutput() // it says why not
			line, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
		}
		t.add(program[0], line)
	}
	return t, nil
}

// pageTables says who keeps them: a page fault costs ten times as much where the kernel
// asks a hypervisor for each.
func pageTables() string {
	line, err := os.ReadFile("/proc/cmdline")
	if err == nil && strings.Contains(string(line), "pvm") {
		return "shadowed by the hypervisor (the kernel's command line has options of PVM)"
	}
	return "nothing known"
}

func firstMatch(file, pattern string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if found == nil {
		return "unknown", nil
	}
	return string(found[1]), nil
}
