package job

import (
	"encoding/json"
	"time"
)

// Request is one ask to run code. Every door (command line and later ones)
// builds the same.
type Request struct {
	Policy     string    // name
	Bundle     string    // name, name@version or digest; "" for a run without data
	Code       []byte    // the script as it came
	ScriptName string    // base name for tracebacks and messages, for example "analysis.py"
	Runtime    string    // crun, runc, runsc, … or "" for the engine's choice
	Overrides  Overrides // what the request tightens

	// AllowUnguarded accepts a policy whose guard is off. Without it such a policy is
	// refused.
	AllowUnguarded bool

	// Imports narrows what the code may import to these modules, each of which the policy
	// must list; nil for all that it lists.
	Imports []string

	// Tables narrows what is loaded of the bundle to these tables, each of which the bundle
	// must have; nil for all that it has. The files stay where they are.
	Tables []string

	// Seed is what draws without a seed of the script's begins with, below 2^48; 0 for one
	// that is drawn. See Provenance.Seed.
	Seed int64

	// Replicates is the run id of a recorded run that this one repeats, or "". It changes
	// nothing but the record.
	Replicates string

	Inputs json.RawMessage // a JSON object for the script, or nil for none
	Tools  []Tool          // what the script may call, where the policy lets callers bring tools
}

// Tool is a program of the host's that a script may call by name: JSON parameters
// on its standard input, a JSON answer on its standard output. It runs outside the
// sandbox.
type Tool struct {
	Name    string          // a Python identifier
	Command []string        // argument vector; no shell
	Schema  json.RawMessage // JSON Schema of the parameters, or nil for any object
}

// Overrides tightens a policy's limits. Zero means: as the policy says.
type Overrides struct {
	WallClock   time.Duration
	MemoryBytes int64
	CPUMillis   int64
	PIDs        int64
	Budgets     Budgets // below the policy's, or where it sets none
}
