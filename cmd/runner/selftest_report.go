package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"hotcell/internal/durable"
	"hotcell/internal/selftest"
)

// selftestFiles are the reports for CI, or nil where none was asked for.
type selftestFiles struct{ junit, sarif *os.File }

// openReports empties the files first: a report of an earlier self-test must not
// stand for one that could not be carried out.
func openReports(flags selftestFlags) (files selftestFiles, err error) {
	for _, one := range []struct {
		path string
		file **os.File
	}{{flags.junit, &files.junit}, {flags.sarif, &files.sarif}} {
		if one.path == "" {
			continue
		}
		if *one.file, err = durable.Create(one.path); err != nil {
			return files, errors.Join(usageError{fmt.Errorf("write report: %w", err)}, files.close())
		}
	}
	return files, nil
}

func (f selftestFiles) write(report selftest.Report, where func(selftest.Outcome) string) error {
	return errors.Join(
		fill(f.junit, report.JUnit),
		fill(f.sarif, func() ([]byte, error) {
			text, err := report.SARIF(thisBuild().Version, where)
			return []byte(escapeInvisible(string(text))), err
		}),
	)
}

func fill(file *os.File, text func() ([]byte, error)) error {
	if file == nil {
		return nil
	}
	content, err := text()
	if err == nil {
		_, err = file.Write(content)
	}
	return err
}

func (f selftestFiles) close() error {
	var faults []error
	for _, file := range []*os.File{f.junit, f.sarif} {
		if file != nil {
			faults = append(faults, file.Close())
		}
	}
	return errors.Join(faults...)
}

// showSelftest prints the report for people, or as JSON.
func (a *app) showSelftest(report selftest.Report) error {
	if a.json {
		return a.printJSON(struct {
			Contained bool           `json:"contained"`
			Summary   []selftest.Row `json:"summary"`
			selftest.Report
		}{report.Contained(), report.Rows(), report})
	}
	var text strings.Builder
	selftestText(&text, report)
	_, err := io.WriteString(a.stdout, printable(text.String()))
	return err
}

func selftestText(w io.Writer, report selftest.Report) {
	selftestTable(w, report)
	for _, bad := range report.Bad() {
		fmt.Fprintf(w, "\n✗ %s  %s: %s\n", bad.Verdict, bad.Attack, bad.Title)
		fmt.Fprintf(w, "  of %s, %s, %s\n", bad.Suite, modeWords[bad.Mode], strings.Join(bad.Threats, " "))
		fmt.Fprintf(w, "  found  %s\n", indent(bad.Detail)[4:])
		fmt.Fprintf(w, "  do     %s\n", advice(bad))
	}
	for _, lost := range report.Lost() {
		fmt.Fprintf(w, "\n✗ canary  %s: %s\n", lost.Name, indent(lost.Detail)[4:])
		fmt.Fprintln(w, "  do     take this host out of use until it is known which run did it: run again with --jobs 1 --verbose")
	}
	absentControls(w, report)
	fmt.Fprintf(w, "\n%s  %s · %s (%s) · kernel %s · %s\n", selftestHeadline(report), report.Policy, report.Engine, report.Runtime, report.Kernel,
		(time.Duration(report.WallMS) * time.Millisecond).Round(time.Second))
}

func selftestHeadline(report selftest.Report) string {
	if report.Contained() {
		return "✓ contained"
	}
	return "✗ not contained"
}

var modeWords = map[selftest.Mode]string{selftest.GuardOff: "guard off", selftest.GuardOn: "guard on"}

func selftestTable(w io.Writer, report selftest.Report) {
	verdicts := []selftest.Verdict{selftest.Held, selftest.Killed, selftest.Ended, selftest.Rejected, selftest.Absent, selftest.Escaped, selftest.Defective}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CONTRACT\tMODE\tATTACKS\tHELD\tKILLED\tENDED\tREJECTED\tABSENT\tESCAPED\tDEFECTIVE")
	for _, row := range report.Rows() {
		fmt.Fprintf(table, "%s\t%s\t%d", row.Suite, modeWords[row.Mode], row.Attacks)
		for _, verdict := range verdicts {
			fmt.Fprintf(table, "\t%d", row.By[verdict])
		}
		fmt.Fprintln(table)
	}
	_ = table.Flush() // to memory
	fmt.Fprintf(w, "\ncanaries: %d of %d as they were\n", len(report.Canaries)-len(report.Lost()), len(report.Canaries))
}

// advice says what to do about an attack that was not held.
func advice(bad selftest.Outcome) string {
	switch {
	case bad.Verdict == selftest.Defective:
		return "it may need more time on a busy host: run again with --jobs 1; if that does not help, correct the attack: it proves nothing"
	case bad.Suite == selftest.GuardSuite:
		return "the guard has a hole, and the container holds what came through: tighten guard.imports of the policy, and report it"
	default:
		return "do not run untrusted code here: see `runner doctor` for what this host lacks, and docs/threat-model.md for " + strings.Join(bad.Threats, ", ")
	}
}

func absentControls(w io.Writer, report selftest.Report) {
	for _, control := range report.Controls {
		if !control.Active {
			fmt.Fprintf(w, "\nabsent on this host, as the policy allows: %s: %s", control.Name, control.Detail)
		}
	}
	if len(report.Optional) > 0 {
		fmt.Fprintf(w, "\noptional in the policy: %s\n", strings.Join(report.Optional, ", "))
	}
}
