package httpapi

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"time"

	"hotcell/internal/access"
	"hotcell/internal/budget"
	"hotcell/internal/panics"
)

// call is one request while it is answered.
type call struct {
	door     *Door
	w        *writer
	r        *http.Request
	id       string           // of the request
	by       access.Principal // nobody where none is needed
	route    string           // its pattern: the path itself has names of files
	run      string           // its id, for the log
	places   *budget.Budget   // of requests such as this one
	place    *budget.Share    // of the request, or nil
	held     *budget.Share    // of its body, or nil
	standing *standing        // what asks again who asks, or nil

	outcome error // of the route, through the mux
}

type callKey struct{}

// saneID is what a caller may name a request by, in our log too.
var saneID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// ServeHTTP implements http.Handler.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	c := &call{door: d, w: newWriter(w, d.Limits.WriteTime), id: rand.Text()}
	if given := r.Header.Values("X-Request-ID"); len(given) == 1 && saneID.MatchString(given[0]) {
		c.id = given[0]
	}
	c.r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	err := panics.Catch("answering a request", c.answer)
	c.place.Free()
	c.held.Free()
	// Behind the log, which tells a caller's end from our faults.
	defer func() { c.standing.stop() }()
	if fallen := c.fallen(); fallen != nil && c.w.status == 0 { //nolint:contextcheck // the call has its own
		err, c.w.fallen = fallen, func() error { return nil } // of that they are told
	}
	broken := err != nil && c.w.status != 0
	if err != nil && !broken {
		c.fail(err)
	}
	took := time.Since(began)
	c.log(took, err) //nolint:contextcheck // the call has its own
	if d.Observe != nil {
		d.Observe(c.route, c.w.status, took)
	}
	if broken { // what has been written is not the whole, and the caller has to see that
		panic(http.ErrAbortHandler)
	}
}

// answer holds a request to what is true of all of them, and has its route answer it.
func (c *call) answer() error {
	header := c.w.Header()
	header.Set("X-Request-ID", c.id)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	if err := c.deadlines(); err != nil {
		return err
	}
	if err := c.door.pages.check(c.r); err != nil {
		return err
	}
	if c.r.ProtoMajor == 1 && len(c.r.TransferEncoding) > 0 {
		// There may have been a Content-Length, too, which net/http has taken away: who stands between
		// may have gone by that, and takes what follows for another's (RFC 9112, 6.1).
		header.Set("Connection", "close")
	}
	if !plain(c.r.URL) {
		return refuse(wordNotFound, "there is nothing of this path")
	}
	unmatched, pattern := c.door.mux.Handler(c.r)
	if pattern == "" {
		return c.noRoute(unmatched)
	}
	c.door.mux.ServeHTTP(c.w, c.r)
	return c.outcome
}

// noRoute is why a request has no route: the mux knows, and says it by a text.
func (c *call) noRoute(unmatched http.Handler) error {
	said := &unwritten{header: http.Header{}}
	unmatched.ServeHTTP(said, c.r)
	if said.status != http.StatusMethodNotAllowed {
		return refuse(wordNotFound, "there is nothing of this path")
	}
	c.w.Header().Set("Allow", said.header.Get("Allow"))
	return refuse(wordMethod, "this method is not for this path: see Allow")
}

// unwritten is a response that goes nowhere.
type unwritten struct {
	header http.Header
	status int
}

// Header implements http.ResponseWriter.
func (u *unwritten) Header() http.Header { return u.header }

// WriteHeader implements http.ResponseWriter.
func (u *unwritten) WriteHeader(status int) { u.status = status }

// Write implements http.ResponseWriter.
func (u *unwritten) Write(text []byte) (int, error) { return len(text), nil }

// route is one way to ask.
type route struct {
	pattern string
	open    bool           // nobody has to be known
	scopes  []access.Scope // one of them is needed; without any, who asks has to be known
	query   []string       // the parameters that it has
	body    bool           // it has one, which is JSON
	foreign bool           // another handler's: it looks at query and body itself, and has places of its own
	answer  func(c *call) error
}

// handler has a route answer the call that a request belongs to.
func (one route) handler(_ http.ResponseWriter, r *http.Request) {
	c, ok := r.Context().Value(callKey{}).(*call)
	if !ok {
		return // no request of ServeHTTP's
	}
	c.outcome = c.take(one) //nolint:contextcheck // the call has its own
}

// take holds a request to its route.
func (c *call) take(one route) error {
	c.route = one.pattern
	refused := c.permit(one)
	if !one.open && c.by.Name != "" { // what is refused, too, and before a body is read
		if err := c.door.Backend.Admit(c.by); err != nil {
			return err
		}
	}
	if refused != nil {
		return refused
	}
	if err := c.hasOnly(one); err != nil {
		return err
	}
	if !one.open && !one.body && !one.foreign { // the others have their place when their body is there
		if err := c.enter(); err != nil {
			return err
		}
	}
	return one.answer(c)
}

// enter takes the request's place.
func (c *call) enter() error {
	var ok bool
	if c.place, ok = c.places.Take(c.by.Name, 1); !ok {
		return busy("requests")
	}
	works(c.r)
	return nil
}

// permit is who may.
func (c *call) permit(one route) error {
	if one.open {
		return nil
	}
	by, err := c.identify(one, c.r)
	c.by = by
	if err != nil {
		return err
	}
	if !isKnown(c.r, by.Name) {
		c.w.Header().Set("Connection", "close")
		return busy("connections from there")
	}
	c.stand(one)
	c.r = c.r.WithContext(access.With(c.r.Context(), by))
	if c.places = c.door.requests; one.foreign {
		c.places = c.door.mounted
	}
	return nil
}

// identify is who sends a request, which may be sent to a route. A handler of this process that
// asks for somebody has that in its context, where nothing from the network gets.
func (c *call) identify(to route, asked *http.Request) (by access.Principal, err error) {
	if by = access.Of(asked.Context()); by.Name == "" {
		by, err = c.door.Authenticator.Authenticate(asked)
	}
	switch {
	case err != nil:
		return access.Principal{}, unknownCaller(err)
	case by.Name == "":
		return access.Principal{}, unknownCaller(access.ErrUnknown)
	case to.scopes != nil && !slices.ContainsFunc(to.scopes, by.May):
		return by, refuse(wordScope, "this request needs the scope "+string(to.scopes[0]))
	}
	return by, nil
}

// log tells of a request what is not of its content.
func (c *call) log(took time.Duration, err error) {
	turnedAway := c.w.status == http.StatusTooManyRequests || c.w.status == http.StatusServiceUnavailable
	more, ok := c.door.lines.Take(c.by.Name == "" || turnedAway)
	if !ok {
		return
	}
	level, attributes := slog.LevelInfo, []any{
		slog.String("method", knownMethod(c.r.Method)), slog.String("route", c.route), slog.Int("status", c.w.status),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000), slog.String("request_id", c.id),
	}
	if c.by.Name != "" {
		attributes = append(attributes, slog.String("principal", c.by.Name))
	}
	if c.run != "" {
		attributes = append(attributes, slog.String("run_id", c.run))
	}
	if cause := ownFault(err); cause != nil && c.r.Context().Err() == nil {
		level, attributes = slog.LevelError, append(attributes, slog.String("error", cause.Error()))
	}
	c.door.Logger.Log(context.WithoutCancel(c.r.Context()), level, "request", append(attributes, more...)...)
}

// knownMethod is a method, or other for what a caller has made up.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}
