package httpapi

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"hotcell/api"
	"hotcell/internal/access"
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
	BodiesBytes int64 // of all that are read at a time
	Requests    int   // at a time, without those that wait and streams
	Waits       int   // requests that wait for a run's end
	Streams     int   // of events
	Mounted     int   // requests of mounted handlers, at a time
	Connections int   // of one server; the next one is closed at once

	HeaderTime time.Duration // until a request's header is there
	BodyTime   time.Duration // until its body is, and as much again for each MiB
	IdleTime   time.Duration // between two requests of a connection
	WriteTime  time.Duration // until a reader takes what one write has for it
	KeepAlive  time.Duration // between two signs of life of a stream in which nothing happens
}

// DefaultRoom is for one host: each figure is far above what its runs need, and together they
// stay below a gigabyte.
func DefaultRoom() Room {
	return Room{
		BodyBytes: 8 << 20, BodiesBytes: 256 << 20, Requests: 256, Waits: 512, Streams: 4096, Mounted: 64, Connections: 8192,
		HeaderTime: 10 * time.Second, BodyTime: 10 * time.Second, IdleTime: 2 * time.Minute, WriteTime: time.Minute,
		KeepAlive: 15 * time.Second,
	}
}

// orDefault puts the defaults where nothing is said.
func (l Room) orDefault() Room {
	d := DefaultRoom()
	fill(&l.BodyBytes, d.BodyBytes)
	fill(&l.BodiesBytes, d.BodiesBytes)
	fill(&l.Requests, d.Requests)
	fill(&l.Waits, d.Waits)
	fill(&l.Streams, d.Streams)
	fill(&l.Mounted, d.Mounted)
	fill(&l.Connections, d.Connections)
	fill(&l.HeaderTime, d.HeaderTime)
	fill(&l.BodyTime, d.BodyTime)
	fill(&l.IdleTime, d.IdleTime)
	fill(&l.WriteTime, d.WriteTime)
	fill(&l.KeepAlive, d.KeepAlive)
	return l
}

func fill[T int | int64 | time.Duration](field *T, with T) {
	if *field <= 0 {
		*field = with
	}
}

// Door answers requests. It is an http.Handler for servers that Server has made.
type Door struct {
	Options
	mux      *http.ServeMux
	document []byte // as JSON
	pages    pages

	requests, waits, streams, mounted *places

	bodies *places // by bytes
	long   longOnes
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
	d := &Door{
		Options: options, mux: http.NewServeMux(), document: document, pages: pages,
		requests: newPlaces(int64(l.Requests)), waits: newPlaces(int64(l.Waits)), streams: newPlaces(int64(l.Streams)),
		mounted: newPlaces(int64(l.Mounted)), bodies: newPlaces(l.BodiesBytes),
	}
	for _, one := range routes() {
		d.mux.HandleFunc(one.pattern, one.handler)
	}
	return d, nil
}
