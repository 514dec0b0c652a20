package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/job"
	"hotcell/internal/runner"
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

// What there is of this machine, for who asks a service for the like.
const (
	runsHere     = "what this machine has run is in `runner records ls`"
	sessionsHere = "a session of this machine lives as long as its command"
	userHere     = "on this machine you are who you are to it (`id`)"
)

// required is for a command that has no other way. here is what there is of this machine instead.
func (s *serverFlags) required(cmd *cobra.Command, here string) error {
	if !s.isRemote() {
		return usageError{errors.New("--server is missing: name the service, or set HOTCELL_SERVER; " + here)}
	}
	return s.refuseState(cmd)
}

func (a *app) runsList() *cobra.Command {
	var server serverFlags
	var filter client.Filter
	var status, since string
	most := int64(20)
	command := &cobra.Command{
		Use:     "ls",
		Short:   "List runs, the newest first",
		Example: "  runner runs ls --status queued --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := server.required(cmd, runsHere); err != nil {
				return err
			}
			faults := &flagFaults{command: cmd}
			faults.refuse("limit", most < 1, "above zero")
			faults.refuse("since", since == "", "a date, a time or how long ago; leave the flag out for all")
			var err error
			if filter.Since, err = readTime(since, time.Now(), false); err != nil {
				faults.add(fmt.Errorf("--since %w", err))
			}
			filter.Status = api.State(status)
			faults.refuse("status", !slices.Contains(runStates(), filter.Status), "one of "+strings.Join(stateNames(), ", "))
			if err := faults.usage(); err != nil {
				return err
			}
			return a.listOfService(cmd.Context(), server, filter, int(most))
		},
	}
	addRequiredServer(command, &server)
	command.Flags().StringVar(&status, "status", "", "only runs with this `status`: queued, running, error, succeeded, failed …")
	complete(command, "status", fixed(stateNames()...))
	command.Flags().StringVar(&filter.Policy, "policy", "", "only runs under this `policy`")
	command.Flags().StringVar(&since, "since", "", "only from this `time` on: a date, a time such as 2026-11-27T10:00:00Z, or 36h or 7d ago")
	command.Flags().Int64Var(&most, "limit", most, "how many at most, a `number`")
	return command
}

// runStates are all that a run of a service can be.
func runStates() []api.State {
	all := []api.State{api.StateQueued, api.StateRunning, api.StateError}
	for _, one := range job.Statuses() {
		all = append(all, api.State(one))
	}
	return all
}

func stateNames() []string {
	var names []string
	for _, one := range runStates() {
		names = append(names, string(one))
	}
	return names
}

func (a *app) listOfService(ctx context.Context, server serverFlags, filter client.Filter, most int) error {
	service, err := a.looking(server)
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
	fmt.Fprintln(table, "RUN\tSTATUS\tPOLICY\tCREATED\tWAITED\tPRINCIPAL")
	for _, run := range found {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", run.RunID, inLine(stateText(run)), inLine(run.Policy), run.CreatedAt.UTC().Format(time.RFC3339),
			time.Duration(run.QueuedMS)*time.Millisecond, orNone(inLine(run.Principal)))
	}
	return table.Flush()
}

// stateText is how far a run is, with its place in the queue.
func stateText(run api.Run) string {
	if run.Status == api.StateQueued && run.Position != nil {
		return fmt.Sprintf("queued (%d before it)", *run.Position)
	}
	if run.Queue != "" {
		return string(runner.PhaseQueued(run.Queue))
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
			if err := flags.required(cmd, runsHere); err != nil {
				return err
			}
			return a.awaitRun(cmd, flags, args[0])
		},
	}
	addRequiredServer(command, &flags.serverFlags)
	set := command.Flags()
	set.StringVar(&flags.output, "output", "", "`directory` for verified files")
	set.BoolVar(&flags.numbered, "output-numbered", false, "if --output is taken, use the next free name: out, out-2, out-3")
	set.StringVar(&flags.inline, "inline-files", "", "put each file up to this `size`, such as 64KiB, into the answer of --json")
	completeDirectory(command, "output")
	return command
}

func (a *app) awaitRun(cmd *cobra.Command, flags runFlags, text string) error {
	id, err := idOf("run", text)
	faults := &flagFaults{command: cmd}
	faults.add(err)
	refuseOutput(faults, flags.outputFlags)
	faults.add(a.readInline(cmd, flags.inline))
	if err := faults.usage(); err != nil {
		return err
	}
	ctx := cmd.Context()
	delivery, err := a.newDelivery(ctx, flags.destination())
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

// idOf reads the id of a run, or of a session.
func idOf(of, text string) (job.ID, error) {
	id, err := client.ParseID(text)
	if err != nil {
		list := map[string]string{"run": "runs", "session": "session"}[of]
		return id, usageError{fmt.Errorf("%q is no id of a %s: want 13 digits, a hyphen and 16 hexadecimal digits, as `runner %s ls` has them", text, of, list)}
	}
	return id, nil
}

// asked is the service, and the id, of a command that ends a run or a session there.
func (a *app) asked(cmd *cobra.Command, server serverFlags, of, text string) (*client.Client, job.ID, error) {
	if err := server.required(cmd, map[string]string{"run": runsHere, "session": sessionsHere}[of]); err != nil {
		return nil, job.ID{}, err
	}
	id, err := idOf(of, text)
	if err != nil {
		return nil, job.ID{}, err
	}
	service, err := a.connected(server)
	return service, id, err
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
			service, id, err := a.asked(cmd, server, "run", args[0])
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
	addRequiredServer(command, &server)
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
	run, err := flags.create(ctx, service, request)
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
