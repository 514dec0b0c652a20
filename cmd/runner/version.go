package main

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"hotcell/internal/wire"
)

// linkedVersion is set by the linker, see scripts/version.sh.
var linkedVersion string

// build is what this program was made of and by.
type build struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Protocol int    `json:"protocol"` // between runner and guard
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the runner, of Go and of the guard's protocol",
		Long: `Print the versions of the runner, of Go and of the guard's protocol.

The runner's version is its tag or, between two releases, its commit. Each record
names it as provenance.runner.`,
		Example: "  runner version --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			own := thisBuild()
			if a.json {
				return a.printJSON(own)
			}
			fmt.Fprintf(a.stdout, "runner %s (%s, protocol %d)\n", own.Version, own.Go, own.Protocol)
			return nil
		},
	}
}

func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return build{versionOf(linkedVersion, info), cmp.Or(info.GoVersion, "unknown"), wire.Protocol}
}

// versionOf is what the linker was told, else what the go command knows: the version
// that `go install` took, or the commit that `go build` found.
func versionOf(linked string, info *debug.BuildInfo) string {
	if linked != "" {
		return linked
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	revision := settings["vcs.revision"]
	if revision == "" {
		return "development"
	}
	revision = revision[:min(len(revision), 12)]
	if settings["vcs.modified"] == "true" {
		return revision + "-dirty"
	}
	return revision
}
