package policy

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

const updateNames = "run `go test ./internal/policy -run 'TestNames' -update`, and look at the difference"

func TestNamesAreTheGuards(t *testing.T) {
	floor := frozenset(t, "_rules.py", "DENIED_BUILTINS")
	builtins := slices.Concat(frozenset(t, "_rules.py", "BUILTINS"), frozenset(t, "_rules.py", "GUARDED_BUILTINS"))
	builtins = slices.DeleteFunc(builtins, func(name string) bool {
		keyword := slices.Contains([]string{"True", "False", "None"}, name)
		return keyword || strings.HasPrefix(name, "_") || slices.Contains(floor, name)
	})
	attributes := slices.Concat(frozenset(t, "_rules.py", "DENIED_ATTRIBUTES"), frozenset(t, "_rules.py", "INTERPRETER_ATTRIBUTES"))
	want := knownNames{Builtins: sortedWords(builtins), FloorBuiltins: sortedWords(floor), FloorAttributes: sortedWords(attributes)}
	if *update {
		after, err := yaml.MarshalWithOptions(want, yaml.IndentSequence(true))
		require.NoError(t, err)
		comment := "# Names that a policy can deny, and those that the guard refuses anyway: copies of\n" +
			"# its tables (hotcell_guard.vetting._rules), which a test compares.\n"
		require.NoError(t, os.WriteFile("../../policies/names/names.yaml", append([]byte(comment), after...), 0o644))
		return
	}
	names, err := loadedNames()
	require.NoError(t, err)
	names.Attributes = nil
	require.Equal(t, want, names, updateNames)
}

func TestMisspeltDenialsAreRefused(t *testing.T) {
	full, err := os.ReadFile("testdata/full.yaml")
	require.NoError(t, err)
	for _, test := range []struct{ key, name, words string }{
		{"denied_builtins", "pritn", "pritn is no builtin that a script has: is print meant?"},
		{"denied_builtins", "Open", "is open meant?"},
		{"denied_builtins", "frobnicate", "it would deny nothing"},
		{"denied_builtins", "eval", "eval is below the guard's floor"},
		{"denied_builtins", "print", ""},
		{"denied_builtins", "open", ""},
		{"denied_attributes", "to_cvs", "is no attribute of anything in the image's packages: is to_c"},
		{"denied_attributes", "savfig", "is savefig meant?"},
		{"denied_attributes", "frobnicate_all_of_it", "it would deny nothing"},
		{"denied_attributes", "read_pickle", "below the guard's floor"},
		{"denied_attributes", "read_pickle_", "below the guard's floor"},
		{"denied_attributes", "f_globals", "below the guard's floor"},
		{"denied_attributes", "__name__", "which the guard decides"},
		{"denied_attributes", "_mgr", "which the guard decides"},
		{"denied_attributes", "to_csv", ""},
		{"denied_attributes", "nobs", ""},
		{"denied_attributes", "a-b", "is not valid"},
		{"denied_attributes", "to_csv, to_csv", "the same stands twice"},
		{"denied_syntax", "Improt", "is not valid"},
	} {
		t.Run(test.key+"/"+test.name, func(t *testing.T) {
			lines := strings.Split(string(full), "\n")
			for index, line := range lines {
				if strings.HasPrefix(line, "  "+test.key+":") {
					lines[index] = "  " + test.key + ": [" + test.name + "]"
				}
			}
			_, err := load("full", []byte(strings.Join(lines, "\n")))
			if test.words == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, ErrInvalid)
			if test.key != "denied_syntax" {
				require.ErrorContains(t, err, test.words)
			}
		})
	}
}
