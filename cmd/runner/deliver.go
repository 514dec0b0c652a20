package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
	"hotcell/internal/runner"
)

// outputFlags say where the verified files go.
type outputFlags struct {
	output    string
	overwrite bool
	numbered  bool
	elsewhere bool // the run is a service's: --overwrite is not for it
}

// destination is where the files of a run or session go.
func (f runFlags) destination() outputFlags {
	f.elsewhere = f.isRemote()
	return f.outputFlags
}

// refuseOutput adds what is wrong with the flags by themselves.
func refuseOutput(faults *flagFaults, flags outputFlags) {
	faults.refuse("output", flags.output == "", "the name of a directory; leave the flag out to keep the files with the record")
	switch {
	case flags.overwrite && flags.numbered:
		faults.add(errors.New("--overwrite and --output-numbered exclude each other: choose one"))
	case flags.overwrite && flags.output == "":
		faults.add(errors.New("--overwrite needs --output: name the directory"))
	case flags.numbered && flags.output == "":
		faults.add(errors.New("--output-numbered needs --output: name the first directory"))
	}
}

// delivery is where the files of one run go: nowhere, if its directory is "".
type delivery struct {
	app      *app
	to       output.Destination
	numbered bool
}

// newDelivery says before a run what is wrong with where its files are to go: nobody
// should wait for a run whose files cannot be delivered.
func (a *app) newDelivery(ctx context.Context, flags outputFlags) (*delivery, error) {
	d := &delivery{app: a, to: output.Destination{Dir: flags.output}, numbered: flags.numbered}
	if flags.output == "" {
		return d, nil
	}
	var err error
	if d.to.Owner, err = sudoOwner(os.Geteuid(), os.Getenv); err != nil {
		return nil, usageError{err}
	}
	if flags.overwrite {
		if d.to.Earlier, err = a.earlier(ctx, flags.output); err != nil {
			return nil, err
		}
	}
	if d.numbered {
		_, err = d.free(ctx, 1)
	} else {
		err = d.to.Check(ctx)
	}
	switch {
	case errors.Is(err, output.ErrNotEmpty) && flags.elsewhere:
		err = fmt.Errorf("%w; --output-numbered writes beside it", err)
	case errors.Is(err, output.ErrNotEmpty):
		err = fmt.Errorf("%w; --overwrite replaces what an earlier run has written there, --output-numbered writes beside it", err)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return d, nil
}

// deliver copies the files of a run that has succeeded, and returns their directory, or ""
// where there is none.
func (d *delivery) deliver(ctx context.Context, response runner.Response) (dir string, err error) {
	if d.to.Dir == "" || response.Result.Status != job.Succeeded {
		return "", nil
	}
	elsewhere := response.Elsewhere != nil // whose own chain has it that the files were read
	if !elsewhere {
		if err := d.app.note(ctx, runner.ExportEvent(response.Result, d.to.Dir)); err != nil {
			return "", fmt.Errorf("%w: the files are in %s: %w", runner.ErrExport, response.RecordDir, err)
		}
	}
	if d.numbered {
		dir, err = d.deliverNumbered(ctx, response)
	} else {
		dir, err = d.to.Dir, response.ExportTo(ctx, d.to)
	}
	if err != nil {
		return "", err
	}
	if elsewhere {
		return dir, nil
	}
	if err := d.app.remember(dir, response.Result.RunID); err != nil {
		d.app.logger().Warn("--overwrite will not know this directory", "directory", dir, "error", err)
	}
	return dir, nil
}

// delivered delivers unless something has failed already.
func (a *app) delivered(ctx context.Context, d *delivery, response runner.Response, failed error) (string, error) {
	if failed != nil {
		return "", failed
	}
	return d.deliver(ctx, response)
}

// deliverNumbered takes the first number that is free. Another run may take it meanwhile:
// what it has put there is never replaced.
func (d *delivery) deliverNumbered(ctx context.Context, response runner.Response) (string, error) {
	for first := 1; ; {
		number, err := d.free(ctx, first)
		if err != nil {
			return "", fmt.Errorf("%w: %w", runner.ErrExport, err)
		}
		to := d.to
		to.Dir = numberedName(d.to.Dir, number)
		err = response.ExportTo(ctx, to)
		if err == nil || vacant(to.Dir) {
			return to.Dir, err
		}
		first = number + 1
	}
}

// maxNumber bounds the directories that --output-numbered makes beside each other.
const maxNumber = 9999

// free is the first number, from first on, whose directory can be made.
func (d *delivery) free(ctx context.Context, first int) (int, error) {
	for number := first; number <= maxNumber; number++ {
		if name := numberedName(d.to.Dir, number); vacant(name) {
			return number, output.CheckDestination(ctx, name)
		}
	}
	return 0, fmt.Errorf("output directories %q to %q are all taken: remove some, or name another", d.to.Dir, numberedName(d.to.Dir, maxNumber))
}

// numberedName is out, out-2, out-3 and so on.
func numberedName(dir string, number int) string {
	if number == 1 {
		return dir
	}
	return fmt.Sprintf("%s-%d", strings.TrimRight(dir, string(filepath.Separator)), number)
}

// vacant tells a name that nothing has, or an empty directory.
func vacant(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	entries, err := os.ReadDir(dir)
	return info.IsDir() && err == nil && len(entries) == 0
}

// occupied says what stands where a new directory is to be.
func occupied(dir string) error {
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link, which is not followed: name the directory itself", onOneLine(dir))
	}
	return fmt.Errorf("%s is there, and not empty: name another directory", onOneLine(dir))
}

