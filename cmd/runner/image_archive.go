package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/image"
	"hotcell/internal/policy"
)

const imageSaveHelp = `Save an image to FILE, for a host that cannot build one: runner image load takes it
there. The file is an OCI image layout in a tar archive, compressed by zstd; - is the
standard output.

The digest stays the same, so that policies and records mean the same image on both
hosts. The archive is not signed: tell the digest to whoever loads it by another way.`

func (a *app) imageSave() *cobra.Command {
	return &cobra.Command{
		Use:   "save FILE|- [NAME|DIGEST]",
		Short: "Save an image to a file, for a host that cannot build one",
		Long:  imageSaveHelp,
		Example: `  runner image save python-analysis.oci.tar.zst
  runner image save - | ssh other-host sudo runner image load -`,
		Args: arguments(1, 2, "a file, and at most one image"),
		RunE: func(cmd *cobra.Command, args []string) error {
			reference := pythonanalysis.Name
			if len(args) > 1 {
				reference = args[1]
			}
			return a.saveImage(cmd.Context(), args[0], reference)
		},
	}
}

// checkSaved refuses a place where no archive can go.
func (a *app) checkSaved(path string) error {
	if path != "-" {
		return a.outsideState(path)
	}
	if a.json {
		return usageError{errors.New("--json and an image cannot both be on the standard output: name a file")}
	}
	if isTerminal(a.rawOutput()) {
		return usageError{errors.New("an image is nothing for a terminal: name a file, or pass it on to another program")}
	}
	return nil
}

// rawOutput is the standard output for what is no text.
func (a *app) rawOutput() io.Writer {
	if text, ok := a.stdout.(*cleaned); ok {
		return text.to
	}
	return a.stdout
}

func (a *app) saveImage(ctx context.Context, path, reference string) error {
	if err := a.checkSaved(path); err != nil {
		return err
	}
	store, found, err := a.findImage(reference)
	if err != nil {
		return err
	}
	told, end := progressOf(a.stderr, "saving "+found.Digest.Short())
	save := func(to io.Writer) error {
		defer end()
		return store.Save(ctx, found.Digest, io.MultiWriter(to, &meter{told: told}))
	}
	if path == "-" {
		return save(a.rawOutput())
	}
	sum, size, err := writeNew(path, save, func(digest.Hex, int64) error { return nil })
	if errors.Is(err, fs.ErrExist) {
		return usageError{fmt.Errorf("%w: name a file that does not exist", err)}
	}
	if err != nil {
		return err
	}
	full, err := filepath.Abs(path)
	if err != nil {
		full = path
	}
	if a.json {
		return a.printJSON(map[string]any{"image": found, "saved": full, "sha256": sum, "bytes": size})
	}
	fmt.Fprintf(a.stdout, "saved image %s (%s) to %s\n  load it with: runner image load --digest %s %s\n",
		reference, policy.Size(size), inLine(full), found.Digest, inLine(filepath.Base(path)))
	return nil
}

// meter counts what is written to it.
type meter struct {
	done, total int64 // total is 0 where nobody knows it
	told        func(done, total int64)
}

// Write implements io.Writer.
func (m *meter) Write(p []byte) (int, error) {
	m.done += int64(len(p))
	if m.told != nil {
		m.told(m.done, m.total)
	}
	return len(p), nil
}

const imageLoadHelp = `Load an image that runner image save has written on another host, as if it had been built
here: under the same digest and name, with an event in the audit chain. - is the standard
input.

All of the archive is checked before the store has anything of it: order, names and sizes
of its parts, every digest, and that its layers hold files, directories and symbolic
links of root only, nothing setuid or writable. What a digest cannot tell is who made the
image, and it holds the guard, which judges all code. So name with --digest the one that
the other host has printed, or load from a source that you trust as yourself.`

func (a *app) imageLoad() *cobra.Command {
	var want string
	command := &cobra.Command{
		Use:     "load FILE|-",
		Short:   "Load an image that another host has saved",
		Long:    imageLoadHelp,
		Example: "  runner image load --digest sha256:1f0c… python-analysis.oci.tar.zst",
		Args:    arguments(1, 1, "a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			options := image.LoadOptions{Digest: digest.Digest(want)}
			if want != "" && options.Digest.Check() != nil {
				return usageError{fmt.Errorf("--digest: %w", digest.ErrSyntax)}
			}
			return a.loadImage(cmd.Context(), args[0], options)
		},
	}
	command.Flags().StringVar(&want, "digest", "", "`digest` that the image must have")
	return command
}

func (a *app) loadImage(ctx context.Context, path string, options image.LoadOptions) error {
	archive, size, done, err := a.openArchive(ctx, path)
	if err != nil {
		return err
	}
	defer done()
	store, err := a.images()
	if err != nil {
		return err
	}
	if err := a.mayNote(ctx); err != nil {
		return err
	}
	before, _ := store.List(ctx) // of a store that cannot be listed every image is new
	told, end := progressOf(a.stderr, "loading "+filepath.Base(path))
	loaded, err := store.Load(ctx, io.TeeReader(archive, &meter{total: size, told: told}), options)
	end()
	if errors.Is(err, image.ErrArchive) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(before, func(one image.Image) bool { return one.Digest == loaded.Digest && one.Name == loaded.Name }) {
		event := builtEvent(loaded)
		event.Reason = "loaded from an archive"
		if err := a.note(ctx, replacing(event, before, loaded)); err != nil {
			return err
		}
	}
	if err := unpackLoaded(ctx, store, loaded); err != nil {
		return err
	}
	if current, err := image.Current(loaded); err == nil && !current {
		fmt.Fprintln(a.stderr, "runner: the image has the guard or the packages of another version of the runner: runs may refuse it")
	}
	return a.showImages([]image.Image{loaded})
}

// unpackLoaded is for the oci engine, which needs root. A daemon takes the layers.
func unpackLoaded(ctx context.Context, store *image.Store, loaded image.Image) error {
	if os.Geteuid() != 0 || loaded.Architecture != runtime.GOARCH {
		return nil
	}
	_, err := store.Rootfs(ctx, loaded.Digest)
	return err
}

// openArchive opens a file, or the standard input, of which a read ends with ctx.
func (a *app) openArchive(ctx context.Context, path string) (archive io.Reader, size int64, done func(), err error) {
	if path != "-" {
		file, err := durable.Open(path)
		if err != nil {
			return nil, 0, nil, usageError{err}
		}
		info, err := file.Stat()
		if err != nil {
			return nil, 0, nil, errors.Join(err, file.Close())
		}
		return file, info.Size(), func() { _ = file.Close() }, nil
	}
	if a.stdinIsTerminal() {
		return nil, 0, nil, usageError{errors.New("an image is nothing to type: name a file, or have another program write it")}
	}
	reader, writer := io.Pipe()
	stop := context.AfterFunc(ctx, func() { writer.CloseWithError(context.Cause(ctx)) })
	go func() { // ends with the input, or with the process
		_, err := io.Copy(writer, a.stdin)
		writer.CloseWithError(err)
	}()
	return reader, 0, func() { stop(); _ = reader.Close() }, nil
}
