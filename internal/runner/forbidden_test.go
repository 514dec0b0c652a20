package runner

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func TestForbiddenSaysWhatIsKnown(t *testing.T) {
	elsewhere := forbidden(t.Context(), 0, time.Now())
	require.Contains(t, elsewhere, "answers with a kill; which one is not known, because this engine runs on another machine")

	// No record of the future: whether the logs can be read here or not.
	unknown := forbidden(t.Context(), 1, time.Now().Add(time.Hour))
	require.Contains(t, unknown, "which one is not known: ")
}

func TestSIGSYSTellsTheCall(t *testing.T) {
	got, err := classify(evidence{
		ready: true, exit: container.Exit{Code: -1, Signal: "SIGSYS"}, forbidden: "it made the system call unshare",
	})
	require.NoError(t, err)
	require.Equal(t, "the interpreter was ended by SIGSYS: it made the system call unshare", got.failure.Message)
}
