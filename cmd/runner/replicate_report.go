package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"text/tabwriter"

	"hotcell/internal/beneath"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/records"
	"hotcell/internal/replication"
)

func (a *app) tellReplication(answer replicated) error {
	var ended error
	if answer.ExitCode != 0 {
		ended = exitError(answer.ExitCode)
	}
	if a.json {
		return errors.Join(a.printJSON(answer), ended)
	}
	found := answer.Comparison
	text := a.page()
	tellTables(text, found)
	fmt.Fprintf(text, "%s  %s of run %s, made again as %s\n", verdictOf(found), counted(found.Compared, "part"), answer.Replicates, answer.RunID)
	if err := tabulate(text, found); err != nil {
		return err
	}
	fmt.Fprintf(text, "  first    %s\n  second   %s\n", answer.First, answer.Second)
	if _, err := fmt.Fprint(a.stdout, printable(text.String())); err != nil {
		return err
	}
	return ended
}

// tellTables says first what no verdict on the answers says.
func tellTables(w io.Writer, found replication.Comparison) {
	if tables, differ := found.OtherTables(); differ {
		fmt.Fprintf(w, "✗ different data: the prepared tables of the two runs are not the same (sha256 %.12s and %.12s): `runner records verify` says which are the bundle's\n", tables.First, tables.Second)
	}
}

func verdictOf(found replication.Comparison) string {
	return map[replication.Agreement]string{
		replication.Identical: "✓ identical", replication.Within: "✓ within the tolerance", replication.Different: "✗ different",
	}[found.Agreement]
}

// tabulate lists the differences, and what may be their cause.
func tabulate(w io.Writer, found replication.Comparison) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(found.Differences) > 0 {
		fmt.Fprintln(table, "  PART\tDIFFERS IN\tLINE\tNUMBERS\tLARGEST\tCOUNTS")
	}
	for _, one := range found.Differences {
		line, numbers, largest, counts := "", "", "", "no"
		if one.Line > 0 {
			line = strconv.Itoa(one.Line)
		}
		if one.Kind == replication.KindNumbers {
			numbers, largest = strconv.Itoa(one.Numbers), fmt.Sprintf("%.2g", one.Largest)
		}
		if one.Counts {
			counts = "yes"
		}
		part := one.Part
		if one.Path != "" {
			part = inLine(one.Path)
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\t%s\n", part, one.Kind, line, numbers, largest, counts)
	}
	for _, one := range found.Circumstances {
		fmt.Fprintf(table, "  %s was %s, and is %s\n", one.Name, orNone(inLine(one.First)), orNone(inLine(one.Second)))
	}
	return table.Flush()
}

// releasedBy opens what a run has released, if it is what its record names.
func releasedBy(ctx context.Context, view *records.View, result job.Result) (replication.Run, func() error, error) {
	if len(result.Files) == 0 {
		return replication.Run{Result: result}, func() error { return nil }, nil
	}
	root, err := durable.OpenDir(filepath.Join(view.Path(result.RunID), "files"))
	if err != nil {
		return replication.Run{}, nil, err
	}
	run := replication.Run{Result: result, Files: beneath.Files(root)}
	if err := run.Check(ctx); err != nil {
		return replication.Run{}, nil, errors.Join(fmt.Errorf("run %s: %w: `runner records verify` tells what was changed", result.RunID, err), root.Close())
	}
	return run, root.Close, nil
}
