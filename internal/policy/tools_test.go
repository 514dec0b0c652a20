package policy

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

func TestProgramsAreThePolicysOwnTools(t *testing.T) {
	tools := &Tools{Registry: []Tool{
		{Name: "any", Command: []string{"/bin/cat"}},
		{Name: "year", Command: []string{"/bin/echo", "1"}, Schema: map[string]any{"required": []any{"year"}}},
	}}
	programs, err := tools.Programs()
	require.NoError(t, err)
	require.Equal(t, []job.Tool{
		{Name: "any", Command: []string{"/bin/cat"}},
		{Name: "year", Command: []string{"/bin/echo", "1"}, Schema: []byte(`{"required":["year"]}`)},
	}, programs)
	programs[0].Command[0] = "/bin/sh"
	require.Equal(t, "/bin/cat", tools.Registry[0].Command[0], "the policy is shared")

	tools.Registry[0].Schema = map[string]any{"const": func() {}}
	_, err = tools.Programs()
	require.ErrorContains(t, err, "encode schema of tool any")
}
