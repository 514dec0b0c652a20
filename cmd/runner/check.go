package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/sarif"
)

const vetHelp = `Vet a script in a sandbox of its own, as a run would, without running it. It imports
nothing, mounts no bundle and keeps no record.

Each violation is one line, FILE:LINE:COLUMN: RULE: what to do instead. Columns count
characters. --sarif writes SARIF 2.1.0 with help for every rule, even if there are
no violations. The exit code is 0 without violations and 3 with some.`

// checkFlags is what the user gave `runner check`.
type checkFlags struct {
	target
	sarif string
}

func (a *app) checkCommand() *cobra.Command {
	var flags checkFlags
	command := &cobra.Command{
		Use:   "check --policy NAME [--sarif FILE|-] SCRIPT|-",
		Short: "Vet a script without running it",
		Long:  vetHelp,
		Example: `  runner check --policy study-analysis analysis.py
  runner check --policy study-analysis --sarif violations.sarif analysis.py`,
		Args: arguments(1, 1, "one script, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd, flags, args[0]) },
	}
	a.addTarget(command, &flags.target, "")
	addCold(command, &flags.cold)
	command.Flags().StringVar(&flags.sarif, "sarif", "", "`file` for the violations as SARIF 2.1.0, or - for standard output")
	return command
}

func (a *app) check(cmd *cobra.Command, flags checkFlags, script string) error {
	ctx := cmd.Context()
	code, name, err := a.readScriptBeside(ctx, a.checkFaults(cmd, flags), script)
	if err != nil {
		return a.withPolicy(err, flags.policy)
	}
	found, err := a.vet(ctx, flags.target, job.Request{Policy: flags.policy, Code: code, ScriptName: name, Runtime: flags.runtime})
	if err != nil {
		return a.policyFirst(err, flags.policy)
	}
	path := script
	if script == "-" {
		path = name
	}
	if err := a.showViolations(flags.sarif, checked{path, code, found}); err != nil {
		return err
	}
	if len(found.Violations) > 0 {
		return exitError(job.Rejected.ExitCode())
	}
	return nil
}

func (a *app) checkFaults(cmd *cobra.Command, flags checkFlags) error {
	faults := &flagFaults{command: cmd}
	a.refuseTarget(faults, flags.target)
	faults.refuse("sarif", flags.sarif == "", "the name of a file, or - for standard output")
	if a.json && flags.sarif == "-" {
		faults.add(errors.New("--json and --sarif - both write to standard output: give --sarif a file"))
	}
	return faults.usage()
}

// vet has the guard look at the code.
func (a *app) vet(ctx context.Context, on target, request job.Request) (runner.Checked, error) {
	progress := newProgress(a.stderr)
	defer progress.close()
	made, err := a.service(ctx, on)
	if err != nil {
		return runner.Checked{}, err
	}
	return made.Check(ctx, a.ask(request, progress))
}

// policyFirst tells of the policy's fault where a check could not be made and its policy
// has one: whether there is an engine does not matter then.
func (a *app) policyFirst(err error, name string) error {
	if _, fault := a.policies().Get(name); fault != nil {
		return policyFault(fault)
	}
	return err
}

// checked is a script and what the guard found in it.
type checked struct {
	path  string
	code  []byte
	found runner.Checked
}

// showViolations answers in one of three ways, and writes the SARIF file beside it.
func (a *app) showViolations(sarifTo string, c checked) error {
	if sarifTo != "" {
		report, err := sarif.Report(sarif.Source{
			Path: c.path, Code: c.code, Policy: c.found.Policy, PolicySHA256: c.found.PolicySHA256, Version: thisBuild().Version,
		}, c.found.Violations)
		if err != nil {
			return err
		}
		report = []byte(escapeInvisible(string(report)))
		if sarifTo == "-" {
			_, err = a.stdout.Write(report)
			return err
		}
		if err := writeReport(sarifTo, report); err != nil {
			return usageError{err}
		}
	}
	if a.json {
		return a.violationsJSON(c)
	}
	return a.violationsText(c)
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

func (a *app) violationsJSON(c checked) error {
	found := c.found.Violations
	if found == nil {
		found = []job.Violation{}
	}
	return a.printJSON(map[string]any{
		"file": c.path, "accepted": len(found) == 0, "violations": found,
		"policy": c.found.Policy, "policy_sha256": c.found.PolicySHA256,
	})
}

func (a *app) violationsText(c checked) error {
	var text strings.Builder
	path := onOneLine(c.path) // whoever names a file does not write violations, or a verdict
	for _, one := range c.found.Violations {
		fmt.Fprintf(&text, "%s:%d:%d: %s: %s\n", path, one.Line, one.Column, one.Rule, strings.ReplaceAll(one.Message, "\n", " "))
	}
	if _, err := fmt.Fprint(a.stdout, printable(text.String())); err != nil {
		return err
	}
	summary := fmt.Sprintf("✓ accepted  %s\n  policy   %s\n", path, c.found.Policy)
	if len(c.found.Violations) > 0 {
		summary = fmt.Sprintf("✗ rejected  %s\n  violations %d\n  policy     %s\n", path, len(c.found.Violations), c.found.Policy)
	}
	_, err := fmt.Fprint(a.stderr, printable(summary))
	return err
}

// onOneLine is for a name in an answer of lines: a violation is one, for tools that read
// it. printable escapes all else that ends a line somewhere.
func onOneLine(text string) string { return strings.ReplaceAll(text, "\n", `\n`) }
