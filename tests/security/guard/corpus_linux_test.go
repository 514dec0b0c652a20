// Package guard_test attacks the guard alone: Python that tries to get out of
// Python, with no container around it, and proves that each attempt works where
// there is no guard.
package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/selftest"
)

// classes are those of docs/guard.md: the thirteen ways round a guard that is
// written in the language it guards.
var classes = map[string]string{
	"G01": "module gadgets",
	"G02": "import forms",
	"G03": "attributes without attribute syntax",
	"G04": "calls without call syntax",
	"G05": "frames",
	"G06": "strings that libraries evaluate",
	"G07": "deserialisers",
	"G08": "files and network through libraries",
	"G09": "blind spots of the syntax",
	"G10": "source text that is read in two ways",
	"G11": "life time",
	"G12": "native memory",
	"G13": "unwrapping the guard",
}

// leastPerClass keeps every class a class: one attempt is a case.
const leastPerClass = 10

// attempt is one program of attacks/attempts/<class>/<name>.py. Its doc string says what
// it tries and is not part of what runs. It prints ESCAPED:<name>, and only when
// it holds evidence.
type attempt struct {
	Name   string `json:"name"`
	Source []byte `json:"source"` // base64 in JSON

	class string
	// throughRunner says that it is run in a whole sandbox, too.
	throughRunner bool
	// beyond says that the guard cannot hold it: a library's C code leaves its
	// arrays. What it reaches is its own process, and that is in the sandbox.
	beyond bool
}

// attempts is the corpus, in which every class is one of the thirteen.
func attempts(t *testing.T) []attempt {
	t.Helper()
	loaded, err := selftest.BuiltIn()
	require.NoError(t, err)
	var corpus []attempt
	for _, a := range loaded.Attempts {
		require.NotEmpty(t, classes[a.Class], "%s is in no class", a.Name)
		corpus = append(corpus, attempt{Name: a.Name, Source: a.Source, class: a.Class, throughRunner: a.Selected, beyond: a.Beyond})
	}
	return corpus
}
