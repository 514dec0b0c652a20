package guard_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/selftest/header"
)

// leastSequels keeps the suite a suite.
const leastSequels = 40

// program is one of attacks/sequels: it begins where an attempt ends, with Python's
// own builtins, the real import, sys.modules and os in hand. Its doc string says what it tries, what holds
// it, and what it is worth where nothing does.
type program struct {
	Name   string `json:"name"`
	Source []byte `json:"source"` // base64 in JSON
	// always says that what holds it is the guard's own structure, which no side is without.
	always bool
	// Budget runs it under budgets that it uses up many times.
	Budget bool `json:"budget"`
	// landlock says that the lock alone holds it where the kernel has Landlock.
	landlock bool

	title, heldBy, worth string
}

// holders are what can hold a program, and what of a verdict shows it.
var holders = map[string]func(verdict) bool{
	// The audit hook raises EACCES.
	"hook": func(v verdict) bool { return strings.Contains(v.Detail, "PermissionError: [Errno 13]") },
	// What is needed is not in the process any more.
	"absence": func(v verdict) bool {
		for _, sign := range []string{"was taken from this process", "ImportError", "ModuleNotFoundError", "AttributeError", "LookupError", "KeyError", "EndsWithReport"} {
			if strings.Contains(v.Detail, sign) {
				return true
			}
		}
		return false
	},
	// The interpreter refuses, for the class is immutable.
	"classes": func(v verdict) bool { return strings.Contains(v.Detail, "immutable type") },
	// The budget ends the process.
	"budget": func(v verdict) bool { return v.Verdict == "limit" },
	// The kernel raises EPERM.
	"stage 2": func(v verdict) bool { return strings.Contains(v.Detail, "[Errno 1]") },
	// The process has ended with its report.
	"the end": func(v verdict) bool { return v.Verdict == "completed" },
	"nothing": func(v verdict) bool { return v.Verdict == "escaped" },
}

// TestABypassIsWorthNothing runs each program four times: without hook, reduction
// and lock, where it has to work; the same with stage 2; the same with the whole lock;
// and in a guard as every run has it, of which only the vetting, the curated builtins
// and Landlock are missing.
func TestABypassIsWorthNothing(t *testing.T) {
	programs := loadSequels(t)
	require.GreaterOrEqual(t, len(programs), leastSequels)
	filter, err := os.ReadFile("../../../policies/seccomp/python-analysis.user." + runtime.GOARCH + ".bpf")
	require.NoError(t, err)
	verdicts := runRange(t, "sequels", map[string]any{
		"attempts": programs, "imports": imports(t), "jobs": 3, "stage2": filter,
	}, "bare", "locked", "landlock", "bypassed")
	t.Log(sequelsTable(programs, verdicts))
	abi, err := container.Landlock()
	t.Logf("Landlock: ABI %d (%v): what it holds is shown only where the kernel has it", abi, err)
	for _, p := range programs {
		t.Run(p.Name, func(t *testing.T) {
			if !p.always {
				require.Equal(t, "escaped", verdicts["bare"][p.Name].Verdict, "it proves nothing, for it fails without any control: %s", verdicts["bare"][p.Name].Detail)
			}
			if abi > 0 && p.landlock {
				requireLandlock(t, verdicts["locked"][p.Name], verdicts["landlock"][p.Name])
			}
			held := verdicts["bypassed"][p.Name]
			require.True(t, holders[p.heldBy](held), "it should be held by %s: %s: %s", p.heldBy, held.Verdict, held.Detail)
		})
	}
}

// requireLandlock holds a program to what it can do with all of Python in a process
// without a hook: anything outside the zones, but for Landlock.
func requireLandlock(t *testing.T, without, with verdict) {
	t.Helper()
	require.Equal(t, "escaped", without.Verdict, "it proves nothing, for stage 2 holds it: %s", without.Detail)
	require.Contains(t, []string{"raised", "completed"}, with.Verdict, "%s", with.Detail)
}

func loadSequels(t *testing.T) []program {
	t.Helper()
	files, err := filepath.Glob("../../../attacks/sequels/*.py")
	require.NoError(t, err)
	programs := make([]program, 0, len(files))
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		programs = append(programs, parseProgram(t, file, string(text)))
	}
	return programs
}

func parseProgram(t *testing.T, file, text string) program {
	t.Helper()
	head, err := header.Parse(file, text)
	require.NoError(t, err)
	p := program{Name: strings.TrimSuffix(path.Base(file), ".py"), Source: []byte(head.Body), title: head.Title}
	require.NoError(t, head.Read(
		header.Field{Name: "Held by", Required: true, Set: func(holder string) error {
			p.heldBy = holder
			if holders[holder] == nil {
				return fmt.Errorf("write one of %v", slices.Sorted(maps.Keys(holders)))
			}
			return nil
		}},
		header.Field{Name: "Worth", Set: func(worth string) error { p.worth = worth; return nil }},
		header.Flag("Always", "yes", func() { p.always = true }),
		header.Flag("Budget", "yes", func() { p.Budget = true }),
		header.Flag("Landlock", "holds", func() { p.landlock = true }),
	))
	require.Equal(t, p.heldBy == "nothing", p.worth != "", "%s: what nothing holds has to say what it is worth, and nothing else", file)
	return p
}

// sequelsTable is the table of docs/guard.md.
func sequelsTable(programs []program, verdicts map[string]map[string]verdict) string {
	var text strings.Builder
	text.WriteString("\n| program | what it tries | under stage 2 alone | with Landlock | held by |\n|---|---|---|---|---|\n")
	for _, p := range programs {
		alone := func(side string) string {
			if verdicts[side][p.Name].Verdict == "escaped" {
				return "works"
			}
			return "held"
		}
		held := p.heldBy
		if p.worth != "" {
			held = "nothing; worth: " + p.worth
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s | %s | %s |\n", p.Name, p.title, alone("locked"), alone("landlock"), held)
	}
	return text.String()
}
