package pythonanalysis_test

import (
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
	"hotcell/internal/wire"
)

// What the guard's Python and the host's Go both state is compared here, as far as no
// other test does. The Python is read as text, so that no Python is needed, and so is
// Go's where a name is not exported. A pattern that does not match exactly once fails.

func TestNumbersOfGuardAndHost(t *testing.T) {
	rules, err := runner.ExportRules(policy.Policy{})
	require.NoError(t, err)
	require.Zero(t, wire.MaxViolations%10, "a tenth of it is the guard's")
	for _, fact := range []struct {
		file, name string
		host       int64
	}{
		{"speaking/_protocol.py", "PROTOCOL", wire.Protocol},
		{"speaking/_protocol.py", "MAX_START", wire.MaxStart},
		{"speaking/_protocol.py", "MAX_PREPARE", wire.MaxPrepare},
		{"speaking/_protocol.py", "MAX_CHUNK", wire.MaxChunk},
		{"speaking/_protocol.py", "_HEADER", hostNumber(t, "wire/frame.go", "headerBytes")},
		{"speaking/_start.py", "_MAX_BYTES", wire.MaxReport},
		{"speaking/_start.py", "_MAX_BYTES", wire.MaxInputs},
		{"_replica.py", "LARGE", wire.MaxReport},
		{"_replica.py", "LARGE", wire.MaxInputs},
		{"_replica.py", "_RULES_VERSION", int64(rules.Version)},
		{"replicate.py", "_EXIT_USAGE", job.ExitUsage},
		{"replicate.py", "_EXIT_INTERNAL", job.ExitInternal},
		{"vetting/_violations.py", "MAX_VIOLATIONS", wire.MaxViolations / 10},
		{"answering/_result.py", "MAX_DEPTH", hostNumber(t, "wire/shape.go", "maxDepth") / 2},
	} {
		require.Equal(t, fact.host, guardNumber(t, fact.file, fact.name), "%s of %s", fact.name, fact.file)
	}
}

func TestNewestLandlockOfGuardAndHost(t *testing.T) {
	byABI := guardFact(t, "confining/_landlock.py", "_HANDLED", `^_HANDLED: Final = \(\n((?: {4}\(.+\n)+)\)$`)[0]
	newest := strings.Count(byABI, "\n") - 1 // the first is for none
	require.Equal(t, hostNumber(t, "container/landlock_linux.go", "mostLandlock"), int64(newest))
	require.Equal(t, []string{container.ControlLandlock}, guardWords(t, "speaking/_start.py", "_CONTROLS"))
}

func TestFrameTypesOfGuardAndHost(t *testing.T) {
	for _, fact := range []struct {
		file, pattern string
		host          byte
	}{
		{"_run.py", `channel\.send\(b"(.)", _protocol\.hello\(\)\)`, wire.TypeHello},
		{"_serve.py", `channel\.receive_first\(\{b"(.)": MAX_START,`, wire.TypeStart},
		{"_serve.py", `MAX_START, b"(.)": MAX_PREPARE\}`, wire.TypePrepare},
		{"_serve.py", `own = channel\.receive_or_end\(\{b"(.)": MAX_START\}\)`, wire.TypeGo},
		{"_serve.py", `    channel\.send\(b"(.)", b""\)\n    own`, wire.TypePrepared},
		{"_serve.py", `channel\.receive\(b"(.)", start\.limits\.input_bytes\)`, wire.TypeInputs},
		{"_serve.py", `else \{b"(.)": start\.limits\.code_bytes\}`, wire.TypeCode},
		{"_serve.py", `if kind == b"(.)":\n +return payload`, wire.TypeCode},
		{"_serve.py", `channel\.send\(b"(.)", _vet\.form\(payload\)`, wire.TypeForm},
		{"speaking/_start.py", `code_bytes, b"(.)": min\(self\.code_bytes, MAX_QUESTION\)`, wire.TypeQuestion},
		{"speaking/_streams.py", `Sink\(channel, b"(.)", limits\.stdout_bytes,`, wire.TypeStdout},
		{"speaking/_streams.py", `Sink\(channel, b"(.)", limits\.stderr_bytes,`, wire.TypeStderr},
		{"_session.py", `_channel\.send\(b"(.)", self\._in_force\)`, wire.TypeReady},
		{"_serve.py", `channel\.finish\(b"(.)", fitting\(session\.check\(`, wire.TypeReport},
		{"_serve.py", `channel\.send\(b"(.)", fitting\(report, start\.limits\.report_bytes\)`, wire.TypeReport},
		{"_serve.py", `channel\.finish\(b"(.)", fitting\(report, start\.limits\.report_bytes\)`, wire.TypeReport},
		{"_session.py", `channel\.finish\(b"(.)", fitting\(report, self\._start\.limits\.report_bytes\)`, wire.TypeReport},
		{"speaking/_protocol.py", `^INTERRUPT: Final = b"(.)"`, wire.TypeInterrupt},
		{"speaking/_protocol.py", `SEND\(b"(.)", payload\)`, wire.TypeCall},
		{"speaking/_protocol.py", `RECEIVE\(b"(.)", limit\)`, wire.TypeReply},
		{"replicate.py", `frame\(b"(.)", json\.dumps\(start\)`, wire.TypeStart},
		{"replicate.py", `frame\(b"(.)", inputs\)`, wire.TypeInputs},
		{"replicate.py", `frame\(b"(.)", code\)`, wire.TypeCode},
		{"replicate.py", `case b"(.)":\n +sys\.stdout\.write`, wire.TypeStdout},
		{"replicate.py", `case b"(.)":\n +sys\.stderr\.write`, wire.TypeStderr},
		{"replicate.py", `case b"(.)":\n +report: `, wire.TypeReport},
	} {
		require.Equal(t, string(fact.host), guardFact(t, fact.file, fact.pattern, fact.pattern)[0], "%s in %s", fact.pattern, fact.file)
	}
}

