package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// cold is the command that makes a sandbox for its run, whole: from its start to its end.
func (l *lab) cold(s script, state, policy, bundle string, flags ...string) (process, error) {
	file, err := l.scriptFile(s)
	if err != nil {
		return process{}, err
	}
	argv := append([]string{l.options.runner, "run", "--cold", "--json", "--trace", "--state", state, "--policy", policy}, flags...)
	if bundle != "" {
		argv = append(argv, "--bundle", bundle)
	}
	return process{append(argv, file), func(printed string) error {
		_, err := checkRun(s, printed, false)
		return err
	}}, nil
}

// scriptFile is a file with the script.
func (l *lab) scriptFile(s script) (string, error) {
	file := l.path(string(digest.Of([]byte(s.code)).Hex()) + ".py")
	return file, os.WriteFile(file, []byte(s.code), 0o600)
}

// checkRun wants a command's answer to be what its row claims.
func checkRun(s script, printed string, warm bool) (job.Trace, error) {
	var answer struct {
		Status job.Status      `json:"status"`
		Result json.RawMessage `json:"result"`
		Trace  *job.Trace      `json:"trace"`
	}
	if err := json.Unmarshal([]byte(printed), &answer); err != nil {
		return job.Trace{}, fmt.Errorf("read the answer: %w", err)
	}
	switch {
	case answer.Status != job.Succeeded:
		return job.Trace{}, fmt.Errorf("%s: %s", answer.Status, printed)
	case answer.Trace == nil:
		return job.Trace{}, errors.New("it has no trace")
	case warm && !answer.Trace.Warm:
		return *answer.Trace, errNotWarm
	case !warm && answer.Trace.Warm:
		return *answer.Trace, errors.New("its sandbox was ready, and should not have been")
	}
	return *answer.Trace, s.check(answer.Result)
}
