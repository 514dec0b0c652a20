package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
	"hotcell/internal/policy"
)

func (a *app) bundleShow() *cobra.Command {
	var server serverFlags
	command := &cobra.Command{
		Use:   "show NAME[@VERSION]|DIGEST",
		Short: "Show a stored bundle: who attested it, its files and tables",
		Long: `Show a stored bundle: who attested it, its files and tables. With --server, or
HOTCELL_SERVER, it is one of a service's, which tells tables and columns.`,
		Example: "  runner bundle show public-health",
		Args:    arguments(1, 1, "one bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := server.refuseState(cmd); err != nil {
				return err
			}
			if server.isRemote() {
				return a.remoteBundle(cmd.Context(), server, args[0])
			}
			store, found, err := a.findBundle(cmd.Context(), args[0])
			if err == nil {
				found.SignedBy, err = store.SignedBy(cmd.Context(), found)
				err = faultOf(err)
			}
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(found)
			}
			return a.showWhole(found)
		},
		ValidArgsFunction: a.completeBundles,
	}
	addServer(command, &server)
	return command
}

// findBundle looks a bundle up that a user names.
func (a *app) findBundle(ctx context.Context, reference string) (*bundle.Store, bundle.Bundle, error) {
	if err := a.nothingKept("bundles", "no bundle"); err != nil {
		return nil, bundle.Bundle{}, err
	}
	store, err := a.bundles()
	if err != nil {
		return nil, bundle.Bundle{}, err
	}
	found, err := store.Lookup(ctx, reference)
	return store, found, faultOf(err)
}

func (a *app) showWhole(shown bundle.Bundle) error {
	manifest := shown.Manifest
	attested := manifest.Deidentification
	fmt.Fprintf(a.stdout, "%s  %s\n", shown.Reference(), shown.Digest)
	for _, line := range [][2]string{
		{"study", manifest.Study}, {"method", string(attested.Method)}, {"attested", attested.AttestedBy + ", " + attested.AttestedOn},
		{"statement", attested.Statement}, {"until", attested.ValidUntil}, {"tool", attested.Tool}, {"protocol", attested.Protocol}, {"added", shown.AddedAt.Format("2006-01-02 15:04:05 MST")}, {"size", policy.Size(shown.Bytes).String()}, {"path", shown.Path},
	} {
		if line[1] != "" {
			fmt.Fprintf(a.stdout, "  %-9s  %s\n", line[0], inLine(line[1]))
		}
	}
	a.showSigners(shown.SignedBy, 9)
	showEncodings(a.stdout, manifest)
	fmt.Fprintln(a.stdout)
	return errors.Join(showFiles(a.stdout, manifest), showTypes(a.stdout, manifest))
}

// showTypes is what a run finds each table's columns as.
func showTypes(w io.Writer, manifest bundle.Manifest) error {
	for _, file := range manifest.Files {
		if file.Schema == nil {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", file.Table)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "  COLUMN\tPANDAS\tMISSING\tTYPE")
		for _, field := range file.Schema.Fields {
			var missing []string
			for _, text := range file.Schema.Missing(field) {
				missing = append(missing, visible(text))
			}
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", visible(field.Name), field.Pandas, strings.Join(missing, ", "), typeOf(field))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func showFiles(w io.Writer, manifest bundle.Manifest) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FILE\tTABLE\tSIZE\tSHA256")
	for _, file := range manifest.Files {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", inLine(file.Path), orNone(file.Table), policy.Size(file.Bytes), file.SHA256)
	}
	return table.Flush()
}

func (a *app) bundleDiff() *cobra.Command {
	return &cobra.Command{
		Use:   "diff FIRST SECOND",
		Short: "Tell what one stored bundle has otherwise than another",
		Long: `Tell what the second bundle has otherwise than the first: what is attested, and its files
and tables, with the columns that are of another type. A file of one sha256 is the same in
every byte. The exit code is 0 in any case.`,
		Example: "  runner bundle diff visits@1.0 visits@1.1",
		Args:    arguments(2, 2, "two bundles"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, first, err := a.findBundle(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			_, second, err := a.findBundle(cmd.Context(), args[1])
			if err != nil {
				return err
			}
			return a.tellDifference(first, second)
		},
		ValidArgsFunction: a.completeTwoBundles,
	}
}

func (a *app) tellDifference(first, second bundle.Bundle) error {
	found := bundle.Compare(first.Manifest, second.Manifest)
	if a.json {
		return a.printJSON(map[string]any{"first": first.Digest, "second": second.Digest, "same": first.Digest == second.Digest, "difference": found})
	}
	if found.Same() {
		fmt.Fprintf(a.stdout, "%s and %s say the same of the same files\n", first, second)
		return nil
	}
	for _, field := range found.Fields {
		fmt.Fprintf(a.stdout, "  %s: %s → %s\n", field.Field, inLine(field.First), inLine(field.Second))
	}
	for _, path := range found.Removed {
		fmt.Fprintf(a.stdout, "- %s\n", inLine(path))
	}
	for _, path := range found.Added {
		fmt.Fprintf(a.stdout, "+ %s\n", inLine(path))
	}
	for _, file := range found.Changed {
		tellFile(a.stdout, file)
	}
	return nil
}
