package policy

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/image/imagetest"
	"hotcell/policies"
)

// imagePython runs a program with the image's Python, on its root file system
// alone, and returns what it prints.
func imagePython(t *testing.T, program, input string) string {
	t.Helper()
	rootfs := imagetest.Rootfs(t)
	command := exec.CommandContext(t.Context(), "/usr/bin/python3", "-sBP", "-W", "ignore", "-c", program)
	command.SysProcAttr = &syscall.SysProcAttr{Chroot: rootfs, Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWPID}
	command.Dir = "/"
	command.Env = []string{"LANG=C.UTF-8", "HOME=/nonexistent", "MPLBACKEND=agg"}
	command.Stdin = strings.NewReader(input)
	command.Stderr = os.Stderr
	output, err := command.Output()
	require.NoError(t, err)
	return string(output)
}

const importAll = `
import importlib, json, sys
missing = {}
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
    except Exception as error:
        missing[name] = repr(error)
print(json.dumps(missing))
`

func TestTheImageHasEveryModuleThatAPolicyNames(t *testing.T) {
	catalog := NewCatalog(policies.Files, "")
	names, err := catalog.Names()
	require.NoError(t, err)
	profiles, err := importProfiles([]string{"common"})
	require.NoError(t, err)
	modules := joinImports(profiles, nil)
	for _, name := range names {
		policy, err := catalog.Get(name)
		require.NoError(t, err)
		modules = append(modules, policy.Guard.Imports...)
		for _, module := range policy.Guard.Preloaded {
			modules = append(modules, module)
		}
	}
	input, err := json.Marshal(sortedWords(modules))
	require.NoError(t, err)
	require.JSONEq(t, "{}", imagePython(t, importAll, string(input)))
}

const listSyntax = `
import ast, json
old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice"}
def below(kind):
    for sub in kind.__subclasses__():
        yield sub.__name__
        yield from below(sub)
print(json.dumps(sorted({n for k in (ast.stmt, ast.expr, ast.pattern, ast.type_param) for n in below(k)} - old)))
`

func TestTheSchemaKnowsEveryClassOfSyntax(t *testing.T) {
	var classes []string
	require.NoError(t, json.Unmarshal([]byte(imagePython(t, listSyntax, "")), &classes))
	schema, err := loadedSchema()
	require.NoError(t, err)
	known := schema.document
	for _, step := range []string{"properties", "guard", "properties", "denied_syntax", "items", "enum"} {
		known = known.(map[string]any)[step]
	}
	want := []any{}
	for _, class := range classes {
		want = append(want, class)
	}
	require.ElementsMatch(t, want, known)
}
