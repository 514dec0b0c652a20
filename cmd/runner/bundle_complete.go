package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// completeBundles offers each name, and each of a name's versions once the name is there.
func (a *app) completeBundles(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 && cmd.Name() != "rm" { // the flag --bundle completes beside a script
		if !cmd.HasAvailableFlags() || cmd.Flags().Lookup("bundle") == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
	return a.bundleNames(cmd, begun)
}

func (a *app) completeTwoBundles(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.bundleNames(cmd, begun)
}

func (a *app) bundleNames(cmd *cobra.Command, begun string) ([]string, cobra.ShellCompDirective) {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	all, err := a.listBundles(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, one := range all {
		names = append(names, one.Manifest.Name)
		if strings.HasPrefix(begun, one.Manifest.Name) {
			names = append(names, one.Reference())
		}
	}
	slices.Sort(names)
	return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
}
