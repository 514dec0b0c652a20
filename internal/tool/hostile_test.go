package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func withSchema(schema string) func(*Options) {
	return func(o *Options) {
		o.Brought[0].Schema = json.RawMessage(schema)
		o.ParamsBytes = 1 << 20
	}
}

const numbers = `{"type": "object", "properties": {"n": {"type": "array", "uniqueItems": true, "items": {"type": ["integer", "number"], "minimum": 0, "multipleOf": 0.5}}}}`

// TestNumbersThatNoFloatHoldsReachNoLibrary has the numbers of which the schema
// library's arithmetic returns nil, or millions of digits.
func TestNumbersThatNoFloatHoldsReachNoLibrary(t *testing.T) {
	for _, number := range []string{"1e-1000001", "1e-999999", "1e999999", "0e-999999", strings.Repeat("9", 1000)} {
		calls := begin(t, "echo 1", withSchema(numbers))
		_, fault := call(t, calls, "tool", `{"n":[`+strings.TrimSuffix(strings.Repeat(number+",", 400), ",")+`]}`)
		require.Contains(t, fault, "not acceptable", "%.20s", number)
	}
}

// branching schemas take exponential time without a bound.
func branching() map[string]string {
	return map[string]string{
		"anyOf": `{"$defs": {"n": {"anyOf": [{"required": ["x"], "properties": {"c": {"$ref": "#/$defs/n"}}}, {"required": ["y"], "properties": {"c": {"$ref": "#/$defs/n"}}},
			{"properties": {"c": {"allOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}}}]}}, "$ref": "#/$defs/n"}`,
		"oneOf":        `{"oneOf": [{"properties": {"c": {"$ref": "#"}}}, {"properties": {"c": {"$ref": "#"}}}, {"required": ["x"]}]}`,
		"not":          `{"not": {"anyOf": [{"required": ["c"], "properties": {"c": {"$ref": "#"}}}, {"required": ["c"], "properties": {"c": {"$ref": "#"}}}]}}`,
		"pattern":      `{"patternProperties": {"c": {"$ref": "#"}, "^c": {"$ref": "#"}, "c$": {"$ref": "#"}}, "minProperties": 1}`,
		"if":           `{"if": {"properties": {"c": {"$ref": "#"}}, "minProperties": 1}, "then": {"properties": {"c": {"$ref": "#"}}}, "else": {"properties": {"c": {"$ref": "#"}}}}`,
		"draft 4":      `{"$schema": "http://json-schema.org/draft-04/schema#", "allOf": [{"properties": {"c": {"$ref": "#"}}}, {"properties": {"c": {"$ref": "#"}}}]}`,
		"dependencies": `{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"c": {"properties": {"c": {"$ref": "#"}}}}, "properties": {"c": {"$ref": "#"}}}`,
		"unevaluated":  `{"allOf": [{"properties": {"c": {"$ref": "#"}}}, {"properties": {"c": {"$ref": "#"}}}], "unevaluatedProperties": {"$ref": "#"}}`,
	}
}

func TestACheckEndsWhateverTheSchema(t *testing.T) {
	deep := strings.Repeat(`{"c":`, 100) + "{}" + strings.Repeat("}", 100)
	for name, schema := range branching() {
		t.Run(name, func(t *testing.T) {
			calls := begin(t, "echo 1", withSchema(schema))
			_, fault := call(t, calls, "tool", deep)
			require.Contains(t, fault, "too many values to be checked")
			require.Len(t, calls.Made(), 1)
		})
	}
}

func TestACheckStopsWithItsRun(t *testing.T) {
	calls := begin(t, "echo 1", withSchema(branching()["oneOf"]))
	checker := calls.set.tools["tool"].checker
	failure := errors.New("the run is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(failure)
	require.ErrorIs(t, checker.check(ctx, map[string]any{}, 2), failure)
	require.NoError(t, checker.check(t.Context(), map[string]any{"x": "y", "c": "1"}, 20), "the next one is as before")
}

func TestACheckCountsTowardsTheCallsTime(t *testing.T) {
	calls := begin(t, "echo 1", func(o *Options) {
		withSchema(branching()["oneOf"])(o)
		o.Timeout = time.Nanosecond
	})
	_, fault := call(t, calls, "tool", "{}")
	require.Contains(t, fault, "longer than 1ns")
}

func TestAPatternIsTriedOnShortStringsOnly(t *testing.T) {
	calls := begin(t, "echo 1", withSchema(`{"properties": {"a": {"pattern": "^(x+x+)+y"}}}`))
	_, fault := call(t, calls, "tool", `{"a": "`+strings.Repeat("x", maxMatched+1)+`"}`)
	require.Contains(t, fault, "65536 bytes where the tool's schema has a pattern")
	_, fault = call(t, calls, "tool", `{"a": "`+strings.Repeat("x", maxMatched-1)+`"}`)
	require.Contains(t, fault, "do not fit the tool's schema")
	_, fault = call(t, calls, "tool", `{"a": "xxy"}`)
	require.Empty(t, fault)
}

func TestManyFaultsAreNotAllExplained(t *testing.T) {
	calls := begin(t, "echo 1", withSchema(`{"properties": {"n": {"items": {"type": "string"}}}}`))
	_, fault := call(t, calls, "tool", `{"n":[`+strings.Repeat("1,", 500)+`1]}`)
	require.Contains(t, fault, "/n/0 got number, want string")
	require.LessOrEqual(t, len(fault), maxExplanation+100)
	_, fault = call(t, calls, "tool", `{"n":[`+strings.Repeat("1,", 100_000)+`1]}`)
	require.Equal(t, "the parameters do not fit the tool's schema", fault)
}

func TestSchemasWhoseChecksCannotBeBoundedAreRefused(t *testing.T) {
	for name, schema := range map[string]string{
		"a dynamic reference":   `{"$dynamicAnchor": "a", "properties": {"c": {"$dynamicRef": "#a"}}}`,
		"a recursive reference": `{"$schema": "https://json-schema.org/draft/2019-09/schema", "properties": {"c": {"$recursiveRef": "#"}}}`,
		"a number without end":  `{"maximum": 1e999999}`,
	} {
		t.Run(name, func(t *testing.T) {
			given := options(brought("tool", script(t, "echo 1")))
			given.Brought[0].Schema = json.RawMessage(schema)
			_, err := New(given)
			require.ErrorContains(t, err, "schema")
		})
	}
}

// FuzzCheckParams feeds parameters of any sort to schemas of any sort.
func FuzzCheckParams(f *testing.F) {
	f.Add(`{"n":[1e-1000001]}`, numbers)
	f.Add(`{"n":[0.5, 1, "x", {}]}`, numbers)
	f.Add(`{"c":{"c":{"c":{}}}}`, branching()["oneOf"])
	f.Add(`{"a":"xxy"}`, `{"properties":{"a":{"pattern":"^(x+x+)+y","format":"date-time","enum":[1]}}}`)
	f.Fuzz(func(t *testing.T, params, schema string) {
		if len(schema) > 4<<10 || len(params) > 64<<10 {
			return
		}
		checker, err := compileSchema(json.RawMessage(schema))
		if err != nil {
			return
		}
		_ = (&entry{checker: checker}).checkParams(t.Context(), json.RawMessage(params))
	})
}
