package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// process is a program that is measured from its start to its end.
type process struct {
	argv  []string
	check func(printed string) error
}

// once starts it, waits for its end, and wants success.
func (p process) once(ctx context.Context) (float64, error) {
	command := exec.CommandContext(ctx, p.argv[0], p.argv[1:]...)
	// Runners and runtimes remove what they have made when they are interrupted.
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 20 * time.Second
	var printed, said strings.Builder
	command.Stdout, command.Stderr = &printed, &said
	begun := time.Now()
	err := command.Run()
	took := sinceMS(begun)
	if err != nil {
		return 0, fmt.Errorf("%w: %s%s", err, printed.String(), said.String())
	}
	if p.check == nil {
		return took, nil
	}
	return took, p.check(printed.String())
}

// missing says that a program is not installed, or "".
func missing(program string) string {
	if _, err := exec.LookPath(program); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return "not installed"
		}
		return err.Error()
	}
	return ""
}
