package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/notebook"
	"hotcell/internal/runner"
)

const vetHelp = `Vet scripts in sandboxes of their own, as a run would, without running them. It imports
nothing, mounts no bundle and keeps no record, but for a line of the audit chain.

Each violation is one line, FILE:LINE:COLUMN: RULE: what to do instead. Columns count
characters. --sarif writes SARIF 2.1.0 with help for every rule, even if there are
no violations. The exit code is 0 without violations and 3 with some in any file, but 2
where a file could not be read: the others are vetted all the same.

A notebook (.ipynb) is vetted as its code cells one after the other, each of which must
be Python by itself. A violation in it is FILE:cell N:LINE:COLUMN, where N counts all
cells and LINE the lines of the cell. A notebook's commands (%magic, !command, name?) are
violations that say what to do. A cell that is no Python does not hide what is in the
others.

With several files --json has a list "files", else the answer of the one.

` + serverHelp

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
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && isSource(flags.sarif) {
				return usageError{fmt.Errorf("--sarif has taken %s, the name of a script, as the file to write: name that first, --sarif FILE %[1]s", onOneLine(flags.sarif))}
			}
			return arguments(1, mostChecked, "scripts or notebooks, or - for standard input")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd, flags, args) },
	}
	a.addTarget(command, &flags.target, "")
	addCold(command, &flags.cold)
	addServer(command, &flags.serverFlags)
	command.Flags().StringVar(&flags.sarif, "sarif", "", "`file` for the violations as SARIF 2.1.0, or - for standard output")
	return command
}

func (a *app) check(cmd *cobra.Command, flags checkFlags, names []string) error {
	ctx := cmd.Context()
	sources, err := a.readSources(ctx, a.checkFaults(cmd, flags, names), names)
	if err != nil {
		return a.withPolicy(err, flags.target)
	}
	vetted, err := a.vetAll(ctx, flags.target, sources)
	if err != nil {
		return a.policyFirst(err, flags.target)
	}
	if err := a.showViolations(flags.sarif, vetted); err != nil {
		return err
	}
	switch {
	case slices.ContainsFunc(vetted, checked.isUnread):
		return exitError(job.ExitUsage)
	case slices.ContainsFunc(vetted, checked.isRejected):
		return exitError(job.Rejected.ExitCode())
	}
	return nil
}

// isSource tells by its name whether a file is one that is vetted.
func isSource(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".py") || notebook.Is(name)
}

func (a *app) checkFaults(cmd *cobra.Command, flags checkFlags, names []string) error {
	faults := &flagFaults{command: cmd}
	a.refuseTarget(faults, flags.target)
	faults.refuse("sarif", flags.sarif == "", "the name of a file, or - for standard output")
	if isSource(flags.sarif) || flags.sarif != "-" && slices.Contains(names, flags.sarif) {
		faults.add(fmt.Errorf("--sarif would write over %s, which is a script by its name: give it a file of its own, such as violations.sarif", onOneLine(flags.sarif)))
	}
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
	bytes      int    // of the file, and the digest of those
	sum        digest.Hex
	code       []byte
	notebook   *notebook.Notebook // nil for a script without a notebook's commands
	unread     error              // why it could not be read, else nil
}

// maxSources is of all code together: what is read is held until all has been vetted, and of a
// notebook no more than its code. No policy takes a script of a hundredth of it.
const maxSources = 64 << 20

// readSources reads all files before the first is vetted. Where none can be read, or
// something is wrong already, it tells of all that together.
func (a *app) readSources(ctx context.Context, faults error, names []string) ([]source, error) {
	failed, read, left := faults, false, maxSources
	sources := make([]source, 0, len(names))
	for _, given := range names {
		if faults != nil && given == "-" {
			continue // nobody types a script for flags that are wrong
		}
		one, err := a.readSource(ctx, given)
		if ctx.Err() != nil {
			return nil, err
		}
		if left -= len(one.code); err == nil && left < 0 {
			err = usageError{fmt.Errorf("%s and the files before it have more than %d MiB of code: check fewer at a time", onOneLine(given), maxSources>>20)}
		}
		if err != nil {
			one = source{path: given, unread: err}
		}
		failed, read = errors.Join(failed, err), read || err == nil
		sources = append(sources, one)
	}
	if faults != nil || !read {
		return nil, failed
	}
	return sources, nil
}

func (a *app) readSource(ctx context.Context, given string) (source, error) {
	if !notebook.Is(given) {
		code, name, err := a.readScript(ctx, given)
		path := given
		if given == "-" {
			path = name
		}
		return source{path: path, name: name, bytes: len(code), sum: digest.Of(code).Hex(), code: code}, err
	}
	raw, err := readBounded(ctx, given, notebook.MaxBytes)
	if err != nil {
		return source{}, err
	}
	read, err := notebook.Parse(raw)
	if err != nil {
		return source{}, usageError{fmt.Errorf("read notebook %s: %w", filepath.Base(given), err)}
	}
	return source{path: given, name: scriptName(given), bytes: len(raw), sum: digest.Of(raw).Hex(), code: read.Code, notebook: read}, nil
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
		if one.unread != nil {
			all = append(all, checked{source: one})
			continue
		}
		vet := func(code []byte) (runner.Checked, error) {
			request := job.Request{Policy: on.policy, Code: code, ScriptName: one.name, Runtime: on.runtime}
			return made.Check(ctx, a.ask(request, progress))
		}
		found, err := vetSource(one, vet)
		if err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return all, nil
}

// mostCells is how many cells that are no Python are left out to see what is in the others.
const mostCells = 10

// vetSource vets a file. What is no Python hides everything else, so a notebook's commands
// in a script, and cells that Python cannot parse, are told and left out.
func vetSource(one source, vet func([]byte) (runner.Checked, error)) (checked, error) {
	found, err := vet(one.code)
	if err != nil || syntaxError(found) == nil {
		return checked{source: one, found: found}, err
	}
	code := one.code
	if one.notebook == nil {
		plain := notebook.OfScript(one.code)
		if len(plain.Commands) == 0 {
			return checked{source: one, found: found}, nil
		}
		one.notebook, code = plain, plain.Code
		if found, err = vet(code); err != nil {
			return checked{}, err
		}
	}
	var told []job.Violation
	for range mostCells {
		fault := syntaxError(found)
		if fault == nil {
			break
		}
		rest, ok := one.notebook.Without(code, fault.Line)
		if !ok {
			break
		}
		told, code = append(told, *fault), rest
		if found, err = vet(code); err != nil {
			return checked{}, err
		}
	}
	found.Violations = append(told, found.Violations...)
	return checked{source: one, found: found}, nil
}

// syntaxError is the violation of code that is no Python, or nil.
func syntaxError(found runner.Checked) *job.Violation {
	at := slices.IndexFunc(found.Violations, func(v job.Violation) bool { return v.Rule == notebook.SyntaxError })
	if at < 0 {
		return nil
	}
	return &found.Violations[at]
}

// policyFirst tells of the policy's fault where a check could not be made and its policy
// has one: whether there is an engine does not matter then.
func (a *app) policyFirst(err error, chosen target) error {
	if chosen.isRemote() {
		return err
	}
	if _, fault := a.policies().Get(chosen.policy); fault != nil {
		return policyFault(fault)
	}
	return err
}
