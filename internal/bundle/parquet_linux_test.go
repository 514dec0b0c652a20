//go:build cgo

package bundle_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/table"
)

// column is one of a Parquet file. values are those that are there; at is 1 for each row that
// has one, and nil for a column without gaps.
type column struct {
	name    string
	kind    parquet.Type
	logical schema.LogicalType
	size    int
	values  any
	at      []int16
}

func parquetFile(t testing.TB, columns []column, change ...parquet.WriterProperty) string {
	t.Helper()
	var fields schema.FieldList
	for _, one := range columns {
		repetition := parquet.Repetitions.Required
		if one.at != nil {
			repetition = parquet.Repetitions.Optional
		}
		logical := one.logical
		if logical == nil {
			logical = schema.NoLogicalType{}
		}
		size := -1
		if one.size > 0 {
			size = one.size
		}
		node, err := schema.NewPrimitiveNodeLogical(one.name, repetition, logical, one.kind, size, -1)
		require.NoError(t, err)
		fields = append(fields, node)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	require.NoError(t, err)
	var out bytes.Buffer
	writer := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(change...)))
	group, err := writer.AppendRowGroupChecked()
	require.NoError(t, err)
	for _, one := range columns {
		chunk, err := group.NextColumn()
		require.NoError(t, err)
		switch to := chunk.(type) {
		case *file.BooleanColumnChunkWriter:
			_, err = to.WriteBatch(one.values.([]bool), one.at, nil)
		case *file.Int32ColumnChunkWriter:
			_, err = to.WriteBatch(one.values.([]int32), one.at, nil)
		case *file.Int64ColumnChunkWriter:
			_, err = to.WriteBatch(one.values.([]int64), one.at, nil)
		case *file.Int96ColumnChunkWriter:
			_, err = to.WriteBatch(one.values.([]parquet.Int96), one.at, nil)
		case *file.Float32ColumnChunkWriter:
			_, err = to.WriteBatch(one.values.([]float32), one.at, nil)
		case *file.Float64ColumnChunkWriter:
			_, err = to.WriteBatch(one.values.([]float64), one.at, nil)
		case *file.ByteArrayColumnChunkWriter:
			var values []parquet.ByteArray
			for _, value := range one.values.([]string) {
				values = append(values, []byte(value))
			}
			_, err = to.WriteBatch(values, one.at, nil)
		case *file.FixedLenByteArrayColumnChunkWriter:
			var values []parquet.FixedLenByteArray
			for _, value := range one.values.([]string) {
				values = append(values, []byte(value))
			}
			_, err = to.WriteBatch(values, one.at, nil)
		}
		require.NoError(t, err)
		require.NoError(t, chunk.Close())
	}
	require.NoError(t, group.Close())
	require.NoError(t, writer.Close())
	return out.String()
}

