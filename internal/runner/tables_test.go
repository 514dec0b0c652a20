package runner

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

func TestARequestChoosesAmongTheTables(t *testing.T) {
	data := &bundle.Bundle{
		Manifest: bundle.Manifest{Name: "study", BundleVersion: "1", Files: []bundle.DataFile{
			{Path: "b.csv", Table: "b"}, {Path: "README.md"}, {Path: "a.csv", Table: "a"}, {Path: "c.parquet", Table: "c", MediaType: "application/vnd.apache.parquet"},
		}},
		Tables: []bundle.PreparedTable{{Table: "a", Path: ".tables/a.table", Rows: 3, Columns: 2, SHA256: "aa"}, {Table: "b", Path: ".tables/b.table"}},
	}
	for name, test := range map[string]struct {
		data   *bundle.Bundle
		asked  []string
		want   []string
		reason string
	}{
		"some":             {data, []string{"a", "b"}, []string{"b", "a"}, ""},
		"one":              {data, []string{"a"}, []string{"a"}, ""},
		"none":             {data, []string{}, []string{}, ""},
		"without a bundle": {nil, nil, []string{}, ""},
		"all":              {data, nil, nil, "table c of bundle study@1 is of application/vnd.apache.parquet, which no run can load"},
		"unknown ones":     {data, []string{"a", "x", "y\n"}, nil, `bundle study@1 has no table "x", "y\n": it has b, a, c`},
		"of no bundle":     {nil, []string{"a"}, nil, "the request names tables and no bundle"},
		"of no tables":     {&bundle.Bundle{Manifest: bundle.Manifest{Name: "n", BundleVersion: "1"}}, []string{"a"}, nil, "it has no tables"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := chosenTables(job.Request{Tables: test.asked}, test.data)
			if test.reason != "" {
				require.ErrorContains(t, err, test.reason)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, tableNames(found))
		})
	}
	found, err := chosenTables(job.Request{Tables: []string{"a"}}, data)
	require.NoError(t, err)
	require.Equal(t, []wire.Table{{Name: "a", Path: ".tables/a.table"}}, loaded(found))
	require.Equal(t, []job.Table{{Name: "a", Rows: 3, Columns: 2, SHA256: "aa"}}, recordedTables(found))
}
