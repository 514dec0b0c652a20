package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/strictyaml"
	"hotcell/policies"
)

func builtin(t testing.TB, name string) (Policy, string) {
	t.Helper()
	data, err := fs.ReadFile(policies.Files, name+".yaml")
	require.NoError(t, err)
	policy, err := load(name, data)
	require.NoError(t, err)
	return policy, string(data)
}

// full returns a policy that has every key.
func full(t testing.TB) (Policy, string) {
	t.Helper()
	data, err := os.ReadFile("testdata/full.yaml")
	require.NoError(t, err)
	policy, err := load("full", data)
	require.NoError(t, err)
	return policy, string(data)
}

func TestEveryBuiltInPolicyLoads(t *testing.T) {
	names, err := NewCatalog(policies.Files, "").Names()
	require.NoError(t, err)
	require.Equal(t, []string{"containment-probe", "copilot-chart", "interpreter", "study-analysis", "table-query", "workflow-step"}, names)
	for _, name := range names {
		policy, _ := builtin(t, name)
		_, err := Resolve(policy, job.Overrides{})
		require.NoError(t, err)
	}
}

func TestAPolicySaysWhetherASandboxMayBeWarm(t *testing.T) {
	_, text := full(t)
	for _, warm := range []Warm{WarmAllowed, WarmNever} {
		policy, err := load("full", []byte(strings.Replace(text, "warm: allowed", "warm: "+string(warm), 1)))
		require.NoError(t, err)
		require.Equal(t, warm, policy.Isolation.Warm)
	}
	names, err := NewCatalog(policies.Files, "").Names()
	require.NoError(t, err)
	for _, name := range names {
		policy, _ := builtin(t, name)
		require.Equal(t, WarmAllowed, policy.Isolation.Warm, name)
	}
}

func TestLoadReadsEveryKey(t *testing.T) {
	policy, _ := full(t)
	require.Empty(t, zeroFields("", reflect.ValueOf(policy)), "testdata/full.yaml sets each key, and each key has a field")
}

// zeroFields names the fields that hold nothing.
func zeroFields(path string, value reflect.Value) []string {
	switch {
	case value.Kind() == reflect.Pointer && !value.IsNil():
		return zeroFields(path, value.Elem())
	case value.Kind() != reflect.Struct:
		if value.IsZero() {
			return []string{path}
		}
		return nil
	}
	var all []string
	for index := range value.NumField() {
		all = append(all, zeroFields(path+"."+value.Type().Field(index).Name, value.Field(index))...)
	}
	return all
}

