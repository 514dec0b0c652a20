package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
	"hotcell/internal/durable"
	"hotcell/internal/identifiers"
	"hotcell/internal/scan"
)

func (a *app) bundleScan() *cobra.Command {
	var examples bool
	command := &cobra.Command{
		Use:   "scan DIR|NAME[@VERSION]|DIGEST",
		Short: "Look for identifiers of persons in a directory or a stored bundle",
		Long: `Look for the eighteen classes of identifiers of the Safe Harbor method (45 CFR
164.514(b)(2)) in the tables, texts and file names of a directory or a stored bundle,
column by column. A directory that has a bundle's name is written with a slash: ./visits.

Nothing that was found is shown, but for its shape (###-##-####), unless --show-examples.
What has no form of its own is not found, and some of what is found is harmless:
docs/scan.md has the figures. A scan is no attestation, and "bundle create" makes none by
itself.

The exit code is 0 when everything was looked into and nothing was found, 1 when something
was found or a file could not be looked into, 2 when there is no file. Without a table
there is no ✓.`,
		Example: "  runner bundle scan ./export",
		Args:    arguments(1, 1, "one directory or bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.scan(cmd.Context(), args[0], examples)
		},
		ValidArgsFunction: a.completeScanned,
	}
	command.Flags().BoolVar(&examples, "show-examples", false, "show the first value of each finding: part of the data")
	return command
}

// completeScanned offers bundles, and the shell's own directories.
func (a *app) completeScanned(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	all, directive := a.completeBundles(cmd, args, typed)
	if len(all) == 0 && len(args) == 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return all, directive
}

func (a *app) scan(ctx context.Context, given string, examples bool) (err error) {
	dir, named, options, err := a.scanned(ctx, given)
	if err != nil {
		return err
	}
	root, err := durable.OpenDir(dir)
	if err != nil {
		return usageError{fmt.Errorf("scan %s: %w", printable(given), err)}
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	options.Root, options.Skip = root, []string{bundle.ManifestName}
	var outside bundle.Outside
	if options.Only == nil {
		if outside, err = bundle.OutsideOf(ctx, root); err != nil {
			return err
		}
		options.Pass = outside.Pass
	}
	var done func()
	options.Progress, done = progressOf(a.stderr, "scanning")
	report, err := scan.Files(ctx, options)
	done()
	if err != nil {
		return err
	}
	if report.Files+len(report.Unread)+len(report.Findings) == 0 {
		return usageError{fmt.Errorf("%s has no file to look into: name the directory that the data is in", printable(named))}
	}
	if !examples {
		for at := range report.Findings {
			report.Findings[at].Example = ""
		}
	}
	return a.showScan(named, report, append(outside.Sources, outside.Ignored...), examples)
}

// scanned is the directory that a user names, or a bundle's in the store with the files that are
// the bundle's: the store has others of its own beside them, made of these.
func (a *app) scanned(ctx context.Context, given string) (dir, named string, options scan.Options, err error) {
	isPath := strings.ContainsRune(given, filepath.Separator) || given == "." || given == ".."
	info, statErr := os.Stat(given)
	isDir := statErr == nil && info.IsDir()
	if isPath {
		return given, given, options, nil
	}
	_, found, err := a.findBundle(ctx, given)
	switch {
	case err == nil && isDir:
		return "", "", options, usageError{fmt.Errorf("%s is a bundle in the store and a directory here: write %s, or .%c%s", given, found.Reference(), filepath.Separator, given)}
	case err == nil:
		options.Delimiters = map[string]rune{}
		for _, file := range found.Manifest.Files {
			options.Only = append(options.Only, file.Path)
			if comma, divided := file.TableFormat().Comma(); divided {
				options.Delimiters[file.Path] = rune(comma)
			}
		}
		return found.Path, found.Reference(), options, nil
	case isDir:
		return given, given, options, nil
	case statErr == nil:
		return "", "", options, usageError{fmt.Errorf("%s is a file: name the directory that it is in", printable(given))}
	}
	if fault, ok := errors.AsType[usageError](err); ok {
		err = usageError{fmt.Errorf("there is no directory %s, and %w", printable(given), fault.error)}
	}
	return "", "", options, err
}

// showScan has what was passed over, too: whoever wrote bundle.json decided that.
func (a *app) showScan(named string, report scan.Report, passed []string, examples bool) error {
	var err error
	if a.json {
		err = a.printJSON(struct {
			Scanned string `json:"scanned"`
			Clean   bool   `json:"clean"`
			// PassedOver are files, and patterns, that bundle.json says are not of the bundle.
			PassedOver []string `json:"passed_over"`
			scan.Report
		}{named, report.Clean(), append([]string{}, passed...), report})
	} else {
		err = showReport(a.stdout, named, report, passed, examples)
	}
	if err == nil && !report.Clean() {
		return exitError(1)
	}
	return err
}

func showReport(w io.Writer, named string, report scan.Report, passed []string, examples bool) error {
	mark := "✗"
	switch {
	case report.Clean() && report.Tables > 0:
		mark = "✓"
	case report.Clean():
		mark = "–"
	}
	fmt.Fprintf(w, "%s %s: %s in %s", mark, printable(named), counted(len(report.Findings), "finding"), counted(report.Files, "file"))
	if len(report.Unread) > 0 {
		fmt.Fprintf(w, ", %s not looked into", counted(len(report.Unread), "file"))
	}
	fmt.Fprintln(w)
	for _, each := range report.Unread {
		fmt.Fprintf(w, "  %s %s\n", inLine(each.Path), each.Reason)
	}
	for _, each := range passed {
		fmt.Fprintf(w, "  %s is not of the bundle, by its bundle.json: passed over\n", inLine(each))
	}
	if err := showFindings(w, report.Findings, examples); err != nil {
		return err
	}
	if report.Cut {
		fmt.Fprintln(w, "there is more than is listed here")
	}
	if report.Clean() && report.Tables == 0 {
		fmt.Fprintln(w, "there is no table in it: is it the directory that the data is in?")
	}
	if report.Clean() {
		fmt.Fprintln(w, "that is no proof that there is nothing: see docs/scan.md")
	}
	return nil
}

func showFindings(w io.Writer, findings []scan.Hit, examples bool) error {
	if len(findings) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FILE\tCOLUMN\tCLASS\tFOUND\tSHARE\tFIRST\tBY\tSURE\tLOOKS LIKE")
	for _, each := range findings {
		shown := each.Shape
		if examples {
			shown = each.Example
		}
		fmt.Fprintf(table, "%s\t%s\t%s (%s)\t%d\t%.1f %%\t%s\t%s\t%s\t%s\n", inLine(each.Path), inLine(scannedColumn(each)), each.Class, identifiers.InfoOf(each.Class).Letter,
			each.Cells, each.Share*100, placeOf(each), each.How, each.Confidence, inLine(shown))
	}
	return table.Flush()
}

func scannedColumn(found scan.Hit) string {
	switch found.Where {
	case scan.Cells:
		return found.Column
	case scan.Lines:
		return "(text)"
	case scan.Header:
		return "(column names)"
	case scan.FileName:
		return "(file name)"
	case scan.Content:
		return "(file)"
	}
	return ""
}

func placeOf(found scan.Hit) string {
	switch found.Where {
	case scan.Cells:
		return fmt.Sprintf("row %d", found.Row)
	case scan.Lines:
		return fmt.Sprintf("line %d", found.Row)
	case scan.Header, scan.FileName, scan.Content:
	}
	return "-"
}
