package mcpserver

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler answers callers over HTTP, each request for itself. backend gives a service with the
// rights of whoever sends a request: it is to be authenticated before.
//
// A request that ends before its answer ends the call, in every version of the protocol: there is
// nothing by which the answer could be fetched later. The run goes on if its creation had a key.
func (s *Server) Handler(backend func(*http.Request) Backend) http.Handler {
	answer := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless:                    true, // 2026-07-28 has no sessions, and our handles are arguments
		MaxRequestBodyBytes:          maxMessage,
		PropagateRequestCancellation: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.ofNoPage(r) {
			http.Error(w, "web pages of this origin may not call this service", http.StatusForbidden)
			return
		}
		if !readMessage(w, r) {
			return
		}
		ctx := withCaller(r.Context(), caller{backend: backend(r), gone: r.Context().Done(), room: &room{}})
		answer.ServeHTTP(w, r.WithContext(ctx))
	})
}

// ofNoPage reports whether a request comes from no web page, or one that may call. A browser says
// so of every POST, also of one whose page has rebound its name to this host.
func (s *Server) ofNoPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return r.Header.Get("Sec-Fetch-Site") == ""
	}
	return slices.Contains(s.options.Origins, origin)
}

// readMessage holds a body to what a message may be, and puts it back.
func readMessage(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodPost {
		return true
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		refuse(w, http.StatusRequestEntityTooLarge, "the message is too large")
		return false
	}
	if err != nil {
		return false // the client is gone, or too slow
	}
	if fault := faultOf(body); fault != "" {
		refuse(w, http.StatusBadRequest, fault)
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return true
}

func refuse(w http.ResponseWriter, status int, fault string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(rejection(fault))
}
