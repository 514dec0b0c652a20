package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

const recordsHelp = `Find, show and check what is kept of runs: each has a record, with its code where the
policy keeps it, and the files that have left. A chain of events says in which order
runs, checks, refusals, calls of tools, copies and changes of the store came, and by
whom.

ls, show, find and verify change nothing, and make nothing where nothing is: they can
look at a copy of the state directory (--state), too.`

func (a *app) recordsCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "records",
		Short:   "Find, show and check records of runs",
		Long:    recordsHelp,
		Example: "  runner records ls",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(a.recordsList(), a.recordsShow(), a.recordsFind(), a.recordsVerify(), a.recordsAnchor(), a.recordsExport(), a.recordsRelease(),
		a.recordsHold(), a.recordsUnhold(), a.recordsRemove())
	return command
}

// lookAtRecords opens the records for reading.
func (a *app) lookAtRecords() (*records.View, error) {
	view, err := records.Look(a.state)
	if errors.Is(err, records.ErrNone) {
		return nil, usageError{fmt.Errorf("%w: name the state directory of the runs with --state or HOTCELL_STATE", err)}
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, usageError{fmt.Errorf("the records in %s are not yours to read: ask for a copy and name it with --state, or run as their owner", a.state)}
	}
	return view, err
}

// trustedRecords is lookAtRecords for who does something by what the chain says, and not only shows it.
func (a *app) trustedRecords() (*records.View, error) {
	view, err := a.lookAtRecords()
	if err == nil {
		view.TrustOwn(a.opener)
	}
	return view, err
}

// runOf is runID, or the run of a file that one run alone has released.
func runOf(ctx context.Context, view *records.View, text string) (job.ID, error) {
	if namesFile(text) {
		return runOfFile(ctx, view, text)
	}
	return runID(view, text)
}

// namesFile reports whether a text names a run by a file, and not by an id or the beginning of one.
func namesFile(text string) bool {
	if _, err := job.ParseID(text); err == nil {
		return false
	}
	info, err := os.Stat(text)
	return err == nil && info.Mode().IsRegular()
}

// runID reads the id of a run, or the beginning of one that no other run has.
func runID(view *records.View, text string) (job.ID, error) {
	if id, err := job.ParseID(text); err == nil {
		return id, nil
	}
	all, err := view.IDs()
	var matches []job.ID
	for _, id := range all {
		if len(text) >= minPrefix && strings.HasPrefix(id.String(), text) {
			matches = append(matches, id)
		}
	}
	switch {
	case len(matches) == 1:
		return matches[0], nil
	case len(matches) > 1:
		return job.ID{}, usageError{fmt.Errorf("%d runs begin with %q: give more of the id", len(matches), text)}
	case err != nil:
		return job.ID{}, err
	default:
		return job.ID{}, noRun(text)
	}
}

// runOfFile is the one run that has released a file.
func runOfFile(ctx context.Context, view *records.View, name string) (job.ID, error) {
	sum, err := sumOf(name)
	if err != nil {
		return job.ID{}, err
	}
	found, damaged := findSum(ctx, view, sum)
	ids := map[job.ID]bool{}
	for _, one := range found {
		ids[one.RunID] = true
	}
	switch {
	case len(ids) == 1:
		return found[0].RunID, nil
	case len(ids) > 1:
		return job.ID{}, usageError{fmt.Errorf("%d runs know the file %s: `runner records find` lists them", len(ids), onOneLine(name))}
	default:
		return job.ID{}, errors.Join(usageError{fmt.Errorf("no run here has released %s (sha256 %s), nor kept or run it as code", onOneLine(name), sum)}, damaged)
	}
}

// minPrefix is the least of an id that names a run.
const minPrefix = 6

func noRun(text string) error {
	return usageError{fmt.Errorf("there is no run %q here: `runner records ls` lists them, `runner records find FILE` tells the run of a file", onOneLine(text))}
}

// recordOf is a run's record, whose absence is the user's mistake.
func recordOf(ctx context.Context, view *records.View, id job.ID) (records.Record, error) {
	record, err := view.Get(ctx, id)
	return record, orNoRun(err, id)
}

// orNoRun words that a run has no record.
func orNoRun(err error, id job.ID) error {
	switch {
	case errors.Is(err, records.ErrDeleted), errors.Is(err, records.ErrInterrupted):
		return usageError{fmt.Errorf("%w: `runner records show %s` tells what the audit chain has of it", err, id)}
	case errors.Is(err, records.ErrNotFound):
		return noRun(id.String())
	default:
		return err
	}
}

// recorded finds the record of a run that a user names, by its id or by a file that has left.
func (a *app) recorded(ctx context.Context, name string) (*records.View, records.Record, error) {
	view, err := a.trustedRecords()
	if err != nil {
		return nil, records.Record{}, err
	}
	id, err := runOf(ctx, view, name)
	if err != nil {
		return nil, records.Record{}, err
	}
	record, err := recordOf(ctx, view, id)
	return view, record, err
}

// known are the bundles that this state has, or has had.
type known map[digest.Digest]knownBundle

type knownBundle struct{ name, study string }

// studyOf begins the reason of a bundle's event.
const studyOf = "study "

// knownBundles reads the names of bundles from the chain, and from the store.
func (a *app) knownBundles(ctx context.Context, events []records.Event) known {
	all := known{}
	for _, event := range events {
		if event.Kind == records.KindBundleAdded {
			study, _ := strings.CutPrefix(event.Reason, studyOf)
			all[event.Subject(records.RoleBundle).Digest()] = knownBundle{event.Name, study}
		}
	}
	dir := filepath.Join(a.state, "bundles")
	if _, err := os.Lstat(dir); err != nil {
		return all
	}
	store, err := bundle.OpenStore(dir)
	if err != nil {
		return all // of a copy that is somebody else's: then the chain says what it can
	}
	there, _ := store.List(ctx) // one that is damaged has a name in the chain
	for _, one := range there {
		all[one.Digest] = knownBundle{one.Reference(), one.Manifest.Study}
	}
	return all
}

// show names a bundle for people.
func (k known) show(sum digest.Digest) string {
	if sum == "" {
		return ""
	}
	if found, ok := k[sum]; ok {
		return found.name
	}
	return sum.Short()
}

// readEvents reads the whole chain. Beside an error are those before it.
func readEvents(ctx context.Context, view *records.View) (all []records.Event, err error) {
	for event, err := range view.Events(ctx) {
		if err != nil {
			return all, err
		}
		all = append(all, event)
	}
	return all, nil
}

// who names an actor for people.
func who(actor job.Actor) string {
	name := actor.User
	if name == "" && actor.UID != nil {
		name = fmt.Sprint("uid ", *actor.UID)
	}
	if actor.SudoUser != "" {
		name = fmt.Sprintf("%s (sudo: %s)", name, actor.SudoUser)
	}
	if actor.Principal != "" {
		name = strings.TrimSuffix(actor.Principal+" via "+name, " via ")
	}
	if name == "" {
		return "-"
	}
	return inLine(name)
}
