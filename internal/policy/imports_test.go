package policy

import (
	"flag"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/policies"
)

// guard is where the guard's own tables are.
const guard = "../../images/python-analysis/guard/src/hotcell_guard/vetting/"

var update = flag.Bool("update", false, "take the guard's tables over into policies/imports/floor.yaml")

func TestFloorIsTheGuards(t *testing.T) {
	want := importFloor{
		Denied:           frozenset(t, "_floor.py", "DENIED_IMPORTS"),
		DeniedSubmodules: frozenset(t, "_floor.py", "DENIED_SUBMODULES"),
		Exceptions: sortedWords(slices.Concat(
			frozenset(t, "_floor.py", "IMPORT_EXCEPTIONS"), frozenset(t, "_floor.py", "IMPORT_STAND_INS"))),
	}
	if *update {
		writeFloor(t, want)
		return
	}
	floor, err := loadedFloor()
	require.NoError(t, err)
	require.Equal(t, want, floor, "run `go test ./internal/policy -run TestFloorIsTheGuards -update`, and look at the difference")
}

// writeFloor keeps the file's own comment.
func writeFloor(t *testing.T, floor importFloor) {
	t.Helper()
	const file = "../../policies/imports/floor.yaml"
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	comment, _, found := strings.Cut(string(before), "denied:\n")
	require.True(t, found)
	after, err := yaml.MarshalWithOptions(floor, yaml.IndentSequence(true))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append([]byte(comment), after...), 0o644))
}

// frozenset reads NAME: Final = frozenset(…) of words, in one text or in a tuple.
func frozenset(t *testing.T, file, name string) []string {
	t.Helper()
	source, err := os.ReadFile(guard + file)
	require.NoError(t, err)
	found := regexp.MustCompile(`(?ms)^` + name + `: Final = frozenset\((.+?)\)$`).FindSubmatch(source)
	require.NotNil(t, found, "%s is written in another way", name)
	var words []string
	for _, quoted := range regexp.MustCompile(`(?s)"""(.+?)"""|"([^"]+)"`).FindAllSubmatch(found[1], -1) {
		words = append(words, strings.Fields(string(quoted[1])+string(quoted[2]))...)
	}
	return sortedWords(words)
}

func sortedWords(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

func TestFloorDeniesAModuleWithAllBelowIt(t *testing.T) {
	floor, err := loadedFloor()
	require.NoError(t, err)
	for module, want := range map[string]bool{
		"os": false, "os.x": true, "sys": false, "sys.x": true, "os.path": false, "os.path.x": true, "posix": true, "subprocess": true, "importlib.metadata": false, "importlib.resources": true,
		"numpy.f2py": true, "numpy.f2py.x": true, "numpy.f2pyx": false,
		"matplotlib.backends": true, "matplotlib.backends.backend_pdf": false, "urllib.request": true, "urllib.parse": false, "osmium": false, "numpy": false,
	} {
		require.Equal(t, want, floor.denies(module), module)
	}
}

func TestImportProfilesAreKnownAndHarmless(t *testing.T) {
	schema, err := Schema()
	require.NoError(t, err)
	floor, err := loadedFloor()
	require.NoError(t, err)
	files, err := fs.Glob(policies.Files, "imports/*.yaml")
	require.NoError(t, err)
	require.Len(t, files, 5)
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "imports/"), ".yaml")
		if name == "floor" {
			continue
		}
		require.Contains(t, string(schema), `"`+name+`"`)
		profile, err := importProfile(name)
		require.NoError(t, err)
		require.NotEmpty(t, profile.Description)
		require.True(t, slices.IsSorted(profile.Imports), name)
		require.Len(t, slices.Compact(slices.Clone(profile.Imports)), len(profile.Imports), name)
		for _, module := range profile.Imports {
			require.False(t, floor.denies(module), module)
			require.Regexp(t, `^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*$`, module)
		}
	}
}

func TestProfilesAreJoinedWithThePolicysOwnImports(t *testing.T) {
	policy, _ := full(t)
	standard, err := importProfile("standard")
	require.NoError(t, err)
	require.Subset(t, policy.Guard.Imports, standard.Imports)
	require.Subset(t, policy.Guard.Imports, []string{"numpy", "scipy.stats"})
	require.Len(t, policy.Guard.Imports, len(standard.Imports)+2)
	require.True(t, slices.IsSorted(policy.Guard.Imports))
}

func TestProfilesIncludeOthers(t *testing.T) {
	profiles, err := importProfiles([]string{"common"})
	require.NoError(t, err)
	require.Len(t, profiles, 3)
	require.Subset(t, joinImports(profiles, nil), []string{"math", "pandas", "requests"})
}

func TestDigestCoversTheImportProfiles(t *testing.T) {
	_, text := full(t)
	profiles, err := importProfiles([]string{"standard"})
	require.NoError(t, err)
	before := sumOf([]byte(text), profiles)
	changed := profiles["standard"]
	changed.source = append(slices.Clone(changed.source), "  - ftplib\n"...)
	require.NotEqual(t, before, sumOf([]byte(text), map[string]ImportProfile{"standard": changed}))
	require.NotEqual(t, before, sumOf([]byte(text), nil))
}

func TestDigestIsWhatTheDocumentationSays(t *testing.T) {
	policy, text := builtin(t, "study-analysis")
	named := []byte(text)
	for _, profile := range []string{"analysis", "common", "scripting", "standard"} {
		data, err := fs.ReadFile(policies.Files, "imports/"+profile+".yaml")
		require.NoError(t, err)
		named = append(named, data...)
	}
	require.Equal(t, digest.Of(named).Hex(), policy.SHA256)
}
