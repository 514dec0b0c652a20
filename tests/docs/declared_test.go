package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// declared is what the project's Go and Python sources declare, tests left out, on
// whatever system.
type declared struct {
	names   map[string]bool     // name, Type.Method, Type.Field, package and package.name
	types   map[string][]string // the packages that export a type of this name, in their order
	command string              // the sources of cmd/runner
}

func (d *declared) has(name string) bool { return d.names[name] }

func readDeclared(t *testing.T) *declared {
	t.Helper()
	d := &declared{names: map[string]bool{}, types: map[string][]string{}}
	for _, folder := range []string{"attacks", "cmd", "images", "internal", "policies"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && !strings.HasSuffix(path, "_test.go") {
				d.read(t, path)
			}
			return err
		})
		require.NoError(t, err)
	}
	for name := range d.types {
		slices.Sort(d.types[name])
		d.types[name] = slices.Compact(d.types[name])
	}
	return d
}

func (d *declared) read(t *testing.T, path string) {
	t.Helper()
	if filepath.Ext(path) != ".go" {
		return
	}
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	if strings.Contains(path, "cmd/runner/") {
		d.command += string(source)
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	d.names[file.Name.Name] = true
	for _, declaration := range file.Decls {
		switch declaration := declaration.(type) {
		case *ast.FuncDecl:
			d.add(file.Name.Name, receiver(declaration)+declaration.Name.Name)
		case *ast.GenDecl:
			for _, spec := range declaration.Specs {
				d.addSpec(file.Name.Name, spec)
			}
		}
	}
}

func (d *declared) add(pkg, name string) {
	d.names[name], d.names[pkg+"."+name] = true, true
}

func (d *declared) addSpec(pkg string, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			d.add(pkg, name.Name)
		}
	case *ast.TypeSpec:
		d.add(pkg, spec.Name.Name)
		if spec.Name.IsExported() {
			d.types[spec.Name.Name] = append(d.types[spec.Name.Name], pkg)
		}
		d.addMembers(pkg, spec)
	}
}

func (d *declared) addMembers(pkg string, spec *ast.TypeSpec) {
	var members *ast.FieldList
	switch kind := spec.Type.(type) {
	case *ast.StructType:
		members = kind.Fields
	case *ast.InterfaceType:
		members = kind.Methods
	default:
		return
	}
	for _, member := range members.List {
		for _, name := range member.Names {
			d.add(pkg, spec.Name.Name+"."+name.Name)
		}
	}
}

// receiver is "Type." for a method.
func receiver(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	kind := function.Recv.List[0].Type
	if pointer, ok := kind.(*ast.StarExpr); ok {
		kind = pointer.X
	}
	if name, ok := kind.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}
