package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
	"hotcell/internal/policy"
)

func (a *app) bundleCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "bundle",
		Short: "Create, add, list and verify data bundles",
		Long: `A bundle is a directory of de-identified data with a manifest, bundle.json, that
names every file with its size, its sha256 and, for tables, the name under which
it is preloaded. Runs get the store's own read-only copy, by digest.`,
		Example: "  runner bundle ls",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(a.bundleCreate(), a.bundleAdd(), a.bundleList(), a.bundleVerify(), a.bundleSample())
	return command
}

func (a *app) bundleCreate() *cobra.Command {
	var options bundle.CreateOptions
	var attestation bundle.Deidentification
	var method, on string
	command := &cobra.Command{
		Use:   "create DIR",
		Short: "Write bundle.json for a directory of data",
		Long: `Writes DIR/bundle.json for every file in DIR. A CSV, JSONL or Parquet file becomes a
table named after it: visits.csv is preloaded as the DataFrame visits.`,
		Example: `  runner bundle create ./export --name heart-study --version 1.0.0 --study HS-2026-01 \
      --method safe_harbor --attested-by 'J. Doe, privacy officer' --statement 'All 18 identifiers removed.'`,
		Args: arguments(1, 1, "one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			attestation.Method, attestation.AttestedOn = bundle.Method(method), on
			options.Dir, options.Deidentification = args[0], attestation
			manifest, err := bundle.Create(cmd.Context(), options)
			if err != nil {
				return faultOf(err)
			}
			return a.created(args[0], manifest)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.Name, "name", "", "name: lower-case letters, digits and hyphens (required)")
	flags.StringVar(&options.Version, "version", "", "version of the data (required)")
	flags.StringVar(&options.Study, "study", "", "study or protocol that the data belongs to (required)")
	flags.StringVar(&method, "method", "", "how it was de-identified: safe_harbor, expert_determination, synthetic or public_use (required)")
	flags.StringVar(&attestation.AttestedBy, "attested-by", "", "who says so (required)")
	flags.StringVar(&on, "attested-on", time.Now().Format(time.DateOnly), "when, as YYYY-MM-DD")
	flags.StringVar(&attestation.Statement, "statement", "", "what they say (required)")
	return command
}

func (a *app) created(dir string, manifest bundle.Manifest) error {
	if a.json {
		a.printJSON(manifest)
		return nil
	}
	fmt.Fprintf(a.stdout, "%s/bundle.json names %d files, %d of them tables\n", dir, len(manifest.Files), len(tablesOf(manifest)))
	return nil
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
			added, err := store.Add(cmd.Context(), args[0])
			if err != nil {
				return faultOf(err)
			}
			return a.showBundle(added)
		},
	}
}

func (a *app) showBundle(shown bundle.Bundle) error {
	if a.json {
		a.printJSON(shown)
		return nil
	}
	manifest := shown.Manifest
	fmt.Fprintf(a.stdout, "%s@%s  %s\n", manifest.Name, manifest.BundleVersion, shown.Digest)
	fmt.Fprintf(a.stdout, "  study    %s\n  tables   %s\n  files    %d, %s\n", printable(manifest.Study),
		strings.Join(tablesOf(manifest), ", "), len(manifest.Files), policy.Size(shown.Bytes))
	return nil
}

func (a *app) bundleList() *cobra.Command {
	return &cobra.Command{
		Use:     "ls",
		Short:   "List the bundles in the store",
		Example: "  runner bundle ls --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, err := a.bundles()
			if err != nil {
				return err
			}
			all, err := store.List(cmd.Context())
			if err != nil {
				return err
			}
			if a.json {
				a.printJSON(map[string]any{"bundles": all})
				return nil
			}
			return a.bundleTable(all)
		},
	}
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
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", manifest.Name, manifest.BundleVersion, printable(manifest.Study),
			strings.Join(tablesOf(manifest), ","), policy.Size(one.Bytes), one.Digest)
	}
	return table.Flush()
}

func (a *app) bundleVerify() *cobra.Command {
	return &cobra.Command{
		Use:     "verify NAME|DIGEST",
		Short:   "Hash a bundle's copy in the store again",
		Example: "  runner bundle verify public-health",
		Args:    arguments(1, 1, "one bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := a.bundles()
			if err != nil {
				return err
			}
			found, err := store.Lookup(cmd.Context(), args[0])
			if err != nil {
				return faultOf(err)
			}
			if err := store.Verify(cmd.Context(), found.Digest); err != nil {
				return faultOf(err)
			}
			return a.showBundle(found)
		},
		ValidArgsFunction: a.completeBundles,
	}
}

func (a *app) completeBundles(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	store, err := a.bundles()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	all, err := store.List(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, one := range all {
		names = append(names, one.Manifest.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// faultOf makes what is wrong with a bundle the user's fault, and nothing else.
func faultOf(err error) error {
	if _, ok := errors.AsType[*bundle.Fault](err); ok {
		return usageError{err}
	}
	return err
}

func tablesOf(manifest bundle.Manifest) []string {
	names := []string{}
	for _, file := range manifest.Files {
		if file.Table != "" {
			names = append(names, file.Table)
		}
	}
	return names
}
