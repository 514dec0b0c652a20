package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/image"
	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/runner"
)

// app is what every command shares.
type app struct {
	stdin              io.Reader
	stdout, stderr     io.Writer
	json               bool
	answered           bool  // a JSON document has been printed: there is only one, but for a session's lines
	inSession          bool  // what is printed is lines of JSON, and the last one is the session's
	inline             int64 // of each file: --inline-files, or 0
	state              string
	sandboxState       string // whose sandboxes are used, or "" for state's
	node               string // of a cluster, on which alone its sandboxes are, or ""
	verbose            bool
	probeAge, imageAge time.Duration      // how long a daemon's word of itself, and a look at an image's files, is believed: 0 unless makesMany
	engines            []container.Engine // that were made, to be closed in the end
	bundleStore        *bundle.Store      // or nil before it was asked for
	signals            *endingSignals
	unpacked           *image.Recent // of the oci engine, or nil where there is none
}

// exitError carries an exit code of which the reason has already been printed.
type exitError int

// Error implements error.
func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a mistake in what the user gave: exit code 2.
type usageError struct{ error }

// Unwrap lets errors.Is and errors.As see the cause.
func (e usageError) Unwrap() error { return e.error }

// endings are all signals at which this process would end: by default, or because Go
// ends it with a trace of its stacks and the exit code 2, which says that nothing ran.
// A service manager's watchdog sends SIGABRT. A fault of our own stays one: what the
// kernel sends for it does not come here.
var endings = append([]os.Signal{
	os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
	syscall.SIGABRT, syscall.SIGSYS, syscall.SIGTRAP, syscall.SIGILL, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV,
}, ownEndings...)

// stops are the signals by which a terminal stops a process.
var stops = []os.Signal{syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU}

// execute runs one command and returns its exit code.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	signals := hearEndings()
	ctx, done := signals.until(stderr)
	defer done()
	ctx, calm := whileNotStopped(ctx)
	defer calm()
	// A reader that goes away (runner … | head) must not take the record with it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, json: wantsJSON(args), signals: signals}
	if err := ownDescriptors(); err != nil {
		return a.exitCode(err)
	}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	// What a run left is hostile when it is shown, too. Its record is kept by then.
	err := panics.Catch("carrying out the command", func() error { return root.ExecuteContext(ctx) })
	return a.exitCode(errors.Join(err, a.closeEngines()))
}

