package selftest

import (
	"encoding/xml"
	"fmt"
	"os"
	"strings"
	"time"
)

// The parts of a JUnit report that are used, with the attributes that the schema of
// Ant's JUnit task requires and readers such as Jenkins and GitLab take.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Package    string          `xml:"package,attr"`
		ID         int             `xml:"id,attr"`
		Name       string          `xml:"name,attr"`
		Timestamp  string          `xml:"timestamp,attr"` // without a zone: UTC
		Hostname   string          `xml:"hostname,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Time       string          `xml:"time,attr"` // seconds
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		SystemOut  string          `xml:"system-out"`
		SystemErr  string          `xml:"system-err"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string      `xml:"name,attr"`
		Classname string      `xml:"classname,attr"`
		Time      string      `xml:"time,attr"`
		Failure   *junitFault `xml:"failure,omitempty"`
		Error     *junitFault `xml:"error,omitempty"`
	}
	junitFault struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit returns the report as JUnit XML: a suite for each contract and mode, and one
// for the canaries. What escaped is a failure, what proves nothing an error.
func (r Report) JUnit() ([]byte, error) {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "localhost" // as the schema has it for a host without a name
	}
	var all junitSuites
	for _, row := range r.Rows() {
		all.Suites = append(all.Suites, r.junitSuite(row, host, len(all.Suites)))
	}
	all.Suites = append(all.Suites, r.junitCanaries(host, len(all.Suites)))
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write JUnit: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}

func (r Report) newSuite(name, host string, id int) junitSuite {
	return junitSuite{
		Package: "hotcell.selftest", ID: id, Name: name, Timestamp: r.StartedAt.Format("2006-01-02T15:04:05"),
		Hostname: host, Time: seconds(0),
		Properties: []junitProperty{
			{"policy", r.Policy}, {"policy_sha256", string(r.PolicySHA256)}, {"image", r.Image.String()}, {"engine", r.Engine},
			{"runtime", r.Runtime}, {"kernel", r.Kernel}, {"absent_controls", strings.Join(r.absent(), " ")},
		},
	}
}

func (r Report) junitSuite(row Row, host string, id int) junitSuite {
	suite := r.newSuite(string(row.Suite)+"."+string(row.Mode), host, id)
	var total int64
	for _, outcome := range r.Outcomes {
		if outcome.Suite != row.Suite || outcome.Mode != row.Mode {
			continue
		}
		total += outcome.WallMS
		suite.add(junitCase{Name: outcome.Attack, Classname: suite.Package + "." + suite.Name, Time: seconds(outcome.WallMS)}, outcome)
	}
	suite.Time = seconds(total)
	return suite
}

func (s *junitSuite) add(one junitCase, outcome Outcome) {
	fault := &junitFault{
		Message: outcome.Title, Type: string(outcome.Verdict),
		Text: fmt.Sprintf("%s: %s\nthreats: %s", outcome.Verdict, outcome.Detail, strings.Join(outcome.Threats, " ")),
	}
	switch {
	case outcome.Verdict.Good():
	case outcome.Verdict == Escaped:
		one.Failure = fault
		s.Failures++
	default:
		one.Error = fault
		s.Errors++
	}
	s.Tests++
	s.Cases = append(s.Cases, one)
}

func (r Report) junitCanaries(host string, id int) junitSuite {
	suite := r.newSuite("canaries", host, id)
	for _, canary := range r.Canaries {
		verdict := Held
		if !canary.Intact {
			verdict = Escaped
		}
		suite.add(
			junitCase{Name: canary.Name, Classname: suite.Package + "." + suite.Name, Time: seconds(0)},
			Outcome{Title: "something on the host has changed", Verdict: verdict, Detail: canary.Detail},
		)
	}
	return suite
}

func seconds(ms int64) string {
	return fmt.Sprintf("%.3f", (time.Duration(ms) * time.Millisecond).Seconds())
}

// absent names the controls that the host lacks.
func (r Report) absent() []string {
	var names []string
	for _, control := range r.Controls {
		if !control.Active {
			names = append(names, control.Name)
		}
	}
	return names
}
