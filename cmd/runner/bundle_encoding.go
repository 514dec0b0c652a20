package main

import (
	"fmt"
	"io"
	"strings"

	"hotcell/internal/bundle"
)

// encodingsOf reads what --encoding was given: NAME for every table, FILE=NAME for one.
func encodingsOf(given []string) (map[string]string, error) {
	encodings := make(map[string]string, len(given))
	for _, one := range given {
		file, name := bundle.EveryTable, one
		if at := strings.LastIndexByte(one, '='); at >= 0 {
			file, name = one[:at], one[at+1:]
			if file == "" {
				return nil, usageError{fmt.Errorf("--encoding %q names no file before the equals sign", one)}
			}
		}
		if _, twice := encodings[file]; twice {
			return nil, usageError{fmt.Errorf("--encoding is given twice for %s", orEvery(file))}
		}
		encodings[file] = name
	}
	return encodings, nil
}

func orEvery(file string) string {
	if file == bundle.EveryTable {
		return "all tables"
	}
	return fmt.Sprintf("%q", file)
}

// showEncodings has a line for each table that was decoded.
func showEncodings(w io.Writer, manifest bundle.Manifest) {
	for _, file := range manifest.Files {
		if file.Encoding != nil {
			fmt.Fprintf(w, "  encoding %s\n", inLine(decoded(file)))
		}
	}
}

func decoded(file bundle.DataFile) string {
	text := fmt.Sprintf("%s: %s", file.Path, file.Encoding.Name)
	if file.Encoding.Replaced > 0 {
		text += fmt.Sprintf(", U+FFFD in %s", counted(int(file.Encoding.Replaced), "place"))
	}
	return text
}

// tablesWithEncodings names in parentheses what a table was decoded from.
func tablesWithEncodings(manifest bundle.Manifest) []string {
	names := []string{}
	for _, file := range manifest.Files {
		switch {
		case file.Table == "":
		case file.Encoding != nil:
			names = append(names, fmt.Sprintf("%s(%s)", file.Table, file.Encoding.Name))
		default:
			names = append(names, file.Table)
		}
	}
	return names
}
