package main

import (
	"fmt"
	"io"
	"strings"

	"hotcell/internal/bundle"
	"hotcell/internal/policy"
)

// tellFile says what of a file differs, and of a table which columns.
func tellFile(w io.Writer, file bundle.FileDifference) {
	fmt.Fprintf(w, "~ %s: %s (%s → %s)\n", inLine(file.Path), strings.Join(file.In, ", "), policy.Size(file.First.Bytes), policy.Size(file.Second.Bytes))
	for _, member := range [][3]string{
		{"table", file.First.Table, file.Second.Table}, {"media_type", file.First.MediaType, file.Second.MediaType},
		{"delimiter", file.First.Delimiter, file.Second.Delimiter}, {"encoding", encodingOf(file.First), encodingOf(file.Second)},
	} {
		if member[1] != member[2] {
			fmt.Fprintf(w, "    %s: %s → %s\n", member[0], inLine(orNone(member[1])), inLine(orNone(member[2])))
		}
	}
	for _, column := range file.Columns {
		tellColumn(w, column)
	}
}

func encodingOf(file bundle.DataFile) string {
	if file.Encoding == nil {
		return ""
	}
	return fmt.Sprintf("%s, %d replaced", file.Encoding.Name, file.Encoding.Replaced)
}

func tellColumn(w io.Writer, column bundle.ColumnDifference) {
	switch {
	case column.Column == "":
		fmt.Fprintf(w, "    %s: %s → %s\n", column.In, inLine(column.First), inLine(column.Second))
	case column.In != "":
		fmt.Fprintf(w, "    column %s: %s %s → %s\n", visible(column.Column), column.In, inLine(orNone(column.First)), inLine(orNone(column.Second)))
	case column.First == "":
		fmt.Fprintf(w, "    column %s: added (%s)\n", visible(column.Column), column.Second)
	default:
		fmt.Fprintf(w, "    column %s: removed (%s)\n", visible(column.Column), column.First)
	}
}