func TestFieldsOfTheStartFrame(t *testing.T) {
	optional := guardPairs(t, "speaking/_start.py", "_OPTIONAL")
	for name, host := range map[string]any{
		"_START": wire.Start{}, "_TABLE": wire.Table{}, "_MODULE": wire.Module{}, "_RULES": wire.Rules{}, "_LIMITS": wire.Bounds{},
		"_PREPARE": wire.Prepare{}, "_GO": wire.Go{},
	} {
		want := guardPairs(t, "speaking/_start.py", name)
		for field, least := range want {
			if name == "_LIMITS" {
				want[field] = "int"
				require.Regexp(t, "^[01]$", least, field)
			}
		}
		if name == "_RULES" {
			maps.Copy(want, optional)
		}
		require.Equal(t, want, fieldsOf(host), name)
	}
	exported := guardFact(t, "_replica.py", "shape", `^ +shape = \{(.+)\}$`)[0]
	require.ElementsMatch(t, slices.Collect(maps.Keys(fieldsOf(runner.ExportedRules{}))), quoted(exported))
}

// fieldsOf gives a struct's fields by their names in JSON, with their types in Python.
func fieldsOf(value any) map[string]string {
	fields := map[string]string{}
	for field := range reflect.TypeOf(value).Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		kind := field.Type.Kind().String()
		switch {
		case field.Type == reflect.TypeFor[[]byte]():
			kind = "str" // in base64
		case kind == "int64":
			kind = "int"
		}
		if python, other := map[string]string{"string": "str", "slice": "list", "struct": "dict", "map": "dict"}[kind]; other {
			kind = python
		}
		fields[name] = kind
	}
	return fields
}

func TestChoicesOfTheStartFrame(t *testing.T) {
	messages := hostSource(t, "wire/messages.go")
	for name, kind := range map[string]string{"_MODES": "Mode", "_INPUTS": "Inputs", "_ANSWERS": "Answer"} {
		var want []string
		for _, found := range regexp.MustCompile(`(?m)^\t`+kind+`\w+ +`+kind+` += "(\w+)"`).FindAllStringSubmatch(messages, -1) {
			want = append(want, found[1])
		}
		require.GreaterOrEqual(t, len(want), 3, kind)
		require.ElementsMatch(t, want, guardWords(t, "speaking/_start.py", name), name)
	}
}

func TestAReplicationEndsAsARunDoes(t *testing.T) {
	want := map[string]string{}
	for outcome, status := range map[wire.Outcome]job.Status{
		wire.OutcomeCompleted: job.Succeeded, wire.OutcomeRaised: job.Failed,
		wire.OutcomeRejected: job.Rejected, wire.OutcomeLimit: job.LimitExceeded,
	} {
		want[string(outcome)] = strconv.Itoa(status.ExitCode())
	}
	require.Equal(t, want, guardPairs(t, "replicate.py", "_EXIT"))
}

func TestAReplicationStartsTheGuardAsTheHostDoes(t *testing.T) {
	command := guardFact(t, "replicate.py", "the command", `^ +\[sys\.executable, (.+)\],$`)[0]
	require.Equal(t, pythonanalysis.Command()[1:], quoted(command))

	given := guardPairs(t, "replicate.py", "_ENVIRONMENT")
	places := guardFact(t, "replicate.py", "places", `^ +places = \{(.+), "PYTHONPATH": source\}$`)[0]
	for name, place := range pairs(places) {
		given[name] = strings.NewReplacer(`f"`, "", `"`, "", "{scratch}", "/tmp", "scratch", "/tmp").Replace(place)
	}
	want := map[string]string{}
	for _, variable := range pythonanalysis.Environment("/tmp", 2) {
		name, value, _ := strings.Cut(variable, "=")
		// What depends on the machine: there the caller's own, and no limit of processes.
		if name != "PATH" && !strings.HasSuffix(name, "_NUM_THREADS") {
			want[name] = value
		}
	}
	require.Equal(t, want, given)
}

