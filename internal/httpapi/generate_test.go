package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// generator makes requests of the document, and of what the document does not have.
type generator struct {
	*rand.Rand
	known []string // ids of runs and sessions that are there
}

// hostile are values that readers have stumbled over, somewhere.
var hostile = []string{
	"", " ", "0", "-1", "null", "true", "1e999", "NaN", "..", "../..", "%2e%2e", "%2f", "%00", "%ff", "\\", "a/b", "a//b", "'; DROP TABLE runs; --", "${jndi:x}", "{{7*7}}",
	"<script>alert(1)</script>", "\u202e", "ü", "\u0000", "9223372036854775808", "18446744073709551616", "sha256:", "a=b", "bytes=0-", "bytes=-", "bytes=1-0,2-", "*", "\"", "W/\"\"",
	"wait=", "wait=-1", "wait=1, wait=x", "gzip", "chunked", "2026-13-40T99:99:99Z", strings.Repeat("A", 3000), strings.Repeat("[", 200),
}

func (g *generator) pick(of []string) string { return of[g.IntN(len(of))] }

// sometimes is true in one of so many.
func (g *generator) sometimes(of int) bool { return g.IntN(of) == 0 }

// value is one of a schema, or close to it.
func (g *generator) value(schema *openapi3.Schema, depth int) any {
	if schema == nil || depth > 6 || g.sometimes(40) {
		return g.anything(depth)
	}
	if len(schema.AnyOf) > 0 {
		return g.value(schema.AnyOf[g.IntN(len(schema.AnyOf))].Value, depth+1)
	}
	if len(schema.Enum) > 0 {
		return schema.Enum[g.IntN(len(schema.Enum))]
	}
	switch {
	case schema.Type == nil:
		return g.anything(depth)
	case schema.Type.Includes("object"):
		return g.object(schema, depth)
	case schema.Type.Includes("array"):
		items := make([]any, g.IntN(3))
		for i := range items {
			items[i] = g.value(schema.Items.Value, depth+1)
		}
		return items
	case schema.Type.Includes("integer"):
		return []any{0, 1, 7, 100, -1, 1 << 40, 1.5, "1"}[g.IntN(8)]
	case schema.Type.Includes("boolean"):
		return g.sometimes(2)
	}
	return g.text(schema)
}

func (g *generator) object(schema *openapi3.Schema, depth int) map[string]any {
	made := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		if slices.Contains(schema.Required, name) && !g.sometimes(30) || g.sometimes(4) {
			made[name] = g.value(schema.Properties[name].Value, depth+1)
		}
	}
	if g.sometimes(30) {
		made[g.pick(hostile)] = g.pick(hostile)
	}
	return made
}

func (g *generator) text(schema *openapi3.Schema) string {
	if g.sometimes(8) {
		return g.pick(hostile)
	}
	if strings.HasPrefix(schema.Pattern, "^[0-9]{13}") {
		return g.pick(g.known)
	}
	return g.pick([]string{"p", "demo@1", "a.csv", "print(1)", "end", "x", "1", "2026-11-27T09:00:00Z", "wait=1", "bytes=0-3"})
}

func (g *generator) anything(depth int) any {
	choices := []any{nil, true, 0, -1, 1.5, g.pick(hostile)}
	if depth < 6 {
		choices = append(choices, []any{g.anything(depth + 1)}, map[string]any{g.pick(hostile): g.anything(depth + 1)})
	}
	return choices[g.IntN(len(choices))]
}

