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
