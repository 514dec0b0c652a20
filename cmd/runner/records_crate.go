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
	sum, size, err := a.writeNew(target, func(w io.Writer) error { return crate.Write(ctx, w, source) }, func(sum digest.Hex, size int64) error {
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

// writeNew makes a file for our own eyes and writes it. It stays only if then agrees, which
// is told what is in it.
func (a *app) writeNew(path string, write func(io.Writer) error, then func(digest.Hex, int64) error) (sum digest.Hex, size int64, err error) {
	name := filepath.Base(path)
	parent, err := durable.OpenDir(filepath.Dir(path))
	if err != nil {
		return "", 0, usageError{err}
	}
	defer parent.Close()
	file, err := parent.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, parent.Remove(name))
		}
	}()
	hash := digest.New()
	err = write(io.MultiWriter(file, hash))
	if err == nil {
		err = file.Sync()
	}
	if info, statErr := file.Stat(); statErr == nil {
		size = info.Size()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", 0, err
	}
	sum = hash.Digest().Hex()
	return sum, size, then(sum, size)
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
