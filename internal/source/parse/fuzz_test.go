package parse_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"hotcell/internal/source"
	"hotcell/internal/source/parse"
)

// nowhere takes tables and keeps nothing.
type nowhere struct{}

func (nowhere) Begin(string) (io.Writer, error)     { return io.Discard, nil }
func (nowhere) End([]source.Column, []string) error { return nil }

// seeds are a small file of each format.
func seeds(t testing.TB) map[source.Format][]byte {
	t.Helper()
	var packed, book, columns bytes.Buffer
	to := gzip.NewWriter(&packed)
	_, err := to.Write([]byte("a\n1\n"))
	require.NoError(t, errors.Join(err, to.Close()))

	sheets := excelize.NewFile()
	require.NoError(t, errors.Join(sheets.SetCellValue("Sheet1", "A1", "a"), sheets.SetCellValue("Sheet1", "A2", 1.5), sheets.Write(&book), sheets.Close()))

	node, err := schema.NewPrimitiveNode("a", parquet.Repetitions.Optional, parquet.Types.Int64, -1, -1)
	require.NoError(t, err)
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{node}, -1)
	require.NoError(t, err)
	writer := file.NewParquetWriter(&columns, root)
	group, err := writer.AppendRowGroupChecked()
	require.NoError(t, err)
	chunk, err := group.NextColumn()
	require.NoError(t, err)
	_, err = chunk.(*file.Int64ColumnChunkWriter).WriteBatch([]int64{7}, []int16{1, 0}, nil)
	require.NoError(t, errors.Join(err, chunk.Close(), group.Close(), writer.Close()))
	return map[source.Format][]byte{
		source.Gzip: packed.Bytes(), source.XLSX: book.Bytes(), source.Parquet: columns.Bytes(),
		source.Zstd: []byte("\x28\xb5\x2f\xfd\x04\x00\x19\x00\x00a\n1\x0f\x00\x00\x00\x00"),
	}
}

func TestEachFormatIsRead(t *testing.T) {
	for format, content := range seeds(t) {
		if format == source.Zstd {
			continue // no whole one: it is for the fuzzer
		}
		require.NoError(t, converted(format, content), format)
	}
	require.ErrorContains(t, converted("other", nil), "is unknown")
}

// converted reads a file and what was written of it, and returns what is wrong with the file.
func converted(format source.Format, content []byte) error {
	var out bytes.Buffer
	to := source.NewFrames(&out)
	if err := to.Confined(nil); err != nil {
		return err
	}
	if err := to.End(parse.Convert(bytes.NewReader(content), source.Order{Format: format}, to)); err != nil {
		return err
	}
	return source.Receive(&out, nowhere{})
}

// FuzzConvert: whatever a file is, its reader answers in frames that are believed, or says in
// one what is wrong.
func FuzzConvert(f *testing.F) {
	for format, content := range seeds(f) {
		f.Add(string(format), content)
	}
	f.Fuzz(func(t *testing.T, format string, content []byte) {
		if err := converted(source.Format(format), content); err != nil {
			_, isFault := errors.AsType[*source.FaultError](err)
			require.True(t, isFault, "%s", err)
		}
	})
}
