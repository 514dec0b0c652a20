package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
)

func (a *app) imageCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "image",
		Short: "Build, list and verify the images that sandboxes start from",
		Long: `Build, list and verify the images that sandboxes start from.

An image is built from Debian packages and the guard, without a registry. It has no
shell, package manager, compiler or setuid file, and is known by its digest.`,
		Example: "  runner image build",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(a.imageBuild(), a.imageBuildAsRoot(), a.imageList(), a.imageRootfs(), a.imageVerify(), a.imageSBOM(), a.imageSave(), a.imageLoad(), a.imagePush())
	return command
}

func (a *app) imageBuild() *cobra.Command {
	options := image.BuildOptions{Progress: a.stderr}
	command := &cobra.Command{
		Use:   "build",
		Short: "Build the image python-analysis, unless it exists",
		Long: `Build the image python-analysis with mmdebstrap, in one to three minutes. If recipe
and guard have not changed since the last build, that image is kept.

Root is not needed: another user builds in a user namespace, with subordinate ids
(newuidmap, /etc/subuid and /etc/subgid, which rootless Docker needs too). The image
is the same, to the digest.`,
		Example: "  runner image build --json",
		Args:    arguments(0, 0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.buildImage(cmd.Context(), options) },
	}
	buildFlags(command, &options)
	return command
}

func buildFlags(command *cobra.Command, options *image.BuildOptions) {
	flags := command.Flags()
	flags.StringVar(&options.Architecture, "arch", "", "`architecture` of the image, amd64 or arm64; one that is not this machine's needs qemu-user-static")
	flags.BoolVar(&options.Refresh, "refresh", false, "fetch the packages again, for Debian's security updates")
	flags.StringVar(&options.Mirror, "mirror", "", "`URL` of a Debian archive (default: the host's apt configuration, else deb.debian.org)")
	flags.StringVar(&options.SecurityMirror, "security-mirror", "", "`URL` of a Debian security archive (default: likewise)")
}

func (a *app) buildImage(ctx context.Context, options image.BuildOptions) error {
	store, err := a.images()
	if err != nil {
		return err
	}
	before, _ := store.List(ctx) // of a store that cannot be listed every image is new
	built, err := store.Build(ctx, options)
	if errors.Is(err, image.ErrNotRoot) {
		built, err = a.buildAsUser(ctx, store, options)
	}
	if errors.Is(err, image.ErrUnknownArchitecture) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(before, func(one image.Image) bool { return one.Digest == built.Digest && one.Name == built.Name }) {
		if err := a.note(ctx, replacing(builtEvent(built), before, built)); err != nil {
			return err
		}
	}
	return a.showImages([]image.Image{built})
}

// replacing adds the image that had the name before: it stays in the store until gc, and runs
// have another from now on.
func replacing(event records.Event, before []image.Image, built image.Image) records.Event {
	for _, one := range before {
		if built.Name != "" && one.Name == built.Name && one.Architecture == built.Architecture {
			event.Subjects = append(event.Subjects, records.Subject{Role: records.RoleImage, Name: "replaced", SHA256: one.Digest.Hex()})
		}
	}
	return event
}

// builtEvent is that the store has an image, by its name.
func builtEvent(about image.Image) records.Event {
	return records.Event{
		Kind: records.KindImageBuilt, Name: records.Brief(about.Name), Bytes: about.Bytes,
		Subjects: []records.Subject{{Role: records.RoleImage, Name: records.Brief(about.Name), SHA256: about.Digest.Hex()}},
	}
}

func (a *app) imageList() *cobra.Command {
	return &cobra.Command{
		Use:     "ls",
		Short:   "List the images in the store",
		Example: "  runner image ls --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.nothingKept("images", "no image"); isNothing(err) {
				return a.showImages([]image.Image{})
			} else if err != nil {
				return err
			}
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

const imageVerifyHelp = `Compare every byte, mode, owner and link of an image's unpacked root file system with
the image. The time is noted: doctor warns when the last comparison is long ago. Each
run makes a cheaper check, of the times, sizes and modes of every file. A change in the
page cache alone (a kernel flaw, such as CVE-2022-0847) shows here only. So run this
from cron or a timer, for example once a day.

--repair unpacks a changed root file system again. What was there is moved aside.
The exit code is 125 if it has been changed or could not be read.`

func (a *app) imageVerify() *cobra.Command {
	var repair bool
	command := &cobra.Command{
		Use:   "verify [NAME|DIGEST]",
		Short: "Compare unpacked images with their digests, byte by byte",
		Long:  imageVerifyHelp,
		Example: `  runner image verify
  runner image verify --repair python-analysis`,
		Args: arguments(0, 1, "at most one image"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.verifyImages(cmd.Context(), args, repair) },
	}
	command.Flags().BoolVar(&repair, "repair", false, "unpack a changed root file system again; keep what was there")
	return command
}

// verifiedImage is what --json prints of one image.
type verifiedImage struct {
	Name       string        `json:"name"`
	Digest     digest.Digest `json:"digest"`
	VerifiedAt time.Time     `json:"verified_at,omitzero"` // absent where it has not been unpacked: then its layers were read
	Kept       string        `json:"kept,omitempty"`       // where a changed tree was moved
}

func (a *app) verifyImages(ctx context.Context, args []string, repair bool) error {
	if err := a.nothingKept("images", "no image"); err != nil {
		return err
	}
	store, err := a.images()
	if err != nil {
		return err
	}
	chosen, err := store.List(ctx)
	if len(args) > 0 {
		var one image.Image
		one, err = store.Resolve(args[0])
		chosen = []image.Image{one}
		if err != nil {
			err = usageError{err}
		}
	}
	if err != nil {
		return err
	}
	verified := []verifiedImage{}
	var faults []error
	for _, one := range chosen {
		kept, err := verifyImage(ctx, store, one.Digest, repair)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		verified = append(verified, verifiedImage{one.Name, one.Digest, store.VerifiedAt(one.Digest), kept})
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	return a.showVerified(verified)
}

func verifyImage(ctx context.Context, store *image.Store, sum digest.Digest, repair bool) (kept string, err error) {
	if repair {
		return store.Repair(ctx, sum)
	}
	return "", store.Verify(ctx, sum)
}

func (a *app) showVerified(all []verifiedImage) error {
	if a.json {
		return a.printJSON(map[string]any{"images": all})
	}
	if len(all) == 0 {
		fmt.Fprintln(a.stderr, "no image yet: run `runner image build`")
	}
	for _, one := range all {
		fmt.Fprintf(a.stdout, "✓ verified  %s  %s\n", one.Name, one.Digest)
		if one.Kept != "" {
			fmt.Fprintf(a.stdout, "  changed tree kept in %s: remove it when you no longer need it\n", one.Kept)
		}
	}
	return nil
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
	if err := a.nothingKept("images", "no image"); err != nil {
		return nil, image.Image{}, err
	}
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
	if old := oldImage(found); old != nil {
		return fmt.Errorf("%w; %w", err, old)
	}
	return err
}

// oldImage is nil for an image that has the guard and the packages of this program.
func oldImage(found image.Image) error {
	if current, err := image.Current(found); err != nil || current {
		return err
	}
	return fmt.Errorf("the image %s has the guard or the packages of another version of the runner: run `runner image build`", found.Name)
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
	fmt.Fprintln(table, "NAME\tARCH\tDIGEST\tSIZE\tFILES\tPACKAGES")
	for _, one := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\n", one.Name, one.Architecture, one.Digest, policy.Size(one.Bytes), one.Files, one.Packages)
	}
	return table.Flush()
}
