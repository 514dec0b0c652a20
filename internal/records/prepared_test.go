package records_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

// The tables that a run maps are tied to the bundle's digest by the chain alone: who edits them
// and the store's list of them has a run whose own record says so.
func TestVerifyHoldsTheTablesOfARunToTheChain(t *testing.T) {
	bundle, other := digest.Of([]byte("bundle")), digest.Of([]byte("another"))
	index, edited := digest.Of([]byte("index")).Hex(), digest.Of([]byte("edited")).Hex()
	added := func(kind records.Kind, of digest.Digest, index digest.Hex) records.Event {
		return records.Event{Kind: kind, Actor: anna, Subjects: []records.Subject{
			{Role: records.RoleBundle, Name: "b@1", SHA256: of.Hex()}, {Role: records.RoleFile, Name: ".tables/index.json", SHA256: index},
		}}
	}
	for name, test := range map[string]struct {
		before, after []records.Event
		used          digest.Hex
		problem       records.Problem
	}{
		"the bundle's": {before: []records.Event{added(records.KindBundleAdded, bundle, index)}, used: index},
		"prepared in two forms": {
			before: []records.Event{added(records.KindBundleAdded, bundle, edited), added(records.KindBundleAdded, bundle, index)}, used: edited,
		},
		"added while it ran":         {after: []records.Event{added(records.KindBundleAdded, bundle, index)}, used: index},
		"a record that does not say": {},
		"edited":                     {before: []records.Event{added(records.KindBundleAdded, bundle, index)}, used: edited, problem: records.Changed},
		"another bundle's":           {before: []records.Event{added(records.KindBundleAdded, other, index)}, used: index, problem: records.Added},
		"named where it was removed": {before: []records.Event{added(records.KindBundleRemoved, bundle, index)}, used: index, problem: records.Added},
		"named by nothing":           {used: index, problem: records.Added},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			for _, event := range test.before {
				require.NoError(t, store.Append(t.Context(), event))
			}
			draft, id := begin(t, store)
			entry := records.Entry{Result: result(id, job.Succeeded), Verified: verify(t, draft, "x\n"), Actor: anna}
			entry.Result.Files = entry.Verified.Files()
			entry.Result.Provenance.Bundle, entry.Result.Provenance.TablesSHA256 = bundle, test.used
			_, err := draft.Commit(t.Context(), entry)
			require.NoError(t, err)
			for _, event := range test.after {
				require.NoError(t, store.Append(t.Context(), event))
			}
			into, err := os.OpenRoot(t.TempDir())
			require.NoError(t, err)
			defer into.Close()
			copied := store.Copy(t.Context(), id, into)
			require.Equal(t, test.problem == "", copied == nil, copied) // an export, too
			found := look(t, dir, records.VerifyOptions{})
			if test.problem == "" {
				require.Empty(t, found.Faults)
				return
			}
			require.Len(t, found.Faults, 1)
			require.Equal(t, []any{test.problem, id}, []any{found.Faults[0].Problem, found.Faults[0].RunID})
			require.Contains(t, found.Faults[0].Message, id.String())
		})
	}
}
