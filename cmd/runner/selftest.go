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

	"hotcell/internal/container"
	"hotcell/internal/container/kubernetes"
	"hotcell/internal/durable"
	"hotcell/internal/runner"
	"hotcell/internal/selftest"
)

const selftestHelp = `Test whether containment holds on this host, with this policy and this engine.

The test lays bait on the host: files, shared memory, a process, listening sockets.
Each probe, a program that tries the container, is a run of its own: first with the
guard switched off, so that the container alone must hold it, then with the guard on.
Attempts, scripts that try the guard, follow. At the end the bait must be untouched,
and no run may have left anything. The records of these runs are not kept.

--probes adds probes of your own: a directory of Python files in the form that
docs/selftest.md describes. --junit and --sarif write reports for CI.

The exit code is 0 if nothing got out, 1 if anything did or an attack proved nothing,
2 for wrong arguments, and 125 if the test could not be carried out.`

// selftestFlags is what the user gave `runner selftest`.
type selftestFlags struct {
	target
	probes, junit, sarif, node   string
	unguarded, allAttempts, warm bool
	only                         []string
	jobs                         int
}

func (a *app) selftestCommand() *cobra.Command {
	var flags selftestFlags
	command := &cobra.Command{
		Use:   "selftest [--policy NAME] [--engine NAME] [--junit FILE] [--sarif FILE]",
		Short: "Test whether containment holds on this host",
		Long:  selftestHelp,
		Example: `  runner selftest
  runner selftest --policy copilot-chart --engine docker
  runner selftest --junit selftest.xml --sarif selftest.sarif --probes ./probes`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.selftest(cmd, flags) },
	}
	a.addTarget(command, &flags.target, "study-analysis")
	set := command.Flags()
	set.StringVar(&flags.probes, "probes", "", "`directory` with probes of your own, besides the built-in ones")
	set.StringVar(&flags.junit, "junit", "", "`file` for the report as JUnit XML")
	set.StringVar(&flags.sarif, "sarif", "", "`file` for the report as SARIF 2.1.0")
	set.StringVar(&flags.node, "node", "", "`name` of the node of a cluster to test, with --engine kubernetes")
	set.StringSliceVar(&flags.only, "only", nil, "`names` of the probes and attempts to try, instead of all")
	set.BoolVar(&flags.allAttempts, "all-attempts", false, "try every attempt on the guard instead of a selection of each class; takes several minutes")
	set.BoolVar(&flags.unguarded, "allow-unguarded", false, "accept a policy that switches the guard off, and test the container alone")
	set.BoolVar(&flags.warm, "warm", false, "try each attack in a sandbox that was ready before, as runner engine has them")
	set.IntVar(&flags.jobs, "jobs", runtime.NumCPU(), "`number` of runs at the same time")
	completeDirectory(command, "probes")
	return command
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
	place, err := a.openSelftestState(ctx, flags.engine, options.Policy)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.remove(ctx)) }()
	if options.Engine, err = place.app.selftestEngine(ctx, flags); err != nil {
		return err
	}
	if options.Runner, err = place.app.runnerOptions(ctx, options.Engine); err != nil {
		return err
	}
	if flags.warm {
		ready, err := place.app.onlyWarm(options.Engine, options.Policy)
		if err != nil {
			return err
		}
		defer ready.Close()
		options.Sandboxes = ready
	}
	options.Bundle = place.bundle
	report, err := a.runSelftest(ctx, options)
	if err != nil {
		return err
	}
	own := fileOf(flags.probes, options.Attacks.Probes)
	if err := errors.Join(reports.write(report, own), a.showSelftest(report)); err != nil {
		return err
	}
	if !report.Contained() {
		return exitError(1)
	}
	return nil
}

// selftestEngine makes the engine, and where a node is named requires that it is there and starts
// pods: each attack would wait for it.
func (a *app) selftestEngine(ctx context.Context, flags selftestFlags) (container.Engine, error) {
	a.node = flags.node
	if flags.node == "" {
		return a.engine(ctx, flags.engine, flags.runtime)
	}
	nodes, err := a.clusterNodes(ctx, flags.node)
	for _, node := range nodes {
		err = errors.Join(err, node.Fault)
	}
	if err != nil {
		return nil, err
	}
	return a.engine(ctx, flags.engine, flags.runtime)
}

