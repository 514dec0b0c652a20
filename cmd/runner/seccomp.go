package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hotcell/internal/container/kubernetes"
	"hotcell/internal/seccomp"
	"hotcell/policies"
)

func (a *app) seccompCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "seccomp",
		Short: "List, explain, check, export and trace seccomp profiles",
		Long: `List, explain, check, export and trace seccomp profiles.

A profile has two stages. NAME holds from a sandbox's first instruction and is
loaded by the OCI runtime; NAME.user is loaded over it by the guard, for all
threads, before the first byte of user code is compiled. Both are files of
policies/seccomp, with a reason for each rule.`,
		Example: "  runner seccomp explain python-analysis.user",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(a.seccompList(), a.seccompExplain(), a.seccompCheck(), a.seccompExport(), a.seccompTrace())
	return command
}

// profileDir is where the binary keeps its profiles.
const profileDir = "seccomp/"

// loadProfile loads one of the binary's profiles, of either stage.
func loadProfile(name string) (*seccomp.Profile, error) {
	data, err := readProfile(name)
	if err != nil {
		return nil, err
	}
	return seccomp.Load(name, data)
}

func readProfile(name string) ([]byte, error) {
	data, err := policies.Files.ReadFile(profileDir + name + ".json")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		names, err := profileNames()
		if err != nil {
			return nil, err
		}
		return nil, usageError{fmt.Errorf("unknown seccomp profile %q: known are %s", name, strings.Join(names, ", "))}
	}
	if err != nil {
		return nil, fmt.Errorf("read seccomp profile: %w", err)
	}
	return data, nil
}

func profileNames() ([]string, error) {
	paths, err := fs.Glob(policies.Files, profileDir+"*.json")
	if err != nil {
		return nil, fmt.Errorf("list seccomp profiles: %w", err)
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(path, profileDir), ".json")
	}
	return names, nil
}

