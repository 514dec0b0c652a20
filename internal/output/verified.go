package output

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// Verified is output that the host has checked. Only Verify makes one; the zero
// Verified can do nothing. It holds the staged copy open, so it stays usable when
// the staging directory is renamed. Not for concurrent use.
type Verified struct {
	staging *os.Root
	path    string
	files   []job.File
	dropped []job.Violation

	unchanged []job.File
	written   map[string]Declared
}

var errNotVerified = errors.New("output has not been verified")

// Files lists the files in the order of their paths. It is never nil for a
// Verified that Verify made.
func (v *Verified) Files() []job.File { return append([]job.File{}, v.files...) }

// Open opens one of the Files.
func (v *Verified) Open(path string) (io.ReadCloser, error) {
	if v.staging == nil || !slices.ContainsFunc(v.files, func(file job.File) bool { return file.Path == path }) {
		return nil, fmt.Errorf("open %q: %w", path, errNotVerified)
	}
	file, err := v.staging.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open staged file: %w", err)
	}
	return file, nil
}

// Unchanged lists those of Options.Known that are still there, as they were. They are not
// staged, nor among Files.
func (v *Verified) Unchanged() []job.File { return append([]job.File{}, v.unchanged...) }

// Known lists the files that are new and those that are unchanged, for Options.Known of the
// next look at the same sandbox.
func (v *Verified) Known() []Known {
	var all []Known
	for _, file := range slices.Concat(v.unchanged, v.files) {
		all = append(all, Known{File: file, Written: v.written[file.Path]})
	}
	return all
}

// Dropped lists the files that were left behind, see Rules.DropUnaccepted: by path, with
// the rule RuleDropped. Path is escaped as beneath.Escape does it.
func (v *Verified) Dropped() []job.Violation { return append([]job.Violation{}, v.dropped...) }

// Staging is the directory that Verify was given.
func (v *Verified) Staging() string { return v.path }

// Close releases the staged copy; it removes nothing. Export fails afterwards. A
// second Close does nothing.
func (v *Verified) Close() error {
	if v.staging == nil {
		return nil
	}
	staging := v.staging
	v.staging = nil
	return staging.Close()
}

// Export gives the files to the user in dir, whole or not at all: it copies them
// into a directory beside it, checks their hashes again, syncs and renames. dir
// must be as CheckDestination wants it. Files get the mode 0644 and directories
// 0755, less the umask's bits; an empty directory of the user's own that was there
// keeps its mode, and another user's does not choose one.
// On error dir is as it was.
func (v *Verified) Export(ctx context.Context, dir string) error {
	if v.staging == nil {
		return fmt.Errorf("export output: %w", errNotVerified)
	}
	return copies{below(v.staging), v.files}.export(ctx, Destination{Dir: dir})
}

// Destination is a directory that gets a run's files.
type Destination struct {
	Dir string
	// Earlier are files of a run before. A directory that holds them, or some of them, and
	// nothing else is replaced, in one step. nil replaces none.
	Earlier []job.File
	// Private gives the directory the mode 0700, whatever the umask and what was there say.
	Private bool
	// Seal is given the directory when the files are in it, and may add to it what says that they
	// may leave. Where it fails, nothing gets a name. nil adds nothing.
	Seal func(ctx context.Context, made *os.Root) error
	// Owner gets the files and the directory, where its parent belongs to them already. nil
	// leaves them to the user of this process. Only root can give files away.
	Owner *Owner
}

// Owner is a user and their group, by number.
type Owner struct{ UID, GID int }

// ExportKept is ExportKeptTo for a directory that does not exist or is empty.
func ExportKept(ctx context.Context, kept string, files []job.File, dir string) error {
	return ExportKeptTo(ctx, kept, files, Destination{Dir: dir})
}

