package job_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

func TestAllLimitsAreAllConstants(t *testing.T) {
	text, err := os.ReadFile("limits.go")
	require.NoError(t, err)
	var names []job.Limit
	for _, found := range regexp.MustCompile(`\bLimit\w+ +(?:Limit )?= "([^"]+)"`).FindAllSubmatch(text, -1) {
		names = append(names, job.Limit(found[1]))
	}
	require.NotEmpty(t, names)
	require.Equal(t, names, job.AllLimits())
}
