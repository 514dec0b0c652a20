package prepared_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/table"
	"hotcell/internal/table/prepared"
)

var update = flag.Bool("update", false, "write the tables of the guard's tests anew")

// The guard reads the same bytes in its tests (tests/test_prepared.py).
func TestTheGuardsTestsHaveTheFormThatIsWritten(t *testing.T) {
	const path = "../../../images/python-analysis/guard/tests/prepared/all.table"
	random := rand.New(rand.NewPCG(3, 4))
	data, _ := prepare(t, all(), 40, 32<<20, func(at int) []table.Value {
		cells, _ := row(random, at)
		return cells
	})
	if *update {
		require.NoError(t, os.WriteFile(path, data, 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, data), "if this is meant, count Format up: go test ./internal/table/prepared -run TheGuards -update")
}

func scratch(t testing.TB) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	return file
}

func field(name string, kind table.Type, dtype table.Pandas) table.Field {
	made := table.Field{Name: name, Type: kind, Pandas: dtype}
	if kind == table.Date || kind == table.Datetime {
		made.Format = "default"
	}
	return made
}

// all has a column of every dtype.
func all() table.Schema {
	group := field("group", table.String, table.PandasCategory)
	group.Categories = []string{"control", "treated", ""}
	return table.Schema{MissingValues: []string{""}, Fields: []table.Field{
		field("id", table.Integer, table.PandasInt64), field("name", table.String, table.PandasObject), group,
		field("weight", table.Number, table.PandasFloat64), field("big", table.Integer, table.PandasUint64),
		field("visits", table.Integer, table.PandasNullable), field("age", table.Integer, table.PandasFloat64),
		field("alive", table.Boolean, table.PandasBool), field("smokes", table.Boolean, table.PandasObject),
		field("born", table.Date, table.PandasTime), field("seen", table.Datetime, table.PandasTimeUTC),
		field("labs", table.Object, table.PandasObject), field("tags", table.Array, table.PandasObject),
		field("code", table.Integer, table.PandasInt64), field("note", table.String, table.PandasObject),
	}}
}

// row is one of the schema all, and what it is to be read as.
func row(random *rand.Rand, at int) ([]table.Value, []any) {
	var cells []table.Value
	var read []any
	add := func(value table.Value, is any, gaps bool) {
		if gaps && random.IntN(4) == 0 {
			value, is = table.Value{Missing: true}, missing{}
		}
		cells, read = append(cells, value), append(read, is)
	}
	number, text := random.Int64(), fmt.Sprintf("p%05d", at%30)
	add(table.Value{Int: -number}, -number, false)
	add(table.Value{Text: []byte(text)}, text, true)
	group := []string{"control", "treated", ""}[at%3]
	add(table.Value{Text: []byte(group)}, group, true)
	add(table.Value{Float: float64(at) / 8}, float64(at)/8, true)
	add(table.Value{Int: -1 - int64(at)}, math.MaxUint64-uint64(at), false)
	add(table.Value{Int: number}, number, true)
	add(table.Value{Int: int64(at)}, float64(at), true)
	add(table.Value{Bool: at%2 == 0}, at%2 == 0, false)
	add(table.Value{Bool: at%3 == 0}, at%3 == 0, true)
	add(table.Value{Time: int64(at) * 86_400_000_000}, int64(at)*86_400_000_000, true)
	add(table.Value{Time: -int64(at)}, -int64(at), true)
	add(table.Value{Text: fmt.Appendf(nil, "{ \"a\": [%d,\n null] }", at)}, map[string]any{"a": []any{float64(at), nil}}, true)
	add(table.Value{Text: []byte(`["ü\n"]`)}, []any{"ü\n"}, true)
	add(table.Value{Int: int64(at)}, int64(at), false)
	note := strings.Repeat("žé\x1f", random.IntN(9)) + strconv.FormatInt(number, 10)
	add(table.Value{Text: []byte(note)}, note, true)
	return cells, read
}

func prepare(t testing.TB, schema table.Schema, rows int, held int, row func(int) []table.Value) ([]byte, prepared.Summary) {
	t.Helper()
	writer, err := prepared.NewWriter(schema, scratch(t))
	require.NoError(t, err)
	writer.HoldAtMost(held)
	for at := range rows {
		require.NoError(t, writer.Row(row(at)))
	}
	var made bytes.Buffer
	summary, err := writer.Finish(&made)
	require.NoError(t, err)
	return made.Bytes(), summary
}

