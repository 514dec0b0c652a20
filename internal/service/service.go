// Package service keeps the runs that were asked for over the network: it makes them durable
// before it accepts them, has each begun at most once, is fair between principals, and keeps
// who follows a run informed.
//
// It has no rights on the host. What runs, and what is recorded, is with an engine process
// (internal/engineapi); its own database holds what has not begun, the keys of repeated
// requests, and an index, and can be lost. internal/httpapi puts it on the network.
package service

import (
	"errors"
	"fmt"
	"time"

	"hotcell/api"
)

// Errors of requests. Each may be shown to whoever asked.
var (
	ErrNotFound     = errors.New("there is no such thing") // wrapped by what says of which kind; also for those of others
	ErrKeyReused    = errors.New("the idempotency key was used for another request")
	ErrRefused      = errors.New("the request cannot be run")
	ErrQueueFull    = errors.New("the queue is full")
	ErrSessionsFull = errors.New("there are as many sessions as there may be")
	ErrDraining     = errors.New("the service ends, and takes no new request")
	ErrUnavailable  = errors.New("no engine answers")
	ErrStorage      = errors.New("the service cannot write to its disk")
	ErrCursor       = errors.New("the cursor is none of this list")
	ErrNotEnded     = errors.New("the run has not ended")
	ErrBusy         = errors.New("the session carries out another step")
	ErrClosed       = errors.New("the session is closed")
	ErrElsewhere    = errors.New("only its record has what is asked for") // with FromMemory alone
)

// Errors that wrap ErrNotFound.
var (
	ErrNoRun     = fmt.Errorf("%w: no run that you may see has this id", ErrNotFound)
	ErrNoSession = fmt.Errorf("%w: no session that you may see has this id", ErrNotFound)
	ErrNoStep    = fmt.Errorf("%w: the session has no step of this number", ErrNotFound)
	errNotYours  = fmt.Errorf("%w: this session is another principal's, who alone has steps carried out in it", ErrNotFound)
)

// QuotaError says which quota of a principal is used up, and when to try again.
type QuotaError struct {
	Quota string // running, queued, queued_bytes, cpu_seconds_per_day, recorded_bytes_per_day, requests_per_minute, reads_per_minute, sessions, parts_per_minute
	Limit int64  // or 0 for parts_per_minute, which the engine counts
	Used  int64
	After time.Duration
}

// Error implements error.
func (e *QuotaError) Error() string {
	if e.Limit == 0 {
		return fmt.Sprintf("the quota %s is used up", e.Quota)
	}
	used := fmt.Sprintf("the quota %s is used up: %d of %d", e.Quota, e.Used, e.Limit)
	if e.Quota == "sessions" {
		used += ", until one of them is closed"
	}
	return used
}

// Creation is a run that is asked for.
type Creation struct {
	Key     string // of the Idempotency-Key header, or ""
	Request api.CreateRun
	// Trace is the traceparent of whoever asks, or "". It is handed to Ended, and not kept over a
	// restart.
	Trace string
}

// Filter narrows a list of runs. Zero fields narrow nothing.
type Filter struct {
	Status api.State
	Policy string
	Since  time.Time
	Limit  int    // of one page
	Cursor string // of the page before, or ""
}
