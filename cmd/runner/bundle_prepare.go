package main

import (
	"slices"

	"github.com/spf13/cobra"
)

func (a *app) bundlePrepare() *cobra.Command {
	return &cobra.Command{
		Use:   "prepare NAME[@VERSION]|DIGEST",
		Short: "Make the form of a bundle's tables that runs map",
		Long: `Make the form of a bundle's tables that runs map, from the bundle's own files in
the store. "bundle add" has done so: this is for a bundle that another version of
runner has added. Where there is nothing to do, the bundle is verified.`,
		Example: "  runner bundle prepare public-health",
		Args:    arguments(1, 1, "one bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, found, err := a.findBundle(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if err := a.mayNote(cmd.Context()); err != nil {
				return err
			}
			made, err := store.Prepare(cmd.Context(), found.Digest)
			if err != nil {
				return faultOf(err)
			}
			if !slices.Equal(found.Tables, made.Tables) {
				if err := a.noteAdded(cmd.Context(), made); err != nil {
					return err
				}
			}
			return a.showBundle(made)
		},
		ValidArgsFunction: a.completeBundles,
	}
}
