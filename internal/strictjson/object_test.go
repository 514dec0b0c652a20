package strictjson

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMembersAreAnObjects(t *testing.T) {
	found := Members([]byte(` {"a": {"b": 1}, "c": [2]}`))
	require.Len(t, found, 2)
	require.JSONEq(t, `{"b": 1}`, string(found["a"]))
	require.NotNil(t, Members([]byte("{}")))
	for _, other := range []string{"", "null", "1", `"{"`, "[{}]", `{"a":1,"a":2}`, `{"a":1}{}`} {
		require.Nil(t, Members([]byte(other)), other)
	}
}

func TestIsObject(t *testing.T) {
	require.True(t, IsObject([]byte("\n {}")))
	for _, other := range []string{"", "null", "[{}]", `"{"`} {
		require.False(t, IsObject([]byte(other)), other)
	}
}
