//go:build cgo

package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
)

// sourceRow makes the files of a row of docs/bundles.md's table of sources.
type sourceRow struct {
	files map[string][]byte
	flags []string
}

func packed(t testing.TB, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	to := gzip.NewWriter(&out)
	_, err := to.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, to.Close())
	return out.Bytes()
}

func primitive(t testing.TB, name string, repetition parquet.Repetition, logical schema.LogicalType, kind parquet.Type) schema.Node {
	t.Helper()
	node, err := schema.NewPrimitiveNodeLogical(name, repetition, logical, kind, -1, -1)
	require.NoError(t, err)
	return node
}

// parquetOf has a value of its own for each type, and a gap behind it where there may be one.
func parquetOf(t testing.TB, columns ...schema.Node) []byte {
	t.Helper()
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, columns, -1)
	require.NoError(t, err)
	var out bytes.Buffer
	writer := file.NewParquetWriter(&out, root)
	group, err := writer.AppendRowGroupChecked()
	require.NoError(t, err)
	for _, column := range columns {
		chunk, err := group.NextColumn()
		require.NoError(t, err)
		var gaps, repeats []int16
		switch column.RepetitionType() {
		case parquet.Repetitions.Optional:
			gaps = []int16{1, 0}
		case parquet.Repetitions.Repeated:
			gaps, repeats = []int16{1}, []int16{0}
		}
		switch to := chunk.(type) {
		case *file.Int32ColumnChunkWriter:
			_, err = to.WriteBatch([]int32{6150}, gaps, repeats)
		case *file.Int64ColumnChunkWriter:
			_, err = to.WriteBatch([]int64{1<<53 + 1}, gaps, repeats)
		case *file.Float64ColumnChunkWriter:
			_, err = to.WriteBatch([]float64{math.NaN()}, gaps, repeats)
		case *file.ByteArrayColumnChunkWriter:
			_, err = to.WriteBatch([]parquet.ByteArray{[]byte("x")}, gaps, repeats)
		}
		require.NoError(t, err)
		require.NoError(t, chunk.Close())
	}
	require.NoError(t, group.Close())
	require.NoError(t, writer.Close())
	return out.Bytes()
}

