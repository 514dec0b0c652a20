//go:build cgo

package bundle_test

import (
	"archive/zip"
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"hotcell/internal/bundle"
	"hotcell/internal/table"
)

// workbook has cells by "Sheet!A1".
func workbook(t testing.TB, cells map[string]any, change ...func(*excelize.File)) string {
	t.Helper()
	file := excelize.NewFile()
	defer file.Close()
	for at, value := range cells {
		sheet, cell, ok := strings.Cut(at, "!")
		if !ok {
			sheet, cell = "Sheet1", at
		}
		_, err := file.NewSheet(sheet)
		require.NoError(t, err)
		require.NoError(t, file.SetCellValue(sheet, cell, value))
	}
	for _, each := range change {
		each(file)
	}
	var out bytes.Buffer
	require.NoError(t, file.Write(&out))
	return out.String()
}

// formatted gives cells of the first sheet a format of numbers.
func formatted(t testing.TB, format string, cells ...string) func(*excelize.File) {
	return func(file *excelize.File) {
		style, err := file.NewStyle(&excelize.Style{CustomNumFmt: &format})
		require.NoError(t, err)
		for _, cell := range cells {
			require.NoError(t, file.SetCellStyle("Sheet1", cell, cell, style))
		}
	}
}

// part puts a text in the place of another in a part of a workbook.
func part(t testing.TB, content, name, from, to string) string {
	t.Helper()
	reader, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for _, one := range reader.File {
		opened, err := one.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(opened)
		require.NoError(t, err)
		if one.Name == name {
			require.Contains(t, string(data), from)
			data = []byte(strings.ReplaceAll(string(data), from, to))
		}
		made, err := writer.Create(one.Name)
		require.NoError(t, err)
		_, err = made.Write(data)
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	return out.String()
}

const sheet1 = "xl/worksheets/sheet1.xml"

func TestCellsAreWhatTheyAreStoredAs(t *testing.T) {
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	content := workbook(t, map[string]any{
		"A1": "id", "B1": "n", "C1": "day", "D1": "at", "E1": "ok", "F1": "text", "G1": "time", "H1": "2020",
		"A2": "007", "B2": 61.5, "C2": day, "D2": day.Add(10*time.Hour + 10*time.Minute + 10*time.Second), "E2": true, "F2": "a\nb \"c\" _x005F_x0041_", "G2": 0.5, "H2": 1,
		"A3": "NA", "B3": -99, "C3": day.AddDate(0, 0, 1), "D3": day.Add(time.Millisecond), "E3": false, "F3": "", "G3": 0.75, "H3": 2,
	}, formatted(t, "yyyy-mm-dd", "C2", "C3"), formatted(t, "yyyy-mm-dd hh:mm:ss", "D2", "D3"), formatted(t, "hh:mm", "G2", "G3"))
	dir := t.TempDir()
	write(t, dir, "visits.xlsx", content)
	made, err := bundle.Create(t.Context(), options(dir))
	require.NoError(t, err)
	want := `{"id":"007","n":61.5,"day":"2024-02-29","at":"2024-02-29T10:10:10","ok":true,"text":"a\nb \"c\" _x0041_","time":"12:00:00","2020":1}
{"id":"NA","n":-99,"day":"2024-03-01","at":"2024-02-29T00:00:00.001","ok":false,"text":"","time":"18:00:00","2020":2}
`
	require.Equal(t, strings.Split(want, "\n"), strings.Split(contentOf(t, dir, "visits_Sheet1.jsonl"), "\n"))
	file := made.Manifest.Files[0]
	require.Equal(t, "visits_Sheet1", file.Table)
	require.Equal(t, "Sheet1", file.Source.Sheet)
	var types []table.Type
	for _, field := range file.Schema.Fields {
		types = append(types, field.Type)
	}
	require.Equal(t, []table.Type{table.String, table.Number, table.Date, table.Datetime, table.Boolean, table.String, table.String, table.Integer}, types)
	store, _ := openStore(t)
	add(t, store, dir)
}

func TestEachSheetIsATable(t *testing.T) {
	content := workbook(t, map[string]any{"Sheet1!A1": "a", "Sheet1!A2": 1, "Lab values!A1": "b", "Lab values!A2": 2, "Old!A1": "c", "Old!A2": 3},
		func(file *excelize.File) { require.NoError(t, file.SetSheetVisible("Old", false)) })
	dir := t.TempDir()
	write(t, dir, "book.xlsx", content)
	made, err := bundle.Create(t.Context(), options(dir))
	require.NoError(t, err)
	require.Equal(t, []string{"book.xlsx", "book_Lab_values.jsonl", "book_Sheet1.jsonl", "bundle.json"}, visible(t, dir))
	require.Contains(t, append(made.Tables[0].Notes, made.Tables[1].Notes...), `the sheet "Old" is hidden: no table is made of it`)

	dir = t.TempDir()
	write(t, dir, "book.xlsx", content)
	how := options(dir)
	how.Sheets = map[string][]string{"book.xlsx": {"Old"}}
	made, err = bundle.Create(t.Context(), how)
	require.NoError(t, err)
	require.Equal(t, "book.jsonl", made.Manifest.Files[0].Path)
	require.Equal(t, "{\"c\":3}\n", contentOf(t, dir, "book.jsonl"))
	require.Equal(t, []string{"the sheet is hidden"}, made.Tables[0].Notes)

	how = options(t.TempDir())
	write(t, how.Dir, "book.xlsx", content)
	how.Sheets = map[string][]string{"book.xlsx": {"None"}}
	_, err = bundle.Create(t.Context(), how)
	requireFault(t, err, `it has no sheet "None"`)
	require.Equal(t, []string{"book.xlsx"}, visible(t, how.Dir))
}

func TestWhatASheetHidesIsTold(t *testing.T) {
	cells := map[string]any{"A1": "zip", "B1": "secret", "C1": "id", "D1": "sum", "E1": "stay", "A2": 1067, "B2": 1, "C2": 1234567890123456, "D2": 3, "E2": 1.5, "A3": 1, "B3": 2, "C3": 3, "D3": 4, "E3": 2}
	content := workbook(t, cells, formatted(t, "00000", "A2"), formatted(t, "[h]:mm", "E2", "E3"), func(file *excelize.File) {
		require.NoError(t, file.SetColVisible("Sheet1", "B", false))
		require.NoError(t, file.SetRowVisible("Sheet1", 3, false))
	})
	content = part(t, content, sheet1, `r="D2"><v>`, `r="D2"><f>A2+B2</f><v>`)
	dir := t.TempDir()
	write(t, dir, "t.xlsx", content)
	made, err := bundle.Create(t.Context(), options(dir))
	require.NoError(t, err)
	var notes []string
	for _, column := range made.Tables[0].Columns {
		notes = append(notes, column.Note)
	}
	require.Equal(t, []string{
		"shown with zeros in front that are not stored (A2)", "the column is hidden in the sheet",
		"Excel keeps 15 digits of a number, this one has more (C2)", "1 formulas, as they were computed last",
		"shown as a time beyond a day, stored as a number of days (E2)",
	}, notes)
	require.Equal(t, []string{"rows that are hidden are in the table: 1"}, made.Tables[0].Notes)
}

func TestWhatASheetCannotSayIsRefused(t *testing.T) {
	one := func(cells map[string]any, change ...func(*excelize.File)) string {
		cells["A1"] = "a"
		return workbook(t, cells, change...)
	}
	plain := one(map[string]any{"A2": 1})
	bomb := part(t, plain, sheet1, "<v>1</v>", "<v>"+strings.Repeat("1", 8<<20)+"</v>")
	for name, each := range map[string]struct{ content, want string }{
		"no archive":              {"a,b\n1,2\n", "it is no XLSX file"},
		"an archive of nothing":   {part(t, plain, "xl/_rels/workbook.xml.rels", "relationships/worksheet", "relationships/chartsheet"), "no sheet of it has a row of names"},
		"cut":                     {plain[:len(plain)-40], "it is no XLSX file"},
		"a password, or .xls":     {"\xd0\xcf\x11\xe0" + strings.Repeat("\x00", 600), "it has a password, or is an .xls file"},
		"an error":                {part(t, one(map[string]any{"A2": 1}), sheet1, `r="A2"`, `r="A2" t="e"`), "cell A2 has the error 1: mend it, or say that it means missing"},
		"a formula not computed":  {part(t, plain, sheet1, "<v>1</v>", "<f>1+1</f>"), "cell A2 has a formula without a value"},
		"merged cells":            {one(map[string]any{"B1": "b", "A2": 1, "A3": 2, "B2": 1, "B3": 2}, func(f *excelize.File) { require.NoError(t, f.MergeCell("Sheet1", "A2", "A3")) }), "the cells A2:A3 are merged"},
		"a title above":           {workbook(t, map[string]any{"A1": "Export of May", "A2": "a", "B2": "b", "A3": 1, "B3": 2}), "cell B2 has a value, and its column has no name"},
		"a blank row":             {one(map[string]any{"A2": 1, "A4": 2}), "row 3 is empty, and there are rows behind it"},
		"a name twice":            {one(map[string]any{"B1": "a", "A2": 1, "B2": 2}), `it has the column "a" twice`},
		"a name of no text":       {one(map[string]any{"B1": true, "A2": 1, "B2": 2}), "cell B1: it is to name a column"},
		"only names":              {one(map[string]any{}), "it has a row of names and no row of values"},
		"a day before March 1900": {one(map[string]any{"A2": 60}, formatted(t, "yyyy-mm-dd", "A2")), "cell A2 has a date that programs read as different days"},
		"a text that is missing":  {part(t, one(map[string]any{"A2": "x"}), sheet1, "<v>1</v>", "<v>99</v>"), "its text is missing"},
		"a number that is none":   {part(t, plain, sheet1, "<v>1</v>", "<v>0x10</v>"), "cell A2 is no number"},
		"rows out of order":       {part(t, one(map[string]any{"A2": 1, "A3": 2}), sheet1, `<row r="3"`, `<row r="1"`), "row 1 is behind row 2"},
		"a cell of another row":   {part(t, plain, sheet1, `r="A2"`, `r="A7"`), "it is in row 2"},
		"an entity":               {part(t, plain, sheet1, "<v>1</v>", "<v>&x;</v>"), "it is no XLSX file"},
		"a number without end":    {bomb, "cell A2 is no number"},
		"a part without end":      {part(t, plain, "xl/styles.xml", "<styleSheet", "<!--"+strings.Repeat("x", 65<<20)+"--><styleSheet"), "larger than a table can be"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "t.xlsx", each.content)
			_, err := bundle.Create(t.Context(), options(dir))
			requireFault(t, err, each.want)
			require.Equal(t, []string{"t.xlsx"}, visible(t, dir))
		})
	}
}