func TestLoadRefuses(t *testing.T) {
	readable, err := filepath.Abs("../../policies/schema/policy.schema.json") // a schema that could be loaded
	require.NoError(t, err)
	_, good := full(t)
	replace := func(before, after string) string {
		require.Contains(t, good, before)
		return strings.Replace(good, before, after, 1)
	}
	for name, test := range map[string]struct{ text, want string }{
		"an empty file":                {"", "exactly one YAML document"},
		"two documents":                {good + "---\n" + good, "exactly one YAML document"},
		"invalid UTF-8":                {good + "# \xff", "UTF-8"},
		"a file without end":           {good + strings.Repeat("#", strictyaml.MaxBytes), "more than 65536 bytes"},
		"an unknown key":               {replace("  pids: 64", "  pids: 64\n  pidz: 1"), "line 8: unknown key limits.pidz: known are code, cpu_time, cpus, "},
		"an unknown key on top":        {good + "networking: true\n", "line 83: unknown key networking: known are attestation, description, disclosure, guard, "},
		"an unknown key of a tool":     {replace("    - name: lookup", "    - name: lookup\n      shell: true"), "line 65: unknown key tools.registry.0.shell: known are command, name, schema"},
		"a retention without a part":   {strings.Replace(good, good[strings.Index(good, "  retention:\n"):strings.Index(good, "tools:\n")], "  retention: {}\n", 1), "record.retention"},
		"a part without a bound":       {replace("    code: {days: 30, count: 100, bytes: 10GiB}", "    code: {}"), "record.retention.code"},
		"a retention of no day":        {replace("    code: {days: 30,", "    code: {days: 0,"), "record.retention.code.days"},
		"an unknown part":              {replace("    code: {days: 30,", "    logs: {days: 30,"), "unknown key record.retention.logs"},
		"a duplicate key":              {replace("  pids: 64", "  pids: 64\n  pids: 65"), "line 8: mapping key \"pids\" already defined"},
		"a case variant":               {replace("  pids: 64", "  Pids: 64"), "line 7: unknown key limits.Pids"},
		"a missing key":                {replace("  pids: 64\n", ""), "line 5: key limits.pids is missing"},
		"a missing answer":             {replace("  answer: stdout\n", ""), "key output.answer is missing"},
		"a missing mode of the guard":  {replace("  mode: enforce\n", ""), "key guard.mode is missing"},
		"an unknown mode of the guard": {replace("mode: enforce", "mode: warn"), "guard.mode: warn is unknown: known are enforce, off"},
		"a mode that is a boolean":     {replace("mode: enforce", "mode: false"), "guard.mode"},
		"missing inputs":               {replace("  inputs: context\n", ""), "key guard.inputs is missing"},
		"a missing section":            {replace("record:\n  keep_code: on_success\n", ""), "key record is missing"},
		"zero as no limit":             {replace("pids: 64", "pids: 0"), "line 7: limits.pids: "},
		"a negative limit":             {replace("pids: 64", "pids: -1"), "limits.pids"},
		"a budget of zero":             {replace("operations: 1000000", "operations: 0"), "line 20: limits.operations: "},
		"a budget with a unit":         {replace("loop_iterations: 100000", "loop_iterations: 1k"), "line 21: limits.loop_iterations: it must be a whole number, not text. A whole number from 1 to"},
		"a size without unit":          {replace("512MiB", "512"), "line 6: limits.memory: it must be text, not a number. "},
		"a size in other units":        {replace("512MiB", "512MB"), "line 6: limits.memory: \"512MB\" is not valid. Bytes in a power of 1024, for example 512MiB, or 512m and 1G as Docker has it."},
		"an empty size":                {replace("512MiB", "\"\""), "limits.memory"},
		"a size above 63 bits":         {replace("512MiB", "99999999999GiB"), ""},
		"a wall clock of null":         {replace("wall_clock: 300s", "wall_clock: null"), "limits.wall_clock"},
		"a wall clock of zero":         {replace("wall_clock: 300s", "wall_clock: 0s"), "line 5: limits: limits [wall_clock] must be greater than zero"},
		"an unknown control":           {replace("[user_namespace,", "[user_namespaces,"), "line 24: isolation.optional_controls.0: user_namespaces is unknown: known are namespaces, user_namespace, "},
		"an extra control as optional": {replace("[user_namespace,", "[apparmor,"), "line 24: isolation.optional_controls.0: apparmor is unknown: known are namespaces, "},
		"another as an extra control":  {replace("[apparmor,", "[seccomp,"), "line 25: isolation.required_controls.0: seccomp is unknown: known are apparmor, landlock. Every other control is required already"},
		"an extra control twice":       {replace("[apparmor, landlock]", "[apparmor, apparmor]"), "line 25: isolation.required_controls: the same stands twice"},
		"a missing word on warm":       {replace("  warm: allowed\n", ""), "line 22: key isolation.warm is missing"},
		"an unknown word on warm":      {replace("warm: allowed", "warm: always"), "line 26: isolation.warm: always is unknown: known are allowed, never"},
		"a warm that is a boolean":     {replace("warm: allowed", "warm: false"), "line 26: isolation.warm: "},
		"no depth":                     {replace("max_depth: 4", "max_depth: 0"), "max_depth"},
		"an unknown media type":        {replace("[text/csv]", "[application/zip]"), "output.media_types"},
		"an unknown answer":            {replace("answer: stdout", "answer: all"), "output.answer: all is unknown: known are stdout, result, chart"},
		"an unknown way of inputs":     {replace("inputs: context", "inputs: globals"), "guard.inputs: globals is unknown: known are none, data, context"},
		"an unknown import profile":    {replace("[standard]", "[everything]"), "line 29: guard.import_profiles.0: everything is unknown: known are standard, analysis, common"},
		"an import with a star":        {replace("- numpy", "- '*'"), "guard.imports.0"},
		"a private import":             {replace("- numpy", "- _thread"), "line 31: guard.imports.0: \"_thread\" is not valid. An exact dotted name without private parts"},
		"an import twice":              {replace("- numpy", "- scipy.stats"), "line 32: guard.imports: the same stands twice"},
		"an import of the floor":       {replace("- numpy", "- subprocess"), "line 31: guard.imports.0: subprocess is below the guard's floor"},
		"a submodule of the floor":     {replace("- numpy", "- importlib.resources"), "line 31: guard.imports.0: importlib.resources is below"},
		"a preload of the floor":       {replace("pd: pandas", "pd: posix"), "line 34: guard.preloaded.pd: posix is below the guard's floor"},
		"a preload as a private name":  {replace("pd: pandas", "_pd: pandas"), "line 34: guard.preloaded: the name \"_pd\" is not valid. A Python name"},
		"a preload in a run's place":   {replace("pd: pandas", "result: pandas"), "line 34: guard.preloaded.result: result is a word of Python or of every run"},
		"a preload for a builtin":      {replace("pd: pandas", "print: pandas"), "line 34: guard.preloaded.print: print is a word of Python"},
		"a preload called by keyword":  {replace("pd: pandas", "class: pandas"), "line 34: guard.preloaded.class: class is a word of Python"},
		"a table for a builtin":        {replace("[visits]", "[visits, max]"), "line 38: guard.required_tables.1: max is a word of Python"},
		"a table called by keyword":    {replace("[visits]", "[lambda]"), "line 38: guard.required_tables.0: lambda is a word of Python"},
		"a table in a run's place":     {replace("[visits]", "[DATA]"), "line 38: guard.required_tables.0: DATA is a word of Python or of every run"},
		"a preload in a table's place": {replace("pd: pandas", "visits: pandas"), "a required table has the same name"},
		"unknown syntax":               {replace("[Global]", "[Globals]"), "line 37: guard.denied_syntax.0: Globals is unknown. A class of a statement"},
		"another version":              {replace("version: 1", "version: 2"), "line 1: version"},
		"another policy's name":        {replace("name: full", "name: other"), "line 2: name: it is \"other\": a policy is named like its file, full"},
		"an anchor":                    {replace("limits:", "limits: &x"), "line 5: anchors"},
		"an alias":                     {replace("[user_namespace, oom_kill]", "*x"), ""},
		"a tag":                        {replace("pids: 64", "pids: !!int 64"), "line 7: anchors, aliases, merges, tags"},
		"a number, octal or not":       {replace("pids: 64", "pids: 0100"), "line 7: a number is written in decimal digits"},
		"a number in hexadecimal":      {replace("pids: 64", "pids: 0x40"), "line 7: a number is written in decimal digits"},
		"a number with underscores":    {replace("pids: 64", "pids: 1_000"), "line 7: a number is written in decimal digits"},
		"no number":                    {replace("pids: 64", "pids: .nan"), "line 7: a number is written in decimal digits"},
		"a merge":                      {replace("  pids: 64", "  <<: {pids: 64}"), "merges"},
		"not YAML":                     {"\tversion: [", ""},
		"a list instead of a map":      {"- 1\n", ""},
		"a report above the wire's":    {replace("report: 8MiB", "report: 65MiB"), "line 18: limits.report: 65 MiB is above 64 MiB"},
		"inputs above the wire's":      {replace("inputs: 1MiB", "inputs: 65MiB"), "line 19: limits.inputs"},
		"parameters above the wire's":  {replace("params: 64KiB", "params: 2MiB"), "tools.params: 2.0 MiB is above 1.0 MiB"},
		"tools without a context":      {replace("inputs: context", "inputs: data"), "tools: tools are called through context, or by their names: set guard.inputs to context or to names"},
		"no call at all":               {replace("max_calls: 10", "max_calls: 0"), "tools.max_calls"},
		"a tool that nobody may call":  {replace("[lookup, shout]", "[shout]"), "line 64: tools.registry.0: lookup is not in tools.allowed"},
		"a tool found by search path":  {replace("/usr/bin/lookup", "lookup"), "tools.registry.0.command: lookup is not an absolute path"},
		"a tool through a shell":       {replace("[/usr/bin/lookup, --json]", "/usr/bin/lookup --json"), "tools.registry.0.command: it must be a list, not text"},
		"a schema that is none":        {replace("{type: object}", "{type: objekt}"), "tools.registry.0.schema: it is not a JSON Schema"},
		"a schema of another file":     {replace("{type: object}", "{$ref: 'file://"+readable+"'}"), "tools.registry.0.schema: it is not a JSON Schema"},
		"CPU time below one run's":     {replace("cpu_time: 20m", "cpu_time: 1s"), "session.cpu_time: 1s for all scripts together is less than one run may have, limits.cpu_time of"},
		"an idle time above the whole": {replace("idle: 10m", "idle: 2h"), "session.idle: 2h0m0s is longer than the whole session"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load("full", []byte(test.text))
			require.ErrorContains(t, err, "load policy full: ")
			require.ErrorIs(t, err, ErrInvalid)
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "goroutine")
		})
	}
}

