package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/retention"
)

func (a *app) gcCommand() *cobra.Command {
	var flags gcFlags
	command := &cobra.Command{
		Use:   "gc",
		Short: "Delete what the policies no longer keep",
		Long: `Delete what the policies no longer keep (record.retention): runs, saved code, quarantine,
and bundles and images that no record names any more. What no policy speaks of stays, and
so does all that belongs to a run that is held (runner records hold).

Each deletion is an event of the audit chain, with the rule, before it happens: runner
records verify tells it from any other. One that was cut short behind its event is
finished first. What is damaged stays, and is told: the rest goes, and the exit code is
125 then.
--dry-run deletes nothing and lists what would go.

A clock that has leapt ahead makes all of it look old. Where the chain has no event for
more than seven days up to now, or up to a time less than seven days ago, or one of a time
to come, nothing is deleted until you look at the clock and say --clock-is-right.`,
		Example: "  runner gc --dry-run\n  runner gc --json",
		Args:    arguments(0, 0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.gc(cmd.Context(), flags) },
	}
	command.Flags().BoolVar(&flags.dry, "dry-run", false, "only list what would be deleted")
	command.Flags().BoolVar(&flags.clockIsRight, "clock-is-right", false, "the machine stood still, and its clock has not leapt")
	return command
}

type gcFlags struct{ dry, clockIsRight bool }

// swept is one deletion, and what became of it.
type swept struct {
	retention.Deletion
	Error string `json:"error,omitempty"`
}

func (a *app) gc(ctx context.Context, flags gcFlags) error {
	dry := flags.dry
	view, err := a.trustedRecords()
	if err != nil {
		return err
	}
	rules, err := a.retentions()
	if err != nil {
		return err
	}
	finished, err := a.finishDeletions(ctx, dry)
	if err != nil {
		return err
	}
	kept, err := a.inventory(ctx, view)
	if err != nil {
		return a.tellFinished(finished, err)
	}
	now := time.Now()
	plan := retention.Plan(kept.ofRuns, rules, now)
	doubt := kept.clock.Doubt(now)
	if err := a.doubted(doubt, slices.Concat(plan, retention.Plan(kept.shared(), rules, now)), flags); err != nil {
		return a.tellFinished(finished, err)
	}
	done, failed := a.carryOut(ctx, kept, plan, dry)
	if dry {
		kept.remain(plan)
	} else if kept, err = a.inventory(ctx, view); err != nil { // a run that has stayed keeps what it needs
		return errors.Join(a.tellDeleted(collection{done, finished, nil}, dry), failed, err)
	}
	more, alsoFailed := a.carryOut(ctx, kept, retention.Plan(kept.shared(), rules, now), dry)
	told := a.tellDeleted(collection{append(done, more...), finished, kept.damaged}, dry)
	return errors.Join(told, failed, alsoFailed, errors.Join(kept.damaged...), a.forgetImages(dry))
}

// collection is what one gc has done.
type collection struct {
	done     []swept
	finished []records.Event // deletions that were cut short before
	damaged  []error         // what stays, because it cannot be read
}

// tellFinished tells of the deletions that were done, where an error ends the rest.
func (a *app) tellFinished(finished []records.Event, err error) error {
	if len(finished) == 0 {
		return err
	}
	return errors.Join(a.tellDeleted(collection{nil, finished, nil}, false), err)
}

// finishDeletions deletes what an event says is deleted, and is there.
func (a *app) finishDeletions(ctx context.Context, dry bool) ([]records.Event, error) {
	if dry {
		return []records.Event{}, nil
	}
	kept, err := a.records()
	if err != nil {
		return nil, err
	}
	return kept.FinishDeletions(ctx)
}

// doubted refuses to delete by a clock that may have leapt.
func (a *app) doubted(doubt string, plan []retention.Deletion, flags gcFlags) error {
	switch {
	case doubt == "" || flags.clockIsRight || len(plan) == 0:
		return nil
	case flags.dry:
		_, err := fmt.Fprintf(a.stderr, "runner: %s: without --clock-is-right nothing of this is deleted\n", doubt)
		return err
	}
	return usageError{fmt.Errorf("%s: nothing is deleted; look at the clock, and give --clock-is-right if it is", doubt)}
}

// carryOut deletes what a plan says, or only lists it.
func (a *app) carryOut(ctx context.Context, kept *inventory, plan []retention.Deletion, dry bool) (done []swept, failed error) {
	for _, one := range plan {
		said := swept{Deletion: one}
		if !dry {
			if err := a.delete(ctx, kept, one); err != nil {
				said.Error = err.Error()
				failed = errors.Join(failed, err)
			}
		}
		done = append(done, said)
	}
	return done, failed
}

// retentions are the rules of all policies that there are here.
func (a *app) retentions() (map[string]*policy.Retention, error) {
	catalog := a.policies()
	names, err := catalog.Names()
	if err != nil {
		return nil, err
	}
	rules := map[string]*policy.Retention{}
	for _, name := range names {
		found, err := catalog.Get(name)
		if err != nil {
			return nil, fmt.Errorf("%w; nothing is deleted while a policy cannot be read", err)
		}
		rules[name] = found.Record.Retention
	}
	return rules, nil
}