func completeProfiles(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	names, err := profileNames()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// archFlag adds --arch; the answer reads it.
func archFlag(cmd *cobra.Command) func() (seccomp.Arch, error) {
	name := cmd.Flags().String("arch", runtime.GOARCH, "`architecture` of the system call table: amd64 or arm64")
	return func() (seccomp.Arch, error) {
		arch, ok := seccomp.Native(*name)
		if !ok {
			return "", usageError{fmt.Errorf("--arch must be amd64 or arm64, not %q", *name)}
		}
		return arch, nil
	}
}

// profileSummary is a profile in a list.
type profileSummary struct {
	Name    string `json:"name"`
	Stage   int    `json:"stage"`
	Allowed int    `json:"allowed"` // calls, with some arguments at least
	Some    int    `json:"allowed_with_some_arguments"`
	Denied  int    `json:"denied"`
	Killed  int    `json:"killed"`
	Known   int    `json:"known"`
}

func summarise(profile *seccomp.Profile, arch seccomp.Arch) profileSummary {
	counts := profile.Count(arch)
	return profileSummary{
		Name: profile.Name(), Stage: profile.Stage(),
		Allowed: counts.Allowed + counts.Conditional, Some: counts.Conditional,
		Denied: counts.Denied, Killed: counts.Killed, Known: counts.Known,
	}
}

func (a *app) seccompList() *cobra.Command {
	command := &cobra.Command{
		Use:     "ls",
		Short:   "List the profiles",
		Example: "  runner seccomp ls --arch arm64",
		Args:    arguments(0, 0, "no argument"),
	}
	arch := archFlag(command)
	command.RunE = func(*cobra.Command, []string) error {
		table, err := arch()
		if err != nil {
			return err
		}
		return a.listProfiles(table)
	}
	return command
}

func (a *app) listProfiles(arch seccomp.Arch) error {
	names, err := profileNames()
	if err != nil {
		return err
	}
	summaries := []profileSummary{}
	for _, name := range names {
		profile, err := loadProfile(name)
		if err != nil {
			return err
		}
		summaries = append(summaries, summarise(profile, arch))
	}
	if a.json {
		return a.printJSON(map[string]any{"architecture": arch, "profiles": summaries})
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tSTAGE\tALLOWED\tSOME ARGUMENTS\tDENIED\tKILLED\tOF")
	for _, s := range summaries {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\n", s.Name, s.Stage, s.Allowed, s.Some, s.Denied, s.Killed, s.Known)
	}
	return table.Flush()
}

const checkHelp = `Decide what a profile does with one system call. The call itself is not made.
Arguments are numbers, decimal or like 0x5401, as the kernel's registers hold
them; missing ones are 0. The exit code is 0 if the call is let through, else 1.`

func (a *app) seccompCheck() *cobra.Command {
	command := &cobra.Command{
		Use:               "check PROFILE CALL [ARG ...]",
		Short:             "Decide one system call",
		Long:              checkHelp,
		Example:           "  runner seccomp check python-analysis.user mmap 0 4096 5",
		Args:              arguments(2, 8, "a profile, a system call and at most six arguments"),
		ValidArgsFunction: completeProfiles,
	}
	arch := archFlag(command)
	command.RunE = func(_ *cobra.Command, args []string) error {
		table, err := arch()
		if err != nil {
			return err
		}
		return a.checkCall(table, args[0], args[1], args[2:])
	}
	return command
}

func (a *app) checkCall(arch seccomp.Arch, name, called string, words []string) error {
	profile, err := loadProfile(name)
	if err != nil {
		return err
	}
	number, ok := seccomp.Number(arch, called)
	if !ok {
		return usageError{fmt.Errorf("unknown system call %q on %s", called, arch)}
	}
	call := seccomp.Call{Arch: arch, Number: number}
	for i, word := range words {
		if call.Args[i], err = parseArgument(word); err != nil {
			return usageError{err}
		}
	}
	decision := profile.Evaluate(call)
	if err := a.printDecision(profile, call, called, decision); err != nil {
		return err
	}
	if decision.Action != seccomp.Allow {
		return exitError(1)
	}
	return nil
}

// parseArgument takes a negative number for what a register holds of it.
func parseArgument(word string) (uint64, error) {
	if value, err := strconv.ParseUint(word, 0, 64); err == nil {
		return value, nil
	}
	value, err := strconv.ParseInt(word, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("argument %q is not a 64-bit number such as 5 or 0x5401", word)
	}
	return uint64(value), nil
}

func (a *app) printDecision(profile *seccomp.Profile, call seccomp.Call, called string, decision seccomp.Decision) error {
	if a.json {
		return a.printJSON(map[string]any{
			"profile": profile.Name(), "architecture": call.Arch, "syscall": called, "number": call.Number,
			"args": call.Args, "action": decision.Action, "errno": decision.Errno, "reason": decision.Reason,
			"allowed": decision.Action == seccomp.Allow,
		})
	}
	fmt.Fprintf(a.stdout, "%s: %s\n", outcomeText(decision.Action, decision.Errno), decision.Reason)
	return nil
}

func outcomeText(action seccomp.Action, errno seccomp.Errno) string {
	switch action {
	case seccomp.Allow:
		return "allowed"
	case seccomp.Deny:
		return fmt.Sprintf("fails with %s", errno)
	default:
		return "ends the process"
	}
}

const exportHelp = `Write a profile to standard output.

oci is the object linux.seccomp of a runtime-spec configuration, for crun, runc
and other tools. bpf is the compiled program, an array of struct sock_filter for
seccomp(2), made by libseccomp and compared with the profile in an interpreter.
node is the file that a node of a cluster must have below the kubelet's directory for
profiles, as hotcell/SHA256.json by its own sum, for all architectures; the others are
for one. The program, and most runtimes, kill a process that makes a call of another
architecture.`

func (a *app) seccompExport() *cobra.Command {
	command := &cobra.Command{
		Use:               "export PROFILE --format oci|bpf|node",
		Short:             "Write a profile as OCI JSON, as raw BPF or for nodes",
		Long:              exportHelp,
		Example:           "  runner seccomp export python-analysis.user --format bpf > user.bpf",
		Args:              arguments(1, 1, "one profile"),
		ValidArgsFunction: completeProfiles,
	}
	arch := archFlag(command)
	format := command.Flags().String("format", "", "`format` of the output: oci, bpf or node (required)")
	command.RunE = func(_ *cobra.Command, args []string) error {
		table, err := arch()
		if err != nil {
			return err
		}
		return a.exportProfile(table, args[0], *format)
	}
	return command
}

func (a *app) exportProfile(arch seccomp.Arch, name, format string) error {
	profile, err := loadProfile(name)
	if err != nil {
		return err
	}
	if format == "node" {
		return a.exportNodeProfile(profile) // of all architectures, as the engine has it
	}
	if profile, err = profile.For(arch); err != nil {
		return err
	}
	switch format {
	case "oci":
		return a.printJSON(profile.OCI())
	case "bpf":
		program, err := profile.Compile(arch)
		if err != nil {
			return err
		}
		return a.writeProgram(program)
	default:
		return usageError{fmt.Errorf("--format must be oci, bpf or node, not %q", format)}
	}
}

// exportNodeProfile writes what the kubernetes engine wants on nodes, byte for byte: its sum is
// its name.
func (a *app) exportNodeProfile(profile *seccomp.Profile) error {
	name, content, err := kubernetes.NodeProfile(profile.OCI())
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"name": name, "content": string(content)})
	}
	if _, err := a.stdout.Write(content); err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	return nil
}

func (a *app) writeProgram(program *seccomp.Program) error {
	encoded := program.Bytes()
	if a.json {
		return a.printJSON(map[string]any{
			"architecture": program.Arch, "instructions": len(program.Instructions),
			"unknown_to_libseccomp": append([]string{}, program.Unknown...),
			"program":               base64.StdEncoding.EncodeToString(encoded),
		})
	}
	if isTerminal(a.stdout) {
		return usageError{errors.New("a program is not text: redirect it to a file, or ask for --json")}
	}
	if _, err := a.stdout.Write(encoded); err != nil {
		return fmt.Errorf("write program: %w", err)
	}
	return nil
}
