package engineapi

import (
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"hotcell/api"
	"hotcell/internal/journal"
	"hotcell/internal/runner"
)

const (
	// joinFor is how long a piece of a stream waits for more: a script may write byte by byte,
	// and each event has a cost of its own.
	joinFor = 20 * time.Millisecond
	// joinBytes is when it waits no longer.
	joinBytes = 8 << 10
	// journalSlack is room for what is no stream, and for what JSON and many pieces add.
	journalSlack = 1 << 20
	// maxToolName is far above any tool's name, and below what a script may call one.
	maxToolName = 256
)

// scribe writes what a run tells into its journal. Pieces of the streams are joined, and what
// comes in an order is written in it.
type scribe struct {
	log *journal.Log

	mu     sync.Mutex
	kind   api.EventType // of text: stdout or stderr
	text   []byte        // that waits
	part   map[api.EventType][]byte
	timer  *time.Timer
	closed bool
}

func newScribe(log *journal.Log) *scribe {
	return &scribe{log: log, part: make(map[api.EventType][]byte)}
}

// events are what a runner tells.
func (s *scribe) events() runner.Events {
	return runner.Events{
		Phase: func(phase runner.Phase) {
			s.note(api.EventState, StateIn(phase))
		},
		ToolCall: func(name string) {
			s.note(api.EventToolCall, api.ToolCallEvent{Name: strings.ToValidUTF8(name[:min(len(name), maxToolName)], "\ufffd")})
		},
		Stdout: s.stream(api.EventStdout), Stderr: s.stream(api.EventStderr),
	}
}

// StateIn is how far a run is that an engine has: queued, while it waits in a queue of the engine's
// cluster, or running.
func StateIn(phase runner.Phase) api.StateEvent {
	if queue := phase.Queue(); queue != "" {
		return api.StateEvent{State: api.StateQueued, Queue: queue}
	}
	return api.StateEvent{State: api.StateRunning, Phase: string(phase)}
}

// note writes an event behind all that came before it.
func (s *scribe) note(kind api.EventType, data any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush()
	s.append(kind, data)
}

func (s *scribe) stream(kind api.EventType) io.Writer {
	return piece(func(chunk []byte) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.kind != kind {
			s.flush()
			s.kind, s.text = kind, append(s.text, s.part[kind]...)
			delete(s.part, kind)
		}
		s.text = append(s.text, chunk...)
		switch {
		case s.closed:
		case len(s.text) >= joinBytes:
			s.flush()
		case s.timer == nil:
			s.timer = time.AfterFunc(joinFor, func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.flush()
			})
		}
		return nil
	})
}

// flush writes the text that waits, but for a rune that has not come whole. mu is held.
func (s *scribe) flush() {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if s.kind == "" {
		return
	}
	whole := len(s.text) - torn(s.text)
	text, rest := s.text[:whole], s.text[whole:]
	if len(rest) > 0 {
		s.part[s.kind] = append([]byte(nil), rest...)
	}
	if len(text) > 0 {
		s.append(s.kind, api.TextEvent{Text: strings.ToValidUTF8(string(text), "\ufffd")})
	}
	s.kind, s.text = "", nil
}

// append writes an event. mu is held.
func (s *scribe) append(kind api.EventType, data any) {
	text, err := encode(data)
	if err != nil || s.closed {
		return // nothing of these shapes fails to encode
	}
	s.log.Append(kind, text[:len(text)-1])
}

// end writes what has come, whole or not, and nothing after it.
func (s *scribe) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush()
	for _, kind := range []api.EventType{api.EventStdout, api.EventStderr} {
		if len(s.part[kind]) > 0 {
			s.append(kind, api.TextEvent{Text: "\ufffd"})
		}
	}
	s.closed, s.part = true, nil
}

// torn is how many bytes at the end are the beginning of a rune that may still come whole.
func torn(text []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if last := text[len(text)-back:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return back
		}
	}
	return 0
}
