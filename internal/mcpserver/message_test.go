package mcpserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/mcpserver"
)

// malformed are messages that are JSON, and no requests that can be carried out: each with its answer.
func malformed() []struct {
	line string
	code int
	id   string
} {
	return []struct {
		line string
		code int
		id   string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"nonsense"}`, -32601, "1"},
		{`{"jsonrpc":"2.0","id":"a","method":"prompts/list","params":{}}`, -32601, `"a"`},
		{`{"jsonrpc":"2.0","id":1,"method":""}`, -32601, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read"}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":-7,"method":"tools/call","params":"x"}`, -32602, "-7"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nonsense"}}`, -32602, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":[]}}`, -32602, "1"},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600, "1"},
		{`{"id":1,"method":"ping"}`, -32600, "1"},
		{`{"jsonrpc":2.0,"id":1,"method":"ping"}`, -32600, "1"},
		{`{"jsonrpc":"2.0","id":1}`, -32600, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, -32600, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`, -32600, "1"},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","method":"ping"}`, -32600, "null"},
		{`{"a":1}`, -32600, "null"},
		{`[]`, -32600, "null"},
		{`5`, -32600, "null"},
		{`null`, -32600, "null"},
		{`"ping"`, -32600, "null"},
		{`[5]`, -32600, "null"},
		{"[" + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/initialized"},`, 20) + `{"jsonrpc":"2.0","method":"notifications/initialized"}]`, -32600, "null"},
	}
}

type rpcAnswer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   struct {
		Code    int
		Message string
	}
}

// TestARequestThatIsRefusedIsAnsweredByItsID: in each version, over HTTP. A client matches an answer by
// that alone.
func TestARequestThatIsRefusedIsAnsweredByItsID(t *testing.T) {
	url := listen(t, newFake(), mcpserver.Options{})
	for _, version := range versions() {
		for _, one := range malformed() {
			if version == "2026-07-28" && !strings.Contains(one.line, "nonsense") && one.code == -32602 {
				continue // which wants _meta in params first
			}
			response := post(t, url, one.line, httpHeader(one.line, version))
			text, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			if _, data, framed := strings.Cut(string(text), "data: "); framed {
				text = []byte(data)
			}
			var told rpcAnswer
			require.NoError(t, json.Unmarshal(text, &told), "%s: %.80s: %s", version, one.line, text)
			require.Equal(t, "2.0", told.Version)
			require.Equal(t, one.code, told.Error.Code, "%s: %.80s: %s", version, one.line, text)
			require.Equal(t, one.id, string(told.ID), "%s: %.80s", version, one.line)
			require.NotEmpty(t, told.Error.Message)
			switch {
			case one.id == "null":
				require.Equal(t, http.StatusBadRequest, response.StatusCode, one.line)
			case version < "2026-07-28":
				require.Equal(t, http.StatusOK, response.StatusCode, "%s: %s", version, one.line)
			}
		}
	}
}

func TestABatchWithOneThatIsWrongIsAnsweredWhole(t *testing.T) {
	url := listen(t, newFake(), mcpserver.Options{})
	body := `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":"b","method":"nonsense"}]`
	response := post(t, url, body, httpHeader(body, "2025-03-26"))
	defer response.Body.Close()
	var told []rpcAnswer
	require.NoError(t, json.NewDecoder(response.Body).Decode(&told))
	require.Len(t, told, 2)
	require.Equal(t, "1", string(told[0].ID))
	require.Equal(t, -32600, told[0].Error.Code)
	require.Equal(t, `"b"`, string(told[1].ID))
	require.Equal(t, -32601, told[1].Error.Code)
}
