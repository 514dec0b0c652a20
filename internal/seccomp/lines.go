package seccomp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"hotcell/internal/strictjson"
)

// withLines joins the faults of a document, each with the line at which its place,
// or what would hold it, begins.
func withLines(data []byte, faults []fault) error {
	lines, err := placeLines(data)
	if err != nil {
		return err
	}
	problems := make([]error, len(faults))
	for i, fault := range faults {
		problems[i] = fmt.Errorf("line %d, %s: %s", lineFor(lines, pointer(fault.place)), fault.place, fault.problem)
	}
	return errors.Join(problems...)
}

// placeLines returns the line of every value, by its JSON pointer.
func placeLines(data []byte) (map[string]int, error) {
	lines := map[string]int{"": 1}
	decoder := strictjson.NewDecoder(bytes.NewReader(data))
	for {
		_, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read JSON: %w", err)
		}
		place := string(decoder.StackPointer())
		if _, seen := lines[place]; !seen { // the end of an array or object is at its place too
			lines[place] = lineOf(data, decoder.InputOffset())
		}
	}
}

func lineOf(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:offset], []byte("\n"))
}

// lineFor finds the nearest value: a name that is missing stands nowhere.
func lineFor(lines map[string]int, place string) int {
	for {
		if line, ok := lines[place]; ok {
			return line
		}
		place = place[:max(0, strings.LastIndexByte(place, '/'))]
	}
}

var index = regexp.MustCompile(`\[(\d+)\]`)

// pointer turns "syscalls[2].args" into the JSON pointer "/syscalls/2/args".
func pointer(place string) string {
	return "/" + strings.ReplaceAll(index.ReplaceAllString(place, ".$1"), ".", "/")
}
