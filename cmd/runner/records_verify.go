package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"hotcell/internal/anchor"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
	"hotcell/internal/signing"
)

const recordsVerifyHelp = `Find what is not as it was, in the whole audit chain and in everything that is kept of
every run: an event, a record, the saved code, a file or the statement about a release
that was changed, removed, added or moved. Each is one line.

Who can write the state directory can also make another chain that holds in itself.
Every event, run and release must be signed from the event on that says that a key is in
use. Two things find another chain: --key checks all these signatures; --anchor compares
the chain with a checkpoint that was kept elsewhere (see records anchor), whose signature
is checked by --key, or by --anchor-key where it is another's. Where the key has changed,
give --key for each: all must be signed by the one that was in use, and one that was
replaced signs no more. Where --key is given and nothing is signed by it, nothing is
proven: the exit code is 1.

With DIR, which records export has made, that run is checked alone, by --key or --anchor
and without the state directory: its statement, record, code and files, and the proof that
its events are in the checkpoint. Whether these are all of the run's, a release say, only
the state directory shows. An anchor must be of the same moment as the checkpoint.

Exit codes: 0 all holds, 1 something does not, 2 usage, 125 it could not be read.`

// verifyFlags are what the chain is compared with.
type verifyFlags struct {
	keys              []string
	anchor, anchorKey string
}

func (a *app) recordsVerify() *cobra.Command {
	var flags verifyFlags
	command := &cobra.Command{
		Use:   "verify [DIR]",
		Short: "Find every record, event or file that was changed, removed or added",
		Long:  recordsVerifyHelp,
		Example: `  runner records verify
  runner --state /mnt/copy records verify --key signing.key.pub --anchor hotcell.anchor
  runner records verify ./evidence --key signing.key.pub`,
		Args: arguments(0, 1, "at most one directory, which records export has made"),
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted, err := flags.read(cmd)
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return a.verifyExport(cmd.Context(), args[0], wanted)
			}
			return a.verifyRecords(cmd.Context(), wanted)
		},
	}
	set := command.Flags()
	set.StringArrayVar(&flags.keys, "key", nil, "`file` of a public key that has signed (may be repeated)")
	set.StringVar(&flags.anchor, "anchor", "", "`file` with a checkpoint that was kept elsewhere")
	set.StringVar(&flags.anchorKey, "anchor-key", "", "`file` of the public key that has signed the checkpoint (default: --key)")
	return command
}

// evidence is what a store is compared with.
type evidence struct {
	keys       []signing.Public
	anchor     *anchor.Checkpoint
	comparison *anchor.Comparison
	checkpoint *anchor.Checkpoint // of an export that was checked
}

func (f verifyFlags) read(cmd *cobra.Command) (wanted evidence, err error) {
	faults := &flagFaults{command: cmd}
	faults.refuse("key", slices.Contains(f.keys, ""), "the name of a file; leave the flag out if there is none")
	for _, name := range []string{"anchor", "anchor-key"} {
		faults.refuse(name, cmd.Flags().Lookup(name).Value.String() == "", "the name of a file; leave the flag out if there is none")
	}
	for _, path := range f.keys {
		if path != "" {
			key, err := signing.LoadPublic(path)
			faults.add(err)
			wanted.keys = append(wanted.keys, key)
		}
	}
	anchored := wanted.keys
	if f.anchorKey != "" {
		key, err := signing.LoadPublic(f.anchorKey)
		faults.add(err)
		anchored = []signing.Public{key}
	}
	switch {
	case f.anchor != "" && len(f.keys) == 0 && f.anchorKey == "":
		faults.add(errors.New("--anchor needs the public key that has signed it: give --key, or --anchor-key"))
	case f.anchor == "" && f.anchorKey != "":
		faults.add(errors.New("--anchor-key is for --anchor: name the checkpoint"))
	}
	if err := faults.usage(); err != nil {
		return evidence{}, err
	}
	if f.anchor == "" {
		return wanted, nil
	}
	checkpoint, err := readAnchor(f.anchor, anchored...)
	if errors.Is(err, fs.ErrNotExist) {
		return evidence{}, usageError{err}
	}
	if err != nil {
		return evidence{}, usageError{fmt.Errorf("anchor %s: %w", onOneLine(f.anchor), err)}
	}
	wanted.anchor, wanted.comparison = &checkpoint, anchor.Compare(checkpoint)
	return wanted, nil
}

