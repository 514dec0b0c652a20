package runner

import (
	"context"
	"fmt"
	"path/filepath"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
)

// CheckOutput says before a run whether its files could be copied to dir, or nothing
// where dir is "". The error wraps ErrInput.
func CheckOutput(ctx context.Context, dir string) error {
	if dir == "" {
		return nil
	}
	return input(output.CheckDestination(ctx, dir))
}

// Export copies the verified files of a run that has succeeded from its record to dir,
// for a caller whose run was made by another process: that one may not know dir, nor
// write there. Nothing is copied where dir is "", or for a run that did not succeed. The
// error wraps ErrExport. It does not end with ctx: the run has ended, and is recorded.
func (r Response) Export(ctx context.Context, dir string) error {
	return r.ExportTo(ctx, output.Destination{Dir: dir})
}

// ExportTo is Export to a directory that may be replaced, or given away.
func (r Response) ExportTo(ctx context.Context, to output.Destination) error {
	if to.Dir == "" || r.Result.Status != job.Succeeded {
		return nil
	}
	if r.Elsewhere != nil { // which takes as long as it takes, and can be asked for again
		return exported(output.ExportOpened(ctx, r.Elsewhere.Open, r.Result.Files, to), "run "+r.Kept())
	}
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	return exported(output.ExportKeptTo(ctx, filepath.Join(r.RecordDir, "files"), r.Result.Files, to), r.RecordDir)
}

// Kept says where a run is kept, for people.
func (r Response) Kept() string {
	if r.Elsewhere == nil {
		return r.RecordDir
	}
	return r.Result.RunID.String() + " at " + r.Elsewhere.Name
}

// Content reads one of the verified files of a run, and holds it to its size and hash.
func (r Response) Content(ctx context.Context, file job.File) ([]byte, error) {
	if r.Elsewhere != nil {
		return output.ReadOpened(ctx, r.Elsewhere.Open, file)
	}
	return output.ReadKept(ctx, filepath.Join(r.RecordDir, "files"), file)
}

// exported words why files did not get from a record to the output directory.
func exported(err error, record string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: the run succeeded and its files are in %s, but not in the output directory: %w", ErrExport, record, err)
}
