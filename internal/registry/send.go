package registry

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"hotcell/internal/access"
	"hotcell/internal/digest"
)

const (
	// writeTime is for one write, of 32 KiB at most: a client that is slower than 1 KiB in a second is let go.
	writeTime = 30 * time.Second
	// turnTime is how long a layer waits for its turn.
	turnTime = time.Minute
	// maxTold bounds what is remembered of clients and bundles. Whoever is forgotten is told of again.
	maxTold = 10_000
)

// send answers with a part, or one range of it.
func (g *Registry) send(w http.ResponseWriter, r *http.Request, sum digest.Digest, found Part) {
	if strings.Contains(r.Header.Get("Range"), ",") {
		r.Header.Del("Range") // all of it is an answer to that, too, and no client that pulls asks for several
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if r.Method == http.MethodGet {
		done, ok := g.begin(w, r, found)
		if !ok {
			return
		}
		defer done()
	}
	header := w.Header()
	header.Set("Content-Type", string(found.MediaType))
	header.Set("Docker-Content-Digest", sum.String())
	header.Set("ETag", `"`+sum.String()+`"`)
	to := &withheld{ResponseWriter: w, controller: http.NewResponseController(w), broken: cancel}
	from := &seeker{open: func(at int64) (io.ReadCloser, error) { return found.Open(ctx, at) }, size: found.Bytes}
	http.ServeContent(to, r, "", time.Time{}, from)
	g.end(r, sum, from, to)
}

// begin waits for a turn, and has it told where data goes for the first time. It answers where it is not ok.
func (g *Registry) begin(w http.ResponseWriter, r *http.Request, found Part) (done func(), ok bool) {
	turn := time.NewTimer(turnTime)
	defer turn.Stop()
	select {
	case g.transfers <- struct{}{}:
	case <-turn.C:
		w.Header().Set("Retry-After", "10")
		tell(w, http.StatusTooManyRequests, "TOOMANYREQUESTS", "too much is on its way: ask again")
		return nil, false
	case <-r.Context().Done():
		return nil, false
	}
	done = func() { <-g.transfers }
	if err := g.tellOf(r, found); err != nil {
		done()
		g.Logger.ErrorContext(r.Context(), "a bundle was not sent, for that could not be written down", "reason", err.Error())
		tell(w, http.StatusServiceUnavailable, "UNAVAILABLE", "that it is sent cannot be written down: the registry's log says why")
		return nil, false
	}
	return done, true
}

func (g *Registry) tellOf(r *http.Request, found Part) error {
	if found.Data == nil {
		return nil
	}
	client, from := clientOf(r)
	key := [3]string{client, from, found.Data.Digest.String()}
	g.mu.Lock()
	defer g.mu.Unlock() // also while it is told: nobody gets data because somebody else is about to be told of
	if g.told[key] {
		return nil
	}
	if err := g.Sending(r.Context(), Sending{*found.Data, client, from}); err != nil {
		return err
	}
	if len(g.told) >= maxTold {
		clear(g.told)
	}
	g.told[key] = true
	return nil
}

// clientOf tells the whole address: nodes may share a network.
func clientOf(r *http.Request) (client, from string) {
	from, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil { // of a socket of this host's
		from = access.Origin(r.Context(), r.RemoteAddr)
	}
	return access.Of(r.Context()).Name, from
}

// end holds what was read to its digest, and lets the last bytes go then. Otherwise the answer breaks off:
// its length was announced, and no client takes fewer bytes for all.
func (g *Registry) end(r *http.Request, sum digest.Digest, from *seeker, to *withheld) {
	err := errors.Join(from.Close(), to.failed)
	if err == nil {
		err = to.flush()
	}
	client, address := clientOf(r)
	about := []any{"digest", sum, "client", client, "from", address, "bytes", to.sent, "method", r.Method, "range", r.Header.Get("Range") != ""}
	switch {
	case err == nil:
		g.Logger.InfoContext(r.Context(), "sent", about...)
		return
	case from.failed != nil && r.Context().Err() == nil && to.failed == nil:
		g.Logger.ErrorContext(r.Context(), "an answer was broken off: the store has other bytes, or cannot be read", append(about, "reason", err.Error())...)
	default:
		g.Logger.WarnContext(r.Context(), "the client has gone, or is too slow", about...)
	}
	panic(http.ErrAbortHandler)
}

// seeker reads a part from wherever http.ServeContent wants it. Nothing is opened before it is read.
type seeker struct {
	open   func(at int64) (io.ReadCloser, error)
	size   int64
	at     int64
	body   io.ReadCloser
	failed error
}

// Seek implements io.Seeker, before the first Read.
func (s *seeker) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		s.at = offset
	case io.SeekEnd:
		s.at = s.size + offset
	default:
		return 0, errors.ErrUnsupported
	}
	return s.at, nil
}

// Read implements io.Reader.
func (s *seeker) Read(p []byte) (n int, err error) {
	if s.body == nil {
		if s.body, err = s.open(s.at); err != nil {
			s.body, s.failed = nil, err
			return 0, err
		}
	}
	n, err = s.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.failed = err
	}
	return n, err
}

// Close holds what was read to its digest.
func (s *seeker) Close() error {
	if s.body != nil {
		if err := s.body.Close(); err != nil && s.failed == nil {
			s.failed = err
		}
	}
	return s.failed
}

// withheld writes all but what came last, until flush. Each write has a time of its own.
type withheld struct {
	http.ResponseWriter
	controller *http.ResponseController
	broken     func() // ends the reading for a client that has gone
	last       []byte
	sent       int64
	failed     error
}

// Write implements io.Writer.
func (w *withheld) Write(p []byte) (int, error) {
	if err := w.flush(); err != nil {
		return 0, err
	}
	w.last = append(w.last[:0], p...)
	return len(p), nil
}

func (w *withheld) flush() error {
	if len(w.last) == 0 || w.failed != nil {
		return w.failed
	}
	if err := w.controller.SetWriteDeadline(time.Now().Add(writeTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		w.failed = err
		return err
	}
	n, err := w.ResponseWriter.Write(w.last)
	w.sent += int64(n)
	w.last = w.last[:0]
	if err != nil {
		w.failed = err
		w.broken()
	}
	return err
}
