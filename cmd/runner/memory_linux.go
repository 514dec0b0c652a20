package main

import (
	"os"
	"runtime/debug"
)

// softMemory is above what requests may hold of a service, or of an engine process, at a time. What
// they have held, and hold no more, is collected before it is twice that.
const softMemory = 768 << 20

// collectSooner has a process that lives long stay near softMemory, unless who starts it says
// otherwise (GOMEMLIMIT).
func collectSooner() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
}
