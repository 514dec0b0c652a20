package job

// Trace is how long each part of a run took, as the runner's monotonic clock has it.
type Trace struct {
	Warm   bool        `json:"warm"`   // the sandbox was ready, or has come from a template just now
	Phases []PhaseTime `json:"phases"` // in the order in which they began; those that there were
}

// PhaseTime is one part of a run.
type PhaseTime struct {
	Phase string  `json:"phase"`
	MS    float64 `json:"ms"` // milliseconds, to the microsecond
}

// The parts of a run, in order. docs/result.md says what belongs to each.
const (
	PartPreparing  = "preparing"
	PartAcquiring  = "acquiring"
	PartQueued     = "queued" // within acquiring, which goes on after it
	PartStarting   = "starting"
	PartLoading    = "loading"
	PartRunning    = "running"
	PartVerifying  = "verifying"
	PartRemoving   = "removing"
	PartCommitting = "committing"
)

// TraceParts are all of them.
func TraceParts() []string {
	return []string{PartPreparing, PartAcquiring, PartQueued, PartStarting, PartLoading, PartRunning, PartVerifying, PartRemoving, PartCommitting}
}
