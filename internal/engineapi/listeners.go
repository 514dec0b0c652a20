package engineapi

import (
	"errors"
	"io"
	"sync"

	"hotcell/internal/runner"
)

// listeners tell what comes of a run to those who asked to hear it. One that fails gets
// no more, as in a run in this process.
type listeners struct {
	events runner.Events

	mu             sync.Mutex
	stdout, stderr error // why they get no more
}

func newListeners(events runner.Events) *listeners { return &listeners{events: events} }

func (l *listeners) tell(next line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if next.Phase != nil && l.events.Phase != nil {
		l.events.Phase(*next.Phase)
	}
	write(l.events.Stdout, next.Stdout, &l.stdout)
	write(l.events.Stderr, next.Stderr, &l.stderr)
	var ignored error // who shows what tools print is no part of the answer
	write(l.events.ToolStderr, next.ToolStderr, &ignored)
}

func write(to io.Writer, chunk []byte, failed *error) {
	if to != nil && len(chunk) > 0 && *failed == nil {
		_, *failed = to.Write(chunk)
	}
}

// lost is why not everything was heard since the last call.
func (l *listeners) lost() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := errors.Join(l.stdout, l.stderr)
	l.stdout, l.stderr = nil, nil
	return err
}
