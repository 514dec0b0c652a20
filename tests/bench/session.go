package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// openAndAnswer is `runner session` from its start to the answer to its first step.
func (l *lab) openAndAnswer(state string, flags ...string) func(context.Context) (float64, error) {
	return func(ctx context.Context) (took float64, err error) {
		argv := append([]string{"session", "--json", "--state", state, "--policy", "table-query", "--bundle", "awards"}, flags...)
		command := exec.CommandContext(ctx, l.options.runner, argv...)
		command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
		command.WaitDelay = 20 * time.Second
		steps, err := command.StdinPipe()
		if err != nil {
			return 0, err
		}
		answers, err := command.StdoutPipe()
		if err != nil {
			return 0, err
		}
		begun := time.Now()
		if err := command.Start(); err != nil {
			return 0, err
		}
		step, err := json.Marshal(map[string]string{"code": awards.code})
		if err == nil {
			_, err = steps.Write(append(step, '\n'))
		}
		lines := bufio.NewReaderSize(answers, 1<<20)
		line, readErr := firstAnswer(lines)
		took = sinceMS(begun)
		err = errors.Join(err, readErr, steps.Close())
		_, lastErr := lines.ReadBytes('\n') // the session's own
		if err = errors.Join(err, lastErr, command.Wait()); err != nil {
			return 0, err
		}
		return took, checkStep(line)
	}
}

// firstAnswer reads past the line that says that all is ready for the first step.
func firstAnswer(lines *bufio.Reader) ([]byte, error) {
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil || !bytes.HasPrefix(line, []byte(`{"ready":`)) {
			return line, err
		}
	}
}

func checkStep(line []byte) error {
	var answer struct {
		Status job.Status      `json:"status"`
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return fmt.Errorf("read the step's answer: %w", err)
	}
	if answer.Status != job.Succeeded {
		return fmt.Errorf("%s: %s", answer.Status, line)
	}
	return awards.check(answer.Result)
}

// stepsOfASession is fewer than the policy lets a session have.
const stepsOfASession = 150

// steps measures steps of sessions that are open, each from its request to its record.
func (e *engine) steps(ctx context.Context, s script, steps int) (sample, error) {
	var took sample
	for len(took) < steps {
		more, err := e.stepsOfOne(ctx, s, min(stepsOfASession, steps-len(took)))
		if err != nil {
			return nil, err
		}
		took = append(took, more...)
	}
	return took, nil
}

func (e *engine) stepsOfOne(ctx context.Context, s script, steps int) (took sample, err error) {
	session, err := e.client.OpenSession(ctx, runner.Ask{Request: job.Request{Policy: "table-query", Bundle: "awards", ScriptName: "bench.py"}})
	if err != nil {
		return nil, err
	}
	defer func() {
		_, closing := session.Close(ctx)
		err = errors.Join(err, closing)
	}()
	for step := range steps + 1 {
		begun := time.Now()
		response, err := session.Step(ctx, runner.Script{Code: []byte(s.code), Name: "bench.py"})
		if err != nil {
			return nil, err
		}
		if step > 0 {
			took = append(took, sinceMS(begun))
		}
		if response.Result.Status != job.Succeeded {
			return nil, fmt.Errorf("a step: %s: %+v", response.Result.Status, response.Result.Error)
		}
		if err := s.check(response.Result.Value); err != nil {
			return nil, err
		}
	}
	return took, nil
}
