package main

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// ownStart is what `runner run` takes besides the request: the process, its flags, the
// connection, and printing. The request's own time is what its trace has.
func (l *lab) ownStart(state string) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) {
		command := exec.CommandContext(ctx, l.options.runner, "run", "--json", "--trace", "--state", state, "--policy", "study-analysis", "-")
		command.Stdin = strings.NewReader(one.code)
		begun := time.Now()
		printed, err := command.Output()
		took := sinceMS(begun)
		if err != nil {
			return 0, err
		}
		trace, err := checkRun(one, string(printed), true)
		for _, part := range trace.Phases {
			took -= part.MS
		}
		return took, err
	}
}
