package policy

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"testing/quick"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/wire"
	"hotcell/policies"
)

func builtin(t testing.TB, name string) (Policy, string) {
	t.Helper()
	data, err := fs.ReadFile(policies.Files, name+".yaml")
	require.NoError(t, err)
	policy, err := Load(name, data)
	require.NoError(t, err)
	return policy, string(data)
}

func TestEveryBuiltInPolicyLoads(t *testing.T) {
	names, err := NewCatalog(policies.Files, "").Names()
	require.NoError(t, err)
	require.Contains(t, names, "study-analysis")
	for _, name := range names {
		policy, _ := builtin(t, name)
		_, err := Resolve(policy, job.Overrides{})
		require.NoError(t, err)
	}
}

func TestStudyAnalysisKeepsWhatItsUsersHave(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	terms, err := Resolve(policy, job.Overrides{})
	require.NoError(t, err)
	require.Equal(t, 300*time.Second, terms.Limits.WallClock)
	require.Equal(t, int64(200_000), terms.Limits.StdoutBytes)
	require.Equal(t, int64(512<<20), terms.Limits.MemoryBytes)
	require.Equal(t, int64(64), terms.Limits.PIDs)
	require.Equal(t, int64(64), terms.Limits.OutputFiles)
	require.Equal(t, 20, policy.Guard.MaxFigures)
	require.Equal(t, KeepCodeOnSuccess, policy.Record.KeepCode)
	require.Len(t, policy.SHA256, 64)
}

func TestLoadRefuses(t *testing.T) {
	_, good := builtin(t, "study-analysis")
	replace := func(old, new string) string {
		require.Contains(t, good, old)
		return strings.Replace(good, old, new, 1)
	}
	for name, test := range map[string]struct{ text, want string }{
		"an empty file":             {"", "exactly one YAML document"},
		"two documents":             {good + "---\n" + good, "exactly one YAML document"},
		"invalid UTF-8":             {good + "# \xff", "UTF-8"},
		"a file without end":        {good + strings.Repeat("#", maxPolicyBytes), "at most"},
		"an unknown key":            {replace("  pids: 64", "  pids: 64\n  pidz: 1"), "line 11: unknown key limits.pidz"},
		"an unknown key on top":     {good + "networking: true\n", "unknown key networking"},
		"a duplicate key":           {replace("  pids: 64", "  pids: 64\n  pids: 65"), "[11:"},
		"a case variant":            {replace("  pids: 64", "  Pids: 64"), "unknown key limits.Pids"},
		"a missing key":             {replace("  pids: 64\n", ""), "pids"},
		"a missing section":         {replace("record:\n  keep_code: on_success\n", ""), "record"},
		"zero as no limit":          {replace("pids: 64", "pids: 0"), "line 10: limits.pids"},
		"a negative limit":          {replace("pids: 64", "pids: -1"), "limits.pids"},
		"a size without unit":       {replace("512MiB", "512"), "limits.memory"},
		"an empty size":             {replace("512MiB ", "\"\" "), "limits.memory"},
		"a wall clock of null":      {replace("wall_clock: 300s", "wall_clock: null"), "limits.wall_clock"},
		"an unknown control":        {replace("[user_namespace,", "[user_namespaces,"), "optional_controls"},
		"no media type":             {replace("max_depth: 4", "max_depth: 0"), "max_depth"},
		"an unknown media type":     {replace("application/pdf", "application/zip"), "output.media_types"},
		"an import with a star":     {replace("- collections\n", "- '*'\n"), "guard.imports.1"},
		"a private import":          {replace("- collections\n", "- _thread\n"), "guard.imports.1"},
		"an import twice":           {replace("- collections\n", "- math\n"), "guard.imports"},
		"another version":           {replace("version: 1", "version: 2"), "version"},
		"another policy's name":     {replace("name: study-analysis", "name: other"), "named like its file"},
		"an anchor":                 {replace("limits:", "limits: &x"), "anchors"},
		"an alias":                  {replace("[user_namespace, oom_kill]", "*x"), ""},
		"a tag":                     {replace("pids: 64", "pids: !!int 64"), "tags"},
		"a merge":                   {replace("  pids: 64", "  <<: {pids: 64}"), "merges"},
		"not YAML":                  {"\tversion: [", ""},
		"a list instead of a map":   {"- 1\n", ""},
		"a report above the wire's": {replace("report: 8MiB", "report: 65MiB"), "limits.report"},
		"no wall clock":             {replace("wall_clock: 300s", "wall_clock: 0s"), "wall_clock"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load("study-analysis", []byte(test.text))
			require.ErrorContains(t, err, "load policy study-analysis: ")
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "goroutine")
		})
	}
}

