package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"hotcell/internal/strictjson"
)

// denial is why a message is not carried out, as JSON-RPC has it.
type denial struct {
	id   json.RawMessage // of the request, as it came; nil where it is not known
	code int64
	text string
}

// judge refuses a message before anybody else reads it: two readers must not see two messages in it, and
// the SDK answers some of these without the request's id, or not at all. It is nil for one that is right.
func judge(message []byte) []denial {
	if err := strictjson.CheckValue(message, maxDepth); err != nil {
		return []denial{{code: jsonrpc.CodeParseError, text: "the message is refused: " + short(err.Error(), maxDetail)}}
	}
	if strictjson.IsObject(message) {
		if wrong := judgeOne(message); wrong != nil {
			return []denial{*wrong}
		}
		return nil
	}
	var batch []json.RawMessage
	if strictjson.Decode(message, len(message), &batch) != nil || len(batch) == 0 {
		return []denial{{code: jsonrpc.CodeInvalidRequest, text: "a message has to be an object"}}
	}
	if len(batch) > maxBatch {
		return []denial{{code: jsonrpc.CodeInvalidRequest, text: "too many messages are sent as one"}}
	}
	return judgeBatch(batch)
}

// judgeBatch refuses all messages that were sent with one that is wrong: each gets an answer.
func judgeBatch(batch []json.RawMessage) []denial {
	var all []denial
	isWrong := false
	for _, one := range batch {
		if wrong := judgeOne(one); wrong != nil {
			all, isWrong = append(all, *wrong), true
		} else if id := idOf(strictjson.Members(one)); id != nil {
			all = append(all, denial{id, jsonrpc.CodeInvalidRequest, "a message that was sent with this one is refused, and none of them was carried out"})
		}
	}
	if !isWrong {
		return nil
	}
	return all
}

func judgeOne(message json.RawMessage) *denial {
	members := strictjson.Members(message)
	id := idOf(members)
	refuse := func(code int64, text string) *denial { return &denial{id, code, text} }
	method, isText := textOf(members["method"])
	version, _ := textOf(members["jsonrpc"])
	switch {
	case version != "2.0":
		return refuse(jsonrpc.CodeInvalidRequest, `"jsonrpc" has to be "2.0"`)
	case id == nil && members["id"] != nil:
		return refuse(jsonrpc.CodeInvalidRequest, `"id" has to be a text of at most 256 bytes, or a whole number`)
	case members["method"] == nil && id != nil && (members["result"] != nil || members["error"] != nil):
		return nil // an answer to what was never asked, which is passed over
	case !isText:
		return refuse(jsonrpc.CodeInvalidRequest, `"method" is missing, or is no text`)
	case id == nil: // a notification has no answer
		return nil
	case strings.HasPrefix(method, "notifications/"):
		return refuse(jsonrpc.CodeInvalidRequest, `a notification has no "id"`)
	case !slices.Contains(methods(), method):
		return refuse(jsonrpc.CodeMethodNotFound, "this method is not offered: those that are, are "+strings.Join(methods(), ", "))
	}
	params := members["params"]
	switch isMissing := params == nil || string(params) == "null"; {
	case isMissing && slices.Contains(needParams(), method):
		return refuse(jsonrpc.CodeInvalidParams, `"params" is missing`)
	case !isMissing && !strictjson.IsObject(params):
		return refuse(jsonrpc.CodeInvalidParams, `"params" has to be an object`)
	}
	return nil
}

// needParams are the methods that mean nothing without.
func needParams() []string { return []string{"initialize", "tools/call", "resources/read"} }

// idOf is the id of a message, or nil where it has none, or one that no request may have.
func idOf(members map[string]json.RawMessage) json.RawMessage {
	id := members["id"]
	var text string
	var number int64
	isText, isNumber := strictjson.Decode(id, maxName, &text) == nil, strictjson.Decode(id, maxName, &number) == nil
	if string(id) == "null" || !isText && !isNumber {
		return nil
	}
	return id
}

func textOf(value json.RawMessage) (text string, is bool) {
	if value == nil || string(value) == "null" {
		return "", false
	}
	return text, strictjson.Decode(value, len(value), &text) == nil
}

// rejection answers a message that was refused.
func rejection(all []denial) []byte {
	type problem struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	type answer struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   problem         `json:"error"`
	}
	answers := make([]answer, len(all))
	for index, one := range all {
		answers[index] = answer{"2.0", one.id, problem{one.code, one.text}}
		if one.id == nil {
			answers[index].ID = json.RawMessage("null")
		}
	}
	var value any = answers
	if len(answers) == 1 {
		value = answers[0]
	}
	text, err := strictjson.Encode(value)
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is refused"}}`)
	}
	return text
}
