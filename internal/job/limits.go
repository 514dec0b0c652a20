package job

import (
	"fmt"
	"time"
)

// Limits bounds one execution. Every field is required: zero is never "no limit".
type Limits struct {
	MemoryBytes  int64         // memory.max; swap is off. Files in Output and scratch count towards it
	PIDs         int64         // pids.max: processes and threads together
	CPUMillis    int64         // cpu.max in thousandths of one CPU: 1000 is one CPU
	WallClock    time.Duration // from Sandbox.Run to its end
	CPUTime      time.Duration // user and system time of all its processes together
	OpenFiles    int64         // RLIMIT_NOFILE of each process
	ScratchBytes int64         // size of /tmp
	OutputBytes  int64         // size of the output file system
	OutputFiles  int64         // files and directories in the output file system
	StdoutBytes  int64         // kept of stdout
	StderrBytes  int64         // kept of stderr
	CodeBytes    int64         // size of the script
}

// Limit names one limit, as Result.Limit and in messages.
type Limit string

// The limits by the names that users meet. Kernel limits have the kernel's names.
const (
	LimitMemory      Limit = "memory.max"
	LimitPIDs        Limit = "pids.max"
	LimitWallClock   Limit = "wall_clock"
	LimitCPUTime     Limit = "cpu_time"
	LimitOpenFiles   Limit = "open_files"
	LimitScratch     Limit = "scratch_bytes"
	LimitOutputBytes Limit = "output_bytes"
	LimitOutputFiles Limit = "output_files"
	LimitStdout      Limit = "stdout_bytes"
	LimitStderr      Limit = "stderr_bytes"
	LimitCode        Limit = "code_bytes"
	LimitOperations  Limit = "operations"
	LimitIterations  Limit = "loop_iterations"
	LimitReport      Limit = "report_bytes"
	LimitInputs      Limit = "input_bytes"
	LimitToolCalls   Limit = "tool_calls"
)

// AllLimits are all of them.
func AllLimits() []Limit {
	return []Limit{
		LimitMemory, LimitPIDs, LimitWallClock, LimitCPUTime, LimitOpenFiles, LimitScratch, LimitOutputBytes, LimitOutputFiles,
		LimitStdout, LimitStderr, LimitCode, LimitOperations, LimitIterations, LimitReport, LimitInputs, LimitToolCalls,
	}
}

// Validate reports every field that is not positive.
func (l Limits) Validate() error {
	var missing []string
	for _, field := range []struct {
		name  string
		value int64
	}{
		{"memory", l.MemoryBytes}, {"pids", l.PIDs}, {"cpus", l.CPUMillis},
		{"wall_clock", int64(l.WallClock)}, {"cpu_time", int64(l.CPUTime)},
		{"open_files", l.OpenFiles}, {"scratch", l.ScratchBytes},
		{"output_bytes", l.OutputBytes}, {"output_files", l.OutputFiles},
		{"stdout", l.StdoutBytes}, {"stderr", l.StderrBytes}, {"code", l.CodeBytes},
	} {
		if field.value <= 0 {
			missing = append(missing, field.name)
		}
	}
	if missing != nil {
		return fmt.Errorf("limits %v must be greater than zero", missing)
	}
	return nil
}

// Budgets bounds what one script does, beside what Limits bounds of its sandbox. In
// Operations and LoopIterations zero means: not counted. ToolCalls counts refused
// calls too, and zero means that there are no tools.
type Budgets struct {
	Operations     int64
	LoopIterations int64
	ToolCalls      int64
}