func TestAWorkbookHasNoEncodingToName(t *testing.T) {
	content := workbook(t, map[string]any{"A1": "city", "A2": "Orléans"})
	for name, encodings := range map[string]map[string]string{"of all": {bundle.EveryTable: "latin-1"}, "of it": {"t.xlsx": "latin-1"}, "of its table": {"t_Sheet1.jsonl": "latin-1"}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "t.xlsx", content)
			how := options(dir)
			how.Encodings = encodings
			_, err := bundle.Create(t.Context(), how)
			if name != "of all" {
				requireFault(t, err, "its source says itself how its texts are encoded")
				return
			}
			require.NoError(t, err)
			require.Contains(t, contentOf(t, dir, "t_Sheet1.jsonl"), "Orléans")
		})
	}
}

func TestAnErrorOfACellCanMeanMissing(t *testing.T) {
	content := part(t, workbook(t, map[string]any{"A1": "a", "B1": "b", "A2": 1, "B2": 2}), sheet1, `r="B2"><v>2</v>`, `r="B2" t="e"><v>#N/A</v>`)
	for name, choices := range map[string]map[string]table.Choices{
		"in all tables": {bundle.EveryTable: {Missing: []string{"#N/A"}}},
		"in a column":   {"t.xlsx": {Columns: map[string]table.Choice{"b": {Missing: []string{"#N/A"}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "t.xlsx", content)
			how := options(dir)
			how.Choices = choices
			_, err := bundle.Create(t.Context(), how)
			require.NoError(t, err)
			require.Equal(t, "{\"a\":1,\"b\":null}\n", contentOf(t, dir, "t_Sheet1.jsonl"))
		})
	}
	t.Run("in another column", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "t.xlsx", content)
		how := options(dir)
		how.Choices = map[string]table.Choices{"t.xlsx": {Columns: map[string]table.Choice{"a": {Missing: []string{"#N/A"}}}}}
		_, err := bundle.Create(t.Context(), how)
		requireFault(t, err, "cell B2 has the error #N/A")
	})
}

