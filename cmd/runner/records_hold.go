package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

func (a *app) recordsHold() *cobra.Command {
	return a.changeOfRun("hold RUN --reason TEXT", "Keep a run from being deleted, until runner records unhold",
		`Keep a run, and what it needs, from being deleted: by runner gc and by runner records rm.
A second hold replaces the reason.`,
		"  runner records hold 1795219431042-9f86d081884c7d65 --reason 'audit 2026-14'",
		func(ctx context.Context, kept *records.Store, id job.ID, by records.Cause) (string, error) {
			return "held", kept.Hold(ctx, id, by)
		})
}

func (a *app) recordsUnhold() *cobra.Command {
	return a.changeOfRun("unhold RUN --reason TEXT", "End a hold", "End a hold. What the policies no longer keep, runner gc deletes then.",
		"  runner records unhold 1795219431042-9f86d081884c7d65 --reason 'audit 2026-14 is closed'",
		func(ctx context.Context, kept *records.Store, id job.ID, by records.Cause) (string, error) {
			return "no longer held", kept.Unhold(ctx, id, by)
		})
}

func (a *app) recordsRemove() *cobra.Command {
	part, damaged := records.PartRecord, false
	parts := []string{records.PartRecord, records.PartCode, records.PartQuarantine}
	command := a.changeOfRun("rm RUN --reason TEXT", "Delete the record of a run, or a part of it",
		`Delete the record of a run with all that belongs to it, or with --part code or quarantine
that part alone. The audit chain keeps who did it, when and why, and the record's hash. A
run that is held stays.

A record that is not the one that the chain names, or cannot be read, may be evidence: it
is deleted with --damaged only, and the event says so, with the hash of what was there. Of
a run that is lost the event alone is written.`,
		"  runner records rm 1795219431042-9f86d081884c7d65 --reason 'participant withdrew'",
		func(ctx context.Context, kept *records.Store, id job.ID, by records.Cause) (string, error) {
			if !slices.Contains(parts, part) {
				return "", usageError{fmt.Errorf("--part must be one of %s", strings.Join(parts, ", "))}
			}
			remove, said := kept.Remove, part+" deleted"
			if damaged {
				remove, said = kept.RemoveDamaged, part+" deleted, which was damaged"
			}
			return said, explainRemoval(remove(ctx, id, part, by), id, part, damaged)
		})
	command.Flags().BoolVar(&damaged, "damaged", false, "delete a record that is not the one that the chain names")
	command.Flags().StringVar(&part, "part", part, "`part` to delete: record (all of it), code or quarantine")
	complete(command, "part", fixed(parts...))
	return command
}

// explainRemoval tells the way out of what the user can change.
func explainRemoval(err error, id job.ID, part string, damaged bool) error {
	switch {
	case errors.Is(err, records.ErrSound):
		return usageError{fmt.Errorf("%w: leave --damaged out", err)}
	case errors.Is(err, records.ErrNotFound) && damaged && part == records.PartCode:
		return usageError{fmt.Errorf("the code of a damaged record has no name that can be trusted: only --part record or quarantine can be deleted of run %s", id)}
	case errors.Is(err, records.ErrNotFound) && part != records.PartRecord:
		return usageError{fmt.Errorf("run %s has no %s", id, part)}
	case errors.Is(err, records.ErrDamaged):
		return fmt.Errorf("%w; --damaged deletes it all the same", err)
	}
	return err
}

// changeOfRun is a command that does something with one run, for a reason.
func (a *app) changeOfRun(use, short, long, example string, do func(context.Context, *records.Store, job.ID, records.Cause) (string, error)) *cobra.Command {
	var reason string
	command := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example, Args: arguments(1, 1, "one run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := causeOf(reason)
			if err != nil {
				return err
			}
			return a.changeRun(cmd.Context(), args[0], by, do)
		},
	}
	command.Flags().StringVar(&reason, "reason", "", "`text` for the audit chain (required)")
	return command
}

func (a *app) changeRun(ctx context.Context, run string, by records.Cause, do func(context.Context, *records.Store, job.ID, records.Cause) (string, error)) error {
	view, err := a.trustedRecords()
	if err != nil {
		return err
	}
	id, err := runID(view, run)
	if err != nil {
		return err
	}
	kept, err := a.records()
	if err != nil {
		return err
	}
	said, err := do(ctx, kept, id, by)
	if errors.Is(err, records.ErrNotFound) {
		return noRun(run)
	}
	if errors.Is(err, records.ErrHeld) || errors.Is(err, records.ErrNotHeld) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"run_id": id, "done": said, "reason": by.Reason})
	}
	fmt.Fprintf(a.stdout, "run %s: %s\n", id, said)
	return nil
}
