package policies_test

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// TestALargeTableCostsWhatIsUsedOfIt: a table of 200 MB, parsed, is more than study-analysis's
// memory; mapped, a run has the pages that it reads, and what it makes.
func TestALargeTableCostsWhatIsUsedOfIt(t *testing.T) {
	w := newWorkspace(t)
	const size, wards = 200_000_000, 40
	rows := w.largeTable("data/visits.csv", size, wards)
	w.bundle("large")
	got := w.run("study-analysis", "print(visits.head(2).note.tolist(), visits.iloc[-1].id, visits.dtypes.note)\n"+
		"means = visits.groupby('ward').value.mean()\nprint(len(visits), len(means), means.iloc[0])\nvisits['value'] *= 2\nprint(visits.value.max())", "--bundle", "large")
	require.Equal(t, job.Succeeded, got.Status, describe(got))
	require.Equal(t, fmt.Sprintf("['note of row 0 and nothing else', 'note of row 1 and nothing else'] %08d object\n%d %d 1.5\n3.0\n", rows-1, rows, wards), got.Stdout)
	require.Less(t, got.Usage.MemoryPeakBytes, got.Limits.MemoryBytes.Limit)
	require.Equal(t, int64(rows), got.Provenance.Tables[0].Rows)
}

// largeTable writes a table of so many bytes with ids that are strings, wards, one number and a
// note of each row's own. It returns the number of rows.
func (w *workspace) largeTable(name string, size, wards int) (rows int) {
	w.t.Helper()
	w.write(name, "id,ward,value,note\n")
	file, err := os.OpenFile(w.path(name), os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(w.t, err)
	buffered := bufio.NewWriterSize(file, 1<<20)
	for written := 0; written < size; rows++ {
		n, err := fmt.Fprintf(buffered, "%08d,ward %d,1.5,note of row %d and nothing else\n", rows, rows%wards, rows)
		require.NoError(w.t, err)
		written += n
	}
	require.NoError(w.t, buffered.Flush())
	require.NoError(w.t, file.Close())
	return rows
}
