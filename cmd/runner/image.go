package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/image"
	"hotcell/internal/policy"
	"hotcell/internal/runner"
)

func (a *app) imageCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "image",
		Short: "Build and list the images that sandboxes start from",
		Long: `An image is built from Debian packages and the guard, without a registry. It has no
shell, package manager, compiler or setuid file, and is known by its digest.`,
		Example: "  runner image build",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(a.imageBuild(), a.imageList(), a.imageRootfs(), a.imageSBOM())
	return command
}

func (a *app) imageBuild() *cobra.Command {
	options := image.BuildOptions{Progress: a.stderr}
	command := &cobra.Command{
		Use:   "build",
		Short: "Build the python-analysis image, or say that it is there",
		Long: `Builds the image python-analysis with mmdebstrap, as root, in one to three minutes.
When its recipe and the guard have not changed since, it is there at once.`,
		Example: "  runner image build --json",
		Args:    arguments(0, 0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.buildImage(cmd.Context(), options) },
	}
	flags := command.Flags()
	flags.BoolVar(&options.Refresh, "refresh", false, "fetch the packages again, to take up Debian's security updates")
	flags.StringVar(&options.Mirror, "mirror", "", "URL of a Debian archive; without it the host's own apt configuration, else deb.debian.org")
	flags.StringVar(&options.SecurityMirror, "security-mirror", "", "URL of a Debian security archive, likewise")
	return command
}

func (a *app) buildImage(ctx context.Context, options image.BuildOptions) error {
	store, err := a.images()
	if err != nil {
		return err
	}
	built, err := store.Build(ctx, options)
	if err != nil {
		return err
	}
	return a.showImages([]image.Image{built})
}

func (a *app) imageList() *cobra.Command {
	return &cobra.Command{
		Use:     "ls",
		Short:   "List the images in the store",
		Example: "  runner image ls --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, err := a.images()
			if err != nil {
				return err
			}
			all, err := store.List(cmd.Context())
			if err != nil {
				return err
			}
			return a.showImages(all)
		},
	}
}

func (a *app) imageRootfs() *cobra.Command {
	return &cobra.Command{
		Use:     "rootfs NAME|DIGEST",
		Short:   "Print where an image's root file system is unpacked",
		Example: "  runner image rootfs python-analysis",
		Args:    arguments(1, 1, "one image"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, found, err := a.findImage(args[0])
			if err != nil {
				return err
			}
			dir, err := store.Rootfs(cmd.Context(), found.Digest)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"digest": found.Digest, "rootfs": dir})
			}
			fmt.Fprintln(a.stdout, dir)
			return nil
		},
	}
}

func (a *app) imageSBOM() *cobra.Command {
	return &cobra.Command{
		Use:     "sbom NAME|DIGEST",
		Short:   "Print an image's bill of materials as CycloneDX JSON",
		Example: "  runner image sbom python-analysis > sbom.cdx.json",
		Args:    arguments(1, 1, "one image"),
		RunE: func(_ *cobra.Command, args []string) error {
			store, found, err := a.findImage(args[0])
			if err != nil {
				return err
			}
			document, err := store.SBOM(found.Digest)
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(document)
			return err
		},
	}
}

func (a *app) findImage(reference string) (*image.Store, image.Image, error) {
	store, err := a.images()
	if err != nil {
		return nil, image.Image{}, err
	}
	found, err := store.Resolve(reference)
	if err != nil {
		return nil, image.Image{}, usageError{err}
	}
	return store, found, nil
}

// withOldImage adds to what a guard could not do that it is not this program's guard:
// the two speak one protocol, and are updated together.
func (a *app) withOldImage(err error) error {
	if _, ok := errors.AsType[*runner.GuardError](err); !ok {
		return err
	}
	_, found, missing := a.findImage(pythonanalysis.Name)
	if missing != nil {
		return err // a policy may name another image
	}
	if current, broken := image.Current(found); broken != nil || current {
		return errors.Join(err, broken)
	}
	return fmt.Errorf("%w; the image %s has the guard of another version of the runner: run `runner image build`", err, found.Name)
}

func (a *app) showImages(all []image.Image) error {
	if a.json {
		return a.printJSON(map[string]any{"images": all})
	}
	if len(all) == 0 {
		fmt.Fprintln(a.stderr, "no image yet: run `runner image build`")
		return nil
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tDIGEST\tSIZE\tFILES\tPACKAGES")
	for _, one := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\n", one.Name, one.Digest, policy.Size(one.Bytes), one.Files, one.Packages)
	}
	return table.Flush()
}