// The parser needs 25 kB for each level: files of the size that is accepted took 6 GB,
// and then the process was gone.
func TestLoadRefusesWhatIsNestedForTheParser(t *testing.T) {
	const levels = 2000 // what a parser without the bound still gets through
	for name, text := range map[string]string{
		"brackets":              "name: x\nlimits: " + strings.Repeat("[", levels),
		"closed brackets":       "name: " + strings.Repeat("[", levels) + strings.Repeat("]", levels),
		"braces":                strings.Repeat("{a: ", levels) + strings.Repeat("}", levels),
		"entries":               strings.Repeat("- ", levels) + "x",
		"keys":                  strings.Repeat("? ", levels) + "x",
		"entries and brackets":  strings.Repeat("- [", levels),
		"keys and entries":      strings.Repeat("? - ", levels),
		"anchors":               strings.Repeat("&a [", levels),
		"tags":                  strings.Repeat("!a [", levels),
		"brackets over lines":   strings.Repeat("[\n", levels),
		"entries in brackets":   "[" + strings.Repeat("- ", levels) + "]",
		"brackets after closed": strings.Repeat("[]\n", 3) + strings.Repeat("[", levels),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load("x", []byte(text))
			require.ErrorContains(t, err, "more than 64 collections within each other")
		})
	}
}

