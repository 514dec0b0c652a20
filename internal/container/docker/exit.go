package docker

import "fmt"

// exitStatus is how the container's first process ended. signal is 0 when it
// exited.
type exitStatus struct {
	code   int
	signal int
}

// signalBase is what a shell, and Docker after it, adds to the number of the
// signal that ended a process.
const signalBase = 128

const sigkill = 9

// lastSignal is the highest signal number of Linux (SIGRTMAX).
const lastSignal = 64

// exitFromDaemon reads the daemon's exit code, in which exit(137) and SIGKILL
// look alike. It takes the signal: a guard has no exit code above 128.
func exitFromDaemon(code int64) exitStatus {
	if code > signalBase && code <= signalBase+lastSignal {
		return exitStatus{code: -1, signal: int(code - signalBase)}
	}
	return exitStatus{code: int(code)}
}

// exitFromKernel reads a wait status as wait(2) describes it.
func exitFromKernel(status int32) exitStatus {
	if signal := int(status & 0x7f); signal != 0 {
		return exitStatus{code: -1, signal: signal}
	}
	return exitStatus{code: int(status >> 8 & 0xff)}
}

// signalName returns "SIGKILL" and the like, and "" for no signal.
func (e exitStatus) signalName() string {
	if e.signal == 0 {
		return ""
	}
	if name := linuxSignals[e.signal]; name != "" {
		return name
	}
	return fmt.Sprintf("SIG%d", e.signal)
}