// ExportKeptTo is Export for who has no Verified: another process has verified the files
// and keeps them in the directory kept, which nobody else may change. What is there now
// is held to the files' sizes and hashes.
func ExportKeptTo(ctx context.Context, kept string, files []job.File, to Destination) (err error) {
	from, err := durable.OpenDir(kept)
	if err != nil {
		return fmt.Errorf("export output: %w", err)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	return copies{below(from), files}.export(ctx, to)
}

// Opener opens a file where another machine keeps it.
type Opener func(ctx context.Context, file job.File) (io.ReadCloser, error)

// below opens what lies in a directory.
func below(root *os.Root) Opener {
	return func(_ context.Context, file job.File) (io.ReadCloser, error) { return root.Open(file.Path) }
}

// ExportOpened is ExportKeptTo for files that lie in no directory of this machine.
func ExportOpened(ctx context.Context, open Opener, files []job.File, to Destination) error {
	return copies{open, files}.export(ctx, to)
}

// ReadOpened is ReadKept for a file that lies in no directory of this machine.
func ReadOpened(ctx context.Context, open Opener, file job.File) ([]byte, error) {
	if err := beneath.CheckPath(file.Path); err != nil {
		return nil, fmt.Errorf("read file %q: %w", file.Path, err)
	}
	var buffer bytes.Buffer
	if err := (copies{open: open}).read(ctx, &buffer, file); err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	return buffer.Bytes(), nil
}

// ReadKept returns the content of one of the files that ExportKept would copy, held to its
// size and hash.
func ReadKept(ctx context.Context, kept string, file job.File) (content []byte, err error) {
	from, err := durable.OpenDir(kept)
	if err != nil {
		return nil, fmt.Errorf("read kept file: %w", err)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	return ReadOpened(ctx, below(from), file)
}

// copies are files that are to be copied, and what opens them.
type copies struct {
	open  Opener
	files []job.File
}

func (c copies) export(ctx context.Context, to Destination) (err error) {
	dir := to.Dir
	target, mode, err := to.find(ctx)
	if err != nil {
		return err
	}
	if to.Private {
		mode = 0o700
	}
	delivery, err := durable.NewDelivery(target)
	if err != nil {
		return fmt.Errorf("export output: %w", err)
	}
	defer func() { err = errors.Join(err, delivery.Discard()) }()
	mode, err = c.copyTo(ctx, delivery.Root(), mode)
	if err == nil && to.Seal != nil {
		err = to.Seal(ctx, delivery.Root())
	}
	if err == nil {
		err = to.give(delivery)
	}
	if err == nil {
		err = to.publish(ctx, delivery, target, mode)
	}
	if err != nil {
		return fmt.Errorf("export output to %s: %w", dir, err)
	}
	return nil
}

// copyTo returns the mode that the directory gets in the end.
func (c copies) copyTo(ctx context.Context, root *os.Root, mode fs.FileMode) (fs.FileMode, error) {
	for _, file := range c.files {
		if err := beneath.CheckPath(file.Path); err != nil {
			return 0, fmt.Errorf("copy %q: %w", file.Path, err)
		}
		if err := c.copyFile(ctx, root, file); err != nil {
			return 0, err
		}
	}
	if mode != 0 {
		return mode, nil
	}
	return newDirMode(root)
}

// newDirMode finds out what the umask makes of 0755, by making a directory:
// reading the umask means changing it for every goroutine.
func newDirMode(root *os.Root) (fs.FileMode, error) {
	const probe = ".mode" // no verified file's name begins with a dot
	if err := root.Mkdir(probe, 0o755); err != nil {
		return 0, fmt.Errorf("make directory: %w", err)
	}
	info, err := root.Lstat(probe)
	if err != nil {
		return 0, errors.Join(err, root.Remove(probe))
	}
	return info.Mode().Perm(), root.Remove(probe)
}

func (c copies) copyFile(ctx context.Context, root *os.Root, file job.File) (err error) {
	dst, err := createBelow(root, file.Path, 0o644, 0o755)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	return c.read(ctx, dst, file)
}

func (c copies) read(ctx context.Context, dst io.Writer, file job.File) (err error) {
	src, err := c.open(ctx, file)
	if err != nil {
		return fmt.Errorf("open verified file: %w", err)
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	err = beneath.CopyNamed(ctx, dst, src, file.SHA256.Digest(), file.Bytes)
	if errors.Is(err, digest.ErrMismatch) {
		err = fmt.Errorf("the file is not what was verified: %w", err)
	}
	if err != nil {
		return fmt.Errorf("copy %s: %w", file.Path, err)
	}
	return nil
}
