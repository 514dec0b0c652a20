package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
)

func (a *app) recordsShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show RUN|FILE",
		Short: "Show the record of a run, its code, its files and its events",
		Long: `Show what is kept of a run: what was run by whom under which policy, image and bundle,
what became of it, where code and files are, who let which of them out, and the events
of the audit chain that name it. Of a run that was deleted it tells by whom, when and
under which rule, and of one that was interrupted who had asked for what. RUN is the id
of a run, or the beginning of one; FILE is one that a single run has released. --json
has the whole record.`,
		Example: `  runner records show 1795774950956-5476a24406cdb4e2
  runner records show out/ages.csv`,
		Args: arguments(1, 1, "one run, or a file that it has released"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.showRecord(cmd.Context(), args[0]) },

		ValidArgsFunction: a.completeRuns,
	}
}

func (a *app) completeRuns(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	view, err := records.Look(a.state)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	ids, _ := view.IDs() // those that there are
	var names []string
	for _, id := range slices.Backward(ids) {
		names = append(names, id.String())
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

func (a *app) showRecord(ctx context.Context, name string) error {
	view, err := a.lookAtRecords()
	if err != nil {
		return err
	}
	id, err := runOf(ctx, view, name)
	if err != nil {
		return err
	}
	all, chainErr := readEvents(ctx, view)
	events := []records.Event{}
	for _, event := range all {
		if event.RunID == id {
			events = append(events, event)
		}
	}
	releases, damaged := letOut(ctx, view, func(one records.Release) bool { return one.RunID == id })
	if chainErr == nil { // else the releases end where the chain does
		chainErr = damaged
	}
	record, err := view.Get(ctx, id)
	if gone, is := deletionOf(events, records.PartRecord); is && err != nil {
		return a.showDeleted(gone, releases, events, chainErr)
	}
	if cut, is := interruptionOf(events); is && errors.Is(err, records.ErrNotFound) {
		return a.showInterrupted(cut, a.knownBundles(ctx, all), events, chainErr)
	}
	if err != nil {
		return orNoRun(err, id)
	}
	if a.json {
		return a.listAsJSON(map[string]any{"record": record, "directory": view.Path(id), "releases": releases, "events": events}, chainErr)
	}
	a.describeRecord(view, record, a.knownBundles(ctx, all), events)
	a.describeReleases(releases)
	if len(events) > 0 {
		fmt.Fprintln(a.stdout, "\nevents of the chain")
		_ = a.showEvents(events) // as the rest
	}
	return chainErr
}

func (a *app) describeRecord(view *records.View, record records.Record, bundles known, events []records.Event) {
	result := record.Result
	said := result.Provenance
	fmt.Fprintf(a.stdout, "run %s: %s\n", result.RunID, inLine(string(result.Status)))
	a.row("started", "%s, by %s", said.StartedAt.Local().Format(time.DateTime), who(actorOf(events)))
	a.row("policy", "%s  sha256 %s", said.Policy, said.PolicySHA256)
	a.row("image", "%s", said.Image)
	if said.Bundle != "" {
		a.row("bundle", "%s  %s", bundles.show(said.Bundle), said.Bundle)
		if study := bundles[said.Bundle].study; study != "" {
			a.row("study", "%s", study)
		}
	}
	a.row("runner", "%s, %s on Linux %s", said.Runner, said.Runtime, said.Kernel)
	a.row("script", "sha256 %s", said.CodeSHA256)
	if result.Error != nil {
		a.row("error", "%s: %s", result.Error.Type, result.Error.Message)
	}
	dir := view.Path(result.RunID)
	a.row("record", "%s", filepath.Join(dir, "record.json"))
	for _, part := range []struct {
		there       bool
		name, title string
		path        string
	}{
		{record.Code != "", records.PartCode, "code", filepath.Join(dir, record.Code)},
		{record.Quarantined, records.PartQuarantine, "refused", view.QuarantinePath(result.RunID)},
	} {
		if gone, is := deletionOf(events, part.name); is {
			a.row(part.title, "deleted %s", howDeleted(gone))
		} else if part.there {
			a.row(part.title, "%s", part.path)
		}
	}
	a.describeFiles(dir, result.Files)
}

// row prints what is said of a record under a name.
func (a *app) row(name, format string, values ...any) {
	fmt.Fprintf(a.stdout, "  %-9s%s\n", name, inLine(fmt.Sprintf(format, values...)))
}

// deletionOf is the event by which a part of a run was deleted last.
func deletionOf(events []records.Event, part string) (gone records.Event, is bool) {
	for _, event := range events {
		if event.Kind == records.KindDeletion && event.Name == part {
			gone, is = event, true
		}
	}
	return gone, is
}

// howDeleted says when, by whom and why, which is the rule where gc did it.
func howDeleted(gone records.Event) string {
	damaged := ""
	if gone.OK != nil && !*gone.OK {
		damaged = " (its record was damaged)"
	}
	return fmt.Sprintf("%s, by %s: %s%s", gone.Time.Local().Format(time.DateTime), who(gone.Actor), gone.Reason, damaged)
}

// showDeleted tells of a run whose record is deleted what the chain keeps.
func (a *app) showDeleted(gone records.Event, releases []records.Release, events []records.Event, chainErr error) error {
	if a.json {
		return a.listAsJSON(map[string]any{"deleted": gone, "releases": releases, "events": events}, chainErr)
	}
	fmt.Fprintf(a.stdout, "run %s: deleted %s\n", gone.RunID, inLine(howDeleted(gone)))
	a.describeReleases(releases)
	fmt.Fprintln(a.stdout, "\nevents of the chain")
	return errors.Join(a.showEvents(events), chainErr)
}

// interruptionOf is the event of a run that has ended without a record.
func interruptionOf(events []records.Event) (cut records.Event, is bool) {
	for _, event := range events {
		if event.Kind == records.KindInterrupted {
			return event, true
		}
	}
	return cut, false
}

// showInterrupted tells of a run that has no record what the chain knows.
func (a *app) showInterrupted(cut records.Event, bundles known, events []records.Event, chainErr error) error {
	if a.json {
		return a.listAsJSON(map[string]any{"interrupted": cut, "events": events}, chainErr)
	}
	fmt.Fprintf(a.stdout, "run %s: interrupted, %s\n", cut.RunID, inLine(cut.Reason))
	a.row("started", "%s, by %s", cut.RunID.Time().Local().Format(time.DateTime), who(cut.Actor))
	for _, one := range cut.Subjects {
		switch one.Role {
		case records.RolePolicy:
			a.row("policy", "%s  sha256 %s", one.Name, one.SHA256)
		case records.RoleImage:
			a.row("image", "%s", one.SHA256.Digest())
		case records.RoleBundle:
			a.row("bundle", "%s  %s", bundles.show(one.SHA256.Digest()), one.SHA256.Digest())
		case records.RoleScript:
			a.row("script", "sha256 %s", one.SHA256)
		}
	}
	fmt.Fprintln(a.stdout, "\nevents of the chain")
	return errors.Join(a.showEvents(events), chainErr)
}

func (a *app) describeFiles(dir string, files []job.File) {
	if len(files) == 0 {
		return
	}
	fmt.Fprintf(a.stdout, "\nfiles in %s\n", inLine(filepath.Join(dir, "files")))
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, file := range files {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", inLine(file.Path), policy.Size(file.Bytes), inLine(file.MediaType), inLine(string(file.SHA256)))
	}
	_ = table.Flush() // as the rest
}

// actorOf is who asked for a run.
func actorOf(events []records.Event) job.Actor {
	for _, event := range events {
		if event.Kind == records.KindRun {
			return event.Actor
		}
	}
	return job.Actor{}
}

func (a *app) recordsFind() *cobra.Command {
	return &cobra.Command{
		Use:   "find FILE|SHA256",
		Short: "Tell which run a file is of",
		Long: `Tell which runs have released a file with the same bytes, wherever it lies now and
whatever it is called, or kept it as their code, or ran it as their script, and who has
let it out (runner records release). The exit code is 0 where there is one, and 1 where
there is none.`,
		Example: `  runner records find out/figure1.png
  runner records find 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`,
		Args: arguments(1, 1, "one file, or the sha256 of one"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.findRecord(cmd.Context(), args[0]) },
	}
}

// match is a run that knows a file.
type match struct {
	RunID     job.ID     `json:"run_id"`
	StartedAt time.Time  `json:"started_at"`
	Status    job.Status `json:"status"`
	As        string     `json:"as"` // file, code or script
	Path      string     `json:"path,omitempty"`
}

func (a *app) findRecord(ctx context.Context, name string) error {
	view, err := a.lookAtRecords()
	if err != nil {
		return err
	}
	sum, err := sumOf(name)
	if err != nil {
		return err
	}
	found, damaged := findSum(ctx, view, sum)
	releases, unread := letOut(ctx, view, holding(sum))
	damaged = errors.Join(damaged, unread)
	if a.json {
		err = a.listAsJSON(map[string]any{"sha256": sum, "matches": found, "releases": releases}, damaged)
	} else {
		err = a.showMatches(name, sum, found, releases, damaged)
	}
	if err == nil && len(found) == 0 && len(releases) == 0 {
		return exitError(1)
	}
	return err
}

// sumOf is the hash of a file, or what was given in its place.
func sumOf(name string) (sum digest.Hex, err error) {
	file, err := durable.Open(name)
	if err != nil {
		if given, parsed := digest.FromHex(name); parsed == nil {
			return given.Hex(), nil
		}
		return "", usageError{fmt.Errorf("%w: give a file, or the 64 hexadecimal digits of its sha256", err)}
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	found, _, err := digest.From(file)
	return found.Hex(), err
}

// findSum looks for a file in every record. What cannot be read is an error beside the others.
func findSum(ctx context.Context, view *records.View, sum digest.Hex) (found []match, damaged error) {
	ids, damaged := view.IDs()
	found = []match{}
	for _, id := range ids {
		record, err := view.Get(ctx, id)
		if err != nil {
			damaged = errors.Join(damaged, err)
			continue
		}
		found = append(found, matches(record, sum)...)
	}
	return found, damaged
}

func matches(record records.Record, sum digest.Hex) (found []match) {
	result := record.Result
	add := func(as, path string) {
		found = append(found, match{result.RunID, result.Provenance.StartedAt, result.Status, as, path})
	}
	for _, file := range result.Files {
		if file.SHA256 == sum {
			add("file", file.Path)
		}
	}
	if record.Code != "" && record.CodeFileSHA256 == sum {
		add("code", record.Code)
	}
	if result.Provenance.CodeSHA256 == sum {
		add("script", "")
	}
	return found
}

func (a *app) showMatches(name string, sum digest.Hex, found []match, releases []records.Release, damaged error) error {
	for _, one := range found {
		fmt.Fprintf(a.stdout, "run %s, %s, %s: its %s %s\n", one.RunID, one.StartedAt.Local().Format(time.DateTime), inLine(string(one.Status)), one.As, inLine(one.Path))
	}
	for _, one := range releases {
		fmt.Fprintf(a.stdout, "released %s from run %s by %s to %s: %s\n", one.Time.Local().Format(time.DateTime), one.RunID, who(one.Actor), inLine(one.To), inLine(one.Reason))
	}
	if len(found) == 0 && len(releases) > 0 {
		return damaged
	}
	if len(found) == 0 {
		_, err := fmt.Fprintf(a.stderr, "runner: no run here has released %s (sha256 %s), nor kept or run it as code\n", inLine(name), sum)
		return errors.Join(err, damaged)
	}
	if len(found) == 1 {
		_, err := io.WriteString(a.stdout, "`runner records show "+found[0].RunID.String()+"` shows it\n")
		return errors.Join(err, damaged)
	}
	return damaged
}
