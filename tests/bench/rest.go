package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// restWindow is long beside a tick of the kernel's account of idle time, and longer than an
// engine puts off what it makes ready again; restLimit is long beside what that takes. A
// machine with other work never rests.
const (
	restWindow = 150 * time.Millisecond
	restLimit  = time.Second
)

// rest waits until the machine has next to nothing to do.
func rest(ctx context.Context) error {
	deadline := time.Now().Add(restLimit)
	before, err := readLoad()
	if err != nil {
		return err
	}
	for time.Now().Before(deadline) {
		select {
		case <-time.After(restWindow):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		now, err := readLoad()
		if err != nil {
			return err
		}
		if now.idle-before.idle >= (now.all-before.all)*9/10 {
			return nil
		}
		before = now
	}
	return nil
}

// load is how the CPUs together have spent their time, in the kernel's ticks.
type load struct{ idle, all int64 }

func readLoad() (load, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return load{}, err
	}
	return parseLoad(string(text))
}

// parseLoad reads the first line of /proc/stat: user, nice, system, idle, iowait, …
// Waiting for a disk is rest for a CPU, but not for the sync that it waits for.
func parseLoad(text string) (load, error) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 5 || fields[0] != "cpu" {
		return load{}, fmt.Errorf("read /proc/stat: not its form: %q", line)
	}
	var l load
	for n, field := range fields[1:] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return load{}, fmt.Errorf("read /proc/stat: %w", err)
		}
		l.all += ticks
		if n == 3 {
			l.idle = ticks
		}
	}
	return l, nil
}
