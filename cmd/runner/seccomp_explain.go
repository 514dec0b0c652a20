package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hotcell/internal/seccomp"
)

func (a *app) seccompExplain() *cobra.Command {
	command := &cobra.Command{
		Use:   "explain PROFILE",
		Short: "Print what a profile lets through, and why",
		Long: `Print what a profile does with system calls, rule by rule with its reason, and how
much it lets through compared with Docker's default profile.`,
		Example:           "  runner seccomp explain python-analysis.user",
		Args:              arguments(1, 1, "one profile"),
		ValidArgsFunction: completeProfiles,
	}
	arch := archFlag(command)
	command.RunE = func(_ *cobra.Command, args []string) error {
		table, err := arch()
		if err != nil {
			return err
		}
		profile, err := loadProfile(args[0])
		if err != nil {
			return err
		}
		return a.explainProfile(profile, table)
	}
	return command
}

// explainedRule is a rule as it holds on one architecture.
type explainedRule struct {
	Syscalls   []string      `json:"syscalls"`
	Conditions []string      `json:"conditions"`
	Errno      seccomp.Errno `json:"errno,omitempty"`
	Reason     string        `json:"reason"`
	Action     string        `json:"action"`
}

func (a *app) explainProfile(profile *seccomp.Profile, arch seccomp.Arch) error {
	narrow, err := profile.For(arch)
	if err != nil {
		return err
	}
	rules, missing := explainRules(narrow, arch)
	summary, docker := summarise(narrow, arch), narrow.CompareWithDocker(arch)
	if a.json {
		return a.printJSON(map[string]any{
			"profile": summary, "description": narrow.Description(), "architecture": arch, "rules": rules,
			"not_on_this_architecture": missing, "default": narrow.Default(),
			"docker_default": map[string]any{"allowed": docker.Docker, "allowed_only_here": append([]string{}, docker.OnlyProfile...)},
		})
	}
	fmt.Fprintf(a.stdout, "%s, stage %d, %s\n", summary.Name, summary.Stage, arch)
	fmt.Fprintln(a.stdout, wrap(narrow.Description(), ""))
	for _, section := range explainSections() {
		a.printSection(section.title, rules, section.is)
	}
	fallback := narrow.Default()
	fmt.Fprintf(a.stdout, "\nEVERY OTHER CALL\n  %s; another architecture's calls, and x32's, end the process\n\n", outcomeText(fallback.Action, fallback.Errno))
	fmt.Fprintf(a.stdout, "%d of %d system calls are let through, %d of them with some arguments only; %d end the process.\n",
		summary.Allowed, summary.Known, summary.Some, summary.Killed)
	fmt.Fprintf(a.stdout, "Docker's default profile lets %d of them through. %s\n", docker.Docker, onlyHere(docker.OnlyProfile))
	if len(missing) > 0 {
		fmt.Fprintln(a.stdout, wrap("The profile names calls that this architecture does not have: "+strings.Join(missing, ", ")+".", ""))
	}
	return nil
}

func onlyHere(names []string) string {
	if len(names) == 0 {
		return "Nothing is let through here that it refuses."
	}
	return "Let through here only: " + strings.Join(names, ", ") + "."
}

// explainRules leaves out the calls that arch does not have, and names them.
func explainRules(profile *seccomp.Profile, arch seccomp.Arch) (rules []explainedRule, missing []string) {
	missing = []string{}
	for _, rule := range profile.Rules() {
		explained := explainedRule{Syscalls: []string{}, Conditions: []string{}, Errno: rule.Errno, Reason: rule.Reason, Action: string(rule.Action)}
		for _, name := range rule.Names {
			if _, ok := seccomp.Number(arch, name); ok {
				explained.Syscalls = append(explained.Syscalls, name)
			} else {
				missing = append(missing, name)
			}
		}
		for _, condition := range rule.Conditions {
			explained.Conditions = append(explained.Conditions, condition.String())
		}
		if len(explained.Syscalls) > 0 {
			rules = append(rules, explained)
		}
	}
	slices.Sort(missing)
	return rules, slices.Compact(missing)
}

type explainSection struct {
	title string
	is    func(explainedRule) bool
}

func explainSections() []explainSection {
	allowed := func(r explainedRule) bool { return r.Action == string(seccomp.Allow) }
	return []explainSection{
		{"LET THROUGH", func(r explainedRule) bool { return allowed(r) && len(r.Conditions) == 0 }},
		{"LET THROUGH WITH SOME ARGUMENTS", func(r explainedRule) bool { return allowed(r) && len(r.Conditions) > 0 }},
		{"REFUSED WITH AN ERROR OF ITS OWN", func(r explainedRule) bool { return r.Action == string(seccomp.Deny) }},
		{"ENDS THE PROCESS", func(r explainedRule) bool { return r.Action == string(seccomp.KillProcess) }},
	}
}

func (a *app) printSection(title string, rules []explainedRule, is func(explainedRule) bool) {
	printed := false
	for _, rule := range rules {
		if !is(rule) {
			continue
		}
		if !printed {
			fmt.Fprintf(a.stdout, "\n%s\n", title)
			printed = true
		}
		line := strings.Join(rule.Syscalls, " ")
		if len(rule.Conditions) > 0 {
			line += " where " + strings.Join(rule.Conditions, " and ")
		}
		if rule.Errno != "" {
			line += ": " + string(rule.Errno)
		}
		fmt.Fprintln(a.stdout, wrap(line, "  "))
		fmt.Fprintln(a.stdout, wrap(rule.Reason, "      "))
	}
}

// wrap breaks a paragraph at 88 columns.
func wrap(text, indent string) string {
	const width = 88
	var lines []string
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) >= width && strings.TrimSpace(line) != "" {
			lines = append(lines, strings.TrimRight(line, " "))
			line = indent
		}
		line += word + " "
	}
	return strings.Join(append(lines, strings.TrimRight(line, " ")), "\n")
}
