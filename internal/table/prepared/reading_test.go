package prepared_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/strictjson"
	"hotcell/internal/table/prepared"
)

// missing is a missing value among what a file is read as.
type missing struct{}

// file reads a prepared table as its description says, and not as the writer wrote it.
type file struct {
	t     *testing.T
	data  []byte
	index prepared.Index
}

func read(t *testing.T, data []byte) *file {
	t.Helper()
	require.Equal(t, "HCTABLE\n\x01\x00\x00\x00\x00\x00\x00\x00", string(data[:16]))
	require.Equal(t, "HCTABLE\n", string(data[len(data)-8:]))
	offset := binary.LittleEndian.Uint64(data[len(data)-24:])
	length := binary.LittleEndian.Uint64(data[len(data)-16:])
	require.Equal(t, uint64(len(data)-24), offset+length)
	f := &file{t: t, data: data}
	require.NoError(t, strictjson.Decode(data[offset:offset+length], 64<<20, &f.index))
	return f
}

func (f *file) buffer(of prepared.Buffer, bytes int64) []byte {
	require.Equal(f.t, bytes, of.Bytes)
	require.Zero(f.t, of.Offset%64)
	return f.data[of.Offset : of.Offset+of.Bytes]
}

// columns gives the cells of each column.
func (f *file) columns() [][]any {
	made := make([][]any, len(f.index.Columns))
	for _, block := range f.index.Blocks {
		width := map[prepared.Dtype]int64{prepared.Bool: 1}[block.Dtype]
		if width == 0 {
			width = 8
		}
		require.Zero(f.t, block.Values.Offset%4096)
		values := f.buffer(block.Values, f.index.Rows*width*int64(len(block.Columns)))
		for at, column := range block.Columns {
			for row := range f.index.Rows {
				cell := values[(int64(at)*f.index.Rows+row)*width:][:width]
				made[column] = append(made[column], ofBlock(block.Dtype, cell))
			}
		}
	}
	for at, column := range f.index.Columns {
		if column.Layout != prepared.LayoutBlock {
			made[at] = f.column(column)
		}
	}
	return made
}

func ofBlock(dtype prepared.Dtype, cell []byte) any {
	if dtype == prepared.Bool {
		return cell[0] == 1
	}
	bits := binary.LittleEndian.Uint64(cell)
	switch number := math.Float64frombits(bits); {
	case dtype == prepared.Uint64:
		return bits
	case dtype == prepared.Float64 && math.IsNaN(number), dtype == prepared.Time && bits == 1<<63:
		return missing{}
	case dtype == prepared.Float64:
		return number
	default:
		return int64(bits)
	}
}

func (f *file) column(column prepared.Column) []any {
	var cells []any
	add := func(isMissing bool, cell any) {
		if isMissing {
			cell = missing{}
		}
		cells = append(cells, cell)
	}
	texts := f.texts(column.Texts)
	mask := make([]byte, f.index.Rows)
	if column.Mask.Bytes > 0 || column.Layout == prepared.LayoutNullable {
		mask = f.buffer(column.Mask, f.index.Rows)
	}
	for row := range f.index.Rows {
		switch column.Layout {
		case prepared.LayoutInstants, prepared.LayoutNullable:
			number := int64(binary.LittleEndian.Uint64(f.buffer(column.Values, 8*f.index.Rows)[8*row:]))
			add(mask[row] == 1 || column.Layout == prepared.LayoutInstants && number == math.MinInt64, number)
		case prepared.LayoutText:
			add(mask[row] == 1, texts[row])
		case prepared.LayoutJSON:
			var value any
			require.NoError(f.t, json.Unmarshal([]byte(texts[row]), &value))
			add(mask[row] == 1, value)
		default:
			code := f.code(column, row)
			if column.Layout == prepared.LayoutBoolean {
				add(code == 2, code == 1)
				continue
			}
			if code == int64(len(texts)) || code == -1 {
				add(true, nil)
				continue
			}
			add(false, texts[code])
		}
	}
	return cells
}

func (f *file) code(column prepared.Column, row int64) int64 {
	bytes := f.buffer(column.Codes, f.index.Rows*int64(column.Width))[row*int64(column.Width):]
	signed := column.Layout == prepared.LayoutCategories
	switch {
	case column.Width == 1 && signed:
		return int64(int8(bytes[0]))
	case column.Width == 1:
		return int64(bytes[0])
	case column.Width == 2 && signed:
		return int64(int16(binary.LittleEndian.Uint16(bytes)))
	case column.Width == 2:
		return int64(binary.LittleEndian.Uint16(bytes))
	default:
		return int64(int32(binary.LittleEndian.Uint32(bytes)))
	}
}

func (f *file) texts(of prepared.Texts) []string {
	var all []string
	for _, part := range of.Parts {
		texts := strings.Split(string(f.data[part.Offset:part.Offset+part.Bytes]), string(rune(of.Separator)))
		require.Len(f.t, texts, int(part.Texts))
		for _, text := range texts {
			if of.Quoted {
				require.NoError(f.t, json.Unmarshal([]byte(text), &text))
			}
			all = append(all, text)
		}
	}
	return all
}
