package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// conclude does with an answer what run and session do, and returns what was printed
// and the exit code.
func conclude(t *testing.T, line bool, response runner.Response, failed error) (map[string]any, string, int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, stderr: &stderr, json: true, answered: line} // a session has answered before
	said, err := outcome(response, failed)
	var broken error
	if line {
		broken = a.reportLine(response, said, job.Request{}, "out")
	} else {
		broken = a.report(response, said, job.Request{}, "out")
	}
	code := a.exitCode(printed(broken, err))
	var document map[string]any
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &document), "one document")
	return document, stderr.String(), code
}

func answerOf(status job.Status, failure *job.Error) runner.Response {
	result := job.Result{RunID: testID, Status: status, Error: failure, Value: json.RawMessage("null")}
	return runner.Response{Result: result, RecordDir: "/state/runs/x"}
}

var testID = must(job.ParseID("1795219431042-9f86d081884c7d65"))

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestAnswerAndExitCodeSayTheSame(t *testing.T) {
	statuses := []job.Status{
		job.Succeeded, job.Failed, job.Rejected, job.TimedOut, job.OutOfMemory, job.Killed, job.LimitExceeded, job.OutputRejected, job.Cancelled,
	}
	failures := map[string]error{
		"nothing":               nil,
		"the copy":              fmt.Errorf("%w: %w", runner.ErrExport, syscall.ENOSPC),
		"the host":              errors.New("sandbox could not be removed"),
		"what wraps a mistake":  usageError{errors.New("x")},
		"what wraps an input":   fmt.Errorf("%w: x", runner.ErrInput),
		"what wraps cancelling": fmt.Errorf("close: %w", context.Canceled),
		"what wraps an exit":    fmt.Errorf("close: %w", exitError(3)),
	}
	for _, status := range statuses {
		for name, failed := range failures {
			for _, line := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/%v", status, name, line), func(t *testing.T) {
					document, stderr, code := conclude(t, line, answerOf(status, nil), failed)
					require.EqualValues(t, code, document["exit_code"])
					require.Equal(t, string(status), document["status"], "what became of the code")
					if failed == nil {
						require.Equal(t, status.ExitCode(), code)
						require.Nil(t, document["error"])
						return
					}
					require.Equal(t, job.ExitInternal, code)
					require.NotNil(t, document["error"])
					require.Contains(t, stderr, failed.Error())
				})
			}
		}
	}
}

func TestAnErrorWithoutAnAnswerHasTheExitCodeToo(t *testing.T) {
	for want, err := range map[int]error{
		2: usageError{errors.New("x")}, 9: context.Canceled, 125: errors.New("x"),
	} {
		var stdout bytes.Buffer
		a := &app{stdout: &stdout, stderr: &bytes.Buffer{}, json: true}
		require.Equal(t, want, a.exitCode(err))
		require.Contains(t, stdout.String(), fmt.Sprintf(`"exit_code": %d,`, want))
	}
}

func TestAFailedCopyIsToldWithTheWayOut(t *testing.T) {
	failed := fmt.Errorf("%w: %w", runner.ErrExport, syscall.ENOSPC)
	document, _, _ := conclude(t, false, answerOf(job.Succeeded, nil), failed)
	failure := document["error"].(map[string]any)
	require.Equal(t, "export.failed", failure["type"])
	require.Contains(t, failure["message"], "no space left on device; copy them from /state/runs/x/files")

	raised := &job.Error{Type: "ValueError", Message: "m"}
	document, _, _ = conclude(t, false, answerOf(job.Failed, raised), errors.New("sandbox could not be removed"))
	failure = document["error"].(map[string]any)
	require.Equal(t, "runner.failed", failure["type"])
	require.Equal(t, "sandbox could not be removed; the code itself ended with ValueError: m", failure["message"])
}

// A summary must not name a directory in which nothing is.
func TestASummaryOfAFailedCopyNamesNoOutput(t *testing.T) {
	for _, failed := range []error{nil, runner.ErrExport} {
		var stderr bytes.Buffer
		a := &app{stdout: &bytes.Buffer{}, stderr: &stderr}
		said, _ := outcome(answerOf(job.Succeeded, nil), failed)
		require.NoError(t, a.report(answerOf(job.Succeeded, nil), said, job.Request{}, "out"))
		require.Equal(t, failed == nil, strings.Contains(stderr.String(), "  output   out"), stderr.String())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestAnAnswerThatCannotBePrintedIsOurFailure(t *testing.T) {
	for _, status := range []job.Status{job.Succeeded, job.Rejected} {
		a := &app{stdout: full{}, stderr: &bytes.Buffer{}, json: true}
		said, err := outcome(answerOf(status, nil), nil)
		require.Equal(t, job.ExitInternal, a.exitCode(printed(a.report(answerOf(status, nil), said, job.Request{}, ""), err)))
	}
}
