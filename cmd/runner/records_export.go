package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hotcell/internal/anchor"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
	"hotcell/internal/signing"
	"hotcell/internal/strictjson"
)

const recordsExportHelp = `Copy everything that is kept of a run to DIR, for whoever checks it elsewhere:
record.json, the saved code, the files, the signed statement, and beside them

  events.jsonl  the events of the audit chain that name the run, this export included
  checkpoint    the chain's checkpoint, signed where there is a key: see records anchor
  proof.json    for each event the proof (RFC 6962) that it is in the checkpoint's tree
  key.pub       the public key, where there is one: compare it with one that you trust

What is not as it was kept is not exported. Quarantine stays: see runner quarantine.
` + "`runner records verify DIR --key FILE`" + ` checks the copy, wherever it is.

With --format ro-crate it becomes FILE.zip, a Five Safes RO-Crate 0.4: a BagIt directory
with SHA-512 sums that has code, released files, record, statement, and the events that
name the run, but for exports. The same run gives the same bytes until another event names
it. The metadata say nothing that record and chain do not hold. FILE.zip must not exist,
and is for your eyes only (mode 0600).`

func (a *app) recordsExport() *cobra.Command {
	var format string
	command := &cobra.Command{
		Use:   "export RUN|FILE DIR|FILE.zip",
		Short: "Copy the record of a run, with proofs, to a directory or a crate",
		Long:  recordsExportHelp,
		Example: `  runner records export 1795774950956-5476a24406cdb4e2 ./evidence
  runner records export out/figure1.png run.zip --format ro-crate`,
		Args: arguments(2, 2, "one run, or a file that it has released, and where the copy goes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			faults := &flagFaults{command: cmd}
			faults.refuse("format", format != formatDirectory && format != formatCrate, formatDirectory+" or "+formatCrate)
			if err := faults.usage(); err != nil {
				return err
			}
			if err := a.outsideState(args[1]); err != nil {
				return err
			}
			if format == formatCrate || strings.HasSuffix(args[1], ".zip") && !cmd.Flags().Changed("format") {
				return a.exportCrate(cmd.Context(), args[0], args[1])
			}
			return a.exportRecord(cmd.Context(), args[0], args[1])
		},
		ValidArgsFunction: a.completeRuns,
	}
	command.Flags().StringVar(&format, "format", formatDirectory, "`form`: "+formatDirectory+", or "+formatCrate+" as for FILE.zip")
	return command
}

// formatDirectory is a copy as a directory.
const formatDirectory = "directory"

// The names of what an export has beside the record.
const (
	eventsName     = "events.jsonl"
	checkpointName = "checkpoint"
	proofName      = "proof.json"
	keyName        = "key.pub"
)

// proof is proof.json.
type proof struct {
	Size   int64        `json:"size"` // of the checkpoint
	Events []eventProof `json:"events"`
}

// eventProof is of one line of events.jsonl, in their order. Index is that of the leaf,
// which is the line without its newline; the hashes are in base64.
type eventProof struct {
	Seq       int64    `json:"seq"`
	Index     int64    `json:"index"`
	Inclusion []string `json:"inclusion"`
}

func (a *app) exportRecord(ctx context.Context, name, dir string) error {
	view, record, err := a.recorded(ctx, name)
	if err != nil {
		return err
	}
	id := record.Result.RunID
	if !vacant(dir) {
		return usageError{occupied(dir)}
	}
	if err := output.CheckDestination(ctx, dir); err != nil {
		return usageError{err}
	}
	key, path, err := a.signingKey()
	if err != nil {
		return err
	}
	if err := view.CheckRun(ctx, id); err != nil { // before the chain says that it went out
		return err
	}
	event := records.Event{Kind: records.KindExport, RunID: id, Name: records.Brief(dir), Reason: "the record", Count: int64(len(record.Result.Files))}
	if err := a.note(ctx, event); err != nil {
		return err
	}
	made := export{view: view, id: id}
	if path != "" {
		made.key = &key
	}
	if err := made.write(ctx, dir); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"run_id": id, "directory": dir, "events": len(made.lines), "signed": made.key != nil})
	}
	fmt.Fprintf(a.stdout, "%s has run %s: %s, %s\n", inLine(dir), id, counted(len(record.Result.Files), "file"), counted(len(made.lines), "event"))
	return nil
}

// export is one that is being made.
type export struct {
	view *records.View
	id   job.ID
	key  *signing.Key // or nil

	lines [][]byte // of the run
	proof proof
}

func (e *export) write(ctx context.Context, dir string) (err error) {
	target, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	delivery, err := durable.NewDelivery(target)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, delivery.Discard()) }()
	if err := e.view.Copy(ctx, e.id, delivery.Root()); err != nil {
		return err
	}
	if err := e.prove(ctx, delivery.Root()); err != nil {
		return err
	}
	return delivery.Publish(0o700)
}

// prove writes what shows that the run's events are in the chain.
func (e *export) prove(ctx context.Context, into *os.Root) error {
	tree := anchor.NewTree()
	first, err := e.view.Lines(ctx, func(event records.Event, line []byte) error {
		if event.RunID == e.id {
			e.lines = append(e.lines, slices.Clone(line))
			e.proof.Events = append(e.proof.Events, eventProof{Seq: event.Seq, Index: tree.Size()})
		}
		return tree.Add(line)
	})
	if err != nil {
		return err
	}
	checkpoint, err := anchor.Of(tree, first)
	if err != nil {
		return err
	}
	e.proof.Size = checkpoint.Size
	if err := e.include(tree); err != nil {
		return err
	}
	text := checkpoint.Text()
	if e.key != nil {
		if text, err = checkpoint.Sign(*e.key); err != nil {
			return err
		}
		public, err := e.key.Public().PEM()
		if err != nil {
			return err
		}
		if err := durable.WriteFile(into, keyName, public); err != nil {
			return err
		}
	}
	return e.files(into, text)
}

// include fills in the proofs, once the tree is whole.
func (e *export) include(tree *anchor.Tree) error {
	for n := range e.proof.Events {
		one := &e.proof.Events[n]
		hashes, err := tree.Inclusion(one.Index)
		if err != nil {
			return err
		}
		one.Inclusion = []string{}
		for _, hash := range hashes {
			one.Inclusion = append(one.Inclusion, base64.StdEncoding.EncodeToString(hash))
		}
	}
	return nil
}

func (e *export) files(into *os.Root, checkpoint []byte) error {
	proofs, err := strictjson.Form{Indent: "  "}.Encode(e.proof)
	if err != nil {
		return err
	}
	var lines []byte
	for _, line := range e.lines {
		lines = append(append(lines, line...), '\n')
	}
	for _, file := range []struct {
		name string
		data []byte
	}{{eventsName, lines}, {checkpointName, checkpoint}, {proofName, append(proofs, '\n')}} {
		if err := durable.WriteFile(into, file.name, file.data); err != nil {
			return err
		}
	}
	return nil
}
