package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/durable"
	"hotcell/internal/runner"
	"hotcell/internal/selftest"
	"hotcell/tests/security"
)

const selftestHelp = `Show whether containment holds on this host, with this policy and this engine.

Bait is laid on the host: files, shared memory, a process, listening sockets. Then
every containment probe is sent through the runner as a run of its own, with the
guard switched off, so that the container alone holds it, and again with the guard
on. Scripts that try to get past the guard follow. In the end the bait must be as it
was, and nothing of a run may be left. Records of these runs are not kept.

--probes adds probes of your own: a directory of Python files in the form that
docs/selftest.md describes. --junit and --sarif write reports for CI.

The exit code is 0 when nothing got out, 1 when anything did or a probe proved
nothing, 2 for a mistake in what was given, and 125 when the test could not be
carried out.`

// selftestFlags is what the user gave `runner selftest`.
type selftestFlags struct {
	policy, engine, runtime string
	probes, junit, sarif    string
	unguarded, allAttempts  bool
	only                    []string
	jobs                    int
}

func (a *app) selftestCommand() *cobra.Command {
	var flags selftestFlags
	command := &cobra.Command{
		Use:   "selftest [--policy NAME] [--engine NAME] [--junit FILE] [--sarif FILE]",
		Short: "Show that containment holds on this host",
		Long:  selftestHelp,
		Example: `  runner selftest
  runner selftest --policy copilot-chart --engine docker
  runner selftest --junit selftest.xml --sarif selftest.sarif --probes ./probes`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.selftest(cmd, flags) },
	}
	set := command.Flags()
	set.StringVar(&flags.policy, "policy", "study-analysis", "policy under test, by name")
	set.StringVar(&flags.engine, "engine", "auto", "what makes the container: auto, oci or docker")
	set.StringVar(&flags.runtime, "runtime", "", "OCI runtime: crun, runc or another one; without it the engine's choice")
	set.StringVar(&flags.probes, "probes", "", "directory with probes of your own, besides the built-in ones")
	set.StringVar(&flags.junit, "junit", "", "file for the report as JUnit XML")
	set.StringVar(&flags.sarif, "sarif", "", "file for the report as SARIF 2.1.0")
	set.StringSliceVar(&flags.only, "only", nil, "names of the probes and scripts to try, instead of all")
	set.BoolVar(&flags.allAttempts, "all-attempts", false, "try every script on the guard, not a selection of each class: several minutes")
	set.BoolVar(&flags.unguarded, "allow-unguarded", false, "accept a policy that switches the guard off, and test the container alone")
	set.IntVar(&flags.jobs, "jobs", runtime.NumCPU(), "runs at the same time")
	a.completeSelftest(command)
	return command
}

func (a *app) completeSelftest(command *cobra.Command) {
	for name, complete := range map[string]cobra.CompletionFunc{
		"engine":  cobra.FixedCompletions(engineNames, cobra.ShellCompDirectiveNoFileComp),
		"runtime": cobra.FixedCompletions([]string{"crun", "runc", "runsc"}, cobra.ShellCompDirectiveNoFileComp),
		"policy":  a.completePolicies,
	} {
		if err := command.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic(err) // the flag's name is misspelt above
		}
	}
	if err := command.MarkFlagDirname("probes"); err != nil {
		panic(err)
	}
}

func (a *app) selftest(cmd *cobra.Command, flags selftestFlags) (err error) {
	options, err := a.selftestOptions(cmd, flags)
	if err != nil {
		return err
	}
	reports, err := openReports(flags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reports.close()) }()
	ctx := cmd.Context()
	place, err := a.openSelftestState(ctx, options.Policy)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.remove()) }()
	if options.Runner, err = place.app.runnerOptions(ctx, flags.engine, flags.runtime); err != nil {
		return err
	}
	options.Bundle = place.bundle
	report, err := a.runSelftest(ctx, options)
	if err != nil {
		return err
	}
	own := ownProbes(flags.probes, options.Probes)
	if err := errors.Join(reports.write(report, own), a.showSelftest(report)); err != nil {
		return err
	}
	if !report.Contained() {
		return exitError(1)
	}
	return nil
}

func (a *app) runSelftest(ctx context.Context, options selftest.Options) (selftest.Report, error) {
	progress := newProgress(a.stderr)
	defer progress.close()
	options.Progress = func(done, total int, last selftest.Outcome) {
		progress.phase(runner.Phase(fmt.Sprintf("%d of %d: %s %s", done, total, last.Probe, last.Verdict)))
		a.logger().Debug("probe has run", "probe", last.Probe, "mode", last.Mode, "verdict", last.Verdict, "wall", time.Duration(last.WallMS)*time.Millisecond)
	}
	return selftest.Run(ctx, options)
}