// whileNotStopped cancels at the signals by which a terminal stops a process: Ctrl-Z,
// and reading or writing in the background. A runner that is stopped keeps no clock,
// and its sandbox would run on beyond the time that it has. They stay caught: a
// second one must not stop the clean-up. From then on what the terminal does not take
// from the background is written all the same, and what it does not give is an error.
func whileNotStopped(ctx context.Context) (_ context.Context, calm func()) {
	ctx, cancel := context.WithCancel(ctx)
	stopped := make(chan os.Signal, 1)
	for _, stop := range stops {
		if !signal.Ignored(stop) {
			signal.Notify(stopped, stop)
		}
	}
	go func() {
		select {
		case <-stopped:
			signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU)
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// wantsJSON looks for --json before the flags are parsed: a mistake in another
// flag is answered in JSON too.
func wantsJSON(args []string) bool {
	flags, _, _ := strings.Cut(strings.Join(args, "\x00")+"\x00", "\x00--\x00")
	return slices.Contains(strings.Split(flags, "\x00"), "--json")
}

// exitCode prints an error once, as a sentence or as JSON, and maps it.
func (a *app) exitCode(err error) int {
	if err == nil {
		return 0
	}
	_, failed := errors.AsType[hostError](err)
	if code, ok := errors.AsType[exitError](err); ok && !failed {
		return int(code)
	}
	err = a.withOldImage(err)
	code := job.ExitInternal
	_, usage := errors.AsType[usageError](err)
	switch {
	case failed:
	case usage || errors.Is(err, runner.ErrInput):
		code = job.ExitUsage
	case errors.Is(err, context.Canceled):
		code, err = job.Cancelled.ExitCode(), cancelledText(err)
	}
	if a.json && !a.answered {
		answer, write := map[string]any{"exit_code": code, "error": map[string]any{"message": err.Error(), "exit_code": code}}, a.printJSON
		if a.inSession {
			answer, write = map[string]any{"session": answer}, a.writeLine
		}
		broken := write(answer)
		if broken == nil {
			return code
		}
		err = errors.Join(err, broken)
	}
	for line := range strings.Lines(printable(err.Error())) {
		fmt.Fprintln(a.stderr, "runner:", strings.TrimRight(line, "\n"))
	}
	return code
}

// maxIndented is of an answer that is set out for people, in bytes. Indenting a larger
// one takes many times its size, and nobody reads it.
const maxIndented = 1 << 20

func (a *app) printJSON(value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	if err == nil && text.Len() <= maxIndented {
		var indented bytes.Buffer
		err = json.Indent(&indented, text.Bytes(), "", "  ")
		text = indented
	}
	if err == nil {
		_, err = io.WriteString(a.stdout, escapeInvisible(text.String()))
	}
	if err != nil {
		return fmt.Errorf("print answer: %w", err)
	}
	a.answered = true
	return nil
}

// escapeInvisible writes what could drive a terminal as JSON escapes: encoding/json
// does so below U+0020 only. Such characters stand in strings only, so that the
// value stays the same.
func escapeInvisible(text string) string {
	var safe strings.Builder
	for _, r := range text {
		switch {
		case r < 0x7f || unicode.IsPrint(r):
			safe.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&safe, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&safe, `\u%04x`, r)
		}
	}
	return safe.String()
}

func (a *app) logger() *slog.Logger {
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}

const rootHelp = `Run Python that nobody has reviewed, on data that must not leak.

Each run gets a container of its own: no network, a read-only root file system,
memory, CPU and process limits by cgroup, a seccomp filter, and of the host's files
only the de-identified bundle, read-only, and an output directory. A guard in the
container vets the code before it runs. Only files that the host has verified leave.

Exit codes:
    0  succeeded        1  failed: the code raised      2  usage, bad policy or bundle
    3  rejected         4  timed out                    5  out of memory
    6  killed           7  limit exceeded               8  output rejected
    9  cancelled      125  the runner or its host failed; nothing is claimed about the code`

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "runner",
		Short: "Run untrusted Python on a study bundle in an ephemeral container",
		Long:  rootHelp,
		Example: `  echo 'print(21 * 2)' | runner run --policy study-analysis -
  runner run --policy study-analysis --bundle public-health --output out analysis.py`,
		Version:       thisBuild().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlyCommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", a.json, "print the answer as JSON, errors too")
	flags.Lookup("json").DefValue = "false"
	flags.StringVar(&a.state, "state", defaultState(), "`directory` of images, bundles and records")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "log each step to standard error")
	flags.BoolP("help", "h", false, "print this help")
	root.Flags().Bool("version", false, "print the version of the runner")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%s (see `%s --help`)", flagFault(cmd, err), cmd.CommandPath())}
	})
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if showsState(cmd) {
			a.stdout = &cleaned{to: a.stdout}
		}
		a.tellPlace(cmd)
		return a.resolveState()
	}
	root.SetUsageTemplate(usageTemplate)
	root.AddCommand(
		a.runCommand(), a.runsCommand(), a.sessionCommand(), a.whoamiCommand(),
		a.checkCommand(), a.replicateCommand(), a.gcCommand(),
		a.engineCommand(), a.serveCommand(), a.registryCommand(), a.mcpCommand(), a.policyCommand(),
		a.seccompCommand(), a.imageCommand(), a.bundleCommand(),
		a.recordsCommand(), a.keygenCommand(), a.tokenCommand(),
		a.quarantineCommand(), a.doctorCommand(), a.selftestCommand(),
		a.versionCommand(),
	)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	addExamples(root)
	return root
}

// flagFault says what is wrong with a flag in the words of its user: the parser's
// are of Go's library.
func flagFault(cmd *cobra.Command, err error) string {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && len(unknown.GetSpecifiedName()) > 1 {
		return err.Error() + meant(unknown.GetSpecifiedName(), "--", flagsOf(cmd))
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err.Error()
	}
	var want string
	switch invalid.GetFlag().Value.Type() {
	case "duration":
		want = "a time with its unit, for example 30s or 5m"
	case "float64":
		want = "a number, for example 0.5"
	case "int64":
		want = "a whole number, for example 100"
	case "bool":
		want = "true or false"
	default:
		return err.Error()
	}
	return fmt.Sprintf("--%s must be %s, not %q", invalid.GetFlag().Name, want, invalid.GetValue())
}

// arguments checks the number of arguments and says in words what is missing.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usageError{fmt.Errorf("%s takes %s; %d given (see `%s --help`)", cmd.Name(), what, len(args), cmd.CommandPath())}
		}
		return nil
	}
}

// onlyCommands is for a command that has nothing but commands below it.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("unknown command %q%s (see `%s --help`)", args[0], meant(args[0], "", commandsOf(cmd)), cmd.CommandPath())}
}

// addExamples completes the help of the commands that cobra brings along.
func addExamples(root *cobra.Command) {
	for _, command := range root.Commands() {
		switch command.Name() {
		case "help":
			command.Short, command.Long = "Show the help of a command", ""
			command.Example = "  runner help run"
			command.Args = func(cmd *cobra.Command, args []string) error {
				if found, _, err := cmd.Root().Find(args); err != nil || len(args) > 0 && found == cmd.Root() {
					return usageError{fmt.Errorf("unknown command %q (see `runner --help`)", strings.Join(args, " "))}
				}
				return nil
			}
		case "completion":
			command.Short = "Generate the completion script of a shell"
			command.Long = "Generate the completion script of a shell: bash, zsh, fish or powershell."
			command.Example = "  runner completion bash > /etc/bash_completion.d/runner"
			command.Args = onlyCommands
			for _, shell := range command.Commands() {
				shell.Example = "  source <(runner completion " + shell.Name() + ")"
			}
		}
	}
}

// usageTemplate is cobra's with the examples at the end, where the eye is.
const usageTemplate = `Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Global flags:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}
`
