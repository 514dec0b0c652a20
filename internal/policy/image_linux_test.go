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
	"hotcell/internal/wire"
	"hotcell/policies"
)

// imagePython runs a program with the image's Python, on its root file system
// alone, and returns what it prints. The file system is mounted read-only: root
// could write to it, and libraries do, into the home directory's cache. What is
// written there would be in every sandbox.
func imagePython(t *testing.T, program, input string) string {
	t.Helper()
	rootfs := imagetest.Rootfs(t)
	const readOnly = `
mount --bind "$ROOTFS" "$ROOTFS"
mount -o remount,bind,ro "$ROOTFS"
mount -t tmpfs tmpfs "$ROOTFS/tmp"
cp -r "$ROOTFS/usr/share/hotcell/matplotlib" "$ROOTFS/tmp/matplotlib"
exec env -i LANG=C.UTF-8 HOME=/tmp MPLCONFIGDIR=/tmp/matplotlib MPLBACKEND=agg "$(command -v chroot)" "$ROOTFS" /usr/bin/python3 -sBP -W ignore -c "$1"
`
	command := exec.CommandContext(t.Context(), "sh", "-euc", readOnly, "sh", program)
	command.SysProcAttr = &syscall.SysProcAttr{
		Unshareflags: syscall.CLONE_NEWNS, // Go makes its mounts private
		Cloneflags:   syscall.CLONE_NEWNET | syscall.CLONE_NEWPID,
	}
	command.Env = append(os.Environ(), "ROOTFS="+rootfs)
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
			module, _, _ = strings.Cut(module, ":")
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
	schema, err := Schema()
	require.NoError(t, err)
	var known any
	require.NoError(t, json.Unmarshal(schema, &known))
	for _, step := range []string{"properties", "guard", "properties", "denied_syntax", "items", "enum"} {
		known = known.(map[string]any)[step]
	}
	want := []any{}
	for _, class := range classes {
		want = append(want, class)
	}
	require.ElementsMatch(t, want, known)
}

func TestKeywordsOfTheImagesPythonAreReserved(t *testing.T) {
	keywords := strings.Fields(imagePython(t, "import keyword; print(*keyword.kwlist)", ""))
	require.Greater(t, len(keywords), 30)
	for _, keyword := range keywords {
		require.True(t, wire.IsReserved(keyword), keyword)
	}
}

// listAttributes prints the public names of every loaded module and class, and those
// that their code reads or sets, which are the ones that only objects have.
const listAttributes = `
import importlib, json, sys, types
for name in json.load(sys.stdin):
    importlib.import_module(name)
found = set()
def code(of):
    found.update(of.co_names)
    for constant in of.co_consts:
        if isinstance(constant, types.CodeType):
            code(constant)
def look(cls):
    found.update(dir(cls))
    for value in vars(cls).values():
        for one in (value, getattr(value, "__func__", None), getattr(value, "fget", None), getattr(value, "func", None)):
            if isinstance(one, types.FunctionType):
                code(one.__code__)
for module in [m for n, m in list(sys.modules.items()) if isinstance(m, types.ModuleType) and n != "__main__"]:
    for name, value in list(vars(module).items()):
        found.add(name)
        if isinstance(value, type):
            look(value)
        elif isinstance(value, types.FunctionType):
            code(value.__code__)
print(*sorted(n for n in found if type(n) is str and n.isidentifier() and n.isascii() and not n.startswith("_")), sep="\n")
`

func TestNamesOfAttributesAreTheImages(t *testing.T) {
	profiles, err := importProfiles([]string{"common"})
	require.NoError(t, err)
	input, err := json.Marshal(joinImports(profiles, nil))
	require.NoError(t, err)
	listed := imagePython(t, listAttributes, string(input))
	if *update {
		require.NoError(t, os.WriteFile("../../policies/names/attributes.txt", []byte(listed), 0o644))
		return
	}
	names, err := loadedNames()
	require.NoError(t, err)
	require.Equal(t, strings.Fields(listed), names.Attributes, updateNames)
}
