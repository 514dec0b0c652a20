package strictjson_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/strictjson"
)

func TestEqualValuesAreWrittenAlike(t *testing.T) {
	value := map[string]any{"b": 1, "a": []string{"x"}, "c": "<&>"}
	for range 20 {
		encoded, err := strictjson.Encode(value)
		require.NoError(t, err)
		require.Equal(t, []byte(`{"a":["x"],"b":1,"c":"<&>"}`), encoded) //nolint:testifylint // the order is what is tested
	}
	encoded, err := strictjson.Form{Indent: "  "}.Encode(map[string]any{"a": 1})
	require.NoError(t, err)
	require.Equal(t, "{\n  \"a\": 1\n}", string(encoded))
}

func TestOnlyALenientFormTakesInvalidUTF8(t *testing.T) {
	_, err := strictjson.Encode("a\xff")
	require.Error(t, err)
	encoded, err := strictjson.Form{Lenient: true}.Encode("a\xff")
	require.NoError(t, err)
	require.Equal(t, "\"a\uFFFD\"", string(encoded))
}

func TestDecoderLetsPassOnlyWhatItIsTold(t *testing.T) {
	read := func(text string, lenient ...strictjson.Lenience) error {
		decoder := strictjson.NewDecoder(strings.NewReader(text), lenient...)
		for {
			if _, err := decoder.ReadToken(); err != nil {
				return err
			}
		}
	}
	const twice, wrong = `{"a":1,"a":2}`, "\"\xff\""
	require.ErrorIs(t, read(`{"a":1}`), io.EOF)
	require.NotErrorIs(t, read(twice), io.EOF)
	require.NotErrorIs(t, read(wrong), io.EOF)
	require.ErrorIs(t, read(twice, strictjson.DuplicateNames), io.EOF)
	require.NotErrorIs(t, read(wrong, strictjson.DuplicateNames), io.EOF)
	require.ErrorIs(t, read(wrong, strictjson.InvalidUTF8), io.EOF)
}
