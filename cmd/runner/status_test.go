package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/engineapi"
)

func TestStatusTellsOfRemovalsOnlyWhereTheyFailed(t *testing.T) {
	for failed, told := range map[int64]bool{0: false, 2: true} {
		var text strings.Builder
		require.NoError(t, showStatus(&text, engineapi.Overview{RemovalsFailed: failed}))
		require.Equal(t, told, strings.Contains(text.String(), "removals   2 failed"), text.String())
	}
}

// TestStatusTellsOfABoundOnlyWhereThereIsOne: of templates in a cluster this machine holds nothing.
func TestStatusTellsOfABoundOnlyWhereThereIsOne(t *testing.T) {
	for bound, told := range map[int64]string{0: "templates  1\n", 2 << 30: "templates  1, with 1.0 MiB of 2.0 GiB at most\n"} {
		var text strings.Builder
		require.NoError(t, showStatus(&text, engineapi.Overview{Templates: []engineapi.Kind{{For: "a", MemoryBytes: 1 << 20}}, TemplatesBytes: bound}))
		require.Contains(t, text.String(), told)
	}
}
