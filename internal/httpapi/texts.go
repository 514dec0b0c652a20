package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"hotcell/api"
	"hotcell/internal/admission"
	"hotcell/internal/budget"
	"hotcell/internal/job"
	"hotcell/internal/service"
	"hotcell/internal/strictjson"
)

// looks is how many results are encoded at a time that are in memory, and how many are fetched: each may
// be there several times meanwhile. Principals take turns.
const looks = 4

// smallText is what has no place among answers: that of its request, or stream, is enough.
const smallText = 16 << 10

// texts are the answers and events that are being written, for as long as that takes: a reader may
// take them as slowly as it likes. What many read is there once.
type texts struct {
	bytes *budget.Budget

	mu   *sync.Mutex
	held map[string]*text
}

func newTexts(most int64) texts {
	return texts{bytes: budget.Shared(most), mu: new(sync.Mutex), held: map[string]*text{}}
}

// text is JSON of one line. Each who writes it frees it.
type text struct {
	of    texts
	name  string // "" for one that nobody else has
	line  []byte
	share *budget.Share
	users int // guarded by of.mu
}

// find is the text of a name that is being written already, or nil.
func (t texts) find(name string) *text {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := t.held[name]
	if found != nil {
		found.users++
	}
	return found
}

// hold keeps a line for an owner, or says that there is no place for it. One of the same name is
// taken in its stead: it is the same.
func (t texts) hold(owner, name string, line []byte) (*text, error) {
	if len(line) <= smallText {
		return &text{line: line}, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if found := t.held[name]; found != nil {
		found.users++
		return found, nil
	}
	size := int64(cap(line))
	if size > t.bytes.Each() {
		const way = "the answer has more than the %d bytes that one principal's answers may have together: read the record (GET /v1/runs/{id}/record)"
		return nil, refuse(wordOverload, fmt.Sprintf(way, t.bytes.Each()))
	}
	share, ok := t.bytes.Take(owner, size)
	if !ok {
		return nil, busy("bytes of answers")
	}
	made := &text{of: t, name: name, line: line, share: share, users: 1}
	if name != "" {
		t.held[name] = made
	}
	return made, nil
}

// free is called by each who has it, once.
func (t *text) free() {
	if t.share == nil {
		return
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	if t.users--; t.users > 0 {
		return
	}
	t.share.Free()
	if t.name != "" {
		delete(t.of.held, t.name)
	}
}

// find asks the back end for something, as its methods do.
type find func(ctx context.Context) (any, error)

// inTurn has something found that may be large, and used, when its turn comes. What only an engine has
// takes turns of its own, and not without end: an engine that hangs holds up nobody who needs nothing
// of it.
func (c *call) inTurn(look find, use func(value any) error) error {
	turn := func(ctx context.Context) error {
		value, err := look(ctx)
		if err != nil {
			return err
		}
		return use(value)
	}
	err := c.door.looking.Do(service.FromMemory(c.r.Context()), c.by.Name, turn)
	if errors.Is(err, service.ErrElsewhere) {
		slow := &problem{word: wordUnavailable, detail: "the engine does not answer", after: patience, cause: errors.New("the engine does not say what its records have")}
		ctx, cancel := context.WithTimeoutCause(c.r.Context(), c.door.Limits.EngineTime, slow)
		defer cancel()
		err = c.door.fetching.Do(ctx, c.by.Name, turn)
	}
	if errors.Is(err, admission.ErrFull) {
		err = busy("answers")
	}
	return err
}

// look finds what may be large, and encodes it. Whoever has the text frees it.
func (c *call) look(at find) (found *text, err error) {
	err = c.inTurn(at, func(value any) error {
		name := nameOf(value)
		if found = c.door.texts.find(name); found != nil {
			return nil
		}
		line, err := encoded(value)
		if err != nil {
			return err
		}
		found, err = c.door.texts.hold(c.by.Name, name, line)
		return err
	})
	return found, err
}

// tell answers with what look finds.
func (c *call) tell(status int, at find) error {
	found, err := c.look(at)
	if err != nil {
		return err
	}
	defer found.free()
	return c.text(status, "application/json", found.line)
}

// ofSession is a step, which does not say itself of which session it is.
type ofSession struct {
	id   job.ID
	step api.Step
}

// nameOf names what does not change any more, or is "".
func nameOf(value any) string {
	switch value := value.(type) {
	case api.Run:
		if value.Ended() {
			return "runs/" + value.RunID.String()
		}
	case api.Session:
		if value.Status == api.SessionClosed {
			return "sessions/" + value.SessionID.String()
		}
	case ofSession:
		if stepEnded(value.step) {
			return fmt.Sprintf("sessions/%s/steps/%d", value.id, value.step.Number)
		}
	}
	return ""
}

// encoded is a value as a line. What came out of a sandbox may be no UTF-8.
func encoded(value any) ([]byte, error) {
	if step, ok := value.(ofSession); ok {
		value = step.step
	}
	var to bytes.Buffer
	if err := (strictjson.Form{Lenient: true}).Write(&to, value); err != nil {
		return nil, fmt.Errorf("encode an answer: %w", err)
	}
	to.WriteByte('\n')
	if line := to.Bytes(); cap(line)/8 <= len(line)/7 {
		return line, nil
	}
	return bytes.Clone(to.Bytes()), nil // it may be kept for long, and half of it would be nothing
}
