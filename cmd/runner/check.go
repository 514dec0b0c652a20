package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"hotcell/internal/job"
	"hotcell/internal/notebook"
)

const vetHelp = `Vet scripts in sandboxes of their own, as a run would, without running them. It imports
nothing, mounts no bundle and keeps no record.

Each violation is one line, FILE:LINE:COLUMN: RULE: what to do instead. Columns count
characters. --sarif writes SARIF 2.1.0 with help for every rule, even if there are
no violations. The exit code is 0 without violations and 3 with some in any file.

A notebook (.ipynb) is vetted as its code cells one after the other. A violation in it
is FILE:cell N:LINE:COLUMN, where N counts all cells and LINE the lines of the cell. A
notebook's commands (%magic, !command, name?) are violations that say what to do.

With several files --json has a list "files", else the answer of the one.`

// mostChecked is far above what a command line holds, and keeps a mistaken * from a day's work.
const mostChecked = 1000

// checkFlags is what the user gave `runner check`.
type checkFlags struct {
	target
	sarif string
}

func (a *app) checkCommand() *cobra.Command {
	var flags checkFlags
	command := &cobra.Command{
		Use:   "check --policy NAME [--sarif FILE|-] SCRIPT|NOTEBOOK|-...",
		Short: "Vet scripts and notebooks without running them",
		Long:  vetHelp,
		Example: `  runner check --policy study-analysis analysis.py
  runner check --policy study-analysis analyses/*.py exploration.ipynb
  runner check --policy study-analysis --sarif violations.sarif analysis.py`,
		Args: arguments(1, mostChecked, "scripts or notebooks, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd, flags, args) },
	}
	a.addTarget(command, &flags.target, "")
	addCold(command, &flags.cold)
	command.Flags().StringVar(&flags.sarif, "sarif", "", "`file` for the violations as SARIF 2.1.0, or - for standard output")
	return command
}

func (a *app) check(cmd *cobra.Command, flags checkFlags, names []string) error {
	ctx := cmd.Context()
	sources, err := a.readSources(ctx, a.checkFaults(cmd, flags, names), names)
	if err != nil {
		return a.withPolicy(err, flags.policy)
	}
	vetted, err := a.vetAll(ctx, flags.target, sources)
	if err != nil {
		return a.policyFirst(err, flags.policy)
	}
	if err := a.showViolations(flags.sarif, vetted); err != nil {
		return err
	}
	if slices.ContainsFunc(vetted, checked.isRejected) {
		return exitError(job.Rejected.ExitCode())
	}
	return nil
}

func (a *app) checkFaults(cmd *cobra.Command, flags checkFlags, names []string) error {
	faults := &flagFaults{command: cmd}
	a.refuseTarget(faults, flags.target)
	faults.refuse("sarif", flags.sarif == "", "the name of a file, or - for standard output")
	if a.json && flags.sarif == "-" {
		faults.add(errors.New("--json and --sarif - both write to standard output: give --sarif a file"))
	}
	if first := slices.Index(names, "-"); first >= 0 && slices.Contains(names[first+1:], "-") {
		faults.add(errors.New("- is standard input and can be given once"))
	}
	return faults.usage()
}

// source is one file to vet.
type source struct {
	path, name string // as the user named it, and as the guard does
	raw        []byte
	code       []byte
	notebook   *notebook.Notebook // nil for a script
}

// readSources reads all files before the first is vetted, and tells of all that it cannot
// read together with what is wrong already.
func (a *app) readSources(ctx context.Context, faults error, names []string) ([]source, error) {
	failed := faults
	sources := make([]source, 0, len(names))
	for _, given := range names {
		if faults != nil && given == "-" {
			continue // nobody types a script for flags that are wrong
		}
		one, err := a.readSource(ctx, given)
		failed = errors.Join(failed, err)
		sources = append(sources, one)
	}
	return sources, failed
}

func (a *app) readSource(ctx context.Context, given string) (source, error) {
	if !notebook.Is(given) {
		code, name, err := a.readScript(ctx, given)
		path := given
		if given == "-" {
			path = name
		}
		return source{path: path, name: name, raw: code, code: code}, err
	}
	raw, err := readBounded(ctx, given, notebook.MaxBytes)
	if err != nil {
		return source{}, err
	}
	read, err := notebook.Parse(raw)
	if err != nil {
		return source{}, usageError{fmt.Errorf("read notebook %s: %w", filepath.Base(given), err)}
	}
	return source{path: given, name: scriptName(given), raw: raw, code: read.Code, notebook: read}, nil
}

// vetAll has the guard look at each.
func (a *app) vetAll(ctx context.Context, on target, sources []source) ([]checked, error) {
	progress := newProgress(a.stderr)
	defer progress.close()
	made, err := a.service(ctx, on)
	if err != nil {
		return nil, err
	}
	all := make([]checked, 0, len(sources))
	for _, one := range sources {
		request := job.Request{Policy: on.policy, Code: one.code, ScriptName: one.name, Runtime: on.runtime}
		found, err := made.Check(ctx, a.ask(request, progress))
		if err != nil {
			return nil, err
		}
		all = append(all, checked{source: one, found: found})
	}
	return all, nil
}

// policyFirst tells of the policy's fault where a check could not be made and its policy
// has one: whether there is an engine does not matter then.
func (a *app) policyFirst(err error, name string) error {
	if _, fault := a.policies().Get(name); fault != nil {
		return policyFault(fault)
	}
	return err
}
