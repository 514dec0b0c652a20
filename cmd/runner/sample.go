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
	"hotcell/internal/durable"
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
		Short: "Write a sample bundle of public health data",
		Long: `Write two public data sets from the image into DIR, which must not exist, with a
bundle.json: rand_hie, the RAND Health Insurance Experiment (20,190
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
	made, err := deliverSample(ctx, rootfs, dir)
	if err != nil {
		return err
	}
	return a.created(dir, made)
}

// deliverSample makes the bundle where nobody else reaches it and gives it its name
// when it is whole: whoever may write the directory above could put another one
// under the name meanwhile.
func deliverSample(ctx context.Context, rootfs, dir string) (made bundle.Made, err error) {
	target, err := filepath.Abs(dir)
	if err != nil {
		return bundle.Made{}, fmt.Errorf("make sample bundle: %w", err)
	}
	if err := sampleIsNew(target); err != nil {
		return bundle.Made{}, usageError{fmt.Errorf("make sample bundle: %w", err)}
	}
	delivery, err := durable.NewDelivery(target)
	if err != nil {
		return bundle.Made{}, usageError{fmt.Errorf("make sample bundle: %w", err)}
	}
	defer func() { err = errors.Join(err, delivery.Discard()) }()
	made, err = fillSample(ctx, rootfs, dir, delivery.Root())
	if err != nil {
		return bundle.Made{}, err
	}
	if err := delivery.Publish(0o755); err != nil {
		return bundle.Made{}, fmt.Errorf("make sample bundle: %w", err)
	}
	return made, nil
}

// sampleIsNew refuses what exists, and makes no parent: a misspelt path would
// become a tree. What is there later is Publish's to refuse.
func sampleIsNew(target string) (err error) {
	parent, err := durable.OpenDir(filepath.Dir(target))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: create its parent %s first", err, filepath.Dir(target))
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, parent.Close()) }()
	switch _, err := parent.Lstat(filepath.Base(target)); {
	case err == nil:
		return fmt.Errorf("%s: %w: name a directory that does not exist yet", target, fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

func fillSample(ctx context.Context, rootfs, dir string, into *os.Root) (bundle.Made, error) {
	source, err := durable.OpenDir(rootfs)
	if err != nil {
		return bundle.Made{}, err
	}
	defer source.Close()
	for _, sample := range samples {
		if err := copySample(source, datasets+"/"+sample.path, into, sample.table+".csv"); err != nil {
			return bundle.Made{}, fmt.Errorf("copy sample %s: %w", sample.table, err)
		}
	}
	return bundle.CreateIn(ctx, into, bundle.CreateOptions{
		Dir: dir, Name: "public-health", Version: "1.1.0", Study: "Hotcell sample",
		Deidentification: bundle.Deidentification{
			Method: bundle.PublicUse, AttestedBy: "RAND Corporation; R. Miller", AttestedOn: "2005-01-01",
			Statement: "Public data sets as Debian's python3-statsmodels ships them: the RAND Health Insurance Experiment (public domain) and the heart transplant data of Miller, Biometrica 63 (1976) 449-464.",
		},
	})
}

func copySample(source *os.Root, from string, into *os.Root, to string) (err error) {
	in, err := source.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := into.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
