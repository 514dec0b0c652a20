package policy

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/wire"
)

func TestBaselineHasNoWeakness(t *testing.T) {
	base, err := baseline()
	require.NoError(t, err)
	require.Empty(t, weaknesses(base, base))
}

// weaker has for each field of Policy a change that weakens it, and the key that
// must then be named. An empty key is for what cannot weaken anything.
var weaker = map[string]struct {
	key    string
	change func(*Policy)
}{
	"Version":                    {"", nil},
	"Name":                       {"", nil},
	"Description":                {"", nil},
	"SHA256":                     {"", nil},
	"Image":                      {"image", func(p *Policy) { p.Image = "other" }},
	"Limits.Memory":              {"limits.memory", func(p *Policy) { p.Limits.Memory++ }},
	"Limits.PIDs":                {"limits.pids", func(p *Policy) { p.Limits.PIDs++ }},
	"Limits.CPUs":                {"limits.cpus", func(p *Policy) { p.Limits.CPUs++ }},
	"Limits.WallClock":           {"limits.wall_clock", func(p *Policy) { p.Limits.WallClock++ }},
	"Limits.CPUTime":             {"limits.cpu_time", func(p *Policy) { p.Limits.CPUTime++ }},
	"Limits.OpenFiles":           {"limits.open_files", func(p *Policy) { p.Limits.OpenFiles++ }},
	"Limits.Scratch":             {"limits.scratch", func(p *Policy) { p.Limits.Scratch++ }},
	"Limits.OutputBytes":         {"limits.output_bytes", func(p *Policy) { p.Limits.OutputBytes++ }},
	"Limits.OutputFiles":         {"limits.output_files", func(p *Policy) { p.Limits.OutputFiles++ }},
	"Limits.Stdout":              {"limits.stdout", func(p *Policy) { p.Limits.Stdout++ }},
	"Limits.Stderr":              {"limits.stderr", func(p *Policy) { p.Limits.Stderr++ }},
	"Limits.Code":                {"limits.code", func(p *Policy) { p.Limits.Code++ }},
	"Limits.Report":              {"limits.report", func(p *Policy) { p.Limits.Report++ }},
	"Limits.Inputs":              {"limits.inputs", func(p *Policy) { p.Limits.Inputs++ }},
	"Limits.Operations":          {"limits.operations", func(p *Policy) { p.Limits.Operations = 0 }},
	"Limits.LoopIterations":      {"limits.loop_iterations", func(p *Policy) { p.Limits.LoopIterations++ }},
	"Isolation.Seccomp":          {"isolation.seccomp", func(p *Policy) { p.Isolation.Seccomp = "other" }},
	"Isolation.OptionalControls": {"isolation.optional_controls", func(p *Policy) { p.Isolation.OptionalControls = []string{"seccomp"} }},
	"Isolation.RequiredControls": {"isolation.required_controls", func(p *Policy) { p.Isolation.RequiredControls = nil }},
	"Isolation.Warm":             {"isolation.warm", func(p *Policy) { p.Isolation.Warm = WarmAllowed }},
	"Guard.ImportProfiles":       {"", nil}, // load joins them with Imports
	"Guard.Imports":              {"guard.imports", func(p *Policy) { p.Guard.Imports = append(p.Guard.Imports, "numpy") }},
	"Guard.Preloaded":            {"guard.preloaded", func(p *Policy) { p.Guard.Preloaded = map[string]string{"np": "numpy"} }},
	"Guard.DeniedBuiltins":       {"guard.denied_builtins", func(p *Policy) { p.Guard.DeniedBuiltins = nil }},
	"Guard.DeniedAttributes":     {"guard.denied_attributes", func(p *Policy) { p.Guard.DeniedAttributes = nil }},
	"Guard.DeniedSyntax":         {"guard.denied_syntax", func(p *Policy) { p.Guard.DeniedSyntax = nil }},
	"Guard.RequiredTables":       {"", nil}, // says what must be there, not what is allowed
	"Guard.Inputs":               {"guard.inputs", func(p *Policy) { p.Guard.Inputs = wire.InputsData }},
	"Guard.Mode":                 {"guard.mode", func(p *Policy) { p.Guard.Mode = GuardOff }},
	"Guard.MaxFigures":           {"guard.max_figures", func(p *Policy) { p.Guard.MaxFigures++ }},
	"Output.MediaTypes":          {"output.media_types", func(p *Policy) { p.Output.MediaTypes = append(p.Output.MediaTypes, "text/html") }},
	"Output.MaxDepth":            {"output.max_depth", func(p *Policy) { p.Output.MaxDepth++ }},
	"Output.WhenStdoutIsFull":    {"output.when_stdout_is_full", func(p *Policy) { p.Output.WhenStdoutIsFull = OverflowTruncate }},
	"Output.OnUnacceptedFile":    {"output.on_unaccepted_file", func(p *Policy) { p.Output.OnUnacceptedFile = UnacceptedDrop }},
	"Output.PictureMetadata":     {"", nil}, // nothing of it leaves either way
	"Output.Answer":              {"", nil}, // chooses among what comes out anyway
	"Record.KeepCode":            {"record.keep_code", func(p *Policy) { p.Record.KeepCode = KeepCodeNever }},
	"Record.Retention":           {"record.retention.records", func(p *Policy) { p.Record.Retention = &Retention{Records: &Keep{Days: 1}} }},
	"Tools":                      {"tools", func(p *Policy) { p.Tools = &Tools{Allowed: []string{"*"}, MaxCalls: 1} }},
	"Attestation":                {"", nil}, // about the data, and holds nothing in a sandbox
	"Disclosure":                 {"", nil}, // tells people, and holds nothing in a sandbox
	"Session":                    {"session", func(p *Policy) { p.Session = &Session{MaxSteps: 2, WallClock: time.Hour} }},
}

