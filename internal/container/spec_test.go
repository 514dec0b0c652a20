package container_test

import (
	"reflect"
	"slices"
	"testing"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// distinguishes tells of each field of a Spec whether an idle sandbox shows it, and so
// whether Key counts it.
var distinguishes = map[string]bool{
	"Image": true, "Bundle": true, "Runtime": true, "Command": true, "Environment": true, "Seccomp": true,
	"Limits.MemoryBytes": true, "Limits.PIDs": true, "Limits.CPUMillis": true, "Limits.CPUTime": true,
	"Limits.OpenFiles": true, "Limits.ScratchBytes": true, "Limits.OutputBytes": true, "Limits.OutputFiles": true,
	"Limits.WallClock": true,

	"Limits.StdoutBytes": false, "Limits.StderrBytes": false, "Limits.CodeBytes": false,
	"Tightened.MemoryBytes": false, "Tightened.PIDs": false, "Tightened.CPUMillis": false,
	"Optional": false,
}

func TestKeyCountsWhatDistinguishesSandboxes(t *testing.T) {
	unseen := map[string]bool{}
	for path := range distinguishes {
		unseen[path] = true
	}
	spec := configSpec()
	key := spec.Key()
	require.Equal(t, key, configSpec().Key())
	eachField(t, "", reflect.ValueOf(&spec).Elem(), func(path string, field reflect.Value) {
		counted, known := distinguishes[path]
		require.True(t, known, "container.Spec.%s is new: say here, and in Key, whether it distinguishes idle sandboxes", path)
		delete(unseen, path)
		before := reflect.New(field.Type()).Elem()
		before.Set(field)
		change(t, field)
		require.Equal(t, counted, spec.Key() != key, path)
		field.Set(before)
		require.Equal(t, key, spec.Key(), "%s was set back", path)
	})
	require.Empty(t, unseen, "there are no such fields")
}

// eachField yields the fields of a struct by their dotted names.
func eachField(t *testing.T, prefix string, value reflect.Value, yield func(path string, field reflect.Value)) {
	for index := range value.NumField() {
		name, field := prefix+value.Type().Field(index).Name, value.Field(index)
		if field.Kind() == reflect.Struct {
			eachField(t, name+".", field, yield)
			continue
		}
		yield(name, field)
	}
}

func change(t *testing.T, field reflect.Value) {
	t.Helper()
	switch value := field.Interface().(type) {
	case []string:
		field.Set(reflect.ValueOf(append(slices.Clip(value), "x")))
	case *specs.LinuxSeccomp:
		changed := *value
		changed.Syscalls = []specs.LinuxSyscall{{Names: []string{"write"}, Action: specs.ActAllow}}
		field.Set(reflect.ValueOf(&changed))
	default:
		switch field.Kind() {
		case reflect.String:
			field.SetString(field.String() + "x")
		case reflect.Int64:
			field.SetInt(field.Int() + 1)
		default:
			t.Fatalf("change a %s here", field.Type())
		}
	}
}

func TestEnforcedIsWhatWasTightenedAndElseTheSpecs(t *testing.T) {
	spec := configSpec()
	require.Equal(t, spec.Limits, spec.Enforced())
	want := spec.Limits
	want.PIDs = 20
	spec.Tightened.PIDs = 20
	require.Equal(t, want, spec.Enforced())
	want.MemoryBytes, want.CPUMillis = 1<<20, 500
	spec.Tightened = container.TightenedTo(want)
	require.Equal(t, want, spec.Enforced())
	require.NoError(t, spec.Validate())
}

func TestValidateRefusesToLoosen(t *testing.T) {
	limits := configSpec().Limits
	for name, tightened := range map[string]container.Tightened{
		"memory": {MemoryBytes: limits.MemoryBytes + 1}, "pids": {PIDs: limits.PIDs + 1}, "cpus": {CPUMillis: limits.CPUMillis + 1},
		"memory of -1": {MemoryBytes: -1}, "pids of -1": {PIDs: -1}, "cpus of -1": {CPUMillis: -1},
	} {
		spec := configSpec()
		spec.Tightened = tightened
		require.ErrorContains(t, spec.Validate(), name)
	}
}

func TestASandboxIsTightenedToLessAndToNothingElse(t *testing.T) {
	spec := configSpec()
	for name, same := range map[string]container.Tightened{
		"nothing is asked for": {}, "the Spec's own limits are": container.TightenedTo(spec.Limits), "one of them is": {PIDs: spec.Limits.PIDs},
	} {
		next, less, err := spec.Tighten(same)
		require.NoError(t, err, name)
		require.False(t, less, name)
		require.Equal(t, spec.Enforced(), next.Enforced(), name)
	}
	next, less, err := spec.Tighten(container.Tightened{PIDs: 20})
	require.NoError(t, err)
	require.True(t, less)
	require.EqualValues(t, 20, next.Enforced().PIDs)
	require.Equal(t, spec.Limits, next.Limits)
	require.Zero(t, spec.Tightened)
	for name, looser := range map[string]container.Tightened{
		"pids of 21": {PIDs: 21}, "pids": {}, "memory": {MemoryBytes: spec.Limits.MemoryBytes + 1, PIDs: 20}, "cpus of -1": {PIDs: 20, CPUMillis: -1},
	} {
		_, _, err := next.Tighten(looser)
		require.ErrorContains(t, err, name)
		require.ErrorContains(t, err, "does not tighten")
	}
}

func TestConfigHasWhatIsEnforced(t *testing.T) {
	spec := configSpec()
	spec.Tightened = container.Tightened{MemoryBytes: 64 << 20, PIDs: 16, CPUMillis: 500}
	resources := buildConfig(t, spec, configPaths()).Linux.Resources
	require.EqualValues(t, 64<<20, *resources.Memory.Limit)
	require.EqualValues(t, 64<<20, *resources.Memory.Swap)
	require.EqualValues(t, 16, *resources.Pids.Limit)
	require.EqualValues(t, 50_000, *resources.CPU.Quota)
}

// What is configured is JSON, which has no other text: another program, or another
// environment, would be run than was asked for, under the name of both.
func TestASpecIsText(t *testing.T) {
	for name, change := range map[string]func(*container.Spec, string){
		"environment": func(s *container.Spec, text string) { s.Environment = append(s.Environment, "X="+text) },
		"command":     func(s *container.Spec, text string) { s.Command = append(s.Command, text) },
		"runtime":     func(s *container.Spec, text string) { s.Runtime = text },
	} {
		one, other := configSpec(), configSpec()
		change(&one, "a\xff")
		change(&other, "a\xfe")
		if one.Validate() == nil {
			require.NotEqual(t, one.Key(), other.Key(), name)
		}
		require.Error(t, one.Validate(), name)
		nul := configSpec()
		change(&nul, "a\x00b")
		require.Error(t, nul.Validate(), name)
	}
}
