package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/httpapi"
)

// contract is the OpenAPI document, by which every response of every test is checked.
type contract struct {
	doc   *openapi3.T
	paths []contractPath
}

type contractPath struct {
	template string
	pattern  *regexp.Regexp
}

var theContract = sync.OnceValue(func() *contract {
	doc, err := openapi3.NewLoader().LoadFromData([]byte(api.OpenAPI()))
	if err != nil {
		panic(err)
	}
	for _, text := range []string{"text/event-stream", "application/octet-stream", "text/csv", "text/plain", "image/png"} {
		openapi3filter.RegisterBodyDecoder(text, openapi3filter.PlainBodyDecoder)
	}
	openapi3filter.RegisterBodyDecoder("application/vnd.in-toto+json", openapi3filter.JSONBodyDecoder)
	c := &contract{doc: doc}
	for template := range doc.Paths.Map() {
		inner := strings.ReplaceAll(regexp.QuoteMeta(template), `\{path\}`, `.+`)
		inner = regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(inner, `[^/]+`)
		c.paths = append(c.paths, contractPath{template, regexp.MustCompile(`^` + inner + `$`)})
	}
	slices.SortFunc(c.paths, func(a, b contractPath) int { return strings.Compare(b.template, a.template) })
	return c
})

// check says where an answer is none of the document's.
func (c *contract) check(r *http.Request, status int, header http.Header, body []byte) error {
	method := r.Method
	if method == http.MethodHead {
		if len(body) > 0 {
			return errors.New("an answer to HEAD has a body")
		}
		method = http.MethodGet
	}
	var operation *openapi3.Operation
	route := &routers.Route{Spec: c.doc, Method: method}
	for _, one := range c.paths {
		if one.pattern.MatchString(r.URL.EscapedPath()) {
			route.Path, route.PathItem = one.template, c.doc.Paths.Value(one.template)
			operation = route.PathItem.Operations()[method]
			break
		}
	}
	if operation == nil || status == http.StatusNotFound && operation.Responses.Value("404") == nil {
		return c.noRoute(status, header, body, r.Method == http.MethodHead)
	}
	route.Operation = operation
	if r.Method == http.MethodHead {
		if operation.Responses.Status(status) == nil {
			return fmt.Errorf("HEAD: the status %d is not in the document", status)
		}
		return nil
	}
	return openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, Route: route},
		Status:                 status, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	})
}

// noRoute is what holds where the document has no operation.
func (c *contract) noRoute(status int, header http.Header, body []byte, head bool) error {
	if status != http.StatusNotFound && status != http.StatusMethodNotAllowed && status != http.StatusForbidden { // a page of another origin is told that first
		return fmt.Errorf("there is no such operation, and the status is %d", status)
	}
	if status == http.StatusMethodNotAllowed && header.Get("Allow") == "" {
		return errors.New("405 without Allow")
	}
	if head {
		return nil
	}
	schema := c.doc.Components.Schemas["Problem"].Value
	var value any
	if err := decodeAny(body, &value); err != nil {
		return err
	}
	if kind := header.Get("Content-Type"); kind != "application/problem+json" {
		return fmt.Errorf("a problem is of the type %s", kind)
	}
	return schema.VisitJSON(value, openapi3.EnableJSONSchema2020())
}

// tokens are the test's ways to be known.
type tokens map[string]access.Principal

