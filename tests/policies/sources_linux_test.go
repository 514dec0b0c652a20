package policies_test

import (
	"bytes"
	"compress/gzip"
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
)

// parquetOfAll has a column of each kind, with a gap where "gaps" says so.
func parquetOfAll(t *testing.T) string {
	t.Helper()
	types, required, optional := parquet.Types, parquet.Repetitions.Required, parquet.Repetitions.Optional
	var fields schema.FieldList
	for _, one := range []struct {
		name       string
		repetition parquet.Repetition
		logical    schema.LogicalType
		kind       parquet.Type
	}{
		{"gaps", optional, schema.NoLogicalType{}, types.Int64},
		{"large", required, schema.NewIntLogicalType(64, false), types.Int64},
		{"x", required, schema.NoLogicalType{}, types.Double},
		{"code", optional, schema.StringLogicalType{}, types.ByteArray},
		{"day", required, schema.DateLogicalType{}, types.Int32},
		{"at", required, schema.NewTimestampLogicalType(true, schema.TimeUnitMicros), types.Int64},
		{"sum", required, schema.NewDecimalLogicalType(9, 2), types.Int32},
	} {
		node, err := schema.NewPrimitiveNodeLogical(one.name, one.repetition, one.logical, one.kind, -1, -1)
		require.NoError(t, err)
		fields = append(fields, node)
	}
	root, err := schema.NewGroupNode("schema", required, fields, -1)
	require.NoError(t, err)
	var out bytes.Buffer
	writer := file.NewParquetWriter(&out, root)
	group, err := writer.AppendRowGroupChecked()
	require.NoError(t, err)
	longs := map[string][]int64{"gaps": {1<<53 + 1}, "large": {-1, 1}, "at": {1709164800000001, 0}}
	days := map[string][]int32{"day": {19782, 0}, "sum": {6150, -5}}
	for _, field := range fields {
		chunk, err := group.NextColumn()
		require.NoError(t, err)
		var gap []int16
		if field.RepetitionType() == optional {
			gap = []int16{1, 0}
		}
		switch to := chunk.(type) {
		case *file.Int64ColumnChunkWriter:
			_, err = to.WriteBatch(longs[field.Name()], gap, nil)
		case *file.Int32ColumnChunkWriter:
			_, err = to.WriteBatch(days[field.Name()], gap, nil)
		case *file.Float64ColumnChunkWriter:
			_, err = to.WriteBatch([]float64{0.30000000000000004, math.Inf(-1)}, gap, nil)
		case *file.ByteArrayColumnChunkWriter:
			_, err = to.WriteBatch([]parquet.ByteArray{[]byte("007")}, gap, nil)
		}
		require.NoError(t, err)
		require.NoError(t, chunk.Close())
	}
	require.NoError(t, group.Close())
	require.NoError(t, writer.Close())
	return out.String()
}

func workbookOf(t *testing.T, cells map[string]any) string {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	for cell, value := range cells {
		require.NoError(t, book.SetCellValue("Sheet1", cell, value))
	}
	format := "yyyy-mm-dd"
	style, err := book.NewStyle(&excelize.Style{CustomNumFmt: &format})
	require.NoError(t, err)
	require.NoError(t, book.SetCellStyle("Sheet1", "C2", "C3", style))
	var out bytes.Buffer
	require.NoError(t, book.Write(&out))
	return out.String()
}

// TestDataOfOtherFormatsStaysWhatItWas: what a script sees is what the file has.
func TestDataOfOtherFormatsStaysWhatItWas(t *testing.T) {
	w := newWorkspace(t)
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	_, err := to.Write([]byte("zip,n\n00001,1\n00002,\n"))
	require.NoError(t, err)
	require.NoError(t, to.Close())
	w.write("data/v.csv.gz", packed.String())
	w.write("data/p.parquet", parquetOfAll(t))
	w.write("data/b.xlsx", workbookOf(t, map[string]any{"A1": "id", "B1": "n", "C1": "day", "A2": "007", "B2": 61.5, "C2": 45351, "A3": "NA", "C3": 45352}))
	w.bundle("sources")
	test(t, w, "study-analysis", map[string]feature{
		"gzip": {
			script: "print(v.zip.tolist(), v.n.tolist())",
			want:   answers("['00001', '00002'] [1.0, nan]\n"),
		},
		"a workbook": {
			script: "print(b_Sheet1.id.tolist(), b_Sheet1.n.tolist(), b_Sheet1.day.dtype, str(b_Sheet1.day[0])[:10])",
			want:   answers("['007', 'NA'] [61.5, nan] datetime64[us] 2024-02-29\n"),
		},
		"Parquet": {
			script: "print(p.gaps.dtype, int(p.gaps[0]), p.gaps.isna().tolist(), p.large.dtype, int(p.large[0]), p.x.tolist(), p.code.tolist())\n" +
				"print(p.day.dtype, str(p.day[0])[:10], p['at'].dtype, str(p['at'][0]), p['sum'].tolist())",
			want: answers("Int64 9007199254740993 [False, True] uint64 18446744073709551615 [0.30000000000000004, -inf] ['007', nan]\n" +
				"datetime64[us] 2024-02-29 datetime64[us, UTC] 2024-02-29 00:00:00.000001+00:00 ['61.50', '-0.05']\n"),
		},
	}, "--bundle", "sources")
}
