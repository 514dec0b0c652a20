package job

import "time"

// Request is one ask to run code. Every door (command line and later ones)
// builds the same.
type Request struct {
	Policy     string    // name
	Bundle     string    // name, name@version or digest; "" for a run without data
	Code       []byte    // the script as it came
	ScriptName string    // base name for tracebacks and messages, for example "analysis.py"
	Runtime    string    // crun, runc, runsc, … or "" for the engine's choice
	Overrides  Overrides // what the request tightens
}

// Overrides tightens a policy's limits. Zero means: as the policy says.
type Overrides struct {
	WallClock   time.Duration
	MemoryBytes int64
	CPUMillis   int64
	PIDs        int64
}