func (k tokens) Authenticate(r *http.Request) (access.Principal, error) {
	by, ok := k[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	if !ok {
		return access.Principal{}, access.ErrUnknown
	}
	return by, nil
}

func someTokens() tokens {
	return tokens{
		"anna":    {Name: "user:anna", Scopes: []access.Scope{access.ScopeRun, access.ScopeRecords, access.ScopeBundles, access.ScopeCheck}},
		"ben":     {Name: "user:ben", Scopes: []access.Scope{access.ScopeRun, access.ScopeRecords}},
		"shapes":  {Name: "token:shapes", Scopes: []access.Scope{access.ScopeBundles}},
		"checker": {Name: "token:checker", Scopes: []access.Scope{access.ScopeCheck}},
		"reader":  {Name: "user:anna", Scopes: []access.Scope{access.ScopeRecords}},
		"runner":  {Name: "user:anna", Scopes: []access.Scope{access.ScopeRun}},
		"root":    {Name: "user:root", Scopes: []access.Scope{access.ScopeAdmin}},
	}
}

// desk is a Door before a fake back end.
type desk struct {
	t     testing.TB
	fake  *fake
	door  *httpapi.Door
	log   *bytes.Buffer
	logMu *sync.Mutex
	lost  atomic.Value // an error that everybody is answered with who says who they are
}

// changing are tokens that are worth nothing from a moment on.
type changing struct {
	tokens
	lost *atomic.Value
}

func (c changing) Authenticate(r *http.Request) (access.Principal, error) {
	if err, ok := c.lost.Load().(error); ok {
		return access.Principal{}, err
	}
	return c.tokens.Authenticate(r)
}

func newDesk(t testing.TB, limits httpapi.Room, change ...func(*httpapi.Options)) *desk {
	t.Helper()
	d := &desk{t: t, fake: newFake(), log: &bytes.Buffer{}, logMu: &sync.Mutex{}}
	options := httpapi.Options{
		Backend: d.fake, Authenticator: changing{someTokens(), &d.lost}, Limits: limits,
		Version: api.VersionInfo{Version: "1.2.3", API: "v1", Engine: "oci", StartedAt: time.Now()},
		Logger:  slog.New(slog.NewJSONHandler(lockedWriter{d.logMu, d.log}, nil)),
	}
	for _, one := range change {
		one(&options)
	}
	door, err := httpapi.New(options)
	require.NoError(t, err)
	d.door = door
	return d
}

type lockedWriter struct {
	mu *sync.Mutex
	to io.Writer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

func (d *desk) logged() string {
	d.logMu.Lock()
	defer d.logMu.Unlock()
	return d.log.String()
}

// recorder is a response that takes deadlines, as a connection does.
type recorder struct{ *httptest.ResponseRecorder }

func newRecorder() recorder { return recorder{httptest.NewRecorder()} }

func (recorder) SetReadDeadline(time.Time) error  { return nil }
func (recorder) SetWriteDeadline(time.Time) error { return nil }

// asking is one request of a test.
type asking struct {
	method, path, body string
	as                 string            // a token
	header             map[string]string // beside what a client sends
}

func (a asking) request() *http.Request {
	var body io.Reader
	if a.body != "" {
		body = strings.NewReader(a.body)
	}
	r := httptest.NewRequest(a.method, "http://hotcell.test/", body)
	target := a.path
	if target == "" {
		target = "/"
	}
	parsed, err := url.ParseRequestURI(target) // as net/http does
	if err == nil {
		r.URL = parsed
		r.RequestURI = target
	}
	if a.as != "" {
		r.Header.Set("Authorization", "Bearer "+a.as)
	}
	if a.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range a.header {
		if value == "" {
			r.Header.Del(name)
			continue
		}
		r.Header.Set(name, value)
	}
	return r
}

// answered is what came of it.
type answered struct {
	status int
	header http.Header
	body   string
}

// do asks, and holds the answer to the document.
func (d *desk) do(a asking) answered {
	d.t.Helper()
	r := a.request()
	got := d.serve(r)
	require.NoError(d.t, theContract().check(r, got.status, got.header, []byte(got.body)), "%s %s: %d %s", a.method, a.path, got.status, got.body)
	return got
}

func (d *desk) serve(r *http.Request) answered {
	d.t.Helper()
	w := newRecorder()
	func() {
		defer func() {
			if thrown := recover(); thrown != nil && !isAbort(thrown) {
				panic(thrown)
			}
		}()
		d.door.ServeHTTP(w, r)
	}()
	return answered{w.Code, w.Header(), w.Body.String()}
}

// refused asks for what is a problem, and returns it.
func (d *desk) refused(a asking, status int, word string) api.Problem {
	d.t.Helper()
	got := d.do(a)
	require.Equal(d.t, status, got.status, got.body)
	require.Equal(d.t, "application/problem+json", got.header.Get("Content-Type"))
	var told api.Problem
	require.NoError(d.t, decodeAny([]byte(got.body), &told))
	require.Equal(d.t, "urn:hotcell:problem:"+word, told.Type)
	require.Equal(d.t, got.header.Get("X-Request-ID"), told.Instance)
	require.NotRegexp(d.t, leansOn, told.Detail, "%s: said alone, it is about nothing", word)
	for one := range strings.SplitSeq(told.Detail, "; ") {
		require.NotRegexp(d.t, leansOn, one, word)
	}
	return told
}

// leansOn is how a sentence begins whose subject stands elsewhere. A detail may be shown without its title.
var leansOn = regexp.MustCompile(`^(its?|they|their|which|whose|none|of|for|by|to|than)\b`)

// TestEachWordStandsAlone: titles, and whatever the sources have as a detail.
func TestEachWordStandsAlone(t *testing.T) {
	said := regexp.MustCompile(`(?:refuse\(word\w+, |detail: |const way = |word\{"[a-z-]+", [\w.]+, )"([^"]+)"`)
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	seen := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, found := range said.FindAllStringSubmatch(string(text), -1) {
			require.NotRegexp(t, leansOn, found[1], name)
			seen++
		}
	}
	require.Greater(t, seen, 30, "the sources are read")
}

// isAbort tells the panic by which a handler breaks a connection off.
func isAbort(thrown any) bool {
	err, ok := thrown.(error)
	return ok && errors.Is(err, http.ErrAbortHandler)
}