// rewritten is a workbook with another text in the place of one in its parts.
func rewritten(t testing.TB, content []byte, from, to string) []byte {
	t.Helper()
	reader, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for _, part := range reader.File {
		opened, err := part.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(opened)
		require.NoError(t, err)
		made, err := writer.Create(part.Name)
		require.NoError(t, err)
		_, err = made.Write(bytes.ReplaceAll(data, []byte(from), []byte(to)))
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	return out.Bytes()
}

// workbook has cells of one sheet, of which A2 has a format.
func workbook(t testing.TB, cells map[string]any, format string, change func(*excelize.File)) []byte {
	t.Helper()
	file := excelize.NewFile()
	defer file.Close()
	for cell, value := range cells {
		require.NoError(t, file.SetCellValue("Sheet1", cell, value))
	}
	if format != "" {
		style, err := file.NewStyle(&excelize.Style{CustomNumFmt: &format})
		require.NoError(t, err)
		require.NoError(t, file.SetCellStyle("Sheet1", "A2", "A2", style))
	}
	if change != nil {
		change(file)
	}
	var out bytes.Buffer
	require.NoError(t, file.Write(&out))
	return out.Bytes()
}

func sourceRows(t testing.TB) map[string]sourceRow {
	t.Helper()
	const plain = "plz,n\n01067,1\n"
	gz := func(content []byte, flags ...string) sourceRow {
		return sourceRow{files: map[string][]byte{"t.csv.gz": content}, flags: flags}
	}
	both := gz(packed(t, plain))
	both.files["t.csv"] = []byte("plz,n\n01068,1\n")
	xlsx := func(cells map[string]any, format string, change func(*excelize.File), flags ...string) sourceRow {
		return sourceRow{files: map[string][]byte{"t.xlsx": workbook(t, cells, format, change)}, flags: flags}
	}
	column := func(values ...any) map[string]any {
		cells := make(map[string]any)
		for at, value := range values {
			cells["A"+strconv.Itoa(at+1)] = value
		}
		return cells
	}
	parquetRow := func(columns ...schema.Node) sourceRow {
		return sourceRow{files: map[string][]byte{"t.parquet": parquetOf(t, columns...)}}
	}
	cover := map[string]any{"A1": "Export of May", "A3": "by"}
	data := func(file *excelize.File) {
		_, err := file.NewSheet("Data")
		require.NoError(t, errors.Join(err, file.SetCellValue("Data", "A1", "a"), file.SetCellValue("Data", "A2", 1)))
	}
	optional, required := parquet.Repetitions.Optional, parquet.Repetitions.Required
	return map[string]sourceRow{
		"a Parquet file": parquetRow(primitive(t, "n", optional, schema.NoLogicalType{}, parquet.Types.Int64)),
		"a decimal, and times with nanoseconds": parquetRow(primitive(t, "d", required, schema.NewDecimalLogicalType(9, 2), parquet.Types.Int32),
			primitive(t, "t", required, schema.NewTimestampLogicalType(true, schema.TimeUnitNanos), parquet.Types.Int64)),
		"NaN beside values that are missing":     parquetRow(primitive(t, "x", optional, schema.NoLogicalType{}, parquet.Types.Double)),
		"lists, maps and structs":                parquetRow(primitive(t, "item", parquet.Repetitions.Repeated, schema.NoLogicalType{}, parquet.Types.Int64)),
		"bytes without a meaning":                parquetRow(primitive(t, "b", required, schema.NoLogicalType{}, parquet.Types.ByteArray)),
		"a workbook":                             xlsx(column("a", 1), "", nil),
		"one sheet of it":                        xlsx(column("a", 1), "", nil, "--sheet", "t.xlsx=Sheet1"),
		"a cover sheet before it":                xlsx(cover, "", data),
		"the sheets that are tables":             xlsx(cover, "", data, "--sheet", "t.xlsx=Data"),
		"its texts, numbers and days":            xlsx(map[string]any{"A1": "day", "B1": "id", "C1": "n", "A2": 45351, "B2": "007", "C2": 61.5}, "yyyy-mm-dd", nil),
		"ids of 16 digits typed as numbers":      xlsx(column("id", 1234567890123456), "", nil),
		"postcodes that a number's format shows": xlsx(column("plz", 1067), "00000", nil),
		"a day before March 1900, or a 0 as Excel shows a link to an empty cell": xlsx(column("day", 60), "yyyy-mm-dd", nil),
		"the same, which means missing":                                          xlsx(column("day", 60, 3), "yyyy-mm-dd", nil, "--missing", "t.xlsx:day=60"),
		"a formula":                                                              {files: map[string][]byte{"t.xlsx": rewritten(t, workbook(t, column("a", 2), "", nil), "<v>2</v>", "<f>1+1</f><v>2</v>")}},
		"a formula without one, as programs that compute nothing leave it":       {files: map[string][]byte{"t.xlsx": rewritten(t, workbook(t, column("a", 2), "", nil), "<v>2</v>", "<f>1+1</f><v/>")}},
		"an error in a cell":                                                     {files: map[string][]byte{"t.xlsx": rewritten(t, workbook(t, column("a", 2), "", nil), "><v>2</v>", ` t="e"><v>#N/A</v>`)}},
		"merged cells": xlsx(map[string]any{"A1": "a", "B1": "b", "A2": 1, "B2": 1, "B3": 2}, "", func(file *excelize.File) {
			require.NoError(t, file.MergeCell("Sheet1", "A2", "A3"))
		}),
		"a sheet without a row of names":          xlsx(map[string]any{"A1": "x", "B1": 3.5, "A2": "y", "B2": 4}, "", nil),
		"texts above it that are like its values": xlsx(column("P-001", "P-002"), "", nil),
		"a cell that programs read in two ways":   {files: map[string][]byte{"t.xlsx": rewritten(t, workbook(t, column("a", 2), "", nil), "<v>2</v>", "<v>2</v><v>3</v>")}},
		"a title above the names of a sheet":      xlsx(map[string]any{"A1": "May", "A2": "a", "B2": "b"}, "", nil),
		"hidden columns, rows and sheets": xlsx(map[string]any{"A1": "a", "B1": "b", "A2": 1, "B2": 1, "A3": 2, "B3": 2}, "", func(file *excelize.File) {
			require.NoError(t, errors.Join(file.SetColVisible("Sheet1", "B", false), file.SetRowVisible("Sheet1", 3, false)))
		}),
		"a CSV, TSV or JSON Lines file in gzip": gz(packed(t, plain)),
		"several members behind each other":     gz(append(packed(t, plain), packed(t, "01068,2\n")...)),
		"another encoding in it":                gz(packed(t, "city\nOrl\xe9ans\n"), "--encoding", "t.csv.gz=latin-1"),
		"a file that was cut":                   gz(packed(t, plain)[:20]),
		"bytes behind its end, zeros too":       gz(append(packed(t, plain), make([]byte, 32)...)),
		"ten gigabytes of zeros":                gz(packed(t, strings.Repeat("\x00", 65<<20))),
		"another `t.csv` where the table goes":  both,
		"a file that is to stay what it is":     gz(packed(t, plain), "--as-is", "t.csv.gz"),
	}
}

// TestSourcesBecomeWhatThePageSays runs the rows of the table of sources in docs/bundles.md.
func TestSourcesBecomeWhatThePageSays(t *testing.T) {
	page, err := os.ReadFile("../../docs/bundles.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "| the source | what happens |\n|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := sourceRows(t)
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		require.Len(t, cells, 2, line)
		name := regexp.MustCompile(` \(.*`).ReplaceAllString(cells[0], "")
		row, known := rows[name]
		require.True(t, known, "nothing makes the file of %q", name)
		delete(rows, name)
		t.Run(name, func(t *testing.T) { requireSource(t, row, cells[1]) })
	}
	require.Empty(t, rows, "the page does not have these")
}

func requireSource(t *testing.T, row sourceRow, happens string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range row.files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	_, told, _ := strings.Cut(happens, ": ")
	requireCreated(t, dir, row.flags, strings.Contains(happens, "refused: "), told)
}
