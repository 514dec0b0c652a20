package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

// listFlags narrow a list of records or events.
type listFlags struct {
	since, until, policy, bundle, study, status, actor, kind string
}

const recordsListHelp = `List runs, the oldest first, or with --kind other events of the audit chain.

Filters are joined: each that is given must fit. --since and --until take a date, such
as 2026-11-27, a time, such as 2026-11-27T10:00:00Z, or how long ago, such as 36h or
7d; a date is one of this machine's, and --until takes all of it. --bundle takes a
name, NAME@VERSION or the beginning of a digest; --actor a user's name or number, also
of who called sudo.`

func (a *app) recordsList() *cobra.Command {
	var flags listFlags
	command := &cobra.Command{
		Use:   "ls",
		Short: "List runs, or events of the audit chain",
		Long:  recordsListHelp,
		Example: `  runner records ls --since 7d --policy study-analysis --status succeeded
  runner records ls --kind bundle_added
  runner records ls --kind all --actor anna --json`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			wanted, err := flags.filter(cmd, time.Now())
			if err != nil {
				return err
			}
			if flags.kind != "" {
				return a.listEvents(cmd.Context(), wanted)
			}
			return a.listRuns(cmd.Context(), wanted)
		},
	}
	set := command.Flags()
	set.StringVar(&flags.since, "since", "", "only from this `time` on")
	set.StringVar(&flags.until, "until", "", "only up to this `time`")
	set.StringVar(&flags.policy, "policy", "", "only runs under this policy, by `name`")
	set.StringVar(&flags.bundle, "bundle", "", "only runs on this bundle, by `name`, name@version or digest")
	set.StringVar(&flags.study, "study", "", "only runs on bundles of this `study`")
	set.StringVar(&flags.status, "status", "", "only runs with this `status`, such as succeeded")
	set.StringVar(&flags.actor, "actor", "", "only by this `user`")
	set.StringVar(&flags.kind, "kind", "", "events of this `kind` instead of runs, or all")
	complete(command, "policy", a.completePolicies)
	complete(command, "bundle", a.completeBundles)
	complete(command, "kind", fixed(append(kindNames(), "all")...))
	complete(command, "status", fixed(statusNames()...))
	return command
}

func kindNames() (names []string) {
	for _, kind := range records.Kinds() {
		names = append(names, string(kind))
	}
	return names
}

// statusInterrupted is shown of a run that has ended without a record, and so without a status.
const statusInterrupted = "interrupted"

func statusNames() (names []string) {
	for _, status := range job.Statuses() {
		names = append(names, string(status))
	}
	return append(names, statusInterrupted)
}

// filter is what a run or an event must be.
type filter struct {
	listFlags
	from, to time.Time // zero for any
}

func (f listFlags) filter(cmd *cobra.Command, now time.Time) (filter, error) {
	wanted := filter{listFlags: f}
	faults := &flagFaults{command: cmd}
	var err error
	if wanted.from, err = readTime(f.since, now, false); err != nil {
		faults.add(fmt.Errorf("--since %w", err))
	}
	if wanted.to, err = readTime(f.until, now, true); err != nil {
		faults.add(fmt.Errorf("--until %w", err))
	}
	if f.kind != "" && f.kind != "all" && !slices.Contains(kindNames(), f.kind) {
		faults.add(fmt.Errorf("--kind must be all or one of %s%s", strings.Join(kindNames(), ", "), meant(f.kind, "", kindNames())))
	}
	if f.status != "" && !slices.Contains(statusNames(), f.status) {
		faults.add(fmt.Errorf("--status must be one of %s%s", strings.Join(statusNames(), ", "), meant(f.status, "", statusNames())))
	}
	for _, name := range []string{"since", "until", "policy", "bundle", "study", "status", "actor", "kind"} {
		faults.refuse(name, cmd.Flags().Lookup(name).Value.String() == "", "given a value; leave the flag out for all")
	}
	return wanted, faults.usage()
}

