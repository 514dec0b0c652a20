package mcpserver

import (
	"context"
	"errors"
	"sync"

	"hotcell/internal/job"
)

// maxHeld bounds what a process has given out and not ended, and maxKnown what it remembers of
// ids. A service's quotas are far below.
const (
	maxHeld  = 1_000
	maxKnown = 100_000
)

// held is what ends with the process that asked for it: runs without a key of their caller's,
// and sessions. It knows, too, which ids the process has given out.
type held struct {
	mu       sync.Mutex
	runs     map[job.ID]bool
	sessions map[job.ID]bool
	known    map[job.ID]bool
}

func newHeld() *held {
	return &held{runs: map[job.ID]bool{}, sessions: map[job.ID]bool{}, known: map[job.ID]bool{}}
}

// room fails where no more can be held: what is forgotten would not be ended.
func (h *held) room() error {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.runs)+len(h.sessions) >= maxHeld || len(h.known) >= maxKnown {
		return refused("too many runs and sessions: wait for some of them, or close them")
	}
	return nil
}

func (h *held) run(id job.ID, ours bool) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known[id] = true
	if ours {
		h.runs[id] = true
	}
}

func (h *held) session(id job.ID) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known[id], h.sessions[id] = true, true
}

// over says that there is nothing left to end.
func (h *held) over(id job.ID) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.runs, id)
	delete(h.sessions, id)
}

// knows reports whether this process has given an id out. Where callers are many, the service
// knows what is whose.
func (h *held) knows(id job.ID) bool {
	if h == nil {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.known[id]
}

// end cancels the runs and closes the sessions.
func (h *held) end(ctx context.Context, backend Backend) error {
	h.mu.Lock()
	runs, sessions := h.runs, h.sessions
	h.runs, h.sessions = map[job.ID]bool{}, map[job.ID]bool{}
	h.mu.Unlock()
	var faults []error
	for id := range runs {
		faults = append(faults, backend.Cancel(ctx, id))
	}
	for id := range sessions {
		_, err := backend.CloseSession(ctx, id)
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}
