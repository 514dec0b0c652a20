package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/replica"
	"hotcell/internal/replication"
	"hotcell/internal/runner"
)

// localFlags are those that only --local has.
type localFlags struct {
	local          bool
	python, output string
}

func (f *localFlags) add(command *cobra.Command) {
	set := command.Flags()
	set.BoolVar(&f.local, "local", false, "run it here, with your own Python and without a sandbox")
	set.StringVar(&f.python, "python", "", "with --local: the `interpreter` (default: the python"+replica.Version+" of the search path)")
	set.StringVar(&f.output, "output", "", "with --local: the `directory` that the script writes to, made anew")
}

// checkLocal refuses flags that mean nothing beside --local, or without it.
func (f *localFlags) check(cmd *cobra.Command, faults *flagFaults) {
	others, why := []string{"image", "engine", "runtime", "tool", "tool-schema"}, "left out with --local: there is no sandbox, and tools belong to the host"
	if !f.local {
		others, why = []string{"python", "output"}, "left out without --local"
	}
	for _, name := range others {
		faults.refuse(name, cmd.Flags().Changed(name), why)
	}
}

// atDesk is a replication without a sandbox: what is known of the run, and how it is vetted.
type atDesk struct {
	first   *records.Record // nil for a file
	script  string          // the saved code
	terms   policy.Terms
	options replica.Options
	tables  digest.Hex // of the list of the store's prepared tables, where its copy of the run's bundle is used
}

func (a *app) replicateLocal(ctx context.Context, flags replicateFlags, given string) error {
	var desk atDesk
	var view *records.View
	var err error
	if isFile(given) {
		desk, err = a.deskOfFile(ctx, flags, given)
	} else {
		view, desk, err = a.deskOfRun(ctx, flags, given)
	}
	if err != nil {
		return err
	}
	if desk.options.Python, err = replica.Find(ctx, flags.python); err != nil {
		return ofReplica(err)
	}
	output := flags.output
	if output == "" {
		output = strings.TrimSuffix(filepath.Base(desk.script), ".py")
	}
	if desk.options.Output, err = filepath.Abs(output); err != nil {
		return err
	}
	return a.makeAtDesk(ctx, view, desk, replication.Tolerance{Relative: flags.relative, Absolute: flags.absolute})
}

// isFile tells a file from the id of a run.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return strings.ContainsAny(name, `/\.`) || err == nil && !info.IsDir()
}

// deskOfFile has the saved code from anywhere: nothing in it decides how it is vetted.
func (a *app) deskOfFile(ctx context.Context, flags replicateFlags, name string) (desk atDesk, err error) {
	if flags.policy == "" {
		return desk, usageError{errors.New("a file does not decide how it is vetted: name the run's policy with --policy (its header says which that was)")}
	}
	if desk.script, err = filepath.Abs(name); err != nil {
		return desk, err
	}
	chosen, err := a.policies().Get(flags.policy)
	if err != nil {
		return desk, usageError{err}
	}
	if desk.options.Inputs, err = a.readInputs(ctx, flags.inputs); err != nil {
		return desk, err
	}
	if err := desk.vetBy(chosen); err != nil {
		return desk, err
	}
	found, err := a.bundleAtDesk(ctx, flags.bundle)
	desk.options.Bundle = found.Path
	return desk, err
}

