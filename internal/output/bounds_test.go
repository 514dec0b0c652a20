package output

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryCheckEndsWithItsContext: a check that did not look at it would go on
// past every clock.
func TestEveryCheckEndsWithItsContext(t *testing.T) {
	failure := errors.New("time is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(failure)
	for _, kind := range mediaTypes() {
		if kind.name == "application/vnd.apache.parquet" {
			continue // eight bytes are read
		}
		file := &watched{stagedFile: bytes.NewReader([]byte(strings.Repeat(" ", 1<<20))), ctx: ctx}
		require.Error(t, kind.check(file), kind.name)
		require.ErrorIs(t, file.fault, failure, kind.name)
	}
}