func TestDaysAreCountedFromTheWorkbooksFirst(t *testing.T) {
	content := workbook(t, map[string]any{"A1": "day", "A2": 45351, "A3": 61}, formatted(t, "d. mmm yyyy", "A2", "A3"))
	for name, each := range map[string]struct{ content, want string }{
		"1900": {content, "{\"day\":\"2024-02-29\"}\n{\"day\":\"1900-03-01\"}\n"},
		"1904": {part(t, content, "xl/workbook.xml", "<workbookPr", `<workbookPr date1904="1"`), "{\"day\":\"2028-03-01\"}\n{\"day\":\"1904-03-02\"}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, filepath.Base("t.xlsx"), each.content)
			_, err := bundle.Create(t.Context(), options(dir))
			require.NoError(t, err)
			require.Equal(t, each.want, contentOf(t, dir, "t_Sheet1.jsonl"))
		})
	}
}

func TestTheLastDayIsThatOfTheWorkbooksYears(t *testing.T) {
	for name, each := range map[string]struct {
		last     int
		workbook string
	}{"1900": {2958465, "<workbookPr"}, "1904": {2957003, `<workbookPr date1904="1"`}} {
		for add, want := range map[int]string{0: "", 1: "cell A2 has a date"} {
			t.Run(name+want, func(t *testing.T) {
				how := options(t.TempDir())
				content := workbook(t, map[string]any{"A1": "day", "A2": each.last + add}, formatted(t, "yyyy-mm-dd", "A2"))
				write(t, how.Dir, "t.xlsx", part(t, content, "xl/workbook.xml", "<workbookPr", each.workbook))
				_, err := bundle.Create(t.Context(), how)
				if want != "" {
					requireFault(t, err, want)
					return
				}
				require.NoError(t, err)
				require.JSONEq(t, "{\"day\":\"9999-12-31\"}\n", contentOf(t, how.Dir, "t_Sheet1.jsonl"))
			})
		}
	}
}

