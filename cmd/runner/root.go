package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// app is what every command shares.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	json           bool
	state          string
	verbose        bool
}

// exitError carries an exit code of which the reason has already been printed.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a mistake in what the user gave: exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// execute runs one command and returns its exit code.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// The first signal cancels; the second one, with its default action restored,
	// ends us at once, and the next start sweeps.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)

	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.exitCode(root.ExecuteContext(ctx))
}

// exitCode prints an error once, as a sentence or as JSON, and maps it.
func (a *app) exitCode(err error) int {
	if err == nil {
		return 0
	}
	if code, ok := errors.AsType[exitError](err); ok {
		return int(code)
	}
	code := job.ExitInternal
	if _, usage := errors.AsType[usageError](err); usage || errors.Is(err, runner.ErrInput) {
		code = job.ExitUsage
	}
	if a.json {
		a.printJSON(map[string]any{"error": map[string]any{"message": err.Error(), "exit_code": code}})
	} else {
		fmt.Fprintln(a.stderr, "runner:", printable(err.Error()))
	}
	return code
}

func (a *app) printJSON(value any) {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fmt.Fprintln(a.stderr, "runner: print JSON:", err)
	}
}

func (a *app) logger() *slog.Logger {
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}

const rootHelp = `Hotcell runs Python that nobody vetted, on data that must not leak.

Each run gets a container of its own: no network, a read-only root file system,
memory, CPU and process limits by cgroup, a seccomp filter, only the
de-identified bundle and an output directory mounted. A guard in it vets the
code before it runs. Only files that the host has verified come out.

Exit codes:
    0  succeeded        1  failed: the code raised      2  usage, bad policy or bundle
    3  rejected         4  timed out                    5  out of memory
    6  killed           7  limit exceeded               8  output rejected
    9  cancelled      125  the runner or its host failed; nothing is said of the code`

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "runner",
		Short:         "Run untrusted Python over a study bundle in an ephemeral container",
		Long:          rootHelp,
		Example:       "  runner run --policy study-analysis --bundle public-health --output out analysis.py",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlyCommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "answer in JSON, errors too")
	flags.StringVar(&a.state, "state", defaultState(), "directory of images, bundles and records")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "log what is done to standard error")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w (see `%s --help`)", err, cmd.CommandPath())}
	})
	root.AddCommand(a.runCommand(), a.imageCommand(), a.bundleCommand(), a.versionCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	addExamples(root)
	return root
}

// arguments checks the number of arguments and says in words what is missing.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usageError{fmt.Errorf("%s takes %s, got %d arguments (see `%s --help`)", cmd.CommandPath(), what, len(args), cmd.CommandPath())}
		}
		return nil
	}
}

// onlyCommands is for a command that has nothing but commands below it.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("unknown command %q (see `%s --help`)", args[0], cmd.CommandPath())}
}

// addExamples completes the help of the commands that cobra brings along.
func addExamples(root *cobra.Command) {
	for _, command := range root.Commands() {
		switch command.Name() {
		case "help":
			command.Example = "  runner help run"
		case "completion":
			command.Example = "  runner completion bash > /etc/bash_completion.d/runner"
			for _, shell := range command.Commands() {
				shell.Example = "  source <(runner completion " + shell.Name() + ")"
			}
		}
	}
}
