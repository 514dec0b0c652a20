package records

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// Whoever opens all that it may leaves something for the next one, be it the twelfth, and also where
// another front of this host names the same principals.
func TestNoReaderTakesAllOpenings(t *testing.T) {
	now := time.Now()
	r, appended := &readers{}, 0
	opens := func(uid uint32, who string, most int) (opened int) {
		for n := range most {
			event := Event{
				RunID: job.NewID(now), Actor: job.Actor{UID: &uid, Principal: who},
				Subjects: []Subject{{Role: RoleFile, SHA256: digest.Of(fmt.Append(nil, n)).Hex()}},
			}
			err := r.note(event, now, func() error { appended++; return nil })
			if errors.Is(err, ErrTooOften) {
				return opened
			}
			require.NoError(t, err)
			opened++
		}
		return opened
	}
	require.Equal(t, readersMost/2, opens(990, "user:alice", readersMost))
	require.Equal(t, readersMost/4, opens(990, "user:bob", readersMost))
	require.Equal(t, readersMost/8, opens(991, "user:alice", readersMost), "another front's")
	for n := range 8 {
		require.Positive(t, opens(990, fmt.Sprintf("token:%d", n), readersMost))
	}
	require.Equal(t, 1, opens(990, "user:who comes late", 1))
	require.Zero(t, opens(990, "user:alice", 1))
	require.LessOrEqual(t, appended, readersMost)
	now = now.Add(readersFor)
	require.Equal(t, readersMost/2, opens(990, "user:alice", readersMost), "another minute")
}
