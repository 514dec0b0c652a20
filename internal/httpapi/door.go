package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/admission"
	"hotcell/internal/budget"
)

// Options are what a Door is made of. All are required but Limits, whose zero fields stand
// for DefaultRoom, Hosts and Origins.
type Options struct {
	Backend       Backend
	Authenticator access.Authenticator
	Version       api.VersionInfo
	Logger        *slog.Logger
	Limits        Room
	Hosts         []string // names of loopback listeners beside localhost, as a proxy hands them on
	Origins       []string // of pages that may ask, as https://host[:port]
	// Observe hears of each request that was answered: its route's pattern, or "", and never its
	// path. It may be nil.
	Observe func(route string, status int, took time.Duration)
}

// Room is what callers can take of a Door. Of places, one principal has at most half.
type Room struct {
	BodyBytes   int64 // of one request
	BodiesBytes int64 // of all that are there at a time, until what they ask for has been answered, or made; three at least
	AnswerBytes int64 // of all that are written at a time, and have more than a few
	Requests    int   // at a time, without those that wait and streams
	Waits       int   // requests that wait for a run's end
	Streams     int   // of events
	Mounted     int   // requests of mounted handlers, at a time
	Connections int   // of one server; the next one is closed at once

	HeaderTime time.Duration // until a request's header is there
	BodyTime   time.Duration // until the next MiB of its body has come, or the last byte
	IdleTime   time.Duration // between two requests of a connection
	WriteTime  time.Duration // until a reader takes what one write has for it
	KeepAlive  time.Duration // between two signs of life of a stream in which nothing happens, and two looks at who asks
	EngineTime time.Duration // until an engine says what only its records have
	Unasked    time.Duration // for how long it may be that nobody can be asked who asks, before what is being answered ends
}

// DefaultRoom is for one host: each figure is far above what its runs need, and together they
// stay below a gigabyte. A body is there about six times until the engine has it: as it came, as
// what it says, as it is kept, and as it is sent.
func DefaultRoom() Room {
	return Room{
		BodyBytes: 8 << 20, BodiesBytes: 64 << 20, AnswerBytes: 128 << 20, Requests: 256, Waits: 512, Streams: 4096, Mounted: 64, Connections: 8192,
		HeaderTime: 10 * time.Second, BodyTime: 10 * time.Second, IdleTime: 2 * time.Minute, WriteTime: time.Minute,
		KeepAlive: 15 * time.Second, EngineTime: 30 * time.Second, Unasked: 5 * time.Minute,
	}
}

// orDefault puts the defaults where nothing is said.
func (l Room) orDefault() Room {
	d := DefaultRoom()
	l.BodyBytes = cmp.Or(l.BodyBytes, d.BodyBytes)
	l.BodiesBytes = cmp.Or(l.BodiesBytes, max(d.BodiesBytes, 3*l.BodyBytes)) // of which one owner may have one
	l.AnswerBytes = cmp.Or(l.AnswerBytes, d.AnswerBytes)
	l.Requests = cmp.Or(l.Requests, d.Requests)
	l.Waits = cmp.Or(l.Waits, d.Waits)
	l.Streams = cmp.Or(l.Streams, d.Streams)
	l.Mounted = cmp.Or(l.Mounted, d.Mounted)
	l.Connections = cmp.Or(l.Connections, d.Connections)
	l.HeaderTime = cmp.Or(l.HeaderTime, d.HeaderTime)
	l.BodyTime = cmp.Or(l.BodyTime, d.BodyTime)
	l.IdleTime = cmp.Or(l.IdleTime, d.IdleTime)
	l.WriteTime = cmp.Or(l.WriteTime, d.WriteTime)
	l.KeepAlive = cmp.Or(l.KeepAlive, d.KeepAlive)
	l.EngineTime = cmp.Or(l.EngineTime, d.EngineTime)
	l.Unasked = cmp.Or(l.Unasked, d.Unasked)
	return l
}

// Door answers requests. It is an http.Handler for servers that Server has made.
type Door struct {
	Options
	mux      *http.ServeMux
	document []byte // as JSON
	pages    pages

	requests, waits, streams, mounted *budget.Budget // places

	bodies            *budget.Budget // bytes
	texts             texts
	looking, fetching *admission.Gate // what may need a whole result: from memory, and from an engine

	long  longOnes
	lines *access.Lines
}

// New makes a Door, which begins nothing by itself.
func New(options Options) (*Door, error) {
	if options.Backend == nil || options.Authenticator == nil || options.Logger == nil || options.Version.Version == "" {
		return nil, errors.New("make the door of a service: a back end, an authenticator, a logger and a version are needed")
	}
	document, err := documentAsJSON()
	if err != nil {
		return nil, err
	}
	pages, err := newPages(options.Hosts, options.Origins)
	if err != nil {
		return nil, fmt.Errorf("make the door of a service: %w", err)
	}
	options.Limits = options.Limits.orDefault()
	l := options.Limits
	// Who is let wait has a place of another kind already.
	all := l.Requests + l.Waits + l.Streams
	looking, err := admission.New(admission.Options{Places: looks, Queue: all, Queues: all})
	if err != nil {
		return nil, err
	}
	fetching, err := admission.New(admission.Options{Places: looks, Queue: all, Queues: all, Shared: true})
	if err != nil {
		return nil, err
	}
	d := &Door{
		Options: options, mux: http.NewServeMux(), document: document, pages: pages,
		requests: budget.Shared(int64(l.Requests)), waits: budget.Shared(int64(l.Waits)), streams: budget.Shared(int64(l.Streams)),
		mounted: budget.Shared(int64(l.Mounted)), bodies: budget.Shared(l.BodiesBytes), texts: newTexts(l.AnswerBytes), looking: looking,
		fetching: fetching, lines: access.NewLines(),
	}
	for _, one := range routes() {
		d.mux.HandleFunc(one.pattern, one.handler)
	}
	return d, nil
}
