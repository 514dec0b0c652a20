package selftest

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

func sample() Report {
	return Report{
		Policy: "study-analysis", PolicySHA256: digest.Hex(strings.Repeat("a", 64)), Engine: "oci", Runtime: "crun 1.8.1",
		StartedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Controls:  []job.Control{{Name: "user_namespace", Detail: "none"}},
		Outcomes: []Outcome{
			{Attack: "network", Title: "Reaches the host.", Suite: "confidentiality", Threats: []string{"C5", "E11"}, Mode: GuardOff, Verdict: Escaped, Detail: "ESCAPED:network <&\x1b\xff]]>", WallMS: 1500},
			{Attack: "quiet", Title: "Says nothing.", Suite: "confidentiality", Threats: []string{"C6"}, Mode: GuardOff, Verdict: Defective},
			{Attack: "network", Title: "Reaches the host.", Suite: "confidentiality", Threats: []string{"C5", "E11"}, Mode: GuardOn, Verdict: Rejected},
			{Attack: "random_os", Title: "Finds os.", Suite: GuardSuite, Threats: []string{"G01"}, Mode: GuardOn, Verdict: Held},
		},
		Canaries: []Canary{intact("host_file", ""), intact("host_sockets", "2 connections came in")},
	}
}

// element is XML as it stands, for a look without the types that wrote it.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []element  `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (e element) attr(name string) string {
	for _, one := range e.Attrs {
		if one.Name.Local == name {
			return one.Value
		}
	}
	return ""
}

// junitForm is what the schema of Ant's JUnit task says of each element: the
// attributes that it must have, with their types, and its children in their order.
// It has no attribute and no child besides.
var junitForm = map[string]struct {
	attributes map[string]string
	children   string
}{
	"testsuites": {nil, `^(testsuite )*$`},
	"testsuite": {map[string]string{
		"package": `.+`, "id": `^\d+$`, "name": `.+`, "timestamp": `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`, "hostname": `.+`,
		"tests": `^\d+$`, "failures": `^\d+$`, "errors": `^\d+$`, "time": `^\d+\.\d+$`,
	}, `^properties (testcase )*system-out system-err $`},
	"properties": {nil, `^(property )*$`},
	"property":   {map[string]string{"name": `.+`, "value": `.*`}, `^$`},
	"testcase":   {map[string]string{"name": `.+`, "classname": `.+`, "time": `^\d+\.\d+$`}, `^((skipped|error|failure) )?$`},
	"failure":    {map[string]string{"message": `.*`, "type": `.+`}, `^$`},
	"error":      {map[string]string{"message": `.*`, "type": `.+`}, `^$`},
	"system-out": {nil, `^$`},
	"system-err": {nil, `^$`},
}

func checkJUnit(t *testing.T, e element) {
	t.Helper()
	form, known := junitForm[e.XMLName.Local]
	require.True(t, known, "unknown element %s", e.XMLName.Local)
	require.Len(t, e.Attrs, len(form.attributes), e.XMLName.Local)
	for name, pattern := range form.attributes {
		require.Regexp(t, pattern, e.attr(name), "%s/@%s", e.XMLName.Local, name)
	}
	var names strings.Builder
	for _, child := range e.Children {
		names.WriteString(child.XMLName.Local + " ")
		checkJUnit(t, child)
	}
	require.Regexp(t, form.children, names.String(), "children of %s", e.XMLName.Local)
}

func TestJUnitHasTheFormOfItsSchema(t *testing.T) {
	for name, report := range map[string]Report{"a report": sample(), "an empty one": {}} {
		t.Run(name, func(t *testing.T) {
			text, err := report.JUnit()
			require.NoError(t, err)
			var root element
			require.NoError(t, xml.Unmarshal(text, &root))
			checkJUnit(t, root)
		})
	}
}

func TestJUnitCountsWhatFailed(t *testing.T) {
	text, err := sample().JUnit()
	require.NoError(t, err)
	var root element
	require.NoError(t, xml.Unmarshal(text, &root))
	found := map[string][3]string{}
	for index, suite := range root.Children {
		require.Equal(t, string(rune('0'+index)), suite.attr("id"))
		found[suite.attr("name")] = [3]string{suite.attr("tests"), suite.attr("failures"), suite.attr("errors")}
	}
	require.Equal(t, map[string][3]string{
		"confidentiality.guard_off": {"2", "1", "1"},
		"confidentiality.guard_on":  {"1", "0", "0"},
		"guard.guard_on":            {"1", "0", "0"},
		"canaries":                  {"2", "1", "0"},
	}, found)
	require.NotContains(t, string(text), "\x1b", "a terminal must not be driven by it")
	require.Contains(t, string(text), `name="absent_controls" value="user_namespace"`)
}

func TestSARIFHasAResultForEachEscape(t *testing.T) {
	text, err := sample().SARIF("1", func(o Outcome) string { return "probes/" + o.Attack + ".py" })
	require.NoError(t, err)
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &log))
	var results, rules []string
	for _, one := range log.Runs[0].Results {
		results = append(results, one.RuleID)
	}
	for _, one := range log.Runs[0].Tool.Driver.Rules {
		rules = append(rules, one.ID)
	}
	require.Equal(t, []string{"C5", "attack.defective", "canary.lost"}, results)
	require.Equal(t, []string{"canary.lost", "attack.defective", "C5", "C6", "E11", "G01"}, rules)
	require.Equal(t, "probes/network.py", log.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Contains(t, log.Runs[0].Results[0].Message.Text, "guard_off, C5 E11")
}

func TestReportsAreDeterministic(t *testing.T) {
	one, err := sample().JUnit()
	require.NoError(t, err)
	two, err := sample().JUnit()
	require.NoError(t, err)
	require.Equal(t, string(one), string(two))
}