func TestEveryCellIsReadAsItWas(t *testing.T) {
	for _, rows := range []int{0, 1, 2, 255} {
		for _, held := range []int{100, 32 << 20} {
			random := rand.New(rand.NewPCG(1, uint64(rows)))
			want := make([][]any, len(all().Fields))
			data, summary := prepare(t, all(), rows, held, func(at int) []table.Value {
				cells, read := row(random, at)
				for at, cell := range read {
					want[at] = append(want[at], cell)
				}
				return cells
			})
			file := read(t, data)
			require.Equal(t, want, file.columns())
			require.Equal(t, prepared.Summary{int64(rows), len(want), int64(len(data)), digest.Of(data).Hex()}, summary)
			for at, column := range file.index.Columns {
				require.Equal(t, all().Fields[at].Name, column.Name)
			}
		}
	}
}

func TestEqualRowsMakeEqualBytesHoweverMuchIsHeld(t *testing.T) {
	var made [][]byte
	for _, held := range []int{1, 32 << 20} {
		random := rand.New(rand.NewPCG(1, 2))
		data, _ := prepare(t, all(), 500, held, func(at int) []table.Value {
			cells, _ := row(random, at)
			return cells
		})
		made = append(made, data)
	}
	require.Equal(t, made[0], made[1])
}

// texts prepares one column of strings, nil for a missing one.
func texts(t testing.TB, cells ...any) *file {
	schema := table.Schema{Fields: []table.Field{field("text", table.String, table.PandasObject)}}
	data, _ := prepare(t, schema, len(cells), 100, func(at int) []table.Value {
		if text, ok := cells[at].(string); ok {
			return []table.Value{{Text: []byte(text)}}
		}
		return []table.Value{{Missing: true}}
	})
	return read(t.(*testing.T), data)
}

func repeated(texts []string, times int) []any {
	var cells []any
	for range times {
		for _, text := range texts {
			cells = append(cells, text)
		}
	}
	return cells
}

func numbers(count int) []string {
	made := make([]string, count)
	for at := range made {
		made[at] = strconv.Itoa(at)
	}
	return made
}

func TestTextsLieInTheSmallerForm(t *testing.T) {
	controls := make([]byte, 32)
	for at := range controls {
		controls[at] = byte(at)
	}
	for name, test := range map[string]struct {
		cells  []any
		layout prepared.Layout
		width  int
		quoted bool
	}{
		"few":                      {repeated([]string{"yes", "no"}, 50), prepared.LayoutDictionary, 1, false},
		"nothing but missing":      {[]any{nil, nil}, prepared.LayoutDictionary, 1, false},
		"no room for missing in 1": {repeated(numbers(256), 9), prepared.LayoutDictionary, 2, false},
		"all differ":               {repeated(numbers(300), 1), prepared.LayoutText, 0, false},
		"no room for missing in 2": {repeated(numbers(65_536), 6), prepared.LayoutDictionary, 4, false},
		"a long one late":          {append(repeated([]string{"yes", ""}, 50), nil, strings.Repeat("x", 5000)), prepared.LayoutText, 0, false},
		"controls":                 {[]any{"a", nil, string(controls[1:])}, prepared.LayoutText, 0, false},
		"every control":            {[]any{"a", nil, string(controls) + "\u2028<é"}, prepared.LayoutText, 0, true},
		"parts":                    {repeated([]string{strings.Repeat("x", prepared.Partition/2), strings.Repeat("y", 2*prepared.Partition)}, 2), prepared.LayoutText, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			file := texts(t, test.cells...)
			for at, cell := range test.cells {
				if cell == nil {
					test.cells[at] = missing{}
				}
			}
			require.Equal(t, [][]any{test.cells}, file.columns())
			column := file.index.Columns[0]
			require.Equal(t, test.layout, column.Layout)
			require.Equal(t, test.width, column.Width)
			require.Equal(t, test.quoted, column.Texts.Quoted)
		})
	}
}

func TestADictionaryIsGivenUpWhenItBecomesLarge(t *testing.T) {
	schema := table.Schema{Fields: []table.Field{field("text", table.String, table.PandasObject), field("few", table.String, table.PandasObject)}}
	writer, err := prepared.NewWriter(schema, scratch(t))
	require.NoError(t, err)
	writer.AllowTexts(10)
	want := make([][]any, 2)
	for at := range 40 {
		text, few := strconv.Itoa(at%20), strconv.Itoa(at%2)
		require.NoError(t, writer.Row([]table.Value{{Text: []byte(text), Missing: at == 1}, {Text: []byte(few)}}))
		want[0], want[1] = append(want[0], text), append(want[1], few)
	}
	want[0][1] = missing{}
	var made bytes.Buffer
	_, err = writer.Finish(&made)
	require.NoError(t, err)
	file := read(t, made.Bytes())
	require.Equal(t, want, file.columns())
	require.Equal(t, prepared.LayoutText, file.index.Columns[0].Layout)
	require.Equal(t, prepared.LayoutDictionary, file.index.Columns[1].Layout)
}

