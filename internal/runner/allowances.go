package runner

import (
	"time"

	"hotcell/internal/job"
)

// allowances says what the run might have, and what is known of what it had. result has
// everything else already.
func (e *execution) allowances(result job.Result) job.Allowances {
	const unknown = -1
	limits, budgets, usage := e.terms.Limits, e.terms.Budgets, result.Usage
	released, figures, files := int64(unknown), int64(unknown), int64(unknown)
	if result.Status == job.Succeeded {
		released, figures, files = 0, int64(len(result.Charts)), int64(len(result.Files))
		for _, file := range result.Files {
			released += file.Bytes
		}
	}
	return job.Allowances{
		WallClockMS: job.Allowance{Used: usage.WallMS, Limit: e.wallClock().Milliseconds()},
		CPUTimeMS:   job.Allowance{Used: usage.CPUMS, Limit: limits.CPUTime.Milliseconds()},
		MemoryBytes: job.Allowance{Used: usage.MemoryPeakBytes, Limit: limits.MemoryBytes},
		PIDs:        job.Allowance{Used: usage.PIDsPeak, Limit: limits.PIDs},
		CPUMillis:   job.Allowance{Used: unknown, Limit: limits.CPUMillis},
		OpenFiles:   job.Allowance{Used: unknown, Limit: limits.OpenFiles},

		ScratchBytes: job.Allowance{Used: unknown, Limit: limits.ScratchBytes},
		OutputBytes:  job.Allowance{Used: released, Limit: limits.OutputBytes},
		OutputFiles:  job.Allowance{Used: files, Limit: limits.OutputFiles},
		StdoutBytes:  job.Allowance{Used: int64(len(result.Stdout)), Limit: limits.StdoutBytes},
		StderrBytes:  job.Allowance{Used: int64(len(result.Stderr)), Limit: limits.StderrBytes},
		CodeBytes:    job.Allowance{Used: int64(len(e.request.Code)), Limit: limits.CodeBytes},
		ReportBytes:  job.Allowance{Used: unknown, Limit: e.terms.ReportBytes},
		InputBytes:   job.Allowance{Used: int64(len(e.request.Inputs)), Limit: e.terms.InputBytes},

		Figures:        job.Allowance{Used: figures, Limit: int64(e.answers.MaxFigures)},
		Operations:     job.Allowance{Used: unknown, Limit: budgets.Operations},
		LoopIterations: job.Allowance{Used: unknown, Limit: budgets.LoopIterations},
		ToolCalls:      job.Allowance{Used: int64(len(result.ToolCalls)), Limit: budgets.ToolCalls},
	}
}

// wallClock is that of the script or, in a session's own record, of the whole session.
func (e *execution) wallClock() time.Duration {
	if bounds := e.terms.Policy.Session; bounds != nil && e.session == e.id {
		return bounds.WallClock
	}
	return e.terms.Limits.WallClock
}
