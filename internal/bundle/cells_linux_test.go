//go:build cgo

package bundle_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"hotcell/internal/bundle"
	"hotcell/internal/table"
)

// created makes a bundle of one file, and returns what is wrong with it.
func created(t *testing.T, name, content string, change ...func(*bundle.CreateOptions)) (dir string, err error) {
	t.Helper()
	how := options(t.TempDir())
	write(t, how.Dir, name, content)
	for _, each := range change {
		each(&how)
	}
	_, err = bundle.Create(t.Context(), how)
	return how.Dir, err
}

func TestAFirstRowOfValuesIsNotTakenForNames(t *testing.T) {
	day := formatted(t, "yyyy-mm-dd", "B1")
	for name, each := range map[string]struct {
		cells map[string]any
		want  string
	}{
		"a number":           {map[string]any{"A1": "a", "B1": 3.5, "A2": "x", "B2": 4}, "cell B1: it is to name a column, and is a number"},
		"a date":             {map[string]any{"A1": "a", "B1": 45000, "A2": "x", "B2": 45001}, "cell B1: it is to name a column, and is a date"},
		"a boolean":          {map[string]any{"A1": "a", "B1": true, "A2": "x", "B2": false}, "cell B1: it is to name a column, and is a date, a boolean"},
		"digits as text":     {map[string]any{"A1": "12", "A2": "7", "A3": "130"}, "its names are values, as it looks: in column 1 "},
		"a number as text":   {map[string]any{"A1": "3.5", "A2": 4, "A3": 130}, "its names are values, as it looks"},
		"a code":             {map[string]any{"A1": "P-001", "A2": "P-002", "A3": "P-003"}, "its names are values, as it looks"},
		"a day as text":      {map[string]any{"A1": "2024-01-01", "A2": "2024-01-02"}, "its names are values, as it looks"},
		"a boolean as text":  {map[string]any{"A1": "true", "A2": false, "A3": false}, "its names are values, as it looks"},
		"names that return":  {map[string]any{"A1": "a", "B1": "b", "A2": "x", "B2": "y", "A3": "a", "B3": "b"}, "line 2 has in its first column the name of the column, and so has each column"},
		"blanks":             {map[string]any{"A1": "a", "B1": "  ", "A2": "x", "B2": "y"}, "cell B1: it is to name a column, and is blank"},
		"a line feed":        {map[string]any{"A1": "a", "B1": "b\nc", "A2": "x", "B2": "y"}, "cell B1: it is to name a column, and has U+000A"},
		"years over a value": {map[string]any{"A1": "a", "B1": "2020", "C1": "2021", "A2": "x", "B2": 1, "C2": 2}, ""},
		"names":              {map[string]any{"A1": "day", "B1": "n 2", "A2": "x", "B2": 1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var change []func(*excelize.File)
			if name == "a date" {
				change = append(change, day)
			}
			_, err := created(t, "t.xlsx", workbook(t, each.cells, change...))
			if each.want == "" {
				require.NoError(t, err)
				return
			}
			requireFault(t, err, each.want)
		})
	}
}

func TestAPersonMaySayThatNumbersAreNames(t *testing.T) {
	header := func(path string) func(*bundle.CreateOptions) {
		return func(o *bundle.CreateOptions) { o.Choices = map[string]table.Choices{path: {Header: true}} }
	}
	two := map[string]any{"A1": "a", "B1": 3.5, "A2": "x", "B2": 4, "Lab 2!A1": 7, "Lab 2!A2": 8}
	one := map[string]any{"A1": "a", "B1": 3.5, "A2": "x", "B2": 4}
	dir, err := created(t, "t.xlsx", workbook(t, one), header("t.xlsx"))
	require.NoError(t, err)
	require.JSONEq(t, "{\"a\":\"x\",\"3.5\":4}\n", contentOf(t, dir, "t_Sheet1.jsonl"))
	_, err = created(t, "t.xlsx", workbook(t, two), header("t_Sheet1.jsonl"))
	requireFault(t, err, `sheet "Lab 2": cell A1: it is to name a column, and is a number`)
	dir, err = created(t, "t.xlsx", workbook(t, two), header("t_Sheet1.jsonl"), func(o *bundle.CreateOptions) { o.Choices["t_Lab_2.jsonl"] = table.Choices{Header: true} })
	require.NoError(t, err)
	require.Equal(t, "{\"7\":8}\n", contentOf(t, dir, "t_Lab_2.jsonl"))
	dir, err = created(t, "t.xlsx", workbook(t, two), header("t.jsonl"), func(o *bundle.CreateOptions) { o.Sheets = map[string][]string{"t.xlsx": {"Lab 2"}} })
	require.NoError(t, err)
	require.Equal(t, "{\"7\":8}\n", contentOf(t, dir, "t.jsonl"))
}

