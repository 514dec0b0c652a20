package bundle

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"hotcell/internal/wire"
)

// maxTableName is the length of a table's name in bytes.
const maxTableName = 64

// scriptNames are what scripts call their modules and their own tables: one of the bundle
// under such a name would be gone with the script's first line.
var scriptNames = []string{"pd", "np", "plt", "sns", "df"}

// inputNames are what scripts find their inputs by, or answer with: the policies that have them
// could have no table of such a name, and which policy a bundle's runs will have nobody knows.
var inputNames = map[string]struct{ inputs, policy string }{
	"data":         {"data", "copilot-chart"},
	"context":      {"context", "workflow-step"},
	"final_answer": {"names", "interpreter"},
}

// tableNameProblem says why no DataFrame can have a name and what to do, or "".
func tableNameProblem(name string) string {
	switch {
	case len(name) > maxTableName:
		return fmt.Sprintf("the name of its table is longer than %d characters: rename the file", maxTableName)
	case !identifierPattern.MatchString(name):
		return "its table must be a Python name of ASCII letters, digits and underscores that begins with a letter"
	case wire.IsReserved(name):
		why := "is a word of Python or of every run"
		if of, is := inputNames[name]; is {
			why = fmt.Sprintf("means something else in runs of policies with \"inputs: %s\", such as %s", of.inputs, of.policy)
		}
		return fmt.Sprintf("its table would be called %q, which %s: rename the file, so that it is %q, for example", name, why, name+"_table")
	}
	return ""
}

// hiddenProblem says that scripts would hide a table of a name, or "".
func hiddenProblem(name string) string {
	if slices.Contains(scriptNames, name) {
		return fmt.Sprintf("its table would be called %q, which nearly every script means something else by: rename the file", name)
	}
	return ""
}

// reading is a table that is read while its bytes are written to it.
type reading struct {
	to   *io.PipeWriter
	done chan error
}

// read begins to read a table. Whoever calls it calls end.
func read(decode func(io.Reader) error) *reading {
	from, to := io.Pipe()
	begun := &reading{to: to, done: make(chan error, 1)}
	go func() {
		err := decode(from)
		from.CloseWithError(errRead)
		begun.done <- err
	}()
	return begun
}

// errRead ends the writing of what nobody reads any more.
var errRead = errors.New("the table has been read")

// Write implements io.Writer. It never fails: what is wrong is told at the end.
func (r *reading) Write(chunk []byte) (int, error) {
	_, _ = r.to.Write(chunk)
	return len(chunk), nil
}

// end is for after the last byte.
func (r *reading) end() error {
	_ = r.to.Close() // which never fails
	return <-r.done
}

// tableCheck holds a table to its schema while its bytes are written to it. Nothing of the
// data may be in what it says, only its place.
type tableCheck interface {
	io.Writer   // never fails
	end() error // after the last byte: a *table.FaultError, or another error
}

// anything is the check of a file that has no schema.
type anything struct{}

// Write implements io.Writer.
func (anything) Write(chunk []byte) (int, error) { return len(chunk), nil }
func (anything) end() error                      { return nil }