// What is done for each line, word and fault of a file may go through the file again.
func TestLoadRefusesWhatIsTooMuchToBeRead(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("x", 64<<10+1):                   "more than 65536 bytes",
		"a: >\n" + strings.Repeat("\n", 2000):           "2000 lines",
		"a: >\r" + strings.Repeat("\r", 2000):           "2000 lines",
		"a: [" + strings.Repeat("1,", 10_000) + "]":     "20000 words and signs",
		"{" + strings.Repeat("a: 1, ", 6_000) + "b: 2}": "20000 words and signs",
	} {
		_, err := load("x", []byte(text))
		require.ErrorContains(t, err, want)
		require.Less(t, len(err.Error()), 500)
	}
}

func TestLoadTakesManyCollectionsBesideEachOther(t *testing.T) {
	pairs := strings.Repeat("{a: [1, 2]}, ", 500)
	_, faults := strictyaml.Parse([]byte("a: [" + pairs + "]\nb:\n" + strings.Repeat("  - - 1\n    - 2\n", 500)))
	require.Nil(t, faults)
}

func TestLoadNamesAllFaultsByLine(t *testing.T) {
	_, text := full(t)
	text = strings.NewReplacer("pids: 64", "pids: 0", "- numpy", "- ctypes", "max_depth: 4", "max_depth: 4\n  width: 1").Replace(text)
	_, err := load("full", []byte(text))
	found, ok := errors.AsType[*InvalidError](err)
	require.True(t, ok)
	var lines []int
	for _, fault := range found.Faults {
		lines = append(lines, fault.Line)
	}
	require.Equal(t, []int{7, 31, 44}, lines, "the schema's and the guard's faults together: %v", err)
}

// Each fault is looked up and compared with names: 60,000, which once fitted into a file,
// took minutes to name.
func TestLoadNamesSoManyFaultsAndNoMore(t *testing.T) {
	_, text := full(t)
	list := func(key, entries string) string {
		return regexp.MustCompile(`(?m)^(  `+key+`:).*\n(    - .*\n)*`).ReplaceAllString(text, "${1} ["+entries+"]\n")
	}
	var misspelt, keys strings.Builder
	for index := range 1500 {
		fmt.Fprintf(&misspelt, "zq%05dab, ", index)
		fmt.Fprintf(&keys, "k%d: 1\n", index)
	}
	for name, text := range map[string]string{
		"of the wrong type": list("imports", strings.Repeat("1, ", 9_000)),
		"misspelt":          list("denied_attributes", misspelt.String()),
		"unknown keys":      text + keys.String(),
		"aliases":           text + "x:\n" + strings.Repeat("  - *a\n", 1500),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load("full", []byte(text))
			found, ok := errors.AsType[*InvalidError](err)
			require.True(t, ok, "%v", err)
			require.Len(t, found.Faults, strictyaml.MaxFaults+1)
			require.Equal(t, "there are more than these 100 faults: correct them first", found.Faults[strictyaml.MaxFaults].String())
		})
	}
}