// readTime reads a date, a time, or how long ago; the end of a day where it is an until.
func readTime(text string, now time.Time, end bool) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		if end {
			return day.AddDate(0, 0, 1).Add(-time.Nanosecond), nil
		}
		return day, nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if number, err := strconv.ParseUint(days, 10, 16); err == nil {
			return now.AddDate(0, 0, -int(number)), nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago > 0 {
		return now.Add(-ago), nil
	}
	return time.Time{}, errors.New("must be a date such as 2026-11-27, a time such as 2026-11-27T10:00:00Z, or how long ago, such as 36h or 7d")
}

// takes says whether an event fits, as far as events tell.
func (f filter) takes(event records.Event, bundles known) bool {
	found := bundles[event.Subject(records.RoleBundle).Digest()]
	return (f.from.IsZero() || !event.Time.Before(f.from)) &&
		(f.to.IsZero() || !event.Time.After(f.to)) &&
		(f.status == "" || string(event.Status) == f.status) &&
		(f.study == "" || found.study == f.study) &&
		f.takesActor(event.Actor)
}

func (f filter) takesActor(actor job.Actor) bool {
	number := ""
	if actor.UID != nil {
		number = strconv.FormatUint(uint64(*actor.UID), 10)
	}
	return f.actor == "" || slices.Contains([]string{actor.User, actor.SudoUser, actor.Principal, number}, f.actor)
}

// takesBundle compares with a name, a name and a version, or the beginning of a digest.
func (f filter) takesBundle(sum digest.Digest, bundles known) bool {
	if f.bundle == "" {
		return true
	}
	if prefix, is := digest.Prefix(f.bundle); is {
		return len(prefix) >= minPrefix && strings.HasPrefix(string(sum.Hex()), prefix)
	}
	name, _, _ := strings.Cut(bundles[sum].name, "@")
	return sum != "" && (f.bundle == bundles[sum].name || f.bundle == name)
}

// listedRun is one row.
type listedRun struct {
	RunID     job.ID        `json:"run_id"`
	StartedAt time.Time     `json:"started_at"`
	Status    string        `json:"status"` // a job.Status, or interrupted
	Policy    string        `json:"policy"`
	Bundle    digest.Digest `json:"bundle,omitempty"`
	Name      string        `json:"bundle_name,omitempty"`
	Study     string        `json:"study,omitempty"`
	Actor     job.Actor     `json:"actor"`
	Files     int           `json:"files"`
	Seq       int64         `json:"seq"`
	Deleted   bool          `json:"deleted,omitempty"` // by a rule: the chain has it still
}

func (a *app) listRuns(ctx context.Context, wanted filter) error {
	view, err := a.lookAtRecords()
	if err != nil {
		return err
	}
	events, chainErr := readEvents(ctx, view)
	bundles := a.knownBundles(ctx, events)
	deleted := map[job.ID]bool{}
	for _, event := range events {
		deleted[event.RunID] = deleted[event.RunID] || event.Kind == records.KindDeletion && event.Name == records.PartRecord
	}
	runs := []listedRun{}
	faults := []error{chainErr}
	for _, event := range events {
		if event.Kind != records.KindRun && event.Kind != records.KindInterrupted {
			continue
		}
		one, err := rowOf(ctx, view, event, deleted[event.RunID])
		if err != nil {
			faults = append(faults, err)
		}
		one.Name, one.Study = bundles[one.Bundle].name, bundles[one.Bundle].study
		event.Time, event.Status = one.StartedAt, job.Status(one.Status)
		event.Subjects = append(event.Subjects, records.Subject{Role: records.RoleBundle, SHA256: one.Bundle.Hex()}) // an old line has none
		if wanted.takes(event, bundles) && wanted.takesBundle(one.Bundle, bundles) && (wanted.policy == "" || one.Policy == wanted.policy) {
			runs = append(runs, one)
		}
	}
	return a.showRuns(runs, bundles, errors.Join(faults...))
}

