package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSheetsAreNamedOnceEach(t *testing.T) {
	found, err := sheetsOf([]string{"a.xlsx=One", "a.xlsx=T=2", "b.xlsx=One"})
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"a.xlsx": {"One", "T=2"}, "b.xlsx": {"One"}}, found)
	for _, given := range [][]string{{"a.xlsx=One", "b.xlsx=One", "a.xlsx=One"}, {"a.xlsx="}, {"=One"}, {"a.xlsx"}} {
		_, err := sheetsOf(given)
		require.Error(t, err, "%q", given)
	}
}
