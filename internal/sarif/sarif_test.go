package sarif

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

const sha256 = digest.Hex("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")

// with is a script in which these were found.
func with(violations ...job.Violation) []Script {
	return []Script{{Path: "jobs/a b.py", Bytes: 10, SHA256: digest.Of([]byte("import os\n")).Hex(), Violations: violations}}
}

// standard is the OASIS schema of SARIF 2.1.0, errata 01.
func standard(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const file = "testdata/sarif-schema-2.1.0.json"
	data, err := os.Open(file)
	require.NoError(t, err)
	defer data.Close()
	document, err := jsonschema.UnmarshalJSON(data)
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource(file, document))
	schema, err := compiler.Compile(file)
	require.NoError(t, err)
	return schema
}

func valid(t *testing.T, report []byte) error {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	require.NoError(t, err)
	return standard(t).Validate(document)
}

func TestReportIsValidSARIF(t *testing.T) {
	for name, violations := range map[string][]job.Violation{
		"a clean script":             nil,
		"violations":                 {{Rule: "import.denied", Line: 1, Column: 8, Message: "no"}, {Rule: "syntax.error", Line: 3, Column: 1, Message: "<b>\x1b"}},
		"a violation without place":  {{Rule: "source.size", Message: "too large"}},
		"a violation without column": {{Rule: "source.nul", Line: 2, Message: "NUL"}},
		"an unknown rule":            {{Rule: "new.rule", Line: 1, Column: 1, Message: "new"}},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := Report(subject, with(violations...))
			require.NoError(t, err)
			require.NoError(t, valid(t, report))
		})
	}
}

func TestTheStandardsSchemaIsUsed(t *testing.T) {
	report, err := Report(subject, with(job.Violation{Rule: "import.denied", Line: 1, Column: 8, Message: "no"}))
	require.NoError(t, err)
	for _, broken := range []string{
		strings.Replace(string(report), `"startLine": 1`, `"startLine": 0`, 1),
		strings.Replace(string(report), `"unicodeCodePoints"`, `"bytes"`, 1),
		strings.Replace(string(report), `"ruleId"`, `"rule"`, 1),
	} {
		require.NotEqual(t, string(report), broken)
		require.Error(t, valid(t, []byte(broken)))
	}
}

func TestViolationsHaveRulesAndPlaces(t *testing.T) {
	report, err := Report(subject, with(job.Violation{Rule: "import.denied", Line: 1, Column: 8, Message: "no os"}))
	require.NoError(t, err)
	var got log
	require.NoError(t, json.Unmarshal(report, &got))
	found := got.Runs[0].Results[0]
	require.Equal(t, "import.denied", got.Runs[0].Tool.Driver.Rules[*found.RuleIndex].ID)
	require.Equal(t, "jobs/a%20b.py", found.Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Equal(t, &region{1, 8}, found.Locations[0].PhysicalLocation.Region)
	require.Equal(t, "no os", found.Message.Text)
}

func TestACleanScriptHasAnEmptyListOfResults(t *testing.T) {
	report, err := Report(subject, with())
	require.NoError(t, err)
	require.Contains(t, string(report), `"results": []`)
}

func TestSeveralFilesAreOneLog(t *testing.T) {
	files := append(with(job.Violation{Rule: "import.denied", Line: 1, Column: 8, Message: "no os"}), Script{Path: "b.ipynb", Violations: []job.Violation{
		{Rule: "syntax.error", Message: "cell 2, line 1, column 1: no"},
	}}, Script{Path: "c.py"})
	report, err := Report(subject, files)
	require.NoError(t, err)
	require.NoError(t, valid(t, report))
	var got log
	require.NoError(t, json.Unmarshal(report, &got))
	require.Len(t, got.Runs[0].Artifacts, 3)
	require.Len(t, got.Runs[0].Results, 2)
	require.Equal(t, "b.ipynb", got.Runs[0].Results[1].Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Nil(t, got.Runs[0].Results[1].Locations[0].PhysicalLocation.Region)
}

func TestEveryRuleHasHelp(t *testing.T) {
	rules, err := allRules()
	require.NoError(t, err)
	require.Greater(t, len(rules), 10)
	for _, rule := range rules {
		require.NotEmpty(t, rule.Help.Text)
		require.Regexp(t, `^[a-z]+\.[a-z_]+$`, rule.ID)
		require.True(t, strings.HasSuffix(rule.ShortDescription.Text, "."), rule.ShortDescription.Text)
		require.True(t, strings.HasPrefix(rule.Help.Text, strings.TrimSuffix(rule.ShortDescription.Text, ".")))
	}
}

func TestAPathBecomesAURI(t *testing.T) {
	for path, want := range map[string]string{
		"a.py": "a.py", "/srv/ü.py": "file:///srv/%C3%BC.py", "a:b.py": "./a:b.py", "100%.py": "100%25.py", "../x/a.py": "../x/a.py",
	} {
		require.Equal(t, want, uri(path))
	}
}

func TestAFileThatWasNotReadIsNoCleanOne(t *testing.T) {
	report, err := Report(subject, append(with(), Script{Path: "gone.py", Unread: "read script: no such file"}))
	require.NoError(t, err)
	require.NoError(t, valid(t, report))
	var got log
	require.NoError(t, json.Unmarshal(report, &got))
	require.False(t, got.Runs[0].Invocations[0].ExecutionSuccessful)
	require.Equal(t, "gone.py", got.Runs[0].Invocations[0].Notifications[0].Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Len(t, got.Runs[0].Artifacts, 1)
}
