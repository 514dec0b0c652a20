package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/retention"
)

func (a *app) gcCommand() *cobra.Command {
	var dry bool
	command := &cobra.Command{
		Use:   "gc",
		Short: "Delete what the policies no longer keep",
		Long: `Delete what the policies no longer keep (record.retention): runs, saved code, quarantine,
and bundles and images that no record names any more. What no policy speaks of stays, and
so does all that belongs to a run that is held (runner records hold).

Each deletion is an event of the audit chain, with the rule, before it happens: runner
records verify tells it from any other. --dry-run deletes nothing and lists what would go.`,
		Example: "  runner gc --dry-run\n  runner gc --json",
		Args:    arguments(0, 0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.gc(cmd.Context(), dry) },
	}
	command.Flags().BoolVar(&dry, "dry-run", false, "only list what would be deleted")
	return command
}

// swept is one deletion, and what became of it.
type swept struct {
	retention.Deletion
	Error string `json:"error,omitempty"`
}

func (a *app) gc(ctx context.Context, dry bool) error {
	view, err := a.lookAtRecords()
	if err != nil {
		return err
	}
	rules, err := a.retentions()
	if err != nil {
		return err
	}
	kept, err := a.inventory(ctx, view)
	if err != nil {
		return err
	}
	plan := retention.Plan(kept.ofRuns, rules, time.Now())
	kept.remain(plan)
	plan = append(plan, retention.Plan(kept.shared(), rules, time.Now())...)
	done := make([]swept, 0, len(plan))
	var faults []error
	for _, one := range plan {
		said := swept{Deletion: one}
		if !dry {
			if err := a.delete(ctx, one); err != nil {
				said.Error = err.Error()
				faults = append(faults, err)
			}
		}
		done = append(done, said)
	}
	return errors.Join(a.tellDeleted(done, dry), errors.Join(faults...))
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
func (a *app) delete(ctx context.Context, one retention.Deletion) error {
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
		return a.discardBundle(ctx, store, found, one.Rule)
	case policy.RetainImages:
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
	err = store.Remove(ctx, id, part, cause)
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
	return images.Remove(ctx, sum)
}

func (a *app) tellDeleted(done []swept, dry bool) error {
	var bytes int64
	for _, one := range done {
		if one.Error == "" {
			bytes += one.Bytes
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"dry_run": dry, "deleted": done, "bytes": bytes})
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
	fmt.Fprintf(a.stdout, "%s %s, %s\n", counted(len(done), "thing"), verb, policy.Size(bytes))
	return nil
}

func orNameOf(one swept) string {
	if one.Name != "" {
		return inLine(one.Name)
	}
	return one.ID
}

// inventory is all that is kept.
type inventory struct {
	ofRuns  []retention.Item
	bundles []bundle.Bundle
	images  []image.Image
	uses    map[digest.Digest]use             // from the chain
	naming  map[digest.Digest]map[string]bool // the runs whose records name it
	busy    bool                              // a run is going on
}

// use is when a run had something last, and under which policies runs had it.
type use struct {
	at       time.Time
	policies []string
}

func (a *app) inventory(ctx context.Context, view *records.View) (*inventory, error) {
	kept := &inventory{uses: map[digest.Digest]use{}, naming: map[digest.Digest]map[string]bool{}}
	for event, err := range view.Events(ctx) {
		if err != nil && !errors.Is(err, records.ErrTorn) {
			return nil, fmt.Errorf("%w; nothing is deleted while the chain does not hold", err)
		}
		if event.Kind == records.KindRun {
			kept.used(event)
		}
	}
	held, err := view.Held(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := view.IDs()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		record, err := view.Get(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("%w; nothing is deleted while a record cannot be read", err)
		}
		if err := kept.run(view, record, held); err != nil {
			return nil, err
		}
	}
	if kept.busy, err = view.Busy(); err != nil {
		return nil, err
	}
	return kept, a.stores(ctx, kept)
}

// stores lists bundles and images.
func (a *app) stores(ctx context.Context, kept *inventory) error {
	store, err := a.bundles()
	if err != nil {
		return err
	}
	if kept.bundles, err = store.List(ctx); err != nil {
		return err
	}
	images, err := a.images()
	if err != nil {
		return err
	}
	kept.images, err = images.List(ctx)
	return err
}

// used notes what a run had.
func (k *inventory) used(event records.Event) {
	name := ""
	for _, subject := range event.Subjects {
		if subject.Role == records.RolePolicy {
			name = subject.Name
		}
	}
	for _, subject := range event.Subjects {
		if subject.Role != records.RoleBundle && subject.Role != records.RoleImage {
			continue
		}
		known := k.uses[subject.SHA256.Digest()]
		if event.Time.After(known.at) {
			known.at = event.Time
		}
		known.policies = withName(known.policies, name)
		k.uses[subject.SHA256.Digest()] = known
	}
}

func withName(names []string, name string) []string {
	for _, one := range names {
		if one == name {
			return names
		}
	}
	return append(names, name)
}

// run lists the parts of one run.
func (k *inventory) run(view *records.View, record records.Record, held map[job.ID]records.Event) error {
	result := record.Result
	id, was := result.RunID, result.Provenance
	for _, sum := range []digest.Digest{was.Bundle, was.Image} {
		if k.naming[sum] == nil {
			k.naming[sum] = map[string]bool{}
		}
		k.naming[sum][id.String()] = true
	}
	code := policy.RetainCode
	if result.Status != job.Succeeded {
		code = policy.RetainFailedCode
	}
	needed := ""
	if why, is := held[id]; is {
		needed = "it is held: " + why.Reason
	}
	for _, part := range []struct{ name, path string }{
		{policy.RetainRecords, view.Path(id)}, {code, filepath.Join(view.Path(id), record.Code)}, {policy.RetainQuarantine, view.QuarantinePath(id)},
	} {
		if part.name == code && record.Code == "" {
			continue
		}
		bytes, there, err := bytesOf(part.path)
		if err != nil {
			return err
		}
		if there {
			k.ofRuns = append(k.ofRuns, retention.Item{
				ID: id.String(), Part: part.name, Policies: []string{was.Policy}, At: was.StartedAt, Bytes: bytes, Needed: needed,
			})
		}
	}
	return nil
}

// remain forgets what the records that are to go have named.
func (k *inventory) remain(plan []retention.Deletion) {
	for _, one := range plan {
		if one.Part == policy.RetainRecords {
			for _, runs := range k.naming {
				delete(runs, one.ID)
			}
		}
	}
}

// shared are the bundles and images that runs had.
func (k *inventory) shared() []retention.Item {
	var items []retention.Item
	for _, one := range k.bundles {
		items = append(items, k.item(policy.RetainBundles, one.Digest, one.Reference(), one.Bytes))
	}
	for _, one := range k.images {
		item := k.item(policy.RetainImages, one.Digest, "", one.Bytes)
		if one.Name != "" {
			item.Needed = "it is the current one of its name"
		} else if k.busy {
			item.Needed = "a run is going on"
		}
		items = append(items, item)
	}
	return items
}

func (k *inventory) item(part string, sum digest.Digest, name string, bytes int64) retention.Item {
	was := k.uses[sum]
	item := retention.Item{ID: sum.String(), Part: part, Name: name, Policies: was.policies, At: was.at, Bytes: bytes}
	if number := len(k.naming[sum]); number > 0 {
		item.Needed = "named by " + counted(number, "record")
	}
	return item
}

// bytesOf sums up the sizes of the files in a place of our own, or of the one that it is.
func bytesOf(place string) (bytes int64, there bool, err error) {
	err = filepath.WalkDir(place, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		there = true
		if !entry.Type().IsRegular() {
			return nil
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return bytes, there, err
}
