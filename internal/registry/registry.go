// Package registry answers nodes that pull the sandboxes' image and bundles: the reading half of the OCI
// distribution specification, by digest alone.
//
// It decides what can be asked (GET and HEAD of manifests and blobs; nothing is listed, written or deleted),
// that nobody is told anything who has not said who they are, and that no byte is the last of an answer
// before all that was read for it is what its digest names. It does not decide who may pull (internal/access)
// or what an image is (internal/image, internal/bundleimage). `runner registry` calls it.
package registry

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"hotcell/internal/access"
	"hotcell/internal/bundle"
	"hotcell/internal/digest"
)

// Options say what is answered, and to whom. All are needed.
type Options struct {
	Sandbox       Repository // images that sandboxes start from, as "sandbox"
	Bundle        Repository // bundles, as "bundle"
	Authenticator access.Authenticator
	Logger        *slog.Logger
	// Sending is asked before the first byte of a bundle's data goes to a client that has had none of it
	// since the start. Where it fails, nothing goes.
	Sending func(ctx context.Context, about Sending) error
	// Transfers is how many layers are on their way at a time; others wait.
	Transfers int
}

// Sending is a bundle that goes to somebody.
type Sending struct {
	Bundle bundle.Bundle
	Client string // the principal
	From   string // the address
}

// Registry is an http.Handler.
type Registry struct {
	Options
	transfers chan struct{}

	mu   sync.Mutex
	told map[[3]string]bool // clients, where they are, and bundles that Sending was asked about
}

// New makes a Registry.
func New(options Options) (*Registry, error) {
	if options.Sandbox == nil || options.Bundle == nil || options.Authenticator == nil || options.Logger == nil || options.Sending == nil || options.Transfers < 1 {
		return nil, errors.New("make registry: an option is missing")
	}
	return &Registry{Options: options, transfers: make(chan struct{}, options.Transfers), told: map[[3]string]bool{}}, nil
}

// ServeHTTP implements http.Handler.
func (g *Registry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Docker-Distribution-Api-Version", "registry/2.0")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "private, no-store")
	if r.ContentLength != 0 { // nothing here takes a body, and none is waited for, which net/http would do
		header.Set("Connection", "close")
		if err := http.NewResponseController(w).SetReadDeadline(time.Now()); err != nil && !errors.Is(err, http.ErrNotSupported) {
			panic(http.ErrAbortHandler)
		}
	}
	who, err := g.Authenticator.Authenticate(asBearer(r))
	if err != nil {
		g.refuse(w, r, err)
		return
	}
	if !who.May(access.ScopePull) {
		tell(w, http.StatusForbidden, "DENIED", "this client may not pull: its token has to have the scope pull")
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		tell(w, http.StatusMethodNotAllowed, "UNSUPPORTED", "this registry can only be read")
		return
	}
	g.answer(w, r.WithContext(access.With(r.Context(), who)))
}

// Probed is for ways to be known by what a request brings. Runtimes ask everything without it first, and are
// told by 401 what to bring: that is how the protocol begins, and no failure that would count against them.
func Probed(inner access.Authenticator) access.Authenticator { return probed{inner} }

type probed struct{ inner access.Authenticator }

// Authenticate implements access.Authenticator.
func (p probed) Authenticate(r *http.Request) (access.Principal, error) {
	if !access.Presented(r) {
		return access.Principal{}, access.ErrUnknown
	}
	return p.inner.Authenticate(r)
}

// asBearer has a token that came as a password, which is how runtimes send what a pull secret has, where
// tokens are looked for. Which user it came with says nothing.
func asBearer(r *http.Request) *http.Request {
	_, password, ok := r.BasicAuth()
	if !ok || len(r.Header.Values("Authorization")) != 1 {
		return r
	}
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+password)
	return r
}

// refuse answers whoever has not said who they are: always the same, whatever was asked for.
func (g *Registry) refuse(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Connection", "close")
	if many, ok := errors.AsType[*access.TooManyError](err); ok {
		w.Header().Set("Retry-After", strconv.Itoa(int(many.After/time.Second)+1))
		tell(w, http.StatusTooManyRequests, "TOOMANYREQUESTS", "too many requests from there were of nobody that is known")
		return
	}
	if !errors.Is(err, access.ErrUnknown) {
		g.Logger.ErrorContext(r.Context(), "nobody can be asked who they are", "reason", err.Error())
		tell(w, http.StatusServiceUnavailable, "UNAVAILABLE", "the registry cannot find out who asks: its log says why")
		return
	}
	w.Header().Set("WWW-Authenticate", `Basic realm="hotcell"`)
	tell(w, http.StatusUnauthorized, "UNAUTHORIZED", "send a token with the scope pull, as a password or as Authorization: Bearer")
}

// answer finds what a path names. Every part of it is one of a few words or a digest: no name from outside
// comes near a file.
func (g *Registry) answer(w http.ResponseWriter, r *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.Path, "/v2/")
	if !ok || r.URL.RawPath != "" {
		tell(w, http.StatusNotFound, "UNSUPPORTED", "there is nothing here but /v2/")
		return
	}
	if rest == "" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{}\n")) // a client that has gone
		return
	}
	parts := strings.Split(rest, "/")
	repository := map[string]Repository{"sandbox": g.Sandbox, "bundle": g.Bundle}[parts[0]]
	if repository == nil || len(parts) != 3 {
		tell(w, http.StatusNotFound, "NAME_UNKNOWN", "the repositories are sandbox and bundle, each with manifests and blobs by digest")
		return
	}
	find, unknown := repository.Manifest, "MANIFEST_UNKNOWN"
	switch parts[1] {
	case "manifests":
	case "blobs":
		find, unknown = repository.Blob, "BLOB_UNKNOWN"
	default:
		tell(w, http.StatusNotFound, "UNSUPPORTED", "manifests and blobs are served, and nothing is listed")
		return
	}
	sum, err := digest.Parse(parts[2])
	if err != nil {
		tell(w, http.StatusNotFound, unknown, "only digests are known here, no tags: sha256: and 64 hexadecimal digits")
		return
	}
	found, err := find(r.Context(), sum)
	switch {
	case errors.Is(err, ErrUnknown):
		g.Logger.DebugContext(r.Context(), "unknown", "repository", parts[0], "digest", sum, "reason", err.Error())
		tell(w, http.StatusNotFound, unknown, "it is not in the store of this host")
	case err != nil:
		g.Logger.ErrorContext(r.Context(), "what was asked for cannot be read", "repository", parts[0], "digest", sum, "reason", err.Error())
		tell(w, http.StatusInternalServerError, "UNAVAILABLE", "it cannot be read: the registry's log says why")
	default:
		g.send(w, r, sum, found)
	}
}
