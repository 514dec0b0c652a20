package strictjson_test

import (
	"encoding/json"
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

func TestForeignTextIsWrittenInAFrameAlone(t *testing.T) {
	type answer struct {
		Note string             `json:"note"`
		Name strictjson.Foreign `json:"name,omitzero"`
	}
	of := answer{"of others", "a\xffb\n"}
	_, err := strictjson.Encode(of)
	require.ErrorContains(t, err, "without its frame")
	_, err = strictjson.Form{Lenient: true}.Encode(map[string]any{"x": []any{of.Name}})
	require.ErrorContains(t, err, "without its frame")
	_, err = json.Marshal(of)
	require.ErrorContains(t, err, "without its frame", "by every other encoder")
	text, err := strictjson.Form{Lenient: true, Framed: true}.Encode(of)
	require.NoError(t, err)
	require.Equal(t, `{"note":"of others","name":"a`+"\uFFFD"+`b\n"}`, string(text)) //nolint:testifylint // the bytes are what is tested
	_, err = strictjson.Form{Framed: true}.Encode(of)
	require.Error(t, err, "it is no UTF-8")
}