// rowOf is what the record of an event says, or, without one, the event.
func rowOf(ctx context.Context, view *records.View, event records.Event, deleted bool) (listedRun, error) {
	one := listedRun{RunID: event.RunID, StartedAt: event.Time, Status: string(event.Status), Actor: event.Actor, Seq: event.Seq, Deleted: deleted}
	for _, subject := range event.Subjects {
		switch subject.Role {
		case records.RolePolicy:
			one.Policy = subject.Name
		case records.RoleBundle:
			one.Bundle = subject.SHA256.Digest()
		}
	}
	if event.Kind == records.KindInterrupted {
		one.Status, one.StartedAt = statusInterrupted, event.RunID.Time()
		return one, nil
	}
	if deleted {
		return one, nil
	}
	record, err := view.Get(ctx, event.RunID)
	if err != nil {
		return one, err
	}
	said := record.Result.Provenance
	one.StartedAt, one.Policy, one.Bundle, one.Files = said.StartedAt, said.Policy, said.Bundle, len(record.Result.Files)
	return one, nil
}

func (a *app) showRuns(runs []listedRun, bundles known, damaged error) error {
	if a.json {
		return a.listAsJSON(map[string]any{"runs": runs}, damaged)
	}
	if len(runs) == 0 {
		fmt.Fprintln(a.stderr, "no run fits")
		return damaged
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "STARTED\tRUN\tSTATUS\tPOLICY\tBUNDLE\tFILES\tBY")
	for _, one := range runs {
		files := strconv.Itoa(one.Files)
		if one.Deleted {
			files = "deleted"
		} else if one.Status == statusInterrupted {
			files = "-"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", one.StartedAt.Local().Format(time.DateTime), one.RunID, inLine(one.Status),
			inLine(one.Policy), inLine(orDash(bundles.show(one.Bundle))), files, who(one.Actor))
	}
	return errors.Join(table.Flush(), damaged)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// listAsJSON prints one document, with what cannot be read beside what can.
func (a *app) listAsJSON(answer map[string]any, damaged error) error {
	if damaged == nil {
		return a.printJSON(answer)
	}
	answer["error"] = map[string]any{"message": damaged.Error(), "exit_code": job.ExitInternal}
	if err := a.printJSON(answer); err != nil {
		return err
	}
	return exitError(job.ExitInternal)
}

func (a *app) listEvents(ctx context.Context, wanted filter) error {
	view, err := a.lookAtRecords()
	if err != nil {
		return err
	}
	events, chainErr := readEvents(ctx, view)
	bundles := a.knownBundles(ctx, events)
	chosen := []records.Event{}
	for _, event := range events {
		if (wanted.kind == "all" || string(event.Kind) == wanted.kind) && wanted.takes(event, bundles) &&
			wanted.takesBundle(event.Subject(records.RoleBundle).Digest(), bundles) && (wanted.policy == "" || policyOf(event) == wanted.policy) {
			chosen = append(chosen, event)
		}
	}
	if a.json {
		return a.listAsJSON(map[string]any{"events": chosen}, chainErr)
	}
	if len(chosen) == 0 {
		fmt.Fprintln(a.stderr, "no event fits")
		return chainErr
	}
	return errors.Join(a.showEvents(chosen), chainErr)
}

func policyOf(event records.Event) string {
	for _, subject := range event.Subjects {
		if subject.Role == records.RolePolicy {
			return subject.Name
		}
	}
	if event.Kind == records.KindRefused {
		return event.Name
	}
	return ""
}

func (a *app) showEvents(events []records.Event) error {
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SEQ\tTIME\tKIND\tBY\tRUN\tABOUT")
	for _, event := range events {
		run := "-"
		if event.RunID != (job.ID{}) {
			run = event.RunID.String()
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\n", event.Seq, event.Time.Local().Format(time.DateTime), event.Kind, who(event.Actor), run, about(event))
	}
	return table.Flush()
}

// about says of an event what its other columns do not.
func about(event records.Event) string {
	var parts []string
	for _, part := range []string{string(event.Status), event.Name, event.Reason} {
		if part != "" {
			parts = append(parts, inLine(part))
		}
	}
	switch {
	case event.OK == nil:
	case event.Kind == records.KindDeletion:
		parts = append(parts, "its record was damaged")
	case *event.OK:
		parts = append(parts, "ok")
	default:
		parts = append(parts, "not ok")
	}
	if event.Count > 0 {
		parts = append(parts, fmt.Sprintf("count %d", event.Count))
	}
	return orDash(strings.Join(parts, ", "))
}
