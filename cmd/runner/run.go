package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
)

// runFlags is what the user gave `runner run`.
type runFlags struct {
	policy, bundle, output string
	engine, runtime        string
	timeout                time.Duration
	memory                 string
	cpus                   float64
	pids                   int64
}

const runHelp = `Run one script in a sandbox of its own, once.

The policy says what the run may have; --timeout, --memory, --cpus and
--pids-limit can only tighten it. The script's standard output comes as it is
written. Files are copied to --output only after the host has verified every one
of them; --output must be empty or not exist yet. The record of the run, with the
verified files, is kept in the state directory in any case.`

func (a *app) runCommand() *cobra.Command {
	var flags runFlags
	command := &cobra.Command{
		Use:   "run --policy NAME [--bundle NAME] [--output DIR] SCRIPT|-",
		Short: "Run a script in a sandbox",
		Long:  runHelp,
		Example: `  runner run --policy study-analysis --bundle public-health --output out analysis.py
  echo 'print(21 * 2)' | runner run --policy study-analysis --json -`,
		Args: arguments(1, 1, "one script, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.run(cmd.Context(), cmd, flags, args[0])
		},
	}
	set := command.Flags()
	set.StringVar(&flags.policy, "policy", "", "policy, by name (required)")
	set.StringVar(&flags.bundle, "bundle", "", "bundle, by name, name@version or digest; without it the run has no data")
	set.StringVar(&flags.output, "output", "", "directory to which verified files are copied; without it they stay with the record")
	set.StringVar(&flags.engine, "engine", "auto", "what makes the container: auto, oci or docker")
	set.StringVar(&flags.runtime, "runtime", "", "OCI runtime: crun, runc or another one; without it the engine's choice")
	set.DurationVar(&flags.timeout, "timeout", 0, "wall clock, for example 30s")
	set.StringVar(&flags.memory, "memory", "", "memory.max, for example 256MiB")
	set.Float64Var(&flags.cpus, "cpus", 0, "cpu.max as a number of CPUs, for example 0.5")
	set.Int64Var(&flags.pids, "pids-limit", 0, "pids.max: processes and threads together")
	a.completeRun(command)
	return command
}

func (a *app) run(ctx context.Context, cmd *cobra.Command, flags runFlags, script string) error {
	request, err := a.request(cmd, flags, script)
	if err != nil {
		return err
	}
	engine, err := a.engine(ctx, flags.engine, flags.runtime)
	if err != nil {
		return err
	}
	kept, err := a.records()
	if err != nil {
		return err
	}
	if err := a.sweep(ctx, engine, kept); err != nil {
		return err
	}
	answer, err := a.perform(ctx, engine, kept, request, flags.output)
	if err != nil {
		return err
	}
	a.report(answer, request, flags.output)
	if code := answer.Result.Status.ExitCode(); code != 0 {
		return exitError(code)
	}
	return nil
}

// sweep removes what a runner that died left behind.
func (a *app) sweep(ctx context.Context, engine container.Engine, kept *records.Store) error {
	sandboxes, err := engine.Sweep(ctx)
	drafts, errDrafts := kept.Sweep(ctx)
	if err := errors.Join(err, errDrafts); err != nil {
		return fmt.Errorf("remove what an earlier runner left behind: %w", err)
	}
	if sandboxes+drafts > 0 {
		a.logger().Warn("removed what an earlier runner left behind", "sandboxes", sandboxes, "drafts", drafts)
	}
	return nil
}

func (a *app) perform(ctx context.Context, engine container.Engine, kept *records.Store, request job.Request, outputDir string) (runner.Answer, error) {
	images, err := a.images()
	if err != nil {
		return runner.Answer{}, err
	}
	bundles, err := a.bundles()
	if err != nil {
		return runner.Answer{}, err
	}
	progress := newProgress(a.stderr)
	defer progress.close()
	options := runner.Options{
		Engine: engine, Policies: a.policies(), Profile: profile, Bundles: bundles, Records: kept,
		Image: func(name string) (string, error) {
			found, err := images.Resolve(name)
			return found.Digest, err
		},
		Now: time.Now, Phase: progress.phase,
	}
	if !a.json {
		options.Stdout, options.Stderr = progress.show(a.stdout), progress.show(a.stderr)
	}
	made, err := runner.New(options)
	if err != nil {
		return runner.Answer{}, err
	}
	return made.Run(ctx, request, outputDir)
}

