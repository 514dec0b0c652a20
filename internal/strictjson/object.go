package strictjson

import (
	"bytes"
	"encoding/json"
)

// Members reads a JSON object one level deep; anything else has none, and is nil.
func Members(value []byte) map[string]json.RawMessage {
	var found map[string]json.RawMessage
	if Decode(value, len(value), &found) != nil {
		return nil
	}
	return found
}

// IsObject tells an object from other valid JSON.
func IsObject(value []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(value), []byte("{")) }
