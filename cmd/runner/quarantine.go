package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/records"
)

func (a *app) quarantineCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "quarantine",
		Short: "List, show, export and remove output that was refused",
		Long: `List, show, export and remove output that was refused.

What was not verified is kept in quarantine, unread, under numbers instead of its own
names. What was refused there may be data: only root sees more than its size, and
each look, copy and removal is an event of the audit chain, with its reason.`,
		Example: "  runner quarantine ls",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(a.quarantineList(), a.quarantineShow(), a.quarantineExport(), a.quarantineRemove())
	return command
}

func (a *app) quarantineList() *cobra.Command {
	return &cobra.Command{
		Use:     "ls",
		Short:   "List the runs whose output is in quarantine",
		Example: "  runner quarantine ls --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := a.listQuarantine(cmd.Context())
			if a.json {
				answer := map[string]any{"quarantine": append([]records.Quarantined{}, list...)}
				if err != nil {
					answer["error"] = map[string]any{"message": err.Error(), "exit_code": job.ExitInternal}
				}
				return errors.Join(a.printJSON(answer), err)
			}
			if len(list) == 0 && err == nil {
				fmt.Fprintf(a.stderr, "nothing is in quarantine in %s\n", a.state)
				return nil
			}
			table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "RUN\tFILES\tSIZE\tRULES")
			for _, one := range list {
				fmt.Fprintf(table, "%s\t%d\t%s\t%s\n", one.RunID, one.Files, policy.Size(one.Bytes), inLine(strings.Join(one.Rules, ",")))
			}
			return errors.Join(table.Flush(), err)
		},
	}
}

// onlyRoot refuses everybody else: who may run code must not be able to fetch what was
// refused of its output.
func onlyRoot(what string) error {
	if os.Geteuid() != 0 {
		return usageError{fmt.Errorf("%s is for the administrator: run it as root", what)}
	}
	return nil
}

// cause reads --reason, which each access to the quarantine must give.
func cause(command *cobra.Command, reason string) (records.Cause, error) {
	if err := onlyRoot("`" + command.CommandPath() + "`"); err != nil {
		return records.Cause{}, err
	}
	return causeOf(reason)
}

// causeOf reads --reason.
func causeOf(reason string) (records.Cause, error) {
	by := records.Cause{Actor: ownActor(), Reason: reason}
	if err := by.Check(); err != nil {
		return records.Cause{}, usageError{fmt.Errorf("--reason: %w", err)}
	}
	return by, nil
}

func runArgument(text string) (job.ID, error) {
	id, err := job.ParseID(text)
	if err != nil {
		return job.ID{}, usageError{fmt.Errorf("%q is no run's id: `runner quarantine ls` lists those that have something in quarantine", text)}
	}
	return id, nil
}

// ofQuarantine makes a run without anything there the user's mistake, and tells the way out where something
// is there and no run's.
func ofQuarantine(err error) error {
	if errors.Is(err, records.ErrNotQuarantined) {
		return usageError{fmt.Errorf("%w: `runner quarantine ls` lists those that are", err)}
	}
	if errors.Is(err, records.ErrNotFound) {
		return usageError{fmt.Errorf("%w, or none of which something was refused: `runner gc` deletes what is there of one that was deleted, and the rest is yours to move away", err)}
	}
	return err
}

// quarantineAnswer is what --json says of one run.
type quarantineAnswer struct {
	records.Quarantined
	Index output.QuarantineIndex `json:"index"`
}

func (a *app) quarantineShow() *cobra.Command {
	var reason string
	command := &cobra.Command{
		Use:     "show RUN",
		Short:   "Show why a run's output was refused, and what is kept of it",
		Long:    "Show why a run's output was refused, and what is kept of it. The names are the script's.",
		Example: "  sudo runner quarantine show 1795219431042-9f86d081884c7d65 --reason 'asked by the analyst'",
		Args:    arguments(1, 1, "one run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := cause(cmd, reason)
			if err != nil {
				return err
			}
			id, err := runArgument(args[0])
			if err != nil {
				return err
			}
			if err := a.nothingKept("quarantine", "no quarantine"); err != nil {
				return err
			}
			kept, err := a.records()
			if err != nil {
				return err
			}
			one, index, err := kept.Quarantined(cmd.Context(), id)
			if err != nil {
				return ofQuarantine(err)
			}
			if err := kept.NoteQuarantineRead(cmd.Context(), one, by); err != nil {
				return err
			}
			if a.json {
				return a.printJSON(quarantineAnswer{one, index})
			}
			return a.showQuarantine(one, index)
		},
	}
	command.Flags().StringVar(&reason, "reason", "", "`text`: why you look, for the audit chain (required)")
	return command
}

