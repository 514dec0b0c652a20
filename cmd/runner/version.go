package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"hotcell/internal/wire"
)

// version is set by the linker in a release.
var version = "development"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the runner, of Go and of the guard's protocol",
		Example: "  runner version --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			goVersion := "unknown"
			if info, ok := debug.ReadBuildInfo(); ok {
				goVersion = info.GoVersion
			}
			if a.json {
				return a.printJSON(map[string]any{"version": version, "go": goVersion, "protocol": wire.Protocol})
			}
			fmt.Fprintf(a.stdout, "runner %s (%s, protocol %d)\n", version, goVersion, wire.Protocol)
			return nil
		},
	}
}
