package container_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

func TestNewIDsAreReadBackAndDiffer(t *testing.T) {
	first, second := container.NewID(), container.NewID()
	require.NotEqual(t, first, second)
	parsed, err := container.ParseID(first.String())
	require.NoError(t, err)
	require.Equal(t, first, parsed)
}

func TestParseIDRefuses(t *testing.T) {
	good := container.NewID().String()
	for name, text := range map[string]string{
		"nothing":              "",
		"a digit less":         good[1:],
		"a digit more":         good + "0",
		"upper case":           strings.Repeat("A", 32),
		"a letter beyond f":    good[1:] + "g",
		"the directory above":  "..",
		"a path":               "/" + good[1:],
		"a hyphen":             "-" + good[1:],
		"a newline at the end": good + "\n",
		"a line before":        "x\n" + good,
		"a run's":              job.NewID(time.Now()).String(),
	} {
		t.Run(name, func(t *testing.T) {
			id, err := container.ParseID(text)
			require.ErrorContains(t, err, "parse sandbox id")
			require.Zero(t, id)
		})
	}
}
