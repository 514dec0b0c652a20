// Package journal keeps the events of one run for all who follow it: each reads at its own
// pace, from any number on, and a slow one holds up nobody.
//
// It knows no connection and writes no file. An engine process has one for each run that was
// given to it with an id, a service one for each run that somebody may follow.
package journal

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"hotcell/api"
)

// ErrEnded is Next's error after the last event.
var ErrEnded = errors.New("no event follows")

// Log is the events of one run. Its methods may be called concurrently.
type Log struct {
	most int64 // bytes

	mu      sync.Mutex
	events  []api.Event // by Seq, without holes
	bytes   int64       // of their data
	next    int64       // the Seq of the one that comes
	ended   bool
	changed chan struct{} // closed, and made anew, by each change
	over    chan struct{} // closed by End
}

// New makes a Log that keeps at most so many bytes of events: the oldest are forgotten.
func New(most int64) *Log {
	return &Log{most: most, next: 1, changed: make(chan struct{}), over: make(chan struct{})}
}

// Append gives the event its number, and returns it. After End it does nothing, and returns 0.
func (l *Log) Append(kind api.EventType, data []byte) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return 0
	}
	l.put(api.Event{Seq: l.next, Type: kind, Data: data})
	return l.next - 1
}

// Resume continues behind an event of another Log, whose events up to there are not here.
// It is called before the first Append.
func (l *Log) Resume(after int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next = max(l.next, after+1)
}

// put keeps an event. mu is held.
func (l *Log) put(event api.Event) {
	l.events, l.bytes, l.next = append(l.events, event), l.bytes+size(event), event.Seq+1
	gone := 0
	for l.bytes > l.most && gone < len(l.events)-1 { // the newest one stays
		l.bytes -= size(l.events[gone])
		gone++
	}
	l.events = slices.Delete(l.events, 0, gone)
	l.tell()
}

// size is what an event costs: its data, and some of its own.
func size(event api.Event) int64 { return int64(len(event.Data)) + 64 }

// tell wakes all who wait. mu is held.
func (l *Log) tell() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// End says that no event follows. Idempotent.
func (l *Log) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.ended = true
		close(l.over)
		l.tell()
	}
}

// Last is the number of the newest event, or 0.
func (l *Log) Last() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next - 1
}

// Bytes is what is kept.
func (l *Log) Bytes() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}

// Page is what follows an event. A gap says that some of it is not kept any more.
type Page struct {
	Gap    *api.GapEvent
	Events []api.Event // not to be changed
	bytes  int64
}

// pageBytes is what a page has at most, unless it is one event: a reader has it for as long as it
// likes, also after it is forgotten here.
const pageBytes = 16 << 10

// Next waits for events after a number, and returns the first of those that there are. Behind the end its
// error is ErrEnded, and ctx's cause when that ends first. A number above the newest one is
// taken for the newest: its log has begun anew.
func (l *Log) Next(ctx context.Context, after int64) (Page, error) {
	for {
		page, changed, ended := l.page(after)
		switch {
		case page.Gap != nil || len(page.Events) > 0:
			return page, nil
		case ended:
			return Page{}, ErrEnded
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Page{}, context.Cause(ctx)
		}
	}
}

// Joined is Next with what comes within so long after the first event, or until the log ends; half a page
// that is there waits for nothing. Who reads each event of what takes milliseconds is woken by each.
func (l *Log) Joined(ctx context.Context, after int64, within time.Duration) (Page, error) {
	page, err := l.Next(ctx, after)
	if err != nil || page.Gap != nil || page.bytes > pageBytes/2 {
		return page, err
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-l.over:
	case <-timer.C:
	case <-ctx.Done():
	}
	return l.Next(ctx, after)
}

// page is what there is after a number just now.
func (l *Log) page(after int64) (page Page, changed <-chan struct{}, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	after = min(max(after, 0), l.next-1)
	first := l.next - int64(len(l.events))
	if after < first-1 {
		page.Gap = &api.GapEvent{From: after + 1, To: first - 1}
		after = first - 1
	}
	rest, upTo := l.events[after-first+1:], 0
	for upTo < len(rest) && (upTo == 0 || page.bytes+size(rest[upTo]) <= pageBytes) {
		page.bytes += size(rest[upTo])
		upTo++
	}
	page.Events = slices.Clone(rest[:upTo])
	return page, l.changed, l.ended
}