func TestWeakerLooksAtEveryField(t *testing.T) {
	base, err := baseline()
	require.NoError(t, err)
	base.Guard.DeniedBuiltins, base.Guard.DeniedAttributes, base.Guard.DeniedSyntax = []string{"print"}, []string{"to_csv"}, []string{"Global"}
	base.Output.WhenStdoutIsFull = OverflowEnd
	base.Isolation.RequiredControls = []string{"apparmor"}
	base.Isolation.Warm = WarmNever
	seen := leaves("", reflect.TypeFor[Policy]())
	for _, path := range seen {
		test, ok := weaker[path]
		require.True(t, ok, "Policy.%s is new: weaknesses must compare it, and this test must know it", path)
		if test.key == "" {
			continue
		}
		changed := base
		changed.Guard.Imports = append([]string{}, base.Guard.Imports...)
		changed.Output.MediaTypes = append([]string{}, base.Output.MediaTypes...)
		test.change(&changed)
		found := weaknesses(changed, base)
		require.NotEmpty(t, found, path)
		require.Equal(t, test.key, found[0].Key, path)
		require.NotContains(t, found[0].Message, "%!")
	}
	require.Len(t, weaker, len(seen))
}

// leaves names the fields of a struct, those of structs in it too.
func leaves(path string, kind reflect.Type) []string {
	var all []string
	for field := range kind.Fields() {
		if field.Type.Kind() == reflect.Struct {
			all = append(all, leaves(path+field.Name+".", field.Type)...)
		} else {
			all = append(all, path+field.Name)
		}
	}
	return all
}

func TestEveryControlHasWords(t *testing.T) {
	for _, control := range container.Controls() {
		require.NotEmpty(t, withoutControl[control], control)
	}
	require.Len(t, withoutControl, len(container.Controls()))
}

func TestExplainSaysWhatThePolicySays(t *testing.T) {
	for name, want := range map[string][]string{
		"study-analysis": {"scipy with its cluster", "wall clock 5m0s", "operations are not counted", "limits.memory: 512 MiB, where the baseline has 256 MiB"},
		"copilot-chart":  {"data, a dict with the request's inputs, at most 8.0 MiB", "output and chart of its result", "guard.inputs: a request brings data of its own"},
		"workflow-step":  {"context, with the request's inputs", "10 times at most", "every tool that the caller of the run brings", "tools: the code can make the host run programs, up to 10 times"},
		"table-query":    {"always the table award_data", "pd (pandas)", "nothing: the import statement itself is refused", "session: up to 200 scripts share one sandbox", "guard.preloaded: "},
		"interpreter":    {"os, not itself but its path", "10000000 operations", "1000000 loop iterations", "as text"},
	} {
		policy, _ := builtin(t, name)
		explained, err := Explain(policy)
		require.NoError(t, err)
		var text strings.Builder
		for _, section := range explained.Sections {
			require.NotEmpty(t, section.Lines, section.Title)
			text.WriteString(strings.Join(section.Lines, "\n") + "\n")
		}
		for _, weakness := range explained.Weaker {
			text.WriteString(weakness.Key + ": " + weakness.Message + "\n")
		}
		for _, words := range want {
			require.Contains(t, text.String(), words, name)
		}
		require.NotContains(t, text.String(), "%!")
	}
}

func TestExplainSaysWhatAWarmSandboxShares(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	for warm, want := range map[Warm]string{
		WarmAllowed: "its memory is laid out as in other runs of that template",
		WarmNever:   "a sandbox that is made for the run",
		"":          "a sandbox that is made for the run",
	} {
		policy.Isolation.Warm = warm
		explained, err := Explain(policy)
		require.NoError(t, err)
		index := slices.IndexFunc(explained.Sections, func(s Section) bool { return s.Title == "It is isolated by" })
		require.Contains(t, strings.Join(explained.Sections[index].Lines, "\n"), want)
		require.NotContains(t, keys(explained.Weaker), "isolation.warm", "the baseline allows it too")
	}
}

func TestNoWarmSandboxIsNotWeaker(t *testing.T) {
	base, err := baseline()
	require.NoError(t, err)
	stricter := base
	stricter.Isolation.Warm = WarmNever
	require.Empty(t, weaknesses(stricter, base))
	require.Equal(t, []string{"isolation.warm"}, keys(weaknesses(base, stricter)))
}

func keys(found []Weakness) []string {
	var all []string
	for _, weakness := range found {
		all = append(all, weakness.Key)
	}
	return all
}

func TestExplainNamesAToolsCommand(t *testing.T) {
	policy, _ := full(t)
	require.Equal(t, []string{
		"10 times at most in one script, refused calls included; each for 5s at most, with 64 KiB of parameters and 1.0 MiB of answer",
		`lookup: the host runs ["/usr/bin/lookup" "--json"]`,
		"shout: the caller of the run brings it",
	}, policy.Tools.words())
}