func TestOptionalSectionsMayBeLeftOut(t *testing.T) {
	_, text := full(t)
	text, _, _ = strings.Cut(text, "tools:\n")
	text = strings.NewReplacer("  operations: 1000000\n", "", "  loop_iterations: 100000\n", "").Replace(text)
	policy, err := load("full", []byte(text))
	require.NoError(t, err)
	require.Nil(t, policy.Tools)
	require.Nil(t, policy.Session)
	terms, err := Resolve(policy, job.Overrides{})
	require.NoError(t, err)
	require.Equal(t, job.Budgets{}, terms.Budgets)
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1B": 1, "7b": 7, "512MiB": 512 << 20, "512mib": 512 << 20, "2 GiB": 2 << 30, "2Gi": 2 << 30,
		"1G": 1 << 30, "1g": 1 << 30, "256m": 256 << 20, "256M": 256 << 20, "64k": 64 << 10, "1t": 1 << 40, "1.5g": 3 << 29, "1.50GiB": 3 << 29,
	} {
		got, err := ParseSize(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, text := range []string{
		"", "0B", "0m", "12", "-1MiB", "MiB", "1e3", "99999999999GiB", "9223372036854775808B", "1,5G", "1_000k", "0.3B", "1.k", ".5g",
		"512MB", "512mb", "512Mb", "10kB", "1GB", "1TB", "1p", "1bi", "1bib", "1mi b", "1  G", " 1G", "1G ", "1G\n", "٣G", "1x", "1ki1",
	} {
		_, err := ParseSize(text)
		require.Error(t, err, text)
	}
}

func TestSchemaKnowsEveryMediaType(t *testing.T) {
	_, good := full(t)
	for _, name := range output.MediaTypes() {
		_, err := load("full", []byte(strings.Replace(good, "[text/csv]", "["+name+"]", 1)))
		require.NoError(t, err)
	}
}

// No control can stand in both lists, and none in the wrong one.
func TestSchemaKnowsEveryControl(t *testing.T) {
	_, good := full(t)
	for _, name := range container.Controls() {
		extra := slices.Contains(container.ExtraControls(), name)
		_, err := load("full", []byte(strings.Replace(good, "[user_namespace, oom_kill]", "["+name+"]", 1)))
		require.Equal(t, extra, err != nil, "%s as optional: %v", name, err)
		_, err = load("full", []byte(strings.Replace(good, "[apparmor, landlock]", "["+name+"]", 1)))
		require.Equal(t, extra, err == nil, "%s as required: %v", name, err)
	}
}

// A policy that says nothing of the extra controls accepts a host without them, as it
// did before there were any; of the others it accepts none.
func TestAHostMayLackWhatThePolicySays(t *testing.T) {
	for _, test := range []struct {
		isolation Isolation
		want      []string
	}{
		{Isolation{}, []string{"apparmor", "landlock"}},
		{Isolation{OptionalControls: []string{"oom_kill", "user_namespace"}}, []string{"user_namespace", "oom_kill", "apparmor", "landlock"}},
		{Isolation{RequiredControls: []string{"apparmor"}}, []string{"landlock"}},
		{Isolation{RequiredControls: []string{"landlock", "apparmor"}, OptionalControls: []string{"seccomp"}}, []string{"seccomp"}},
		{Isolation{RequiredControls: container.ExtraControls()}, []string{}},
	} {
		require.Equal(t, test.want, test.isolation.MayLack())
	}
}

func FuzzLoad(f *testing.F) {
	_, good := full(f)
	f.Add([]byte(good))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		policy, err := load("full", data)
		if err == nil {
			require.NoError(t, policy.Limits.resolved().Validate())
		}
	})
}

// TestNoByteOfAPolicyCanChangeUnseen: what is not UTF-8 is no policy, wherever it stands.
func TestNoByteOfAPolicyCanChangeUnseen(t *testing.T) {
	_, good := full(t)
	for position := range good {
		corrupted := []byte(good)
		corrupted[position] ^= 0x80
		_, err := load("full", corrupted)
		require.Error(t, err, "byte %d, %q", position, good[max(0, position-10):position+1])
	}
}
