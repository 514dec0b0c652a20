package job

// Status says what became of the code. It is never used for our own faults:
// those are Go errors, and then nothing is claimed about the code.
type Status string

// The statuses, in the order of their exit codes.
const (
	Succeeded      Status = "succeeded"       // ran, output verified
	Failed         Status = "failed"          // the code raised an exception or ended with a non-zero code
	Rejected       Status = "rejected"        // the guard refused it; nothing ran
	TimedOut       Status = "timed_out"       // wall clock or CPU clock
	OutOfMemory    Status = "out_of_memory"   // the kernel counted an oom_kill in the sandbox's cgroup
	Killed         Status = "killed"          // seccomp or another signal, named in the error
	LimitExceeded  Status = "limit_exceeded"  // Result.Limit names which
	OutputRejected Status = "output_rejected" // ran, but its output was not acceptable: quarantined
	Cancelled      Status = "cancelled"       // by the caller
)

// Statuses are all of them.
func Statuses() []Status {
	return []Status{Succeeded, Failed, Rejected, TimedOut, OutOfMemory, Killed, LimitExceeded, OutputRejected, Cancelled}
}

// Exit codes of the command that stand for no Status.
const (
	ExitUsage    = 2   // bad flags, bad policy, bad bundle
	ExitInternal = 125 // our fault or the host's
)

// ExitCode returns the command's exit code for s, or ExitInternal for a Status
// that does not exist.
func (s Status) ExitCode() int {
	switch s {
	case Succeeded:
		return 0
	case Failed:
		return 1
	case Rejected:
		return 3
	case TimedOut:
		return 4
	case OutOfMemory:
		return 5
	case Killed:
		return 6
	case LimitExceeded:
		return 7
	case OutputRejected:
		return 8
	case Cancelled:
		return 9
	default:
		return ExitInternal
	}
}