// TestACellWithoutAStyleHasTheFirst: 0 is what the attribute is where it is left out.
func TestACellWithoutAStyleHasTheFirst(t *testing.T) {
	how := options(t.TempDir())
	content := workbook(t, map[string]any{"A1": "day", "A2": 45351})
	write(t, how.Dir, "t.xlsx", part(t, content, "xl/styles.xml", `<cellXfs count="1"><xf numFmtId="0"`, `<cellXfs count="1"><xf numFmtId="14"`))
	_, err := bundle.Create(t.Context(), how)
	require.NoError(t, err)
	require.JSONEq(t, "{\"day\":\"2024-02-29\"}\n", contentOf(t, how.Dir, "t_Sheet1.jsonl"))
}

// TestAFormulaNeedsAValue: a program that computes nothing writes an empty one, and only a text
// can be that.
func TestAFormulaNeedsAValue(t *testing.T) {
	content := workbook(t, map[string]any{"A1": "a", "B1": "b", "A2": 1, "B2": 7})
	const want = "cell B2 has a formula without a value: open the workbook in a spreadsheet program"
	for written, refused := range map[string]bool{
		`<c r="B2"><f>A2*2</f><v/></c>`:                          true, // as openpyxl does
		`<c r="B2"><f>A2*2</f><v></v></c>`:                       true,
		`<c r="B2" t="n"><v/><f>A2*2</f></c>`:                    true,
		`<c r="B2"><f t="shared" si="0"/><v/></c>`:               true,
		`<c r="B2" t="b"><f>A2</f><v/></c>`:                      true,
		`<c r="B2" t="s"><f>A2</f><v/></c>`:                      true,
		`<c r="B2" t="d"><f>A2</f><v/></c>`:                      true,
		`<c r="B2" t="e"><f>A2</f><v/></c>`:                      true,
		`<c r="B2" t="str"><f>A2</f></c>`:                        true,
		`<c r="B2" t="str"><f>A2</f><v/></c>`:                    false,
		`<c r="B2" t="inlineStr"><f>A2</f><is><t>x</t></is></c>`: false,
	} {
		t.Run(written, func(t *testing.T) {
			_, err := created(t, "t.xlsx", part(t, content, sheet1, `<c r="B2"><v>7</v></c>`, written))
			if refused {
				requireFault(t, err, want)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

func TestAnEmptyDayIsMissingAndNoText(t *testing.T) {
	content := workbook(t, map[string]any{"A1": "a", "B1": "b", "A2": 1, "B2": 7})
	for _, kind := range []string{"d", "n"} {
		dir, err := created(t, "t.xlsx", part(t, content, sheet1, `<c r="B2"><v>7</v></c>`, `<c r="B2" t="`+kind+`"><v/></c>`))
		require.NoError(t, err)
		require.Equal(t, "{\"a\":1,\"b\":null}\n", contentOf(t, dir, "t_Sheet1.jsonl"))
	}
	_, err := created(t, "t.xlsx", part(t, content, sheet1, `<c r="B2"><v>7</v></c>`, `<c r="B2" t="e"><v/></c>`))
	requireFault(t, err, "cell B2 has an error that is not said")
}
