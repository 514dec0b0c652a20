package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
)

func (a *app) bundleCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "bundle",
		Short: "Create, add, list, compare, verify and remove data bundles",
		Long: `Create, add, list, compare, verify and remove data bundles.

A bundle is a directory of de-identified data with a manifest, bundle.json, that
names every file with its size, its sha256 and, for tables, the name under which
it is preloaded. Runs get the store's own read-only copy, by digest. NAME@VERSION never
changes its content; NAME alone is the newest, by semantic version.`,
		Example: "  runner bundle ls",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(a.bundleCreate(), a.bundleAdd(), a.bundleFetch(), a.bundleList(), a.bundleShow(), a.bundleDiff(), a.bundleVerify(), a.bundlePrepare(), a.bundleSign(), a.bundleScan(), a.bundleRemove(), a.bundleImage(), a.bundlePush(), a.bundleSample())
	return command
}

func counted(number int, noun string) string {
	if number == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", number, noun)
}

func tableList(manifest bundle.Manifest) string {
	names := tablesOf(manifest)
	switch len(names) {
	case 0:
		return "no tables"
	case 1:
		return "table: " + names[0]
	default:
		return "tables: " + strings.Join(names, ", ")
	}
}

func (a *app) bundleAdd() *cobra.Command {
	return &cobra.Command{
		Use:     "add DIR",
		Short:   "Verify a bundle and copy it into the store",
		Example: "  runner bundle add ./export",
		Args:    arguments(1, 1, "one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := a.bundles()
			if err != nil {
				return err
			}
			if err := a.mayNote(cmd.Context()); err != nil {
				return err
			}
			added, err := store.Add(cmd.Context(), args[0])
			if err != nil {
				return faultOf(err)
			}
			if err := a.noteAdded(cmd.Context(), added); err != nil {
				return err
			}
			return a.showBundle(added)
		},
	}
}

// noteAdded has the digests of what runs get in the chain, which no one who can write to the
// store can edit with them.
func (a *app) noteAdded(ctx context.Context, added bundle.Bundle) error {
	event := bundleEvent(records.KindBundleAdded, added)
	name, sum, err := added.TablesIndex()
	if err != nil {
		return err
	}
	if sum != "" {
		event.Subjects = append(event.Subjects, records.Subject{Role: records.RoleFile, Name: name, SHA256: sum})
	}
	return a.note(ctx, event)
}

// bundleEvent is what happens to a bundle of the store.
func bundleEvent(kind records.Kind, about bundle.Bundle) records.Event {
	name := records.Brief(about.Manifest.Name + "@" + about.Manifest.BundleVersion)
	return records.Event{
		Kind: kind, Name: name, Bytes: about.Bytes, Reason: records.Brief(studyOf + about.Manifest.Study),
		Subjects: []records.Subject{{Role: records.RoleBundle, Name: name, SHA256: about.Digest.Hex()}},
	}
}

func (a *app) showBundle(shown bundle.Bundle) error {
	if a.json {
		return a.printJSON(shown)
	}
	manifest := shown.Manifest
	fmt.Fprintf(a.stdout, "%s@%s  %s\n", manifest.Name, manifest.BundleVersion, shown.Digest)
	fmt.Fprintf(a.stdout, "  study    %s\n  tables   %s\n  files    %d, %s\n", inLine(manifest.Study),
		orNone(strings.Join(tablesOf(manifest), ", ")), len(manifest.Files), policy.Size(shown.Bytes))
	showSources(a.stdout, manifest)
	showEncodings(a.stdout, manifest)
	return nil
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func (a *app) bundleList() *cobra.Command {
	var server serverFlags
	command := &cobra.Command{
		Use:     "ls",
		Short:   "List the bundles in the store",
		Example: "  runner bundle ls --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := server.refuseState(cmd); err != nil {
				return err
			}
			if server.isRemote() {
				return a.remoteBundles(cmd.Context(), server)
			}
			all, err := a.listBundles(cmd.Context())
			if all == nil {
				return err
			}
			if a.json {
				return a.bundlesAsJSON(all, err)
			}
			if len(all) > 0 || err == nil {
				err = errors.Join(err, a.bundleTable(all))
			}
			return err
		},
	}
	addServer(command, &server)
	return command
}

// listBundles is empty where there is no store.
func (a *app) listBundles(ctx context.Context) ([]bundle.Bundle, error) {
	if err := a.nothingKept("bundles", "no bundle"); isNothing(err) {
		return []bundle.Bundle{}, nil
	} else if err != nil {
		return nil, err
	}
	store, err := a.bundles()
	if err != nil {
		return nil, err
	}
	return store.List(ctx)
}

// bundlesAsJSON prints one document, with what cannot be read beside the bundles.
func (a *app) bundlesAsJSON(all []bundle.Bundle, damaged error) error {
	answer := map[string]any{"bundles": all}
	if damaged == nil {
		return a.printJSON(answer)
	}
	answer["error"] = map[string]any{"message": damaged.Error(), "exit_code": job.ExitInternal}
	if err := a.printJSON(answer); err != nil {
		return err
	}
	return exitError(job.ExitInternal)
}

func (a *app) bundleTable(all []bundle.Bundle) error {
	if len(all) == 0 {
		fmt.Fprintln(a.stderr, "no bundle yet: `runner bundle sample DIR` makes one to try, `runner bundle add DIR` adds it")
		return nil
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tVERSION\tSTUDY\tTABLES\tSIZE\tDIGEST")
	for _, one := range all {
		manifest := one.Manifest
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", manifest.Name, manifest.BundleVersion, inLine(manifest.Study),
			orNone(strings.Join(tablesWithEncodings(manifest), ",")), policy.Size(one.Bytes), one.Digest)
	}
	return table.Flush()
}

func (a *app) bundleVerify() *cobra.Command {
	return &cobra.Command{
		Use:     "verify NAME[@VERSION]|DIGEST",
		Short:   "Check a stored bundle against its digests",
		Example: "  runner bundle verify public-health",
		Args:    arguments(1, 1, "one bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, found, err := a.findBundle(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if err := store.Verify(cmd.Context(), found.Digest); err != nil {
				return faultOf(err)
			}
			if found.SignedBy, err = store.SignedBy(cmd.Context(), found); err != nil {
				return faultOf(err)
			}
			if err := a.showBundle(found); err != nil || a.json {
				return err
			}
			a.showSigners(found.SignedBy, 7)
			return nil
		},
		ValidArgsFunction: a.completeBundles,
	}
}

// faultOf makes what is wrong with a bundle the user's fault, and nothing else. Several
// faults are a line each.
func faultOf(err error) error {
	found, ok := errors.AsType[*bundle.FaultError](err)
	switch {
	case !ok:
		return err
	case len(found.List) > 1:
		return usageError{faultsError{found}}
	}
	return usageError{err}
}

// faultsError says all that is wrong with a bundle.
type faultsError struct{ *bundle.FaultError }

// Error implements error.
func (l faultsError) Error() string {
	return l.Subject + ":\n" + strings.Join(l.List, "\n")
}

// Unwrap implements errors.
func (l faultsError) Unwrap() error { return l.FaultError }

func tablesOf(manifest bundle.Manifest) []string {
	names := []string{}
	for _, file := range manifest.Files {
		if file.Table != "" {
			names = append(names, file.Table)
		}
	}
	return names
}
