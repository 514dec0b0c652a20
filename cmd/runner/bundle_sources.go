package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"hotcell/internal/bundle"
)

func sheetsOf(given []string) (map[string][]string, error) {
	found := make(map[string][]string, len(given))
	for _, one := range given {
		file, sheet, ok := strings.Cut(one, "=")
		if !ok || file == "" || sheet == "" {
			return nil, usageError{fmt.Errorf("--sheet %q: want FILE=NAME, as in visits.xlsx=Visits", one)}
		}
		if slices.Contains(found[file], sheet) {
			return nil, usageError{fmt.Errorf("--sheet %q is given twice: name each sheet that is a table once", one)}
		}
		found[file] = append(found[file], sheet)
	}
	return found, nil
}

// showSources has a line for each table that was made of a file of another format.
func showSources(w io.Writer, manifest bundle.Manifest) {
	for _, file := range manifest.Files {
		if from := file.Source; from != nil {
			what := string(from.Format)
			if from.Sheet != "" {
				what += ", sheet " + from.Sheet
			}
			fmt.Fprintf(w, "  source   %s\n", inLine(fmt.Sprintf("%s of %s (%s)", file.Path, from.Path, what)))
		}
	}
}
