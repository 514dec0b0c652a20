package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/sarif"
)

const vetHelp = `Vet one script in a sandbox of its own, as a run would, without running it. Nothing of
it is imported, no bundle is mounted and no record is kept.

Each finding is one line, FILE:LINE:COLUMN: RULE: what to do instead; columns
count characters. --sarif writes SARIF 2.1.0 with help for every rule, also for a
script without findings. The exit code is 0 without findings and 3 with some.`

// checkFlags is what the user gave `runner check`.
type checkFlags struct {
	policy, engine, runtime, sarif string
}

func (a *app) checkCommand() *cobra.Command {
	var flags checkFlags
	command := &cobra.Command{
		Use:   "check --policy NAME [--sarif FILE|-] SCRIPT|-",
		Short: "Vet a script without running it",
		Long:  vetHelp,
		Example: `  runner check --policy study-analysis analysis.py
  runner check --policy study-analysis --sarif findings.sarif analysis.py`,
		Args: arguments(1, 1, "one script, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd, flags, args[0]) },
	}
	set := command.Flags()
	set.StringVar(&flags.policy, "policy", "", "policy, by name (required)")
	set.StringVar(&flags.engine, "engine", "auto", "what makes the container: auto, oci or docker")
	set.StringVar(&flags.runtime, "runtime", "", "OCI runtime: crun, runc or another one; without it the engine's choice")
	set.StringVar(&flags.sarif, "sarif", "", "file for the findings as SARIF 2.1.0, or - for standard output")
	a.completeCheck(command)
	return command
}

func (a *app) completeCheck(command *cobra.Command) {
	for name, complete := range map[string]cobra.CompletionFunc{
		"engine":  cobra.FixedCompletions(engineNames, cobra.ShellCompDirectiveNoFileComp),
		"runtime": cobra.FixedCompletions([]string{"crun", "runc", "runsc"}, cobra.ShellCompDirectiveNoFileComp),
		"policy":  a.completePolicies,
	} {
		if err := command.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic(err) // the flag's name is misspelt above
		}
	}
}

func (a *app) check(cmd *cobra.Command, flags checkFlags, script string) error {
	ctx := cmd.Context()
	if err := a.checkFlagFaults(cmd, flags); err != nil {
		return usageError{err}
	}
	chosen, err := a.policies().Get(flags.policy)
	if err != nil {
		return policyFault(err)
	}
	code, name, err := a.readScript(ctx, script)
	if err != nil {
		return err
	}
	found, err := a.vet(ctx, flags, job.Request{Policy: flags.policy, Code: code, ScriptName: name, Runtime: flags.runtime})
	if err != nil {
		return err
	}
	path := script
	if script == "-" {
		path = name
	}
	if err := a.showFindings(flags.sarif, checked{path, code, chosen, found}); err != nil {
		return err
	}
	if len(found) > 0 {
		return exitError(job.Rejected.ExitCode())
	}
	return nil
}

func (a *app) checkFlagFaults(cmd *cobra.Command, flags checkFlags) error {
	var faults []error
	if !cmd.Flags().Changed("policy") {
		faults = append(faults, a.missingPolicy())
	}
	if cmd.Flags().Changed("sarif") && flags.sarif == "" {
		faults = append(faults, errors.New("--sarif must be the name of a file, or - for standard output"))
	}
	if a.json && flags.sarif == "-" {
		faults = append(faults, errors.New("--json and --sarif - are two answers on one standard output: give --sarif a file"))
	}
	return errors.Join(faults...)
}

// vet has the guard look at the code.
func (a *app) vet(ctx context.Context, flags checkFlags, request job.Request) ([]job.Violation, error) {
	progress := newProgress(a.stderr)
	defer progress.close()
	made, err := a.newRunner(ctx, flags.engine, flags.runtime, progress)
	if err != nil {
		return nil, err
	}
	return made.Check(ctx, request)
}

// checked is a script and what the guard found in it.
type checked struct {
	path   string
	code   []byte
	policy policy.Policy
	found  []job.Violation
}

// showFindings answers in one of three ways, and writes the SARIF file beside it.
func (a *app) showFindings(sarifTo string, c checked) error {
	if sarifTo != "" {
		report, err := sarif.Report(sarif.Source{
			Path: c.path, Code: c.code, Policy: c.policy.Name, PolicySHA256: c.policy.SHA256, Version: version,
		}, c.found)
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
		return a.findingsJSON(c)
	}
	return a.findingsText(c)
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

func (a *app) findingsJSON(c checked) error {
	found := c.found
	if found == nil {
		found = []job.Violation{}
	}
	return a.printJSON(map[string]any{
		"file": c.path, "accepted": len(found) == 0, "violations": found,
		"policy": c.policy.Name, "policy_sha256": c.policy.SHA256,
	})
}

func (a *app) findingsText(c checked) error {
	var text strings.Builder
	path := onOneLine(c.path) // whoever names a file does not write findings, or a verdict
	for _, one := range c.found {
		fmt.Fprintf(&text, "%s:%d:%d: %s: %s\n", path, one.Line, one.Column, one.Rule, strings.ReplaceAll(one.Message, "\n", " "))
	}
	if _, err := fmt.Fprint(a.stdout, printable(text.String())); err != nil {
		return err
	}
	summary := fmt.Sprintf("✓ accepted  %s\n  policy   %s\n", path, c.policy.Name)
	if len(c.found) > 0 {
		summary = fmt.Sprintf("✗ rejected  %s\n  findings %d\n  policy   %s\n", path, len(c.found), c.policy.Name)
	}
	_, err := fmt.Fprint(a.stderr, printable(summary))
	return err
}

// onOneLine is for a name in an answer of lines: a finding is one, for tools that read
// it. printable escapes all else that ends a line somewhere.
func onOneLine(text string) string { return strings.ReplaceAll(text, "\n", `\n`) }
