package runner

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/wire"
)

func TestClassify(t *testing.T) {
	completed := &wire.Report{Outcome: wire.OutcomeCompleted}
	raised := func(kind string, errno int) *wire.Report {
		return &wire.Report{Outcome: wire.OutcomeRaised, Error: &wire.Error{Type: kind, Errno: errno, Line: 3}}
	}
	met := func(kind string, errno int, limit string) *wire.Report {
		report := raised(kind, errno)
		report.Limit = limit
		return report
	}
	violation := func(rule string) []job.Violation { return []job.Violation{{Rule: rule}} }
	for name, test := range map[string]struct {
		evidence evidence
		status   job.Status
		limit    job.Limit
	}{
		"completed with good output":               {evidence{ready: true, report: completed}, job.Succeeded, ""},
		"completed with bad output":                {evidence{ready: true, report: completed, violations: violation(output.RuleSymlink)}, job.OutputRejected, ""},
		"completed with too many files":            {evidence{ready: true, report: completed, violations: violation(output.RuleTooManyFiles)}, job.LimitExceeded, job.LimitOutputFiles},
		"completed with too many and bad":          {evidence{ready: true, report: completed, violations: append(violation(output.RuleTooManyFiles), violation(output.RuleSymlink)...)}, job.OutputRejected, ""},
		"completed with too many bytes":            {evidence{ready: true, report: completed, violations: violation(output.RuleTooLarge)}, job.LimitExceeded, job.LimitOutputBytes},
		"completed with a picture too large":       {evidence{ready: true, report: completed, violations: []job.Violation{{Rule: output.RuleTooLarge, Path: "a.png"}}}, job.OutputRejected, ""},
		"completed with both":                      {evidence{ready: true, report: completed, violations: append(violation(output.RuleTooLarge), job.Violation{Rule: output.RuleTooLarge, Path: "a.png"})}, job.OutputRejected, ""},
		"completed, then an odd code":              {evidence{ready: true, report: completed, exit: container.Exit{Code: 3}}, job.OutputRejected, ""},
		"completed, yet killed":                    {evidence{ready: true, report: completed, exit: container.Exit{Code: -1, Signal: "SIGSEGV"}}, job.Killed, ""},
		"completed, yet a child was out of memory": {evidence{ready: true, report: completed, exit: container.Exit{OOMKills: 1}}, job.OutOfMemory, job.LimitMemory},
		"completed, yet threads were refused":      {evidence{ready: true, report: completed, exit: container.Exit{PIDsDenied: 1}}, job.LimitExceeded, job.LimitPIDs},
		"raised":                                   {evidence{ready: true, report: raised("ValueError", 0)}, job.Failed, ""},
		"raised: output file system full":          {evidence{ready: true, report: raised("OSError", 28), fullLimit: job.LimitOutputBytes}, job.LimitExceeded, job.LimitOutputBytes},
		"raised: scratch file system full":         {evidence{ready: true, report: met("OSError", 28, wire.LimitScratch)}, job.LimitExceeded, job.LimitScratch},
		"raised: too many open files":              {evidence{ready: true, report: met("OSError", 24, wire.LimitOpenFiles)}, job.LimitExceeded, job.LimitOpenFiles},
		"raised by hand: no space left":            {evidence{ready: true, report: raised("OSError", 28)}, job.Failed, ""},
		"raised by hand: too many open files":      {evidence{ready: true, report: raised("OSError", 24), fullLimit: job.LimitOutputBytes}, job.Failed, ""},
		"raised: result too large":                 {evidence{ready: true, report: &wire.Report{Outcome: wire.OutcomeRaised, Limit: wire.LimitReport, Error: &wire.Error{Line: 3}}}, job.LimitExceeded, job.LimitReport},
		"raised: the list of its files too large":  {evidence{ready: true, report: &wire.Report{Outcome: wire.OutcomeRaised, Limit: wire.LimitFiles, Error: &wire.Error{}}}, job.LimitExceeded, job.LimitReport},
		"raised: more files than it may leave":     {evidence{ready: true, fullLimit: job.LimitOutputFiles, report: &wire.Report{Outcome: wire.OutcomeRaised, Limit: wire.LimitFiles, Error: &wire.Error{}}}, job.LimitExceeded, job.LimitOutputFiles},
		"raised: a result too large beside files":  {evidence{ready: true, fullLimit: job.LimitOutputFiles, report: &wire.Report{Outcome: wire.OutcomeRaised, Limit: wire.LimitReport, Error: &wire.Error{}}}, job.LimitExceeded, job.LimitReport},
		"raised: a budget of a step":               {evidence{ready: true, report: &wire.Report{Outcome: wire.OutcomeRaised, Limit: wire.LimitLoopIterations, Error: &wire.Error{Line: 3}}}, job.LimitExceeded, job.LimitIterations},
		"rejected":                                 {evidence{report: &wire.Report{Outcome: wire.OutcomeRejected, Violations: []wire.Violation{{Rule: "import.denied"}}}}, job.Rejected, ""},
		"out of memory":                            {evidence{ready: true, exit: container.Exit{Code: -1, Signal: "SIGKILL", OOMKills: 1}}, job.OutOfMemory, job.LimitMemory},
		"the host out of memory":                   {evidence{ready: true, exit: container.Exit{Code: -1, Signal: "SIGKILL", HostOOMKills: 1}}, job.Killed, ""},
		"a child, for the host was out of memory":  {evidence{ready: true, report: completed, exit: container.Exit{HostOOMKills: 1}}, job.Killed, ""},
		"a SIGKILL that was no OOM":                {evidence{ready: true, exit: container.Exit{Code: -1, Signal: "SIGKILL"}}, job.Killed, ""},
		"exit code 137 that was no OOM":            {evidence{ready: true, exit: container.Exit{Code: 137}}, job.Failed, ""},
		"seccomp":                                  {evidence{ready: true, exit: container.Exit{Code: -1, Signal: "SIGSYS"}}, job.Killed, ""},
		"CPU clock":                                {evidence{ready: true, exit: container.Exit{Code: -1, Signal: "SIGKILL", KilledByUs: true, Limit: job.LimitCPUTime}}, job.TimedOut, job.LimitCPUTime},
		"CPU rlimit":                               {evidence{ready: true, exit: container.Exit{Code: -1, Signal: "SIGXCPU"}}, job.TimedOut, job.LimitCPUTime},
		"wall clock":                               {evidence{ready: true, stopped: stoppedByClock, exit: container.Exit{Code: -1, Signal: "SIGKILL", KilledByUs: true}}, job.TimedOut, job.LimitWallClock},
		"cancelled":                                {evidence{stopped: stoppedByCaller, exit: container.Exit{KilledByUs: true}}, job.Cancelled, ""},
		"stdout full":                              {evidence{ready: true, stopped: stoppedByStdout}, job.LimitExceeded, job.LimitStdout},
		"stderr full":                              {evidence{ready: true, stopped: stoppedByStderr}, job.LimitExceeded, job.LimitStderr},
		"a forged stream":                          {evidence{ready: true, protocol: errors.New("x"), exit: container.Exit{KilledByUs: true}}, job.OutputRejected, ""},
		"gone without a report":                    {evidence{ready: true, exit: container.Exit{Code: 0}}, job.Failed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := classify(test.evidence)
			require.NoError(t, err)
			require.Equal(t, test.status, got.status)
			require.Equal(t, test.limit, got.limit)
			explained := got.failure != nil || len(got.violations) > 0
			require.Equal(t, got.status != job.Succeeded, explained, "every status but succeeded says why")
		})
	}
}

func TestClassifyClaimsNothingWhenTheGuardFailed(t *testing.T) {
	for name, e := range map[string]evidence{
		"it said so":         {report: &wire.Report{Outcome: wire.OutcomeGuardFailed, Error: &wire.Error{Message: "table a cannot be read"}}},
		"it never got ready": {exit: container.Exit{Code: 1}, boot: "No module named hotcell_guard"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := classify(e)
			_, ok := errors.AsType[*GuardError](err)
			require.True(t, ok)
		})
	}
}
