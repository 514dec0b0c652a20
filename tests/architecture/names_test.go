package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pythonClass is how Python's exceptions and the guard's are called.
var pythonClass = regexp.MustCompile(`^(\w+\.)*[A-Z]\w*(Error|Exception|Fault|Warning)$`)

// TestNoClassOfPythonDecides: what the guard says beyond words is a term of the
// protocol (internal/wire). A script can give any class any name.
func TestNoClassOfPythonDecides(t *testing.T) {
	read := 0
	for _, root := range []string{"../../cmd", "../../internal"} {
		require.NoError(t, filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			read++
			for _, text := range texts(t, name) {
				if pythonClass.MatchString(text) {
					t.Errorf("%s names the class %q: let the guard send a term of the protocol", name, text)
				}
			}
			return nil
		}))
	}
	require.NotZero(t, read)
	require.Regexp(t, pythonClass, "ResultTooLargeError")
}

// texts returns the string literals of a file.
func texts(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var found []string
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			found = append(found, text)
		}
		return true
	})
	return found
}
