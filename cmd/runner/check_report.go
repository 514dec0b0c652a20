package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/sarif"
)

// checked is a file and what the guard found in it.
type checked struct {
	source

	found runner.Checked
}

// placed is a violation where a person looks for it. Cell is 0 outside of notebooks.
type placed struct {
	Cell int `json:"cell,omitempty"`
	job.Violation
}

func (c checked) isUnread() bool { return c.unread != nil }

func (c checked) isRejected() bool { return len(c.violations()) > 0 }

// violations are those of the guard and, in a notebook, its commands, each with its cell.
func (c checked) violations() []placed {
	all := c.found.Violations
	if c.notebook != nil {
		all = c.notebook.Merge(all)
	}
	found := make([]placed, 0, len(all))
	for _, one := range all {
		at := placed{Violation: one}
		if c.notebook != nil {
			at.Cell, at.Line = c.notebook.Place(one.Line)
		}
		found = append(found, at)
	}
	return found
}

// showViolations answers in one of three ways, and writes the SARIF file beside it.
func (a *app) showViolations(sarifTo string, all []checked) error {
	if sarifTo != "" {
		report, err := sarifReport(all)
		if err != nil {
			return err
		}
		if sarifTo == "-" {
			_, err = a.stdout.Write(report)
			return err
		}
		if err := writeReport(sarifTo, report); err != nil {
			return usageError{err}
		}
	}
	if a.json {
		return a.violationsJSON(all)
	}
	return a.violationsText(all)
}

// vettedBy is what says by which policy: that of a file that could be read, of which there is
// one.
func vettedBy(all []checked) runner.Checked {
	return all[slices.IndexFunc(all, func(c checked) bool { return !c.isUnread() })].found
}

func sarifReport(all []checked) ([]byte, error) {
	files := make([]sarif.Script, 0, len(all))
	for _, c := range all {
		file := sarif.Script{Path: c.path, Bytes: c.bytes, SHA256: c.sum}
		if c.isUnread() {
			file.Unread = c.unread.Error()
		}
		for _, one := range c.violations() {
			violation := one.Violation
			if one.Cell > 0 { // a line of the file would be one of its JSON
				violation.Message = fmt.Sprintf("cell %d, line %d, column %d: %s", one.Cell, one.Line, one.Column, one.Message)
				violation.Line, violation.Column = 0, 0
			}
			file.Violations = append(file.Violations, violation)
		}
		files = append(files, file)
	}
	by := vettedBy(all)
	report, err := sarif.Report(sarif.Vetting{Policy: by.Policy, PolicySHA256: by.PolicySHA256, Version: thisBuild().Version}, files)
	if err != nil {
		return nil, err
	}
	return []byte(escapeInvisible(string(report))), nil
}

func writeReport(name string, report []byte) error {
	file, err := durable.Create(name)
	if err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	_, err = file.Write(report)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

// violationsJSON prints the answer of one file, or a list of several.
func (a *app) violationsJSON(all []checked) error {
	by := vettedBy(all)
	answers, accepted := make([]map[string]any, 0, len(all)), true
	for _, c := range all {
		fine := !c.isUnread() && !c.isRejected()
		answer := map[string]any{"file": c.path, "accepted": fine, "violations": c.violations()}
		if c.isUnread() {
			answer["error"] = map[string]any{"message": c.unread.Error(), "exit_code": job.ExitUsage}
		}
		answers, accepted = append(answers, answer), accepted && fine
	}
	answer := map[string]any{"accepted": accepted, "files": answers}
	if len(all) == 1 {
		answer = answers[0]
	}
	answer["policy"], answer["policy_sha256"] = by.Policy, by.PolicySHA256
	return a.printJSON(answer)
}

func (a *app) violationsText(all []checked) error {
	rejected, unread := 0, 0
	for _, c := range all {
		switch {
		case c.isUnread():
			unread++
		case c.isRejected():
			rejected++
		}
		if err := a.fileText(c); err != nil {
			return err
		}
	}
	if len(all) == 1 {
		return nil
	}
	summary := fmt.Sprintf("%d of %d files rejected", rejected, len(all))
	if unread > 0 {
		summary += fmt.Sprintf(", %d not read", unread)
	}
	_, err := fmt.Fprintln(a.stderr, summary)
	return err
}

func (a *app) fileText(c checked) error {
	var text strings.Builder
	path := onOneLine(c.path) // whoever names a file does not write violations, or a verdict
	if c.isUnread() {
		_, err := fmt.Fprint(a.stderr, printable(fmt.Sprintf("✗ not vetted  %s\n  %s\n", path, onOneLine(c.unread.Error()))))
		return err
	}
	found := c.violations()
	for _, one := range found {
		place := path
		if one.Cell > 0 {
			place = fmt.Sprintf("%s:cell %d", path, one.Cell)
		}
		fmt.Fprintf(&text, "%s:%d:%d: %s: %s\n", place, one.Line, one.Column, onOneLine(one.Rule), strings.ReplaceAll(one.Message, "\n", " "))
	}
	if _, err := fmt.Fprint(a.stdout, printable(text.String())); err != nil {
		return err
	}
	summary := fmt.Sprintf("✓ accepted  %s\n  policy   %s\n", path, c.found.Policy)
	if len(found) > 0 {
		summary = fmt.Sprintf("✗ rejected  %s\n  violations %d\n  policy     %s\n", path, len(found), c.found.Policy)
	}
	_, err := fmt.Fprint(a.stderr, printable(summary))
	return err
}
