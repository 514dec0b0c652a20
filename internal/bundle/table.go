package bundle

import (
	"fmt"
	"io"

	"hotcell/internal/wire"
)

// maxTableName is the length of a table's name in bytes.
const maxTableName = 64

// tableNameProblem says why no DataFrame can have a name and what to do, or "".
func tableNameProblem(name string) string {
	switch {
	case len(name) > maxTableName:
		return fmt.Sprintf("the name of its table is longer than %d characters: rename the file", maxTableName)
	case !identifierPattern.MatchString(name):
		return "its table must be a Python name of ASCII letters, digits and underscores that begins with a letter"
	case wire.IsReserved(name):
		return fmt.Sprintf("its table would be called %q, which is a word of Python or of every run: rename the file", name)
	}
	return ""
}

// tableCheck is fed a table's bytes and finds what keeps pandas from loading it,
// as far as that can be known without Python. It never refuses what pandas loads
// but where the check says so, and holds no more than one line.
type tableCheck interface {
	io.Writer    // never fails: what is wrong is told at the end
	end() string // after the last byte: what is wrong and what to do, or ""
}

// newTableCheck returns the check for a format. Parquet has none: its reader is
// Python's. Nothing of the data may be in what a check says, only its place.
func newTableCheck(format string) tableCheck {
	switch format {
	case "csv":
		return &csvCheck{line: 1}
	case "jsonl":
		return new(jsonlCheck)
	default:
		return anything{}
	}
}

// anything is the check of a file that is no table.
type anything struct{}

// Write implements io.Writer.
func (anything) Write(chunk []byte) (int, error) { return len(chunk), nil }
func (anything) end() string                     { return "" }

func notUTF8(line int) string {
	return fmt.Sprintf("line %d is not UTF-8: save the file as UTF-8, or name its encoding with \"runner bundle create --encoding\"", line)
}
