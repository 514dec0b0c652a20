package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/wire"
)

const replica = `{"outcome": "completed", "error": null, "limit": "", "violations": [], "result": {"a": [1, 2]}, "charts": [{"data": [ ]}],
 "files": [], "warnings": [], "truncated": {"stdout": false, "stderr": false}, "stdout": "é\n", "stderr": ""}`

func TestAReplicaIsReadAsAReportIs(t *testing.T) {
	read, err := wire.DecodeReplica([]byte(replica))
	require.NoError(t, err)
	require.Len(t, read.Result, len(`{"a":[1,2]}`), "without the white space of the file")
	require.Len(t, read.Charts[0], len(`{"data":[]}`))
	require.Equal(t, "é\n", read.Stdout)
}

func TestAReplicaThatDoesNotFitIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":             ``,
		"no object":           `[]`,
		"another field":       `{"outcome": "completed", "more": 1}`,
		"an unknown outcome":  `{"outcome": "fine"}`,
		"raised without why":  `{"outcome": "raised"}`,
		"rejected for naught": `{"outcome": "rejected"}`,
		"a key twice":         `{"outcome": "completed", "outcome": "completed"}`,
		"bytes behind it":     replica + "{}",
	} {
		_, err := wire.DecodeReplica([]byte(text))
		require.Error(t, err, name)
	}
}

func FuzzReplica(f *testing.F) {
	f.Add([]byte(replica))
	f.Add([]byte(`{"outcome":"raised","error":{"type":"E","message":"","line":1,"traceback":"","errno":0}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		read, err := wire.DecodeReplica(text)
		if err == nil && read.Outcome == wire.OutcomeRaised {
			require.NotNil(t, read.Error)
		}
	})
}