func TestEachValueOfParquetStaysWhatItIs(t *testing.T) {
	types, text := parquet.Types, schema.StringLogicalType{}
	gap := []int16{1, 0}
	for name, each := range map[string]struct {
		column column
		values string // of the two rows
		kind   table.Type
		pandas table.Pandas
		note   string
	}{
		"int32":             {column{"c", types.Int32, nil, 0, []int32{math.MinInt32, math.MaxInt32}, nil}, `-2147483648 2147483647`, table.Integer, "int64", ""},
		"int8":              {column{"c", types.Int32, schema.NewIntLogicalType(8, true), 0, []int32{-128, 127}, nil}, `-128 127`, table.Integer, "int64", ""},
		"uint32":            {column{"c", types.Int32, schema.NewIntLogicalType(32, false), 0, []int32{-1, 0}, nil}, `4294967295 0`, table.Integer, "int64", ""},
		"int64":             {column{"c", types.Int64, nil, 0, []int64{math.MinInt64, math.MaxInt64}, nil}, `-9223372036854775808 9223372036854775807`, table.Integer, "int64", ""},
		"int64 with gaps":   {column{"c", types.Int64, nil, 0, []int64{1<<53 + 1}, gap}, `9007199254740993 null`, table.Integer, "Int64", ""},
		"small with gaps":   {column{"c", types.Int64, nil, 0, []int64{7}, gap}, `7 null`, table.Integer, "float64", ""},
		"uint64":            {column{"c", types.Int64, schema.NewIntLogicalType(64, false), 0, []int64{-1, 1}, nil}, `18446744073709551615 1`, table.Integer, "uint64", ""},
		"float":             {column{"c", types.Float, nil, 0, []float32{0.1, -0.5}, nil}, `0.10000000149011612 -0.5`, table.Number, "float64", ""},
		"double":            {column{"c", types.Double, nil, 0, []float64{0.30000000000000004, 5e-324}, nil}, `0.30000000000000004 5e-324`, table.Number, "float64", ""},
		"whole doubles":     {column{"c", types.Double, nil, 0, []float64{1, 1e300}, nil}, `1 1e+300`, table.Number, "float64", ""},
		"infinities":        {column{"c", types.Double, nil, 0, []float64{math.Inf(1), math.Inf(-1)}, nil}, `"inf" "-inf"`, table.Number, "float64", "an infinity (line 1), by which sums and means are none: --missing would make it missing"},
		"NaN":               {column{"c", types.Double, nil, 0, []float64{math.NaN(), 2}, nil}, `null 2`, table.Number, "float64", "NaN (1) is missing"},
		"float16":           {column{"c", types.FixedLenByteArray, schema.Float16LogicalType{}, 2, []string{"\x00\x3c", "\x00\xc0"}, nil}, `1 -2`, table.Number, "float64", ""},
		"boolean":           {column{"c", types.Boolean, nil, 0, []bool{true, false}, nil}, `true false`, table.Boolean, "bool", ""},
		"boolean with gaps": {column{"c", types.Boolean, nil, 0, []bool{true}, gap}, `true null`, table.Boolean, "object", ""},
		"only gaps":         {column{"c", types.Boolean, nil, 0, []bool{}, []int16{0, 0}}, `null null`, table.Boolean, "object", ""},
		"strings":           {column{"c", types.ByteArray, text, 0, []string{"007", ""}, nil}, `"007" ""`, table.String, "object", ""},
		"strings with gaps": {column{"c", types.ByteArray, text, 0, []string{"NA"}, gap}, `"NA" null`, table.String, "object", ""},
		"text of all kinds": {column{"c", types.ByteArray, text, 0, []string{"a\"\n\x00", "ü🙂"}, nil}, `"a\"\n\u0000" "ü🙂"`, table.String, "object", ""},
		"date":              {column{"c", types.Int32, schema.DateLogicalType{}, 0, []int32{19782, -719162}, nil}, `"2024-02-29" "0001-01-01"`, table.Date, "datetime64[us]", ""},
		"local time in ms":  {column{"c", types.Int64, schema.NewTimestampLogicalType(false, schema.TimeUnitMillis), 0, []int64{1709164800001}, gap}, `"2024-02-29T00:00:00.001" null`, table.Datetime, "datetime64[us]", ""},
		"UTC in µs":         {column{"c", types.Int64, schema.NewTimestampLogicalType(true, schema.TimeUnitMicros), 0, []int64{-1, 0}, nil}, `"1969-12-31T23:59:59.999999Z" "1970-01-01T00:00:00Z"`, table.Datetime, "datetime64[us, UTC]", ""},
		"ns of whole µs":    {column{"c", types.Int64, schema.NewTimestampLogicalType(false, schema.TimeUnitNanos), 0, []int64{1000, 0}, nil}, `"1970-01-01T00:00:00.000001" "1970-01-01T00:00:00"`, table.Datetime, "datetime64[us]", ""},
		"ns":                {column{"c", types.Int64, schema.NewTimestampLogicalType(true, schema.TimeUnitNanos), 0, []int64{1, 0}, nil}, `"1970-01-01T00:00:00.000000001Z" "1970-01-01T00:00:00Z"`, table.String, "object", "times with nanoseconds, as text"},
		"time of day":       {column{"c", types.Int64, schema.NewTimeLogicalType(false, schema.TimeUnitNanos), 0, []int64{1, 43200e9}, nil}, `"00:00:00.000000001" "12:00:00"`, table.String, "object", ""},
		"decimal in int32":  {column{"c", types.Int32, schema.NewDecimalLogicalType(9, 2), 0, []int32{6150, -5}, nil}, `"61.50" "-0.05"`, table.String, "object", "decimal(9, 2), as text"},
		"decimal in bytes":  {column{"c", types.FixedLenByteArray, schema.NewDecimalLogicalType(38, 3), 16, []string{strings.Repeat("\xff", 16), strings.Repeat("\x00", 14) + "\x01\x00"}, nil}, `"-0.001" "0.256"`, table.String, "object", "decimal(38, 3), as text"},
		"UUID":              {column{"c", types.FixedLenByteArray, schema.UUIDLogicalType{}, 16, []string{"0123456789abcdef", strings.Repeat("\x00", 16)}, nil}, `"30313233-3435-3637-3839-616263646566" "00000000-0000-0000-0000-000000000000"`, table.String, "object", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "t.parquet", parquetFile(t, []column{each.column}))
			made, err := bundle.Create(t.Context(), options(dir))
			require.NoError(t, err)
			var want strings.Builder
			for value := range strings.SplitSeq(each.values, " ") {
				want.WriteString(`{"c":` + value + "}\n")
			}
			require.Equal(t, want.String(), contentOf(t, dir, "t.jsonl"))
			field := made.Manifest.Files[0].Schema.Fields[0]
			require.Equal(t, each.kind, field.Type)
			require.Equal(t, each.pandas, field.Pandas)
			require.Equal(t, each.note, made.Tables[0].Columns[0].Note)
			store, _ := openStore(t)
			added := add(t, store, dir)
			require.NoError(t, store.Verify(t.Context(), added.Digest))
		})
	}
}