// deskOfRun has everything from the record and the store.
func (a *app) deskOfRun(ctx context.Context, flags replicateFlags, name string) (view *records.View, desk atDesk, err error) {
	if view, err = a.trustedRecords(); err != nil {
		return nil, desk, err
	}
	id, err := runID(view, name)
	if err != nil {
		return nil, desk, err
	}
	first, err := recordOf(ctx, view, id)
	if err != nil {
		return nil, desk, err
	}
	desk.first = &first
	was := first.Result.Provenance
	if _, err := a.codeAgain(ctx, view, first); err != nil {
		return nil, desk, err
	}
	desk.script = filepath.Join(view.Path(id), first.Code)
	switch {
	case flags.policy != "":
		return nil, desk, usageError{errors.New("--policy is for a file: a run has its own, and is vetted by that")}
	case len(first.Result.ToolCalls) > 0:
		return nil, desk, usageError{fmt.Errorf("run %s has called tools, which belong to the host: run it again without --local, with --tool", id)}
	case was.Imports != nil:
		return nil, desk, usageError{fmt.Errorf("run %s was asked for with fewer imports than its policy has: run it again without --local", id)}
	}
	chosen, err := a.policies().Get(was.Policy)
	if err != nil {
		return nil, desk, usageError{fmt.Errorf("the policy of the run: %w", err)}
	}
	if chosen.SHA256 != was.PolicySHA256 {
		return nil, desk, usageError{fmt.Errorf("policy %s is not what it was (sha256 %.12s then, %.12s now): without --local, --policy %s runs it under that of today", was.Policy, was.PolicySHA256, chosen.SHA256, was.Policy)}
	}
	if desk.options.Inputs, err = a.inputsAgain(ctx, was, flags); err != nil {
		return nil, desk, err
	}
	if err := desk.vetBy(chosen); err != nil {
		return nil, desk, err
	}
	desk.options.Seed = was.Seed
	found, err := a.bundleAtDesk(ctx, cmp.Or(flags.bundle, was.Bundle.String()))
	if err != nil {
		return nil, desk, err
	}
	desk.options.Bundle = found.Path
	if found.Digest == was.Bundle && was.Bundle != "" {
		_, desk.tables, err = found.TablesIndex()
	}
	return view, desk, err
}

// vetBy takes the rules of a policy.
func (d *atDesk) vetBy(chosen policy.Policy) error {
	rules, err := runner.ExportRules(chosen)
	if err != nil {
		return usageError{err}
	}
	if d.terms, err = policy.Resolve(chosen, job.Overrides{}); err != nil {
		return usageError{err}
	}
	d.options.Rules, err = json.Marshal(rules) // as the wire has it, and `policy show --guard-rules`
	d.options.Script = d.script
	d.options.StdoutBytes, d.options.StderrBytes = d.terms.Limits.StdoutBytes, d.terms.Limits.StderrBytes
	return err
}

// bundleAtDesk is a bundle whose path is a directory that is named as such, which has no digest
// here, or the store's copy.
func (a *app) bundleAtDesk(ctx context.Context, named string) (found bundle.Bundle, err error) {
	if named == "" {
		return found, nil
	}
	if _, err := os.Stat(filepath.Join(named, "bundle.json")); err == nil {
		found.Path, err = filepath.Abs(named)
		return found, err
	}
	store, err := a.bundles()
	if err != nil {
		return found, err
	}
	if found, err = store.Lookup(ctx, named); err != nil {
		return found, usageError{fmt.Errorf("%w; or name the directory of a bundle with --bundle", err)}
	}
	return found, nil
}

// ofReplica tells what the user can change from the rest.
func ofReplica(err error) error {
	if refused, ok := errors.AsType[*replica.RefusedError](err); ok {
		return usageError{errors.New(onOneLine(refused.Reason))}
	}
	return err
}

// makeAtDesk runs it, judges what came of it as a host does, and compares or tells.
func (a *app) makeAtDesk(ctx context.Context, view *records.View, desk atDesk, tolerance replication.Tolerance) (err error) {
	fmt.Fprintln(a.stderr, "runner: there is no sandbox here: the guard alone stands between this script and your account")
	made, err := replica.NewDesk()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, made.Close()) }()
	reported, err := made.Run(ctx, desk.options)
	if err != nil {
		return ofReplica(err)
	}
	written, err := durable.OpenDir(desk.options.Output)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, written.Close()) }()
	result, verified, err := runner.Replica{Terms: desk.terms, Made: reported, Output: written, Staging: made.Staging()}.Judge(ctx)
	if err != nil {
		return err
	}
	if verified != nil {
		defer func() { err = errors.Join(err, verified.Close()) }()
	}
	if desk.first == nil {
		return a.tellDesk(desk, result)
	}
	staged, err := os.OpenRoot(made.Staging()) //nolint:forbidigo // our own, made a moment ago
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, staged.Close()) }()
	return a.compareAtDesk(ctx, view, desk, result, staged.FS(), tolerance)
}

