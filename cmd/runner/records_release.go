package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
)

const recordsReleaseHelp = `Copy files that a run has released to DIR, because a person has looked at them and decides
that they may go further: all, or those named as the record has them. RUN may be a file
that has left (its run is found by its hash), as in the other commands: then that file
alone is released, unless others are named. DIR must not exist, or be empty, and gets its
name in one step.

The record is held to the audit chain first, and what was written to the record. Beside
the files comes release.dsse.json, an in-toto statement in a DSSE envelope: files, run,
chain, who released them and why, and the findings that were accepted. It is signed with
the key that signs runs; without a key it is release.json, unsigned. The chain has an
event with the hashes, and the state a copy of the statement.

Where the disclosure checks have found something in these files (review), it is refused
until you say by --accept-findings that you have looked, and accept it. Only you can know
that. What they found elsewhere in the run stays where it is.`

// releaseFlags are what a release is asked for by.
type releaseFlags struct {
	to, reason string
	accept     bool
}

func (a *app) recordsRelease() *cobra.Command {
	var flags releaseFlags
	command := &cobra.Command{
		Use:   "release RUN [FILE...] --to DIR --reason TEXT",
		Short: "Copy reviewed files of a run to where they may go further",
		Long:  recordsReleaseHelp,
		Example: `  runner records release 1795774950956-5476a24406cdb4e2 --to ./released --reason 'paper 12'
  runner records release 1795774950956-5476a24406cdb4e2 ages.csv plots/age.png \
      --to /mnt/out/paper12 --reason 'paper 12, table 2' --accept-findings`,
		Args: arguments(1, 1000, "one run, and files of it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.release(cmd.Context(), args[0], args[1:], flags)
		},
		ValidArgsFunction: a.completeRuns,
	}
	set := command.Flags()
	set.StringVar(&flags.to, "to", "", "`directory` for the files (required)")
	set.StringVar(&flags.reason, "reason", "", "`text`: why they may leave, for statement and audit chain (required)")
	set.BoolVar(&flags.accept, "accept-findings", false, "you have looked at what the disclosure checks found, and accept it")
	return command
}

func (a *app) release(ctx context.Context, run string, files []string, flags releaseFlags) error {
	if err := refuseInTool(); err != nil {
		return err
	}
	if flags.to == "" {
		return usageError{errors.New("--to is missing: name the directory that the files go to")}
	}
	if err := a.outsideState(flags.to); err != nil {
		return err
	}
	by, err := causeOf(flags.reason)
	if err != nil {
		return err
	}
	_, record, err := a.recorded(ctx, run)
	if err != nil {
		return err
	}
	to, err := releaseTo(ctx, flags.to)
	if err != nil {
		return usageError{err}
	}
	if len(files) == 0 {
		if files, err = sameFiles(run, record.Result.Files); err != nil {
			return err
		}
	}
	kept, err := a.records()
	if err != nil {
		return err
	}
	made, err := kept.Release(ctx, records.ReleaseOptions{RunID: record.Result.RunID, Files: files, To: to, By: by, AcceptFindings: flags.accept})
	switch {
	case errors.Is(err, records.ErrFindings):
		if !a.json {
			review := record.Result.Review.Within(namedFiles(record.Result.Files, files))
			reviewed(a.stderr, &review)
		}
		return usageError{fmt.Errorf("%w: look at them (`runner records show %s --json` has all), and say --accept-findings if the files may leave all the same", err, record.Result.RunID)}
	case errors.Is(err, records.ErrNoFile):
		return usageError{fmt.Errorf("%w: `runner records show %s` lists its files", err, record.Result.RunID)}
	case err != nil:
		return err
	}
	return a.showReleased(made, flags.to)
}

// sameFiles are the paths of a run's files that are the one by which the run was named, or none
// where its id was.
func sameFiles(run string, files []job.File) (paths []string, err error) {
	if !namesFile(run) {
		return nil, nil
	}
	sum, err := sumOf(run)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if file.SHA256 == sum {
			paths = append(paths, file.Path)
		}
	}
	if paths == nil {
		return nil, usageError{fmt.Errorf("%s is no file that the run has released: name the run, and its files as `runner records show` lists them", inLine(run))}
	}
	return paths, nil
}

// namedFiles are those of a run that are named, or all where none is.
func namedFiles(all []job.File, names []string) []job.File {
	return slices.DeleteFunc(slices.Clone(all), func(file job.File) bool { return len(names) > 0 && !slices.Contains(names, file.Path) })
}

// releaseTo is a directory that is not there yet, or is empty.
func releaseTo(ctx context.Context, dir string) (to output.Destination, err error) {
	if !vacant(dir) {
		return to, occupied(dir)
	}
	to.Dir = dir
	if err := to.Check(ctx); err != nil {
		return to, err
	}
	to.Owner, err = sudoOwner(os.Geteuid(), os.Getenv)
	return to, err
}

// showReleased tells what has left.
func (a *app) showReleased(made records.Release, to string) error {
	if a.json {
		return a.printJSON(map[string]any{"directory": to, "release": made})
	}
	fmt.Fprintf(a.stdout, "released %s of run %s to %s\n", counted(len(made.Files), "file"), made.RunID, inLine(to))
	if made.Accepted > 0 {
		fmt.Fprintf(a.stdout, "  accepted   %s of the disclosure checks\n", counted(made.Accepted, "finding"))
	}
	name := "release.dsse.json"
	if !made.Signed {
		name = "release.json, unsigned: `runner keygen` makes a key"
	}
	_, err := fmt.Fprintf(a.stdout, "  statement  %s\n", name)
	return err
}

// describeReleases tells what of a run was let out.
func (a *app) describeReleases(all []records.Release) {
	for _, one := range all {
		fmt.Fprintf(a.stdout, "\nreleased %s by %s to %s: %s\n", one.Time.Local().Format(time.DateTime), who(one.Actor), inLine(one.To), inLine(one.Reason))
		for _, file := range one.Files {
			fmt.Fprintf(a.stdout, "  %s\n", inLine(file.Name))
		}
	}
}

// letOut are the releases of a file, and what is wrong with those that cannot be read.
func letOut(ctx context.Context, view *records.View, is func(records.Release) bool) (found []records.Release, damaged error) {
	all, damaged := view.Releases(ctx)
	found = []records.Release{}
	for _, one := range all {
		if is(one) {
			found = append(found, one)
		}
	}
	return found, damaged
}

// holding tells the releases that have a file with this hash.
func holding(sum digest.Hex) func(records.Release) bool {
	return func(one records.Release) bool {
		for _, file := range one.Files {
			if file.Digest["sha256"] == sum {
				return true
			}
		}
		return one.SHA256 == sum
	}
}
