package runner

import (
	"context"
	"os"
	"path/filepath"

	"hotcell/internal/job"
)

// Recorded is the response of a run, or a session, that has ended, from its record: as Run has
// returned it, but for what was not recorded (how long the committing took, and why a stream could
// not be written). A run without a record is records.ErrNotFound.
func (r *Runner) Recorded(ctx context.Context, id job.ID) (Response, error) {
	kept := r.options.Records
	record, err := kept.Get(ctx, id)
	if err != nil {
		return Response{}, err
	}
	response := Response{Result: record.Result, RecordDir: kept.Path(id), Trace: record.Trace}
	if record.Quarantined {
		response.QuarantineDir = there(kept.QuarantinePath(id))
	}
	if record.Code != "" {
		response.CodeFile = there(filepath.Join(response.RecordDir, record.Code))
	}
	return response, nil
}

// there is a path, or "" where nothing is: a part of a run may be deleted before the rest.
func there(path string) string {
	if _, err := os.Lstat(path); err != nil {
		return ""
	}
	return path
}
