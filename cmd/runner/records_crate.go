package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"hotcell/internal/beneath"
	"hotcell/internal/crate"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

// formatCrate is a Five Safes RO-Crate.
const formatCrate = "ro-crate"

func (a *app) exportCrate(ctx context.Context, name, target string) error {
	view, record, err := a.recorded(ctx, name)
	if err != nil {
		return err
	}
	id := record.Result.RunID
	if err := view.CheckRun(ctx, id); err != nil {
		return fmt.Errorf("%w: `runner records verify` says what is not as it was", err)
	}
	source := crate.Source{Record: record, Runner: thisBuild().Version}
	if _, err := view.Lines(ctx, func(event records.Event, line []byte) error {
		if event.RunID == id && event.Kind != records.KindExport {
			source.Events = append(source.Events, crate.ChainEvent{Event: event, Line: slices.Clone(line)})
		}
		return nil
	}); err != nil {
		return err
	}
	root, err := durable.OpenDir(view.Path(id))
	if err != nil {
		return err
	}
	defer root.Close()
	source.Files = beneath.Files(root)
	sum, size, err := writeNew(target, func(w io.Writer) error { return crate.Write(ctx, w, source) }, func(sum digest.Hex, size int64) error {
		return a.note(ctx, records.Event{
			Kind: records.KindExport, RunID: id, Name: records.Brief(target), Reason: formatCrate, Bytes: size,
			Subjects: []records.Subject{{Role: records.RoleFile, Name: records.Brief(filepath.Base(target)), SHA256: sum}},
		})
	})
	if err != nil {
		return explainCrate(id, err)
	}
	return a.exportedCrate(id, target, sum, size)
}

// explainCrate tells the way out of what the user can change.
func explainCrate(id job.ID, err error) error {
	_, usage := errors.AsType[usageError](err)
	switch {
	case usage:
		return err
	case errors.Is(err, crate.ErrNoCode):
		return usageError{fmt.Errorf("%w: `record.keep_code` of a policy keeps it", err)}
	case errors.Is(err, crate.ErrNotReleased):
		return usageError{err}
	case errors.Is(err, digest.ErrMismatch), errors.Is(err, digest.ErrSize), errors.Is(err, crate.ErrNoEvent):
		return fmt.Errorf("%w: `runner records verify` says what is not as it was", err)
	case errors.Is(err, fs.ErrExist):
		return usageError{fmt.Errorf("%w: name a file that does not exist", err)}
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: `runner records show %s` says what is kept of it, and what a rule has deleted", err, id)
	}
	return err
}

// writeNew makes a file for our own eyes and writes it, beside the path. It gets its name only if
// then agrees, which is told what is in it: who has the file has what then knows of.
func writeNew(path string, write func(io.Writer) error, then func(digest.Hex, int64) error) (sum digest.Hex, size int64, err error) {
	target, err := filepath.Abs(path)
	if err != nil {
		return "", 0, err
	}
	if _, err := os.Lstat(target); err == nil {
		return "", 0, &fs.PathError{Op: "make", Path: path, Err: fs.ErrExist}
	}
	delivery, err := durable.NewDelivery(target)
	if err != nil {
		return "", 0, usageError{err}
	}
	defer func() { err = errors.Join(err, delivery.Discard()) }()
	name := filepath.Base(target)
	if sum, size, err = writeSummed(delivery.Root(), name, write); err != nil {
		return "", 0, err
	}
	if err := then(sum, size); err != nil {
		return "", 0, err
	}
	if err := delivery.PublishFile(name); err != nil {
		return "", 0, fmt.Errorf("%w: the audit chain has the export already, and %s may not be there: look, and export to another file", err, path)
	}
	return sum, size, nil
}

// writeSummed writes a file that is on the disk when it returns.
func writeSummed(dir *os.Root, name string, write func(io.Writer) error) (sum digest.Hex, size int64, err error) {
	file, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := digest.New()
	if err := errors.Join(write(io.MultiWriter(file, hash)), file.Sync()); err != nil {
		return "", 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return "", 0, err
	}
	return hash.Digest().Hex(), info.Size(), nil
}

func (a *app) exportedCrate(id job.ID, target string, sum digest.Hex, size int64) error {
	full, err := filepath.Abs(target)
	if err != nil {
		full = target
	}
	if a.json {
		return a.printJSON(map[string]any{"run_id": id, "exported": full, "format": formatCrate, "sha256": sum, "bytes": size})
	}
	fmt.Fprintf(a.stdout, "exported run %s to %s\n  sha256 %s\n", id, inLine(full), sum)
	return nil
}
