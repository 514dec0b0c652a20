package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"hotcell/internal/panics"
)

// InProcess asks a handler of this process, without a network: for Options.Transport. The
// handler's context is made of the caller's, with what that has in it, such as who asks.
func InProcess(handler http.Handler) http.RoundTripper { return inProcess{handler} }

type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (p inProcess) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(request.Context())
	from, to := io.Pipe()
	w := &pipedResponse{header: http.Header{}, to: to, begun: make(chan struct{})}
	asked := request.Clone(ctx)
	asked.RequestURI, asked.RemoteAddr, asked.Host = request.URL.RequestURI(), "in process", request.URL.Host
	if asked.Body == nil {
		asked.Body = http.NoBody
	}
	stop := context.AfterFunc(ctx, func() { _ = to.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer stop()
		err := panics.Catch("answering in this process", func() error { p.handler.ServeHTTP(w, asked); return nil })
		w.WriteHeader(http.StatusOK) // where nothing was said
		_ = asked.Body.Close()
		if err == nil && ctx.Err() != nil { // it was not all
			err = context.Cause(ctx)
		}
		_ = to.CloseWithError(err)
	}()
	select {
	case <-w.begun:
	case <-ctx.Done():
		defer cancel()
		return nil, context.Cause(ctx)
	}
	body := &pipedBody{from, cancel}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: body, ContentLength: -1, Request: request,
	}, nil
}

// pipedBody tells the handler when nobody reads any more.
type pipedBody struct {
	*io.PipeReader
	cancel func()
}

// Close implements io.Closer.
func (b *pipedBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

// pipedResponse is an http.ResponseWriter whose reader takes each write at once.
type pipedResponse struct {
	header http.Header
	to     *io.PipeWriter

	once   sync.Once
	begun  chan struct{} // closed by WriteHeader, after which the following may be read
	status int
	sent   http.Header
}

// Header implements http.ResponseWriter.
func (w *pipedResponse) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *pipedResponse) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

// Write implements io.Writer.
func (w *pipedResponse) Write(chunk []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	n, err := w.to.Write(chunk)
	if errors.Is(err, io.ErrClosedPipe) {
		err = errors.New("nobody reads the answer any more")
	}
	return n, err
}

// Flush implements http.Flusher: nothing is held back but the header.
func (w *pipedResponse) Flush() { w.WriteHeader(http.StatusOK) }

// SetReadDeadline is for http.ResponseController: a caller of this process is waited for.
func (w *pipedResponse) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline is as SetReadDeadline.
func (w *pipedResponse) SetWriteDeadline(time.Time) error { return nil }
