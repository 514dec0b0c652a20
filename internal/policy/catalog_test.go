package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hotcell/policies"
)

func TestCatalogServesTheAdministratorsDirectory(t *testing.T) {
	_, good := builtin(t, "study-analysis")
	dir := t.TempDir()
	own := strings.Replace(good, "name: study-analysis", "name: own", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "own.yaml"), []byte(own), 0o644))
	catalog := NewCatalog(policies.Files, dir)
	names, err := catalog.Names()
	require.NoError(t, err)
	require.Subset(t, names, []string{"own", "study-analysis"})
	policy, err := catalog.Get("own")
	require.NoError(t, err)
	require.Equal(t, "own", policy.Name)

	beside := filepath.Join(dir, "own.py")
	example := func() (string, error) {
		found, err := catalog.Find("own")
		require.NoError(t, err)
		return catalog.Example(found)
	}
	text, err := example()
	require.NoError(t, err)
	require.Empty(t, text)
	require.NoError(t, os.WriteFile(beside, []byte("1\n"), 0o644))
	text, err = example()
	require.NoError(t, err)
	require.Equal(t, "1\n", text)
	require.NoError(t, os.Chmod(beside, 0o666))
	_, err = example()
	require.ErrorContains(t, err, "chmod go-w")
	require.NoError(t, os.Remove(beside))
	require.NoError(t, os.WriteFile(beside, make([]byte, maxExample+1), 0o644))
	_, err = example()
	require.ErrorContains(t, err, "more than 8192 bytes")
}

func TestEveryBuiltInPolicyHasAnExample(t *testing.T) {
	catalog := NewCatalog(policies.Files, "")
	names, err := catalog.Names()
	require.NoError(t, err)
	for _, name := range names {
		found, err := catalog.Find(name)
		require.NoError(t, err)
		text, err := catalog.Example(found)
		require.NoError(t, err)
		require.Equal(t, found.Policy.Guard.Mode != GuardOff, text != "", "%s: what no guard vets needs none", name)
	}
	files, err := policies.Files.ReadDir("examples")
	require.NoError(t, err)
	require.Len(t, files, len(names)-1, "each is of a policy")
}

func TestCatalogRefuses(t *testing.T) {
	_, good := builtin(t, "study-analysis")
	own := []byte(strings.Replace(good, "name: study-analysis", "name: own", 1))
	for name, test := range map[string]struct {
		prepare func(t *testing.T, dir string)
		ask     string
		want    string
	}{
		"a name that nobody has":       {func(*testing.T, string) {}, "nope", "known are"},
		"a path as a name":             {func(*testing.T, string) {}, "../study-analysis", "unknown policy"},
		"a directory others may write": {func(t *testing.T, dir string) { require.NoError(t, os.Chmod(dir, 0o777)) }, "study-analysis", "chmod go-w"},
		"a file others may write": {func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "own.yaml"), own, 0o600))
			require.NoError(t, os.Chmod(filepath.Join(dir, "own.yaml"), 0o666))
		}, "own", "chmod go-w"},
		"a built-in policy's name": {func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "study-analysis.yaml"), []byte(good), 0o600))
		}, "study-analysis", "rename it"},
		"a link out of the directory": {func(t *testing.T, dir string) {
			outside := filepath.Join(t.TempDir(), "own.yaml")
			require.NoError(t, os.WriteFile(outside, own, 0o600))
			require.NoError(t, os.Symlink(outside, filepath.Join(dir, "own.yaml")))
		}, "own", "escapes"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.Chmod(dir, 0o755))
			test.prepare(t, dir)
			_, err := NewCatalog(policies.Files, dir).Get(test.ask)
			require.ErrorContains(t, err, test.want)
		})
	}
}

// Whoever may write above the directory puts another one of the administrator's in its
// place: one that was moved away for its looser policies.
func TestCatalogRefusesADirectoryThatOthersCouldExchange(t *testing.T) {
	for name, open := range map[string]func(t *testing.T, above string){
		"everybody": func(t *testing.T, above string) { require.NoError(t, os.Chmod(above, 0o757)) },
		"a group": func(t *testing.T, above string) {
			require.NoError(t, os.Chown(above, -1, 65534))
			require.NoError(t, os.Chmod(above, 0o775))
		},
		"its owner": func(t *testing.T, above string) { require.NoError(t, os.Chown(above, 65534, -1)) },
	} {
		for _, below := range []string{"policies", "hotcell/policies"} {
			t.Run(name+" above "+below, func(t *testing.T) {
				if os.Geteuid() != 0 {
					t.Skip("needs root")
				}
				above := t.TempDir()
				dir := filepath.Join(above, below)
				require.NoError(t, os.MkdirAll(dir, 0o755))
				_, err := NewCatalog(policies.Files, dir).Get("study-analysis")
				require.NoError(t, err)
				open(t, above)
				for _, path := range []string{dir, filepath.Join(above, "absent")} {
					_, err = NewCatalog(policies.Files, path).Get("study-analysis")
					require.ErrorContains(t, err, above+" is above it")
				}
			})
		}
	}
}

func TestCatalogWorksWithoutADirectory(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent")
	names, err := NewCatalog(fstest.MapFS{"a.yaml": {}}, absent).Names()
	require.NoError(t, err)
	require.NoDirExists(t, absent, "looking makes nothing")
	require.Equal(t, []string{"a"}, names)
}
