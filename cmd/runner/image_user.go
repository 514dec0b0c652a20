package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/image"
	"hotcell/internal/userns"
)

// buildAsUser builds in a user namespace in which this user is root: this program
// starts itself there, because a process cannot enter one with several threads. The store
// has been opened by then, because its way there, of root's directories, belongs to
// nobody in that namespace.
func (a *app) buildAsUser(ctx context.Context, store *image.Store, options image.BuildOptions) (image.Image, error) {
	self, err := os.Executable()
	if err != nil {
		return image.Image{}, fmt.Errorf("find this program: %w", err)
	}
	argv := []string{
		self, "image", "build-as-root", store.Dir(),
		"--mirror=" + options.Mirror, "--security-mirror=" + options.SecurityMirror, fmt.Sprintf("--refresh=%t", options.Refresh),
		"--arch=" + options.Architecture,
	}
	err = userns.Run(ctx, userns.Program{Argv: argv, Env: image.BuildEnvironment(), Progress: options.Progress})
	if err != nil {
		return image.Image{}, fmt.Errorf("build image without root: %w", err)
	}
	return store.ResolveFor(pythonanalysis.Name, cmp.Or(options.Architecture, runtime.GOARCH))
}

// imageBuildAsRoot is what buildAsUser starts: it builds into a store that has been
// opened, says on standard output what went wrong, and ends when standard input does.
func (a *app) imageBuildAsRoot() *cobra.Command {
	options := image.BuildOptions{Progress: a.stderr, Packed: true}
	command := &cobra.Command{
		Use:     "build-as-root STORE",
		Short:   "Build as root of a user namespace, for runner image build",
		Hidden:  true,
		Example: "  runner image build",
		Args:    arguments(1, 1, "one image store"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			go func() {
				_, _ = io.Copy(io.Discard, a.stdin) // its end counts, whatever brought it
				cancel()
			}()
			err := buildInto(ctx, args[0], options)
			if err != nil {
				fmt.Fprintln(a.stdout, err)
				return exitError(1)
			}
			return nil
		},
	}
	buildFlags(command, &options)
	return command
}

func buildInto(ctx context.Context, dir string, options image.BuildOptions) error {
	store, err := image.OpenStore(dir)
	if err == nil {
		_, err = store.Build(ctx, options)
	}
	return err
}