func (a *app) showQuarantine(one records.Quarantined, index output.QuarantineIndex) error {
	fmt.Fprintf(a.stdout, "%s  %s, %s\n  kept in %s\n", one.RunID, counted(one.Files, "file"), policy.Size(one.Bytes), printable(one.Path))
	for _, violation := range index.Violations {
		fmt.Fprintf(a.stdout, "  %s  %s  %s\n", inLine(violation.Rule), inLine(orNone(violation.Path)), inLine(violation.Message))
	}
	for _, note := range index.Notes {
		fmt.Fprintf(a.stdout, "  not complete: %s\n", inLine(note))
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "KEPT AS\tKIND\tSIZE\tNAME\tNOTE")
	for _, entry := range index.Entries {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", orNone(entry.Blob), inLine(entry.Kind), policy.Size(entry.Bytes), inLine(entry.Path), inLine(entry.Note))
	}
	return table.Flush()
}

func (a *app) quarantineExport() *cobra.Command {
	var reason string
	command := &cobra.Command{
		Use:   "export RUN DIR",
		Short: "Copy a run's refused output to a directory",
		Long: `Copy a run's refused output to DIR, which must not exist or be empty: index.json says what
each numbered file was called and why it was refused. Nobody has checked what is in them.
DIR is for your eyes only (mode 0700).`,
		Example: "  sudo runner quarantine export 1795219431042-9f86d081884c7d65 ./refused --reason 'incident 42'",
		Args:    arguments(2, 2, "a run and a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := cause(cmd, reason)
			if err != nil {
				return err
			}
			id, err := runArgument(args[0])
			if err != nil {
				return err
			}
			to := output.Destination{Dir: args[1]}
			if err := to.Check(cmd.Context()); err != nil {
				return usageError{err}
			}
			kept, err := a.records()
			if err != nil {
				return err
			}
			if err := kept.ExportQuarantine(cmd.Context(), id, to, by); err != nil {
				return ofQuarantine(err)
			}
			return a.exportedQuarantine(id, args[1])
		},
	}
	command.Flags().StringVar(&reason, "reason", "", "`text`: why it leaves, for the audit chain (required)")
	return command
}

func (a *app) exportedQuarantine(id job.ID, dir string) error {
	full, err := filepath.Abs(dir)
	if err != nil {
		full = dir
	}
	if a.json {
		return a.printJSON(map[string]any{"run_id": id, "exported": full})
	}
	fmt.Fprintf(a.stdout, "exported the quarantine of run %s to %s: nobody has checked it\n", id, printable(full))
	return nil
}

func (a *app) quarantineRemove() *cobra.Command {
	var reason string
	command := &cobra.Command{
		Use:     "rm RUN...",
		Short:   "Delete the refused output of runs",
		Long:    "Delete the refused output of runs. Their records stay, and so do the events of it.",
		Example: "  sudo runner quarantine rm 1795219431042-9f86d081884c7d65 --reason 'looked at, not needed'",
		Args:    arguments(1, 1000, "at least one run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := cause(cmd, reason)
			if err != nil {
				return err
			}
			var ids []job.ID
			for _, text := range args {
				id, err := runArgument(text)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			return a.removeQuarantines(cmd.Context(), ids, by)
		},
	}
	command.Flags().StringVar(&reason, "reason", "", "`text`: why it is deleted, for the audit chain (required)")
	return command
}

// listQuarantine is empty where nothing was ever kept.
func (a *app) listQuarantine(ctx context.Context) ([]records.Quarantined, error) {
	if err := a.nothingKept("quarantine", "no quarantine"); isNothing(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	kept, err := a.records()
	if err != nil {
		return nil, err
	}
	return kept.Quarantines(ctx)
}

func (a *app) removeQuarantines(ctx context.Context, ids []job.ID, by records.Cause) error {
	if err := a.nothingKept("quarantine", "no quarantine"); err != nil {
		return err
	}
	kept, err := a.records()
	if err != nil {
		return err
	}
	gone, faults := []records.Quarantined{}, []error{}
	for _, id := range ids {
		one, err := kept.RemoveQuarantine(ctx, id, by)
		if err != nil {
			faults = append(faults, ofQuarantine(err))
			continue
		}
		gone = append(gone, one)
	}
	err = errors.Join(faults...)
	if a.json {
		answer := map[string]any{"removed": gone}
		if err != nil {
			answer["error"] = map[string]any{"message": err.Error(), "exit_code": exitOf(err)}
		}
		return errors.Join(a.printJSON(answer), err)
	}
	for _, one := range gone {
		fmt.Fprintf(a.stdout, "removed the quarantine of run %s: %s, %s\n", one.RunID, counted(one.Files, "file"), policy.Size(one.Bytes))
	}
	return err
}

func exitOf(err error) int {
	if _, usage := errors.AsType[usageError](err); usage {
		return job.ExitUsage
	}
	return job.ExitInternal
}