func (a *app) verifyRecords(ctx context.Context, wanted evidence) error {
	view, err := a.lookAtRecords()
	if err != nil {
		return err
	}
	progress := newProgress(a.stderr)
	defer progress.close()
	options := records.VerifyOptions{Progress: func(done, total int64) {
		progress.phase(runner.Phase(fmt.Sprintf("verifying run %d of %d", done+1, total)))
	}}
	for _, key := range wanted.keys {
		options.Keys = append(options.Keys, key)
	}
	var broken error
	if wanted.comparison != nil {
		options.Leaf = func(_ records.Event, line []byte) { broken = errors.Join(broken, wanted.comparison.Add(line)) }
	}
	found, err := view.Verify(ctx, options)
	progress.close()
	if err := errors.Join(err, broken); err != nil {
		return err
	}
	if wanted.comparison != nil {
		if fault, differs := anchorFault(wanted.comparison.Result(found.FirstHash), *wanted.anchor); differs {
			found.Faults = append(found.Faults, fault)
		}
	}
	return a.showVerification(found, wanted)
}

// anchorFault is what an anchor has found.
func anchorFault(found anchor.Difference, seen anchor.Checkpoint) (fault records.Fault, differ bool) {
	switch found {
	case anchor.Same:
		return fault, false
	case anchor.Shorter:
		fault.Problem = records.Truncated
	default:
		fault.Problem = records.Changed
	}
	fault.Message = differs(found, seen)
	return fault, true
}

// maxFaultsTold is how many faults a person is told: a copy that somebody has sent can have a million.
const maxFaultsTold = 1000

func (a *app) showVerification(found records.Verification, with evidence) error {
	if a.json {
		if err := a.printJSON(found); err != nil {
			return err
		}
	} else {
		for _, fault := range found.Faults[:min(maxFaultsTold, len(found.Faults))] {
			fmt.Fprintf(a.stdout, "✗ %s: %s\n", fault.Problem, inLine(fault.Message))
		}
		if more := len(found.Faults) - maxFaultsTold; more > 0 {
			fmt.Fprintf(a.stdout, "  and %d more: --json has them all\n", more)
		}
		mark, verdict := "✓", "all of it holds"
		if len(found.Faults) > 0 {
			mark, verdict = "✗", counted(len(found.Faults), "fault")
		}
		events, signed := counted(int(found.Events), "event"), ""
		if with.keys != nil {
			events, signed = fmt.Sprintf("%s (%d signed)", events, found.SignedEvents), fmt.Sprintf(" (%d signed)", found.Signed)
		}
		if found.Releases > 0 {
			signed += ", " + counted(int(found.Releases), "release")
		}
		fmt.Fprintf(a.stdout, "%s %s, %s%s, %s, %s: %s\n", mark, events, counted(int(found.Runs), "run"), signed,
			counted(int(found.Files), "file"), policy.Size(found.Bytes), verdict)
		if err := a.showBesides(found, with); err != nil {
			return err
		}
	}
	if len(found.Faults) > 0 {
		return exitError(1)
	}
	return nil
}

// showBesides tells what a verdict alone does not.
func (a *app) showBesides(found records.Verification, with evidence) error {
	if len(with.keys) > 1 {
		for _, key := range with.keys {
			sum, err := key.Digest()
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "  %s signed by %s\n", counted(int(found.SignedBy[sum.Hex()]), "run"), sum)
		}
	}
	if found.Unbound > 0 {
		fmt.Fprintf(a.stdout, "  no hash covers the quarantine of %s: their records are of an earlier version\n", counted(int(found.Unbound), "run"))
	}
	if with.anchor != nil && len(found.Faults) == 0 {
		fmt.Fprintf(a.stdout, "  the anchor has seen %d of the %s\n", with.anchor.Size, counted(int(found.Events), "event"))
	}
	if with.checkpoint != nil && len(found.Faults) == 0 {
		fmt.Fprintf(a.stdout, "  all of them are in the chain %s, which has %s\n", inLine(with.checkpoint.Origin), counted(int(with.checkpoint.Size), "event"))
		fmt.Fprintln(a.stdout, "  the state may have more events of this run: no copy shows what was left out of it")
	}
	return nil
}
