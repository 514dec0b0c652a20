package container_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func TestOnlyTheEndOfWhatAGuardPrintsIsKept(t *testing.T) {
	broken := errors.New("broken")
	var words container.LastWords
	require.Equal(t, broken, words.Explain(broken), "it has said nothing")
	for range 100 {
		_, err := words.Write(bytes.Repeat([]byte("x"), 99))
		require.NoError(t, err)
	}
	require.Len(t, words.Text(), 4096)
	size, err := words.Write(append(bytes.Repeat([]byte("y"), 2*4096), "the end\x1b\n"...))
	require.NoError(t, err)
	require.Equal(t, 2*4096+len("the end\x1b\n"), size)
	require.True(t, strings.HasSuffix(words.Text(), "ythe end\x1b"))
	require.NotContains(t, words.Text(), "x\n")
	require.NoError(t, words.Explain(nil))

	var last container.LastWords
	_, err = last.Write([]byte(" no such\x1b table\n"))
	require.NoError(t, err)
	require.ErrorIs(t, last.Explain(broken), broken)
	require.EqualError(t, last.Explain(broken), `broken: it printed "no such\x1b table"`)
}