func TestALargeParquetIsReadInOrder(t *testing.T) {
	const rows = 5000
	numbers, levels, texts := []int64{}, []int16{}, []string{}
	var want strings.Builder
	for at := range rows {
		texts = append(texts, strings.Repeat("x", at%7))
		if at%3 == 0 {
			levels = append(levels, 0)
			want.WriteString(`{"n":null,"s":"` + texts[at] + "\"}\n")
			continue
		}
		levels, numbers = append(levels, 1), append(numbers, int64(at%10))
		want.WriteString(`{"n":` + string(rune('0'+at%10)) + `,"s":"` + texts[at] + "\"}\n")
	}
	for name, codec := range map[string]compress.Compression{"plain": compress.Codecs.Uncompressed, "snappy": compress.Codecs.Snappy, "gzip": compress.Codecs.Gzip, "zstd": compress.Codecs.Zstd, "brotli": compress.Codecs.Brotli} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "t.parquet", parquetFile(t, []column{
				{"n", parquet.Types.Int64, nil, 0, numbers, levels}, {"s", parquet.Types.ByteArray, schema.StringLogicalType{}, 0, texts, nil},
			}, parquet.WithCompression(codec), parquet.WithDataPageSize(2000)))
			_, err := bundle.Create(t.Context(), options(dir))
			require.NoError(t, err)
			require.Equal(t, want.String(), contentOf(t, dir, "t.jsonl"))
		})
	}
}

func TestAParquetThatCannotBeExactIsRefused(t *testing.T) {
	types := parquet.Types
	whole := parquetFile(t, []column{{"c", types.Int64, nil, 0, []int64{1, 2}, nil}})
	nested := func() string {
		item, err := schema.NewPrimitiveNode("item", parquet.Repetitions.Repeated, types.Int64, -1, -1)
		require.NoError(t, err)
		root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{item}, -1)
		require.NoError(t, err)
		var out bytes.Buffer
		writer := file.NewParquetWriter(&out, root)
		require.NoError(t, writer.Close())
		return out.String()
	}
	for name, each := range map[string]struct{ content, want string }{
		"no Parquet":       {"a,b\n1,2\n", "it is no Parquet file that can be read"},
		"cut":              {whole[:len(whole)-20], "it is no Parquet file that can be read"},
		"without rows":     {parquetFile(t, []column{{"c", types.Int64, nil, 0, []int64{}, nil}}), "it has no row"},
		"bytes":            {parquetFile(t, []column{{"c", types.ByteArray, nil, 0, []string{"x"}, nil}}), `column "c": it has bytes of which nothing says what they are`},
		"INT96":            {parquetFile(t, []column{{"c", types.Int96, nil, 0, []parquet.Int96{{}}, nil}}), `column "c": it has times of an old kind (INT96)`},
		"an interval":      {parquetFile(t, []column{{"c", types.FixedLenByteArray, schema.IntervalLogicalType{}, 12, []string{strings.Repeat("x", 12)}, nil}}), `column "c": it has bytes`},
		"a list":           {nested(), `column "item": it is nested`},
		"NaN beside gaps":  {parquetFile(t, []column{{"c", types.Double, nil, 0, []float64{math.NaN()}, []int16{1, 0}}}), `column "c" has NaN (1) and values that are missing (1)`},
		"no UTF-8":         {parquetFile(t, []column{{"c", types.ByteArray, schema.StringLogicalType{}, 0, []string{"\xff"}, nil}}), `column "c": it has a text that is not UTF-8`},
		"the year 20000":   {parquetFile(t, []column{{"c", types.Int32, schema.DateLogicalType{}, 0, []int32{6585395}, nil}}), "behind 9999"},
		"25 o'clock":       {parquetFile(t, []column{{"c", types.Int32, schema.NewTimeLogicalType(false, schema.TimeUnitMillis), 0, []int32{90000000}, nil}}), "beyond a day"},
		"a column twice":   {strings.ReplaceAll(parquetFile(t, []column{{"c", types.Int64, nil, 0, []int64{1}, nil}, {"d", types.Int64, nil, 0, []int64{1}, nil}}), "\x01d", "\x01c"), "twice"},
		"uint64 with gaps": {parquetFile(t, []column{{"c", types.Int64, schema.NewIntLogicalType(64, false), 0, []int64{-1}, []int16{1, 0}}}), "choose string"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "t.parquet", each.content)
			_, err := bundle.Create(t.Context(), options(dir))
			requireFault(t, err, each.want)
			require.Equal(t, []string{"t.parquet"}, visible(t, dir))
		})
	}
}

