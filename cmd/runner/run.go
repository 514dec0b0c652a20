package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/user"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/runner"
)

// runFlags is what the user gave `runner run` or `runner session`.
type runFlags struct {
	target
	outputFlags
	bundle                 string
	inputs                 string
	toolFlags, toolSchemas []string
	timeout                time.Duration
	memory                 string
	cpus                   float64
	pids                   int64
	budgets                job.Budgets
	imports                []string
	tables                 []string
	unguarded              bool
	trace                  bool
	detach                 bool
	inline                 string
}

const runHelp = `Run a script once, in a sandbox of its own.

The policy says what the run may have; --timeout, --memory, --cpus, --pids-limit
and the budgets can only tighten it. So do /etc/hotcell/limits.yaml, and variables
such as HOTCELL_LIMIT_STUDY_ANALYSIS_WALL_CLOCK=60s, for who runs this host. The
script's standard output appears as it is written. Files are copied to --output only
after the host has verified all of them. --output must be empty or not exist yet;
--overwrite replaces what an earlier run has put there, if nobody has changed it or
added to it. Called through sudo, the files belong to the caller where the directory
above does. The record of the run, with the verified files, is always kept in the
state directory.

--inline-files SIZE puts the files of up to that size into the answer of --json, too, as
base64. All files together are never more than the policy's output_bytes.

--inputs gives the script a JSON object, as "data" or "context", if the policy takes
inputs; where the policy binds them by name, each key is a variable. The record has
the hash of the inputs, not the inputs.

--import MODULE, which can be repeated, narrows what the script may import to these
modules of the policy's, --import none to nothing. A module that the policy does not list
is refused.

` + serverHelp + `
Streams, files and exit codes are the same; Ctrl-C cancels the run there. --detach
prints its id, and leaves it in the queue.

` + toolHelp

// toolHelp is the part of the help that run and session share.
const toolHelp = `--tool NAME=COMMAND lets the script call a program on this machine, outside the
sandbox and with your rights, if the policy allows it. COMMAND is the path of an
executable, or its name in your PATH, without arguments; or it is a JSON array of
strings, such as ["/usr/bin/python3","/opt/lookup.py"]. There is no shell. The
program reads the parameters of the call as JSON on standard input and writes its
answer as JSON to standard output.`

func (a *app) runCommand() *cobra.Command {
	var flags runFlags
	command := &cobra.Command{
		Use:   "run --policy NAME [--bundle NAME] [--output DIR] SCRIPT|-",
		Short: "Run a script in a sandbox",
		Long:  runHelp,
		Example: `  echo 'print(21 * 2)' | runner run --policy study-analysis -
  runner run --policy study-analysis --bundle public-health --output out analysis.py
  runner run --policy copilot-chart --inputs results.json chart.py
  runner run --server https://hotcell.example.org --policy study-analysis --output out analysis.py
  runner run --policy workflow-step --tool lookup=./lookup --tool-schema lookup=schema.json step.py`,
		Args: arguments(1, 1, "one script, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.run(cmd.Context(), cmd, flags, args[0])
		},
	}
	a.addRunFlags(command, &flags)
	command.Flags().BoolVar(&flags.trace, "trace", false, "print how long each part of the run took, in milliseconds")
	command.Flags().BoolVar(&flags.detach, "detach", false, "with --server: print the run's id at once; runner runs wait has the rest")
	addSubmission(command, &flags.submission)
	command.Flags().BoolVar(&flags.unguarded, "allow-unguarded", false, "accept a policy that has no guard, to probe the container")
	return command
}