// delete deletes one thing, with its event.
func (a *app) delete(ctx context.Context, kept *inventory, one retention.Deletion) error {
	cause := records.Cause{Actor: ownActor(), Reason: one.Rule}
	switch one.Part {
	case policy.RetainBundles:
		store, err := a.bundles()
		if err != nil {
			return err
		}
		found, err := store.Lookup(ctx, one.ID)
		if err != nil {
			return err
		}
		if err := a.refuseNew(ctx, kept, found.Digest); err != nil {
			return err
		}
		return a.discardBundle(ctx, store, found, one.Rule)
	case policy.RetainImages:
		if err := a.refuseBusy(ctx, kept, digest.Digest(one.ID)); err != nil {
			return err
		}
		return a.discardImage(ctx, digest.Digest(one.ID), one.Rule)
	}
	id, err := job.ParseID(one.ID)
	if err != nil {
		return err
	}
	store, err := a.records()
	if err != nil {
		return err
	}
	part := map[string]string{
		policy.RetainRecords: records.PartRecord, policy.RetainCode: records.PartCode, policy.RetainFailedCode: records.PartCode, policy.RetainQuarantine: records.PartQuarantine,
	}[one.Part]
	err = store.Compare(ctx, id) // what was altered may be evidence
	if errors.Is(err, records.ErrUnlike) {
		return fmt.Errorf("it stays: %w; `runner records rm %s` deletes it as it is", err, id)
	}
	if err == nil {
		err = store.Remove(ctx, id, part, cause)
	}
	if errors.Is(err, records.ErrNotFound) {
		return nil // its record went before it
	}
	return err
}

func (a *app) discardImage(ctx context.Context, sum digest.Digest, why string) error {
	images, err := a.images()
	if err != nil {
		return err
	}
	event := records.Event{
		Kind: records.KindImageRemoved, Reason: records.Brief(why), Subjects: []records.Subject{{Role: records.RoleImage, SHA256: sum.Hex()}},
	}
	if err := a.note(ctx, event); err != nil {
		return err
	}
	if err := images.Remove(ctx, sum); err != nil {
		event.OK, event.Reason = new(false), "it stayed"
		return errors.Join(err, a.note(ctx, event))
	}
	return nil
}

// refuseBusy is refuseNew for an image, which a run that goes on does not hold, as it does its
// bundle.
func (a *app) refuseBusy(ctx context.Context, kept *inventory, sum digest.Digest) error {
	store, err := a.records()
	if err != nil {
		return err
	}
	busy, err := store.Busy() // before the chain: a run that ends meanwhile has its event there
	if err != nil {
		return err
	}
	if busy {
		return fmt.Errorf("image %s stays: a run has begun", sum.Short())
	}
	return a.refuseNew(ctx, kept, sum)
}

// refuseNew refuses what a run has had since the inventory.
func (a *app) refuseNew(ctx context.Context, kept *inventory, sum digest.Digest) error {
	store, err := a.records()
	if err != nil {
		return err
	}
	for event, err := range store.Events(ctx) {
		if err != nil && !errors.Is(err, records.ErrTorn) {
			return err
		}
		if event.Kind != records.KindRun || event.Seq <= kept.last {
			continue
		}
		for _, subject := range event.Subjects {
			if subject.SHA256.Digest() == sum {
				return fmt.Errorf("%s stays: run %s has had it meanwhile", sum.Short(), event.RunID)
			}
		}
	}
	return nil
}

func (a *app) tellDeleted(what collection, dry bool) error {
	done := what.done
	deleted, bytes := 0, int64(0)
	for _, one := range done {
		if one.Error == "" {
			deleted, bytes = deleted+1, bytes+one.Bytes
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"dry_run": dry, "deleted": append([]swept{}, done...), "bytes": bytes,
			"finished": append([]records.Event{}, what.finished...), "damaged": messages(what.damaged)})
	}
	for _, one := range what.finished {
		fmt.Fprintf(a.stdout, "finished the deletion of the %s of run %s, which event %d says\n", one.Name, one.RunID, one.Seq)
	}
	if len(done) > 0 {
		table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "WHAT\tOF\tFROM\tSIZE\tRULE")
		for _, one := range done {
			if one.Error == "" {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", one.Part, orNameOf(one), one.At.Format(time.DateOnly), policy.Size(one.Bytes), one.Rule)
			}
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	verb := "deleted"
	if dry {
		verb = "would be deleted"
	}
	fmt.Fprintf(a.stdout, "%s %s, %s\n", counted(deleted, "thing"), verb, policy.Size(bytes))
	return nil
}

// messages are errors for a document.
func messages(all []error) []string {
	texts := []string{}
	for _, err := range all {
		texts = append(texts, err.Error())
	}
	return texts
}

func orNameOf(one swept) string {
	if one.Name != "" {
		return inLine(one.Name)
	}
	return one.ID
}
