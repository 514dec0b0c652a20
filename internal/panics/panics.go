// Package panics turns a panic of ours into an error, so that hostile data which
// meets a fault of the runner, or of a library, ends one run and not the runner:
// a process that dies leaves no record and no audit line, and its sandbox runs on.
//
// It does not decide what becomes of the run. Every goroutine that hostile bytes
// reach does its work within Catch: recover works in the goroutine that panics
// only. What cannot be recovered (a stack that overflows, no memory) is prevented
// by bounds on depth and size, see docs/threat-model.md.
package panics

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Error is a panic. Its text has the type of the value that was thrown and the
// names of functions, never the value: it may hold what a sandbox sent.
type Error struct {
	doing string
	kind  string
	trace []string // innermost first
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("panic of the runner while %s: %s in %s: this is a fault of Hotcell's, please report it",
		e.doing, e.kind, strings.Join(e.trace, " < "))
}

// Where it happened, as few names as tell it.
const (
	maxFrames  = 64 // looked at
	maxForeign = 1  // the library's function that threw
	maxOwn     = 6
)

// Catch calls work and returns its error, or an *Error when it panicked. doing
// says what work is, for the error's text.
func Catch(doing string, work func() error) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = &Error{doing, fmt.Sprintf("%T", thrown), trace()}
		}
	}()
	return work()
}

// trace names where the panic came from. It is called by Catch's deferred function.
func trace() []string {
	callers := make([]uintptr, maxFrames)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)]) // without Callers, trace and the deferred function
	var names []string
	foreign, own := 0, 0
	for more := true; more && own < maxOwn; {
		var frame runtime.Frame
		frame, more = frames.Next()
		name := fmt.Sprintf("%s (%s:%d)", path.Base(frame.Function), path.Base(frame.File), frame.Line)
		switch {
		case strings.HasPrefix(frame.Function, "runtime."):
		case strings.HasPrefix(frame.Function, "hotcell/"):
			own++
			names = append(names, name)
		case foreign < maxForeign && own == 0:
			foreign++
			names = append(names, name)
		}
	}
	return names
}
