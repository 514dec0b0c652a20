package engineapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hotcell/api"
	"hotcell/internal/budget"
	"hotcell/internal/job"
)

// frontPath is where what a front may ask for stands: another version's does not stand there.
func frontPath(name string) string { return "/front/" + strconv.Itoa(Protocol) + "/" + name }

// maxQuestion is above any question that has no code.
const maxQuestion = 64 << 10

// given is a request of one of a front's principals: a run, or the first line of a session.
type given struct {
	ID        job.ID    `json:"id,omitzero"` // absent where nothing is made
	Principal Principal `json:"principal"`
	Request   request   `json:"request"`

	share *budget.Share // of what the front has in hand
}

// question is what else a front asks. Each kind has members of its own.
type question struct {
	ID        job.ID    `json:"id,omitzero"`
	After     int64     `json:"after,omitzero"`
	Cursor    string    `json:"cursor,omitzero"`
	Most      int       `json:"most,omitzero"`
	Principal Principal `json:"principal,omitzero"`
	Name      string    `json:"name,omitzero"` // of a policy, a bundle, or a part of a record
}

// nothing is the answer to what is done or refused.
type nothing struct{}

// told is the one line that answers a question.
type told[A any] struct {
	Value A      `json:"value"`
	Error *fault `json:"error,omitempty"`
}

// fated is an Outcome. Its answer was encoded when the run ended.
type fated[A any] struct {
	Fate   Fate `json:"fate"`
	Answer A    `json:"answer,omitzero"` // with FateEnded
}

// outcomeOf is what it says.
func outcomeOf(f fated[*answer]) (Outcome, error) {
	switch {
	case f.Fate != FateEnded:
		return Outcome{Fate: f.Fate}, nil
	case f.Answer == nil:
		return Outcome{}, ErrMalformed
	}
	said, failed := f.Answer.response()
	if errors.Is(failed, ErrMalformed) && f.Answer.Error == nil {
		return Outcome{}, failed
	}
	return Outcome{FateEnded, said, failed}, nil
}

// listed is a page of recorded runs.
type listed struct {
	Runs []Recorded `json:"runs"`
	Next string     `json:"next"`
}

// followed is a line of a stream of events. One member is there.
type followed[A any] struct {
	Event *api.Event `json:"event,omitempty"`
	End   *ending[A] `json:"end,omitempty"` // the last line
}

// ending is why no event follows: none will, or the error.
type ending[A any] struct {
	Outcome *fated[A] `json:"outcome,omitempty"` // where it is at hand, and small
	Error   *fault    `json:"error,omitempty"`
}

// maxPrincipal is what the audit chain has room for.
const maxPrincipal = 256

// check refuses a name that the audit chain could not have as it is: two that are cut, or
// in which something is replaced, would be one there.
func (p Principal) check() error {
	name := string(p)
	printable := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	if name == "" || len(name) > maxPrincipal || !utf8.ValidString(name) || !printable || strings.Join(strings.Fields(name), " ") != name {
		return fmt.Errorf("%w: a principal's name has 1 to %d bytes that can be printed, in one line", ErrMalformed, maxPrincipal)
	}
	return nil
}

// errNoID is the error for a run that is to be known by an id, and has none.
var errNoID = fmt.Errorf("%w: it names no run", ErrMalformed)

// sealed is an answer as it is kept, and sent.
func sealed(said *answer) (json.RawMessage, error) {
	text, err := encode(said)
	if err != nil {
		return nil, errors.Join(errors.New("keep answer"), err)
	}
	return text, nil
}
