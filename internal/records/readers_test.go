package records_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// A principal who opens one part again and again is one event a minute, and no opening is without
// one before it.
func TestReadersAreToldOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, t.TempDir())
		id := commit(t, store)
		reads := func(who, part string) error {
			content, _, err := store.ReadPart(t.Context(), id, part, job.Actor{UID: new(uint32(990)), User: "front", Principal: who})
			if err == nil {
				require.NoError(t, content.Close())
			}
			return err
		}
		for range 50 {
			require.NoError(t, reads("user:anna", "files/a.txt"))
		}
		require.Len(t, accesses(t, store), 1)
		require.NoError(t, reads("user:bert", "files/a.txt"))
		require.NoError(t, reads("user:anna", "record"))
		require.Len(t, accesses(t, store), 3, "another reader, and another part")
		time.Sleep(time.Minute)
		require.NoError(t, reads("user:anna", "files/a.txt"))
		require.Len(t, accesses(t, store), 4, "and another minute")
		for range 3 { // the host's own users are each told
			content, _, err := store.ReadPart(t.Context(), id, "record", job.ActorOf(0, "root"))
			require.NoError(t, err)
			require.NoError(t, content.Close())
		}
		require.Len(t, accesses(t, store), 7)
	})
}

// Names that a front makes up do not have the chain grow without end: what has no event is not opened.
func TestReadersOfAFrontAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		store := open(t, dir)
		id := commit(t, store)
		opened, refused := 0, 0
		for n := range 3100 {
			content, _, err := store.ReadPart(t.Context(), id, "record", job.Actor{UID: new(uint32(990)), Principal: fmt.Sprintf("user:made-up-%d", n)})
			if errors.Is(err, records.ErrTooOften) {
				refused++
				continue
			}
			require.NoError(t, err)
			require.NoError(t, content.Close())
			opened++
		}
		require.Equal(t, 3000, opened)
		require.Equal(t, 100, refused)
		require.Len(t, accesses(t, store), opened)
		time.Sleep(time.Minute)
		content, _, err := store.ReadPart(t.Context(), id, "record", job.Actor{UID: new(uint32(990)), Principal: "user:made-up-1"})
		require.NoError(t, err)
		require.NoError(t, content.Close())
	})
}
