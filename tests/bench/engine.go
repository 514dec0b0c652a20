package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// engine is an engine process, and a client of it. It has a state directory of its own.
type engine struct {
	state  string
	pid    int
	client *engineapi.Client
}

// startEngine starts an engine process in a state directory; its last arguments are flags.
// The lab ends it.
func (l *lab) startEngine(ctx context.Context, state string, argv ...string) (*engine, error) {
	// It is ended in order, also after a signal.
	command := exec.CommandContext(context.WithoutCancel(ctx), argv[0], append(argv[1:], "--state", state)...)
	said, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	ready := make(chan bool, 1)
	go func() {
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			if strings.Contains(lines.Text(), "engine ready") {
				ready <- true
			} else if !strings.Contains(lines.Text(), "engine ends") {
				fmt.Fprintln(os.Stderr, lines.Text())
			}
		}
		_, _ = io.Copy(io.Discard, said)
		ended <- command.Wait()
		close(ready)
	}()
	l.atEnd(func() error {
		_ = command.Process.Signal(os.Interrupt) // it may have ended
		return <-ended
	})
	if !<-ready {
		return nil, errors.New("the engine process did not start")
	}
	client, err := engineapi.Connect(ctx, state)
	if err != nil {
		return nil, err
	}
	l.atEnd(client.Close)
	return &engine{state: state, pid: command.Process.Pid, client: client}, nil
}

// ask is one request.
type ask struct {
	script         script
	policy, bundle string
	runtime        string // "" for the engine's choice
}

// once carries a request out, and wants what it claims: an answer, a record, and a sandbox
// that was ready. Where only the latter is missing, the time is returned, too.
func (e *engine) once(ctx context.Context, a ask) (float64, runner.Response, error) {
	request := job.Request{Policy: a.policy, Bundle: a.bundle, Runtime: a.runtime, Code: []byte(a.script.code), ScriptName: "bench.py"}
	begun := time.Now()
	response, err := e.client.Run(ctx, runner.Ask{Request: request})
	took := sinceMS(begun)
	switch {
	case err != nil:
		return 0, response, err
	case response.Result.Status != job.Succeeded:
		return 0, response, fmt.Errorf("%s: %+v", response.Result.Status, response.Result.Error)
	case response.RecordDir == "":
		return 0, response, errors.New("it has no record")
	case response.Trace == nil:
		return 0, response, errors.New("it has no trace")
	}
	if err := a.script.check(response.Result.Value); err != nil {
		return 0, response, err
	}
	if !response.Trace.Warm {
		return took, response, errNotWarm
	}
	return took, response, nil
}

// warmUp asks until a sandbox was ready, or for so long; then it was errNotWarm.
func (e *engine) warmUp(ctx context.Context, a ask, limit time.Duration) error {
	for deadline := time.Now().Add(limit); ; {
		_, _, err := e.once(ctx, a)
		if !errors.Is(err, errNotWarm) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
