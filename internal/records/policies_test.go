package records_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/records"
)

func TestAPolicyThatIsAnotherThanBeforeIsAnEvent(t *testing.T) {
	dir := t.TempDir()
	one, two := digest.Of([]byte("one")).Hex(), digest.Of([]byte("two")).Hex()
	note := func(name string, sum digest.Hex) {
		t.Helper()
		require.NoError(t, open(t, dir).NotePolicy(t.Context(), anna, name, sum)) // each as another process
	}
	note("study-analysis", one)
	note("study-analysis", one)
	note("interpreter", two)
	require.Empty(t, events(t, open(t, dir)))
	note("study-analysis", two)
	note("study-analysis", two)
	all := events(t, open(t, dir))
	require.Len(t, all, 1)
	require.Equal(t, records.KindPolicyChanged, all[0].Kind)
	require.Equal(t, anna, all[0].Actor)
	require.Equal(t, []records.Subject{{Role: records.RolePolicy, Name: "study-analysis", SHA256: two}, {Role: records.RolePolicy, Name: "before", SHA256: one}}, all[0].Subjects)

	for _, text := range []string{"", "{", `{"study-analysis":"x"}`, `[]`, "null"} { // then nothing has been seen
		require.NoError(t, os.WriteFile(filepath.Join(dir, "policies.seen"), []byte(text), 0o600))
		note("study-analysis", one)
		require.Len(t, events(t, open(t, dir)), 1, text)
		note("study-analysis", one)
	}
}