// request is one of an operation, as a client sends it, or nil for one that no client could.
func (g *generator) request(template, method string, operation *openapi3.Operation) *http.Request {
	path, query, header := template, url.Values{}, http.Header{}
	for _, ref := range operation.Parameters {
		parameter := ref.Value
		text := fmt.Sprint(g.value(parameter.Schema.Value, 1))
		if parameter.In == "path" && !g.sometimes(3) {
			there := map[string][]string{"id": g.known, "path": {"a.csv", "sub/a/b"}, "name": {"p"}, "reference": {"demo@1"}, "number": {"1"}}
			if strings.HasPrefix(template, "/v1/sessions/") {
				there["id"] = g.known[3:] // the first ones are runs
			}
			text = g.pick(there[parameter.Name])
		}
		switch {
		case parameter.In == "path" && g.sometimes(4):
			path = strings.Replace(path, "{"+parameter.Name+"}", text, 1) // as it is
		case parameter.In == "path":
			path = strings.Replace(path, "{"+parameter.Name+"}", url.PathEscape(text), 1)
		case g.sometimes(2) && parameter.In == "query":
			query.Add(parameter.Name, text)
		case g.sometimes(3):
			header.Add(parameter.Name, strings.Map(printable, text))
		}
	}
	if g.sometimes(20) {
		query.Add(g.pick(hostile), g.pick(hostile))
	}
	if g.sometimes(15) {
		name := g.pick([]string{"Origin", "Content-Encoding", "Content-Type", "Last-Event-ID", "Range", "Prefer", "Idempotency-Key", "Accept", "If-None-Match", "Expect", "X-Request-Id"})
		header.Add(name, strings.Map(printable, g.pick(hostile)))
	}
	if g.sometimes(25) {
		method = g.pick([]string{"HEAD", "PUT", "OPTIONS", "DELETE", "TRACE", "BREW"})
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return build(method, path, header, g.body(operation))
}

// body is one of the operation, sometimes with a byte that is another one.
func (g *generator) body(operation *openapi3.Operation) []byte {
	if operation.RequestBody == nil {
		if g.sometimes(30) {
			return []byte("{}")
		}
		return nil
	}
	if g.sometimes(2) {
		return []byte(g.pick([]string{`{"policy":"p","code":"end"}`, `{"code":"end"}`, `{"policy":"p"}`}))
	}
	text, err := strictjson.Form{Lenient: true}.Encode(g.value(operation.RequestBody.Value.Content["application/json"].Schema.Value, 0))
	if err != nil || len(text) == 0 {
		return nil
	}
	switch g.IntN(12) {
	case 0:
		text[g.IntN(len(text))] = byte(g.IntN(256))
	case 1:
		text = text[:g.IntN(len(text))]
	case 2:
		text = append(text, text...)
	}
	return text
}

func printable(letter rune) rune {
	if letter < ' ' || letter > '~' {
		return -1
	}
	return letter
}

// build reads the request as a server does, or is nil where that refuses it.
func build(method, path string, header http.Header, body []byte) *http.Request {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s %s HTTP/1.1\r\nHost: hotcell.test\r\n", method, path)
	if header.Get("Content-Type") == "" && body != nil {
		header.Set("Content-Type", "application/json")
	}
	if err := header.Write(&text); err != nil {
		return nil
	}
	if body != nil {
		fmt.Fprintf(&text, "Content-Length: %d\r\n", len(body))
	}
	fmt.Fprintf(&text, "\r\n%s", body)
	r, err := http.ReadRequest(bufio.NewReader(&text))
	if err != nil {
		return nil
	}
	return r
}

// mostTime ends requests that would wait, or follow.
const mostTime = 3 * time.Millisecond

// holds asks, and says what of the answer is not as it has to be.
func (d *desk) holds(r *http.Request) (int, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), mostTime)
	defer cancel()
	got := d.serve(r.WithContext(ctx))
	if got.status == http.StatusInternalServerError {
		return got.status, fmt.Errorf("a fault of ours: %s", got.body)
	}
	if ctx.Err() != nil && (got.status == http.StatusServiceUnavailable || got.header.Get("Content-Type") == "") {
		return got.status, nil // who asked is gone: some are told nothing any more
	}
	return got.status, theContract().check(r, got.status, got.header, []byte(got.body))
}

// populated is a desk with something to find, and the ids of that.
func populated(t testing.TB) (*desk, []string) {
	d := newDesk(t, noLimits)
	var known []string
	for i := range 3 {
		id := d.create("anna", "")
		known = append(known, id.String())
		if i > 0 {
			d.fake.end(id, map[string]string{"a.csv": content, "x": "", "sub/a/b": content})
		}
	}
	for range 3 { // the last one has a step
		got := d.do(asking{method: "POST", path: "/v1/sessions", body: `{"policy":"p"}`, as: "anna"})
		known = append(known, strings.TrimPrefix(got.header.Get("Location"), "/v1/sessions/"))
	}
	d.do(asking{method: "POST", path: "/v1/sessions/" + known[5] + "/steps", body: `{"code":"1"}`, as: "anna"})
	return d, known
}

