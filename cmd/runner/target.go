package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// target is the policy that scripts run under, and what makes their containers:
// flags that several commands have.
type target struct {
	policy, engine, runtime string
	cold                    bool // in this process, whoever listens
	tools                   bool // the request brings some
	serverFlags                  // another machine, or this one's service
}

// addTarget declares the flags of a target. Without a default the policy is required.
func (a *app) addTarget(command *cobra.Command, chosen *target, defaultPolicy string) {
	usage := "policy, by `name`"
	if defaultPolicy == "" {
		usage += " (required)"
	}
	a.addPolicy(command, &chosen.policy, defaultPolicy, usage)
	addEngine(command, &chosen.engine)
	addRuntime(command, &chosen.runtime)
}

func addEngine(command *cobra.Command, name *string) {
	command.Flags().StringVar(name, "engine", "auto", "container engine, by `name`: auto, oci, docker or kubernetes")
	complete(command, "engine", fixed(engineNames...))
}

func (a *app) addPolicy(command *cobra.Command, name *string, value, usage string) {
	command.Flags().StringVar(name, "policy", value, usage)
	complete(command, "policy", a.completePolicies)
}

func addRuntime(command *cobra.Command, name *string) {
	command.Flags().StringVar(name, "runtime", "", "OCI runtime, by `name`: crun, runc, runsc or another one (default: the engine's choice)")
	complete(command, "runtime", fixed("crun", "runc", "runsc"))
}

// complete offers values of a flag to the shell.
func complete(command *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := command.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // the flag's name is misspelt
	}
}

// completeDirectory offers directories to the shell.
func completeDirectory(command *cobra.Command, flag string) {
	if err := command.MarkFlagDirname(flag); err != nil {
		panic(err) // the flag's name is misspelt
	}
}

// hide keeps a flag out of the help.
func hide(command *cobra.Command, flag string) {
	if err := command.Flags().MarkHidden(flag); err != nil {
		panic(err) // the flag's name is misspelt
	}
}

func fixed(values ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

func (a *app) completePolicies(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names, err := a.policies().Names()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// flagFaults collects what is wrong with a command's flags, to be told together.
type flagFaults struct {
	command *cobra.Command
	found   []error
}

// refuse adds a fault if the flag was given and is bad.
func (f *flagFaults) refuse(name string, bad bool, want string) {
	if f.command.Flags().Changed(name) && bad {
		f.found = append(f.found, fmt.Errorf("--%s must be %s", name, want))
	}
}

// add adds a fault, unless it is nil.
func (f *flagFaults) add(err error) {
	if err != nil {
		f.found = append(f.found, err)
	}
}

// refuseTarget adds what is wrong with a target, its policy's content aside.
func (a *app) refuseTarget(faults *flagFaults, chosen target) {
	a.refuseServer(faults, chosen)
	if chosen.policy == "" && !faults.command.Flags().Changed("policy") {
		faults.add(a.missingPolicy(chosen))
	}
	faults.refuse("policy", chosen.policy == "", "the name of a policy")
	faults.refuse("runtime", chosen.runtime == "", "the name of a runtime; leave the flag out for the engine's choice")
	if !slices.Contains(engineNames, chosen.engine) {
		faults.add(unknownEngine(chosen.engine))
	}
}

// usage is all faults as one error, or nil.
func (f *flagFaults) usage() error {
	if f.found == nil {
		return nil
	}
	return usageError{errors.Join(f.found...)}
}

func (a *app) missingPolicy(chosen target) error {
	if chosen.isRemote() {
		return fmt.Errorf("--policy is missing: `runner policy ls --server %s` lists them", chosen.server)
	}
	names, err := a.policies().Names()
	if err != nil {
		return err
	}
	return fmt.Errorf("--policy is missing: known are %s", strings.Join(names, ", "))
}

// withPolicy adds what is wrong with a policy to what is wrong already. A request
// without other faults meets its policy when it runs: reading it twice costs some
// milliseconds.
func (a *app) withPolicy(err error, chosen target) error {
	if err == nil || chosen.policy == "" || chosen.isRemote() {
		return err
	}
	_, fault := a.policies().Get(chosen.policy)
	return errors.Join(policyFault(fault), err)
}
