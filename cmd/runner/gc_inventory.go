package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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
	naming  map[digest.Digest]map[string]bool // the runs whose records name it
	busy    bool                              // a run is going on
	last    int64                             // event of the chain
	clock   retention.Clock

	had     map[job.ID]records.Event // the runs of the chain
	damaged []error                  // what cannot be read, and stays
	unknown bool                     // of what is damaged it is not known what it needs
}

// use is when a run had something last, and under which policies runs had it.
type use struct {
	at       time.Time
	policies []string
}

func (a *app) inventory(ctx context.Context, view *records.View) (*inventory, error) {
	kept := &inventory{uses: map[digest.Digest]use{}, naming: map[digest.Digest]map[string]bool{}, had: map[job.ID]records.Event{}}
	for event, err := range view.Events(ctx) {
		if err != nil && !errors.Is(err, records.ErrTorn) {
			return nil, fmt.Errorf("%w; nothing is deleted while the chain does not hold", err)
		}
		if err == nil {
			kept.last = event.Seq
			kept.clock.Note(event.Time)
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
	kept.stays(err)
	kept.unknown = err != nil // what has no run's name may be a run that somebody has renamed
	for _, id := range ids {
		record, err := view.Get(ctx, id)
		if err == nil {
			err = kept.run(view, record, held)
		}
		if context.Cause(ctx) != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			kept.unreadable(id, err)
		}
	}
	if kept.busy, err = view.Busy(); err != nil {
		return nil, err
	}
	return kept, a.stores(ctx, kept)
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

// unreadable keeps a run, and what it had by the chain.
func (k *inventory) unreadable(id job.ID, err error) {
	event, known := k.had[id]
	way := fmt.Sprintf("`runner records rm %s --damaged` deletes it", id)
	if !known {
		way = "no event of the chain names such a run: look what it is, and move it away"
	}
	k.stays(fmt.Errorf("%w; %s", err, way))
	k.unknown = k.unknown || !known || event.Subject(records.RoleImage) == ""
	for _, subject := range event.Subjects {
		k.names(subject.SHA256.Digest(), id)
	}
}

// names notes that a run's record names something.
func (k *inventory) names(sum digest.Digest, id job.ID) {
	if k.naming[sum] == nil {
		k.naming[sum] = map[string]bool{}
	}
	k.naming[sum][id.String()] = true
}

// used notes what a run had.
func (k *inventory) used(event records.Event) {
	k.had[event.RunID] = event
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
func (k *inventory) run(view *records.View, record records.Record, held map[job.ID]records.Event) error {
	result := record.Result
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
	var items []retention.Item // none of a run that stays because a part cannot be read
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
			items = append(items, retention.Item{
				ID: id.String(), Part: part.name, Policies: []string{was.Policy}, At: was.StartedAt, Bytes: bytes, Needed: needed,
			})
		}
	}
	k.ofRuns = append(k.ofRuns, items...)
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
	if k.unknown {
		item.Needed = "a record that cannot be read may name it"
	}
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