func TestResolveOnlyTightens(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	allowed := reflect.ValueOf(policy.Limits.resolved())
	property := func(overrides job.Overrides) bool {
		terms, err := Resolve(policy, overrides)
		if err != nil {
			return true // refused
		}
		resolved := reflect.ValueOf(terms.Limits)
		for index := range resolved.NumField() {
			if resolved.Field(index).Int() > allowed.Field(index).Int() || resolved.Field(index).Int() <= 0 {
				return false
			}
		}
		return true
	}
	small := func(o job.Overrides) bool { // most random int64 are above every limit
		o.WallClock, o.PIDs, o.CPUMillis = o.WallClock%policy.Limits.WallClock, o.PIDs%65, o.CPUMillis%1001
		o.MemoryBytes %= int64(policy.Limits.Memory) + 1
		return property(o)
	}
	require.NoError(t, quick.Check(property, nil))
	require.NoError(t, quick.Check(small, &quick.Config{MaxCount: 2000}))
}

func TestResolveNamesEveryOverrideThatLoosens(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	_, err := Resolve(policy, job.Overrides{WallClock: time.Hour, MemoryBytes: 1 << 40, CPUMillis: 1001, PIDs: -1})
	for _, want := range []string{"wall_clock of 1h0m0s is above the policy's 5m0s", "memory of 1.0 TiB", "cpus of 1.001", "pids must be greater than zero"} {
		require.ErrorContains(t, err, want)
	}
}

func TestResolveTakesTighterLimits(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	terms, err := Resolve(policy, job.Overrides{WallClock: time.Second, MemoryBytes: 64 << 20, CPUMillis: 500, PIDs: 20})
	require.NoError(t, err)
	require.Equal(t, time.Second, terms.Limits.WallClock)
	require.Equal(t, int64(64<<20), terms.Limits.MemoryBytes)
	require.Equal(t, int64(500), terms.Limits.CPUMillis)
	require.Equal(t, int64(20), terms.Limits.PIDs)
}

func TestResolveRefusesLimitsInWhichNothingStarts(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	_, err := Resolve(policy, job.Overrides{MemoryBytes: 1 << 20, PIDs: 4})
	require.ErrorContains(t, err, "memory of 1.0 MiB is too little")
	require.ErrorContains(t, err, "pids of 4 is too few")
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"1B": 1, "512MiB": 512 << 20, "2 GiB": 2 << 30, "10kB": 10_000} {
		got, err := ParseSize(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "0B", "12", "-1MiB", "MiB", "1e3", "99999999999GiB", "512M"} {
		_, err := ParseSize(text)
		require.Error(t, err, text)
	}
}

func TestSchemaKnowsEveryMediaType(t *testing.T) {
	_, good := builtin(t, "study-analysis")
	for _, name := range output.MediaTypes() {
		text := strings.Replace(good, "    - application/json\n", "    - "+name+"\n", 1)
		text = strings.Replace(text, "media_types:", "media_types: ["+name+"]\n  ignored:", 1)
		_, err := Load("study-analysis", []byte(text))
		require.ErrorContains(t, err, "unknown key output.ignored")
		require.NotContains(t, err.Error(), "media_types")
	}
}

func TestReportLimitIsTheProtocols(t *testing.T) {
	require.EqualValues(t, wire.MaxReport, maxReport)
}

func TestSchemaKnowsEveryControl(t *testing.T) {
	data, err := fs.ReadFile(policies.Files, "schema/policy.schema.json")
	require.NoError(t, err)
	for _, name := range container.Controls() {
		quoted, err := json.Marshal(name)
		require.NoError(t, err)
		require.Contains(t, string(data), string(quoted))
	}
}

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

func TestCatalogWorksWithoutADirectory(t *testing.T) {
	names, err := NewCatalog(fstest.MapFS{"a.yaml": {}}, filepath.Join(t.TempDir(), "absent")).Names()
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, names)
}

func FuzzLoad(f *testing.F) {
	_, good := builtin(f, "study-analysis")
	f.Add([]byte(good))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		policy, err := Load("study-analysis", data)
		if err == nil {
			require.NoError(t, policy.Limits.resolved().Validate())
		}
	})
}