// deskResult is what of a result there is without a host: no usage, no provenance.
type deskResult struct {
	Status     job.Status      `json:"status"`
	Limit      job.Limit       `json:"limit,omitempty"`
	Stdout     string          `json:"stdout"`
	Stderr     string          `json:"stderr"`
	Truncated  job.Truncated   `json:"truncated"`
	Value      json.RawMessage `json:"result"`
	Charts     []job.Chart     `json:"charts"`
	Files      []job.File      `json:"files"`
	Error      *job.Error      `json:"error"`
	Violations []job.Violation `json:"violations"`
	Warnings   []job.Violation `json:"warnings"`
}

func ofDesk(r job.Result) deskResult {
	return deskResult{r.Status, r.Limit, r.Stdout, r.Stderr, r.Truncated, r.Value, r.Charts, r.Files, r.Error, r.Violations, r.Warnings}
}

// desked is the answer to a replication of a run without a sandbox.
type desked struct {
	Replicates job.ID                 `json:"replicates"`
	Comparison replication.Comparison `json:"comparison"`
	First      string                 `json:"first"`  // directory of the run's record
	Output     string                 `json:"output"` // what was written now
	Python     string                 `json:"python"`
	Result     deskResult             `json:"result"`
	ExitCode   int                    `json:"exit_code"`
}

func (a *app) compareAtDesk(ctx context.Context, view *records.View, desk atDesk, result job.Result, files fs.FS, tolerance replication.Tolerance) (err error) {
	first := desk.first.Result
	before, closeBefore, err := releasedBy(ctx, view, first)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeBefore()) }()
	here := replication.Run{Result: result, Files: files}
	here.Result.Provenance = first.Provenance // of what it runs on here nothing is known that could be compared, but the data
	here.Result.Provenance.TablesSHA256 = desk.tables
	found, err := replication.Compare(ctx, before, here, tolerance)
	if err != nil {
		return err
	}
	answer := desked{first.RunID, found, view.Path(first.RunID), desk.options.Output, desk.options.Python, ofDesk(result), 0}
	var ended error
	if found.Agreement == replication.Different {
		answer.ExitCode, ended = exitDiffers, exitError(exitDiffers)
	}
	if a.json {
		return errors.Join(a.printJSON(answer), ended)
	}
	text := a.page()
	tellTables(text, found)
	fmt.Fprintf(text, "%s  %s of run %s, made again with %s\n", verdictOf(found), counted(found.Compared, "part"), first.RunID, answer.Python)
	if err := tabulate(text, found); err != nil {
		return err
	}
	fmt.Fprintf(text, "  first    %s\n  output   %s\n", answer.First, answer.Output)
	if _, err := fmt.Fprint(a.stdout, printable(text.String())); err != nil {
		return err
	}
	return ended
}

// tellDesk tells what came of a file.
func (a *app) tellDesk(desk atDesk, result job.Result) error {
	code := result.Status.ExitCode()
	var ended error
	if code != 0 {
		ended = exitError(code)
	}
	if a.json {
		answer := map[string]any{"result": ofDesk(result), "output": desk.options.Output, "python": desk.options.Python, "policy": desk.terms.Policy.Name, "exit_code": code}
		return errors.Join(a.printJSON(answer), ended)
	}
	if _, err := fmt.Fprint(a.stdout, printable(result.Stdout)); err != nil {
		return err
	}
	text := a.page()
	text.WriteString(result.Stderr)
	fmt.Fprintf(text, "%s  %s\n", headline(result), filepath.Base(desk.script))
	explain(text, result)
	released(text, result)
	fmt.Fprintf(text, "  output   %s\n", desk.options.Output)
	if _, err := fmt.Fprint(a.stderr, printable(text.String())); err != nil {
		return err
	}
	return ended
}