// addRunFlags declares what run and session have in common.
func (a *app) addRunFlags(command *cobra.Command, flags *runFlags) {
	a.addTarget(command, &flags.target, "")
	addCold(command, &flags.cold)
	addServer(command, &flags.serverFlags)
	set := command.Flags()
	set.StringVar(&flags.bundle, "bundle", "", "bundle, by `name`, name@version or digest (default: no data)")
	set.StringSliceVar(&flags.tables, "tables", nil, "load only these tables of the bundle, by their `names`: a,b")
	set.StringVar(&flags.output, "output", "", "`directory` for verified files (default: they stay with the record)")
	set.BoolVar(&flags.overwrite, "overwrite", false, "replace what an earlier run has put in --output; never anything else")
	set.BoolVar(&flags.numbered, "output-numbered", false, "if --output is taken, use the next free name: out, out-2, out-3")
	set.DurationVar(&flags.timeout, "timeout", 0, "wall clock limit, a `time` such as 30s")
	set.StringVar(&flags.memory, "memory", "", "memory.max, a `size` such as 256MiB, 256m or 1G")
	set.Float64Var(&flags.cpus, "cpus", 0, "cpu.max, a `number` of CPUs such as 0.5")
	set.Int64Var(&flags.pids, "pids-limit", 0, "pids.max, a `number` of processes and threads together")
	set.Int64Var(&flags.budgets.Operations, "operations", 0, "highest `number` of operations per script")
	set.Int64Var(&flags.budgets.LoopIterations, "loop-iterations", 0, "highest `number` of loop iterations per script")
	set.Int64Var(&flags.budgets.ToolCalls, "tool-calls", 0, "highest `number` of tool calls per script; refused calls count")
	set.StringArrayVar(&flags.imports, "import", nil, "allow only this `module` of the policy's, or none; can be repeated")
	set.StringVar(&flags.inputs, "inputs", "", "`file` with a JSON object for the script, or - for standard input")
	set.StringArrayVar(&flags.toolFlags, "tool", nil, "program that the script may call, as `NAME=COMMAND`; can be repeated")
	set.StringArrayVar(&flags.toolSchemas, "tool-schema", nil, "JSON Schema of a tool's parameters, as `NAME=FILE`; can be repeated")
	set.StringVar(&flags.inline, "inline-files", "", "put each file up to this `size`, such as 64KiB, into the answer of --json")
	complete(command, "bundle", a.completeBundles)
	completeDirectory(command, "output")
}

func (a *app) run(ctx context.Context, cmd *cobra.Command, flags runFlags, script string) error {
	request, err := a.request(ctx, cmd, flags, script)
	if err != nil {
		return err
	}
	if flags.detach {
		return a.detach(ctx, flags, request)
	}
	delivery, err := a.newDelivery(ctx, flags.destination())
	if err != nil {
		return err
	}
	progress := newProgress(a.stderr)
	defer progress.close()
	flags.tools = len(request.Tools) > 0
	made, err := a.service(ctx, flags.target)
	if err != nil {
		return err
	}
	response, err := made.Run(ctx, a.ask(request, progress))
	progress.close()
	progress.endLine(a.stderr)
	return a.finish(ctx, finished{response, request, delivery, flags.trace}, err)
}

// finished is a run that has ended, and what is wanted of it.
type finished struct {
	response runner.Response
	request  job.Request
	delivery *delivery
	trace    bool
}

// finish delivers the files of a run, and answers.
func (a *app) finish(ctx context.Context, of finished, err error) error {
	if of.response.Result.RunID == (job.ID{}) {
		return err
	}
	dir, err := a.delivered(ctx, of.delivery, of.response, err)
	response, err := a.inlined(ctx, of.response, err)
	said, err := outcome(response, err)
	said.Paths.Output = said.delivered(dir)
	if of.trace {
		said.Trace = response.Trace
	}
	return printed(a.report(response, said, of.request, dir), err)
}

// newRunner makes the engine, and puts together what every run needs.
func (a *app) newRunner(ctx context.Context, chosen target) (*runner.Runner, error) {
	engine, err := a.engine(ctx, chosen.engine, chosen.runtime)
	if err != nil {
		return nil, err
	}
	options, err := a.runnerOptions(ctx, engine)
	if err != nil {
		return nil, err
	}
	return runner.New(options)
}

// ask is the user's request, and how the user is told of it. Who asks is for the service
// to say.
func (a *app) ask(request job.Request, progress *progress) runner.Ask {
	events := runner.Events{Phase: func(phase runner.Phase) {
		a.logger().Debug("run goes on", "phase", phase)
		progress.phase(phase)
	}}
	if !a.json {
		events.Stdout, events.Stderr = progress.show(a.stdout), progress.show(a.stderr)
	}
	if a.verbose {
		events.ToolStderr = progress.show(a.stderr)
	}
	return runner.Ask{Request: request, Events: events}
}

// shellUser has all rights: who has a shell here can start containers without this
// command.
func shellUser() runner.Caller {
	name := "uid " + strconv.Itoa(os.Getuid())
	if found, err := user.Current(); err == nil {
		name = found.Username
	}
	return runner.Caller{Name: "shell user " + name, Rights: runner.AllRights(), Actor: ownActor()}
}

