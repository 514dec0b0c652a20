package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hotcell/internal/seccomp"
	"hotcell/internal/seccomp/trace"
)

const traceHelp = `Trace a command and list the system calls that it makes, each with what the profile
would do with it. The command runs without a sandbox, with your rights: trace only
code that you trust.

Every call counts until the command calls prctl(PR_SET_DUMPABLE, 0), as the guard
does when it has imported everything: from then on only what follows counts, which
is what stage 2 must let through. In Python:

  import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)

The exit code is 0 if the profile would let every call through, else 1.`

// traceHelper is the hidden command that becomes the traced one.
const traceHelper = "trace-exec"

func (a *app) seccompTrace() *cobra.Command {
	command := &cobra.Command{
		Use:   "trace [--profile PROFILE] -- COMMAND [ARG ...]",
		Short: "Trace a command and list the system calls that it makes",
		Long:  traceHelp,
		Example: `  runner seccomp trace --profile python-analysis -- chroot "$(runner image rootfs python-analysis)" /usr/bin/python3 -c 'import pandas'
  runner seccomp trace --profile python-analysis.user --json -- python3 analysis.py`,
		Args: arguments(1, 1<<16, "a command"),
	}
	name := command.Flags().String("profile", "python-analysis.user", "`profile` to compare the calls with")
	command.RunE = func(cmd *cobra.Command, args []string) error {
		profile, err := loadProfile(*name)
		if err != nil {
			return err
		}
		return a.trace(cmd.Context(), profile, args)
	}
	helper := &cobra.Command{
		Use: traceHelper, Hidden: true, Args: arguments(1, 1<<16, "a command"),
		Short:   "Become the traced command",
		Example: "  runner seccomp trace -- true",
		RunE:    func(_ *cobra.Command, args []string) error { return trace.Exec(args) },
	}
	command.AddCommand(helper)
	if err := command.RegisterFlagCompletionFunc("profile", completeProfiles); err != nil {
		panic(err) // the flag is declared above
	}
	return command
}

func (a *app) trace(ctx context.Context, profile *seccomp.Profile, command []string) error {
	if _, err := exec.LookPath(command[0]); err != nil {
		return usageError{notExecutable(command[0], err)}
	}
	report, err := trace.Run(ctx, trace.Options{
		Helper: []string{os.Args[0], "seccomp", "trace", traceHelper, "--"}, Command: command, Profile: profile,
		Stdin: a.stdin, Stdout: a.stderr, Stderr: a.stderr,
	})
	if err != nil {
		return fmt.Errorf("trace %s: %w", command[0], err)
	}
	if err := a.printTrace(profile, report); err != nil {
		return err
	}
	if report.ExitCode != 0 {
		return fmt.Errorf("the command ended with code %d: the list may be incomplete", report.ExitCode)
	}
	if len(report.Refused()) > 0 {
		return exitError(1)
	}
	return nil
}

// tracedCall is a call in the JSON answer.
type tracedCall struct {
	Syscall string         `json:"syscall"`
	Number  uint32         `json:"number"`
	Args    string         `json:"args"`
	Count   int            `json:"count"`
	Action  seccomp.Action `json:"action"`
	Errno   seccomp.Errno  `json:"errno,omitempty"`
	Reason  string         `json:"reason"`
}

func (a *app) printTrace(profile *seccomp.Profile, report trace.Report) error {
	if a.json {
		calls := []tracedCall{}
		for _, c := range report.Calls {
			calls = append(calls, tracedCall{c.Name, c.Number, c.Args, c.Count, c.Decision.Action, c.Decision.Errno, c.Decision.Reason})
		}
		return a.printJSON(map[string]any{
			"profile": profile.Name(), "after_lock_only": report.Locked, "calls": calls,
			"refused": len(report.Refused()), "command_exit_code": report.ExitCode,
		})
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CALL\tARGUMENTS\tCOUNT\tPROFILE")
	for _, c := range report.Calls {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", callText(c), c.Args, c.Count, outcomeText(c.Decision.Action, c.Decision.Errno))
	}
	what := "from the command's start"
	if report.Locked {
		what = "after the lock"
	}
	return errors.Join(table.Flush(), a.sayCounted(report, what))
}

func (a *app) sayCounted(report trace.Report, what string) error {
	names := map[string]bool{}
	for _, c := range report.Calls {
		names[callText(c)] = true
	}
	_, err := fmt.Fprintf(a.stdout, "%s %s, %d of these ways refused\n",
		counted(len(names), "system call"), what, len(report.Refused()))
	return err
}

func callText(c trace.Call) string {
	if c.Name == "" {
		return fmt.Sprintf("number %d", c.Number)
	}
	return c.Name
}
