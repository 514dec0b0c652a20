package docker

import "hotcell/internal/container"

// exitStatus is how the container's first process ended. signal is 0 when it
// exited.
type exitStatus struct {
	code   int
	signal int
}

const sigkill = 9

// exitFromDaemon reads the daemon's exit code.
func exitFromDaemon(code int64) exitStatus {
	if signal := container.ToldSignal(code); signal != 0 {
		return exitStatus{code: -1, signal: signal}
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
	return container.SignalName(e.signal)
}
