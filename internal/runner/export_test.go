package runner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// recorded is a response to a run that has left one file in its record.
func recorded(t *testing.T) Response {
	t.Helper()
	record := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(record, "files"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(record, "files", "a.txt"), []byte("a"), 0o600))
	files := []job.File{{Path: "a.txt", Bytes: 1, SHA256: digest.Of([]byte("a")).Hex()}}
	return Response{RecordDir: record, Result: job.Result{Status: job.Succeeded, Files: files}}
}

func TestAnotherProcessExportsFromTheRecord(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	response := recorded(t)
	require.NoError(t, CheckOutput(t.Context(), out))
	require.NoError(t, response.Export(t.Context(), out))
	content, err := os.ReadFile(filepath.Join(out, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "a", string(content))
	require.ErrorIs(t, CheckOutput(t.Context(), out), ErrInput, "it is not empty any more")
	err = response.Export(t.Context(), out)
	require.ErrorIs(t, err, ErrExport)
	require.ErrorContains(t, err, "the run succeeded and its files are in "+response.RecordDir)
}

func TestNothingIsExportedWhereNothingWasAskedOrNothingSucceeded(t *testing.T) {
	response := recorded(t)
	require.NoError(t, CheckOutput(t.Context(), ""))
	require.NoError(t, response.Export(t.Context(), ""))
	response.Result.Status = job.Cancelled
	out := filepath.Join(t.TempDir(), "out")
	require.NoError(t, response.Export(t.Context(), out))
	require.NoDirExists(t, out)
}
