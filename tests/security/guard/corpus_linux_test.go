// Package guard_test attacks the guard alone: Python that tries to get out of
// Python, with no container around it, and proves that each attempt works where
// there is no guard.
package guard_test

import (
	"bytes"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed attempts/*/*.py
var sources embed.FS

// classes are those of the threat model: the thirteen ways round a guard that is
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

// attempt is one program of attempts/<class>/<name>.py. Its doc string says what
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

// attempts reads the corpus and refuses one that does not say what it tries.
func attempts(t *testing.T) []attempt {
	t.Helper()
	files, err := fs.Glob(sources, "attempts/*/*.py")
	require.NoError(t, err)
	var corpus []attempt
	seen := make(map[string]string)
	for _, file := range files {
		text, err := sources.ReadFile(file)
		require.NoError(t, err)
		a, err := parse(file, string(text))
		require.NoError(t, err)
		require.Empty(t, seen[a.Name], "two attempts are called %s", a.Name)
		seen[a.Name] = file
		corpus = append(corpus, a)
	}
	return corpus
}

func parse(file, text string) (attempt, error) {
	a := attempt{Name: strings.TrimSuffix(path.Base(file), ".py"), class: path.Base(path.Dir(file))}
	if classes[a.class] == "" {
		return a, fmt.Errorf("%s is in no class", file)
	}
	parts := strings.SplitN(text, `"""`, 3)
	if len(parts) != 3 || parts[0] != "" || strings.TrimSpace(parts[1]) == "" {
		return a, fmt.Errorf("%s has no doc string", file)
	}
	a.Source = []byte(strings.TrimPrefix(parts[2], "\n"))
	if err := a.readHeader(parts[1]); err != nil {
		return a, fmt.Errorf("%s: %w", file, err)
	}
	return a, nil
}

// readHeader reads the lines after the first; those without a colon are prose.
func (a *attempt) readHeader(header string) error {
	for _, line := range strings.Split(header, "\n")[1:] {
		switch {
		case line == "Bytes: escaped":
			a.Source = repetitions.ReplaceAllFunc(a.Source, repeat)
			a.Source = escapes.ReplaceAllFunc(a.Source, unescape)
		case line == "Sandbox: yes":
			a.throughRunner = true
		case line == "Held by: the sandbox":
			a.throughRunner, a.beyond = true, true
		case strings.Contains(line, ": "):
			return fmt.Errorf("unknown line %q", line)
		}
	}
	return nil
}

// escapes are bytes that an editor would not keep: <<0d>>.
var escapes = regexp.MustCompile(`<<(?:[0-9a-f]{2})+>>`)

func unescape(match []byte) []byte {
	decoded, err := hex.DecodeString(string(match[2 : len(match)-2]))
	if err != nil {
		panic(err) // the expression lets nothing else through
	}
	return decoded
}

// repetitions are what nobody wants to read: <<80 times (>>.
var repetitions = regexp.MustCompile(`<<([0-9]+) times (.*?)>>`)

func repeat(match []byte) []byte {
	parts := repetitions.FindSubmatch(match)
	count, err := strconv.Atoi(string(parts[1]))
	if err != nil {
		panic(err) // a corpus of ours
	}
	return bytes.Repeat(parts[2], count)
}
