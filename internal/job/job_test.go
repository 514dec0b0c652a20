package job_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

func TestAnIDKnowsItsTime(t *testing.T) {
	at := time.Date(2026, 11, 27, 20, 0, 0, 123e6, time.UTC)
	require.Equal(t, at, job.NewID(at.Add(456*time.Microsecond)).Time())
	require.Zero(t, job.ID{}.Time())
}