// request reads the script and the flags, and names every flag that is wrong.
func (a *app) request(cmd *cobra.Command, flags runFlags, script string) (job.Request, error) {
	overrides, err := overrides(cmd, flags)
	if flags.policy == "" {
		err = errors.Join(err, a.missingPolicy())
	}
	if err != nil {
		return job.Request{}, usageError{err}
	}
	code, name, err := a.readScript(script)
	if err != nil {
		return job.Request{}, usageError{err}
	}
	return job.Request{
		Policy: flags.policy, Bundle: flags.bundle, Code: code, ScriptName: name,
		Runtime: flags.runtime, Overrides: overrides,
	}, nil
}

func (a *app) missingPolicy() error {
	names, err := a.policies().Names()
	if err != nil {
		return err
	}
	return fmt.Errorf("--policy is missing: known are %s", strings.Join(names, ", "))
}

// overrides refuses a flag that was given but means nothing, such as --memory 0.
func overrides(cmd *cobra.Command, flags runFlags) (job.Overrides, error) {
	result := job.Overrides{WallClock: flags.timeout, CPUMillis: int64(math.Round(flags.cpus * 1000)), PIDs: flags.pids}
	var faults []error
	refuse := func(name string, bad bool, want string) {
		if cmd.Flags().Changed(name) && bad {
			faults = append(faults, fmt.Errorf("--%s must be %s", name, want))
		}
	}
	if cmd.Flags().Changed("memory") {
		size, err := policy.ParseSize(flags.memory)
		if err != nil {
			faults = append(faults, fmt.Errorf("--memory: %w", err))
		}
		result.MemoryBytes = size
	}
	refuse("timeout", result.WallClock <= 0, "longer than zero, for example 30s")
	refuse("cpus", result.CPUMillis <= 0 || flags.cpus > 1024, "a number of CPUs above zero, for example 0.5")
	refuse("pids-limit", result.PIDs <= 0, "above zero")
	return result, errors.Join(faults...)
}

// maxScript bounds what is read at all; the policy's own limit comes later.
const maxScript = 16 << 20

func (a *app) readScript(script string) (code []byte, name string, err error) {
	source, name := a.stdin, "stdin.py"
	if script != "-" {
		file, err := os.Open(script)
		if err != nil {
			return nil, "", fmt.Errorf("read script: %w", err)
		}
		defer file.Close()
		source, name = file, filepath.Base(script)
	} else if isTerminal(a.stderr) && a.stdinIsTerminal() {
		fmt.Fprintln(a.stderr, "runner: reading the script from standard input; end with Ctrl-D")
	}
	code, err = io.ReadAll(io.LimitReader(source, maxScript+1))
	if err != nil {
		return nil, "", fmt.Errorf("read script: %w", err)
	}
	if len(code) > maxScript {
		return nil, "", fmt.Errorf("script %s is larger than %s", name, policy.Size(maxScript))
	}
	return code, name, nil
}

func (a *app) stdinIsTerminal() bool {
	file, ok := a.stdin.(*os.File)
	return ok && isTerminal(file)
}

// completeRun offers names to the shell's completion.
func (a *app) completeRun(command *cobra.Command) {
	fixed := func(values ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	for name, complete := range map[string]cobra.CompletionFunc{
		"engine":  fixed(engineNames...),
		"runtime": fixed("crun", "runc", "runsc"),
		"policy": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names, err := a.policies().Names()
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		"bundle": a.completeBundles,
	} {
		if err := command.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic(err) // the flag's name is misspelt above
		}
	}
	if err := command.MarkFlagDirname("output"); err != nil {
		panic(err)
	}
}
