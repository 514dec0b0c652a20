package strictjson

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckValueAccepts(t *testing.T) {
	for _, text := range []string{`{}`, ` {"a": [1, -2.5e3, "é", null, true]} ` + "\n", `"x"`, `[[[]]]`} {
		require.NoError(t, CheckValue([]byte(text), 3), text)
	}
}

func TestCheckValueRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":                "",
		"white space only":       " \n",
		"what is cut off":        `{"a": [1`,
		"a duplicate name":       `{"a": 1, "a": 2}`,
		"a deep duplicate":       `[{"a": {"b": 1, "b": 2}}]`,
		"a second value":         `{} {}`,
		"trailing bytes":         `{}x`,
		"NaN":                    `[NaN]`,
		"an infinite number":     `[1e999]`,
		"a lone surrogate":       `["\ud800"]`,
		"invalid UTF-8":          "[\"\xff\"]",
		"levels above the bound": `[[[[]]]]`,
		"levels without end":     strings.Repeat("[", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, CheckValue([]byte(text), 3), "JSON")
		})
	}
}

func TestCheckValueNamesNoValue(t *testing.T) {
	require.NotContains(t, CheckValue([]byte(`{"a": "secret", "a": 1}`), 3).Error(), "secret")
}

func FuzzCheckValue(f *testing.F) {
	f.Add([]byte(`{"a": [1, 2]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if CheckValue(data, 64) == nil {
			var into any
			require.NoError(t, Decode(data, len(data), &into), "it accepts what Decode refuses")
		}
	})
}