// runnerOptions sweeps, and opens what a run needs of the state.
func (a *app) runnerOptions(ctx context.Context, engine container.Engine) (runner.Options, error) {
	kept, err := a.records()
	if err != nil {
		return runner.Options{}, err
	}
	if _, err := a.signer(); err != nil { // before anything runs
		return runner.Options{}, err
	}
	if err := a.sweep(ctx, engine, kept); err != nil {
		return runner.Options{}, err
	}
	images, err := a.images()
	if err != nil {
		return runner.Options{}, err
	}
	bundles, err := a.bundles()
	if err != nil {
		return runner.Options{}, err
	}
	return runner.Options{
		Sandboxes: container.Cold{Engine: engine}, Policies: a.policies(), Profile: profile, Bundles: bundles, Records: kept, Now: time.Now, Version: thisBuild().Version,
		Image: func(name string) (digest.Digest, error) {
			found, err := images.Resolve(name)
			return found.Digest, err
		},
	}, nil
}

// request reads the script and the flags, and names everything that is wrong.
func (a *app) request(ctx context.Context, cmd *cobra.Command, flags runFlags, script string) (job.Request, error) {
	if script == "-" && flags.inputs == "-" {
		return job.Request{}, usageError{errors.New("the script and --inputs cannot both come from standard input: write one of them to a file")}
	}
	request, err := a.surroundings(ctx, cmd, flags)
	request.Code, request.ScriptName, err = a.readScriptBeside(ctx, err, script)
	return request, a.withPolicy(err, flags.target)
}

// surroundings is a request without its code.
func (a *app) surroundings(ctx context.Context, cmd *cobra.Command, flags runFlags) (job.Request, error) {
	if err := refuseInTool(); err != nil {
		return job.Request{}, err
	}
	faults := &flagFaults{command: cmd}
	a.refuseTarget(faults, flags.target)
	overrides := overrides(faults, flags)
	faults.add(a.readInline(cmd, flags.inline))
	a.refuseRemote(faults, flags)
	refuseDetached(faults, flags)
	tools, err := parseTools(flags.toolFlags, flags.toolSchemas)
	faults.add(err)
	imports, err := onlyImports(flags.imports)
	faults.add(err)
	faults.add(onlyTables(cmd, flags.tables))
	if err := faults.usage(); err != nil {
		return job.Request{}, err
	}
	inputs, err := a.readInputs(ctx, flags.inputs)
	if err != nil {
		return job.Request{}, err
	}
	return job.Request{
		Policy: flags.policy, Bundle: flags.bundle, Runtime: flags.runtime, Overrides: overrides,
		Imports: imports, Tables: flags.tables, Inputs: inputs, Tools: tools, AllowUnguarded: flags.unguarded,
	}, nil
}

// onlyTables refuses a list that is given and names nothing: a variable of a shell was empty.
func onlyTables(cmd *cobra.Command, given []string) error {
	if cmd.Flags().Changed("tables") && (len(given) == 0 || slices.Contains(given, "")) {
		return errors.New("--tables has an empty name: name tables of the bundle (a,b), or leave it out for all of them")
	}
	return nil
}

// noImports is what --import is given for an empty list.
const noImports = "none"

// onlyImports is nil where nothing was given, and empty where nothing may be imported.
func onlyImports(given []string) ([]string, error) {
	switch {
	case !slices.Contains(given, noImports):
		return given, nil
	case len(given) > 1:
		return nil, errors.New("--import none allows no module, so it stands alone")
	default:
		return []string{}, nil
	}
}

// overrides refuses a flag that was given but means nothing, such as --memory 0.
func overrides(faults *flagFaults, flags runFlags) job.Overrides {
	result := job.Overrides{WallClock: flags.timeout, CPUMillis: int64(math.Round(flags.cpus * 1000)), PIDs: flags.pids, Budgets: flags.budgets}
	if faults.command.Flags().Changed("memory") {
		size, err := policy.ParseSize(flags.memory)
		if err != nil {
			faults.add(fmt.Errorf("--memory: %w", err))
		}
		result.MemoryBytes = size
	}
	faults.refuse("bundle", flags.bundle == "", "the name of a bundle; leave the flag out for a run without data")
	refuseOutput(faults, flags.outputFlags)
	faults.refuse("timeout", result.WallClock <= 0, "longer than zero, for example 30s")
	faults.refuse("cpus", result.CPUMillis <= 0 || flags.cpus > 1024, "a number of CPUs from 0.001 to 1024")
	faults.refuse("pids-limit", result.PIDs <= 0, "above zero")
	faults.refuse("operations", result.Budgets.Operations <= 0, "above zero")
	faults.refuse("loop-iterations", result.Budgets.LoopIterations <= 0, "above zero")
	faults.refuse("tool-calls", result.Budgets.ToolCalls <= 0, "above zero")
	faults.refuse("inputs", flags.inputs == "", "the name of a file, or -; leave the flag out for a run without inputs")
	return result
}
