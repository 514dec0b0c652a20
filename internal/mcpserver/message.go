package mcpserver

import (
	"encoding/json"

	"hotcell/internal/strictjson"
)

// faultOf says what is wrong with a message before anybody else reads it, or "": two readers
// must not see two messages in it.
func faultOf(message []byte) string {
	if err := strictjson.CheckValue(message, maxDepth); err != nil {
		return "the message is refused: " + short(err.Error(), maxDetail)
	}
	var batch []json.RawMessage
	if strictjson.Decode(message, len(message), &batch) == nil && len(batch) > maxBatch {
		return "too many messages are sent as one"
	}
	return ""
}

// rejection answers a message whose id is not known.
func rejection(fault string) []byte {
	type problem struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	text, err := strictjson.Encode(struct {
		Version string  `json:"jsonrpc"`
		ID      *string `json:"id"`
		Error   problem `json:"error"`
	}{Version: "2.0", Error: problem{Code: parseError, Message: fault}})
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is refused"}}`)
	}
	return text
}

// parseError is JSON-RPC's code for a message that is no JSON.
const parseError = -32700