// TestRequestsOfAGenerator: no request has a 500 for an answer, or one that the document does
// not have.
func TestRequestsOfAGenerator(t *testing.T) {
	const rounds = 100 // of each operation
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	d, known := populated(t)
	g := &generator{rand.New(rand.NewPCG(seed, 0)), known}
	seen, asked, carried := map[int]int{}, 0, map[string]int{}
	ask := func(template, method string, operation *openapi3.Operation) {
		r := g.request(template, method, operation)
		if r == nil {
			return
		}
		r.Header.Set("Authorization", "Bearer "+g.pick([]string{"anna", "anna", "root", "root", "ben", "checker", "x"}))
		status, err := d.holds(r)
		require.NoError(t, err, "%s %s %v: %d", r.Method, r.URL, r.Header, status)
		seen[status]++
		asked++
		if status >= http.StatusBadRequest || r.Method != method {
			return
		}
		carried[method+" "+template]++
		if method == http.MethodPost {
			g.known = d.fake.some(known) // what was made is asked for, too
		}
	}
	paths := theContract().doc.Paths.Map()
	for range rounds {
		for _, template := range slices.Sorted(maps.Keys(paths)) {
			operations := paths[template].Operations()
			for _, method := range slices.Sorted(maps.Keys(operations)) {
				ask(template, method, operations[method])
			}
		}
	}
	for template, item := range paths {
		for method, operation := range item.Operations() {
			for range 2000 { // what chance has left out
				if carried[method+" "+template] > 0 {
					break
				}
				ask("/v1/sessions", http.MethodPost, paths["/v1/sessions"].Operations()[http.MethodPost])
				ask(template, method, operation)
			}
			require.Positive(t, carried[method+" "+template], "no request of %s %s was carried out", method, template)
		}
	}
	t.Logf("%d requests: %v, carried out %v", asked, seen, carried)
	require.Greater(t, asked, 2000)
	for _, status := range []int{200, 201, 202, 204, 400, 401, 403, 404, 405, 409} {
		require.Positive(t, seen[status], "no request had the answer %d: the generator does not reach that", status)
	}
}

// FuzzRequest is the same with bytes of any kind.
func FuzzRequest(f *testing.F) {
	d, known := populated(f)
	for _, path := range []string{"/v1/runs", "/v1/runs?limit=1", "/v1/runs/" + known[1] + "/files/a.csv", "/v1/runs/" + known[1] + "/events?after=1", "/v1/policies/p", "/livez"} {
		f.Add([]byte("GET "+path+" HTTP/1.1\r\nHost: x\r\nRange: bytes=1-2\r\nIf-None-Match: \"x\"\r\n\r\n"), uint8(0))
	}
	f.Add([]byte("POST /v1/runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "+strconv.Itoa(len(aRun))+"\r\nPrefer: wait=1\r\n\r\n"+aRun), uint8(0))
	f.Add([]byte("POST /v1/sessions/"+known[3]+"/steps HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{\"code\":\"1\"}\r\n0\r\n\r\n"), uint8(1))
	f.Fuzz(func(t *testing.T, text []byte, who uint8) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(text)))
		if err != nil {
			return
		}
		r.Header.Set("Authorization", "Bearer "+[]string{"anna", "root", "checker", "x"}[who%4])
		status, err := (&desk{t: t, fake: d.fake, door: d.door, log: d.log, logMu: d.logMu}).holds(r)
		require.NoError(t, err, "%d", status)
		d.fake.forget(known)
	})
}

// some are ids of runs and sessions, those that are known first: sessions that take steps above all.
func (f *fake) some(first []string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Clone(first)
	for id, one := range f.sessions {
		if status := one.session.Status; status != api.SessionBusy && status != api.SessionClosed && len(all) < 12 {
			all = append(all, id.String())
		}
	}
	return all
}

// forget removes what a fuzzer has made, so that it can go on for long.
func (f *fake) forget(but []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.runs)+len(f.sessions) < 1000 {
		return
	}
	maps.DeleteFunc(f.runs, func(id job.ID, _ *fakeRun) bool { return !slices.Contains(but, id.String()) })
	maps.DeleteFunc(f.sessions, func(id job.ID, _ *fakeSession) bool { return !slices.Contains(but, id.String()) })
	clear(f.keys)
	f.filters, f.reads = nil, nil
}
