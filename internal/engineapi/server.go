package engineapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"

	"hotcell/internal/admission"
	"hotcell/internal/budget"
	"hotcell/internal/runner"
)

// Options is what a Server needs. Every field is required but Front.
type Options struct {
	Service Service
	Gate    *admission.Gate
	// Sessions is what sessions go through before Gate: those that nobody uses must not have
	// every place.
	Sessions *admission.Gate
	// Requests is how many are read or wait at a time, those that run included. More are
	// refused before they are read. A front has as many of its own.
	Requests int
	// Caller names the user at the other end, and decides about their rights.
	Caller func(uid uint32) runner.Caller
	// About is what listens. Draining and Signer are filled in.
	About Description
	// Signer tells the digest of the key that signs at the moment, or "".
	Signer func() string
	// Templates tells what is ready, and how many bytes that may hold.
	Templates func() ([]Kind, int64)
	// RemovalsFailed is as Overview's.
	RemovalsFailed func() int64
	Logger         *slog.Logger
	// Front is nil where no front may ask.
	Front *FrontOptions
}

// Server answers requests until it is drained.
type Server struct {
	options  Options
	http     *http.Server
	requests places // has one for each that is in hand
	unread   unread
	draining <-chan struct{}
	drain    context.CancelFunc
	all      context.Context // of all requests: cancel ends it
	cancel   context.CancelFunc
	front    *front // or nil
}

// NewServer checks the options.
func NewServer(options Options) (*Server, error) {
	if options.Service == nil || options.Gate == nil || options.Sessions == nil || options.Requests < 1 || options.Caller == nil || options.Signer == nil || options.Templates == nil || options.RemovalsFailed == nil || options.Logger == nil || options.About.Version == "" {
		return nil, errors.New("new server: an option is missing")
	}
	options.About.Protocol = Protocol
	all, cancel := context.WithCancel(context.Background())
	drained, drain := context.WithCancel(context.Background())
	s := &Server{
		options: options, requests: make(places, options.Requests),
		draining: drained.Done(), drain: drain, all: all, cancel: cancel,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/engine", tell(func() any { return s.describe() }))
	mux.HandleFunc("GET /v1/status", tell(func() any { return s.status() }))
	mux.HandleFunc("POST /v1/run", s.oneLine(s.run))
	mux.HandleFunc("POST /v1/check", s.oneLine(func(ctx context.Context, ask runner.Ask) *answer { return s.check(ctx, ask, inside()) }))
	mux.HandleFunc("POST /v1/session", s.inHand(inside(), s.requests, s.session))
	s.http = s.newHTTP(mux)
	if options.Front == nil {
		return s, nil
	}
	var err error
	s.front, err = newFront(s, *options.Front)
	return s, err
}

func (s *Server) newHTTP(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: patience, IdleTimeout: patience, MaxHeaderBytes: 16 << 10,
		BaseContext:                  func(net.Listener) context.Context { return s.all },
		ConnContext:                  withPeer,
		ErrorLog:                     slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true,
	}
}

// Serve answers until End, and closes the listener.
func (s *Server) Serve(listener net.Listener) error { return serve(s.http, listener) }

// ServeFront is Serve for the front's listener.
func (s *Server) ServeFront(listener net.Listener) error {
	return serve(s.front.http, onlyFrom(listener, s.front.options.UID, s.front.options.Apart, s.options.Logger))
}

func serve(server *http.Server, listener net.Listener) error {
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve requests: %w", err)
	}
	return nil
}

// Drain refuses new requests, and those that wait. The channel is closed when no request
// is carried out any more; its answer may still be on the way. Idempotent.
func (s *Server) Drain() <-chan struct{} {
	s.drain()
	if s.front != nil {
		for _, offered := range s.front.runs.drain() {
			s.front.dismiss(offered)
		}
		s.front.turns.drain()
	}
	s.options.Sessions.Drain()
	return s.options.Gate.Drain()
}

// Cancel cancels all requests, as if their callers had.
func (s *Server) Cancel() { s.cancel() }

// End waits until all answers are written, at most until ctx ends, and stops Serve.
func (s *Server) End(ctx context.Context) error {
	defer s.cancel()
	if s.front == nil {
		s.unread.end()
		return shutdown(ctx, s.http)
	}
	s.front.runs.wait(ctx) // no run of it has a place any more: what is left is to keep its answer
	s.unread.end()
	if err := shutdown(ctx, s.front.http); err != nil { // its answers are kept, or in records: it is not waited for
		s.options.Logger.Warn("a front does not take its answers, and its connections are closed", "reason", err)
	}
	return shutdown(ctx, s.http)
}

