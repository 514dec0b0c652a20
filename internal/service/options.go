package service

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/service/store"
)

// Options is what a Broker needs.
type Options struct {
	Engine engineapi.Detached
	// Dir is its own directory, 0700, which is made where it is missing. Two services on one
	// are refused.
	Dir string
	// Quotas are a principal's, or nil where nothing bounds any. It must not wait.
	Quotas func(principal string) Quotas
	// MaxQueued is how many runs may wait together; 0 for DefaultMaxQueued.
	MaxQueued int
	// MaxQueuedBytes is how many bytes their requests may have; 0 for DefaultMaxQueuedBytes.
	MaxQueuedBytes int64
	Sessions       SessionLimits
	Boot           string           // names this start of the host; "" for the kernel's own word
	Now            func() time.Time // nil for the clock
	Logger         *slog.Logger     // nil for nobody
	// Ended hears of each run that has ended, with how long its parts took where that is known, and
	// of the Trace of its Creation.
	// It may be nil, and must not wait.
	Ended func(run api.Run, trace *job.Trace, parent string)
}

// Quotas bound one principal. What is not above zero bounds nothing; who runs a service says what is right for it.
type Quotas struct {
	Running             int   // given to the engine at a time, open sessions included
	Queued              int   // that wait
	QueuedBytes         int64 // of the requests of those
	CPUSecondsPerDay    int64 // of a day in UTC, by what ended runs and sessions have used
	RecordedBytesPerDay int64 // of a day in UTC, by what ended runs, sessions and steps have left
	RequestsPerMinute   int   // that create, check, open or step
	ReadsPerMinute      int   // all others
	Sessions            int   // open at a time
}

// SessionLimits bound all sessions.
type SessionLimits struct {
	Most  int           // open at a time, of all principals together; 0 for one less than the engine's places
	Idle  time.Duration // the most, and what a request gets that says nothing; 0 for DefaultIdle
	Total time.Duration // the same; 0 for DefaultTotal
}

// What an option of 0 stands for.
const (
	DefaultMaxQueued      = 100_000
	DefaultMaxQueuedBytes = 1 << 30
	DefaultIdle           = 15 * time.Minute
	DefaultTotal          = 8 * time.Hour
)

// ErrInUse is the error of CheckDir for a directory that another service has just now.
var ErrInUse = store.ErrInUse

// CheckDir says why a directory cannot be that of Options.Dir, with the way out, and makes nothing.
func CheckDir(dir string) error { return store.CheckDir(dir) }

func (o Options) check() (Options, error) {
	if o.Engine == nil || o.Dir == "" {
		return o, errors.New("new service: it needs an engine and a directory")
	}
	if min(o.MaxQueued, o.Sessions.Most) < 0 || o.MaxQueuedBytes < 0 || min(o.Sessions.Idle, o.Sessions.Total) < 0 {
		return o, errors.New("new service: a limit is below zero")
	}
	if o.Quotas == nil {
		o.Quotas = func(string) Quotas { return Quotas{} }
	}
	if o.MaxQueued == 0 {
		o.MaxQueued = DefaultMaxQueued
	}
	if o.MaxQueuedBytes == 0 {
		o.MaxQueuedBytes = DefaultMaxQueuedBytes
	}
	if o.Sessions.Idle == 0 {
		o.Sessions.Idle = DefaultIdle
	}
	if o.Sessions.Total == 0 {
		o.Sessions.Total = DefaultTotal
	}
	if o.Boot == "" {
		boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
		if err != nil {
			return o, fmt.Errorf("new service: when this host was started decides what may be given again: %w", err)
		}
		o.Boot = strings.TrimSpace(string(boot))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// Backlog is what a service has to do just now.
type Backlog struct {
	Queued   map[string]int // runs that wait, by policy
	Oldest   time.Duration  // how long the first of them has waited
	Running  int            // given to the engine
	Sessions int            // open
}
