package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"hotcell/internal/mcpserver"
)

// versions are all that the SDK speaks: a test says so when it learns another one.
func versions() []string {
	return []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

func TestEveryVersionOfTheSDKIsTested(t *testing.T) {
	require.Equal(t, versions(), mcp.SupportedProtocolVersions())
}

func TestTheSDKsClientIsServedInEveryVersion(t *testing.T) {
	for _, version := range versions() {
		t.Run("stdio "+version, func(t *testing.T) {
			session, _ := connect(t, newServer(t, mcpserver.Options{Version: "v9"}), newFake(), version, nil)
			requireServes(t, session, version)
		})
		t.Run("http "+version, func(t *testing.T) {
			backend := newFake()
			listening := httptest.NewServer(newServer(t, mcpserver.Options{Version: "v9"}).Handler(func(*http.Request) (mcpserver.Backend, string) { return backend, "" }))
			defer listening.Close()
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: listening.URL}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			require.NoError(t, err)
			defer session.Close()
			requireServes(t, session, version)
		})
	}
}

func requireServes(t *testing.T, session *mcp.ClientSession, version string) {
	t.Helper()
	about := session.InitializeResult()
	require.Equal(t, version, about.ProtocolVersion)
	require.Nil(t, about.Capabilities.Logging) //nolint:staticcheck // old clients look at it
	require.Nil(t, about.Capabilities.Prompts)
	require.False(t, about.Capabilities.Tools.ListChanged)
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, list.Tools, 13)
	result := tell(t, session, "run_python", study(nil))
	require.Equal(t, "succeeded", told(t, result)["status"])
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, templates.ResourceTemplates, 5)
	id := told(t, result)["run_id"].(string)
	read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "hotcell://runs/" + id + "/stdout"})
	require.NoError(t, err)
	require.Equal(t, sentence+`"42\n"`, read.Contents[0].Text)
}

// meta is what 2026-07-28 has in each request.
func meta(version string) string {
	return `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
}

// script is a whole conversation in a version, as it is written on the wire.
func script(version string) []string {
	if version == "2026-07-28" {
		return []string{
			`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta(version) + `}}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta(version) + `}}`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"run_python","arguments":{"policy":"study","code":"1"},` + meta(version) + `}}`,
		}
	}
	return []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"run_python","arguments":{"policy":"study","code":"1"}}}`,
	}
}

// message is any answer.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func parse(t testing.TB, text string) message {
	t.Helper()
	var m message
	require.NoError(t, json.Unmarshal([]byte(text), &m), text)
	return m
}

// raw is a connection of a client that writes what it likes.
type raw struct {
	in     *io.PipeWriter
	out    *bufio.Scanner
	served chan error
}

func rawly(t *testing.T, backend mcpserver.Backend) *raw {
	t.Helper()
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	r := &raw{in: in, out: bufio.NewScanner(out), served: make(chan error, 1)}
	r.out.Buffer(nil, 16<<20)
	server := newServer(t, mcpserver.Options{})
	go func() {
		r.served <- server.Serve(context.WithoutCancel(t.Context()), backend, fromClient, toClient)
		_ = toClient.Close()
	}()
	return r
}

func (r *raw) say(t *testing.T, line string) {
	t.Helper()
	_, err := io.WriteString(r.in, line+"\n")
	require.NoError(t, err)
}

func (r *raw) hear(t *testing.T) message {
	t.Helper()
	require.True(t, r.out.Scan(), "the stream has ended: %v", r.out.Err())
	require.Contains(t, r.out.Text(), `"jsonrpc":"2.0"`)
	return parse(t, r.out.Text())
}

func (r *raw) end(t *testing.T) {
	t.Helper()
	require.NoError(t, r.in.Close())
	for r.out.Scan() {
		require.Contains(t, r.out.Text(), `"jsonrpc":"2.0"`)
	}
	require.NoError(t, <-r.served)
}

func TestRawConversationsOnStandardInput(t *testing.T) {
	for _, version := range versions() {
		t.Run(version, func(t *testing.T) {
			r := rawly(t, newFake())
			for _, line := range script(version) {
				r.say(t, line)
				if strings.Contains(line, `"id"`) {
					requireAnswers(t, r.hear(t), version)
				}
			}
			r.end(t)
		})
	}
}

func requireAnswers(t *testing.T, m message, version string) {
	t.Helper()
	require.Nil(t, m.Error, "%+v", m.Error)
	require.NotContains(t, string(m.Result), `"isError":true`)
	require.Contains(t, string(m.Result), map[string]string{"1": version, "2": `"run_python"`, "3": `succeeded`}[string(m.ID)])
	if string(m.ID) != "3" {
		require.NotContains(t, string(m.Result), `"logging"`)
	}
}

func TestRawConversationsOverHTTP(t *testing.T) {
	for _, version := range versions() {
		t.Run(version, func(t *testing.T) {
			backend := newFake()
			listening := httptest.NewServer(newServer(t, mcpserver.Options{}).Handler(func(*http.Request) (mcpserver.Backend, string) { return backend, "" }))
			defer listening.Close()
			for _, line := range script(version) {
				response := post(t, listening.URL, line, httpHeader(line, version))
				body, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				require.NoError(t, response.Body.Close())
				if !strings.Contains(line, `"id"`) {
					require.Equal(t, http.StatusAccepted, response.StatusCode, "%s", body)
					continue
				}
				require.Equal(t, http.StatusOK, response.StatusCode, "%s", body)
				require.Empty(t, response.Header.Get("Mcp-Session-Id"))
				requireAnswers(t, parse(t, lastData(t, body)), version)
			}
		})
	}
}

// httpHeader is what a client sends with a message.
func httpHeader(line, version string) http.Header {
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	if !strings.Contains(line, `"initialize"`) && version >= "2025-06-18" {
		header.Set("Mcp-Protocol-Version", version)
	}
	if version >= "2026-07-28" {
		_, method, _ := strings.Cut(line, `"method":"`)
		method, _, _ = strings.Cut(method, `"`)
		header.Set("Mcp-Method", method)
		if method == "tools/call" {
			header.Set("Mcp-Name", "run_python")
		}
	}
	return header
}

func post(t testing.TB, url, body string, header http.Header) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	request.Header = header
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	return response
}

// lastData is the last event of a stream, or a whole answer.
func lastData(t testing.TB, body []byte) string {
	t.Helper()
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return string(body)
	}
	data := ""
	for line := range strings.Lines(string(body)) {
		if rest, is := strings.CutPrefix(line, "data: "); is {
			data = rest
		}
	}
	require.NotEmpty(t, data, "%s", body)
	return data
}

func TestOtherMethodsAreNotOffered(t *testing.T) {
	r := rawly(t, newFake())
	for _, line := range script("2025-11-25")[:2] {
		r.say(t, line)
	}
	r.hear(t)
	for i, method := range []string{"prompts/list", "logging/setLevel", "completion/complete", "resources/subscribe", "subscriptions/listen", "roots/list", "sampling/createMessage", "nonsense", "tools/Call"} {
		r.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"uri":"hotcell://policies/study","level":"info"}}`, 10+i, method))
		answer := r.hear(t)
		require.NotNil(t, answer.Error, method)
		require.NotContains(t, answer.Error.Message, "study")
	}
	r.say(t, `{"jsonrpc":"2.0","id":99,"method":"ping"}`)
	require.Nil(t, r.hear(t).Error)
	r.end(t)
}
