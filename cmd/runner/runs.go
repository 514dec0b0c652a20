package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

func (a *app) runsCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "runs",
		Short: "List, await and cancel runs of a service",
		Long: `List, await and cancel runs of a service.

` + serverHelp + `

A run is yours if your token, or your user on its host, has asked for it. Runs of this
machine are in ` + "`runner records`" + `.`,
		Example: "  runner runs ls --server https://hotcell.example.org",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(a.runsList(), a.runsWait(), a.runsCancel())
	return command
}

// required is for a command that has no other way.
func (s *serverFlags) required(cmd *cobra.Command) error {
	if !s.isRemote() {
		return usageError{errors.New("--server is missing: name the service, or set HOTCELL_SERVER; what this machine has run is in `runner records ls`")}
	}
	return s.refuseState(cmd)
}

func (a *app) runsList() *cobra.Command {
	var server serverFlags
	var filter client.Filter
	var status string
	most := int64(20)
	command := &cobra.Command{
		Use:     "ls",
		Short:   "List runs, the newest first",
		Example: "  runner runs ls --status queued --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := server.required(cmd); err != nil {
				return err
			}
			if most < 1 {
				return usageError{errors.New("--limit must be above zero")}
			}
			filter.Status = api.State(status)
			return a.listOfService(cmd.Context(), server, filter, int(most))
		},
	}
	addServer(command, &server)
	command.Flags().StringVar(&status, "status", "", "only runs with this `status`: queued, running, error, succeeded, failed …")
	command.Flags().StringVar(&filter.Policy, "policy", "", "only runs under this `policy`")
	command.Flags().Int64Var(&most, "limit", most, "how many at most, a `number`")
	return command
}

func (a *app) listOfService(ctx context.Context, server serverFlags, filter client.Filter, most int) error {
	service, err := a.connected(server)
	if err != nil {
		return err
	}
	found := []api.Run{}
	for run, err := range service.Runs(ctx, filter) {
		if err != nil {
			return ofService(service.Name(), err)
		}
		found = append(found, run)
		if len(found) == most {
			break
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"runs": found})
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "RUN\tSTATUS\tPOLICY\tCREATED\tWAITED")
	for _, run := range found {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", run.RunID, inLine(stateText(run)), inLine(run.Policy), run.CreatedAt.UTC().Format(time.RFC3339), time.Duration(run.QueuedMS)*time.Millisecond)
	}
	return table.Flush()
}

// stateText is how far a run is, with its place in the queue.
func stateText(run api.Run) string {
	if run.Status == api.StateQueued && run.Position != nil {
		return fmt.Sprintf("queued (%d before it)", *run.Position)
	}
	return string(run.Status)
}

const waitHelp = `Await the end of a run, and print what ` + "`runner run`" + ` would have printed: what its script
prints as it comes, from the beginning, and how it ended, which decides the exit code.

Ctrl-C ends the waiting, and not the run. --output and --inline-files are as with
` + "`runner run`" + `. Of what has been printed long ago the beginning may be missing; --json has
all of it.`

func (a *app) runsWait() *cobra.Command {
	var flags runFlags
	command := &cobra.Command{
		Use:     "wait ID",
		Short:   "Await the end of a run, and fetch its files",
		Long:    waitHelp,
		Example: "  runner runs wait 1795219431042-9f86d081884c7d65 --output out",
		Args:    arguments(1, 1, "the id of one run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.required(cmd); err != nil {
				return err
			}
			return a.awaitRun(cmd, flags, args[0])
		},
	}
	addServer(command, &flags.serverFlags)
	set := command.Flags()
	set.StringVar(&flags.output, "output", "", "`directory` for verified files")
	set.BoolVar(&flags.numbered, "output-numbered", false, "if --output is taken, use the next free name: out, out-2, out-3")
	set.StringVar(&flags.inline, "inline-files", "", "put each file up to this `size`, such as 64KiB, into the answer of --json")
	completeDirectory(command, "output")
	return command
}

