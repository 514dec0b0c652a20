package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

func (a *app) bundleRemove() *cobra.Command {
	var recorded bool
	command := &cobra.Command{
		Use:   "rm NAME@VERSION|DIGEST...",
		Short: "Remove bundles from the store",
		Long: `Remove bundles from the store. A name alone is not enough: it would mean another bundle
tomorrow. A bundle that a run or a session is using stays.

A bundle that records name stays, too: without it nobody can run them again. Give
--although-recorded to remove it all the same; the records stay, with its digest.`,
		Example: "  runner bundle rm visits@1.0",
		Args:    arguments(1, 1000, "at least one bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var removed []bundle.Bundle
			var faults []error
			for _, reference := range args {
				one, err := a.removeBundle(cmd.Context(), reference, recorded)
				if err != nil {
					faults = append(faults, err)
					continue
				}
				removed = append(removed, one)
			}
			return a.removed(removed, errors.Join(faults...))
		},
		ValidArgsFunction: a.completeBundles,
	}
	command.Flags().BoolVar(&recorded, "although-recorded", false, "remove a bundle that records name: their runs cannot be repeated")
	return command
}

func (a *app) removeBundle(ctx context.Context, reference string, recorded bool) (bundle.Bundle, error) {
	store, found, err := a.findBundle(ctx, reference)
	if err != nil {
		return bundle.Bundle{}, err
	}
	if reference == found.Manifest.Name {
		return bundle.Bundle{}, usageError{fmt.Errorf("name the version of %s that is to be removed: the newest is %s", reference, found)}
	}
	if err := a.refuseRecorded(ctx, found, recorded); err != nil {
		return bundle.Bundle{}, err
	}
	return found, a.discardBundle(ctx, store, found, "")
}

// discardBundle removes a bundle, with its event.
func (a *app) discardBundle(ctx context.Context, store *bundle.Store, found bundle.Bundle, why string) error {
	// Before it is gone: what is removed is in the chain, whatever comes between.
	event := bundleEvent(records.KindBundleRemoved, found)
	if why != "" {
		event.Reason = records.Brief(why)
	}
	if err := a.note(ctx, event); err != nil {
		return err
	}
	if err := store.Remove(ctx, found.Digest); err != nil {
		event.OK, event.Reason = new(false), "it stayed"
		return errors.Join(faultOf(err), a.note(ctx, event))
	}
	return nil
}

// refuseRecorded refuses a bundle that a held run had, and one that any record names, unless
// the user says so. A record that cannot be read may name it.
func (a *app) refuseRecorded(ctx context.Context, found bundle.Bundle, although bool) error {
	kept, err := a.records()
	if err != nil {
		return err
	}
	naming, err := runsOn(ctx, kept.View, found.Digest)
	if err != nil {
		return fmt.Errorf("find out which records name bundle %s: %w", found, err)
	}
	held, err := kept.Held(ctx)
	if err != nil {
		return err
	}
	number, last := 0, job.ID{}
	for _, id := range naming {
		if why, is := held[id]; is {
			return usageError{fmt.Errorf("bundle %s is named by run %s, which is held (%s): `runner records unhold` ends the hold", found, id, why.Reason)}
		}
		number, last = number+1, id
	}
	if number == 0 || although {
		return nil
	}
	return usageError{fmt.Errorf("bundle %s is named by %s, the last of which is %s: without it they cannot be run again; --although-recorded removes it all the same",
		found, counted(number, "record"), last)}
}

// runsOn are the runs whose records name a bundle. Where a record cannot be read, the event of
// its run tells; an old one, or one that the chain does not have, may name it.
func runsOn(ctx context.Context, view *records.View, sum digest.Digest) (naming []job.ID, err error) {
	said := map[job.ID]digest.Digest{}
	for event, err := range view.Events(ctx) {
		if err != nil && !errors.Is(err, records.ErrTorn) {
			return nil, err
		}
		if event.Kind == records.KindRun && event.Subject(records.RoleImage) != "" {
			said[event.RunID] = event.Subject(records.RoleBundle).Digest()
		}
	}
	ids, err := view.IDs()
	if ids == nil && err != nil {
		return nil, err
	}
	for _, id := range ids {
		record, err := view.Get(ctx, id)
		if context.Cause(ctx) != nil {
			return nil, context.Cause(ctx)
		}
		named, known := record.Result.Provenance.Bundle, err == nil
		if !known {
			named, known = said[id]
		}
		if !known || named == sum {
			naming = append(naming, id)
		}
	}
	return naming, nil
}

func (a *app) removed(gone []bundle.Bundle, err error) error {
	if a.json {
		answer := map[string]any{"removed": append([]bundle.Bundle{}, gone...)}
		if err != nil {
			answer["error"] = map[string]any{"message": err.Error(), "exit_code": job.ExitUsage}
		}
		return errors.Join(a.printJSON(answer), err)
	}
	for _, one := range gone {
		fmt.Fprintf(a.stdout, "removed %s\n", one)
	}
	return err
}