// outputsName is the directory of the state in which stands which run has made an output
// directory: a file for each, by the hash of its path, with the run's id.
const outputsName = "outputs"

// earlier lists the files of the run that has made a directory, by its record. Nothing is
// known, and no file of it may go, where this state's runs have not made it.
func (a *app) earlier(ctx context.Context, dir string) ([]job.File, error) {
	if vacant(dir) {
		return []job.File{}, nil
	}
	kept, err := a.records()
	if err != nil {
		return nil, err
	}
	id, err := a.madeBy(dir)
	if err != nil {
		return nil, err
	}
	record, err := kept.Get(ctx, id)
	if errors.Is(err, records.ErrNotFound) {
		return nil, usageError{fmt.Errorf("output directory %q is of run %s, whose record is gone: move it away, or name another directory", dir, id)}
	}
	if err != nil {
		return nil, err
	}
	return record.Result.Files, nil
}

func (a *app) madeBy(dir string) (id job.ID, err error) {
	unknown := usageError{fmt.Errorf("output directory %q was not made by a run of this state directory (%s): --overwrite replaces nothing else; move it away, or name another directory", dir, a.state)}
	name, err := outputName(dir)
	if err != nil {
		return id, err
	}
	text, err := durable.ReadFile(filepath.Join(a.state, outputsName, name), 4096)
	if errors.Is(err, fs.ErrNotExist) {
		return id, unknown
	}
	if err != nil {
		return id, err
	}
	if id, err = job.ParseID(strings.TrimSpace(string(text))); err != nil {
		return id, unknown
	}
	return id, nil
}

// remember notes which run has made a directory.
func (a *app) remember(dir string, id job.ID) (err error) {
	name, err := outputName(dir)
	if err != nil {
		return err
	}
	state, err := durable.OpenDir(a.state)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, state.Close()) }()
	if err := state.MkdirAll(outputsName, 0o700); err != nil {
		return err
	}
	temporary := filepath.Join(outputsName, ".new-"+id.String())
	if err := durable.WriteFile(state, temporary, []byte(id.String()+"\n")); err != nil {
		return err
	}
	return state.Rename(temporary, filepath.Join(outputsName, name))
}

// outputName names a directory by where it is, whichever links led there.
func outputName(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(full))
	if err != nil {
		return "", err
	}
	return string(digest.Of([]byte(filepath.Join(parent, filepath.Base(full)))).Hex()), nil
}
