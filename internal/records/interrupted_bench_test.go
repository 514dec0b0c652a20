package records

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// BenchmarkMark is what it costs a run, warm or cold, that its draft says who asked for what, and
// is marked before its code may begin: a small file that is written, renamed and removed.
func BenchmarkMark(b *testing.B) {
	sum := digest.Of(nil)
	asked := Asked{Actor: job.Actor{Principal: "token:berta"}, Policy: "study-analysis", PolicySHA256: sum.Hex(), Image: sum, Bundle: sum, CodeSHA256: sum.Hex()}
	root, err := os.OpenRoot(b.TempDir())
	require.NoError(b, err)
	defer root.Close()
	marked := time.Duration(0)
	for b.Loop() {
		err := asked.write(root)
		begun := time.Now()
		err = errors.Join(err, root.Rename(askedName, begunName))
		marked += time.Since(begun)
		require.NoError(b, errors.Join(err, durable.Remove(root, begunName)))
	}
	b.ReportMetric(float64(marked.Microseconds())/float64(b.N), "µs/mark")
}