func (a *app) awaitRun(cmd *cobra.Command, flags runFlags, text string) error {
	id, err := client.ParseID(text)
	faults := &flagFaults{command: cmd}
	faults.add(err)
	refuseOutput(faults, flags.outputFlags)
	faults.add(a.readInline(cmd, flags.inline))
	if err := faults.usage(); err != nil {
		return err
	}
	ctx := cmd.Context()
	delivery, err := a.newDelivery(ctx, flags.outputFlags)
	if err != nil {
		return err
	}
	service, err := a.remote(flags.serverFlags)
	if err != nil {
		return err
	}
	progress := newProgress(a.stderr)
	defer progress.close()
	response, err := service.follow(ctx, id, a.ask(job.Request{}, progress).Events, false)
	progress.close()
	progress.endLine(a.stderr)
	request := job.Request{ScriptName: inLine(response.Result.Provenance.Script)}
	return a.finish(ctx, finished{response, request, delivery, false}, err)
}

func (a *app) runsCancel() *cobra.Command {
	var server serverFlags
	command := &cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel a run",
		Long: `Cancel a run. One that waits is not begun, one that runs is ended, and one that has ended
stays as it is. The command does not wait for that: ` + "`runner runs wait`" + ` does.`,
		Example: "  runner runs cancel 1795219431042-9f86d081884c7d65",
		Args:    arguments(1, 1, "the id of one run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := server.required(cmd); err != nil {
				return err
			}
			id, err := client.ParseID(args[0])
			if err != nil {
				return usageError{err}
			}
			service, err := a.connected(server)
			if err != nil {
				return err
			}
			if err := service.Cancel(cmd.Context(), id); err != nil {
				return ofService(service.Name(), err)
			}
			if a.json {
				return a.printJSON(map[string]any{"run_id": id})
			}
			return nil
		},
	}
	addServer(command, &server)
	return command
}

// detach asks for a run, and leaves it.
func (a *app) detach(ctx context.Context, flags runFlags, request job.Request) error {
	if err := checkText(request.Code); err != nil {
		return err
	}
	service, err := a.connected(flags.serverFlags)
	if err != nil {
		return err
	}
	run, err := service.CreateRun(ctx, createRun(request), client.CreateOptions{})
	if err != nil {
		return ofService(service.Name(), err)
	}
	if a.json {
		return a.printJSON(map[string]any{"run_id": run.RunID, "status": run.Status})
	}
	_, err = fmt.Fprintln(a.stdout, run.RunID)
	return err
}

// refuseDetached adds what nobody is left for.
func refuseDetached(faults *flagFaults, flags runFlags) {
	if !flags.detach {
		return
	}
	if !flags.isRemote() {
		faults.add(errors.New("--detach needs --server: a run of this machine ends with its command"))
	}
	for _, name := range []string{"output", "output-numbered", "inline-files"} {
		if faults.command.Flags().Changed(name) {
			faults.add(fmt.Errorf("--%s is not for --detach: give it to `runner runs wait`", name))
		}
	}
}

// remoteBundles lists what requests to a service may name.
func (a *app) remoteBundles(ctx context.Context, server serverFlags) error {
	service, err := a.connected(server)
	if err != nil {
		return err
	}
	all, err := service.Bundles(ctx)
	if err != nil {
		return ofService(service.Name(), err)
	}
	if a.json {
		return a.printJSON(map[string]any{"bundles": all})
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tVERSION\tDIGEST\tSTUDY\tVALID UNTIL")
	for _, one := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", inLine(one.Name), inLine(one.Version), inLine(one.Digest), inLine(one.Study), inLine(one.ValidUntil))
	}
	return table.Flush()
}

func (a *app) remotePolicies(ctx context.Context, server serverFlags) error {
	service, err := a.connected(server)
	if err != nil {
		return err
	}
	all, err := service.Policies(ctx)
	if err != nil {
		return ofService(service.Name(), err)
	}
	listed := make([]listedPolicy, 0, len(all))
	for _, one := range all {
		sum := digest.Hex(one.SHA256)
		if err := sum.Check(); err != nil {
			return fmt.Errorf("%s: a policy of its list: %w", service.Name(), err)
		}
		listed = append(listed, listedPolicy{inLine(one.Name), one.Description, service.Name(), sum})
	}
	if a.json {
		return a.printJSON(map[string]any{"policies": listed})
	}
	return a.policyTable(listed)
}
