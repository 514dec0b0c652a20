package main

import (
	"context"
	"fmt"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/spf13/cobra"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/digest"
	"hotcell/internal/records"
	"hotcell/internal/registry"
)

const pushNote = `

The credentials are those of the user's docker configuration (docker login, or a helper
that it names). It goes by digest, without a tag: keep the registry from removing what has
none. What is there already is not sent again. Nothing goes in the clear, but to this
host.`

func (a *app) imagePush() *cobra.Command {
	return &cobra.Command{
		Use:     "push REPOSITORY [NAME|DIGEST]",
		Short:   "Push an image to a registry, for the nodes of a cluster",
		Long:    "Push an image to a registry, for the nodes of a cluster." + pushNote,
		Example: "  runner image push registry.example.org/hotcell/sandbox",
		Args:    arguments(1, 2, "a repository, and at most one image"),
		RunE: func(cmd *cobra.Command, args []string) error {
			reference := pythonanalysis.Name
			if len(args) > 1 {
				reference = args[1]
			}
			return a.pushImage(cmd.Context(), args[0], reference)
		},
	}
}

func (a *app) pushImage(ctx context.Context, repository, reference string) error {
	if _, err := registry.Repo(repository); err != nil {
		return usageError{err}
	}
	store, found, err := a.findImage(reference)
	if err != nil {
		return err
	}
	carried, err := store.Find(ctx, found.Digest)
	if err != nil {
		return err
	}
	image, err := carried.V1()
	if err != nil {
		return err
	}
	return a.push(ctx, repository, image)
}

func (a *app) push(ctx context.Context, repository string, image v1.Image) error {
	told, end := progressOf(a.stderr, "pushing")
	pushed, err := registry.Push(ctx, registry.Pushed{Repository: repository, Image: image, Told: told})
	end()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"pushed": pushed})
	}
	fmt.Fprintln(a.stdout, printable(pushed))
	return nil
}

func (a *app) bundlePush() *cobra.Command {
	return &cobra.Command{
		Use:   "push REPOSITORY NAME[@VERSION]|DIGEST",
		Short: "Push a bundle to a registry, as an image that nodes mount",
		Long: "Push a bundle to a registry, as an image that nodes mount. Whoever may pull from there has\n" +
			"the data; that it goes there is an event of the audit chain before it does." + pushNote,
		Example: "  runner bundle push registry.example.org/hotcell/bundle public-health",
		Args:    arguments(2, 2, "a repository and one bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.pushBundle(cmd.Context(), args[0], args[1])
		},
		ValidArgsFunction: a.completeBundles,
	}
}

func (a *app) pushBundle(ctx context.Context, repository, reference string) error {
	if _, err := registry.Repo(repository); err != nil {
		return usageError{err}
	}
	_, found, err := a.findBundle(ctx, reference)
	if err != nil {
		return err
	}
	images, err := a.bundleImages()
	if err != nil {
		return err
	}
	image, err := images.Image(ctx, found.Digest)
	if err != nil {
		return faultOf(err)
	}
	event := bundleEvent(records.KindBundleSent, found)
	event.Reason = records.Brief("pushed to " + repository)
	if err := a.note(ctx, event); err != nil {
		return err
	}
	carried, err := image.V1(ctx)
	if err != nil {
		return err
	}
	return a.push(ctx, repository, carried)
}

func (a *app) bundleImage() *cobra.Command {
	return &cobra.Command{
		Use:   "image NAME[@VERSION]|DIGEST",
		Short: "Print the digest by which nodes pull a bundle",
		Long: `Print the digest by which nodes pull a bundle from a registry, as an image with its files.
It is the same on every host with this version of the runner. The first time, all of the
bundle is read and held to its digests.`,
		Example:           "  runner bundle image public-health",
		Args:              arguments(1, 1, "one bundle"),
		RunE:              func(cmd *cobra.Command, args []string) error { return a.showBundleImage(cmd.Context(), args[0]) },
		ValidArgsFunction: a.completeBundles,
	}
}

func (a *app) showBundleImage(ctx context.Context, reference string) error {
	_, found, err := a.findBundle(ctx, reference)
	if err != nil {
		return err
	}
	images, err := a.bundleImages()
	if err != nil {
		return err
	}
	image, err := images.Digest(ctx, found.Digest)
	if err != nil {
		return faultOf(err)
	}
	if a.json {
		return a.printJSON(map[string]digest.Digest{"bundle": found.Digest, "image": image})
	}
	fmt.Fprintln(a.stdout, image)
	return nil
}

// forgetImages removes what is known of the images of bundles that are gone.
func (a *app) forgetImages(dry bool) error {
	if err := a.nothingKept(registryName, "nothing known of bundles' images"); dry || isNothing(err) {
		return nil
	} else if err != nil {
		return err
	}
	images, err := a.bundleImages()
	if err != nil {
		return err
	}
	return images.Forget()
}
