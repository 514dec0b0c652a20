// Package engineapi is how a process asks a long-lived one for runs: HTTP/1.1 over a unix
// socket in the state directory, with strict JSON both ways.
//
//	GET  /v1/engine   what listens: a Description
//	GET  /v1/status   what it does just now: an Overview
//	POST /v1/run      a request; the answer is a stream of lines
//	POST /v1/check    the same, and nothing of it runs
//	POST /v1/session  a stream of lines both ways: the request, then one step after the other
//
// Each line of an answer is one JSON object with one member: a phase, a piece of a stream,
// or, as the last line, what became of the request. A caller cancels by ending its half of
// the connection, and still gets the answer; one that is gone has cancelled, too. A session
// ends in order with the body of its request, and is cancelled with its connection. Nothing
// is ever asked twice: code may have begun.
//
// A second socket is for a front (runner serve): a process of another user, which has no
// rights and asks for principals of its own. There each question is a POST below /front, with
// the version in its path, and one line is the answer; a stream of events, a session and a
// part of a record have more. A run that is given there has an id, and goes on whatever
// becomes of the connection: see Detached, which Front implements.
//
// Who asks is decided by the kernel's word on the peer (SO_PEERCRED), never by a request. Of a
// front that is all that is believed, but for its principals' names.
// The package knows no command line, prints nothing, and makes no engine. cmd/runner is
// both ends of it.
package engineapi

import (
	"context"

	"hotcell/internal/digest"
	"hotcell/internal/runner"
)

// Service carries out requests: in this process (Local), or in another (Client).
type Service interface {
	// Run is as runner.Runner's.
	Run(ctx context.Context, ask runner.Ask) (runner.Response, error)
	// Check is as runner.Runner's.
	Check(ctx context.Context, ask runner.Ask) (runner.Checked, error)
	// OpenSession is as runner.Runner's.
	OpenSession(ctx context.Context, ask runner.Ask) (Session, error)
}

// Session is as runner.Session.
type Session interface {
	// About is as runner.Session's.
	About() runner.About
	// Step is as runner.Session's.
	Step(ctx context.Context, script runner.Script) (runner.Response, error)
	// Form is as runner.Session's.
	Form(ctx context.Context, text []byte) runner.Form
	// Close is as runner.Session's.
	Close(ctx context.Context) (runner.Response, error)
	// Prepared is closed when all is ready for the first step. Where that failed, Done is.
	Prepared() <-chan struct{}
	// Done is closed when no step can follow any more.
	Done() <-chan struct{}
	// Over says why no step may follow, or "" while one may.
	Over() string
}

// Local is a Runner as a Service.
type Local struct{ *runner.Runner }

// OpenSession implements Service.
func (l Local) OpenSession(ctx context.Context, ask runner.Ask) (Session, error) {
	session, err := l.Runner.OpenSession(ctx, ask)
	if err != nil {
		return nil, err // not a session that is nil
	}
	return session, nil
}

// Description is what a caller has to know before it asks for anything.
type Description struct {
	Protocol int    `json:"protocol"` // of this package
	Version  string `json:"version"`  // of the runner: another one's requests may mean something else
	Engine   string `json:"engine"`   // by its name: oci or docker
	Daemon   string `json:"daemon"`   // where that engine asks for containers, or "" where it needs none
	Places   int    `json:"places"`   // how many runs there may be at a time
	Signer   string `json:"signer"`   // the digest of the public key of what signs, or "" where nothing does
	Draining bool   `json:"draining"` // it ends, and takes no new requests
}

// Overview is what an engine does just now.
type Overview struct {
	Engine  Description `json:"engine"`
	Running int         `json:"running"` // requests that have a place; an open session has one
	Waiting int         `json:"waiting"` // requests that wait for a place
	// RemovalsFailed is how many sandboxes could not be removed whose runs had been answered.
	RemovalsFailed int64  `json:"removals_failed"`
	Templates      []Kind `json:"templates"`
	// TemplatesBytes is what templates may hold together, or 0 where none is kept.
	TemplatesBytes int64 `json:"templates_memory_bytes"`
}

// Kind is what is ready for one kind of request.
type Kind struct {
	For         string        `json:"for"` // POLICY or POLICY:BUNDLE
	Runtime     string        `json:"runtime"`
	Image       digest.Digest `json:"image"`
	Bundle      digest.Digest `json:"bundle"` // or ""
	Ready       int           `json:"ready"`  // sandboxes that wait
	Made        int           `json:"made"`   // sandboxes so far
	AgeMS       int64         `json:"age_ms"` // 0 while it is being prepared
	MemoryBytes int64         `json:"memory_bytes"`
	Failure     string        `json:"failure"` // why there is none, or ""
}

// Protocol counts the versions of what is written on the socket.
const Protocol = 12
