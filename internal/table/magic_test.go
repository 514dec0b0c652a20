package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

func TestAFileThatIsNoTextIsCalledWhatItIs(t *testing.T) {
	for begin, want := range map[string]string{
		"\x1f\x8b\x08\x00\x00": "is a file in gzip", "\x28\xb5\x2f\xfd\x04\x00": "is a file in zstd", "PK\x03\x04\x14\x00": "is a ZIP archive",
		"PAR1\x15\x04\x15\x00": "is a Parquet file", "\xd0\xcf\x11\xe0\xa1\xb1": "is a workbook of an old kind", "a\x00b\x00": "UTF-16",
	} {
		_, err := infer(t, table.CSV, begin+"\n1\n", table.Choices{})
		require.ErrorContains(t, err, want)
	}
	_, err := infer(t, table.CSV, "PK\x03\x04PAR1\n1\n", table.Choices{})
	require.NotContains(t, err.Error(), "ZIP", "a text that begins so")
}
