package job

// Allowance is one limit of a run and what the run used of it, in the unit that is in its
// name. Limit is 0 where nothing is counted, Used -1 where it is not known.
type Allowance struct {
	Used  int64 `json:"used"`
	Limit int64 `json:"limit"`
}

// Allowances is every limit of a run as it was enforced: the policy's, tightened by who
// runs it here and by the request.
type Allowances struct {
	WallClockMS    Allowance `json:"wall_clock_ms"`
	CPUTimeMS      Allowance `json:"cpu_time_ms"`
	MemoryBytes    Allowance `json:"memory_bytes"` // used: the peak
	PIDs           Allowance `json:"pids"`         // used: the peak of processes and threads
	CPUMillis      Allowance `json:"cpu_millis"`   // thousandths of one CPU
	OpenFiles      Allowance `json:"open_files"`   // of each process
	ScratchBytes   Allowance `json:"scratch_bytes"`
	OutputBytes    Allowance `json:"output_bytes"` // used: of the released files
	OutputFiles    Allowance `json:"output_files"` // used: the released files; directories count towards the limit
	StdoutBytes    Allowance `json:"stdout_bytes"` // used: what was kept
	StderrBytes    Allowance `json:"stderr_bytes"` // used: what was kept
	CodeBytes      Allowance `json:"code_bytes"`
	ReportBytes    Allowance `json:"report_bytes"`
	InputBytes     Allowance `json:"input_bytes"`
	Figures        Allowance `json:"figures"` // used: the charts of the answer
	Operations     Allowance `json:"operations"`
	LoopIterations Allowance `json:"loop_iterations"`
	ToolCalls      Allowance `json:"tool_calls"` // used: refused calls, too
}
