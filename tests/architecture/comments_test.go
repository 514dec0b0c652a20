package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryExportedFunctionHasAComment holds those that the linter passes over: methods
// called Error, Read, String, Unwrap or Write, and those of types that are not exported.
func TestEveryExportedFunctionHasAComment(t *testing.T) {
	read := 0
	for _, root := range []string{"../../api", "../../client", "../../cmd", "../../internal"} {
		require.NoError(t, filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, declaration := range file.Decls {
				function, ok := declaration.(*ast.FuncDecl)
				if !ok || !function.Name.IsExported() {
					continue
				}
				read++
				if function.Doc == nil {
					t.Errorf("%s: %s has no comment", name, function.Name)
				}
			}
			return nil
		}))
	}
	require.NotZero(t, read)
}