func TestTimesAreAsExactAsTheyAreWritten(t *testing.T) {
	for stored, want := range map[string]string{
		"45000.500000000044": "2023-03-15T12:00:00.000004", // as a double has 4 µs
		"45000.500000000015": "2023-03-15T12:00:00.000001",
		"45000.5":            "2023-03-15T12:00:00",
		"45000.5000115741":   "2023-03-15T12:00:01", // one second in 15 digits
		"45000.500011574072": "2023-03-15T12:00:01", // in a double
		"4.50005000115741E4": "2023-03-15T12:00:01",
		"45000.500000011576": "2023-03-15T12:00:00.001",
		"45000.999999999956": "2023-03-15T23:59:59.999996",
	} {
		t.Run(stored, func(t *testing.T) {
			content := workbook(t, map[string]any{"A1": "at", "A2": 45000}, formatted(t, "yyyy-mm-dd hh:mm:ss", "A2"))
			dir, err := created(t, "t.xlsx", part(t, content, sheet1, "<v>45000</v>", "<v>"+stored+"</v>"))
			require.NoError(t, err)
			require.Equal(t, `{"at":"`+want+"\"}\n", contentOf(t, dir, "t_Sheet1.jsonl"))
		})
	}
}

// TestEachPartOfAWorkbookIsTheOneThatWasWritten: the archive has a checksum of each, which is
// compared at a part's end.
func TestEachPartOfAWorkbookIsTheOneThatWasWritten(t *testing.T) {
	content := workbook(t, map[string]any{"A1": "day", "A2": "x"})
	for _, name := range []string{"xl/workbook.xml", "xl/styles.xml", "xl/sharedStrings.xml", sheet1, "_rels/.rels", "xl/_rels/workbook.xml.rels"} {
		t.Run(name, func(t *testing.T) {
			_, err := created(t, "t.xlsx", wrongSum(t, content, name))
			requireFault(t, err, "checksum error")
		})
	}
	_, err := created(t, "t.xlsx", content)
	require.NoError(t, err)
	_, err = created(t, "t.xlsx", part(t, content, "xl/styles.xml", "</styleSheet>", "</styleSheet><styleSheet/>"))
	requireFault(t, err, "stands behind its end")
}

// wrongSum changes the checksum of a part.
func wrongSum(t *testing.T, content, name string) string {
	t.Helper()
	reader, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for _, one := range reader.File {
		header := one.FileHeader
		if one.Name == name {
			header.CRC32++
		}
		raw, err := one.OpenRaw()
		require.NoError(t, err)
		to, err := writer.CreateRaw(&header)
		require.NoError(t, err)
		var data bytes.Buffer
		_, err = data.ReadFrom(raw)
		require.NoError(t, err)
		_, err = to.Write(data.Bytes())
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	return out.String()
}

func TestACellThatCanBeReadInTwoWaysIsRefused(t *testing.T) {
	content := workbook(t, map[string]any{"A1": "a", "A2": 7})
	const cell = `<c r="A2"><v>7</v></c>`
	for name, each := range map[string][2]string{
		"a text without its kind":    {`<c r="A2"><is><t>x</t></is></c>`, `cell A2: it is no XLSX file: a cell of the kind "" has the element "is"`},
		"a number beside a text":     {`<c r="A2" t="inlineStr"><v>0</v><is><t>x</t></is></c>`, `cell A2: it is no XLSX file: a cell of the kind "inlineStr" has the element "v"`},
		"a text beside a shared one": {`<c r="A2" t="s"><v>0</v><is><t>x</t></is></c>`, `cell A2: it is no XLSX file: a cell of the kind "s" has the element "is"`},
		"two values":                 {`<c r="A2"><v>7</v><v>8</v></c>`, `cell A2: it is no XLSX file: a cell of the kind "" has the element "v"`},
		"two texts":                  {`<c r="A2" t="inlineStr"><is><t>x</t></is><is><t>y</t></is></c>`, `has the element "is", twice`},
		"two formulas":               {`<c r="A2"><f>1</f><f>2</f><v>7</v></c>`, `has the element "f", twice`},
		"a choice in the cell":       {`<c r="A2"><mc:AlternateContent><v>7</v></mc:AlternateContent></c>`, `cell A2: it is no XLSX file: a cell of the kind "" has the element "AlternateContent of another namespace"`},
		"a choice of cells":          {`<mc:AlternateContent><mc:Choice>` + cell + `</mc:Choice></mc:AlternateContent>`, `row 2 has the element "AlternateContent of another namespace"`},
		"a choice of texts":          {`<c r="A2" t="inlineStr"><is><mc:AlternateContent><t>x</t></mc:AlternateContent></is></c>`, `a text has the element "AlternateContent of another namespace" in it`},
		"a style that there is not":  {`<c r="A2" s="99"><v>7</v></c>`, "cell A2 has the style 99, and there are"},
		"a style below them":         {`<c r="A2" s="-1"><v>7</v></c>`, "cell A2 has the style -1, and there are"},
		"two kinds":                  {`<c r="A2" t="n" t="b"><v>1</v></c>`, `an element has the attribute "t" twice`},
		"two places":                 {`<c r="A2" r="B2"><v>7</v></c>`, `an element has the attribute "r" twice`},
		"a kind of another place":    {`<c r="A2" xmlns:x="urn:x" t="n" x:t="b"><v>7</v></c>`, ""},
		"a value of another place":   {`<c r="A2"><v xmlns="urn:x">7</v></c>`, `has the element "v of another namespace"`},
		"one with a prefix":          {`<c r="A2"><x:v xmlns:x="urn:x">8</x:v><v>7</v></c>`, `has the element "v of another namespace"`},
		"a cell of another place":    {`<x:c xmlns:x="urn:x" r="A2"><v>7</v></x:c>`, `row 2 has the element "c of another namespace"`},
		"a text of another place":    {`<c r="A2" t="inlineStr"><is><t xmlns="urn:x">x</t></is></c>`, `a text has the element "t of another namespace"`},
		"a kind that is none":        {`<c r="A2" t="x"><v>7</v></c>`, `cell A2: it is no XLSX file: its kind "x" is unknown`},
		"such a kind without value":  {`<c r="A2" t="x"/>`, `cell A2: it is no XLSX file: its kind "x" is unknown`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := created(t, "t.xlsx", part(t, content, sheet1, cell, each[0]))
			if each[1] == "" {
				require.NoError(t, err)
				return
			}
			requireFault(t, err, each[1])
		})
	}
	_, err := created(t, "t.xlsx", part(t, content, sheet1, `<row r="2">`, `<mc:AlternateContent/><row r="2">`))
	requireFault(t, err, `its rows have the element "AlternateContent of another namespace" among them`)
}

