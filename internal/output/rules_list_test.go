package output_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/output"
)

func TestAllRulesAreAllConstants(t *testing.T) {
	text, err := os.ReadFile("violations.go")
	require.NoError(t, err)
	var names []string
	for _, found := range regexp.MustCompile(`\bRule\w+ += "([^"]+)"`).FindAllSubmatch(text, -1) {
		names = append(names, string(found[1]))
	}
	require.NotEmpty(t, names)
	require.Equal(t, names, output.AllRules())
}
