package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
)

func TestArgumentsAreReadStrictly(t *testing.T) {
	schema := inputSchema[runArguments]()
	for text, want := range map[string]string{
		``:                                      `"code" is missing`,
		`[]`:                                    "no JSON object",
		`null`:                                  `"code" is missing`,
		`{"policy":"p","code":"c","code":"d"}`:  "the name appears twice",
		`{"policy":"p","code":"c","Code":"d"}`:  `no argument "Code" here: known are bundle, code, idempotency_key, max_output_bytes, policy, timeout_s`,
		`{"policy":"p","code":"c","limits":{}}`: `no argument "limits"`,
		`{"policy":"p","code":"c"}{}`:           "",
		`{"policy":"p","code":7}`:               "code",
		`{"policy":"p","code":null}`:            `"code" is null`,
		`{"policy":"p","code":""}`:              `"code" must be a text of 1`,
		`{"policy":"p","code":"c","timeout_s":1.5}`:         "timeout_s",
		`{"policy":"p","code":"c","timeout_s":-1}`:          `"timeout_s" must be a whole number from 1`,
		`{"policy":"p","code":"c","timeout_s":0}`:           `"timeout_s" must be a whole number from 1`,
		`{"policy":"p","code":"c","timeout_s":"5"}`:         "timeout_s",
		`{"policy":"p","code":"c","timeout_s":1e99}`:        "timeout_s",
		`{"policy":"p","code":"c","bundle":{"a":1}}`:        "bundle",
		`{"policy":"p","code":"c","idempotency_key":"a b"}`: `"idempotency_key" must be letters, digits`,
		"{\"policy\":\"p\",\"code\":\"\xff\"}":              "not valid JSON",
		`{"policy":"p","code":` + strings.Repeat("[", 50):   "",
	} {
		var in runArguments
		err := decode(json.RawMessage(text), schema, &in)
		require.Error(t, err, text)
		require.ErrorAs(t, err, new(argumentError), text)
		require.ErrorContains(t, err, want, text)
	}
	var in runArguments
	require.NoError(t, decode(json.RawMessage(`{"policy":"p","code":"c","timeout_s":5}`), schema, &in))
	require.Equal(t, runArguments{Policy: "p", Code: "c", TimeoutS: 5}, in)
}

func TestWhatIsPinnedIsNoArgument(t *testing.T) {
	schema := inputSchema[runArguments]("policy", "bundle")
	require.NotContains(t, schema.Properties, "policy")
	require.NotContains(t, schema.Required, "policy")
	require.Contains(t, schema.Properties, "code")
	var in runArguments
	require.ErrorContains(t, decode(json.RawMessage(`{"policy":"p","code":"c"}`), schema, &in), `no argument "policy"`)
	require.NoError(t, decode(json.RawMessage(`{"code":"c"}`), schema, &in))
}

// every is a schema of each arguments' type, with a value of it.
func every() map[string]struct {
	schema *jsonschema.Schema
	into   any
} {
	type of = struct {
		schema *jsonschema.Schema
		into   any
	}
	return map[string]of{
		"run": {inputSchema[runArguments](), &runArguments{}}, "check": {inputSchema[checkArguments](), &checkArguments{}},
		"wait": {inputSchema[waitArguments](), &waitArguments{}}, "id": {inputSchema[idArguments](), &idArguments{}},
		"open": {inputSchema[openArguments](), &openArguments{}}, "step": {inputSchema[stepArguments](), &stepArguments{}},
		"close": {inputSchema[closeArguments](), &closeArguments{}}, "none": {inputSchema[noArguments](), &noArguments{}},
		"policy": {inputSchema[policyArguments](), &policyArguments{}}, "bundle": {inputSchema[bundleArguments](), &bundleArguments{}},
		"read": {inputSchema[readArguments](), &readArguments{}},
	}
}

func TestSchemaAndDecoderAgree(t *testing.T) {
	for name, one := range every() {
		resolved, err := one.schema.Resolve(nil)
		require.NoError(t, err, name)
		valid := map[string]any{}
		for _, required := range one.schema.Required {
			valid[required] = within1(one.schema.Properties[required], 0)
		}
		agree := func(value map[string]any) {
			text, err := json.Marshal(value)
			require.NoError(t, err)
			decoded := decode(text, one.schema, one.into)
			require.Equal(t, resolved.Validate(value) == nil, decoded == nil, "%s %.200s: %v", name, text, decoded)
		}
		agree(valid)
		agree(with(valid, "unknown", "x"))
		for property, schema := range one.schema.Properties {
			require.NotEmpty(t, schema.Description, property)
			for _, off := range []int{-1, 0, 1} {
				agree(with(valid, property, within1(schema, off)))
			}
			for _, text := range []string{"a b", "é", "a\n", "a\x00", "\u202e", " a"} {
				agree(with(valid, property, text))
			}
			agree(with(valid, property, true))
			agree(with(valid, property, nil))
		}
	}
}

// within1 is a value just below, within or just above what a schema allows.
func within1(schema *jsonschema.Schema, off int) any {
	if schema.Type == "integer" {
		return map[int]float64{-1: *schema.Minimum - 1, 0: *schema.Maximum, 1: *schema.Maximum + 1}[off]
	}
	return strings.Repeat("x", map[int]int{-1: *schema.MinLength - 1, 0: *schema.MinLength, 1: *schema.MaxLength + 1}[off])
}

func with(value map[string]any, name string, other any) map[string]any {
	all := map[string]any{name: other}
	for known, one := range value {
		if known != name {
			all[known] = one
		}
	}
	return all
}

func FuzzArguments(f *testing.F) {
	for _, text := range []string{`{"policy":"p","code":"c"}`, `{"code":"c","code":"d"}`, `{}`, `[`, `{"timeout_s":1e400}`, `{"run_id":"1795219431042-9f86d081884c7d65","offset":5}`} {
		f.Add(text)
	}
	schemas := every()
	f.Fuzz(func(t *testing.T, text string) {
		for name, one := range schemas {
			err := decode(json.RawMessage(text), one.schema, one.into)
			if err == nil && text != "" {
				var value map[string]any
				require.NoError(t, json.Unmarshal([]byte(text), &value), name)
				resolved, err := one.schema.Resolve(nil)
				require.NoError(t, err)
				require.NoError(t, resolved.Validate(value), "%s: %q", name, text)
			}
		}
	})
}
