package service

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"strings"

	"hotcell/internal/admission"
	"hotcell/internal/engineapi"
	"hotcell/internal/runner"
)

// toldError is an engine's error. The log has all of it, and a principal its words: they know
// neither the places of the host nor its shell.
type toldError struct {
	words        string
	class, cause error
}

func tell(class, cause error) error { return &toldError{words(cause), class, cause} }

// Error implements error.
func (e *toldError) Error() string { return e.class.Error() + ": " + e.cause.Error() }

// Unwrap lets errors.Is see both.
func (e *toldError) Unwrap() []error { return []error{e.class, e.cause} }

// Words are what a principal is told of an error that wraps one of this package's.
func Words(err error) string {
	if told, ok := errors.AsType[*toldError](err); ok {
		return told.words
	}
	return err.Error()
}

// inTheLog is said of what is no business of a principal's.
const inTheLog = "the logs of the service and of its engine have more"

// reasons are what a principal is told of an engine's errors, by what errors.Is finds. What is of
// none of them, and not the request's own fault, is for the log alone.
var reasons = []struct {
	is    error
	words string
}{
	{engineapi.ErrOthers, "the engine was started for another user than the service's: the service's log says which"},
	{engineapi.ErrNone, "no engine listens where the service looks for one"},
	{engineapi.ErrDead, "the engine has died, and was not started again"},
	{admission.ErrDraining, "the engine ends, or is being replaced"},
	{admission.ErrFull, "all places of the engine are taken"},
	{engineapi.ErrNotKept, "the engine could keep no record: its disk is full, or another user could change what it keeps"},
	{engineapi.ErrMalformed, "what listens in the engine's place is of another version than the service, or is no engine"},
	{engineapi.ErrLost, "the engine has gone before it answered"},
	{context.Canceled, "the request was ended before the engine answered"},
	{engineapi.ErrNoRecord, "the run has no record: it was deleted, by a rule or by a person, or the run was interrupted"},
	{runner.ErrSessionOver, "the session is over"},
	{fs.ErrNotExist, "the record has no such part"},
}

// words are what a principal is told of an engine's error.
func words(err error) string {
	if errors.Is(err, runner.ErrInput) {
		return ofCaller(err.Error())
	}
	for _, one := range reasons {
		if errors.Is(err, one.is) {
			return one.words
		}
	}
	return inTheLog
}

// ofShell finds what only a user of the host's shell can do something with: a flag, or a command.
var ofShell = regexp.MustCompile("(?:^|[^A-Za-z0-9])(--[a-z])|[`\"(](runner [a-z])")

// quoted finds what a request names, as an engine's words repeat it: in quotes, and escaped. It is no
// word of the engine's, which has commands in quotes besides.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// ofCaller is what of an engine's text is for callers on a network. The engine has the same words
// for users of its host: of each line, what comes before the clause that names a flag or a command
// is true for both. It can only become shorter, whatever stands in it.
func ofCaller(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), runner.ErrInput.Error()+": ", "")
		own := quoted.ReplaceAllStringFunc(line, func(named string) string {
			if strings.HasPrefix(named, `"runner `) {
				return named
			}
			return strings.Repeat("x", len(named))
		})
		if found := ofShell.FindStringSubmatchIndex(own); found != nil {
			line = line[:lastClause(own[:max(found[2], found[4])])]
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// lastClause is where the last clause begins, or 0. A quote or a blank belongs to what follows.
func lastClause(text string) int {
	at := 0
	for _, between := range []string{": ", "; ", ", ", " ("} {
		at = max(at, strings.LastIndex(text, between))
	}
	return at
}
