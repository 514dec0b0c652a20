package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/download"
	"hotcell/internal/durable"
	"hotcell/internal/policy"
)

// fetchFlags is what the user gave `runner bundle fetch`.
type fetchFlags struct {
	sha256, name, most string
}

func (a *app) bundleFetch() *cobra.Command {
	var flags fetchFlags
	command := &cobra.Command{
		Use:   "fetch URL DIR --sha256 HEX",
		Short: "Download a public table into a directory of data",
		Long: `Download one file into DIR, which is made where it does not exist, for "runner bundle
create DIR". The file gets its name when all of it is there and its sha256 is the one
that you give; whoever publishes the data tells it.

A download that breaks off is tried again, and goes on where it was. What an interrupted
command has left, FILE.part, the next one goes on with; nothing else is left.

The exit code is 2 when the URL, DIR, the name or the size must be another, also when the
server has no such file; 1 when the content is not what the sha256 names; 125 when the
server or the way to it failed; 9 when the command was interrupted.`,
		Example: "  runner bundle fetch https://example.org/awards.csv ./awards \\\n      --sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		Args:    arguments(2, 2, "a URL and one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.fetch(cmd.Context(), args[0], args[1], flags)
		},
	}
	set := command.Flags()
	set.StringVar(&flags.sha256, "sha256", "", "`hex` digits of the file's sha256 (required)")
	set.StringVar(&flags.name, "name", "", "`name` of the file in DIR (default: the last part of the URL's path)")
	set.StringVar(&flags.most, "max-size", "8GiB", "highest `size` of the file")
	return command
}

func (a *app) fetch(ctx context.Context, from, dir string, flags fetchFlags) (err error) {
	options, err := flags.options(from)
	if err != nil {
		return usageError{err}
	}
	root, err := madeDir(dir)
	if err != nil {
		return usageError{err}
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	options.Dir = root
	var done func()
	options.Progress, done = progressOf(a.stderr, options.Name)
	err = download.Fetch(ctx, options)
	done()
	if err != nil {
		return a.unfetched(err)
	}
	return a.fetched(root, filepath.Join(dir, options.Name), options)
}

// unfetched is an error as the exit codes have it.
func (a *app) unfetched(err error) error {
	switch {
	case errors.Is(err, download.ErrRequest):
		return usageError{err}
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(a.stderr, "runner:", printable(err.Error()))
	case errors.Is(err, download.ErrOther) && a.json:
		return errors.Join(exitError(1), a.printJSON(map[string]any{"exit_code": 1, "error": map[string]any{"message": err.Error(), "exit_code": 1}}))
	case errors.Is(err, download.ErrOther):
		fmt.Fprintln(a.stderr, "runner:", printable(err.Error()))
		return exitError(1)
	}
	return err
}

// madeDir opens a directory, which it makes where it does not exist in one that does.
func madeDir(dir string) (_ *os.Root, err error) {
	root, err := durable.OpenDir(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return root, err
	}
	parent, err := durable.OpenDir(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, parent.Close()) }()
	if err := parent.Mkdir(filepath.Base(dir), 0o755); err != nil {
		return nil, fmt.Errorf("make directory: %w", err)
	}
	return durable.OpenDir(dir)
}

func (f fetchFlags) options(from string) (download.Options, error) {
	given, err := url.Parse(from)
	if err != nil {
		return download.Options{}, errors.New("the first argument is no URL")
	}
	options := download.Options{URL: from, SHA256: digest.Hex(f.sha256), Name: f.name}
	if f.sha256 == "" {
		return options, errors.New("--sha256 is missing: whoever publishes the file tells it; without it nobody would know what was fetched")
	}
	if options.SHA256.Check() != nil {
		return options, errors.New("--sha256 must be 64 lower-case hexadecimal digits")
	}
	if options.Name == "" {
		options.Name = path.Base(given.Path)
	}
	if err := beneath.CheckPath(options.Name); err != nil || path.Base(options.Name) != options.Name || options.Name == "." {
		return options, fmt.Errorf("%q cannot be the name of a file: give one with --name", options.Name)
	}
	size, err := policy.ParseSize(f.most)
	if err != nil || size <= 0 {
		return options, fmt.Errorf("--max-size %q is no size: give one such as 2GiB", f.most)
	}
	options.MaxBytes = size
	return options, nil
}

// progressOf shows bytes on a terminal, and nothing elsewhere.
func progressOf(w io.Writer, name string) (told func(done, total int64), end func()) {
	file, ok := w.(*os.File)
	if !ok || !isTerminal(file) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(w), progressbar.OptionShowBytes(true), progressbar.OptionSetDescription(printable(name)),
		progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())
	told = func(done, total int64) {
		if total > 0 && bar.GetMax64() != total {
			bar.ChangeMax64(total)
		}
		_ = bar.Set64(done)
	}
	return told, func() { _ = bar.Finish() }
}

func (a *app) fetched(root *os.Root, name string, options download.Options) error {
	info, err := root.Lstat(options.Name)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"path": name, "bytes": info.Size(), "sha256": options.SHA256})
	}
	fmt.Fprintf(a.stdout, "%s  %s\n", printable(name), policy.Size(info.Size()))
	return nil
}
