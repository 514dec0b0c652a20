package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/internal/budget"
	"hotcell/internal/strictjson"
)

// Handler answers callers over HTTP, each request for itself. backend gives a service with the
// rights of whoever sends a request: that is to be authenticated before, and no web page's. Where the
// request's context has a budget.Share, its answers take as much of that.
//
// A request that ends before its answer ends the call, in every version of the protocol: there is
// nothing by which the answer could be fetched later. The run goes on if its creation had a key.
func (s *Server) Handler(backend func(*http.Request) (asked Backend, name string)) http.Handler {
	answer := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless:                    true, // 2026-07-28 has no sessions, and our handles are arguments
		MaxRequestBodyBytes:          maxMessage,
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // it is decided before, for all paths
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answered := &worded{ResponseWriter: w}
		w = answered
		if !readMessage(answered, r) {
			return
		}
		asked, name := backend(r)
		ctx := withCaller(r.Context(), caller{backend: asked, name: name, gone: r.Context().Done(), room: newRoom(budget.Of(r.Context()))})
		answer.ServeHTTP(w, r.WithContext(ctx))
	})
}

// readMessage holds a body to what a message may be, and puts it back.
func readMessage(w *worded, r *http.Request) bool {
	if r.Method != http.MethodPost {
		return true
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		refuse(w, http.StatusRequestEntityTooLarge, denial{code: jsonrpc.CodeInvalidRequest, text: "the message is too large"})
		return false
	}
	if err != nil {
		return false // the client is gone, or too slow
	}
	if wrong := judge(body); wrong != nil {
		refuse(w, statusOf(r, wrong), wrong...)
		return false
	}
	if strictjson.IsObject(body) {
		w.id = idOf(strictjson.Members(body))
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return true
}

// statusOf is that of a message that is refused. A client of an earlier version reads an answer to its
// request where HTTP has succeeded, and else none; from 2026-07-28 on it goes by both.
func statusOf(r *http.Request, all []denial) int {
	const byStatus = "2026-07-28"
	matched := all[0].id != nil
	switch isNew := r.Header.Get("Mcp-Protocol-Version") >= byStatus; {
	case matched && !isNew:
		return http.StatusOK
	case matched && all[0].code == jsonrpc.CodeMethodNotFound:
		return http.StatusNotFound
	}
	return http.StatusBadRequest
}

func refuse(w http.ResponseWriter, status int, all ...denial) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(rejection(all))
}

// worded is a response in which an error that the SDK tells in a line of text is one of JSON-RPC.
type worded struct {
	http.ResponseWriter
	id     json.RawMessage // of the request, where it is one
	status int             // of such an error, until it is written
}

// Unwrap is for http.ResponseController.
func (w *worded) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *worded) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. The text is written at once.
func (w *worded) Write(text []byte) (int, error) {
	if status := w.status; status != 0 {
		w.status = 0
		w.Header().Del("Content-Length")
		refuse(w.ResponseWriter, status, denial{w.id, jsonrpc.CodeInvalidRequest, short(strings.TrimSpace(string(text)), maxDetail)})
		return len(text), nil
	}
	return w.ResponseWriter.Write(text)
}
