package strictjson_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/strictjson"
)

func TestDecodeKnownPassesOverOnlyWhatIsNew(t *testing.T) {
	type inner struct {
		B int `json:"b"`
	}
	type outer struct {
		A []inner `json:"a"`
	}
	var got outer
	require.NoError(t, strictjson.DecodeKnown([]byte(`{"a":[{"b":1,"new":{"x":[]}}],"newer":2,"A":3}`), 100, &got))
	require.Equal(t, outer{[]inner{{1}}}, got, "another case is another name")
	for _, wrong := range []string{`{"a":[],"a":[]}`, `{"new":1,"new":2}`, `{}{}`, `{"a":{}}`, `{"new":1e999999}`, "{\"new\":\"\xff\"}", ``} {
		require.Error(t, strictjson.DecodeKnown([]byte(wrong), 100, &got), wrong)
	}
	require.Error(t, strictjson.DecodeKnown([]byte(`{"new":"12345678"}`), 10, &got))
}
