//go:build cgo

package bundle_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"hotcell/internal/bundle"
)

// covered is a workbook with a sheet that is no table before those that are.
func covered(t *testing.T, change ...func(*excelize.File)) string {
	return workbook(t, map[string]any{
		"Sheet1!A1": "Export of May", "Sheet1!A3": "by", "Sheet1!B3": "J. Doe",
		"Daten!A1": "a", "Daten!A2": 1, "Visits!A1": "b", "Visits!A2": 2, "Old!A1": "c", "Old!A2": 3,
	}, change...)
}

func sheets(names ...string) func(*bundle.CreateOptions) {
	return func(o *bundle.CreateOptions) { o.Sheets = map[string][]string{"t.xlsx": names} }
}

func TestSheetsThatAreNoTablesAreLeftOut(t *testing.T) {
	content := covered(t)
	_, err := created(t, "t.xlsx", content)
	requireFault(t, err, `sheet "Sheet1": row 2 is empty, and there are rows behind it: remove it; or, if this sheet is no table, name those that are (`+"`--sheet FILE=NAME` for each)")

	dir, err := created(t, "t.xlsx", content, sheets("Visits", "Daten"))
	require.NoError(t, err)
	require.Equal(t, []string{"bundle.json", "t.xlsx", "t_Daten.jsonl", "t_Visits.jsonl"}, visible(t, dir))
	require.Equal(t, "{\"b\":2}\n", contentOf(t, dir, "t_Visits.jsonl"))

	_, err = created(t, "t.xlsx", content, sheets("Visits", "None"))
	requireFault(t, err, `it has no sheet "None"`)
	_, err = created(t, "t.xlsx", content, sheets("Visits", ""))
	requireFault(t, err, "names none of its sheets")

	_, err = created(t, "t.xlsx", workbook(t, map[string]any{"A1": "a", "A3": 1}))
	requireFault(t, err, `row 2 is empty, and there are rows behind it: remove it`)
	require.NotContains(t, err.Error(), "--sheet")
}

func TestAHiddenSheetThatIsTheOnlyTableIsNamed(t *testing.T) {
	content := workbook(t, map[string]any{"Data!A1": "a", "Data!A2": 1}, func(file *excelize.File) { require.NoError(t, file.SetSheetVisible("Data", false)) })
	_, err := created(t, "t.xlsx", content)
	requireFault(t, err, `its sheets are "Sheet1", "Data" (hidden); a hidden one is a table if it is named (`+"`--sheet FILE=NAME`)")
	_, err = created(t, "t.xlsx", content, sheets("Data"))
	require.NoError(t, err)
}

func TestMergedCellsThatHoldNoValueAreNoMatter(t *testing.T) {
	cells := map[string]any{"B2": "a", "C2": "b", "B3": 1, "C3": 2, "B4": 3, "C4": 4}
	for area, isRefused := range map[string]bool{
		"E2:F3": false, "E1:E9": false, "A1:A4": false, "A1:D1": false, "B5:C6": false,
		"C4:D4": true, "A3:B3": true, "B1:B2": true, "A1:F9": true, "B3:B4": true, "C4:B3": true,
	} {
		t.Run(area, func(t *testing.T) {
			content := part(t, workbook(t, cells), sheet1, "</sheetData>", `</sheetData><mergeCells count="1"><mergeCell ref="`+area+`"/></mergeCells>`)
			_, err := created(t, "t.xlsx", content)
			if !isRefused {
				require.NoError(t, err)
				return
			}
			requireFault(t, err, "are merged, and only the first of them has a value")
		})
	}
}