// TestADamagedParquetIsRefusedOrTheSame: whatever byte is another one, the runner goes on.
func TestADamagedParquetIsRefusedOrTheSame(t *testing.T) {
	whole := parquetFile(t, []column{{"c", parquet.Types.Int64, nil, 0, []int64{1, 2}, []int16{1, 0, 1}}, {"s", parquet.Types.ByteArray, schema.StringLogicalType{}, 0, []string{"a", "b", "c"}, nil}})
	dir := t.TempDir()
	for at := 0; at < len(whole); at += 23 {
		for _, bits := range []byte{0xff, 0x80, 0x01} {
			damaged := []byte(whole)
			damaged[at] ^= bits
			write(t, dir, "t.parquet", string(damaged))
			how := options(dir)
			made, err := bundle.Create(t.Context(), how)
			if err != nil {
				requireFault(t, err, "")
				require.Equal(t, []string{"t.parquet"}, visible(t, dir))
				continue
			}
			require.NotEmpty(t, made.Tables)
			remove(t, dir, bundle.ManifestName, "t.jsonl")
		}
	}
}

// TestAParquetWhoseRowsAreNotThoseItClaims: the file and the group say how many rows there are,
// as the writer's 1000 is written (zigzag d0 0f), and the pages have 1000 each.
func TestAParquetWhoseRowsAreNotThoseItClaims(t *testing.T) {
	numbers, levels := make([]int64, 1000), make([]int16, 1000)
	for at := range numbers {
		numbers[at], levels[at] = int64(at), 1
	}
	for kind, at := range map[string][]int16{"required": nil, "with gaps": levels} {
		whole := parquetFile(t, []column{{"c", parquet.Types.Int64, nil, 0, numbers, at}})
		footer := len(whole) - 8 - int(binary.LittleEndian.Uint32([]byte(whole[len(whole)-8:])))
		for claim, each := range map[string]struct{ number, want string }{
			"fewer": {"\xce\x0f", "it has more values than the file says"},
			"more":  {"\xd2\x0f", "fewer values than the file says"},
		} {
			t.Run(kind+", "+claim, func(t *testing.T) {
				how := options(t.TempDir())
				require.Contains(t, whole[footer:], "\x16\xd0\x0f")
				write(t, how.Dir, "t.parquet", whole[:footer]+claimed(whole[footer:], each.number))
				_, err := bundle.Create(t.Context(), how)
				requireFault(t, err, each.want)
				require.Equal(t, []string{"t.parquet"}, visible(t, how.Dir))
			})
		}
	}
}

// claimed changes the number of rows of file and group, and not that of the column's values.
func claimed(footer, number string) string {
	const rows = "\x16\xd0\x0f"
	first, last := strings.Index(footer, rows), strings.LastIndex(footer, rows)
	footer = footer[:first+1] + number + footer[first+3:]
	return footer[:last+1] + number + footer[last+3:]
}

func remove(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
}
