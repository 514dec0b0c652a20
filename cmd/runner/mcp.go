package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/mcpserver"
)

const mcpHelp = `Offer runs to a language model, as tools of the Model Context Protocol, on standard input
and output. A client of that protocol starts this command; docs/mcp.md shows how.

It asks a service (runner serve): that of --server or HOTCELL_SERVER, else that of this
host, at ` + hostSocket + `. The model has the rights of who runs this command.

--policy pins the policy, and with it the data: those of --bundle, or none. The model then
can choose neither, sees no other, and reaches no run but its own. Runs that were created
without a key are cancelled when this command ends, and sessions closed.`

// hostSocket is where the service of a host listens.
const hostSocket = "/run/hotcell/hotcell.sock"

type mcpFlags struct {
	serverFlags
	pin mcpserver.Pin
}

func (a *app) mcpCommand() *cobra.Command {
	var flags mcpFlags
	command := &cobra.Command{
		Use:   "mcp [--policy NAME [--bundle NAME]] [--server URL]",
		Short: "Offer runs to a language model (Model Context Protocol)",
		Long:  mcpHelp,
		Example: `  runner mcp --policy study-analysis --bundle public-health
  claude mcp add hotcell -- runner mcp --policy study-analysis --bundle public-health`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serveModel(cmd, flags) },
	}
	addServer(command, &flags.serverFlags)
	command.Flags().Lookup("server").Usage = "`URL` of the service (default: $HOTCELL_SERVER, else that of this host)"
	command.Flags().StringVar(&flags.pin.Policy, "policy", "", "`name` of the policy of all runs: the model cannot choose another")
	command.Flags().StringVar(&flags.pin.Bundle, "bundle", "", "`name` of the bundle of all runs, with --policy")
	command.Flags().StringArrayVar(&flags.pin.Tables, "table", nil, "`name` of a table of the bundle: runs get no other (repeatable)")
	return command
}

func (a *app) serveModel(cmd *cobra.Command, flags mcpFlags) error {
	ctx := cmd.Context()
	if cmd.Flags().Changed("json") {
		return usageError{errors.New("--json is not for mcp: its output is the protocol's, which is JSON")}
	}
	server, err := mcpserver.New(mcpserver.Options{Version: thisBuild().Version, Pin: flags.pin, Logger: a.logger()})
	if err != nil {
		return usageError{fmt.Errorf("%w: name it with --policy and --bundle", err)}
	}
	if !flags.isRemote() {
		if err := flags.ofThisHost(); err != nil {
			return err
		}
	}
	if err := flags.refuseState(cmd); err != nil {
		return err
	}
	asked, err := a.connected(flags.serverFlags)
	if err != nil {
		return err
	}
	defer asked.Close()
	if err := serves(ctx, asked, flags.pin); err != nil {
		return ofService(asked.Name(), err)
	}
	if a.stdinIsTerminal() {
		a.logger().Warn("standard input is a terminal: a client of the protocol is to start this command (docs/mcp.md)")
	}
	return server.Serve(ctx, mcpserver.ByClient{Client: asked}, a.stdin, a.stdout)
}

// ofThisHost takes the service that listens on this host.
func (f *mcpFlags) ofThisHost() error {
	found, err := os.Lstat(hostSocket)
	if err != nil || found.Mode()&os.ModeSocket == 0 {
		return usageError{fmt.Errorf("no service listens at %s: start one (`runner engine` and `runner serve`), or name one with --server or %s", hostSocket, serverVariable)}
	}
	f.server = "unix://" + hostSocket
	return nil
}

// readyTime is how long a service may be away when the command begins: a client shows what is
// wrong then, and later only the model would be told.
const readyTime = 10 * time.Second

// serves asks whether the service takes this caller, and has what is pinned.
func serves(ctx context.Context, asked *client.Client, pin mcpserver.Pin) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	_, err := asked.Version(ctx)
	var policy api.PolicyInfo
	var bundle api.BundleInfo
	if err == nil && pin.Policy != "" {
		policy, err = asked.Policy(ctx, pin.Policy)
	}
	if err == nil && pin.Bundle != "" {
		bundle, err = asked.Bundle(ctx, pin.Bundle)
	}
	return cmp.Or(err, hasTables(policy, bundle, pin))
}

// hasTables refuses what is pinned where each run would be refused: tables that the bundle does not
// have, and those that the policy needs and no run would get.
func hasTables(policy api.PolicyInfo, bundle api.BundleInfo, pin mcpserver.Pin) error {
	var has []string
	for _, table := range bundle.Tables {
		has = append(has, table.Name)
	}
	var faults []error
	for _, name := range pin.Tables {
		if !slices.Contains(has, name) {
			faults = append(faults, fmt.Errorf("--table: the bundle has no table %q", name))
		}
	}
	for _, name := range policy.RequiredTables {
		switch {
		case !slices.Contains(has, name):
			faults = append(faults, fmt.Errorf("--policy: each run under %s needs a table %q: name a bundle that has it with --bundle", policy.Name, name))
		case pin.Tables != nil && !slices.Contains(pin.Tables, name):
			faults = append(faults, fmt.Errorf("--table: each run under %s needs the table %q: name it, too", policy.Name, name))
		}
	}
	if len(faults) > 0 {
		return usageError{errors.Join(faults...)}
	}
	return nil
}
