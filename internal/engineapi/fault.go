package engineapi

import (
	"context"
	"errors"
	"io/fs"

	"hotcell/internal/admission"
	"hotcell/internal/container"
	"hotcell/internal/runner"
)

var (
	// ErrMalformed is wrapped by the error for what is not of this protocol.
	ErrMalformed = errors.New("it does not speak this runner's protocol")
	// ErrLost is wrapped by the error for a request whose answer did not come: what became
	// of it is in its record, if code has begun.
	ErrLost = errors.New("the engine has gone before it answered")
)

// class is a kind of error that a caller acts upon.
type class string

const classGuard class = "guard"

// classes are all that cross the socket, with what errors.Is finds on the other side. A
// caller of a run in another process cannot tell the difference.
var classes = []struct {
	name class
	is   error
}{
	{"input", runner.ErrInput},
	{"forbidden", runner.ErrForbidden},
	{"export", runner.ErrExport},
	{"session_over", runner.ErrSessionOver},
	{"unknown_runtime", container.ErrUnknownRuntime},
	{"cancelled", context.Canceled},
	{"full", admission.ErrFull},
	{"draining", admission.ErrDraining},
	{"malformed", ErrMalformed},
	{"known", ErrKnown},
	{"unknown_run", ErrUnknownRun},
	{"not_found", fs.ErrNotExist},
	{"no_record", ErrNoRecord},
	{"not_kept", ErrNotKept},
	{"too_often", ErrTooOften},
}

// Classes are the errors that errors.Is finds on the other side.
func Classes() []error {
	all := make([]error, len(classes))
	for index, one := range classes {
		all[index] = one.is
	}
	return all
}

// fault is an error as it crosses the socket. One of none of the classes is our own
// failure, or the host's.
type fault struct {
	Message string  `json:"message"`
	Classes []class `json:"classes"`
	Guard   string  `json:"guard,omitempty"` // the reason of a runner.GuardError
}

// faultOf is an error with all that it says: see audience.
func faultOf(err error) *fault {
	to := &fault{Message: err.Error(), Classes: []class{}}
	for _, one := range classes {
		if errors.Is(err, one.is) {
			to.Classes = append(to.Classes, one.name)
		}
	}
	if guard, ok := errors.AsType[*runner.GuardError](err); ok {
		to.Classes, to.Guard = append(to.Classes, classGuard), guard.Reason
	}
	return to
}

// err is the error that faultOf was given, for all that a caller asks of it.
func (f *fault) err() error {
	if f == nil {
		return nil
	}
	to := &remoteError{message: f.Message}
	for _, name := range f.Classes {
		to.causes = append(to.causes, f.cause(name))
	}
	return to
}

func (f *fault) cause(name class) error {
	if name == classGuard {
		return &runner.GuardError{Reason: f.Guard}
	}
	for _, one := range classes {
		if one.name == name {
			return one.is
		}
	}
	return ErrMalformed
}

// remoteError is another process's error.
type remoteError struct {
	message string
	causes  []error
}

// Error implements error.
func (e *remoteError) Error() string { return e.message }

// Unwrap lets errors.Is and errors.As see its classes.
func (e *remoteError) Unwrap() []error { return e.causes }
