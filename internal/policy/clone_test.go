package policy_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/policy"
	"hotcell/policies"
)

// places collects the addresses of all memory that a value can be changed through.
func places(value reflect.Value, into map[uintptr]bool) {
	switch value.Kind() {
	case reflect.Struct:
		for _, field := range value.Fields() {
			places(field, into)
		}
	case reflect.Slice:
		if value.Len() > 0 {
			into[value.Pointer()] = true
		}
		for index := range value.Len() {
			places(value.Index(index), into)
		}
	case reflect.Map:
		if !value.IsNil() {
			into[value.Pointer()] = true
		}
		for _, member := range value.Seq2() {
			places(member, into)
		}
	case reflect.Pointer:
		if !value.IsNil() {
			into[value.Pointer()] = true
			places(value.Elem(), into)
		}
	case reflect.Interface:
		if !value.IsNil() {
			places(value.Elem(), into)
		}
	default:
	}
}

func TestAClonedPolicySharesNothing(t *testing.T) {
	catalog := policy.NewCatalog(policies.Files, "")
	names, err := catalog.Names()
	require.NoError(t, err)
	for _, name := range names {
		original, err := catalog.Get(name)
		require.NoError(t, err)
		original.Tools = &policy.Tools{Allowed: []string{"a"}, Registry: []policy.Tool{{
			Name: "a", Command: []string{"/a"}, Schema: map[string]any{"enum": []any{uint64(1), nil, map[string]any{"deep": 1.5}}},
		}}}
		clone := original.Clone()
		require.Equal(t, original, clone)
		own, others := map[uintptr]bool{}, map[uintptr]bool{}
		places(reflect.ValueOf(original), own)
		places(reflect.ValueOf(clone), others)
		require.Len(t, others, len(own))
		for place := range others {
			require.NotContains(t, own, place)
		}
	}
}
