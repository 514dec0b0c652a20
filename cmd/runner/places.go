package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// place says where a command looks.
type place string

// The places.
const (
	atService place = "service" // at the service that --server or HOTCELL_SERVER names, where one does
	atHost    place = "host"    // at this machine's state and processes, always
	atNothing place = "nothing" // at files that it is given, or at this program alone
)

// places are of every command, by its words behind "runner".
func places() map[string]place {
	found := map[string]place{}
	for at, commands := range map[place]string{
		atService: `run, session, session ls, session close, check, mcp, whoami, runs ls, runs wait, runs cancel, policy ls, policy show, bundle ls, bundle show`,
		atHost: `policy explain, bundle add, bundle diff, bundle image, bundle prepare, bundle push, bundle rm, bundle scan, bundle sign, bundle verify,
			image build, image load, image ls, image push, image rootfs, image save, image sbom, image verify, keygen, gc, doctor, selftest, replicate, engine status,
			quarantine export, quarantine ls, quarantine rm, quarantine show, token create, token ls, token revoke,
			records anchor, records export, records find, records hold, records ls, records release, records rm, records show, records unhold, records verify`,
		atNothing: `policy schema, policy validate, bundle create, bundle fetch, bundle sample, seccomp check, seccomp explain, seccomp export, seccomp ls,
			engine, engine prepare, serve, registry, version, help, completion bash, completion fish, completion powershell, completion zsh`,
	} {
		for one := range strings.SplitSeq(commands, ",") {
			found[strings.Join(strings.Fields(one), " ")] = at
		}
	}
	return found
}

func looksAt(command *cobra.Command) place {
	return places()[strings.TrimPrefix(command.CommandPath(), command.Root().Name()+" ")]
}

// tellPlace says of a command that looks at this machine that it does, where somebody may take
// its answer for the service's.
func (a *app) tellPlace(command *cobra.Command) {
	if os.Getenv(serverVariable) != "" && looksAt(command) == atHost {
		fmt.Fprintf(a.stderr, "runner: `%s` is about this machine: the service of %s is not asked\n", command.CommandPath(), serverVariable)
	}
}