func (a *app) runSelftest(ctx context.Context, options selftest.Options) (selftest.Report, error) {
	progress := newProgress(a.stderr)
	defer progress.close()
	options.Progress = func(done, total int, last selftest.Outcome) {
		progress.phase(runner.Phase(fmt.Sprintf("%d of %d: %s %s", done, total, last.Attack, last.Verdict)))
		a.logger().Debug("attack has run", "attack", last.Attack, "mode", last.Mode, "verdict", last.Verdict, "wall", time.Duration(last.WallMS)*time.Millisecond)
	}
	return selftest.Run(ctx, options)
}

// selftestOptions reads the flags and names everything that is wrong with them.
func (a *app) selftestOptions(cmd *cobra.Command, flags selftestFlags) (selftest.Options, error) {
	faults := &flagFaults{command: cmd}
	a.refuseTarget(faults, flags.target)
	faults.refuse("probes", flags.probes == "", "the name of a directory")
	faults.refuse("junit", flags.junit == "", "the name of a file")
	faults.refuse("sarif", flags.sarif == "", "the name of a file")
	faults.refuse("node", flags.node == "" || flags.engine != kubernetes.Name, "the name of a node, and goes with --engine kubernetes")
	faults.refuse("jobs", flags.jobs < 1 || flags.jobs > 64, "from 1 to 64")
	faults.add(refuseInTool())
	if err := faults.usage(); err != nil {
		return selftest.Options{}, a.withPolicy(err, flags.target)
	}
	chosen, err := a.policies().Get(flags.policy)
	if err != nil {
		return selftest.Options{}, policyFault(err)
	}
	options := selftest.Options{Policy: chosen, AllowUnguarded: flags.unguarded, Runtime: flags.runtime, Jobs: flags.jobs}
	builtIn, err := selftest.BuiltIn()
	if err != nil {
		return selftest.Options{}, err
	}
	options.Attacks.Attempts = builtIn.Attempts
	if options.Attacks.Probes, err = withOwn(builtIn.Probes, flags.probes); err != nil {
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
	all := &options.Attacks
	all.Probes = slices.DeleteFunc(all.Probes, func(one selftest.Probe) bool { return !wanted(one.Name) })
	all.Attempts = slices.DeleteFunc(all.Attempts, func(one selftest.Attempt) bool {
		return !wanted(one.Name) || len(flags.only) == 0 && !one.Selected && !flags.allAttempts
	})
	var faults []error
	for _, name := range flags.only {
		if !found[name] {
			faults = append(faults, fmt.Errorf("--only: there is no attack called %s", name))
		}
	}
	if faults != nil {
		return usageError{errors.Join(faults...)}
	}
	return nil
}

// withOwn adds the probes of a directory to the built-in ones, which they cannot take
// the place of.
func withOwn(all []selftest.Probe, dir string) ([]selftest.Probe, error) {
	if dir == "" {
		return all, nil
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
			return nil, usageError{fmt.Errorf("%s: a built-in probe has this name: rename this one", filepath.Join(dir, probe.Name+".py"))}
		}
	}
	return append(all, own...), nil
}

// fileOf tells the file of an attack for reports: built-in ones lie in this project's
// sources.
func fileOf(dir string, all []selftest.Probe) func(selftest.Outcome) string {
	builtIn := map[string]bool{}
	if attacks, err := selftest.BuiltIn(); err == nil { // it was read before
		for _, probe := range attacks.Probes {
			builtIn[probe.Name] = true
		}
	}
	return func(outcome selftest.Outcome) string {
		isProbe := slices.ContainsFunc(all, func(p selftest.Probe) bool { return p.Name == outcome.Attack })
		switch {
		case outcome.Suite == selftest.GuardSuite:
			return path.Join("attacks/attempts", outcome.Threats[0], outcome.Attack+".py")
		case isProbe && !builtIn[outcome.Attack]:
			return filepath.Join(dir, outcome.Attack+".py")
		default:
			return path.Join("attacks/probes", outcome.Attack+".py")
		}
	}
}