func TestAReplicationReadsTheSavedCode(t *testing.T) {
	const code = "print(1)\n"
	head, saved, found := strings.Cut(saveCode(t, code), "\n"+guardMark(t)+"\n")
	require.True(t, found, "_MARK")
	require.Equal(t, code, saved)

	lines := strings.Split(head, "\n")
	first := guardFact(t, "_replica.py", "_LINES", `^_LINES: Final = \(b"(.+)", b"(.+)"\)$`)
	require.Equal(t, first, lines[:2], "_LINES")

	hash := guardFact(t, "_replica.py", "_HASH", `^_HASH: Final = "(.+)"$`)[0]
	block := guardFact(t, "_replica.py", "_HEADER", `(?s)^_HEADER: Final = \{\n(.+?)^\}$`)[0]
	fields := regexp.MustCompile(`(?m)^    "(\w+)": rf?"(.+)",$`).FindAllStringSubmatch(block, -1)
	require.Len(t, fields, strings.Count(block, "\n"), "_HEADER")
	require.Len(t, lines, 2+len(fields))
	for index, field := range fields {
		form := strings.ReplaceAll(field[2], "{_HASH}", hash)
		require.Regexp(t, "^# "+field[1]+": ("+form+")$", lines[2+index], "_HEADER")
	}
}

func guardMark(t *testing.T) string {
	t.Helper()
	width := match(t, "_MARK", guardSource(t, "_replica.py"), `^_MARK: Final = b"# " \+ b"=" \* (.+)$`)[0]
	return "# " + strings.Repeat("=", int(number(t, width)))
}

// saveCode records a run and returns what a record has of its code.
func saveCode(t *testing.T, code string) string {
	t.Helper()
	store, err := records.Open(t.TempDir())
	require.NoError(t, err)
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, records.Asked{})
	require.NoError(t, err)
	hash := digest.Hex(strings.Repeat("a", 64))
	path, err := draft.Commit(t.Context(), records.Entry{
		Code: []byte(code), KeepCode: true, ScriptName: "a.py", Tables: []string{"visits"},
		Result: job.Result{RunID: id, Status: job.Failed, Provenance: job.Provenance{
			Policy: "study-analysis", PolicySHA256: hash, Image: hash.Digest(), Bundle: hash.Digest(), StartedAt: time.Now(),
		}},
	})
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(path, "run_*.py"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	return string(text)
}

// guardSource is a module of the guard as the runner carries it.
func guardSource(t *testing.T, file string) string {
	t.Helper()
	text, err := fs.ReadFile(pythonanalysis.Guard(), "hotcell_guard/"+file)
	require.NoError(t, err)
	return string(text)
}

func hostSource(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../internal", file))
	require.NoError(t, err)
	return string(text)
}

// match returns the groups of a pattern, which must be in the text exactly once.
func match(t *testing.T, name, text, pattern string) []string {
	t.Helper()
	found := regexp.MustCompile("(?m)"+pattern).FindAllStringSubmatch(text, -1)
	require.Len(t, found, 1, "%s is written in another way", name)
	return found[0][1:]
}

func guardFact(t *testing.T, file, name, pattern string) []string {
	t.Helper()
	return match(t, name+" of "+file, guardSource(t, file), pattern)
}

func guardNumber(t *testing.T, file, name string) int64 {
	t.Helper()
	return number(t, guardFact(t, file, name, `^`+name+`: Final = (.+)$`)[0])
}

func hostNumber(t *testing.T, file, name string) int64 {
	t.Helper()
	return number(t, match(t, name+" of "+file, hostSource(t, file), `^(?:const|\t)\s*`+name+` += ([^/\n]+)`)[0])
}

// number evaluates what is written alike in Go and in Python, for example 64 << 10.
func number(t *testing.T, expression string) int64 {
	t.Helper()
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expression)
	require.NoError(t, err, expression)
	result, exact := constant.Int64Val(value.Value)
	require.True(t, exact, expression)
	return result
}

// guardWords reads NAME: Final = frozenset(("…", …)).
func guardWords(t *testing.T, file, name string) []string {
	t.Helper()
	return quoted(guardFact(t, file, name, `^`+name+`: Final = frozenset\(\((.+)\)\)$`)[0])
}

func quoted(text string) []string {
	var words []string
	for _, found := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(text, -1) {
		words = append(words, found[1])
	}
	return words
}

// guardPairs reads NAME: Final = {"…": …, …}, in one line or in many.
func guardPairs(t *testing.T, file, name string) map[string]string {
	t.Helper()
	return pairs(guardFact(t, file, name, `(?s)^`+name+`: Final(?:\[[^=]+\])? = \{(.+?)\}$`)[0])
}

func pairs(text string) map[string]string {
	found := map[string]string{}
	for _, pair := range regexp.MustCompile(`"([^"]+)": +([^,\n]+)`).FindAllStringSubmatch(text, -1) {
		value := pair[2]
		if words := quoted(value); len(words) == 1 && value == `"`+words[0]+`"` {
			value = words[0]
		}
		found[pair[1]] = value
	}
	return found
}
