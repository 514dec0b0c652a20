package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/retention"
)

// inventory is all that is kept.
type inventory struct {
	ofRuns  []retention.Item
	bundles []bundle.Bundle
	images  []image.Image
	uses    map[digest.Digest]use             // from the chain
	naming  map[digest.Digest]map[string]bool // the runs that need it, by the chain and by their records
	current map[digest.Digest]bool            // images that have a name, by the chain
	busy    bool                              // a run is going on
	last    int64                             // event of the chain
	clock   retention.Clock

	damaged []error // what is not as it was recorded, and stays
	unknown bool    // of what is damaged it is not known what it needs
}

// use is when a run had something last, and under which policies runs had it.
type use struct {
	at       time.Time
	policies []string
}

// inventory lists what should be there by the chain and is, with the sizes that were recorded. What
// lies there besides, or lacks, is told and decides nothing.
func (a *app) inventory(ctx context.Context, view *records.View) (*inventory, error) {
	kept := &inventory{uses: map[digest.Digest]use{}, naming: map[digest.Digest]map[string]bool{}, current: map[digest.Digest]bool{}}
	there, strange := view.IDs() // before the chain: a run has its event before its name
	kept.stays(strange)
	kept.unknown = strange != nil // what has no run's name may be a run that somebody has renamed
	if err := kept.chain(ctx, view); err != nil {
		return nil, err
	}
	held, err := view.Held(ctx)
	if err != nil {
		return nil, err
	}
	runs, err := view.Standing(ctx)
	if err != nil {
		return nil, err
	}
	unknown := map[job.ID]bool{}
	for _, id := range there {
		unknown[id] = true
	}
	for _, run := range runs {
		lies := unknown[run.Event.RunID]
		delete(unknown, run.Event.RunID)
		if run.Deleted[records.PartRecord] && !lies {
			continue
		}
		if err := kept.standing(ctx, view, run, held); err != nil {
			return nil, err
		}
	}
	for _, id := range there {
		if unknown[id] {
			kept.unknown = true
			kept.stays(fmt.Errorf("run %s: no event of the chain names such a run: look what it is, and move it away", id))
		}
	}
	if kept.busy, err = view.Busy(); err != nil {
		return nil, err
	}
	return kept, a.stores(ctx, kept)
}

// chain takes from the events when what was had.
func (k *inventory) chain(ctx context.Context, view *records.View) error {
	for event, err := range view.Events(ctx) {
		if err != nil && !errors.Is(err, records.ErrTorn) {
			return fmt.Errorf("%w; nothing is deleted while the chain does not hold", err)
		}
		if err == nil {
			k.last = event.Seq
			k.clock.Note(event.Time)
		}
		switch event.Kind {
		case records.KindRun:
			k.used(event)
		case records.KindImageBuilt, records.KindImageRemoved:
			k.image(event)
		default:
		}
	}
	return nil
}

// image follows which images have a name: the first subject of an event is its image, and those
// behind it have lost their name to that.
func (k *inventory) image(event records.Event) {
	for n, subject := range event.Subjects {
		if subject.Role == records.RoleImage {
			k.current[subject.SHA256.Digest()] = n == 0 && event.Kind == records.KindImageBuilt && event.Name != ""
		}
	}
}

// standing takes one run that should be there.
func (k *inventory) standing(ctx context.Context, view *records.View, run records.Standing, held map[job.ID]records.Event) error {
	for _, subject := range run.Event.Subjects {
		k.names(subject.SHA256.Digest(), run.Event.RunID)
	}
	if run.Deleted[records.PartRecord] { // it is to go: FinishDeletions
		return nil
	}
	found, err := view.Measure(ctx, run)
	switch {
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case err != nil:
		k.unlike(run.Event, err)
	case found.Bytes != nil:
		k.run(found, held)
	}
	return nil
}

// stores lists bundles and images.
func (a *app) stores(ctx context.Context, kept *inventory) error {
	var err error
	kept.bundles, err = a.listBundles(ctx)
	kept.stays(err)
	if err := a.nothingKept("images", "no image"); isNothing(err) {
		return nil
	} else if err != nil {
		return err
	}
	images, err := a.images()
	if err != nil {
		return err
	}
	kept.images, err = images.List(ctx)
	kept.stays(err)
	return context.Cause(ctx)
}

// stays notes what cannot be read: it is no reason to keep the rest.
func (k *inventory) stays(err error) {
	if err != nil {
		k.damaged = append(k.damaged, fmt.Errorf("it stays: %w", err))
	}
}

// unlike tells of a run that is not what was recorded: it stays, and what it had by the chain.
func (k *inventory) unlike(event records.Event, err error) {
	way := fmt.Sprintf("`runner records rm %s --damaged` deletes it", event.RunID)
	if errors.Is(err, records.ErrLost) {
		way = fmt.Sprintf("put it back, or `runner records rm %s --damaged` says that it is lost: what it needs stays until then", event.RunID)
	} else if errors.Is(err, records.ErrUnlike) {
		way = fmt.Sprintf("`runner records rm %s` deletes it as it is", event.RunID)
	}
	k.stays(fmt.Errorf("%w; %s", err, way))
	k.unknown = k.unknown || event.Subject(records.RoleImage) == ""
}

// names notes that a run needs something.
func (k *inventory) names(sum digest.Digest, id job.ID) {
	if k.naming[sum] == nil {
		k.naming[sum] = map[string]bool{}
	}
	k.naming[sum][id.String()] = true
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
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// run lists the parts of one run.
func (k *inventory) run(found records.Measured, held map[job.ID]records.Event) {
	result := found.Record.Result
	id, was := result.RunID, result.Provenance
	for _, sum := range []digest.Digest{was.Bundle, was.Image} {
		k.names(sum, id)
	}
	code := policy.RetainCode
	if result.Status != job.Succeeded {
		code = policy.RetainFailedCode
	}
	needed := ""
	if why, is := held[id]; is {
		needed = "it is held: " + why.Reason
	}
	for _, part := range []struct{ name, of string }{
		{policy.RetainRecords, records.PartRecord}, {code, records.PartCode}, {policy.RetainQuarantine, records.PartQuarantine},
	} {
		if bytes, there := found.Bytes[part.of]; there {
			k.ofRuns = append(k.ofRuns, retention.Item{
				ID: id.String(), Part: part.name, Policies: []string{was.Policy}, At: was.StartedAt, Bytes: bytes, Needed: needed,
			})
		}
	}
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
		if one.Name != "" || k.current[one.Digest] {
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
	if k.unknown {
		item.Needed = "a record that cannot be read may name it"
	}
	if number := len(k.naming[sum]); number > 0 {
		item.Needed = "named by " + counted(number, "record")
	}
	return item
}
