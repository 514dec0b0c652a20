package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"hotcell/internal/bundle"
)

// samples are public data sets that Debian's python3-statsmodels ships, by the
// name of the table that each becomes.
var samples = []struct{ table, path string }{
	{"rand_hie", "randhie/randhie.csv"},
	{"heart_transplant", "heart/heart.csv"},
}

const datasets = "usr/lib/python3/dist-packages/statsmodels/datasets"

func (a *app) bundleSample() *cobra.Command {
	return &cobra.Command{
		Use:   "sample DIR",
		Short: "Make a bundle of public health data to try",
		Long: `Copies two public data sets out of the image into DIR, which must not exist, and
writes its bundle.json: rand_hie, the RAND Health Insurance Experiment (20,190
person-years), and heart_transplant, survival after heart transplants at Stanford
(69 patients).`,
		Example: "  runner bundle sample public-health && runner bundle add public-health",
		Args:    arguments(1, 1, "one directory"),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.makeSample(cmd.Context(), args[0]) },
	}
}

func (a *app) makeSample(ctx context.Context, dir string) error {
	images, err := a.images()
	if err != nil {
		return err
	}
	found, err := images.Resolve("python-analysis")
	if err != nil {
		return usageError{err}
	}
	rootfs, err := images.Rootfs(ctx, found.Digest)
	if err != nil {
		return err
	}
	if err := makeSampleDir(dir); err != nil {
		return err
	}
	manifest, err := fillSample(ctx, rootfs, dir)
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return a.created(dir, manifest)
}

// makeSampleDir makes DIR and no parent of it: a misspelt path would become a tree.
func makeSampleDir(dir string) error {
	err := os.Mkdir(dir, 0o755)
	switch {
	case errors.Is(err, fs.ErrExist):
		return usageError{fmt.Errorf("make sample bundle: %w: name a directory that does not exist yet", err)}
	case errors.Is(err, fs.ErrNotExist):
		return usageError{fmt.Errorf("make sample bundle: %w: create its parent %s first", err, filepath.Dir(filepath.Clean(dir)))}
	case err != nil:
		return usageError{fmt.Errorf("make sample bundle: %w", err)}
	}
	return nil
}

func fillSample(ctx context.Context, rootfs, dir string) (bundle.Manifest, error) {
	source, err := os.OpenRoot(rootfs)
	if err != nil {
		return bundle.Manifest{}, err
	}
	defer source.Close()
	for _, sample := range samples {
		if err := copySample(source, datasets+"/"+sample.path, filepath.Join(dir, sample.table+".csv")); err != nil {
			return bundle.Manifest{}, fmt.Errorf("copy sample %s: %w", sample.table, err)
		}
	}
	return bundle.Create(ctx, bundle.CreateOptions{
		Dir: dir, Name: "public-health", Version: "1.0.0", Study: "Hotcell sample",
		Deidentification: bundle.Deidentification{
			Method: bundle.PublicUse, AttestedBy: "RAND Corporation; R. Miller", AttestedOn: "2005-01-01",
			Statement: "Public data sets as Debian's python3-statsmodels ships them: the RAND Health Insurance Experiment (public domain) and the heart transplant data of Miller, Biometrica 63 (1976) 449-464.",
		},
	})
}

func copySample(source *os.Root, from, to string) (err error) {
	in, err := source.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
