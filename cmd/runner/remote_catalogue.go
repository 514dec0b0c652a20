package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
)

func (a *app) whoamiCommand() *cobra.Command {
	var server serverFlags
	command := &cobra.Command{
		Use:   "whoami",
		Short: "Tell as whom a service knows you, what you may do, and what is used of your quotas",
		Long: `Tell as whom a service knows you, what you may do, and what is used of your quotas.

` + serverHelp,
		Example: "  runner whoami --server https://hotcell.example.org",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := server.required(cmd, userHere); err != nil {
				return err
			}
			return a.whoami(cmd.Context(), server)
		},
	}
	addRequiredServer(command, &server)
	return command
}

func (a *app) whoami(ctx context.Context, server serverFlags) error {
	service, err := a.looking(server)
	if err != nil {
		return err
	}
	me, err := service.Me(ctx)
	if err != nil {
		return ofService(service.Name(), err)
	}
	if a.json {
		return a.printJSON(me)
	}
	scopes := make([]string, len(me.Scopes))
	for index, one := range me.Scopes {
		scopes[index] = inLine(one)
	}
	fmt.Fprintf(a.stdout, "%s at %s may %s\n\n", inLine(me.Principal), service.Name(), orNone(strings.Join(scopes, ", ")))
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "QUOTA\tUSED\tLIMIT")
	for _, one := range me.Quotas {
		limit := "none"
		if one.Limit > 0 {
			limit = strconv.FormatInt(one.Limit, 10)
		}
		fmt.Fprintf(table, "%s\t%d\t%s\n", inLine(one.Quota), one.Used, limit)
	}
	return table.Flush()
}

// remotePolicy prints the file of a service's policy.
func (a *app) remotePolicy(ctx context.Context, server serverFlags, name string) error {
	service, err := a.looking(server)
	if err != nil {
		return err
	}
	found, err := service.Policy(ctx, name)
	if err != nil {
		return ofService(service.Name(), err)
	}
	if a.json {
		return a.printJSON(found)
	}
	_, err = fmt.Fprint(a.stdout, printable(found.Text))
	return err
}

// remoteBundle prints the shapes of a service's bundle.
func (a *app) remoteBundle(ctx context.Context, server serverFlags, reference string) error {
	service, err := a.looking(server)
	if err != nil {
		return err
	}
	found, err := service.Bundle(ctx, reference)
	if err != nil {
		return ofService(service.Name(), err)
	}
	if a.json {
		return a.printJSON(found)
	}
	fmt.Fprintf(a.stdout, "%s@%s  %s\n  study  %s\n", inLine(found.Name), inLine(found.Version), inLine(found.Digest), inLine(found.Study))
	if found.ValidUntil != "" {
		fmt.Fprintf(a.stdout, "  until  %s\n", inLine(found.ValidUntil))
	}
	for _, one := range found.Tables {
		fmt.Fprintf(a.stdout, "\n%s, %s\n", inLine(one.Name), counted(int(one.Rows), "row"))
		table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "  COLUMN\tTYPE")
		for _, column := range one.Columns {
			fmt.Fprintf(table, "  %s\t%s\n", visible(column.Name), inLine(column.Type))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// remoteBundles lists what requests to a service may name.
func (a *app) remoteBundles(ctx context.Context, server serverFlags) error {
	service, err := a.looking(server)
	if err != nil {
		return err
	}
	all, err := service.Bundles(ctx)
	if err != nil {
		return ofService(service.Name(), err)
	}
	if a.json {
		return a.printJSON(map[string]any{"bundles": all})
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tVERSION\tDIGEST\tSTUDY\tVALID UNTIL")
	for _, one := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", inLine(one.Name), inLine(one.Version), inLine(one.Digest), inLine(one.Study), inLine(one.ValidUntil))
	}
	return table.Flush()
}

func (a *app) remotePolicies(ctx context.Context, server serverFlags) error {
	service, err := a.looking(server)
	if err != nil {
		return err
	}
	all, err := service.Policies(ctx)
	if err != nil {
		return ofService(service.Name(), err)
	}
	listed := make([]listedPolicy, 0, len(all))
	for _, one := range all {
		sum := digest.Hex(one.SHA256)
		if err := sum.Check(); err != nil {
			return fmt.Errorf("%s: a policy of its list: %w", service.Name(), err)
		}
		listed = append(listed, listedPolicy{inLine(one.Name), one.Description, service.Name(), sum})
	}
	if a.json {
		return a.printJSON(map[string]any{"policies": listed})
	}
	return a.policyTable(listed)
}
