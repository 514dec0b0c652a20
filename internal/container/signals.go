package container

import "fmt"

// SignalName returns "SIGKILL" and the like for a signal of Linux. The table of this process's
// system will not do: a Mac numbers them otherwise.
func SignalName(signal int) string {
	if name := linuxSignals[signal]; name != "" {
		return name
	}
	return fmt.Sprintf("SIG%d", signal)
}

// signalBase is what a shell, and container tools after it, adds to the number of the signal
// that ended a process; lastSignal is the highest number (SIGRTMAX).
const (
	signalBase = 128
	lastSignal = 64
)

// ToldSignal reads an exit code in which exit(137) and SIGKILL look alike, and returns the
// signal, 0 for none. It takes what may be one for a signal: a guard has no exit code above
// 128.
func ToldSignal(code int64) int {
	if code > signalBase && code <= signalBase+lastSignal {
		return int(code - signalBase)
	}
	return 0
}

var linuxSignals = map[int]string{
	1:  "SIGHUP",
	2:  "SIGINT",
	3:  "SIGQUIT",
	4:  "SIGILL",
	5:  "SIGTRAP",
	6:  "SIGABRT",
	7:  "SIGBUS",
	8:  "SIGFPE",
	9:  "SIGKILL",
	10: "SIGUSR1",
	11: "SIGSEGV",
	12: "SIGUSR2",
	13: "SIGPIPE",
	14: "SIGALRM",
	15: "SIGTERM",
	16: "SIGSTKFLT",
	17: "SIGCHLD",
	18: "SIGCONT",
	19: "SIGSTOP",
	20: "SIGTSTP",
	21: "SIGTTIN",
	22: "SIGTTOU",
	23: "SIGURG",
	24: "SIGXCPU",
	25: "SIGXFSZ",
	26: "SIGVTALRM",
	27: "SIGPROF",
	28: "SIGWINCH",
	29: "SIGIO",
	30: "SIGPWR",
	31: "SIGSYS",
}