func TestCodesOfCategoriesHaveTheWidthThatPandasChooses(t *testing.T) {
	for count, width := range map[int]int{1: 1, 126: 1, 127: 2, 32766: 2, 32767: 4} {
		group := field("group", table.String, table.PandasCategory)
		group.Categories = numbers(count)
		data, _ := prepare(t, table.Schema{Fields: []table.Field{group}}, 2, 100, func(at int) []table.Value {
			return []table.Value{{Text: fmt.Append(nil, count-1), Missing: at == 0}}
		})
		file := read(t, data)
		require.Equal(t, width, file.index.Columns[0].Width)
		require.Equal(t, [][]any{{missing{}, strconv.Itoa(count - 1)}}, file.columns())
	}
}

func TestWhatADtypeCannotHoldIsRefused(t *testing.T) {
	group := field("group", table.String, table.PandasCategory)
	group.Categories = []string{"a"}
	for name, test := range map[string]struct {
		field  table.Field
		cell   table.Value
		reason string
	}{
		"a gap among integers":      {field("x", table.Integer, table.PandasInt64), table.Value{Missing: true}, "no room"},
		"a gap among booleans":      {field("x", table.Boolean, table.PandasBool), table.Value{Missing: true}, "no room"},
		"an integer beyond float64": {field("x", table.Integer, table.PandasFloat64), table.Value{Int: 9007199254740993}, "does not hold"},
		"the greatest integer":      {field("x", table.Integer, table.PandasFloat64), table.Value{Int: math.MaxInt64}, "does not hold"},
		"NaN":                       {field("x", table.Number, table.PandasFloat64), table.Value{Float: math.NaN()}, "NaN"},
		"the instant of NaT":        {field("x", table.Date, table.PandasTime), table.Value{Time: math.MinInt64}, "missing value"},
		"another category":          {group, table.Value{Text: []byte("b")}, "none of the categories"},
		"no UTF-8":                  {field("x", table.String, table.PandasObject), table.Value{Text: []byte("\xff")}, "UTF-8"},
		"no JSON":                   {field("x", table.Object, table.PandasObject), table.Value{Text: []byte(`{"a":`)}, "no JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			writer, err := prepared.NewWriter(table.Schema{Fields: []table.Field{test.field}}, scratch(t))
			require.NoError(t, err)
			require.ErrorContains(t, writer.Row([]table.Value{test.cell}), test.reason)
			_, err = writer.Finish(&bytes.Buffer{})
			require.ErrorContains(t, err, test.reason)
		})
	}
}

func TestARowOfAnotherWidthAndABadSchemaAreRefused(t *testing.T) {
	_, err := prepared.NewWriter(table.Schema{}, scratch(t))
	require.ErrorContains(t, err, "0 fields")
	writer, err := prepared.NewWriter(all(), scratch(t))
	require.NoError(t, err)
	require.ErrorContains(t, writer.Row(nil), "it has 0 cells")
}

func TestAFailureOfTheDiskIsTold(t *testing.T) {
	file := scratch(t)
	schema := table.Schema{Fields: []table.Field{field("x", table.Integer, table.PandasInt64)}}
	writer, err := prepared.NewWriter(schema, file)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.NoError(t, writer.Row([]table.Value{{Int: 1}}))
	_, err = writer.Finish(&bytes.Buffer{})
	require.ErrorIs(t, err, os.ErrClosed)

	writer, err = prepared.NewWriter(schema, scratch(t))
	require.NoError(t, err)
	_, err = writer.Finish(refusing{})
	require.ErrorIs(t, err, os.ErrPermission)
	_, err = writer.Finish(&bytes.Buffer{})
	require.ErrorContains(t, err, "finished")
}

type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, os.ErrPermission }

func TestMemoryDoesNotGrowWithTheRows(t *testing.T) {
	schema := table.Schema{Fields: []table.Field{field("x", table.Integer, table.PandasInt64), field("y", table.String, table.PandasObject)}}
	file, to := scratch(t), scratch(t)
	writer, err := prepared.NewWriter(schema, file)
	require.NoError(t, err)
	writer.HoldAtMost(1 << 20)
	var most uint64
	look := func() {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		most = max(most, now.HeapAlloc)
	}
	look()
	before := most
	text := make([]byte, 1000)
	for at := range 80_000 {
		require.NoError(t, writer.Row([]table.Value{{Int: int64(at)}, {Text: fmt.Appendf(text[:0], "%0990d", at)}}))
		if at%20_000 == 0 {
			look()
		}
	}
	_, err = writer.Finish(to)
	require.NoError(t, err)
	look()
	require.Less(t, most-before, uint64(50<<20), "of about 80 MB") // dictionaries come to 32 MiB
}