func shutdown(ctx context.Context, server *http.Server) error {
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("end connections: %w", err), server.Close())
	}
	return nil
}

func (s *Server) describe() Description {
	about := s.options.About
	about.Signer = s.options.Signer()
	select {
	case <-s.draining:
		about.Draining = true
	default:
	}
	return about
}

func (s *Server) status() Overview {
	running, waiting := s.options.Gate.Load()
	_, sessions := s.options.Sessions.Load()
	waiting += sessions
	if s.front != nil {
		waiting += s.front.turns.waiting()
	}
	templates, most := s.options.Templates()
	return Overview{
		Engine: s.describe(), Running: running, Waiting: waiting, RemovalsFailed: s.options.RemovalsFailed(),
		Templates: templates, TemplatesBytes: most,
	}
}

// tell answers a question that waits for nothing.
func tell(what func() any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		text, err := encode(what())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(text) // who does not take it asks again
	}
}

// received is a request in hand.
type received struct {
	body   *bufio.Reader
	stream *stream
	asked  request
	ask    runner.Ask
	share  *budget.Share // of what a front may have in hand, or nil
}

// oneLine serves requests of one line. The last line of the answer is written when the
// place is free again.
func (s *Server) oneLine(work func(context.Context, runner.Ask) *answer) http.HandlerFunc {
	return s.inHand(inside(), s.requests, func(r *http.Request, in *received) (last *answer, err error) {
		if err := s.read(r, in); err != nil {
			return nil, err
		}
		// The body has been read to its end: from now on the end of the connection ends ctx.
		err = s.options.Gate.Do(r.Context(), in.ask.Caller.Name, func(ctx context.Context) error {
			last = work(ctx, in.ask)
			return nil
		})
		return last, err
	})
}

// inHand bounds how many requests are in hand, and writes the last line.
func (s *Server) inHand(to audience, places places, serve func(*http.Request, *received) (*answer, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		in := &received{body: bufio.NewReaderSize(r.Body, 64<<10), stream: s.newStream(w, to)}
		say := func(last *answer, err error) {
			if err != nil {
				last = &answer{Error: to.fault(err)}
			}
			if err := in.stream.send(line{Final: last}); err != nil {
				s.options.Logger.Warn("a caller did not take its answer", "request", r.URL.Path, "reason", err)
			}
		}
		if err := places.take(); err != nil {
			say(nil, err)
			return
		}
		defer places.leave()
		say(serve(r, in))
	}
}

// places are of those that are in hand. There is no waiting for one.
type places chan struct{}

func (p places) take() error {
	select {
	case p <- struct{}{}:
		return nil
	default:
		return fmt.Errorf("%w: try again later", admission.ErrFull)
	}
}

func (p places) leave() { <-p }

// read takes the whole body, which is one line.
func (s *Server) read(r *http.Request, in *received) error {
	return in.stream.soon(func() error {
		if err := s.readFirst(r, in); err != nil {
			return err
		}
		return atEnd(in.body)
	})
}

// atEnd refuses what follows the one line of a request.
func atEnd(body *bufio.Reader) error {
	if _, err := body.ReadByte(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("read request: %w: there is more than one line", ErrMalformed)
	}
	return nil
}

// readFirst takes the request from the first line of the body.
func (s *Server) readFirst(r *http.Request, in *received) error {
	if err := decodeFirst(in, &in.asked); err != nil {
		return err
	}
	in.ask = runner.Ask{Caller: s.callerOf(r), Request: in.asked.job(), Events: in.stream.events(in.asked)}
	return nil
}

func decodeFirst(in *received, into any) error {
	err := bounds{most: maxRequest, share: in.share, times: 1}.decode(in.body, into)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return context.Canceled // by its caller, who is going
	case errors.Is(err, io.EOF):
		return fmt.Errorf("read request: %w: there is none", ErrMalformed)
	case err != nil:
		return fmt.Errorf("read request: %w", err)
	default:
		return nil
	}
}

// callerOf is decided by who is at the other end of the connection.
func (s *Server) callerOf(r *http.Request) runner.Caller {
	uid, known := peerOf(r.Context())
	if !known {
		return runner.Caller{}
	}
	return s.options.Caller(uid)
}

func (s *Server) run(ctx context.Context, ask runner.Ask) *answer {
	return inside().answer(s.options.Service.Run(ctx, ask))
}

func (s *Server) check(ctx context.Context, ask runner.Ask, to audience) *answer {
	found, err := s.options.Service.Check(ctx, ask)
	if err != nil {
		return &answer{Error: to.fault(err)}
	}
	return &answer{Check: &checked{found.Violations, found.Policy, found.PolicySHA256}}
}