// selftestOptions reads the flags and names everything that is wrong with them.
func (a *app) selftestOptions(cmd *cobra.Command, flags selftestFlags) (selftest.Options, error) {
	var faults []error
	refuse := func(name string, bad bool, want string) {
		if cmd.Flags().Changed(name) && bad {
			faults = append(faults, fmt.Errorf("--%s must be %s", name, want))
		}
	}
	refuse("policy", flags.policy == "", "the name of a policy")
	refuse("runtime", flags.runtime == "", "the name of a runtime; leave the flag out for the engine's choice")
	refuse("probes", flags.probes == "", "the name of a directory")
	refuse("junit", flags.junit == "", "the name of a file")
	refuse("sarif", flags.sarif == "", "the name of a file")
	refuse("jobs", flags.jobs < 1 || flags.jobs > 64, "from 1 to 64")
	if err := errors.Join(append(faults, refuseInTool())...); err != nil {
		return selftest.Options{}, usageError{err}
	}
	chosen, err := a.policies().Get(flags.policy)
	if err != nil {
		return selftest.Options{}, policyFault(err)
	}
	options := selftest.Options{Policy: chosen, AllowUnguarded: flags.unguarded, Runtime: flags.runtime, Jobs: flags.jobs}
	if options.Probes, err = probes(flags.probes); err != nil {
		return selftest.Options{}, err
	}
	if options.Attempts, err = security.Attempts(); err != nil {
		return selftest.Options{}, err
	}
	return options, choose(&options, flags)
}

// choose leaves what was asked for. A name that nothing has is a mistake: a self-test
// of nothing would be green.
func choose(options *selftest.Options, flags selftestFlags) error {
	found := map[string]bool{}
	wanted := func(name string) bool {
		found[name] = true
		return len(flags.only) == 0 || slices.Contains(flags.only, name)
	}
	options.Probes = slices.DeleteFunc(options.Probes, func(one selftest.Probe) bool { return !wanted(one.Name) })
	options.Attempts = slices.DeleteFunc(options.Attempts, func(one selftest.Attempt) bool {
		return !wanted(one.Name) || len(flags.only) == 0 && !one.Selected && !flags.allAttempts
	})
	var faults []error
	for _, name := range flags.only {
		if !found[name] {
			faults = append(faults, fmt.Errorf("--only: there is no probe called %s", name))
		}
	}
	if faults != nil {
		return usageError{errors.Join(faults...)}
	}
	return nil
}

// probes returns the built-in ones and those of a directory, which cannot take the
// place of one another.
func probes(dir string) ([]selftest.Probe, error) {
	all, err := security.Corpus()
	if err != nil || dir == "" {
		return all, err
	}
	root, err := durable.OpenDir(dir)
	if err != nil {
		return nil, usageError{fmt.Errorf("open probes: %w", err)}
	}
	defer root.Close()
	own, err := selftest.LoadProbes(root.FS())
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", dir, err)}
	}
	for _, probe := range own {
		if slices.ContainsFunc(all, func(one selftest.Probe) bool { return one.Name == probe.Name }) {
			return nil, usageError{fmt.Errorf("%s: there is a built-in probe of this name: rename it", filepath.Join(dir, probe.Name+".py"))}
		}
	}
	return append(all, own...), nil
}

// ownProbes tells the file of a probe for reports: built-in ones lie in this
// project's sources.
func ownProbes(dir string, all []selftest.Probe) func(selftest.Outcome) string {
	builtIn := map[string]bool{}
	if corpus, err := security.Corpus(); err == nil { // it was read before
		for _, probe := range corpus {
			builtIn[probe.Name] = true
		}
	}
	return func(outcome selftest.Outcome) string {
		isProbe := slices.ContainsFunc(all, func(p selftest.Probe) bool { return p.Name == outcome.Probe })
		switch {
		case outcome.Suite == selftest.GuardSuite:
			return path.Join("tests/security/guard/attempts", outcome.Threats[0], outcome.Probe+".py")
		case isProbe && !builtIn[outcome.Probe]:
			return filepath.Join(dir, outcome.Probe+".py")
		default:
			return path.Join("tests/security/container", outcome.Probe+".py")
		}
	}
}
