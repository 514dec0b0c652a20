package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
)

// MaxFaults of one file are listed. Each is looked up in the document and compared with
// what is known: tens of thousands, which fit into a file, took minutes.
const MaxFaults = 100

// Fault is one thing that is wrong with a file. Line is 1-based, or 0 for
// what concerns the file as a whole.
type Fault struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// String is the sentence with its line.
func (f Fault) String() string {
	if f.Line == 0 {
		return f.Message
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Message)
}

// Listed sorts faults by line and leaves out repetitions, and those beyond MaxFaults with a line
// that says so.
func Listed(faults []Fault) []Fault {
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	faults = slices.Compact(faults)
	if len(faults) > MaxFaults {
		faults = append(faults[:MaxFaults:MaxFaults], Fault{Message: fmt.Sprintf("there are more than these %d faults: correct them first", MaxFaults)})
	}
	return faults
}

func wholeFile(format string, args ...any) []Fault {
	return []Fault{{Message: fmt.Sprintf(format, args...)}}
}
