package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
	"hotcell/internal/policy"
	"hotcell/internal/runner"
)

func (a *app) policyCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "policy",
		Short: "List, show, validate and explain policies",
		Long: `List, show, validate and explain policies.

A policy is one YAML file that says what a run may have. Built-in ones are in the
binary; an administrator adds others to ` + policyDir + `.`,
		Example: "  runner policy explain study-analysis",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(a.policyList(), a.policyShow(), a.policyValidate(), a.policyExplain(), a.policySchema())
	return command
}

func (a *app) policyList() *cobra.Command {
	var server serverFlags
	command := &cobra.Command{
		Use:     "ls",
		Short:   "List the policies that a run can name",
		Example: "  runner policy ls --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := server.refuseState(cmd); err != nil {
				return err
			}
			if server.isRemote() {
				return a.remotePolicies(cmd.Context(), server)
			}
			return a.listPolicies()
		},
	}
	addServer(command, &server)
	return command
}

// listedPolicy is one line of the list.
type listedPolicy struct {
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Origin      string     `json:"origin"` // "built-in", or the file's path
	SHA256      digest.Hex `json:"sha256"`
}

func (a *app) listPolicies() error {
	catalog := a.policies()
	names, err := catalog.Names()
	if err != nil {
		return policyFault(err)
	}
	all := make([]listedPolicy, 0, len(names))
	var damaged error
	for _, name := range names {
		found, err := catalog.Find(name)
		if err != nil {
			damaged = errors.Join(damaged, err)
			continue
		}
		all = append(all, listedPolicy{name, found.Policy.Description, found.Origin, found.Policy.SHA256})
	}
	if damaged != nil {
		return policyFault(damaged)
	}
	if a.json {
		return a.printJSON(map[string]any{"policies": all})
	}
	return a.policyTable(all)
}

func (a *app) policyTable(all []listedPolicy) error {
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tORIGIN\tSHA256\tDESCRIPTION")
	for _, one := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", one.Name, inLine(one.Origin), one.SHA256[:12], inLine(one.Description))
	}
	return table.Flush()
}

func (a *app) policyShow() *cobra.Command {
	var guardRules bool
	var server serverFlags
	command := &cobra.Command{
		Use:   "show NAME|FILE",
		Short: "Print a policy's file, or with --json what it resolves to",
		Long: `Print a policy's file as it is. --json prints the file as JSON, and what it resolves
to: limits in bytes and milliseconds, and every module that may be imported.
--guard-rules prints what it tells the guard, as JSON, to replicate a run without a
sandbox (docs/replication.md). With --server, or HOTCELL_SERVER, a name is one of the
service's policies.`,
		Example:           "  runner policy show study-analysis > my-study.yaml",
		Args:              arguments(1, 1, "one policy"),
		ValidArgsFunction: a.completePolicies,
		RunE: func(cmd *cobra.Command, args []string) error {
			isFile := isPolicyFile(args[0])
			if err := server.refusePolicy(cmd, isFile); err != nil {
				return err
			}
			if server.isRemote() && !isFile {
				return a.remotePolicy(cmd.Context(), server, args[0])
			}
			found, err := a.findPolicy(args[0])
			if err != nil {
				return err
			}
			switch {
			case guardRules:
				return a.showGuardRules(found)
			case a.json:
				return a.showPolicy(found)
			}
			_, err = a.stdout.Write(found.Source)
			return err
		},
	}
	command.Flags().BoolVar(&guardRules, "guard-rules", false, "print the guard's rules, for replication without a sandbox")
	addServer(command, &server)
	return command
}

// refusePolicy is for what is of this machine alone: a file, and what a run is replicated by.
func (s *serverFlags) refusePolicy(cmd *cobra.Command, isFile bool) error {
	faults := &flagFaults{command: cmd}
	switch {
	case isFile && cmd.Flags().Changed("server"):
		faults.add(errors.New("--server is not for a file of this machine: name a policy of the service, or leave it out"))
	case s.isRemote() && !isFile:
		faults.local("the service has its own", "state")
		faults.local("a run is replicated by the policy's file: save what this command prints without it, and name that", "guard-rules")
	}
	return faults.usage()
}

// showGuardRules prints JSON with and without --json.
func (a *app) showGuardRules(found policy.Entry) error {
	rules, err := runner.ExportRules(found.Policy)
	if errors.Is(err, runner.ErrGuardOff) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	return a.printJSON(rules)
}

// findPolicy takes a name of the catalog, or a file: what has a separator or ends
// in .yaml.
func (a *app) findPolicy(given string) (policy.Entry, error) {
	if isPolicyFile(given) {
		found, err := policy.LoadFile(given)
		return found, policyFault(err)
	}
	found, err := a.policies().Find(given)
	return found, policyFault(err)
}

func isPolicyFile(given string) bool {
	return strings.HasSuffix(given, ".yaml") || strings.ContainsAny(given, `/\`)
}

// policyFault makes what is wrong with a policy, or with its name, the user's
// fault, and nothing else.
func policyFault(err error) error {
	if errors.Is(err, policy.ErrInvalid) || errors.Is(err, policy.ErrUnknown) || errors.Is(err, policy.ErrNotAFile) {
		return usageError{err}
	}
	return err
}

func (a *app) policyExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain NAME|FILE",
		Short: "Explain in words what a policy allows and forbids, and what in it is weak",
		Long: `Explain in words what a policy allows and forbids. Each line is computed from the file.
Also name each point in which it is weaker than policies/baseline, the strictest
useful policy. A weaker point is no fault: a policy exists to allow something.`,
		Example:           "  runner policy explain workflow-step",
		Args:              arguments(1, 1, "one policy"),
		ValidArgsFunction: a.completePolicies,
		RunE: func(_ *cobra.Command, args []string) error {
			found, err := a.findPolicy(args[0])
			if err != nil {
				return err
			}
			explained, err := policy.Explain(found.Policy)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(explained)
			}
			_, err = fmt.Fprint(a.stdout, printable(explanationText(explained)))
			return err
		},
	}
}

func explanationText(explained policy.Explanation) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s\nsha256 %s\n", explained.Name, inLine(explained.Description), explained.SHA256)
	for _, section := range explained.Sections {
		fmt.Fprintf(&text, "\n%s\n", section.Title)
		for _, line := range section.Lines {
			text.WriteString(wrapped(line))
		}
	}
	fmt.Fprintf(&text, "\nWeaker than the default (policies/baseline)\n")
	if len(explained.Weaker) == 0 {
		fmt.Fprintln(&text, "  nothing")
	}
	for _, weakness := range explained.Weaker {
		text.WriteString(wrapped(weakness.Key + ": " + weakness.Message))
	}
	return text.String()
}

// wrapped breaks a line of words after column 100, and indents what follows more.
func wrapped(line string) string {
	const most = 100
	var text strings.Builder
	column := 0
	for word := range strings.FieldsSeq(line) {
		switch width := utf8.RuneCountInString(word); {
		case column == 0:
			text.WriteString("  ")
			column = 2 + width
		case column+1+width > most:
			text.WriteString("\n      ")
			column = 6 + width
		default:
			text.WriteString(" ")
			column += 1 + width
		}
		text.WriteString(word)
	}
	return text.String() + "\n"
}

func (a *app) policySchema() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of policies",
		Long:    "Print the JSON Schema of policies, for editors that check YAML as you type.",
		Example: "  runner policy schema > policy.schema.json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			text, err := policy.Schema()
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(text)
			return err
		},
	}
}