func TestPartsThatCanBeReadInTwoWaysAreRefused(t *testing.T) {
	content := workbook(t, map[string]any{"A1": "a", "A2": 45351, "A3": 7}, formatted(t, "yyyy-mm-dd", "A2"))
	const rels = "xl/_rels/workbook.xml.rels"
	for name, each := range map[string]struct{ part, from, to, want string }{
		"rows twice":            {sheet1, "</sheetData>", `</sheetData><sheetData><row r="9"><c r="A9"><v>1</v></c></row></sheetData>`, `it has the element "sheetData" twice`},
		"no rows, and rows":     {sheet1, "<sheetData>", "<sheetData/><sheetData>", `it has the element "sheetData" twice`},
		"merged before rows":    {sheet1, "<sheetData>", `<mergeCells><mergeCell ref="A2:A3"/></mergeCells><sheetData>`, `its "mergeCell" stands before its rows`},
		"columns behind rows":   {sheet1, "</sheetData>", `</sheetData><cols><col min="1" max="1" hidden="1"/></cols>`, `its "col" stands behind its rows`},
		"two years":             {"xl/workbook.xml", "<workbookPr", `<workbookPr date1904="1"/><workbookPr`, `it has the element "workbookPr" twice`},
		"a year twice":          {"xl/workbook.xml", "<workbookPr", `<workbookPr date1904="0" date1904="1"`, `an element has the attribute "date1904" twice`},
		"lists of styles":       {"xl/styles.xml", "<cellXfs", `<cellXfs count="0"></cellXfs><cellXfs`, `it has the element "cellXfs" twice`},
		"lists of texts":        {rels, "</Relationships>", `<Relationship Id="x" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`, `two parts of it are "sharedStrings"`},
		"workbooks":             {"_rels/.rels", "</Relationships>", `<Relationship Id="x" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/other.xml"/></Relationships>`, `two parts of it are "officeDocument"`},
		"relations of one name": {rels, "</Relationships>", `<Relationship Id="rId1" Type="x" Target="y.xml"/></Relationships>`, `has the relation "rId1" twice`},
		"rows of another place": {sheet1, "<sheetData>", `<x:sheetData xmlns:x="urn:x"></x:sheetData><sheetData>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := created(t, "t.xlsx", part(t, content, each.part, each.from, each.to))
			if each.want == "" {
				require.NoError(t, err)
				return
			}
			requireFault(t, err, each.want)
		})
	}
}

// TestNamesOfAWorkbookMayHaveAPrefix, as some programs write all of them.
func TestNamesOfAWorkbookMayHaveAPrefix(t *testing.T) {
	const body = `<x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c></x:row><x:row r="2"><x:c r="A2"><x:v>7</x:v></x:c></x:row></x:sheetData>`
	for _, space := range []string{"http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main"} {
		content := workbook(t, map[string]any{"A1": "a", "A2": 1})
		sheet := partOf(t, content, sheet1)
		dir, err := created(t, "t.xlsx", part(t, content, sheet1, sheet, `<x:worksheet xmlns:x="`+space+`">`+body+`</x:worksheet>`))
		require.NoError(t, err)
		require.Equal(t, "{\"a\":7}\n", contentOf(t, dir, "t_Sheet1.jsonl"))
	}
}

func partOf(t *testing.T, content, name string) string {
	t.Helper()
	reader, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	opened, err := reader.Open(name)
	require.NoError(t, err)
	data, err := io.ReadAll(opened)
	require.NoError(t, errors.Join(err, opened.Close()))
	return string(data)
}

func TestAParquetFileWithoutNamesIsRefused(t *testing.T) {
	numbers := []int64{1, 2}
	for name, want := range map[string]string{"12": "its names are values, as it looks", "  ": "the name of column 1 is blank", "n": ""} {
		_, err := created(t, "t.parquet", parquetFile(t, []column{{name: name, kind: parquet.Types.Int64, values: numbers}}))
		if want == "" {
			require.NoError(t, err)
			continue
		}
		requireFault(t, err, want)
	}
}

func TestAnIntegerThatItsTypeCannotHaveIsRefused(t *testing.T) {
	for _, each := range []struct {
		bits   int8
		signed bool
		value  int32
		bad    bool
	}{
		{8, false, -1, true}, {8, false, 256, true}, {8, false, 255, false}, {8, true, -129, true}, {8, true, 128, true}, {8, true, -128, false}, {8, true, 127, false},
		{16, false, -1, true}, {16, false, 65535, false}, {16, true, 32768, true}, {16, true, -32768, false}, {32, false, -1, false}, {32, true, -1, false},
	} {
		made := parquetFile(t, []column{{name: "n", kind: parquet.Types.Int32, logical: schema.NewIntLogicalType(each.bits, each.signed), values: []int32{each.value}}})
		_, err := created(t, "t.parquet", made)
		if each.bad {
			requireFault(t, err, fmt.Sprintf(`column "n": it has %d, which int(`, each.value))
		} else {
			require.NoError(t, err, each)
		}
	}
}

func TestMoreDigitsThanExcelKeepsAreTold(t *testing.T) {
	for stored, told := range map[string]bool{"1.2345678901234499E+17": true, "1E+17": true, "-1234567890123456": true, "999999999999999": false, "1.5E-17": false} {
		how := options(t.TempDir())
		write(t, how.Dir, "t.xlsx", part(t, workbook(t, map[string]any{"A1": "a", "A2": 7}), sheet1, "<v>7</v>", "<v>"+stored+"</v>"))
		made, err := bundle.Create(t.Context(), how)
		require.NoError(t, err)
		require.Equal(t, told, strings.Contains(made.Tables[0].Columns[0].Note, "15 digits"), stored)
	}
}

// TestWhatExcelAddsIsPassedOver: its own names beside those of the standard.
func TestWhatExcelAddsIsPassedOver(t *testing.T) {
	const sheet = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"
 xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac xr" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac"
 xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision" xr:uid="{00000000-0001-0000-0000-000000000000}"><dimension ref="A1:A2"/>
<sheetFormatPr defaultRowHeight="15" x14ac:dyDescent="0.25"/><cols><col min="1" max="1" width="9"/></cols><cols><col min="2" max="2" width="9" hidden="1"/></cols>
<sheetData><row r="1" spans="1:2" x14ac:dyDescent="0.25"><c r="A1" t="inlineStr"><is><t xml:space="preserve">a</t></is></c><c r="B1" t="inlineStr"><is><r><rPr><b/></rPr><t>b</t></r></is></c></row>
<row r="2" x14ac:dyDescent="0.25"><c r="A2"><v>7</v></c><c r="B2"><v>8</v><extLst><ext uri="x" xmlns:x="urn:x"><x:v>9</x:v></ext></extLst></c></row></sheetData>
<pageMargins left="0.7"/><drawing r:id="rId1"/><mc:AlternateContent><mc:Choice Requires="x14"><controls/></mc:Choice></mc:AlternateContent>
<extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}"><x14:sparklineGroups/></ext></extLst></worksheet>`
	content := workbook(t, map[string]any{"A1": "a", "A2": 1})
	how := options(t.TempDir())
	write(t, how.Dir, "t.xlsx", part(t, content, sheet1, partOf(t, content, sheet1), sheet))
	made, err := bundle.Create(t.Context(), how)
	require.NoError(t, err)
	require.Equal(t, "{\"a\":7,\"b\":8}\n", contentOf(t, how.Dir, "t_Sheet1.jsonl"))
	require.Equal(t, "the column is hidden in the sheet", made.Tables[0].Columns[1].Note)
}
